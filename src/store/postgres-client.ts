import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { tables as liveTables } from '../../drizzle/postgres.ts';
import type { Tables } from '../../drizzle/tables.ts';
import { VERSION } from '../version.ts';
import { createSession, type Database, type Session } from './session.ts';

/** A connection to PostgreSQL. This file alone knows the driver. */
export type PostgresClient = pg.Client;
export type PooledClient = pg.PoolClient;

/** How long to wait for a free or a new connection. */
const CONNECT_TIMEOUT_MS = 3_000;

/** A list over a million records takes a second or two. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** Rows are locked for the few milliseconds of a transaction; a longer wait would occupy the connection. */
const LOCK_TIMEOUT_MS = 2_000;

/** Waiting calls per connection: half a second's work at 10 ms each. */
const WAITING_PER_CONNECTION = 50;

export interface PoolOptions {
  url: string;
  /** Connections at most. */
  size: number;
  /** For an operator's command: longer timeouts. */
  patient?: boolean;
  /** Disables sequential scans where there is an index. */
  byIndex?: boolean;
}

/**
 * PostgreSQL plans a prepared statement, and a foreign key's check, once per connection. A plan made for an empty table scans
 * the whole table until the statistics are renewed, which halved the throughput of a fresh database (ADR 21). Without
 * sequential scans the estimated cost of a small table without an index is so high that the statement would be compiled.
 */
const GO_BY_INDEX = 'set enable_seqscan = off; set jit = off';

/** Start-up options of a connection; behind PgBouncer they must be set on the role (docs/operations.md). */
const optionsOf = ({ url, patient = false }: Omit<PoolOptions, 'size' | 'byIndex'>) => {
  const times = patient ? 6 : 1;
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS * times,
    statement_timeout: STATEMENT_TIMEOUT_MS * times,
    query_timeout: (STATEMENT_TIMEOUT_MS + 1_000) * times,
    lock_timeout: LOCK_TIMEOUT_MS * times,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS * times,
    // By it processes of other releases are seen (src/context/releases.ts).
    application_name: `broker-service-api ${VERSION}`,
    keepAlive: true,
  };
};

/** A connection that keeps the first error of its transaction, which makes all later statements fail too. */
class TransactionClient extends pg.Client {
  firstFailure: unknown;

  // Passes on all forms of the call; within a transaction each returns a promise.
  override query = ((...call: unknown[]) => {
    const answer: Promise<unknown> | undefined = Reflect.apply(super.query, this, call);
    answer?.catch((error: unknown) => {
      this.firstFailure ??= error;
    });
    return answer;
  }) as pg.Client['query'];
}

/** A pool that rejects with `POOL_FULL` when too many calls wait already. */
export class Pool extends pg.Pool {
  private readonly maxWaiting: number;

  constructor(options: PoolOptions, onError: (error: Error) => void) {
    super({
      ...optionsOf(options),
      max: options.size,
      pipeline: true,
      Client: TransactionClient,
      // Not a start-up option, which would replace the operator's own options.
      ...(options.byIndex && { onConnect: (client) => client.query(GO_BY_INDEX) }),
    });
    this.maxWaiting = options.size * WAITING_PER_CONNECTION;
    this.on('error', onError);
    // The pool listens to idle connections only. In a transaction the query in flight reports the error; without a
    // listener the process would end.
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
  // The query in flight reports the error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export const databaseOf = (client: pg.Pool | pg.ClientBase): Database =>
  drizzle({ client: client as pg.Pool, casing: 'snake_case' }) as unknown as Database;

export const sessionOf = (client: pg.Pool | pg.ClientBase, tables: Tables = liveTables): Session =>
  createSession('postgres', databaseOf(client), tables);

/**
 * Runs the work between `begin` and `commit`; rejects with the first error of the server, or with the work's where no
 * statement failed or the work has put that in its own words, and then the caller must roll back.
 * @param writes the statements that the work has sent without waiting for their results
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
    const settled = await Promise.allSettled(writes);
    // A failed statement makes all later ones fail, and the work may not know of a write that failed. What it says in its
    // own words of a failure that it has seen stays.
    const fromServer = isOfDriver(error) || settled.some(({ status }) => status === 'rejected');
    throw [fromServer ? transaction.firstFailure : undefined, error].find((each) => each !== undefined);
  });
  const [{ command }] = await Promise.all([client.query('commit'), ...writes]);
  // PostgreSQL's answer to a commit after a failed statement: nothing was stored.
  if (command === 'ROLLBACK') throw new Error('a transaction went on after one of its statements had failed');
  return result;
}

const isOfDriver = (error: unknown): boolean => error instanceof DrizzleQueryError || error instanceof pg.DatabaseError;

/** Rolls back; resolves with the error if that fails, and then the connection must not be used again. */
export const undo = (client: pg.ClientBase): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (error: Error) => error,
  );
