import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import type { FieldRule } from '../../errors.ts';
import { damageOf } from '../../rules/damage.ts';
import { DAY_MS } from '../../rules/durations.ts';
import { isBlank } from '../../rules/text.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { ImportError, type RecordFault } from '../use-case/errors.ts';
import { inText } from '../use-case/exports.ts';
import { addressesDropped, type Field, InputFault, jsonTypeOf, parseText, ruleOf } from '../use-case/fields.ts';
import type {
  ImportPreview,
  ImportWarnings,
  OnProgress,
  PreviewedFault,
  PreviewedRecord,
} from '../use-case/import-task.ts';
import { eachCsvRecord } from './csv.ts';
import { eachJsonRecord, isObject, jsonText, WrittenNumber } from './json.ts';
import { differing, type ListedNames, separate } from './listed.ts';
import { columnOf, type Groups, MAX_NAMED, type RawRecord, shortenText, unreadableFile } from './raw-records.ts';

/** A file that an operator hands in; the extension of its name determines the format. */
export interface ImportSource {
  name: string;
  content: Uint8Array;
}

export interface ImportInput {
  /** The broker's slug. */
  broker: string;
  file: ImportSource;
  onProgress?: OnProgress | undefined;
}

/** A field of a record, and the value of a new record that lacks it; one whose value is null may be emptied later too. */
interface Rule<T> {
  field: Field<unknown>;
  absent: { value: unknown } | 'fault';
  /** Only for the types. */
  type?: T;
}

export const required = <T>(field: Field<T>): Rule<T> => ({ field, absent: 'fault' });
export const optional = <T, D extends T | null>(field: Field<T>, value: D): Rule<T | D> => ({
  field,
  absent: { value },
});

/** The fields of a record by their path (`price.amount`); a CSV column is called `price_amount`. */
export type Shape = Record<string, Rule<unknown>>;
export type ValuesOf<S extends Shape> = { [K in keyof S]: S[K] extends Rule<infer T> ? T : never };
type PathOf<S extends Shape> = keyof S & string;

/** A field of a file, for those who write one. */
export interface ImportColumn {
  /** Its path in a JSON file. */
  field: string;
  /** Its column in a CSV file. */
  name: string;
  /** Of a new record. */
  required: boolean;
  /** What it has to be, what it is for, and its default. */
  rule: string;
}

export const columnsOf = (shape: Shape): ImportColumn[] =>
  Object.entries(shape).map(([path, { field, absent }]) => {
    const value = absent === 'fault' ? null : absent.value;
    const rule = [ruleOf(field), field.description, value !== null && `${value} in a new record without it`]
      .filter(Boolean)
      .join('. ');
    return { field: path, name: `${columnOf(path)}${field.open ? '_NAME' : ''}`, required: absent === 'fault', rule };
  });

/** How records of one resource are previewed. */
export interface PreviewRule<S extends Shape, Row> {
  summary: ReadonlyArray<PathOf<S>>;
  /** The stored record that the row replaces, and what it becomes; null where it is new. */
  replaced(row: Row): { before: object; after: object } | null;
  /** Whether the stored record stays instead. */
  isSkipped?(row: Row): boolean;
  warningsOf?(values: Partial<ValuesOf<S>>): Array<{ path: PathOf<S>; message: string }>;
}

export interface ImportRecord<S extends Shape> {
  /** Its position in the file; unique. */
  readonly where: string;
  /** What the file has: undefined is a field that it lacks, null one that it empties. */
  readonly values: Partial<ValuesOf<S>>;
  /**
   * The record as it will be: what the file lacks stays as it is stored, and is the default in a new record. Undefined
   * where a field of its own is faulty, or a new record lacks a required one; that is a fault.
   */
  completed(stored: ValuesOf<S> | undefined): ValuesOf<S> | undefined;
  /** Whether it has fields that only a list prints. */
  readonly isListed: boolean;
  /** Refuses those of them that are not as the list shows them now. @param stored null for a new record */
  compareListed(stored: object | null): void;
  /** Refuses this record, and with it the file. */
  fault(path: PathOf<S> | `${PathOf<S>}.${string}`, message: string, rule?: FieldRule): void;
}

