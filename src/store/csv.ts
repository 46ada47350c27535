import { isAscii } from 'node:buffer';
import { stringify } from 'csv-stringify/sync';
import { defuse } from '../rules/csv-cells.ts';
import { isoMoment } from '../rules/moments.ts';

/** A query whose rows become the lines of a file, in its engine's words. */
export interface CsvQuery {
  sql: string;
  params: unknown[];
  /** The headers, in the order of the selected columns. Where a name ends in `_date` stands a moment. */
  columns: string[];
}

/** A file that is whole. */
export interface Csv {
  content: Buffer;
  rowCount: number;
}

/**
 * Without this mark Excel reads letters beyond ASCII in the encoding of its machine. It leads only a file that has
 * such letters: to a program that does not know it, it would become a part of the first header.
 */
export const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

const OPTIONS = {
  record_delimiter: '\r\n',
  // Every text goes through here, so that no column can be forgotten. Headers and codes are left as they are.
  cast: { string: defuse },
  // All but plain words, numbers and moments: programs differ in what else they split or trim.
  quoted_match: /[^\w.:@-]/,
};

/** How many rows are written in one go, so that whoever writes on the event loop holds it for a few milliseconds. */
export const CSV_BATCH_ROWS = 200;

/** Writes rows as CSV after RFC 4180, in UTF-8, as they arrive: only the written form is kept. */
export class CsvFile {
  private readonly moments: boolean[];
  private readonly chunks: Buffer[];
  private room: number;
  private rowCount = 0;

  constructor(columns: string[], maxBytes: number) {
    this.moments = columns.map((name) => name.endsWith('_date'));
    this.chunks = [linesOf([columns])];
    this.room = maxBytes - BYTE_ORDER_MARK.length - (this.chunks[0] as Buffer).length;
  }

  /** Adds rows of texts, numbers and nulls. False as soon as the file is larger than it may be: then it is given up. */
  add(rows: unknown[][]): boolean {
    const chunk = linesOf(rows.map((row) => row.map((cell, at) => (this.moments[at] ? momentOf(cell) : cell))));
    this.room -= chunk.length;
    this.rowCount += rows.length;
    this.chunks.push(chunk);
    return this.room >= 0;
  }

  end(): Csv {
    const mark = this.chunks.every((chunk) => isAscii(chunk)) ? [] : [BYTE_ORDER_MARK];
    return { content: Buffer.concat([...mark, ...this.chunks]), rowCount: this.rowCount };
  }
}

/** Rows as they stand in such a file, the headers included. */
export const linesOf = (table: unknown[][]): Buffer => Buffer.from(stringify(table, OPTIONS));

/** PostgreSQL's driver gives whole numbers as texts. */
const momentOf = (ms: unknown): string | null => (ms === null ? null : isoMoment(Number(ms)));

/** The rows of a cursor as a file; null where it would be larger than `maxBytes`, and the rest is then not read. */
export function csvOf(columns: string[], rows: Iterable<unknown[]>, maxBytes: number): Csv | null {
  const file = new CsvFile(columns, maxBytes);
  let batch: unknown[][] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < CSV_BATCH_ROWS) continue;
    if (!file.add(batch)) return null;
    batch = [];
  }
  return file.add(batch) ? file.end() : null;
}
