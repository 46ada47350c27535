import { setTimeout } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { tables } from '../../drizzle/postgres.ts';
import { ApiError, fail } from '../errors.ts';
import type { TableAccess } from './copy.ts';
import { MIGRATIONS_TABLE, missingMigrations } from './migrate.ts';
import { createSession, type Database, type Session } from './session.ts';
import { changesOf, guarding, readsOf, type Store, type Tx, wrapCalls } from './store.ts';

export interface PostgresOptions {
  url: string;
  /** Connections of this process. */
  poolSize: number;
  /** Told of faults on idle connections, which belong to no request. */
  onError: (error: Error) => void;
}

export interface PostgresStore extends Store {
  /** Whether the database had no broker when it was opened. */
  readonly created: boolean;
}

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/** How often a transaction that lost against another one is tried again before it is given up as overload. */
const MAX_ATTEMPTS = 8;
const RETRY_PAUSE_MS = 10;

/** All instances that start at once take turns at migrating under this advisory lock; the number is arbitrary. */
const MIGRATION_LOCK = 7_216_408_113;

/** Opens (and where needed migrates) a PostgreSQL database. */
export async function openPostgres({ url, poolSize, onError }: PostgresOptions): Promise<PostgresStore> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'broker-service-api',
    keepAlive: true,
  });
  pool.on('error', onError);
  // The pool listens to idle connections alone. One that breaks in a transaction fails the query in flight, which
  // tells; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const created = await migrate(pool).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });

  // Prepared statements live in a connection, so each connection keeps the session that made them.
  const changers = new WeakMap<pg.PoolClient, { session: Session; changes: Tx }>();
  const changerOf = (client: pg.PoolClient) => {
    let changer = changers.get(client);
    if (!changer) {
      const session = sessionOf(client);
      changer = { session, changes: changesOf(session) };
      changers.set(client, changer);
    }
    return changer;
  };

  const attempt = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      const { session, changes } = changerOf(client);
      session.counterChanges.clear();
      const result = await work(changes);
      await changes.counters.flush();
      return result;
    });

  async function persist<T>(work: (tx: Tx) => Promise<T>, attempts: number): Promise<T> {
    try {
      return await attempt(work);
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !(isLostRace(error) || isNumberTaken(error))) throw explained(error);
    }
    // The winner is only waking up: at once, the loser could take the same lock from it again.
    await setTimeout(RETRY_PAUSE_MS * attempts);
    return persist(work, attempts + 1);
  }

  return {
    created,
    read: wrapCalls(readsOf(sessionOf(pool)), guarding(explained)),
    tx: (work) => persist(work, 1),
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await pool.end();
    },
  };
}

/** Opens (and where needed migrates) a PostgreSQL database for moving whole tables. */
export async function openPostgresTables(url: string): Promise<TableAccess> {
  const onError = () => undefined;
  await (await openPostgres({ url, poolSize: 1, onError })).close();
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'broker-service-api copy',
    keepAlive: true,
  });
  // A connection that breaks fails the query in flight, which is the one that tells.
  client.on('error', onError);
  await client.connect();
  const within =
    (begin: string) =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      await client.query(begin);
      try {
        const result = await work();
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(onError);
        throw error;
      }
    };
  return {
    db: drizzle({ client, casing: 'snake_case' }) as unknown as Database,
    tables,
    snapshot: within('begin isolation level repeatable read read only'),
    transaction: within('begin'),
    close: () => client.end(),
  };
}

function sessionOf(client: pg.Pool | pg.PoolClient): Session {
  const db = drizzle({ client, casing: 'snake_case' });
  return createSession('postgres', db as unknown as Database, tables, (query) => db.execute(query));
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    const { command } = await client.query('commit');
    // PostgreSQL's answer where a statement had failed and the work went on nevertheless: nothing was stored.
    if (command === 'ROLLBACK') throw new Error('a transaction went on after one of its statements had failed');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even undo its work is not used again.
    const broken = await client.query('rollback').then(
      () => undefined,
      (rollbackError: Error) => rollbackError,
    );
    client.release(broken);
    throw error;
  }
}

/** Applies what is missing; whether that made a database which has no broker yet. */
const migrate = (pool: pg.Pool): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{ made_at: string }>('select made_at from schema_migrations');
    const missing = missingMigrations(
      'postgres',
      rows.map((row) => Number(row.made_at)),
    );
    for (const migration of missing) {
      for (const statement of migration.sql) await client.query(statement);
      const { folderMillis, hash } = migration;
      await client.query('insert into schema_migrations values ($1, $2)', [folderMillis, hash]);
    }
    return missing.length > 0 && (await client.query('select 1 from brokers limit 1')).rowCount === 0;
  });

/** Serialization failure, deadlock: the other transaction won, and trying again will see what it did. */
const isLostRace = (error: unknown): boolean => ['40001', '40P01'].includes(sqlStateOf(error));

/** An import, say, took the service number that this one was issued; the next try is issued another. */
const isNumberTaken = (error: unknown): boolean => constraintOf(error) === 'services_pkey';

const constraintOf = (error: unknown): unknown => (error as { cause?: { constraint?: unknown } }).cause?.constraint;

function explained(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  return isLostRace(error) || isOutOfService(error) ? fail.unavailable(RETRY_AFTER_SECONDS, error) : error;
}

/**
 * Connection faults (class 08), shutdown and start-up of the server (57P), too many connections (53),
 * statements cut off by a timeout, and what the driver and the socket say of a server that is not there.
 */
function isOutOfService(error: unknown): boolean {
  const code = sqlStateOf(error);
  if (/^(08|53|57P|57014|25P03|25006)/.test(code)) return true;
  if (/^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(code)) return true;
  return /terminated|timeout|not queryable|Client was closed/i.test(messageOf(error));
}

function sqlStateOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return String(cause?.code ?? code);
}

function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { message?: unknown } };
  return String(cause?.message ?? message);
}
