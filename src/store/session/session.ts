import { createHash } from 'node:crypto';
import { fillPlaceholders, getTableColumns, type Query, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../../../drizzle/tables.ts';
import type { CsvQuery } from './csv.ts';

/** Drizzle's database, in the one type that both engines are used through. */
export type Database = BaseSQLiteDatabase<'async', unknown>;

export type Dialect = 'sqlite' | 'postgres';

interface Preparable extends PromiseLike<unknown> {
  prepare(name?: string): unknown;
}

type Prepared<R> = (params?: Record<string, unknown>) => Promise<R>;

/** A window of a list. */
export interface PageWindow {
  limit: number;
  offset: number;
  /** The other way round; only where the list says so. */
  reverse?: boolean | undefined;
}

/** How much a list's counter changed in the running transaction. */
export interface CounterChange {
  brokerId: string;
  subject: 'services' | 'requests';
  kind: string;
  status: string;
  by: number;
}

/** A connection (or pool) for the query groups: the database, its tables and its prepared statements. */
export interface Session {
  readonly dialect: Dialect;
  readonly db: Database;
  readonly tables: Tables;
  /**
   * A statement that is built and prepared at its first use and kept for the life of the session. PostgreSQL identifies it
   * by its name, which must be unique to the query's text and at most 63 bytes long.
   */
  statement<Q extends Preparable>(name: string, build: () => Q): Prepared<Awaited<Q>>;
  /** Locks a name until the transaction ends, for records that may not exist yet; SQLite's one writer needs none. */
  lockName(name: string): Promise<void>;
  /** The query with a lock on its rows until the transaction ends; `skipLocked` leaves out rows that others have locked. */
  locking<Q>(query: Q, config?: { skipLocked: true }): Q;
  readonly counterChanges: Map<string, CounterChange>;
  /** The earliest date, in epoch milliseconds, at which the running transaction makes work due; null: at none. */
  dueAt: number | null;
  /** The last row that the running transaction inserted, of a table whose rows stay; null: none. */
  witness: Witness | null;
}

/** A row of a committed change, by which one can see later whether the records still have it. */
export interface Witness {
  table: SQLiteTable & { id: SQLiteColumn };
  id: string;
}

/** @param prefix what the names of statements on other tables over the same connections begin with */
export function createSession(dialect: Dialect, db: Database, tables: Tables, prefix = ''): Session {
  const prepared = new Map<string, Prepared<unknown>>();
  const lockName = () =>
    db
      .select({ held: sql`pg_advisory_xact_lock(hashtextextended(${sql.placeholder('name')}, 0))` })
      .from(sql`(select 1) one`);
  const session: Session = {
    dialect,
    db,
    tables,
    statement<Q extends Preparable>(name: string, build: () => Q) {
      return (async (params) => {
        let run = prepared.get(name);
        if (!run) {
          const statement = build().prepare(`${prefix}${name}`) as { execute: Prepared<unknown> };
          run = (values) => statement.execute(values);
          prepared.set(name, run);
        }
        return run(params);
      }) as Prepared<Awaited<Q>>;
    },
    async lockName(name) {
      if (dialect === 'postgres') await session.statement('name.lock', lockName)({ name });
    },
    // Drizzle's builder for PostgreSQL has it, and the type that both engines are used through does not.
    locking: (query, config) =>
      dialect === 'postgres'
        ? (query as typeof query & { for(lock: 'update', config?: object): typeof query }).for('update', config)
        : query,
    counterChanges: new Map(),
    dueAt: null,
    witness: null,
  };
  return session;
}

/** A placeholder of a prepared statement where Drizzle's types want the column's own value. */
export const param = <T>(name: string): T => sql.placeholder(name) as unknown as T;

/** A prepared insertion of whole rows, into all columns that the table has. */
export function insertionInto<T extends SQLiteTable>(session: Session, name: string, table: T) {
  const { db, dialect, statement } = session;
  const columns = Object.keys(getTableColumns(table));
  const values = Object.fromEntries(columns.map((column) => [column, sql`${sql.placeholder(column)}`]));
  // Drizzle accepts SQL in place of any value, but its types cannot say so for a table that is a type parameter.
  const run = statement(name, () => db.insert(table).values(values as T['$inferInsert']));
  const flags = Object.entries(getTableColumns(table)).flatMap(([name, { dataType }]) =>
    dataType === 'boolean' && dialect === 'sqlite' ? [name] : [],
  );
  return async (row: T['$inferSelect']): Promise<void> => {
    const params: Record<string, unknown> = { ...row };
    for (const flag of flags) params[flag] = asParameter(dialect, params[flag]);
    await run(params);
    if (isNamed(table)) session.witness = { table, id: row.id as string };
  };
}

const isNamed = (table: SQLiteTable): table is Witness['table'] => 'id' in table;

/**
 * A prepared change of single columns, one statement for each set of columns; the condition has parameters of its own.
 * Building a statement takes five times as long as running it.
 */
export function changeOf<T extends SQLiteTable>({ db, dialect, statement }: Session, name: string, table: T) {
  return async (
    changes: Partial<T['$inferSelect']>,
    condition: { shape: string; where: SQL | undefined; params: Record<string, unknown> },
  ): Promise<Array<T['$inferSelect']>> => {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const columns = given.map(([column]) => column);
    const values = Object.fromEntries(columns.map((column) => [column, sql`${sql.placeholder(`new_${column}`)}`]));
    const run = statement(shortName(name, `${columns.join()} ${condition.shape}`), () =>
      db
        .update(table)
        // The types as in `insertionInto`.
        .set(values as T['$inferInsert'])
        .where(condition.where)
        .returning(),
    );
    const params = given.map(([column, value]) => [`new_${column}`, asParameter(dialect, value)]);
    return (await run(Object.assign(Object.fromEntries(params), condition.params))) as Array<T['$inferSelect']>;
  };
}

/** Drizzle would convert a null flag to false; without it, SQLite accepts booleans only as numbers. */
const asParameter = (dialect: Dialect, value: unknown): unknown =>
  typeof value === 'boolean' && dialect === 'sqlite' ? Number(value) : value;

const shortNames = new Map<string, string>();

/** A statement's name with a digest of its shape, because PostgreSQL truncates long names. */
export function shortName(name: string, shape: string): string {
  const whole = `${name} ${shape}`;
  let short = shortNames.get(whole);
  if (short === undefined) {
    short = `${name} ${createHash('sha256').update(shape).digest('base64url').slice(0, 16)}`;
    shortNames.set(whole, short);
  }
  return short;
}

/** A built query for the rows of a CSV file. */
export const csvQueryOf = (
  columns: object,
  { sql: text, params }: Query,
  values: Record<string, unknown> = {},
): CsvQuery => ({ sql: text, params: fillPlaceholders(params, values), columns: Object.keys(columns) });

/** Whether a write violated a unique constraint (the codes of both engines). */
export function isUniqueViolation(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some(
    (value) => value === 'SQLITE_CONSTRAINT_UNIQUE' || value === 'SQLITE_CONSTRAINT_PRIMARYKEY' || value === '23505',
  );
}

/** Whether a column contains a literal text, ignoring the case of ASCII letters. */
export const containsText = (column: SQLWrapper, text: string): SQL =>
  sql`lower(${column}) like ${`%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

/** The `set` of an upsert: every column except the key's, to the value of the insertion. */
export function replacement(table: SQLiteTable, names: readonly string[]): Record<string, SQL> {
  const columns = Object.keys(getTableColumns(table)).filter((name) => !names.includes(name));
  return Object.fromEntries(columns.map((name) => [name, sql.raw(`excluded.${toSnakeCase(name)}`)]));
}

/** As Drizzle's `casing` names the columns. */
const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
