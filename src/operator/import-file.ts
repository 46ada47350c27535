import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { isBlank } from '../rules/blank.ts';
import { type FaultyRecord, ImportError, OperatorError } from './errors.ts';
import { inText } from './exports.ts';
import { type Field, type FieldFault, jsonTypeOf, parseText, ruleOf } from './fields.ts';

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

type Fault = FaultyRecord['faults'][number];

/** A record as the file has it: its position, and the fields that it gives or why it could not be taken apart. */
interface RawRecord {
  /** The line where it begins, or its place among the records. */
  at: number;
  fields: ReadonlyMap<string, unknown> | Fault;
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
  /** Of consumption: records that are older than what is stored. */
  skipped?: number;
  /** Records with a warning. */
  warned: number;
  /** In the file's order, of the refused ones the first. */
  records: PreviewedRecord[];
}

export interface PreviewedRecord {
  where: string;
  action: 'create' | 'update' | 'skip' | 'refuse';
  /** What the file calls the record by, where that could be read. */
  subject: string | number | null;
  /** What describes the record to a person, as the file has it: a service's label, client and plan. */
  summary: Record<string, unknown>;
  /** The fields of an existing record that get another value. */
  changes: Array<{ field: string; before: unknown; after: unknown }>;
  /** What does not keep a record from being imported. */
  warnings: FaultyRecord['faults'];
  faults: FaultyRecord['faults'];
}

/** How a kind of record is previewed. */
export interface PreviewRule<S extends Shape> {
  summary: ReadonlyArray<PathOf<S>>;
  /** The stored record that the file's record at this index replaces, and what it becomes; null where it is new. */
  replaced(index: number): { before: object; after: object } | null;
  /** Whether the stored record stays instead. */
  isSkipped?(index: number): boolean;
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
  /** Refuses this record, and with it the file. */
  fault(path: PathOf<S> | `${PathOf<S>}.${string}`, message: string): void;
}

/** A file of records: what could be read of it, and the faults found so far. */
export interface ImportFile<S extends Shape> {
  /** The records that could be taken apart; of those with a faulty field of their own the first. */
  readonly records: ReadonlyArray<ImportRecord<S>>;
  /** Throws an `ImportError` that names the first faulty records and counts all, when there is one. */
  refuseFaulty(): void;
  /** Reports for each record what an import would do with it. */
  preview(broker: string, rule: PreviewRule<S>): ImportPreview;
}

/** A file is held in memory as a whole. Bytes. */
export const MAX_FILE_BYTES = 256_000_000;

/**
 * Records without a fault take a kilobyte of memory each, which a file of the shortest ones would not show. So they are
 * counted before the first one is read.
 */
const MAX_RECORDS = 1_000_000;

/** The longest fields come to a fraction of that. Bytes. */
const MAX_RECORD_BYTES = 100_000;

/** Faulty records that are named; the others are counted. */
export const FAULTS_KEPT = 1_000;

/**
 * Reads a JSON array or a CSV file (contract, sections 9 and 12.9). Numbers are taken by their source text, so none is
 * ever rounded. An unreadable file is an `OperatorError`; faulty records are kept for `refuseFaulty`, so that the checks
 * against the database can add theirs first.
 * @param key the field that names a record; a record without it is new, or faulty
 */
