import { createHash } from 'node:crypto';
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { tables as layout } from '../../drizzle/sqlite.ts';
import type { Tables } from '../../drizzle/tables.ts';
import { behind, keyColumnsOf, nameOf, type TableName } from './primary-key.ts';
import type { Database } from './session.ts';

/** A connection to a migrated database for copying whole tables. */
export interface TableAccess {
  readonly db: Database;
  readonly tables: Tables;
  /** Runs the work on a snapshot of the committed rows. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface AsItIs {
  /** Opens the database without migrating or changing it. */
  asItIs?: boolean;
}

export interface CopiedTable {
  table: string;
  rows: number;
  /** SHA-256 over all rows in the order of their key: equal on both engines for equal rows. */
  checksum: string;
}

export interface CopyReport {
  /** Whether it continued an earlier, unfinished copy. */
  resumed: boolean;
  /** Whether the source was changed after the copy began; the target does not have these changes. */
  sourceChanged: boolean;
  tables: CopiedTable[];
}

/** Why a copy cannot begin or must not be trusted; the message is one line for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

type OnRows = (table: string, done: number, total: number, all: { done: number; total: number }) => void;
type Row = Record<string, unknown>;

/** In the order of their declaration, parents before children. */
const TABLES = Object.keys(layout) as TableName[];

/** Tables with rows of the first migration, which the source's rows replace. */
const PREFILLED: TableName[] = ['settings', 'sequences'];

/** Rows held in memory, per read and transaction. Times 26 columns below SQLite's limit of 32766 parameters. */
const BATCH = 500;

/** The setting that marks a database as the unfinished copy of another one. */
const MARKER = 'copy_source';

/**
 * Copies a snapshot of one database into another one that is empty or holds the same copy, unfinished (contract, section
 * 9). In the end it reads the whole target and compares it. Until then a marker keeps servers from using the target.
 * @param onRows called with a table's name, its copied rows, its number of rows, and both for all tables
 * Throws a `CopyError` when the target is not empty, or differs in the end.
 */
export async function copyDatabase(
  from: TableAccess,
  to: TableAccess,
  onRows: OnRows = () => undefined,
): Promise<CopyReport> {
  const { resumed, tables } = await from.snapshot(async () => {
    const resumed = await prepare(from, to);
    const tables: CopiedTable[] = [];
    const all = { done: 0, total: 0 };
    for (const name of TABLES) all.total += await countOf(from, name);
    for (const name of TABLES) tables.push(await copyTable(from, to, name, all, onRows));
    return { resumed, tables };
  });
  const copies = await to.snapshot(() => sumsOf(to));
  const wrong = tables.filter((table, index) => !isEqual(table, copies[index]));
  if (wrong.length > 0) {
    const names = wrong.map(({ table }) => table).join(', ');
    throw new CopyError(`The target differs from the source in ${names}: it is being written to`);
  }
  const now = await from.snapshot(() => sumsOf(from));
  await to.transaction(async () => void (await to.db.delete(to.tables.settings).where(isMarker(to))));
  return { resumed, sourceChanged: tables.some((table, index) => !isEqual(table, now[index])), tables };
}

/** Whether a database is an unfinished copy, which must not be used. */
export const isUnfinishedCopy = async (read: { settings: { find(name: string): Promise<string | null> } }) =>
  (await read.settings.find(MARKER)) !== null;

/** Prepares the target; returns whether rows of an earlier copy are kept. */
async function prepare(from: TableAccess, to: TableAccess): Promise<boolean> {
  if ((await settingOf(from, MARKER)) !== null) throw new CopyError('The source is itself an unfinished copy');
  const secret = String(await settingOf(from, 'sandbox_secret'));
  const identity = createHash('sha256').update(secret).digest('hex');
  const marker = await settingOf(to, MARKER);
  if (marker === null) {
    if ((await settingOf(to, 'sandbox_secret')) === secret) {
      throw new CopyError('The target is the source itself, or a finished copy of it');
    }
    for (const name of TABLES) {
      if (PREFILLED.includes(name) || (await countOf(to, name)) === 0) continue;
      throw new CopyError(`The target is not empty: it has rows in ${name}`);
    }
  } else if (marker !== identity) {
    throw new CopyError('The target holds the unfinished copy of another database');
  } else if (await isPrefix(from, to)) {
    return true;
  }
  // The source has changed since the earlier attempt, so its rows are deleted.
  await to.transaction(async () => {
    for (const name of [...TABLES].reverse()) await to.db.delete(to.tables[name]);
    await to.db.insert(to.tables.settings).values({ name: MARKER, value: identity });
  });
  return false;
}

