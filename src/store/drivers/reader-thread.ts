import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { type Csv, csvOf } from '../session/csv.ts';

/*
 * A reader thread runs queries on a read-only connection of its own. It loads only the driver, so that it starts fast and
 * takes little memory.
 */

/** The rows of a query are asked for, or with `csv` a file of them. */
export interface ReadTask {
  file: string;
  sql: string;
  params: unknown[];
  csv?: { columns: string[]; maxBytes: number };
}

/** Errors are passed as plain objects, because a posted error loses its code. */
export type ReadAnswer =
  | { rows: unknown[][] }
  | { csv: Csv | null }
  | { error: { message: string; code: string | undefined } };

/** Prepared statements that are kept; more are hardly ever in use. */
const MAX_STATEMENTS = 100;

/** A reader waits only while another process opens or repairs the file. */
const BUSY_TIMEOUT_MS = 1000;

const NICE = 10;

/**
 * Lowers the thread's priority, so that requests come first. Only on Linux, where threads have their own priority. Errors
 * are ignored, because a hardened unit may not allow it; Piscina's own option would end the pool then.
 */
export function comeSecond(set: (pid: number, priority: number) => void, platform = process.platform): void {
  if (platform !== 'linux') return;
  try {
    set(0, NICE);
  } catch {
    // Then all threads have the same priority.
  }
}

/* c8 ignore next -- what a thread runs by itself is not counted; the pool's tests read in threads */
if (!isMainThread) comeSecond(setPriority);

let connection:
  | { file: string; client: Sqlite.Database; statements: Map<string, ReturnType<typeof prepare>> }
  | undefined;

export default function read({ file, sql, params, csv }: ReadTask): ReadAnswer {
  try {
    const statement = statementOf(file, sql);
    if (!csv) return { rows: statement.all(...params) };
    return { csv: csvOf(csv.columns, statement.iterate(...params), csv.maxBytes) };
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    return { error: { message, code } };
  }
}

/** Closes the file; for reading without a thread. */
export function closeFile(): void {
  connection?.client.close();
  connection = undefined;
}

/** A statement whose rows are arrays, as Drizzle takes them. */
const prepare = (client: Sqlite.Database, sql: string) => client.prepare<unknown[], unknown[]>(sql).raw();

function statementOf(file: string, sql: string) {
  const { client, statements } = open(file);
  let statement = statements.get(sql);
  if (!statement) {
    if (statements.size === MAX_STATEMENTS) statements.clear();
    statement = prepare(client, sql);
    statements.set(sql, statement);
  }
  return statement;
}

function open(file: string) {
  if (connection?.file !== file) {
    closeFile();
    const client = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    client.pragma('query_only = ON');
    connection = { file, client, statements: new Map() };
  }
  return connection as NonNullable<typeof connection>;
}
