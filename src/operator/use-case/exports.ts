import { operatorOwner } from '../../limits/operator-slot.ts';
import { BYTE_ORDER_MARK, linesOf } from '../../store/session/csv.ts';
import type { Reads } from '../../store/store.ts';
import type { ReadDeps } from './dependencies.ts';
import { refused } from './errors.ts';
import { valueAt } from './stale.ts';

/*
 * The one way in which records leave as a file: read page by page, each from the position of the last row before it, and
 * written piece by piece as the reader takes them. An export holds one page in memory, whatever its length.
 */

/** Records, page by page. */
export type Pages<T extends object> = AsyncIterable<readonly T[]>;

/** A file as it is written. */
export type Pieces = AsyncGenerator<Buffer>;

/** Rows of one read: what an export holds in memory, and makes into text within a few milliseconds. */
export const ROWS_AT_ONCE = 500;

/**
 * All rows of a list. Each page is a slow query of its own, so that those of others run between two of them.
 * @param load reads at most `limit` rows behind the row `last`
 */
export async function* readPages<Row>(
  { store }: Pick<ReadDeps, 'store'>,
  load: (read: Reads, limit: number, last: Row | undefined) => Promise<Row[]>,
  atOnce = ROWS_AT_ONCE,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await store.slow(operatorOwner(), (read) => load(read, atOnce, last));
    if (rows.length > 0) yield rows;
    if (rows.length < atOnce) return;
    last = rows.at(-1);
  }
}

/** Each page as its records. */
export async function* recordsOf<Row, T>(
  pages: AsyncIterable<Row[]>,
  make: (rows: Row[]) => T[] | Promise<T[]>,
): AsyncGenerator<T[]> {
  for await (const rows of pages) yield await make(rows);
}

/** The first `limit` records; throws an `OperatorError` behind them where there are more. */
export async function* limitedPages<T extends object>(pages: Pages<T>, limit: number): AsyncGenerator<readonly T[]> {
  let left = limit;
  for await (const page of pages) {
    yield page.slice(0, left);
    left -= page.length;
    if (left < 0) throw refused(LIMIT_HAS_CUT);
  }
}

export const LIMIT_HAS_CUT = 'The limit has cut the rows; give a higher --limit, or narrow them';

/**
 * Records as CSV that no spreadsheet runs.
 * @param columns paths into the records
 * @param mark begins with a byte order mark: for files that people open in a spreadsheet
 */
export async function* exportCsv(columns: readonly string[], pages: Pages<object>, { mark = false } = {}): Pieces {
  yield Buffer.concat([...(mark ? [BYTE_ORDER_MARK] : []), linesOf([[...columns]])]);
  for await (const page of pages) {
    // An empty page too is a piece, behind which a reader that has left ends the export.
    yield page.length === 0
      ? Buffer.alloc(0)
      : linesOf(page.map((record) => columns.map((column) => inCell(cellOf(record, column)))));
  }
}

/** The value at a path; a record within the record as JSON. */
export const cellOf = (record: object, path: string): unknown => inText(valueAt(record, path));

/** The value; a record as JSON. */
export const inText = (value: unknown): unknown =>
  typeof value === 'object' && value && !isListOfTexts(value) ? JSON.stringify(value) : value;

export const isListOfTexts = (value: object): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object');

/** The value as a cell of a CSV file has it. */
export function inCell(value: unknown): unknown {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'boolean' ? String(value) : (value ?? null);
}

/** One JSON document: these values, and behind them lists of records. */
export async function* jsonOf(values: object, lists: Readonly<Record<string, Pages<object>>>): Pieces {
  yield Buffer.from(JSON.stringify(values, null, 2).slice(0, -'\n}'.length));
  for (const [name, pages] of Object.entries(lists)) {
    let separator = `,\n  ${JSON.stringify(name)}: [`;
    let end = `${separator}]`;
    for await (const page of pages) {
      for (const record of page) {
        yield Buffer.from(`${separator}\n    ${JSON.stringify(record, null, 2).replaceAll('\n', '\n    ')}`);
        separator = ',';
        end = '\n  ]';
      }
    }
    yield Buffer.from(end);
  }
  yield Buffer.from('\n}\n');
}