/** Clocks of other systems may be wrong by a time zone. */
const MAX_AHEAD_MS = DAY_MS;

/** Refuses dates of another system that have not come yet (contract, section 14.2). @param now epoch milliseconds */
export function refuseAhead<S extends Shape>(record: ImportRecord<S>, now: number, ...paths: Array<PathOf<S>>): void {
  for (const path of paths) {
    if (Number(record.values[path] ?? 0) > now + MAX_AHEAD_MS) record.fault(path, 'must not be more than a day ahead');
  }
}

/** A file of records: what could be read of it, and the faults found so far. */
export interface ImportFile<S extends Shape> {
  /** The records that could be taken apart; of those with a faulty field of their own the first. */
  readonly records: ReadonlyArray<ImportRecord<S>>;
  /** Throws an `ImportError` that names the first faulty records and counts all, when there is one. */
  refuseFaulty(): void;
  /** What of the records that are imported looks damaged; empty where nothing does. */
  warnings(): ImportWarnings;
  /**
   * Reports for each record what an import would do with it.
   * @param rows what the records become, by their places; there is none for a faulty record
   */
  preview<Row>(broker: string, rows: ReadonlyArray<Row | undefined>, rule: PreviewRule<S, Row>): ImportPreview;
}

/** A file is held in memory as a whole. Bytes. */
export const MAX_FILE_BYTES = 256_000_000;

/** Records with warnings that a report names; the others are counted. */
const WARNINGS_KEPT = 100;

/** Faulty records that are named; the others are counted. */
export const FAULTS_KEPT = 1_000;

/**
 * Reads a JSON array or a CSV file (contract, sections 9 and 12.9). Numbers are taken by their source text, so none is
 * ever rounded. An unreadable file is an `OperatorError`; faulty records are kept for `refuseFaulty`, so that the checks
 * against the database can add theirs first.
 * @param key the field that names a record; a record without it is new, or faulty
 * @param names what lists of such records print beside these fields
 */