export function readImportFile<S extends Shape>(
  { name, content }: ImportSource,
  shape: S,
  key: PathOf<S>,
): ImportFile<S> {
  const format = /\.(json|csv)$/i.exec(name)?.[1]?.toLowerCase();
  if (!format) throw unreadable(`${name}: the name must end in .json or .csv`);
  if (!isUtf8(content)) throw unreadable(`${name}: the file is not UTF-8 text`);
  const bytes = withoutMark(content);
  const open = Object.keys(shape).filter((path) => shape[path]?.field.open);
  const groups = groupsOf(Object.keys(shape), open);
  const reading: Reading =
    format === 'json'
      ? { format, shape, key, groups, open, noun: 'record', label: (path) => path }
      : { format, shape, key, groups, open, noun: 'line', label: columnOf };
  const records: FileRecord<S>[] = [];
  /** The first that could not be taken apart. */
  const unusable: FileRecord<S>[] = [];
  let [total, faultyKept, unkept] = [0, 0, 0];
  const take = ({ at, fields }: RawRecord) => {
    total += 1;
    const record = new FileRecord<S>(reading, at);
    if (fields instanceof Map) readValues(record, fields);
    else record.faults.push(fields as Fault);
    record.isSound = record.faults.length === 0;
    if (record.isSound) records.push(record);
    else if (faultyKept === FAULTS_KEPT) unkept += 1;
    else {
      faultyKept += 1;
      // Kept among the others, so that the checks against the database add theirs.
      (fields instanceof Map ? records : unusable).push(record);
    }
  };
  if (format === 'json') eachJsonRecord(name, bytes, groups, take);
  else eachCsvRecord(name, bytes, { paths: Object.keys(shape), open }, take);

  /** The first faulty records in the file's order, and how many there are. */
  const faulty = () => {
    const found = records.filter(({ faults }) => faults.length > 0);
    const first = [...unusable, ...found].sort((a, b) => a.at - b.at).slice(0, FAULTS_KEPT);
    return { first, count: unkept + unusable.length + found.length };
  };

  return {
    records,
    preview(broker, rule) {
      const { first, count } = faulty();
      const tally = { create: 0, update: 0, skip: 0 };
      let warned = 0;
      const previews = new Map<number, PreviewedRecord>();
      for (const record of first) previews.set(record.at, previewOf(record, rule));
      records.forEach((record, index) => {
        if (record.faults.length > 0) return;
        const preview = previewOf(record, rule, rule.replaced(index));
        if (rule.isSkipped?.(index)) preview.action = 'skip';
        tally[preview.action as keyof typeof tally] += 1;
        if (preview.warnings.length > 0) warned += 1;
        previews.set(record.at, preview);
      });
      const inOrder = [...previews].sort(([a], [b]) => a - b).map(([, preview]) => preview);
      const { create: created, update: updated, skip: skipped } = tally;
      return {
        ...{ broker, dry_run: true, created, updated, ...(rule.isSkipped && { skipped }) },
        ...{ refused: count, warned, records: inOrder },
      };
    },
    refuseFaulty() {
      const { first, count } = faulty();
      if (count === 0) return;
      throw new ImportError(
        `${name}: ${count} of ${total} records are faulty; nothing was imported`,
        first.map(({ where, faults }) => ({ where, faults })),
        count - first.length,
      );
    },
  };

  function previewOf(
    { where, values, faults }: FileRecord<S>,
    { summary, warningsOf }: PreviewRule<S>,
    replaced: ReturnType<PreviewRule<S>['replaced']> = null,
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
    return {
      where,
      action: isSound ? (replaced ? 'update' : 'create') : 'refuse',
      subject: (values[key] ?? null) as string | number | null,
      summary: Object.fromEntries(
        summary.map((path) => [label(path), replaced ? valueAt(replaced.after, path) : (values[path] ?? null)]),
      ),
      changes,
      warnings: warnings.map(({ path, message }) => ({ field: label(path), message })),
      faults,
    };
  }
}

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
  /** What a record's position counts. */
  noun: string;
  /** The name of a field in the file. */
  label: (path: string) => string;
}

/**
 * The paths below the first halves of paths such as `price.amount`, which are objects in JSON; an object of names that no
 * declaration knows has its own path alone.
 */
type Groups = ReadonlyMap<string, readonly string[]>;

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
  readonly faults: Fault[] = [];
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
        if (!this.faults.some((fault) => fault.field === field)) this.fault(path, REQUIRED);
      }
    }
    return isComplete && this.isSound ? (values as ValuesOf<S>) : undefined;
  }

  fault(path: string, message: string): void {
    const field = this.reading.label(path);
    // The check is part of a transaction, which can run again (src/store/store.ts, `tx`).
    const isRepeated = this.faults.some((fault) => fault.field === field && fault.message === message);
    if (!isRepeated) this.faults.push({ field, message });
  }
}

const REQUIRED = 'is required';

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

const tooLong = (where: string): string => `${where} is longer than ${MAX_RECORD_BYTES} bytes`;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

function withoutMark(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const { length } = BYTE_ORDER_MARK;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? bytes.subarray(length) : bytes;
}

