import { createRequire } from 'node:module';
import type BetterSqlite from 'better-sqlite3';

/**
 * better-sqlite3 in the major version that this Node can run (docs/adr/0008-two-sqlite-drivers.md). Version 13 is built
 * on Node-API and needs Node 22; version 12 is the last for Node 20, and from Node 24.19 on it ends the process when a
 * statement is collected as garbage. Node 22 and later have 13 under its alias, an optional dependency that npm leaves
 * out on Node 20.
 */
const load = createRequire(import.meta.url);

export const Sqlite: typeof BetterSqlite = load(
  Number.parseInt(process.versions.node, 10) >= 22 ? 'better-sqlite3-napi' : 'better-sqlite3',
);

/** An open connection. */
export type Sqlite = BetterSqlite.Database;