export function readImportFile<S extends Shape>(
  { name, content }: ImportSource,
  shape: S,
  key: PathOf<S>,
  names: ListedNames = { others: [] },
): ImportFile<S> {
  const format = /\.(json|csv)$/i.exec(name)?.[1]?.toLowerCase();
  if (!format) throw unreadableFile(`${name}: the name must end in .json or .csv`);
  if (!isUtf8(content)) throw unreadableFile(`${name}: the file is not UTF-8 text`);
  const bytes = withoutMark(content);
  const open = Object.keys(shape).filter((path) => shape[path]?.field.open);
  const groups = groupsOf(Object.keys(shape), open);
  const reading: Reading =
    format === 'json'
      ? { format, shape, key, groups, open, names, noun: 'record', label: (path) => path }
      : { format, shape, key, groups, open, names, noun: 'line', label: columnOf };
  const records: FileRecord<S>[] = [];
  /** The first that could not be taken apart. */
  const unusable: FileRecord<S>[] = [];
  let [total, faultyKept, unkept] = [0, 0, 0];
  const take = ({ at, fields, fault }: RawRecord) => {
    total += 1;
    const record = new FileRecord<S>(reading, at);
    if (fields) readValues(record, fields);
    else record.faults.push(fault);
    record.isSound = record.faults.length === 0;
    if (record.isSound) records.push(record);
    else if (faultyKept === FAULTS_KEPT) unkept += 1;
    else {
      faultyKept += 1;
      // Kept among the others, so that the checks against the database add theirs.
      (fields ? records : unusable).push(record);
    }
  };
  if (format === 'json') eachJsonRecord(name, bytes, groups, take);
  else eachCsvRecord(name, bytes, { paths: Object.keys(shape), open, listed: names }, take);

  /** The first faulty records in the file's order, and how many there are. */
  const faulty = () => {
    const found = records.filter(({ faults }) => faults.length > 0);
    const first = [...unusable, ...found].sort((a, b) => a.at - b.at).slice(0, FAULTS_KEPT);
    return { first, count: unkept + unusable.length + found.length };
  };

  return {
    records,
    preview(broker, rows, rule) {
      const { first, count } = faulty();
      const tally = { create: 0, update: 0, skip: 0, refuse: 0 };
      let warned = 0;
      const previews = new Map<number, PreviewedRecord>();
      for (const record of first) previews.set(record.at, previewOf(record, rule, null));
      records.forEach((record, index) => {
        const row = rows[index];
        if (record.faults.length > 0 || row === undefined) return;
        const preview = previewOf(record, rule, rule.replaced(row));
        if (rule.isSkipped?.(row)) preview.action = 'skip';
        tally[preview.action] += 1;
        if (preview.warnings.length > 0) warned += 1;
        previews.set(record.at, preview);
      });
      const inOrder = [...previews].sort(([a], [b]) => a - b).map(([, preview]) => preview);
      const { create: created, update: updated, skip: skipped } = tally;
      return {
        broker,
        dry_run: true,
        created,
        updated,
        ...(rule.isSkipped && { skipped }),
        refused: count,
        warned,
        records: inOrder,
      };
    },
    warnings() {
      const warned = records.filter(({ warnings }) => warnings.length > 0);
      if (warned.length === 0) return {};
      const first = warned.slice(0, WARNINGS_KEPT);
      return {
        warned: warned.length,
        warnings: first.flatMap(({ where, warnings }) => warnings.map((warning) => ({ where, ...warning }))),
      };
    },
    refuseFaulty() {
      const { first, count } = faulty();
      if (count === 0) return;
      throw new ImportError(
        `${name}: ${count} of ${total} records are faulty; nothing was imported`,
        first.map(({ where, at, faults }) => ({ where, at, faults })),
        count - first.length,
      );
    },
  };

  function previewOf(
    { where, values, faults, warnings: noted }: FileRecord<S>,
    { summary, warningsOf }: Pick<PreviewRule<S, never>, 'summary' | 'warningsOf'>,
    replaced: { before: object; after: object } | null,
  ): PreviewedRecord {
    const isSound = faults.length === 0;
    const { label } = reading;
    const changes = Object.keys(shape).flatMap((path) => {
      const [before, after] = [valueAt(replaced?.before, path), valueAt(replaced?.after, path)];
      return isDeepStrictEqual(before, after)
        ? []
        : [{ field: label(path), before: inText(before), after: inText(after) }];
    });
    const warnings = (isSound && warningsOf?.(values)) || [];
    const damaged = isSound ? noted : [];
    return {
      where,
      action: isSound ? (replaced ? 'update' : 'create') : 'refuse',
      subject: (values[key] ?? null) as string | number | null,
      summary: Object.fromEntries(
        summary.map((path) => [
          label(path),
          replaced ? valueAt(replaced.after, path) : shownIn(shape[path], values[path]),
        ]),
      ),
      changes,
      warnings: [...warnings.map(({ path, message }) => ({ field: label(path), message })), ...damaged],
      faults: faults.map(({ field, message }) => ({ field, message })),
    };
  }
}

/** A value of a file as a record shows it. */
const shownIn = (rule: Shape[string] | undefined, value: unknown): unknown =>
  rule?.field.format === 'timestamp' && typeof value === 'number' ? isoTimestamp(value) : (value ?? null);

/** The value of a record at a path such as `price.amount`. */
const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], record) ??
  null;

/** How the records of one file are read. */
interface Reading {
  format: string;
  shape: Shape;
  /** The field that names a record. */
  key: string;
  groups: Groups;
  /** Objects with names that no declaration knows. */
  open: readonly string[];
  /** What only lists have. */
  names: ListedNames;
  /** What a record's position counts. */
  noun: string;
  /** The name of a field in the file. */
  label: (path: string) => string;
}

