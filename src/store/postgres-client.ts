import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { tables as liveTables } from '../../drizzle/postgres.ts';
import type { Tables } from '../../drizzle/tables.ts';
import { readPostgresUrl, type SessionTarget } from '../rules/postgres-urls.ts';
import { VERSION } from '../version.ts';
import { createSession, type Database, type Session } from './session.ts';

/** A connection to PostgreSQL. This file alone knows the driver. */
export type PostgresClient = pg.Client;
export type PooledClient = pg.PoolClient;

/** How long to wait for a free connection, and for a new one over all hosts. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** A connection is not kept for longer, so that one that leads to a server of the past ends by itself. */
const MAX_AGE_SECONDS = 1_800;

/** A list over a million records takes a second or two. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** Rows are locked for the few milliseconds of a transaction; a longer wait would occupy the connection. */
const LOCK_TIMEOUT_MS = 2_000;

/** Waiting calls per connection: half a second's work at 10 ms each. */
const WAITING_PER_CONNECTION = 50;

/** What tells that a session is not the one that is asked for. */
const WRONG_SESSION: Record<SessionTarget, string | undefined> = {
  any: undefined,
  primary: 'select pg_is_in_recovery() as wrong',
  // On while a standby follows too.
  'read-write': "select current_setting('transaction_read_only') = 'on' as wrong",
};

/** The hosts of a URL (contract, section 10), shared by all pools of a store, so that one finds the primary for all. */
export class Servers {
  readonly target: SessionTarget;
  /** Connections of an earlier epoch are replaced when they are next asked for. */
  epoch = 0;
  private readonly urls: readonly string[];
  private current = 0;

  /** Throws where the URL cannot be read, without repeating it. */
  constructor(url: string) {
    const read = readPostgresUrl(url);
    if (!read) throw new Error('the URL of the database cannot be read');
    this.target = read.target;
    this.urls = read.urls;
  }

  get count(): number {
    return this.urls.length;
  }

  /** The URL to connect to next. It has the password in it. */
  get url(): string {
    return this.urls[this.current] as string;
  }

  /** The next connection goes to the next host, unless that was decided meanwhile. */
  failed(url: string): void {
    if (url === this.url) this.current = (this.current + 1) % this.count;
  }

  /** No present connection is used again: one of them led to a server that takes no changes. */
  distrust(): void {
    this.epoch += 1;
  }
}

