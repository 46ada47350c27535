import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { tables } from '../../drizzle/postgres.ts';
import { ApiError, fail } from '../errors.ts';
import { applyMissing, MIGRATIONS_TABLE } from './migrate.ts';
import { createSession, type Database, type Session } from './session.ts';
import { changesOf, readsOf, type Store, type Tx } from './store.ts';

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
  const created = await migrate(pool);

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

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const { session, changes } = changerOf(client);
      session.counterChanges.clear();
      const result = await work(changes);
      await changes.counters.flush();
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    created,
    read: guarded(readsOf(sessionOf(pool))),
    async tx(work) {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (isLostRace(error) && attempts < MAX_ATTEMPTS) continue;
          throw explained(error);
        }
      }
    },
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await pool.end();
    },
  };
}

function sessionOf(client: pg.Pool | pg.PoolClient): Session {
  const db = drizzle({ client, casing: 'snake_case' });
  return createSession('postgres', db as unknown as Database, tables, (query) => db.execute(query));
}

async function migrate(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const done = await applyMissing('postgres', {
      execute: async (statement) => void (await client.query(statement)),
      applied: async () =>
        (await client.query<{ made_at: string }>('select made_at from schema_migrations')).rows.map((row) =>
          Number(row.made_at),
        ),
      record: async ({ folderMillis, hash }) =>
        void (await client.query('insert into schema_migrations values ($1, $2)', [folderMillis, hash])),
    });
    await client.query('commit');
    return done > 0 && (await client.query('select 1 from brokers limit 1')).rowCount === 0;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** The same reads, with a database that is away told apart from a query that is wrong. */
function guarded<T extends Record<string, object>>(groups: T): T {
  const guard = <F>(call: F): F =>
    (typeof call === 'function'
      ? (...args: unknown[]) =>
          Promise.resolve(call(...args)).catch((error: unknown) => {
            throw explained(error);
          })
      : call) as F;
  return Object.fromEntries(
    Object.entries(groups).map(([name, group]) => [
      name,
      Object.fromEntries(Object.entries(group).map(([method, call]) => [method, guard(call)])),
    ]),
  ) as T;
}

/** Serialization failure, deadlock: the other transaction won, and trying again will see what it did. */
const isLostRace = (error: unknown): boolean => ['40001', '40P01'].includes(sqlStateOf(error));

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
  return String(cause?.code ?? code ?? '');
}

function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { message?: unknown } };
  return String(cause?.message ?? message ?? '');
}
