import { type CsvError, type Info, parse as parseCsv } from 'csv-parse/sync';
import { isLosslessNumber, parse as parseJson } from 'lossless-json';
import { type FaultyRecord, ImportError, OperatorError } from './errors.ts';
import type { Field, FieldFault } from './fields.ts';

/** A file that an operator hands in; the extension of its name determines the format. */
export interface ImportSource {
  name: string;
  content: Uint8Array;
}

/** Called while an import writes. */
export type OnProgress = (done: number, total: number) => void;

export interface ImportInput {
  /** The broker's slug. */
  broker: string;
  file: ImportSource;
  onProgress?: OnProgress | undefined;
}

/** A field of a record, and its value when it is absent, null or blank. */
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

/** A column of a CSV file, and whether each record needs a value there. */
export interface ImportColumn {
  name: string;
  required: boolean;
}

export const columnsOf = (shape: Shape): ImportColumn[] =>
  Object.entries(shape).map(([path, { absent }]) => ({ name: columnOf(path), required: absent === 'fault' }));

/** A record's position in the file, and the fields that it gives. */
interface RawRecord {
  where: string;
  fields: Map<string, unknown>;
  faults: Array<FaultyRecord['faults'][number]>;
}

/** What an import has done. */
export interface ImportReport {
  broker: string;
  /** What the audit trail calls it. */
  import_id: string;
  imported: number;
  created: number;
  updated: number;
}

/** What an import would do: nothing of it, as long as a record is refused. */
export interface ImportPreview {
  broker: string;
  dry_run: true;
  created: number;
  updated: number;
  refused: number;
  /** In the file's order; `subject` is what the file calls the record by, where that could be read. */
  records: Array<{
    where: string;
    action: 'create' | 'update' | 'refuse';
    subject: string | number | null;
    faults: FaultyRecord['faults'];
  }>;
}

export interface ImportRecord<S extends Shape> {
  /** Its position in the file; unique. */
  readonly where: string;
  readonly values: ValuesOf<S>;
  /** Refuses this record, and with it the file. */
  fault(path: keyof S & string, message: string): void;
}

/** A file of records: what could be read of it, and the faults found so far. */
export interface ImportFile<S extends Shape> {
  /** The records without a faulty field of their own. */
  readonly records: ReadonlyArray<ImportRecord<S>>;
  /** Throws an `ImportError` that names every faulty record, when there is one. */
  refuseFaulty(): void;
  /** Says for each record what an import would do with it. `key` is the field that names a record. */
  preview(broker: string, key: keyof S & string, isKnown: (values: ValuesOf<S>) => boolean): ImportPreview;
}

/**
 * Reads a JSON array or a CSV file (contract, section 9). Numbers are taken by their source text, so none is ever
 * rounded. An unreadable file is an `OperatorError`; faulty records are kept for `refuseFaulty`, so that the
 * checks against the database can add theirs first.
 */
export function readImportFile<S extends Shape>({ name, content }: ImportSource, shape: S): ImportFile<S> {
  const format = /\.(json|csv)$/i.exec(name)?.[1]?.toLowerCase();
  if (!format) throw unreadable(`${name}: the name must end in .json or .csv`);
  const source = decode(name, content);
  // The first halves of paths such as `price.amount`: objects in JSON.
  const groups = new Set(Object.keys(shape).flatMap((path) => (path.includes('.') ? [path.replace(/\..*/, '')] : [])));
  const raw = format === 'json' ? jsonRecords(name, source, groups) : csvRecords(name, source, Object.keys(shape));
  const label = format === 'json' ? (path: string) => path : columnOf;

  const records: ImportRecord<S>[] = [];
  for (const record of raw) {
    const values = readValues(record, shape, { format, groups, label });
    if (record.faults.length > 0) continue;
    records.push({
      where: record.where,
      values,
      fault(path, message) {
        const field = label(path);
        // The check is part of a transaction, which can run again (src/store/store.ts, `tx`).
        const isRepeated = record.faults.some((other) => other.field === field && other.message === message);
        if (!isRepeated) record.faults.push({ field, message });
      },
    });
  }
  return {
    records,
    preview(broker, key, isKnown) {
      const readable = new Map(records.map(({ where, values }) => [where, values]));
      const tally = { create: 0, update: 0, refuse: 0 };
      const previews = raw.map(({ where, faults }) => {
        const values = readable.get(where);
        const action = faults.length > 0 || !values ? 'refuse' : isKnown(values) ? 'update' : 'create';
        tally[action] += 1;
        return { where, action, subject: (values?.[key] ?? null) as string | number | null, faults } as const;
      });
      const { create: created, update: updated, refuse: refused } = tally;
      return { broker, dry_run: true, created, updated, refused, records: previews };
    },
    refuseFaulty() {
      const faulty = raw.filter(({ faults }) => faults.length > 0);
      if (faulty.length === 0) return;
      throw new ImportError(
        `${name}: ${faulty.length} of ${raw.length} records are faulty; nothing was imported`,
        faulty.map(({ where, faults }) => ({ where, faults })),
      );
    },
  };
}

const unreadable = (message: string) => new OperatorError('invalid', message);

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

function decode(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw unreadable(`${name}: the file is not UTF-8 text`);
  }
}

