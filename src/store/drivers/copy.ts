import { createHash } from 'node:crypto';
import { asc, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { tables as layout } from '../../../drizzle/sqlite.ts';
import type { Tables } from '../../../drizzle/tables.ts';
import { keysOf } from '../../rules/keys.ts';
import { behind, keyColumnsOf, type TableName, tableName, tableOf } from '../session/primary-key.ts';
import type { Database } from '../session/session.ts';

/** A connection to a migrated database for copying whole tables. */
export interface TableAccess {
  readonly db: Database;
  readonly tables: Tables;
  /** Runs the work on a snapshot of the committed rows. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface TableOptions {
  /** Opens the database without migrating or changing it. */
  readOnly?: boolean;
}

export interface CopiedTable {
  table: string;
  rows: number;
  /** SHA-256 over all rows in the order of their key: equal on both engines for equal rows. */
  checksum: string;
}

export interface CopyReport {
  /** Whether the source was changed after the copy began; the target does not have these changes. */
  sourceChanged: boolean;
  tables: CopiedTable[];
}

/** Why a copy is refused or given up; the message is one line for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

type Row = Record<string, unknown>;

/** In the order of their declaration, parents before children. */
const TABLES = keysOf(layout);

/** Tables with rows of the first migration, which the source's rows replace. */
const PREFILLED: TableName[] = ['settings', 'sequences'];

/** A copy has a history of its own, which is noted when a server starts on it. */
const OF_NO_HISTORY = { historySystem: null, historyTable: null, historyTimeline: null, historyAddress: null };

/** Rows held in memory, per read and insert. Times 37 columns below SQLite's limit of 32766 parameters. */
const BATCH = 500;

/**
 * Copies a snapshot of one database into an empty one, in one transaction that reads and compares all rows before it
 * commits (contract, section 9).
 * @param onRows called with the number of copied rows and of all rows
 * Throws a `CopyError` when the target is not empty, or differs in the end.
 */
export async function copyDatabase(
  from: TableAccess,
  to: TableAccess,
  onRows: (done: number, total: number) => void = () => undefined,
): Promise<CopyReport> {
  const tables = await from.snapshot(() =>
    to.transaction(async () => {
      for (const name of TABLES) {
        if (PREFILLED.includes(name)) await to.db.delete(tableOf(to.tables, name));
        else if ((await countOf(to, name)) > 0) {
          throw new CopyError(`The target is not empty: it has rows in ${tableName(name)}`);
        }
      }
      let [done, total] = [0, 0];
      for (const name of TABLES) total += await countOf(from, name);
      const sums = await sumsOf(from, async (name, rows) => {
        await to.db.insert(tableOf(to.tables, name)).values(rows);
        done += rows.length;
        onRows(done, total);
      });
      const wrong = differences(sums, await sumsOf(to));
      if (wrong.length > 0) throw new CopyError(`The copy differs from the source in ${wrong.join(', ')}`);
      return sums;
    }),
  );
  const now = await from.snapshot(() => sumsOf(from));
  return { sourceChanged: differences(tables, now).length > 0, tables };
}

async function sumsOf(
  access: TableAccess,
  onRows?: (name: TableName, rows: Row[]) => Promise<void>,
): Promise<CopiedTable[]> {
  const sums: CopiedTable[] = [];
  for (const name of TABLES) {
    const columns = getTableConfig(layout[name]).columns.map((column) => column.name);
    const hash = createHash('sha256');
    let count = 0;
    for await (const rows of batchesOf(access, name)) {
      for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
      count += rows.length;
      await onRows?.(name, rows);
    }
    sums.push({ table: tableName(name), rows: count, checksum: hash.digest('hex') });
  }
  return sums;
}

/** The names of the tables whose rows are not the same. */
const differences = (one: CopiedTable[], other: CopiedTable[]): string[] =>
  one.flatMap(({ table, checksum }, index) => (other[index]?.checksum === checksum ? [] : [table]));

/** Reads a table in the order of its key, which both engines compare by bytes. */
async function* batchesOf({ db, tables }: TableAccess, name: TableName): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows: Row[] = await db
      .select()
      .from(tableOf(tables, name))
      .where(behind(tables, name, last))
      .orderBy(...keyColumnsOf(tables, name).map((column) => asc(column)))
      .limit(BATCH);
    if (rows.length > 0) yield name === 'sequences' ? rows.map((row) => ({ ...row, ...OF_NO_HISTORY })) : rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1);
  }
}

async function countOf({ db, tables }: TableAccess, name: TableName): Promise<number> {
  const rows = await db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(tableOf(tables, name));
  return rows[0]?.total as number;
}
