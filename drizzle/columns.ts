import * as pg from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';

/**
 * The one place where the two dialects differ. Both objects have the same keys, and the PostgreSQL one is
 * cast to the SQLite type, so that tables and queries are written once and type-checked once. Drizzle has no type that
 * both dialects share and a query can be built with; the tests of the store run on both.
 *
 * The portable subset: text, whole numbers up to 2^53 - 1, booleans. A `timestamp` is in epoch milliseconds.
 */
export const sqliteColumns = {
  table: sqlite.sqliteTable,
  text: () => sqlite.text(),
  integer: () => sqlite.integer(),
  timestamp: () => sqlite.integer(),
  flag: () => sqlite.integer({ mode: 'boolean' }),
  index: sqlite.index,
  uniqueIndex: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
};

/** Sorted by bytes, as in SQLite: with a locale's collation the two engines would sort differently. */
const text = pg.customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

export const postgresColumns = {
  table: pg.pgTable,
  text: () => text(),
  integer: () => pg.bigint({ mode: 'number' }),
  timestamp: () => pg.bigint({ mode: 'number' }),
  flag: () => pg.boolean(),
  index: pg.index,
  uniqueIndex: pg.uniqueIndex,
  primaryKey: pg.primaryKey,
} satisfies Record<keyof typeof sqliteColumns, unknown> as unknown as typeof sqliteColumns;

/** The schema of the sandbox on PostgreSQL. Its tables are named with it, so that no setting of a connection can mix them up. */
export const SANDBOX_SCHEMA = 'sandbox';

export const postgresSandboxColumns = {
  ...postgresColumns,
  table: pg.pgSchema(SANDBOX_SCHEMA).table,
} as unknown as typeof sqliteColumns;

export type Columns = typeof sqliteColumns;
