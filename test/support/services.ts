import { createHash, randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Test } from 'tap';
import { migrationsOf } from '../../src/store/drivers/migrate.ts';
import { openPostgres } from '../../src/store/drivers/postgres.ts';
import type { Store } from '../../src/store/store.ts';
import { PATIENCE_MS } from './until.ts';

/** The servers that tests may use; `.ci/run` makes sure that both are there. */
export const POSTGRES_URL = process.env.TEST_POSTGRES_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
export const REDIS_URL = process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379';

/**
 * Whether a test's services answer. Where one does not, the test is skipped with a line that cannot be overlooked,
 * or fails where `REQUIRE_SERVICES` is set.
 */
export async function services(t: Test, ...names: Array<'PostgreSQL' | 'Redis'>): Promise<boolean> {
  for (const name of names) {
    const reason = await (name === 'Redis' ? askRedis() : admin('select 1').then(nothing, String));
    if (reason === undefined) continue;
    const line = `${name} DOES NOT ANSWER, so "${t.name}" is NOT TESTED: ${reason}`;
    if (process.env.REQUIRE_SERVICES) t.fail(line);
    else {
      process.stderr.write(`\n*** ${line}\n`);
      t.pass(line, { skip: line });
    }
    return false;
  }
  return true;
}

const nothing = () => undefined;

async function askRedis(): Promise<string | undefined> {
  const redis = new Redis(REDIS_URL, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', nothing);
  try {
    await redis.connect();
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    redis.disconnect();
  }
}

/** A server that is not there refuses at once; one that is there answers, on a busy machine after a while. */
export const CONNECT_PATIENCE_MS = 60_000;

/** One statement on the server's own database, which no test changes. */
async function admin(...statements: string[]): Promise<pg.QueryResult | undefined> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: CONNECT_PATIENCE_MS });
  await client.connect();
  try {
    let result: pg.QueryResult | undefined;
    for (const statement of statements) result = await client.query(statement);
    return result;
  } finally {
    await client.end();
  }
}

const urlOf = (database: string): string => Object.assign(new URL(POSTGRES_URL), { pathname: `/${database}` }).href;

const randomName = () => `broker_test_${randomBytes(6).toString('hex')}`;

/** A database of its own on the real server: an empty one, with all migrations applied already, or a copy. */
export async function createDatabase({
  migrated = false,
  copyOf,
}: {
  migrated?: boolean;
  copyOf?: string | undefined;
} = {}) {
  const name = randomName();
  const template = migrated ? await templateName() : copyOf;
  await admin(`create database ${name}${template ? ` template ${template}` : ''}`);
  return {
    name,
    url: urlOf(name),
    /** Ends every connection to it, as a restart of the server would. Returns how many there were. */
    async cutConnections(): Promise<number> {
      const cut = await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      return cut?.rowCount ?? 0;
    },
    drop: async () => void (await admin(`drop database if exists ${name} with (force)`)),
  };
}

let template: Promise<string> | undefined;

/** The migrated database that the others are cloned from: made once for each state of the migrations. */
function templateName(): Promise<string> {
  template ??= makeTemplate();
  return template;
}

/** Processes that test at the same time take turns under this lock; the number is arbitrary. */
const TEMPLATE_LOCK = 5_310_277;

async function makeTemplate(): Promise<string> {
  const state = migrationsOf('postgres').map((migration) => migration.hash);
  const name = `broker_template_${createHash('sha256').update(state.join()).digest('hex').slice(0, 12)}`;
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const standing = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (standing.rowCount === 0) {
      const making = randomName();
      await client.query(`create database ${making}`);
      await (await openPostgres({ url: urlOf(making) })).close();
      // It gets its name when it is complete, so that a run that was killed leaves no half of one.
      await client.query(`alter database ${making} rename to ${name}`);
    }
    return name;
  } finally {
    await client.end();
  }
}

/** A store on a fresh database of the real server, which goes when the store is closed. */
export async function openScratchPostgres(): Promise<Store & { url: string }> {
  const database = await createDatabase({ migrated: true });
  const store = await openPostgres({ url: database.url, queuePatienceMs: PATIENCE_MS });
  return {
    ...store,
    url: database.url,
    async close() {
      await store.close();
      await database.drop();
    },
  };
}

/** Whether the suite is to run on PostgreSQL: `npm run test:postgres`. */
export const ON_POSTGRES = process.env.TEST_ENGINE === 'postgres';