function groupsOf(paths: readonly string[], open: readonly string[]): Groups {
  const nested = paths.filter((path) => path.includes('.'));
  const names = new Set(nested.map((path) => path.replace(/\..*/, '')));
  return new Map([
    ...[...names].map((name) => [name, nested.filter((path) => path.startsWith(`${name}.`))] as [string, string[]]),
    ...open.map((path): [string, string[]] => [path, [path]]),
  ]);
}

/** A class, so that hundreds of thousands of records share their methods. */
class FileRecord<S extends Shape> implements ImportRecord<S> {
  readonly at: number;
  readonly values: Partial<ValuesOf<S>> = {};
  readonly faults: RecordFault[] = [];
  readonly warnings: PreviewedFault[] = [];
  /** What only a list has. */
  listed: ReadonlyMap<string, unknown> = NOTHING;
  /** Whether each field could be read. */
  isSound = true;
  readonly reading: Reading;

  constructor(reading: Reading, at: number) {
    this.reading = reading;
    this.at = at;
  }

  get where(): string {
    return `${this.reading.noun} ${this.at}`;
  }

  completed(stored: ValuesOf<S> | undefined): ValuesOf<S> | undefined {
    const values: Record<string, unknown> = {};
    let isComplete = true;
    for (const [path, { absent }] of Object.entries(this.reading.shape)) {
      const given = this.values[path];
      if (given !== undefined) values[path] = given;
      else if (stored) values[path] = stored[path];
      else if (absent !== 'fault') values[path] = absent.value;
      else {
        isComplete = false;
        const field = this.reading.label(path);
        if (!this.faults.some((fault) => fault.field === field)) this.fault(path, REQUIRED.message, REQUIRED.rule);
      }
    }
    return isComplete && this.isSound ? (values as ValuesOf<S>) : undefined;
  }

  get isListed(): boolean {
    return this.listed.size > 0;
  }

  compareListed(stored: object | null): void {
    for (const path of differing(this.listed, stored, this.reading.format)) {
      this.fault(path, 'is not as it is stored, and an import cannot set it');
    }
  }

  warn(path: string, message: string): void {
    this.warnings.push({ field: this.reading.label(path), message });
  }