/** Whether each table of the target holds exactly the first rows of the source's. */
async function isPrefix(from: TableAccess, to: TableAccess): Promise<boolean> {
  for (const name of TABLES) {
    const rows = await countOf(to, name);
    if (rows === 0) continue;
    if (!isEqual(await sumOf(to, name), await sumOf(from, name, rows))) return false;
  }
  return true;
}

async function copyTable(
  from: TableAccess,
  to: TableAccess,
  name: TableName,
  all: { done: number; total: number },
  onRows: OnRows,
): Promise<CopiedTable> {
  const total = await countOf(from, name);
  const present = await countOf(to, name);
  const sum = createSum(name);
  for await (const rows of batchesOf(from, name)) {
    const missing = rows.slice(Math.max(0, present - sum.rows));
    if (missing.length > 0) {
      await to.transaction(async () => void (await to.db.insert(to.tables[name] as SQLiteTable).values(missing)));
    }
    sum.add(rows);
    all.done += rows.length;
    onRows(nameOf(name), sum.rows, total, all);
  }
  return sum.end();
}

async function sumsOf(access: TableAccess): Promise<CopiedTable[]> {
  const sums: CopiedTable[] = [];
  for (const name of TABLES) sums.push(await sumOf(access, name));
  return sums;
}

async function sumOf(access: TableAccess, name: TableName, limit = Number.POSITIVE_INFINITY): Promise<CopiedTable> {
  const sum = createSum(name);
  for await (const rows of batchesOf(access, name)) {
    sum.add(rows.slice(0, limit - sum.rows));
    if (sum.rows >= limit) break;
  }
  return sum.end();
}

/** Reads a table in the order of its key, which both engines compare by bytes. */
async function* batchesOf({ db, tables }: TableAccess, name: TableName): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows: Row[] = await db
      .select()
      .from(tables[name] as SQLiteTable)
      .where(and(behind(tables, name, last), exceptMarker({ tables }, name)))
      .orderBy(...keyColumnsOf(tables, name).map((column) => asc(column)))
      .limit(BATCH);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1);
  }
}

function createSum(name: TableName) {
  const columns = getTableConfig(layout[name]).columns.map((column) => column.name);
  const hash = createHash('sha256');
  return {
    rows: 0,
    add(rows: Row[]): void {
      for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
      this.rows += rows.length;
    },
    end(): CopiedTable {
      return { table: nameOf(name), rows: this.rows, checksum: hash.digest('hex') };
    },
  };
}

const isEqual = (one: CopiedTable, other: CopiedTable | undefined): boolean =>
  one.rows === other?.rows && one.checksum === other.checksum;

async function countOf({ db, tables }: TableAccess, name: TableName): Promise<number> {
  const rows = await db
    .select({ total: sql<number>`count(*)`.mapWith(Number) })
    .from(tables[name] as SQLiteTable)
    .where(exceptMarker({ tables }, name));
  return rows[0]?.total as number;
}

async function settingOf({ db, tables: { settings } }: TableAccess, name: string): Promise<string | null> {
  return (await db.select().from(settings).where(eq(settings.name, name)))[0]?.value ?? null;
}

const isMarker = ({ tables }: Pick<TableAccess, 'tables'>): SQL => eq(tables.settings.name, MARKER);

const exceptMarker = ({ tables }: Pick<TableAccess, 'tables'>, name: TableName): SQL | undefined =>
  name === 'settings' ? ne(tables.settings.name, MARKER) : undefined;