/** Each record is parsed by itself: all of them as objects would take many times the file's size. */
function eachJsonRecord(name: string, bytes: Buffer, groups: Groups, take: (record: RawRecord) => void): void {
  let count = 0;
  for (const _ of elementsOf(name, bytes)) count += 1;
  refuseTooMany(name, count);
  let at = 0;
  for (const { start, end } of elementsOf(name, bytes)) {
    at += 1;
    const item = readJson(name, at, bytes.toString('utf8', start, end));
    const fields = new Map<string, unknown>();
    if (isObject(item)) takeApart(item, groups, fields);
    take({ at, fields: isObject(item) ? fields : { field: null, message: 'must be an object' } });
  }
}

function refuseTooMany(name: string, count: number): void {
  if (count > MAX_RECORDS) {
    throw unreadable(`${name}: the file has ${count} records, at most ${MAX_RECORDS} can be; import it in parts`);
  }
}

const byteOf = (letter: string): number => letter.charCodeAt(0);
const QUOTE = byteOf('"');
const BACKSLASH = byteOf('\\');
const COMMA = byteOf(',');
const OPEN = byteOf('[');
const CLOSE = byteOf(']');
const CR = byteOf('\r');
const LF = byteOf('\n');
const OPENING = new Set(Buffer.from('[{'));
const CLOSING = new Set(Buffer.from(']}'));
const BLANK = new Set(Buffer.from(' \t\r\n'));

export function skipBlanks(bytes: Buffer, from: number): number {
  let place = from;
  while (BLANK.has(bytes[place] as number)) place += 1;
  return place;
}

/** Where the elements of a JSON array begin and end; whether each is JSON is for its parser to say. */
function* elementsOf(name: string, bytes: Buffer): Generator<{ start: number; end: number }> {
  let place = skipBlanks(bytes, 0);
  if (place === bytes.length) throw unreadable(`${name}: not valid JSON: it is empty`);
  if (bytes[place] !== OPEN) throw unreadable(`${name}: the file must hold a JSON array of records`);
  place = skipBlanks(bytes, place + 1);
  if (bytes[place] !== CLOSE) {
    for (let at = 1; ; at += 1) {
      const end = endOfElement(bytes, place);
      if (end === bytes.length) throw unreadable(`${name}: not valid JSON: it ends within record ${at}`);
      if (end - place > MAX_RECORD_BYTES) throw unreadable(`${name}: ${tooLong(`record ${at}`)}`);
      yield { start: place, end };
      place = end;
      if (bytes[place] === CLOSE) break;
      if (bytes[place] !== COMMA)
        throw unreadable(`${name}: not valid JSON: a bracket stands in place of a comma (record ${at})`);
      place += 1;
    }
  }
  if (skipBlanks(bytes, place + 1) < bytes.length)
    throw unreadable(`${name}: not valid JSON: something follows the array`);
}

/**
 * Where the comma or bracket stands that ends an element, or `end` in their place; the end of the file where none does.
 */
export function endOfElement(bytes: Buffer, from: number, end?: number): number {
  let depth = 0;
  for (let place = from; place < bytes.length; place += 1) {
    const byte = bytes[place] as number;
    if (byte === QUOTE) {
      place += 1;
      while (place < bytes.length && bytes[place] !== QUOTE) place += bytes[place] === BACKSLASH ? 2 : 1;
    } else if (depth === 0 && (end === undefined ? byte === COMMA || CLOSING.has(byte) : byte === end)) return place;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
  }
  return bytes.length;
}

function readJson(name: string, at: number, text: string): unknown {
  let kept = 0;
  let value: unknown;
  try {
    value = JSON.parse(text, function (this: unknown, _key: string, each: unknown, context?: { source?: string }) {
      if (!Array.isArray(this)) kept += 1;
      return typeof each === 'number' ? new WrittenNumber(context?.source ?? String(each)) : each;
    });
  } catch (error) {
    throw unreadable(`${name}: not valid JSON: ${(error as Error).message} (record ${at})`);
  }
  const written = text.match(STRING)?.filter((string) => string.endsWith(':')).length ?? 0;
  // The reviver is called once more, for the whole text.
  if (written > kept - 1)
    throw unreadable(`${name}: not valid JSON: a field stands twice in one object (record ${at})`);
  return value;
}

/** A string in valid JSON, with the colon behind it where it names a field. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g;

/** The text of a CSV cell, whose type is known later. */
export class Cell {
  constructor(readonly text: string) {}
}

