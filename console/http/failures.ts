import { type Fault, OperatorError } from '../../src/operator/use-case/errors.ts';

/** Why a use case refused, as a text for operators. */
export interface Failure {
  status: number;
  message: string;
  error?: OperatorError;
  /** The faults of single fields. */
  faults?: readonly Fault[];
  /** The record was changed since the form was shown. */
  isStale?: boolean;
}

/**
 * The failure of an `OperatorError`; undefined for an unexpected error.
 * @param labelOf the label of a field in the form
 * @param changedBy who changed a record that is not the one any more that the form showed, as a sentence
 */
export function describeFailure(
  error: unknown,
  labelOf: (field: string) => string | undefined = () => undefined,
  changedBy = '',
) {
  if (!(error instanceof OperatorError)) return undefined;
  const { kind, faults, message } = error;
  const named = faults.map(({ field, message }) => `${labelOf(field) ?? wordsOf(field)}: ${message}.`).join(' ');
  if (kind === 'changed') {
    const what = [named, changedBy].filter(Boolean).join(' ');
    const message = `It was changed since this page was shown. ${what} Nothing was saved: check it, and save again.`;
    return { status: 409, message, error, faults, isStale: true } satisfies Failure;
  }
  const status = kind === 'unknown' ? 404 : 422;
  return {
    status,
    message: kind !== 'nothing_to_change' && faults.length > 0 ? named : message,
    error,
    faults,
  } satisfies Failure;
}

/** "Rate limit" for `rate_limit`. */
const wordsOf = (field: string): string =>
  field
    .replaceAll(/[_.]/g, ' ')
    .replace(/^html$/, 'HTML')
    .replace(/^./, (letter) => letter.toUpperCase());
