import { asc, desc, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { PageWindow, Session } from './session.ts';

/** A query of whole rows, to be awaited or prepared. */
type Rows<T extends SQLiteTable> = Promise<Array<T['$inferSelect']>> & { prepare(name?: string): unknown };

interface Window extends Partial<PageWindow> {
  orderBy?: SQL[];
}

/** Selects whole rows of a table: `rows(where, { orderBy, limit, offset })`. */
export const rowsOf =
  <T extends SQLiteTable>({ db }: Session, table: T) =>
  (where: SQL | undefined, { orderBy = [], limit, offset }: Window = {}): Rows<T> => {
    const query = db
      .select()
      .from(table as SQLiteTable)
      .where(where)
      .orderBy(...orderBy)
      .$dynamic();
    if (limit !== undefined) query.limit(limit);
    if (offset !== undefined) query.offset(offset);
    // The builder's type cannot follow a table that is a type parameter.
    return query as unknown as Rows<T>;
  };

/** A condition of a filter: none where its value is not given. */
export const given = <C, V>(compare: (column: C, value: V) => SQL, column: C, value: V | undefined): SQL | undefined =>
  value === undefined ? undefined : compare(column, value);

/** Many numbers as one parameter, for `in`: a statement of a thousand parameters costs more than its rows. */
export const listedIn = ({ dialect }: Pick<Session, 'dialect'>, numbers: readonly number[]): SQL =>
  dialect === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(numbers)}))`
    : sql`(select value::bigint from json_array_elements_text(${JSON.stringify(numbers)}::json))`;

/** The same of texts, as the JSON of their list. */
export const listedTexts = ({ dialect }: Pick<Session, 'dialect'>, json: unknown): SQL =>
  dialect === 'sqlite'
    ? sql`(select value from json_each(${json}))`
    : sql`(select json_array_elements_text(${json}::json))`;

export const first = async <R>(rows: PromiseLike<R[]>): Promise<R | null> => (await rows)[0] ?? null;

/** The rows behind one with these values, where all columns of the order descend. */
export const behindDescending = (columns: SQLiteColumn[], values: unknown[]): SQL => tuples(columns, '<', values);

/** The same where all ascend. */
export const behindAscending = (columns: SQLiteColumn[], values: unknown[]): SQL => tuples(columns, '>', values);

function tuples(columns: SQLiteColumn[], comparison: '<' | '>', values: unknown[]): SQL {
  const list = (parts: unknown[]) =>
    sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    );
  return sql`(${list(columns)}) ${sql.raw(comparison)} (${list(values)})`;
}

/** Whether a write with `returning` changed a row. */
export const hasAny = async (rows: PromiseLike<unknown[]>): Promise<boolean> => (await rows).length > 0;

/** Changes since a timestamp, and what a search finds, are counted no further: it would cost more than the page. */
export const MAX_COUNTED = 10_000;

export const TOTAL = { total: sql<number>`count(*)`.mapWith(Number) };

/** Counts the rows that match; no further than `limit`, where one is given. Read the result with `sumOf`. */
export function countOf({ db }: Session, table: SQLiteTable, where: SQL | undefined, limit?: number) {
  if (limit === undefined) return db.select(TOTAL).from(table).where(where);
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(limit)
    .as('some');
  return db.select(TOTAL).from(some);
}

/** An aggregate without groups always returns one row. */
export const sumOf = ([row]: Array<{ total: number }>): number => Number(row?.total);

/** Deletes at most `limit` matching rows in ascending order of `order`; resolves with their number. */
export async function removeFirst(
  { db }: Session,
  { key, order }: { key: SQLiteColumn; order: SQLiteColumn },
  where: SQL | undefined,
  limit: number,
): Promise<number> {
  const rows = db.select({ key }).from(key.table).where(where).orderBy(asc(order)).limit(limit);
  return (await db.delete(key.table).where(inArray(key, rows)).returning({ key })).length;
}

/** An order: what rows are sorted by, and in which direction. */
export type Sorting = ReadonlyArray<readonly ['asc' | 'desc', SQLWrapper]>;

export const sortedBy = (sorting: Sorting, reverse = false): SQL[] =>
  sorting.map(([direction, column]) => ((direction === 'asc') !== reverse ? asc(column) : desc(column)));
