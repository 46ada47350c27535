import { randomBytes } from 'node:crypto';
import pg from 'pg';
import t, { type Test } from 'tap';
import { openPostgres, openPostgresTables } from '../../src/store/postgres.ts';
import { isOutOfService, postgresContract } from './contract/postgres.ts';
import { storeContract } from './contract.ts';
import { aPlan, stock, T0 } from './records.ts';
import { openProxy } from './tcp-proxy.ts';

const { TEST_POSTGRES_URL, REQUIRE_SERVICES } = process.env;
const serverUrl = TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const unreachable = await connect(serverUrl).then(
  (client) => client.end().then(() => undefined),
  (error: Error) => error,
);

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  await client.connect();
  return client;
}

/** A database of this test alone, with a connection beside the store's. */
async function scratch(t: Test) {
  const name = `broker_test_${randomBytes(6).toString('hex')}`;
  const server = await connect(serverUrl);
  await server.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const admin = await connect(url.href);
  /** Asks until the answer is yes; the test's own time limit ends it. */
  const until = async (question: string) => {
    for (;;) {
      const { rows } = await admin.query({ text: `select (${question}) as yes`, rowMode: 'array' });
      if (rows[0]?.[0]) return;
    }
  };
  t.teardown(async () => {
    // A closed pool does not wait for the server's side of its connections.
    await until(`select count(*) = 0 ${storesConnections}`);
    await admin.end();
    await server.query(`drop database ${name}`);
    await server.end();
  });
  return { url: url.href, admin, until };
}