/** A number of a file as its text: parsed, a long one would be rounded. */
class WrittenNumber {
  constructor(readonly text: string) {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);

/** Takes `{ price: { amount } }` apart into `price.amount`; a group that is null has fields that are null. */
function takeApart(item: Record<string, unknown>, groups: Groups, into: Map<string, unknown>): void {
  for (const [key, value] of Object.entries(item)) {
    // A dot belongs to our own names of nested fields; one that is written in a file names no field.
    if (key.includes('.')) into.set(`"${key}"`, value);
    else if (value === null && groups.has(key)) for (const path of groups.get(key) ?? []) into.set(path, null);
    else if (!groups.has(key) || !isObject(value)) into.set(key, value);
    else for (const [inner, innerValue] of Object.entries(value)) into.set(`${key}.${inner}`, innerValue);
  }
}

/** Of what a file makes up, a message names so much. */
const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 60;

const shortened = (text: string): string =>
  text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;

function columnOf(path: string): string {
  return path.replace('.', '_');
}

/** What columns may be called: fields by their paths, and of those the ones with names that no declaration knows. */
interface Known {
  paths: readonly string[];
  open: readonly string[];
}

function eachCsvRecord(name: string, content: Buffer, known: Known, take: (record: RawRecord) => void): void {
  const [separatorLine = '', separator = ','] = SEPARATOR_LINE.exec(content.toString('latin1', 0, 10)) ?? [];
  const bytes = content.subarray(separatorLine.length);
  const firstLine = separatorLine === '' ? 1 : 2;
  let count = -1;
  for (const _ of rowsOf(bytes, firstLine)) count += 1;
  refuseTooMany(name, count);
  let places: string[] | undefined;
  for (const { start, end, line } of rowsOf(bytes, firstLine)) {
    if (end - start > MAX_RECORD_BYTES) throw unreadable(`${name}: ${tooLong(`line ${line}`)}`);
    const row = bytes.toString('utf8', start, end);
    if (!places && !row.includes(separator) && /[;\t]/.test(row)) {
      throw unreadable(
        `${name}: line ${line}: fields are separated by commas, not by semicolons or tabs, ` +
          'unless the line before names another separator, such as sep=;',
      );
    }
    const cells = cellsOf(row, separator);
    if (!cells) {
      throw unreadable(
        `${name}: not valid CSV: line ${line}: a cell with a quote must be quoted as a whole, and each quote in it doubled`,
      );
    }
    if (places) take({ at: line, fields: fieldsOf(places, cells) });
    else places = placesOf(name, line, cells, known);
  }
  if (!places) throw unreadable(`${name}: the file is empty; its first line must name the columns`);
}

/** The line with which a file names its separator to spreadsheets. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?(?:\r\n|\r|\n)/i;

/** What cells without a value consist of. */
const VALUELESS = new Set(Buffer.from(' \t",;'));

/**
 * Where the rows of a CSV file begin and end, and the line where each begins; a line break within quotes belongs to its
 * row. Rows without a value, of which spreadsheets write many, are left out.
 */
function* rowsOf(bytes: Buffer, firstLine: number): Generator<{ start: number; end: number; line: number }> {
  let [start, line, lines] = [0, firstLine, firstLine];
  let [isQuoted, hasValue] = [false, false];
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place] as number;
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === CR || byte === LF) {
      const end = place;
      if (byte === CR && bytes[place + 1] === LF) place += 1;
      lines += 1;
      if (isQuoted) continue;
      if (hasValue) yield { start, end, line };
      [start, line, hasValue] = [place + 1, lines, false];
    } else if (!hasValue && !VALUELESS.has(byte)) hasValue = true;
  }
  if (hasValue) yield { start, end: bytes.length, line };
}

/** The cells of a row; undefined where its quotes are not valid. */
function cellsOf(row: string, separator: string): string[] | undefined {
  // `="004711"` keeps a spreadsheet from reading a text as a number.
  const cell = new RegExp(` *(?:=?"([^"]*(?:""[^"]*)*)" *|([^"${separator}]*))(${separator}|$)`, 'y');
  const cells: string[] = [];
  for (;;) {
    const [, quoted, plain = '', end] = cell.exec(row) ?? [];
    if (end === undefined) return undefined;
    cells.push(quoted === undefined ? plain : withoutFormula(quoted.replaceAll('""', '"')));
    if (end === '') return cells;
  }
}