export interface PoolOptions {
  servers: Servers;
  /** Connections at most. */
  size: number;
  /** For an operator's command: longer timeouts. */
  patient?: boolean | undefined;
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
const optionsOf = ({ patient = false }: Pick<PoolOptions, 'patient'>) => {
  const times = patient ? 6 : 1;
  return {
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

interface ConnectionOptions extends pg.ClientConfig {
  servers: Servers;
  byIndex?: boolean | undefined;
}

/**
 * A connection to one of the servers. It keeps the first error of its transaction, which makes all later statements fail
 * too.
 */
class TransactionClient extends pg.Client {
  firstFailure: unknown;
  /** What the server has said beside its answers since this was last emptied. */
  warning: { message?: string | undefined } | undefined;
  readonly epoch: number;
  private readonly setUp: () => Promise<unknown>;
  private readonly noteFailure: () => void;

  constructor({ servers, byIndex = false, ...options }: ConnectionOptions) {
    const { url, target, epoch, count } = servers;
    const connectionTimeoutMillis = Math.ceil((options.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS) / count);
    super({ ...options, connectionString: url, connectionTimeoutMillis });
    this.epoch = epoch;
    this.noteFailure = () => servers.failed(url);
    const check = WRONG_SESSION[target];
    this.setUp = () =>
      Promise.all([
        check && this.query(check).then(({ rows: [row] }) => (row.wrong ? Promise.reject(wrongSession(target)) : null)),
        // Not a start-up option, which would replace the operator's own options.
        byIndex && this.query(GO_BY_INDEX),
      ]);
    // The query in flight reports the error; without a listener the process would end.
    this.on('error', () => undefined);
    this.on('notice', ({ code, message }) => {
      if (code?.startsWith('01')) this.warning = { message };
    });
  }

  /** Rejects where the session is not the one that the URL asks for, too; the next attempt goes to the next host. */
  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connected = this.connectAndCheck();
    if (!callback) return connected;
    connected.then(() => (callback as () => void)(), callback);
    return undefined;
  }

  private async connectAndCheck(): Promise<this> {
    try {
      await super.connect();
      await this.setUp();
      return this;
    } catch (error) {
      this.noteFailure();
      // Its end is not awaited: a server that hangs would delay it.
      void this.end().catch(() => undefined);
      throw error;
    }
  }

  // Passes on all forms of the call; within a transaction each returns a promise.
  override query = ((...call: unknown[]) => {
    const answer: Promise<unknown> | undefined = Reflect.apply(super.query, this, call);
    answer?.catch((error: unknown) => {
      this.firstFailure ??= error;
    });
    return answer;
  }) as pg.Client['query'];
}

/** The code of a server that refuses changes because it is a standby or read-only. */
export const READ_ONLY = '25006';

const wrongSession = (target: SessionTarget): Error =>
  Object.assign(new Error(`this server is not the one that is asked for (${target})`), { code: READ_ONLY });

/** A pool that rejects with `POOL_FULL` when too many calls wait already. */
export class Pool extends pg.Pool {
  readonly size: number;
  private readonly maxWaiting: number;
  private readonly servers: Servers;

  constructor({ servers, size, patient, byIndex }: PoolOptions, onError: (error: Error) => void) {
    const client = { ...optionsOf({ patient }), servers, byIndex, pipeline: true };
    super({ ...client, max: size, maxLifetimeSeconds: MAX_AGE_SECONDS, Client: TransactionClient as never });
    this.size = size;
    this.maxWaiting = size * WAITING_PER_CONNECTION;
    this.servers = servers;
    this.on('error', onError);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.take();
    this.take().then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  /** A connection of the present epoch to a server that is asked for. */
  private async take(): Promise<pg.PoolClient> {
    for (let hosts = this.servers.count; ; ) {
      if (this.waitingCount >= this.maxWaiting) {
        throw Object.assign(new Error('too many wait for a database connection'), { code: 'POOL_FULL' });
      }
      try {
        const client = await super.connect();
        if ((client as unknown as TransactionClient).epoch === this.servers.epoch) return client;
        client.release(true);
      } catch (error) {
        hosts -= 1;
        if (hosts <= 0 || (error as Error).message === NO_FREE_CONNECTION) throw error;
      }
    }
  }
}

/** The pool's own words when all its connections stayed in use. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';

/**
 * A connection of its own, without a limit to what a statement may take.
 * @param patienceMs how long a statement waits for a lock
 */
export async function connectAlone(url: string, name: string, patienceMs: number): Promise<PostgresClient> {
  const servers = new Servers(url);
  for (let hosts = servers.count; ; ) {
    const client = new TransactionClient({
      servers,
      lock_timeout: patienceMs,
      application_name: `broker-service-api ${name}`,
      keepAlive: true,
    });
    try {
      return await client.connect();
    } catch (error) {
      hosts -= 1;
      if (hosts === 0) throw error;
    }
  }
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
  transaction.warning = undefined;
  const [{ command }] = await Promise.all([client.query('commit'), ...writes]);
  // PostgreSQL's answer to a commit after a failed statement: nothing was stored.
  if (command === 'ROLLBACK') throw new Error('a transaction went on after one of its statements had failed');
  if (transaction.warning) throw unconfirmed(transaction.warning);
  return result;
}

/**
 * A commit waits for a synchronous standby as long as it takes: `statement_timeout` does not end that. An administrator can,
 * and then the server answers as if all were well, with a warning: the change is here and may be lost in a failover.
 */
const unconfirmed = ({ message }: { message?: string | undefined }): Error =>
  Object.assign(new Error(`a change is not confirmed: ${message}`), { code: RESOLUTION_UNKNOWN });

/** transaction_resolution_unknown */
const RESOLUTION_UNKNOWN = '08007';

const isOfDriver = (error: unknown): boolean => error instanceof DrizzleQueryError || error instanceof pg.DatabaseError;

/** Rolls back; resolves with the error if that fails, and then the connection must not be used again. */
export const undo = (client: pg.ClientBase): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (error: Error) => error,
  );
