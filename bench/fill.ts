import { randomBytes } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { DAY_MS } from '../src/rules/durations.ts';
import { composeKey, hashKey, newKeyParts } from '../src/rules/key-format.ts';
import { nextRenewal } from '../src/rules/renewals.ts';
import { systemClock as clock } from '../src/runtime/clock.ts';
import { openPostgres } from '../src/store/drivers/postgres.ts';
import { openSqlite } from '../src/store/drivers/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { aBroker, aKey, aPlan } from '../test/support/rows.ts';

/** How many services share one client address, so that a filter on it matches few of them. */
const SERVICES_PER_CLIENT = 20;

/**
 * Fills a database with one broker, its key (as many calls as it likes), a firewall rule, two plans and services with
 * the numbers 1 to `services`. Returns the key. `url` is a DATABASE_URL; a PostgreSQL database must stand empty.
 */
export async function fill(url: string, services: number): Promise<string> {
  const file = url.startsWith('file:') ? url.slice('file:'.length) : undefined;
  const store = file ? await openSqlite({ file, monotonic: clock.monotonic }) : await openPostgres({ url });
  const key = await store.tx(addBroker);
  await store.close();
  // Created one after the other, with a renewal within the coming month, as every monthly service has one.
  const now = clock.now();
  const rows = `
    n, 'brk_bench', 'active', 'one', 'Client ' || n, 'c' || (n / ${SERVICES_PER_CLIENT}) || '@example.com',
    'c' || (n / ${SERVICES_PER_CLIENT}) || '@example.com', 'REF-' || n, 'client ' || n || 'Zref-' || n, ${now} - n, ${now} - n,
    ${nextRenewal(0, now)} + n % 28 * ${DAY_MS}, n % 28 * ${DAY_MS}`;
  const columns = `number, broker_id, status, plan_id, client_name, client_email, client_email_folded, external_reference,
    search_text, created_at, updated_at, renewal_at, renewal_anchor, requires_operator_review`;
  const counted = `insert into counters (broker_id, subject, kind, status, value) values ('brk_bench', 'services', 'one', 'active', ${services})`;
  if (file) {
    const db = new Sqlite(file);
    // A file that a crash leaves half filled does no harm.
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = OFF');
    db.pragma('cache_size = -500000');
    // Indexes are sorted at the end: kept up row by row, those of ten million take hours.
    const indexes = db
      .prepare<[], { name: string; sql: string }>(
        `select name, sql from sqlite_schema where type = 'index' and tbl_name = 'services' and sql is not null`,
      )
      .all();
    db.exec(`begin; ${indexes.map(({ name }) => `drop index ${name};`).join(' ')}
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${services})
      insert into services (${columns}) select ${rows}, 0 from numbers;
      ${indexes.map(({ sql }) => `${sql};`).join('\n')}
      ${counted}; commit`);
    db.pragma('journal_mode = WAL');
    db.close();
  } else {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `insert into services (${columns}) select ${rows}, false from generate_series(1, ${services}::bigint) n`,
    );
    await client.query(counted);
    await client.query('vacuum analyze');
    await client.end();
  }
  return key;
}

async function addBroker(tx: Parameters<Parameters<Store['tx']>[0]>[0]): Promise<string> {
  const now = clock.now();
  const parts = newKeyParts((n) => randomBytes(n));
  const key = composeKey({ mode: 'live', ...parts });
  const broker = aBroker({
    id: 'brk_bench',
    slug: 'bench',
    ipRestrictionEnabled: true,
    createdAt: now,
    updatedAt: now,
  });
  const plan = (id: string, upgradeRank: number) =>
    aPlan(broker, {
      id,
      slug: id,
      displayName: id.toUpperCase(),
      displayNameFolded: `the ${id}`,
      upgradeRank,
      createdAt: now,
      updatedAt: now,
    });
  await tx.brokers.insert(broker);
  await tx.firewall.insert({ id: 'fwr_1', brokerId: 'brk_bench', rule: '127.0.0.0/8', note: null, createdAt: now });
  await tx.keys.insert(
    aKey(broker, {
      id: 'key_bench',
      publicId: parts.publicId,
      hash: hashKey(key),
      name: 'The benchmark',
      rateLimit: 1_000_000,
      createdAt: now,
    }),
  );
  await tx.plans.upsert([plan('one', 1), plan('two', 2)]);
  return key;
}