/** The same, where the formula is quoted as a whole. */
const withoutFormula = (cell: string): string => {
  const [, text] = /^="(.*)"$/s.exec(cell) ?? [];
  return text === undefined ? cell : text.replaceAll('""', '"');
};

/** The fields of a row. Behind the last column that has a name, spreadsheets write cells without a value. */
function fieldsOf(places: string[], cells: string[]): RawRecord['fields'] {
  const { length } = places;
  if (cells.length < length || !cells.slice(length).every(isBlank)) {
    return { field: null, message: `has ${cells.length} cells in place of ${length}` };
  }
  return new Map(places.map((path, index) => [path, cells[index]]));
}

/** The paths of a file's columns, in their order. */
function placesOf(name: string, line: number, header: string[], { paths, open }: Known): string[] {
  const columns = header.slice(0, header.findLastIndex((cell) => !isBlank(cell)) + 1).map((cell) => cell.trim());
  const known = new Map(paths.filter((path) => !open.includes(path)).map((path) => [columnOf(path), path]));
  const placeOf = (column: string): string | undefined => {
    const group = open.find((path) => column.startsWith(`${path}_`) && column.length > path.length + 1);
    return known.get(column) ?? (group && `${group}.${column.slice(group.length + 1)}`);
  };
  const unknown = columns.filter((column) => placeOf(column) === undefined);
  if (unknown.length > 0) {
    const quoted = unknown.slice(0, MAX_NAMED).map((column) => `"${shortened(column)}"`);
    if (unknown.length > MAX_NAMED) quoted.push(`and ${unknown.length - MAX_NAMED} more`);
    const all = [...known.keys(), ...open.map((path) => `${path}_NAME`)].join(', ');
    throw unreadable(`${name}: line ${line}: unknown column ${quoted.join(', ')}; known are ${all}`);
  }
  const seen = new Set<string>();
  for (const column of columns) {
    if (seen.has(column)) throw unreadable(`${name}: line ${line}: the column "${column}" appears twice`);
    seen.add(column);
  }
  return columns.map((column) => placeOf(column) as string);
}

/** Reads the values of a record, and notes what is wrong with them. */
function readValues<S extends Shape>(record: FileRecord<S>, fields: ReadonlyMap<string, unknown>): void {
  const { faults, reading } = record;
  const { format, shape, key, groups, open, label } = reading;
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
    if (text === undefined) faults.push({ field: label(path), message: `must be ${withArticle(jsonTypeOf(field))}` });
    else if (text !== '') values[path] = parsed(field, text, label(path), (fault) => faults.push(fault));
    else if (absent === 'fault') {
      if (isNew) faults.push({ field: label(path), message: REQUIRED });
      // What cannot be empty stays as it is.
    } else if (absent.value === null && fields.has(path)) values[path] = null;
  }
  const known = faults.length;
  for (const path of fields.keys()) {
    if (Object.hasOwn(shape, path)) continue;
    if (faults.length - known >= MAX_NAMED) break;
    if (open.includes(path.replace(/\..*/, ''))) continue;
    if (groups.has(path)) faults.push({ field: label(path), message: 'must be an object' });
    else faults.push({ field: shortened(label(path)), message: 'is no known field' });
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
  if (fields.has(path) && !isNull) faults.push({ field: path, message: 'must be an object' });
  else if (isNull || Object.keys(given).length > 0) (values as Record<string, unknown>)[path] = isNull ? null : given;
}

const trimmedIn = (format: string, text: string): string | Cell => (format === 'csv' ? new Cell(text) : text);

const withArticle = (type: string): string => (type === 'object' ? `an ${type}` : `a ${type}`);

function parsed(field: Field<unknown>, text: string, name: string, onFault: (fault: Fault) => void): unknown {
  try {
    return parseText(field, text);
  } catch (error) {
    const { message, within } = error as FieldFault;
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

/** What was read of a JSON file, as JSON again; a number beyond every range is a text there. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => {
    if (!(each instanceof WrittenNumber)) return each;
    const number = Number(each.text);
    return Number.isFinite(number) ? number : each.text;
  });
