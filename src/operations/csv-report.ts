import { isAscii } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { defuse } from '../rules/csv-cells.ts';

/** The header of each column, in order, and how a row fills it; null is an empty cell. */
export type Columns<Row> = Record<string, (row: Row) => string | number | null>;

export interface CsvReport {
  content: Buffer;
  rowCount: number;
}

/**
 * Without this mark Excel reads letters beyond ASCII in the encoding of its machine. It leads only a file that has
 * such letters: to a program that does not know it, it would become a part of the first header.
 */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

const OPTIONS = {
  record_delimiter: '\r\n',
  // Every text goes through here, so that no column can be forgotten. Headers and codes are left as they are.
  cast: { string: defuse },
  // All but plain words, numbers and moments: programs differ in what else they split or trim.
  quoted_match: /[^\w.:@-]/,
};

/**
 * Writes rows as CSV after RFC 4180, in UTF-8, as they arrive: only the written form is kept. Other work has its
 * turn after each batch, for SQLite's reads and the writing itself let nothing else run.
 *
 * Returns null as soon as the file would be larger than `maxBytes`; what is left of the rows is then not read.
 */
export async function writeCsv<Row>(
  columns: Columns<Row>,
  batches: AsyncIterable<Row[]>,
  maxBytes: number,
): Promise<CsvReport | null> {
  const cells = Object.values(columns);
  const lines = (table: Array<Array<string | number | null>>) => Buffer.from(stringify(table, OPTIONS));
  const chunks = [lines([Object.keys(columns)])];
  let room = maxBytes - BYTE_ORDER_MARK.length - (chunks[0] as Buffer).length;
  let rowCount = 0;
  for await (const rows of batches) {
    const chunk = lines(rows.map((row) => cells.map((cell) => cell(row))));
    room -= chunk.length;
    if (room < 0) return null;
    chunks.push(chunk);
    rowCount += rows.length;
    await setImmediate();
  }
  const mark = chunks.every((chunk) => isAscii(chunk)) ? [] : [BYTE_ORDER_MARK];
  return { content: Buffer.concat([...mark, ...chunks]), rowCount };
}
