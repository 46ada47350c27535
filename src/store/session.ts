import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { BaseSQLiteDatabase, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../../drizzle/tables.ts';

/** Drizzle's database, in the one type that both engines are used through. */
export type Database = BaseSQLiteDatabase<'async', unknown>;

export type Dialect = 'sqlite' | 'postgres';

interface Preparable extends PromiseLike<unknown> {
  prepare(name?: string): unknown;
}

type Prepared<R> = (params?: Record<string, unknown>) => Promise<R>;

/** A window of a list. */
export interface Page {
  limit: number;
  offset: number;
}

/** How much each counter of a list changed in the running transaction; written once, before it commits. */
export interface CounterChange {
  brokerId: string;
  subject: 'services' | 'requests';
  kind: string;
  status: string;
  by: number;
}

/** One connection (or pool) as the query groups see it: the database, its tables and its prepared statements. */
export interface Session {
  readonly dialect: Dialect;
  readonly db: Database;
  readonly tables: Tables;
  /**
   * A statement that is built and prepared at its first use and kept for the life of the session. The name
   * is unique to the query's text and at most 63 bytes long: PostgreSQL knows the statement by it.
   */
  statement<Q extends Preparable>(name: string, build: () => Q): Prepared<Awaited<Q>>;
  /** Locks a row against other changers until the transaction ends; SQLite's one writer needs none. */
  lock(select: SQL): Promise<void>;
  readonly counterChanges: Map<string, CounterChange>;
}

export function createSession(
  dialect: Dialect,
  db: Database,
  tables: Tables,
  execute: (query: SQL) => Promise<unknown>,
) {
  const prepared = new Map<string, Prepared<unknown>>();
  const session: Session = {
    dialect,
    db,
    tables,
    statement<Q extends Preparable>(name: string, build: () => Q) {
      return (async (params) => {
        let run = prepared.get(name);
        if (!run) {
          const statement = build().prepare(name) as { execute: Prepared<unknown> };
          run = (values) => statement.execute(values);
          prepared.set(name, run);
        }
        return run(params);
      }) as Prepared<Awaited<Q>>;
    },
    async lock(select) {
      if (dialect === 'postgres') await execute(sql`${select} for update`);
    },
    counterChanges: new Map(),
  };
  return session;
}

/** A placeholder of a prepared statement where Drizzle's types want the column's own value. */
export const param = <T>(name: string): T => sql.placeholder(name) as unknown as T;

/** Whether a write was refused because a unique value stands already (the codes of both engines). */
export function isUniqueViolation(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some(
    (value) => value === 'SQLITE_CONSTRAINT_UNIQUE' || value === 'SQLITE_CONSTRAINT_PRIMARYKEY' || value === '23505',
  );
}

/** What an upsert sets: every column but those that name the row, to the value that was to be inserted. */
export function replacement(table: SQLiteTable, names: readonly string[]): Record<string, SQL> {
  const columns = Object.keys(getTableColumns(table)).filter((name) => !names.includes(name));
  return Object.fromEntries(columns.map((name) => [name, sql.raw(`excluded.${toSnakeCase(name)}`)]));
}

/** As Drizzle's `casing` names the columns. */
const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
