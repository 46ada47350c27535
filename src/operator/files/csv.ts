import { undefuse } from '../../rules/csv-cells.ts';
import { isBlank } from '../../rules/text.ts';
import { aliasOf, isListed, type ListedNames } from './listed.ts';
import {
  byteOf,
  columnOf,
  MAX_NAMED,
  MAX_RECORD_BYTES,
  QUOTE,
  type RawFields,
  type RawRecord,
  refuseTooMany,
  shortenText,
  tooLong,
  unreadableFile,
} from './raw-records.ts';

/* Takes a CSV file apart. */

const CR = byteOf('\r');
const LF = byteOf('\n');

/** What columns may be called: fields by their paths, and of those the ones with names that no declaration knows. */
interface Known {
  paths: readonly string[];
  open: readonly string[];
  listed: ListedNames;
}

export function eachCsvRecord(name: string, content: Buffer, known: Known, take: (record: RawRecord) => void): void {
  const [separatorLine = '', separator = ','] = SEPARATOR_LINE.exec(content.toString('latin1', 0, 10)) ?? [];
  const bytes = content.subarray(separatorLine.length);
  const firstLine = separatorLine === '' ? 1 : 2;
  let count = -1;
  for (const _ of rowsOf(bytes, firstLine)) count += 1;
  refuseTooMany(name, count);
  let places: string[] | undefined;
  for (const { start, end, line } of rowsOf(bytes, firstLine)) {
    if (end - start > MAX_RECORD_BYTES) throw unreadableFile(`${name}: ${tooLong(`line ${line}`)}`);
    const row = bytes.toString('utf8', start, end);
    if (!places && !row.includes(separator) && /[;\t]/.test(row)) {
      throw unreadableFile(
        `${name}: line ${line}: fields are separated by commas, not by semicolons or tabs, ` +
          'unless the line before names another separator, such as sep=;',
      );
    }
    const cells = cellsOf(row, separator);
    if (!cells) {
      throw unreadableFile(
        `${name}: not valid CSV: line ${line}: a cell with a quote must be quoted as a whole, and each quote in it doubled`,
      );
    }
    if (places) take({ at: line, ...fieldsOf(places, cells) });
    else places = placesOf(name, line, cells, known);
  }
  if (!places) throw unreadableFile(`${name}: the file is empty; its first line must name the columns`);
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
    cells.push(undefuse(quoted === undefined ? plain : withoutFormula(quoted.replaceAll('""', '"'))));
    if (end === '') return cells;
  }
}

/** The same, where the formula is quoted as a whole. */
const withoutFormula = (cell: string): string => {
  const [, text] = /^="(.*)"$/s.exec(cell) ?? [];
  return text === undefined ? cell : text.replaceAll('""', '"');
};

/** The fields of a row. Behind the last column that has a name, spreadsheets write cells without a value. */
function fieldsOf(places: string[], cells: string[]): RawFields {
  const { length } = places;
  if (cells.length < length || !cells.slice(length).every(isBlank)) {
    return { fault: { field: null, message: `has ${cells.length} cells in place of ${length}` } };
  }
  return { fields: new Map(places.map((path, index) => [path, cells[index]])) };
}

/** The paths of a file's columns, in their order. */
function placesOf(name: string, line: number, header: string[], { paths, open, listed }: Known): string[] {
  const columns = header.slice(0, header.findLastIndex((cell) => !isBlank(cell)) + 1).map((cell) => cell.trim());
  const known = new Map(paths.filter((path) => !open.includes(path)).map((path) => [columnOf(path), path]));
  const placeOf = (column: string): string | undefined => {
    // A list has paths in place of columns, and an object as JSON in one cell.
    if (paths.includes(column) || isListed(listed, column)) return aliasOf(listed, column) ?? column;
    const group = open.find((path) => column.startsWith(`${path}_`) && column.length > path.length + 1);
    return known.get(column) ?? (group && `${group}.${column.slice(group.length + 1)}`);
  };
  const unknown = columns.filter((column) => placeOf(column) === undefined);
  if (unknown.length > 0) {
    const quoted = unknown.slice(0, MAX_NAMED).map((column) => `"${shortenText(column)}"`);
    if (unknown.length > MAX_NAMED) quoted.push(`and ${unknown.length - MAX_NAMED} more`);
    const all = [...known.keys(), ...open.map((path) => `${path}_NAME`)].join(', ');
    throw unreadableFile(`${name}: line ${line}: unknown column ${quoted.join(', ')}; known are ${all}`);
  }
  const places = columns.map((column) => placeOf(column) as string);
  // An object as JSON, and one of its fields in a column of its own, would say one thing twice.
  const whole = new Set(open.filter((path) => places.includes(path)));
  for (const [index, place] of places.entries()) {
    const isWithin = [...whole].some((path) => place.startsWith(`${path}.`));
    if (places.indexOf(place) === index && !isWithin) continue;
    throw unreadableFile(`${name}: line ${line}: the column "${columns[index]}" appears twice`);
  }
  return places;
}
