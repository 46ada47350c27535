import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { tables as liveTables } from '../../../drizzle/postgres.ts';
import type { Tables } from '../../../drizzle/tables.ts';
import { VERSION } from '../../runtime/version.ts';
import { createSession, type Database, type Session } from '../session/session.ts';
import { together } from '../session/together.ts';

/** A connection to PostgreSQL. This file alone knows the driver. */
export type PostgresClient = pg.Client;
export type PooledClient = pg.PoolClient;

/** What Drizzle needs of the driver: a connection, or whatever finds one for each statement. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** How long to wait for a new connection. */
const CONNECT_TIMEOUT_MS = 3_000;

/** A connection is not kept for longer, so that one that leads to a server of the past ends by itself. */
const MAX_AGE_SECONDS = 1_800;

/** A list over a million records takes a second or two. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** Rows are locked for the few milliseconds of a transaction; a longer wait would occupy the connection. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Makes a pool of connections, which are opened when they are needed.
 * @param size connections at most
 * @param longTimeouts for an operator's command: longer timeouts
 * @param onLost called when an idle connection is lost
 */
export function createPool(url: string, size: number, longTimeouts: boolean, onLost: (error: Error) => void): pg.Pool {
  const times = longTimeouts ? 6 : 1;
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    maxLifetimeSeconds: MAX_AGE_SECONDS,
    // Behind PgBouncer the three server-side limits must be set on the role (docs/parts.md).
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS * times,
    statement_timeout: STATEMENT_TIMEOUT_MS * times,
    query_timeout: (STATEMENT_TIMEOUT_MS + 1_000) * times,
    lock_timeout: LOCK_TIMEOUT_MS * times,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS * times,
    // Shown by pg_stat_activity.
    application_name: `broker-service-api ${VERSION}`,
    keepAlive: true,
    // Statements that are begun together travel together, and are answered in their order.
    pipeline: true,
  });
  pool.on('error', onLost);
  // The statement in flight reports the loss; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * A connection of its own.
 * @param patienceMs how long a statement waits for a lock
 * @param limitMs how long the connection, and each statement, may take; no limit by default
 */
export async function connectAlone(
  url: string,
  name: string,
  patienceMs: number,
  limitMs?: number,
): Promise<PostgresClient> {
  const client = new pg.Client({
    connectionString: url,
    lock_timeout: patienceMs,
    ...(limitMs !== undefined && { connectionTimeoutMillis: limitMs, query_timeout: limitMs }),
    application_name: `broker-service-api ${name}`,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** What a pooler without support for prepared statements answers: the name is taken (42P05), or was never prepared (26000). */
const STATEMENT_IS_LOST = ['42P05', '26000'];

/** Of a pooler that takes its connections in rotation, the first one comes back after as many as it keeps idle. */
const MAX_PROBES = 4;

/** A pooler whose connections are all in use makes a new one wait. */
const PROBE_PATIENCE_MS = 2_000;

const PROBE = { name: 'broker_probe', text: 'select pg_backend_pid() as pid' };

/**
 * Whether a pooler in between loses prepared statements, which every call needs: a second connection gets the server's
 * process of the first one, and prepares a statement of the same name. Rejects where the server does not answer.
 */
export async function losesStatements(client: PostgresClient, url: string): Promise<boolean> {
  const others: PostgresClient[] = [];
  const processOf = async (connection: PostgresClient): Promise<unknown> => (await connection.query(PROBE)).rows[0].pid;
  let isAnswered = false;
  try {
    const own = await processOf(client);
    isAnswered = true;
    // Without a pooler a connection is named after the process that serves it. The driver's types do not have the name.
    if ('processID' in client && client.processID === own) return false;
    while (others.length < MAX_PROBES) {
      const other = await connectAlone(url, 'start', PROBE_PATIENCE_MS, PROBE_PATIENCE_MS);
      others.push(other);
      // A transaction keeps its process, so that the next connection gets another one.
      await other.query('begin');
      if ((await processOf(other)) === own) break;
    }
    return false;
  } catch (error) {
    if (STATEMENT_IS_LOST.includes(String((error as { code?: unknown }).code))) return true;
    // The first connection answers; that others do not says nothing of statements.
    if (isAnswered) return false;
    throw error;
  } finally {
    for (const other of others) await rollBack(other).then(() => other.end());
  }
}

export const databaseOf = (client: Queryable): Database =>
  drizzle({ client: client as pg.Pool, casing: 'snake_case' }) as unknown as Database;

export const sessionOf = (client: Queryable, tables: Tables = liveTables): Session =>
  createSession('postgres', databaseOf(client), tables, tables === liveTables ? '' : 'other ');

/** Runs the work between `begin` and `commit`; where this rejects the caller must roll back. */
export async function within<T>(client: pg.ClientBase, begin: string, work: () => Promise<T>): Promise<T> {
  await client.query(begin);
  const result = await work();
  await commit(client);
  return result;
}

/**
 * The same on a connection of the pool, without round trips of their own for `begin`, which travels with the work's first
 * statement, and for `end`, which travels with the commit.
 * @param end sends the last statements, all of them before it waits for an answer
 */
export async function pipelined<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
  end: () => Promise<void>,
): Promise<T> {
  const begun = client.query('begin');
  // It fails with its connection alone, and then so does the work; it is awaited below.
  begun.catch(() => undefined);
  const result = await work();
  await begun;
  // Where the end fails the server answers the commit with a rollback.
  await together([end(), commit(client)]);
  return result;
}

/**
 * Commits. A commit waits for a synchronous standby as long as it takes: `statement_timeout` does not end that. An
 * administrator can, and then the server answers as if all were well, with a warning: the change is here and may be lost in
 * a failover.
 */
async function commit(client: pg.ClientBase): Promise<void> {
  let warning: string | undefined;
  const readNotice = ({ code, message }: { code?: string | undefined; message?: string | undefined }) => {
    if (code?.startsWith('01')) warning = message ?? '';
  };
  client.on('notice', readNotice);
  const { command } = await client.query('commit').finally(() => client.off('notice', readNotice));
  // PostgreSQL's answer to a commit after a failed statement: nothing was stored.
  if (command === 'ROLLBACK') throw new Error('a transaction went on after one of its statements had failed');
  if (warning !== undefined) {
    throw Object.assign(new Error(`a change is not confirmed: ${warning}`), { code: RESOLUTION_UNKNOWN });
  }
}

/** transaction_resolution_unknown */
const RESOLUTION_UNKNOWN = '08007';

/** Rolls back; resolves with the error if that fails, and then the connection must not be used again. */
export const rollBack = (client: pg.ClientBase): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (error: Error) => error,
  );