  fault(path: string, message: string, rule?: FieldRule): void {
    const field = this.reading.label(path);
    // The check is part of a transaction, which can run again (src/store/store.ts, `tx`).
    const isRepeated = this.faults.some((fault) => fault.field === field && fault.message === message);
    if (!isRepeated) this.faults.push({ field, message, ...(rule && { rule }) });
  }
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

const REQUIRED = { message: 'is required', rule: 'required' } as const;

/** Cuts a list into pieces that fit into one statement: SQLite binds 32766 values at most. */
export function* inBatches<T>(items: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Writes rows batch by batch and reports after each how many of `total` are done; may be called for several lists. */
export function batchWriter(total: number, onProgress: OnProgress | undefined) {
  let done = 0;
  return async <T>(rows: readonly T[], write: (batch: T[]) => Promise<unknown>): Promise<void> => {
    for (const batch of inBatches(rows)) {
      await write(batch);
      done += batch.length;
      onProgress?.(done, total);
    }
  };
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

function withoutMark(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const { length } = BYTE_ORDER_MARK;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? bytes.subarray(length) : bytes;
}

/** The text of a CSV cell, whose type is known later. */
export class Cell {
  constructor(readonly text: string) {}
}

/** Reads the values of a record, and notes what is wrong with them. */
function readValues<S extends Shape>(record: FileRecord<S>, given: ReadonlyMap<string, unknown>): void {
  const { faults, reading } = record;
  const { format, shape, key, groups, open, names, label } = reading;
  const { own: fields, listed } = separate(given, names, format === 'csv' ? open : []);
  if (listed.size > 0) record.listed = listed;
  for (const [path, value] of fields) {
    const rule = shape[path];
    const damage =
      typeof value === 'string' ? damageOf(value, !rule || jsonTypeOf(rule.field) === 'string') : undefined;
    if (damage) record.warn(path, damage);
  }
  const values = record.values as Record<string, unknown>;
  const textAt = (path: string, { field }: Rule<unknown>) => textOf(fields.get(path), field, format);
  const isNew = textAt(key, shape[key] as Rule<unknown>) === '';
  for (const [path, rule] of Object.entries(shape)) {
    const { field, absent } = rule;
    if (field.open) {
      readOpen(record, path, fields);
      continue;
    }
    const text = textAt(path, rule);
    if (text === undefined)
      faults.push({ field: label(path), message: `must be ${withArticle(jsonTypeOf(field))}`, rule: 'type' });
    else if (text !== '') {
      values[path] = parsed(field, text, label(path), (fault) => faults.push(fault));
      const dropped = field.format === 'addresses' ? addressesDropped(text) : [];
      if (dropped.length > 0) record.warn(path, `left out: ${shortenText(dropped.join(', '))}`);
    } else if (absent === 'fault') {
      if (isNew) faults.push({ field: label(path), ...REQUIRED });
      // What cannot be empty stays as it is.
    } else if (absent.value === null && fields.has(path)) values[path] = null;
  }
  const known = faults.length;
  for (const path of fields.keys()) {
    if (Object.hasOwn(shape, path)) continue;
    if (faults.length - known >= MAX_NAMED) break;
    if (open.includes(path.replace(/\..*/, ''))) continue;
    if (groups.has(path)) faults.push({ field: label(path), message: 'must be an object', rule: 'type' });
    else faults.push({ field: shortenText(label(path)), message: 'is no known field', rule: 'unknown' });
  }
}

/** Reads an object with names that no declaration knows; null for one that is emptied as a whole. */
function readOpen<S extends Shape>(
  { values, faults, reading }: FileRecord<S>,
  path: string,
  fields: ReadonlyMap<string, unknown>,
): void {
  const given: Record<string, unknown> = Object.create(null);
  for (const [name, value] of fields) {
    if (!name.startsWith(`${path}.`)) continue;
    given[name.slice(path.length + 1)] =
      value instanceof WrittenNumber
        ? Number(value.text)
        : typeof value === 'string'
          ? trimmedIn(reading.format, isBlank(value) ? '' : value.trim())
          : value;
  }
  const isNull = fields.get(path) === null;
  if (fields.has(path) && !isNull) faults.push({ field: path, message: 'must be an object', rule: 'type' });
  else if (isNull || Object.keys(given).length > 0) (values as Record<string, unknown>)[path] = isNull ? null : given;
}

const trimmedIn = (format: string, text: string): string | Cell => (format === 'csv' ? new Cell(text) : text);

const withArticle = (type: string): string => (type === 'object' ? `an ${type}` : `a ${type}`);

function parsed(field: Field<unknown>, text: string, name: string, onFault: (fault: RecordFault) => void): unknown {
  try {
    return parseText(field, text);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    const { message, within } = error;
    for (const fault of within.length > 0 ? within : [{ field: name, message }]) onFault(fault);
    return undefined;
  }
}

/** The value as text; empty where there is none, undefined where it has the wrong JSON type. */
function textOf(value: unknown, field: Field<unknown>, format: string): string | undefined {
  if (value === undefined || value === null) return '';
  const type = jsonTypeOf(field);
  if (typeof value === 'string') {
    if (format === 'json' && ['boolean', 'list', 'object'].includes(type)) return undefined;
    return isBlank(value) ? '' : value.trim();
  }
  if (type === 'list') {
    if (!Array.isArray(value)) return undefined;
    return field.format === 'addresses' ? value.join(' ') : jsonText(value);
  }
  if (type === 'object') return isObject(value) ? jsonText(value) : undefined;
  if (type === 'boolean' && typeof value === 'boolean') return String(value);
  if (type === 'number' && value instanceof WrittenNumber) return value.text;
  return undefined;
}
