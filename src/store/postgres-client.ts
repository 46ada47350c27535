import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { tables } from '../../drizzle/postgres.ts';
import { createSession, type Database, type Session } from './session.ts';

/** A connection to PostgreSQL. This file alone knows the driver. */
export type PostgresClient = pg.Client;
export type PooledClient = pg.PoolClient;

/** How long anybody waits for a connection, be it a free one or a new one, before the answer is to come back later. */
const CONNECT_TIMEOUT_MS = 3_000;

/** A list over a million records takes a second or two; what takes ten keeps a connection from everybody else. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** Rows are held for the few milliseconds of a transaction; whoever meets a longer lock frees its connection soon. */
const LOCK_TIMEOUT_MS = 2_000;

/** Those who wait for a free connection, for each that there is: half a second's work at 10 ms each. */
const WAITING_PER_CONNECTION = 50;

export interface PoolOptions {
  url: string;
  /** Connections at most. */
  size: number;
  /** For an operator's command, which may take its time and is in nobody's way. */
  patient?: boolean;
  /** Whether what is asked names its rows, and is never answered by reading a whole table where an index is. */
  byIndex?: boolean;
}

/**
 * PostgreSQL plans a prepared statement once for a connection, and a foreign key's check too. Planned while the table was
 * new and empty it reads the whole table each time, until the statistics are renewed: a server that began on a fresh
 * database did half of the upgrades that it can do, and each was dearer than the one before. Where there is no index, a
 * small table is still read, and then at a price on paper for which PostgreSQL would compile the statement (ADR 21).
 */
const GO_BY_INDEX = 'set enable_seqscan = off; set jit = off';

/** What the server is told of a connection when it opens; behind PgBouncer the role has to say it (docs/operations.md). */
const optionsOf = ({ url, patient = false }: Omit<PoolOptions, 'size' | 'byIndex'>) => {
  const times = patient ? 6 : 1;
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS * times,
    statement_timeout: STATEMENT_TIMEOUT_MS * times,
    query_timeout: (STATEMENT_TIMEOUT_MS + 1_000) * times,
    lock_timeout: LOCK_TIMEOUT_MS * times,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS * times,
    application_name: 'broker-service-api',
    keepAlive: true,
  };
};

/**
 * A connection that remembers what failed first in its transaction. Statements that were sent behind that one fail for no
 * other reason, and callers may hear of those sooner.
 */
class TransactionClient extends pg.Client {
  firstFailure: unknown;

  // One name for all forms of a call, which are passed on as they are; within a transaction each gives a promise.
  override query = ((...call: unknown[]) => {
    const answer: Promise<unknown> | undefined = Reflect.apply(super.query, this, call);
    answer?.catch((error: unknown) => {
      this.firstFailure ??= error;
    });
    return answer;
  }) as pg.Client['query'];
}

/** Connections that are taken by turns. Who comes when too many wait already is refused with `POOL_FULL`. */
export class Pool extends pg.Pool {
  private readonly maxWaiting: number;

  constructor(options: PoolOptions, onError: (error: Error) => void) {
    // A statement that nobody waits for is sent behind the one before it.
    super({
      ...optionsOf(options),
      max: options.size,
      pipeline: true,
      Client: TransactionClient,
      // Said afterwards: among the options of the start it would take the place of the operator's own.
      ...(options.byIndex && { onConnect: (client) => client.query(GO_BY_INDEX) }),
    });
    this.maxWaiting = options.size * WAITING_PER_CONNECTION;
    this.on('error', onError);
    // The pool listens to idle connections alone. One that breaks in a transaction fails the query in flight, which
    // tells; without a listener it would end the process.
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (this.waitingCount < this.maxWaiting) {
      if (!callback) return super.connect();
      super.connect(callback);
      return undefined;
    }
    const error = Object.assign(new Error('too many wait for a database connection'), { code: 'POOL_FULL' });
    if (!callback) return Promise.reject(error);
    callback(error, undefined, () => undefined);
    return undefined;
  }
}

/**
 * A connection of its own, without a limit to what a statement may take.
 * @param patienceMs how long a statement waits for a lock
 */
export async function connectAlone(url: string, name: string, patienceMs: number): Promise<PostgresClient> {
  const client = new TransactionClient({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: patienceMs,
    application_name: `broker-service-api ${name}`,
    keepAlive: true,
  });
  // A connection that breaks fails the query in flight, which is the one that tells.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export const databaseOf = (client: pg.Pool | pg.ClientBase): Database =>
  drizzle({ client: client as pg.Pool, casing: 'snake_case' }) as unknown as Database;

export function sessionOf(client: pg.Pool | pg.ClientBase): Session {
  const db = drizzle({ client: client as pg.Pool, casing: 'snake_case' });
  return createSession('postgres', db as unknown as Database, tables, (query) => db.execute(query));
}

/**
 * Runs the work between `begin` and `commit`; rejects with the work's error, or with what the server had refused
 * before, and then the caller has to undo it.
 * @param writes what the work has sent and not waited for: the first of them that fails is why the work failed
 */
export async function within<T>(
  client: pg.ClientBase,
  begin: string,
  work: () => Promise<T>,
  writes: readonly Promise<unknown>[] = [],
): Promise<T> {
  const transaction = client as TransactionClient;
  transaction.firstFailure = undefined;
  await client.query(begin);
  const result = await work().catch(async (error: unknown) => {
    await Promise.allSettled(writes);
    throw transaction.firstFailure ?? error;
  });
  const [{ command }] = await Promise.all([client.query('commit'), ...writes]);
  // PostgreSQL's answer where a statement had failed and the work went on nevertheless: nothing was stored.
  if (command === 'ROLLBACK') throw new Error('a transaction went on after one of its statements had failed');
  return result;
}

/** Undoes what is open; the error where the connection cannot even do that, and must not be used again. */
export const undo = (client: pg.ClientBase): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (error: Error) => error,
  );