async function setUp(t: Test, options: { poolSize?: number; throughProxy?: boolean } = {}) {
  const { url, admin, until } = await scratch(t);
  const direct = new URL(url);
  const proxy = await openProxy({ host: direct.hostname, port: Number(direct.port || 5432) });
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${proxy.port}`;
  const idleFaults: Error[] = [];
  const store = await openPostgres({
    url: options.throughProxy ? proxied.href : url,
    poolSize: options.poolSize ?? 4,
    onError: (error) => idleFaults.push(error),
  });
  t.teardown(async () => {
    await store.close();
    await proxy.cut();
  });
  return { url, proxiedUrl: proxied.href, admin, until, proxy, store, idleFaults };
}

const storesConnections = `from pg_stat_activity
  where datname = current_database() and application_name = 'broker-service-api'`;

if (unreachable) {
  const message = `NO POSTGRESQL SERVER ANSWERS: the store was not tried on one. Set TEST_POSTGRES_URL. (${unreachable.message})`;
  const required = REQUIRE_SERVICES === '1' || TEST_POSTGRES_URL !== undefined;
  t.test('PostgreSQL keeps the store’s contract', required ? {} : { skip: message }, async (t) => t.fail(message));
  if (!required) console.error(message);
} else {
  t.test('PostgreSQL keeps the store’s contract, opened twice at the same time', async (t) => {
    const { url } = await scratch(t);
    const open = () => openPostgres({ url, poolSize: 10, onError: (error) => t.error(error) });
    const [store, beside] = await Promise.all([open(), open()]);
    t.strictSame([store.created, beside.created].sort(), [false, true], 'one of the two migrated');
    await storeContract(t, async () => ({ store, beside }));
    await postgresContract(t, store);
    const later = await open();
    t.equal(later.created, false);
    await later.close();
  });

  t.test('a database that cannot be migrated is left as it was, without connections', async (t) => {
    const { url, admin, until } = await scratch(t);
    await admin.query('create table services (number bigint)');
    const open = () => openPostgres({ url, poolSize: 2, onError: (error) => t.error(error) });
    await t.rejects(open(), /"services" already exists/);
    const { rows } = await admin.query("select tablename from pg_tables where schemaname = 'public'");
    t.strictSame(rows, [{ tablename: 'services' }]);
    await until(`select count(*) = 0 ${storesConnections}`);
    await admin.query('drop table services');
    const store = await open();
    t.equal(store.created, true);
    await store.close();
  });

  t.test('two that wait for one another are told apart by the server, and the loser tries again', async (t) => {
    const { store } = await setUp(t);
    const { broker, rows } = await stock(store, 2);
    const numbers = rows.map((row) => row.number);
    let attempts = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const change = (first: number, then: number) =>
      store.tx(async (tx) => {
        attempts += 1;
        const before = await tx.services.lock(broker.id, first);
        if (attempts >= 2) meet();
        await met;
        await tx.services.lock(broker.id, then);
        await tx.services.update(broker.id, first, { label: `${before?.label ?? ''}+` });
        await tx.services.update(broker.id, then, { status: 'suspended' });
      });
    const [one = 0, two = 0] = numbers;
    await Promise.all([change(one, two), change(two, one)]);
    t.ok(attempts >= 3);
    t.equal(await store.read.counters.total(broker.id, 'services', { status: 'suspended' }), 2);
    t.equal((await store.read.services.find(broker.id, one))?.label, '+', 'the undone attempt left no trace');
  });

  t.test('a statement that is cut off answers that the database is out of service', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker, service } = await stock(store);
    await admin.query('begin');
    await admin.query('select 1 from services for update');
    const waiting = isOutOfService(
      t,
      store.tx((tx) => tx.services.lock(broker.id, service.number)),
      'cut off',
    );
    await until(`select count(*) = 1 ${storesConnections} and wait_event_type = 'Lock'`);
    await admin.query(`select pg_cancel_backend(pid) ${storesConnections} and wait_event_type = 'Lock'`);
    await waiting;
    await admin.query('rollback');
    t.strictSame(await store.tx((tx) => tx.services.lock(broker.id, service.number)), service);
  });

  t.test('a connection that is lost between two statements fails its own transaction alone', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker, plan } = await stock(store);
    const work = store.tx(async (tx) => {
      await tx.plans.insert(aPlan(broker));
      await admin.query(`select pg_terminate_backend(pid) ${storesConnections} and state = 'idle in transaction'`);
      await until(`select count(*) = 0 ${storesConnections} and state = 'idle in transaction'`);
      // The driver hears of it before it is asked for anything else.
      await new Promise((resolve) => setImmediate(resolve));
      return tx.plans.list(broker.id);
    });
    await isOutOfService(t, work, 'the transaction');
    t.strictSame(await store.read.plans.list(broker.id), [plan]);
    await store.tx((tx) => tx.plans.insert(aPlan(broker)));
    t.equal((await store.read.plans.list(broker.id)).length, 2);
  });

  t.test('a connection for copying that is lost fails what is asked of it next, and nothing else', async (t) => {
    const { url, admin, until } = await scratch(t);
    const tables = await openPostgresTables(url);
    const copying = `from pg_stat_activity where application_name = 'broker-service-api copy'`;
    await admin.query(`select pg_terminate_backend(pid) ${copying}`);
    await until(`select count(*) = 0 ${copying}`);
    await t.rejects(tables.snapshot(async () => undefined));
    await tables.close();
  });

  t.test('connections that are lost while idle are told of and replaced', async (t) => {
    const { store, admin, until, idleFaults } = await setUp(t);
    const { broker } = await stock(store);
    await Promise.all(Array.from({ length: 4 }, () => store.read.brokers.list()));
    await admin.query(`select pg_terminate_backend(pid) ${storesConnections}`);
    await until(`select count(*) = 0 ${storesConnections}`);
    while (idleFaults.length < 1) await new Promise((resolve) => setImmediate(resolve));
    t.match(idleFaults[0]?.message, /terminat/);
    // Each of the other connections may be met once before the pool has noticed.
    for (let lost = 0; lost < 4; lost += 1) await store.read.brokers.list().catch(() => undefined);
    t.strictSame(await store.read.brokers.list(), [broker]);
  });

  t.test('a server that goes away answers that it is out of service, and is found again when it is back', async (t) => {
    const { store, proxy, proxiedUrl } = await setUp(t, { throughProxy: true, poolSize: 2 });
    const { broker } = await stock(store);
    let cut: Promise<void> = Promise.resolve();
    const inFlight = store.tx(async (tx) => {
      await tx.brokers.update(broker.id, { name: 'Never stored' });
      cut = proxy.cut();
      return tx.brokers.find(broker.id);
    });
    await isOutOfService(t, inFlight, 'a transaction in flight');
    await cut;
    await isOutOfService(t, store.read.brokers.list(), 'a read');
    await isOutOfService(
      t,
      store.tx((tx) => tx.brokers.find(broker.id)),
      'a transaction',
    );
    await t.rejects(store.ping());
    await t.rejects(openPostgres({ url: proxiedUrl, poolSize: 1, onError: () => undefined }), { code: 'ECONNREFUSED' });
    await proxy.mend();
    await t.resolves(store.ping());
    t.strictSame(await store.read.brokers.list(), [broker]);
    t.strictSame(await store.tx((tx) => tx.brokers.find(broker.id)), broker);
  });

  t.test('an expired key that another transaction takes anew meanwhile is not taken from it', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker } = await stock(store);
    const claim = {
      brokerId: broker.id,
      mode: 'live' as const,
      namespace: 'action' as const,
      key: 'key',
      fingerprint: 'f',
      createdAt: T0,
      expiresAt: T0 + 10,
    };
    await store.tx((tx) => tx.idempotency.claim(claim));
    await admin.query('begin');
    await admin.query('select 1 from idempotency_records for update');
    const late = store.tx((tx) => tx.idempotency.claim({ ...claim, createdAt: T0 + 20, expiresAt: T0 + 30 }));
    await until(`select count(*) = 1 ${storesConnections} and wait_event_type = 'Lock'`);
    await admin.query('update idempotency_records set status_code = 200, body = $1, expires_at = $2', [
      'first',
      T0 + 30,
    ]);
    await admin.query('commit');
    t.match(await late, { statusCode: 200, body: 'first' });
  });
}