function jsonRecords(name: string, source: string, groups: ReadonlySet<string>): RawRecord[] {
  const items = readJson(name, source);
  if (!Array.isArray(items)) throw unreadable(`${name}: the file must hold a JSON array of records`);
  return items.map((item: unknown, index) => {
    const record: RawRecord = { where: `record ${index + 1}`, fields: new Map(), faults: [] };
    if (isObject(item)) takeApart(item, groups, record.fields);
    else record.faults.push({ field: null, message: 'must be an object' });
    return record;
  });
}

function readJson(name: string, source: string): unknown {
  try {
    return parseJson(source);
  } catch (error) {
    throw unreadable(`${name}: not valid JSON: ${(error as Error).message}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/** Takes `{ price: { amount } }` apart into `price.amount`; a group that is null has no fields. */
function takeApart(item: Record<string, unknown>, groups: ReadonlySet<string>, into: Map<string, unknown>): void {
  for (const [key, value] of Object.entries(item)) {
    // A dot belongs to our own names of nested fields; one that is written in a file names no field.
    if (key.includes('.')) into.set(`"${key}"`, value);
    else if (!groups.has(key) || !isObject(value)) into.set(key, value);
    else for (const [inner, innerValue] of Object.entries(value)) into.set(`${key}.${inner}`, innerValue);
  }
}

/** Of what a file makes up, a message names so much. */
const MOST_NAMED = 10;
const LONGEST_NAMED = 60;

const shortened = (text: string): string => (text.length > LONGEST_NAMED ? `${text.slice(0, LONGEST_NAMED)}…` : text);

function columnOf(path: string): string {
  return path.replace('.', '_');
}

function csvRecords(name: string, source: string, paths: string[]): RawRecord[] {
  const [header, ...rows] = readCsv(name, source);
  if (!header) throw unreadable(`${name}: the file is empty; its first line must name the columns`);
  const columns = header.record.map((cell) => cell.trim());
  const known = new Map(paths.map((path) => [columnOf(path), path]));
  const unknown = columns.filter((column) => !known.has(column));
  if (unknown.length > 0) {
    const quoted = unknown.slice(0, MOST_NAMED).map((column) => `"${shortened(column)}"`);
    if (unknown.length > MOST_NAMED) quoted.push(`and ${unknown.length - MOST_NAMED} more`);
    throw unreadable(`${name}: line 1: unknown column ${quoted.join(', ')}; known are ${[...known.keys()].join(', ')}`);
  }
  const seen = new Set<string>();
  for (const column of columns) {
    if (seen.has(column)) throw unreadable(`${name}: line 1: the column "${column}" appears twice`);
    seen.add(column);
  }
  const places = columns.map((column) => known.get(column) as string);
  return rows.map(({ record: cells, info }) => ({
    // The parser says where a record ends; one with line breaks in a cell is found more easily by its beginning.
    where: `line ${info.lines - cells.join('').split('\n').length + 1}`,
    fields: new Map(places.map((path, index) => [path, cells[index]])),
    faults:
      cells.length === places.length
        ? []
        : [{ field: null, message: `has ${cells.length} cells in place of ${places.length}` }],
  }));
}

function readCsv(name: string, source: string): Array<{ record: string[]; info: Info }> {
  try {
    return parseCsv(source, { info: true, relax_column_count: true, skip_empty_lines: true }) as unknown as Array<{
      record: string[];
      info: Info;
    }>;
  } catch (error) {
    throw unreadable(`${name}: not valid CSV: ${(error as CsvError).message}`);
  }
}

function readValues<S extends Shape>(
  { fields, faults }: RawRecord,
  shape: S,
  { format, groups, label }: { format: string; groups: ReadonlySet<string>; label: (path: string) => string },
): ValuesOf<S> {
  const values: Record<string, unknown> = {};
  // A record that could not be taken apart has said so; that it lacks everything would be noise.
  if (faults.length > 0) return values as ValuesOf<S>;
  for (const [path, { field, absent }] of Object.entries(shape)) {
    const text = textOf(fields.get(path), field, format);
    if (text === undefined) faults.push({ field: label(path), message: `must be a ${field.json}` });
    else if (text !== '') values[path] = parsed(field, text, (message) => faults.push({ field: label(path), message }));
    else if (absent === 'fault') faults.push({ field: label(path), message: 'is required' });
    else values[path] = absent.value;
  }
  const known = faults.length;
  for (const [path, value] of fields) {
    if (Object.hasOwn(shape, path)) continue;
    if (faults.length - known >= MOST_NAMED) break;
    if (!groups.has(path)) faults.push({ field: shortened(label(path)), message: 'is no known field' });
    // A group may be null as a whole.
    else if (value !== null) faults.push({ field: label(path), message: 'must be an object' });
  }
  return values as ValuesOf<S>;
}

function parsed(field: Field<unknown>, text: string, onFault: (message: string) => void): unknown {
  try {
    return field.parse(text);
  } catch (error) {
    onFault((error as FieldFault).message);
    return undefined;
  }
}

/** The value as text; empty where there is none, undefined where it has the wrong JSON type. */
function textOf(value: unknown, field: Field<unknown>, format: string): string | undefined {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return format === 'json' && field.json === 'boolean' ? undefined : value.trim();
  if (field.json === 'boolean' && typeof value === 'boolean') return String(value);
  if (field.json === 'number' && isLosslessNumber(value)) return value.toString();
  return undefined;
}
