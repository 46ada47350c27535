import { type Columns, postgresSandboxColumns, sqliteColumns } from './columns.ts';
import { tables as sqliteTables } from './sqlite.ts';
import { defineTables, type Tables } from './tables.ts';

/** A broker's sandbox: there is one row for each, and it is the lock of all its records. */
const defineSandboxes = (c: Columns) =>
  c.table(
    'sandboxes',
    {
      brokerId: c.text().primaryKey(),
      createdAt: c.timestamp().notNull(),
      /** How far its clock is ahead of the real one, in milliseconds. */
      offsetMs: c.integer().notNull(),
      /** When it was last called by the real clock; written once a day. */
      calledAt: c.timestamp().notNull(),
      /** The number of the next service that a caller creates. */
      nextNumber: c.integer().notNull(),
    },
    (t) => [c.index('sandboxes_by_call').on(t.calledAt)],
  );

export const postgresSandboxTables = defineTables(postgresSandboxColumns);

/** The table that live databases do not have, by dialect. */
export const sandboxesOf = {
  sqlite: defineSandboxes(sqliteColumns),
  postgres: defineSandboxes(postgresSandboxColumns),
};

/** The live tables that a sandbox has too. */
export const SHARED_TABLES = [
  'plans',
  'planOffers',
  'services',
  'requests',
  'requestHistory',
  'templates',
  'invoices',
  'consumption',
  'idempotencyRecords',
  'counters',
] as const satisfies ReadonlyArray<keyof Tables>;

/** What a sandbox consists of. The schema of both dialects is made from these definitions (src/store/drivers/sandbox-schema.ts). */
export const SANDBOX_TABLES = [sandboxesOf.sqlite, ...SHARED_TABLES.map((name) => sqliteTables[name])];
