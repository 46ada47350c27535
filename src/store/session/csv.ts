import { isAscii } from 'node:buffer';
import { stringify } from 'csv-stringify/sync';
import { defuse } from '../../rules/csv-cells.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';

/** A query for the rows of a CSV file, in the engine's SQL. */
export interface CsvQuery {
  sql: string;
  params: unknown[];
  /** The headers, in the order of the selected columns. Names that end in `_date` are timestamps. */
  columns: string[];
}

export interface Csv {
  content: Buffer;
  rowCount: number;
}

/**
 * Without it Excel reads non-ASCII letters in the local encoding. Only files with such letters have it: other programs may
 * read it as part of the first header.
 */
export const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

const OPTIONS = {
  record_delimiter: '\r\n',
  // For every text, so that no column can be forgotten; does not change headers and codes.
  cast: { string: defuse },
  // Everything except plain words, numbers and timestamps: programs differ in what else they split or trim. Gnumeric 1.12.55
  // splits a whole file at each minus sign where one stands in front of an unquoted cell.
  quoted_match: /^-|[^\w.:@-]/,
};

/** Rows per batch, so that writing on the event loop blocks it for a few milliseconds only. */
export const CSV_BATCH_ROWS = 200;

/** Writes rows as CSV (RFC 4180, UTF-8) as they arrive; keeps only the written form in memory. */
export class CsvFile {
  private readonly timestamps: boolean[];
  private readonly chunks: Buffer[];
  private room: number;
  private rowCount = 0;

  constructor(columns: string[], maxBytes: number) {
    this.timestamps = columns.map((name) => name.endsWith('_date'));
    this.chunks = [linesOf([columns])];
    this.room = maxBytes - BYTE_ORDER_MARK.length - (this.chunks[0] as Buffer).length;
  }

  /** Adds rows of texts, numbers and nulls. Returns false when the file is too large; then stop. */
  add(rows: unknown[][]): boolean {
    const chunk = linesOf(rows.map((row) => row.map((cell, at) => (this.timestamps[at] ? timestampOf(cell) : cell))));
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

/** Rows as CSV lines. */
export const linesOf = (table: unknown[][]): Buffer => Buffer.from(stringify(table, OPTIONS));

/** PostgreSQL's driver returns bigints as texts. */
const timestampOf = (ms: unknown): string | null => (ms === null ? null : isoTimestamp(Number(ms)));

/** The rows of a cursor as a file; null, without reading on, where it would be larger than `maxBytes`. */
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
