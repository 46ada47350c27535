import type { ApiError, FieldRule } from '../../errors.ts';

/**
 * Why a use case was not carried out. `invalid`: values that cannot be, each named by its fault; `nothing_to_change`:
 * no value was given; `unknown`: what was named is not there; `refused`: the state of things forbids it; `changed`: the
 * record is not the one any more that the operator saw, each changed value named by its fault.
 */
export type FailureKind = 'invalid' | 'nothing_to_change' | 'unknown' | 'refused' | 'changed';

/** What is wrong with one field. Fields are named as in the records: `contact_email`, `client.name`, `renewal_date`. */
export interface Fault {
  readonly field: string;
  /** Completes a sentence that begins with the field's name. */
  readonly message: string;
  /** The rule by its name in v1; `format` where it is not named. */
  readonly rule?: FieldRule;
  /** For `changed`: the value of the record now. */
  readonly current?: unknown;
}

/**
 * What an operator wanted cannot be done. The message is one line in the domain's words; an interface that calls a
 * field by another name (a flag, the label of an input) puts the faults into its own words.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  readonly kind: FailureKind;
  /** For `invalid`, `changed` and some of `refused` each such field; for `nothing_to_change` the fields that could have been given. */
  readonly faults: readonly Fault[];

  /** What v1 answers in this case. */
  readonly rule: ApiError | undefined;

  constructor(kind: FailureKind, message: string, faults: readonly Fault[] = [], rule?: ApiError) {
    super(message);
    this.rule = rule;
    this.kind = kind;
    this.faults = faults;
  }
}

const named = (faults: readonly Fault[]): string =>
  faults.map(({ field, message }) => `${field}: ${message}`).join('; ');

/** A refusal by a rule that v1 has too: the operator's API answers it as v1 does. */
export const ofRule = (error: ApiError): OperatorError =>
  new OperatorError(error.statusCode === 404 ? 'unknown' : 'refused', error.message, [], error);

export const invalid = (...faults: Fault[]): OperatorError => new OperatorError('invalid', named(faults), faults);

export const changed = (...faults: Fault[]): OperatorError =>
  new OperatorError('changed', `It was changed in the meantime: ${named(faults)}`, faults);

export const nothingToChange = (...fields: string[]): OperatorError =>
  new OperatorError(
    'nothing_to_change',
    `Nothing to change: give one of ${fields.join(', ')}`,
    fields.map((field) => ({ field, message: 'is not given' })),
  );

export const unknown = (message: string): OperatorError => new OperatorError('unknown', message);

export const refused = (message: string): OperatorError => new OperatorError('refused', message);

/** The same for a value that could be, were it not for the state of things. */
export const refusedAt = (...faults: Fault[]): OperatorError => new OperatorError('refused', named(faults), faults);

/** A record of a file, its position there, and its faults; fields are named as the file names them. */
export interface FaultyRecord {
  readonly where: string;
  /** The same as a number: its line, or its place among the records from 1 on. */
  readonly at: number;
  readonly faults: readonly RecordFault[];
}

/** What is wrong with a field of a record, or with the record as a whole. */
export interface RecordFault extends Pick<Fault, 'message' | 'rule'> {
  readonly field: string | null;
}

/** A file that was refused as a whole; nothing of it was written. The message is the summary. */
export class ImportError extends OperatorError {
  override readonly name = 'ImportError';
  /** The first ones, in the file's order. */
  readonly records: readonly FaultyRecord[];
  /** Faulty records beside those. */
  readonly more: number;

  constructor(summary: string, records: readonly FaultyRecord[], more = 0) {
    super('invalid', summary);
    this.records = records;
    this.more = more;
  }

  /** One line for each of these records, and one for the others. */
  get lines(): string[] {
    const lines = this.records.map(
      ({ where, faults }) =>
        `${where}: ${faults.map(({ field, message }) => (field === null ? message : `${field}: ${message}`)).join('; ')}`,
    );
    return this.more > 0 ? [...lines, `and ${this.more} more faulty records`] : lines;
  }
}
