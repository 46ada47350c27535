import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { postgresSandboxTables } from '../../../drizzle/sandbox.ts';
import { upgradeService } from '../../../src/broker/submit-request.ts';
import { fail } from '../../../src/errors.ts';
import { fulfilRequest } from '../../../src/lifecycle/fulfil-request.ts';
import { operatorOwner } from '../../../src/limits/operator-slot.ts';
import { importServices } from '../../../src/operator/services/import.ts';
import type { Context } from '../../../src/ports.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createIds } from '../../../src/runtime/ids.ts';
import { VERSION } from '../../../src/runtime/version.ts';
import { openPostgres, type PostgresStore } from '../../../src/store/drivers/postgres.ts';
import { openPostgresTables } from '../../../src/store/drivers/postgres-tables.ts';
import { preparePostgresSandbox } from '../../../src/store/drivers/sandbox-schema.ts';
import type { ServiceView } from '../../../src/store/queries/services.ts';
import { type ConnectionOwner, type Store, storeFor } from '../../../src/store/store.ts';
import { recordsProvisioner } from '../../../src/worker/compose.ts';
import { full } from '../../support/full.ts';
import { anAuditRow, aPlan, aRequest, aService, stock, T0 } from '../../support/rows.ts';
import { CONNECT_PATIENCE_MS, createDatabase } from '../../support/services.ts';
import { AN_OPERATOR } from '../../support/world.ts';
import { numberContract } from '../contract/numbers.ts';
import { isOutOfService, postgresContract } from '../contract/postgres.ts';
import { storeContract } from '../contract.ts';
import { openProxy } from './tcp-proxy.ts';

const { TEST_POSTGRES_URL, REQUIRE_SERVICES } = process.env;
const serverUrl = TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const unreachable = await connect(serverUrl).then(
  (client) => client.end().then(() => undefined),
  (error: Error) => error,
);

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_PATIENCE_MS });
  await client.connect();
  return client;
}

/** A database of this test alone, with a connection beside the store's. */
async function scratch(t: Test, { migrated }: { migrated: boolean }) {
  const database = await createDatabase({ migrated });
  const url = new URL(database.url);
  const admin = await connect(url.href);
  // Within a transaction the server shows what it looked like at the first question.
  const watcher = await connect(url.href);
  /** Asks until the answer is yes; the test's own time limit ends it. */
  const until = async (question: string) => {
    for (;;) {
      const { rows } = await watcher.query({ text: `select (${question}) as yes`, rowMode: 'array' });
      if (rows[0]?.[0]) return;
    }
  };
  t.teardown(async () => {
    // A closed pool does not wait for the server's side of its connections.
    await until(`select count(*) = 0 ${storesConnections}`);
    await admin.end();
    await watcher.end();
    await database.drop();
  });
  return { url: url.href, admin, until };
}

async function setUp(t: Test, options: { throughProxy?: boolean; longTimeouts?: boolean } = {}) {
  const time = { now: 0 };
  const { url, admin, until } = await scratch(t, { migrated: true });
  const direct = new URL(url);
  const proxy = await openProxy({ host: direct.hostname, port: Number(direct.port || 5432) });
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${proxy.port}`;
  const reports: string[] = [];
  const store = await openPostgres({
    url: options.throughProxy ? proxied.href : url,
    longTimeouts: options.longTimeouts ?? false,
    monotonic: () => time.now,
    report: (message, error) => reports.push(error ? `${message}: ${error.message}` : message),
  });
  t.teardown(async () => {
    await store.close();
    await proxy.cut();
  });
  return { url, proxiedUrl: proxied.href, admin, until, proxy, store, reports, time };
}

/** A full disk is made of one in memory, which root alone can, where the server runs on this machine. */
/** A full tablespace makes the checkpoints of the whole server fail, those that other tests wait for included. */
const cannotMount = () => (process.getuid?.() !== 0 && 'only root mounts a disk') || (!full && 'in the full run');

const storesConnections = `from pg_stat_activity
  where datname = current_database() and application_name = 'broker-service-api ${VERSION}'`;

if (unreachable) {
  const message = `NO POSTGRESQL SERVER ANSWERS: the store was not tried on one. Set TEST_POSTGRES_URL. (${unreachable.message})`;
  const required = REQUIRE_SERVICES === '1' || TEST_POSTGRES_URL !== undefined;
  t.test('PostgreSQL keeps the store’s contract', required ? {} : { skip: message }, async (t) => t.fail(message));
  if (!required) console.error(message);
} else {
  t.test('PostgreSQL keeps the store’s contract, opened twice at the same time', async (t) => {
    const { url } = await scratch(t, { migrated: false });
    // On a busy machine the second one waits long enough for the first one's migration to say so.
    const report = (message: string) => void (/^a migration waits/.test(message) || t.fail(message));
    const open = () => openPostgres({ url, report });
    const [store, beside] = await Promise.all([open(), open()]);
    t.strictSame([store.created, beside.created].sort(), [false, true], 'one of the two migrated');
    const other = await connect(url);
    t.teardown(() => other.end());
    await storeContract(t, async () => ({ store, beside, run: (sql) => other.query(sql) }));
    await postgresContract(t, store);
    const later = await open();
    t.equal(later.created, false);
    await later.close();
  });

  t.test('issuing service numbers keeps its contract beside blocks of used ones', async (t) => {
    const { store, admin } = await setUp(t);
    const { query } = pg.Client.prototype;
    await numberContract(t, {
      store,
      async fill(brokerId, planId, from, count) {
        await admin.query(
          `insert into services (number, broker_id, status, plan_id, client_name, search_text,
             requires_operator_review, created_at, updated_at)
           select number, $1, 'active', $2, 'Ada', 'ada', false, 0, 0
           from generate_series($3::bigint, $3::bigint + $4::bigint - 1) number`,
          [brokerId, planId, from, count],
        );
      },
      async countStatements(work) {
        let asked = 0;
        pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
          asked += 1;
          return (query as (...args: never[]) => unknown).apply(this, args);
        } as typeof query;
        try {
          await work();
        } finally {
          pg.Client.prototype.query = query;
        }
        return asked;
      },
    });
  });

  t.test('no statement changes the audit trail, or removes a row of it before its year is over', async (t) => {
    const { store, admin } = await setUp(t);
    const young = anAuditRow({ at: Date.now() - 364 * 86_400_000 });
    const old = anAuditRow({ at: Date.now() - 366 * 86_400_000 });
    for (const row of [young, old]) await store.tx((tx) => tx.audit.insert(row));
    for (const statement of [
      "update audit_trail set actor = 'nobody'",
      `update audit_trail set at = 0 where id = '${old.id}'`,
      'delete from audit_trail',
      `delete from audit_trail where id = '${young.id}'`,
      'truncate audit_trail',
    ]) {
      await t.rejects(admin.query(statement), /the audit trail is (never changed|kept for 365 days)/, statement);
    }
    await admin.query(`delete from audit_trail where id = '${old.id}'`);
    t.strictSame(await store.read.audit.list({}, 10), [young]);
  });

  t.test('a database that cannot be migrated is left as it was, without connections', async (t) => {
    const { url, admin, until } = await scratch(t, { migrated: false });
    await admin.query('create table services (number bigint)');
    const open = () => openPostgres({ url, report: (message) => t.fail(message) });
    await t.rejects(open(), /"services" already exists/);
    const { rows } = await admin.query("select tablename from pg_tables where schemaname = 'public'");
    t.strictSame(rows, [{ tablename: 'services' }]);
    await until(`select count(*) = 0 ${storesConnections}`);
    await admin.query('drop table services');
    const store = await open();
    t.equal(store.created, true);
    await store.close();
  });

  t.test('two that wait for one another are distinguished by the server, and the loser tries again', async (t) => {
    const { store } = await setUp(t);
    const { broker, rows } = await stock(store, 2);
    const numbers = rows.map((row) => row.number);
    let attempts = 0;
    let held = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const change = (first: number, then: number) =>
      store.tx(async (tx) => {
        attempts += 1;
        const before = await tx.services.lock(broker.id, first);
        held += 1;
        if (held >= 2) meet();
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

  /** An upgrade of each of four services, under a key of its own. */
  async function upgrading(store: PostgresStore) {
    const { broker, plan, rows } = await stock(store, 4);
    const newPlan = aPlan(broker, { upgradeRank: plan.upgradeRank + 1 });
    await store.tx((tx) => tx.plans.insert(newPlan));
    const context = { store, newId: createIds(), clock: systemClock } as unknown as Context;
    const upgrades = rows.map(({ number }) => () => {
      const asked = { serviceNumber: number, newPlan: newPlan.id } as const;
      const name = { brokerId: broker.id, mode: 'live', namespace: 'action', key: String(number) } as const;
      const claim = {
        name,
        fingerprint: '',
        onOtherInput: 'compare',
        keepForMs: 60_000,
        encode: JSON.stringify,
      } as const;
      return upgradeService(context, { brokerId: broker.id }, asked, claim);
    });
    return { broker, rows, upgrades };
  }

  /** The statements of a work, each with its round trip: one more than the latest whose answer had come when it was sent. */
  async function statementsOf(work: () => Promise<unknown>) {
    const { query } = pg.Client.prototype;
    const sent: Array<{ trip: number; text: string }> = [];
    let answered = 0;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [config] = args as [string | { text: string }];
      const trip = answered + 1;
      sent.push({ trip, text: typeof config === 'string' ? config : config.text });
      const note = () => {
        answered = Math.max(answered, trip);
      };
      const last = args.at(-1);
      // Drizzle takes a promise, the pool a callback.
      if (typeof last === 'function') {
        args[args.length - 1] = (...answer: unknown[]) => {
          note();
          last(...answer);
        };
      }
      const answer = (query as (...args: unknown[]) => Promise<unknown> | undefined).apply(this, args);
      answer?.then(note, note);
      return answer;
    } as typeof query;
    try {
      await work();
    } finally {
      pg.Client.prototype.query = query;
    }
    return { sent, trips: sent.at(-1)?.trip };
  }

  t.test('an upgrade under a key is accepted in five round trips, and completed in ten', async (t) => {
    const { store } = await setUp(t);
    const { upgrades } = await upgrading(store);
    const context = { store, newId: createIds(), clock: systemClock } as unknown as Context;
    const claim = (now: number) => ({ now, leaseUntil: now + 60_000, leaseOwner: String(now), limit: 1 });
    const complete = async () => {
      const leases = await store.tx((tx) => tx.requests.claimDue(claim(Date.now())));
      for (const lease of leases) await fulfilRequest(context, recordsProvisioner, lease);
      return leases.length;
    };
    const [first, second] = upgrades as [() => Promise<unknown>, () => Promise<unknown>];
    // Opens the connections.
    await Promise.all([first(), store.read.brokers.list()]);
    t.equal(await complete(), 1);

    const accepted = await statementsOf(second);
    t.equal(accepted.trips, 5, accepted.sent.map(({ trip, text }) => `${trip} ${text.slice(0, 60)}`).join('\n'));
    const tripOf = (part: RegExp) => accepted.sent.findIndex(({ text }) => part.test(text));
    t.ok(
      tripOf(/pg_advisory_xact_lock/) < tripOf(/from "idempotency_records"/),
      'the key is looked up behind its lock',
    );
    t.ok(tripOf(/from "services".*for update/) < tripOf(/from "plans"/), 'and plans behind that of the service');
    const completed = await statementsOf(complete);
    t.equal(completed.trips, 10, completed.sent.map(({ trip, text }) => `${trip} ${text.slice(0, 60)}`).join('\n'));
  });

  t.test('a change that is cut off while it waits is out of service, whatever it waits for', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker, rows, upgrades } = await upgrading(store);
    const waiting = `${storesConnections} and wait_event_type = 'Lock'`;
    const isCutOff = async (upgrade: () => Promise<unknown>, what: string) => {
      const cutOff = isOutOfService(t, upgrade(), what);
      await until(`select count(*) = 1 ${waiting}`);
      await admin.query(`select pg_cancel_backend(pid) ${waiting}`);
      await cutOff;
    };
    const [first, second] = upgrades as [() => Promise<unknown>, () => Promise<unknown>];
    await admin.query('begin');
    await admin.query('select 1 from services for update');
    await isCutOff(first, 'waiting for its service');
    await admin.query('rollback');

    await admin.query('begin');
    const name = `idempotency ${broker.id} live action ${rows[1]?.number}`;
    await admin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
    await isCutOff(second, 'waiting for its key');
    await admin.query('rollback');
    t.match(await Promise.all([first(), second()]), [{ statusCode: 200 }, { statusCode: 200 }]);
  });

  t.test('a replay does not wait for a change of the service', async (t) => {
    const { store, admin } = await setUp(t);
    const { upgrades } = await upgrading(store);
    const [upgrade] = upgrades as [() => Promise<unknown>];
    const first = (await upgrade()) as object;
    await admin.query('begin');
    await admin.query('select 1 from services for update');
    t.strictSame(await upgrade(), { ...first, replayed: true });
    await admin.query('rollback');
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
    const { url, admin, until } = await scratch(t, { migrated: true });
    const tables = await openPostgresTables(url);
    const copying = `from pg_stat_activity where application_name = 'broker-service-api copy'`;
    await admin.query(`select pg_terminate_backend(pid) ${copying}`);
    await until(`select count(*) = 0 ${copying}`);
    await t.rejects(tables.snapshot(async () => undefined));
    await tables.close();
  });

  t.test('connections that are lost while idle are reported and replaced', async (t) => {
    const { store, admin, until, reports, time } = await setUp(t);
    const { broker } = await stock(store);
    await Promise.all(Array.from({ length: 4 }, () => store.read.brokers.list()));
    await admin.query(`select pg_terminate_backend(pid) ${storesConnections}`);
    await until(`select count(*) = 0 ${storesConnections}`);
    while (reports.length < 1) await new Promise((resolve) => setImmediate(resolve));
    t.match(reports, [/^the connection to PostgreSQL is lost: .*terminat/]);
    // Each of the other connections may be met once before the pool has noticed.
    for (let lost = 0; lost < 4; lost += 1) await store.read.brokers.list().catch(() => undefined);
    time.now += 1_000;
    t.strictSame(await store.read.brokers.list(), [broker]);
    t.equal(reports.length, 2, 'one line for the outage, however many connections are lost, and one when it is over');
    t.equal(reports[1], 'the database can be used again');
  });

  t.test('a server that goes away answers that it is out of service, and is found again when it is back', async (t) => {
    const { store, proxy, proxiedUrl, time } = await setUp(t, { throughProxy: true });
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
    await t.rejects(openPostgres({ url: proxiedUrl }), { code: 'ECONNREFUSED' });
    await proxy.mend();
    time.now += 1_000;
    await t.resolves(store.ping());
    t.strictSame(await store.read.brokers.list(), [broker]);
    t.strictSame(await store.tx((tx) => tx.brokers.find(broker.id)), broker);
  });

  t.test('a broker whose changes wait for a row holds up no other one, and not for long', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker, service } = await stock(store);
    const { broker: another } = await stock(store);
    await admin.query('begin');
    await admin.query('select 1 from services where number = $1 for update', [service.number]);
    const as = (owner: ConnectionOwner) => storeFor(store, owner);
    const lock = (by: Store) => by.tx((tx) => tx.services.lock(broker.id, service.number));
    const shares: [ConnectionOwner, ...ConnectionOwner[]] = [
      { share: 'calls', name: broker.id },
      { share: 'console', name: 'console' },
      { share: 'background', name: 'background' },
    ];
    const waiting = shares.flatMap((owner) =>
      Array.from({ length: 20 }, () => isOutOfService(t, lock(as(owner)), 'given up')),
    );
    await until(`select count(*) = 9 ${storesConnections} and wait_event_type = 'Lock'`);
    const others = as({ share: 'calls', name: another.id });
    await others.tx((tx) => tx.brokers.update(another.id, { name: 'Changed meanwhile' }));
    t.match(await others.read.brokers.find(another.id), { name: 'Changed meanwhile' });
    t.match(await as({ share: 'keys', name: 'known' }).read.brokers.find(another.id), { id: another.id });
    await store.slow({ key: broker.id }, (read) => read.brokers.list());
    await t.resolves(store.ping());
    // The row is never given free: the patience ends by itself.
    await Promise.all(waiting);
    await admin.query('rollback');
    t.match(await lock(as(shares[0])), { number: service.number });
  });

  t.test('where too many wait, the broker that floods is refused, and no other caller', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker, service } = await stock(store);
    const { broker: another } = await stock(store);
    const flooding = storeFor(store, { share: 'calls', name: broker.id });
    const other = storeFor(store, { share: 'calls', name: another.id });
    await admin.query('begin');
    await admin.query('select 1 from services for update');
    const lock = () => flooding.tx((tx) => tx.services.lock(broker.id, service.number));
    const held = Array.from({ length: 5 }, lock);
    await until(`select count(*) = 5 ${storesConnections} and wait_event_type = 'Lock'`);
    const waiting = Array.from({ length: 600 }, () => flooding.read.brokers.find(broker.id));
    t.strictSame(store.connections?.().waiting, 600);
    await isOutOfService(t, lock(), 'a change');
    await isOutOfService(t, flooding.read.brokers.list(), 'a read');
    const others = Array.from({ length: 200 }, () => other.read.brokers.find(another.id));
    t.ok((await Promise.all(others)).every((found) => found?.id === another.id));
    await admin.query('rollback');
    await Promise.all([...held, ...waiting]);
    t.equal(store.connections?.().waiting, 0);
  });

  t.test('a process has eighteen connections at most, whoever asks, and two are left for an import', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker, service } = await stock(store);
    await admin.query('begin');
    await admin.query('select 1 from services for update');
    await admin.query('lock table brokers in access exclusive mode');
    const sandbox = await store.openTables(postgresSandboxTables, preparePostgresSandbox);
    const works: Promise<unknown>[] = [];
    for (let name = 0; name < 30; name += 1) {
      works.push(storeFor(sandbox, { share: 'calls', name: `brk_${name}` }).read.services.find(broker.id, 1));
      for (const share of ['calls', 'keys', 'console', 'background'] as const) {
        const by = storeFor(store, { share, name: `${share} ${name}` });
        works.push(by.tx((tx) => tx.services.lock(broker.id, service.number)));
        works.push(by.read.brokers.list());
      }
      works.push(store.slow({ key: `brk_${name}` }, (read) => read.brokers.list()));
      works.push(store.slow(operatorOwner(), (read) => read.brokers.list()));
    }
    await until(`select count(*) >= 14 ${storesConnections} and wait_event_type = 'Lock'`);
    await admin.query('rollback');
    await Promise.all(works);
    const { rows } = await admin.query(`select count(*)::int ${storesConnections}`);
    t.ok(rows[0].count <= 18, `${rows[0].count} connections`);
  });

  t.test('what one service has open is not looked for among all that its broker has open', async (t) => {
    const { url, admin, until } = await scratch(t, { migrated: true });
    // The planner would scan a table this small.
    await admin.query(`alter database ${new URL(url).pathname.slice(1)} set enable_seqscan = off`);
    const store = await openPostgres({ url });
    const services = 60;
    const { broker, rows } = await stock(store, services);
    await admin.query('vacuum analyze');
    for (const service of rows) {
      const request = aRequest(service, { type: 'plan-upgrade', status: 'accepted' });
      await store.tx((tx) => tx.requests.insert(request));
      t.strictSame(await store.read.requests.listOpen(broker.id, service.number), [request]);
      t.match(await store.read.services.findView(broker.id, service.number), { openRequests: [{ id: request.id }] });
    }
    await store.close();
    await until(`select count(*) = 0 ${storesConnections}`);
    const { rows: read } = await admin.query(
      "select indexrelname as name from pg_stat_user_indexes where indexrelname like 'requests_open%' and idx_tup_read > 0",
    );
    t.strictSame(read, [{ name: 'requests_open' }]);
  });

  t.test('a copy goes once through the index of changes, not once a page', async (t) => {
    const { url, admin, until } = await scratch(t, { migrated: true });
    // The planner would scan a table this small.
    await admin.query(`alter database ${new URL(url).pathname.slice(1)} set enable_seqscan = off`);
    const store = await openPostgres({ url });
    const { broker, rows } = await stock(store, 200);
    await admin.query('vacuum analyze');
    const [limit, copied] = [10, [] as number[]];
    for (let after = { updatedAt: 0, number: 0 }; ; ) {
      const filter = { updatedSince: after.updatedAt, afterNumber: after.number };
      const page = await store.read.services.page(broker.id, filter, { limit, offset: 0 });
      copied.push(...page.map(({ service }) => service.number));
      if (page.length < limit) break;
      after = (page[limit - 1] as ServiceView).service;
    }
    t.strictSame(
      copied,
      rows.map(({ number }) => number),
    );
    await store.close();
    await until(`select count(*) = 0 ${storesConnections}`);
    const { rows: walked } = await admin.query(
      "select idx_tup_read::int as read from pg_stat_user_indexes where indexrelname = 'services_by_update'",
    );
    t.ok(walked[0].read <= 2 * rows.length, `${walked[0].read} entries were read of ${rows.length}`);
  });

  t.test('what a caller says in its own words is no outage and no wait', async (t) => {
    const { store, reports } = await setUp(t);
    for (const error of [
      fail.invalidState('service_terminated', 'The service is terminated'),
      new Error('There is no plan "timeout"'),
      new Error('There is no broker "connection terminated"'),
    ])
      await t.rejects(
        store.tx(() => Promise.reject(error)),
        error,
      );
    t.strictSame(reports, []);
  });

  t.test('each connection says how long it may hold others up, and a migration takes its time', async (t) => {
    const { connect } = pg.Client.prototype;
    const limits: Record<string, unknown[]> = {};
    pg.Client.prototype.connect = function (this: pg.Client, ...args: never[]) {
      const { application_name: name, ...each } = (this as unknown as { connectionParameters: Record<string, unknown> })
        .connectionParameters;
      limits[String(name)] = ['statement_timeout', 'query_timeout', 'lock_timeout'].map((limit) => each[limit] || 0);
      return (connect as (...args: never[]) => unknown).apply(this, args);
    } as typeof connect;
    t.teardown(() => {
      pg.Client.prototype.connect = connect;
    });
    const { store } = await setUp(t);
    await store.ping();
    t.match(limits, {
      'broker-service-api migration': [0, 0, 500],
      [`broker-service-api ${VERSION}`]: [10_000, 11_000, 2_000],
    });
    const { store: commands } = await setUp(t, { longTimeouts: true });
    await commands.ping();
    t.strictSame(limits[`broker-service-api ${VERSION}`], [60_000, 66_000, 12_000]);
  });

  t.test('health tries to write, once a second at most, and a server that refuses is not ready', async (t) => {
    const { store, admin, until, time } = await setUp(t);
    const written = async () =>
      (await admin.query({ text: 'select xmin::text from schema_migrations order by made_at limit 1' })).rows[0].xmin;
    const before = await written();
    await Promise.all([store.ping(), store.ping()]);
    const tried = await written();
    t.not(tried, before);
    time.now = 999;
    await store.ping();
    t.equal(await written(), tried);

    const { database } = (await admin.query('select current_database() as database')).rows[0];
    await admin.query(`alter database ${database} set default_transaction_read_only = on`);
    await admin.query(`select pg_terminate_backend(pid) ${storesConnections}`);
    await until(`select count(*) = 0 ${storesConnections}`);
    // Each of the lost connections may be met once.
    for (let lost = 0; lost < 4; lost += 1) await store.read.brokers.list().catch(() => undefined);
    time.now = 2_000;
    await isOutOfService(t, store.ping(), 'a server that takes no changes');
    t.strictSame(await store.read.brokers.list(), [], 'though it can be read');
    await admin.query(`alter database ${database} reset default_transaction_read_only`);
    await admin.query('set default_transaction_read_only = off');
    await admin.query(`select pg_terminate_backend(pid) ${storesConnections}`);
    await until(`select count(*) = 0 ${storesConnections}`);
    for (let lost = 0; lost < 4; lost += 1) await store.read.brokers.list().catch(() => undefined);
    time.now = 4_000;
    await t.resolves(store.ping());
  });

  t.test('a connection that has become read-only is replaced, with all that lead to the same server', async (t) => {
    const { store, admin, until, time } = await setUp(t);
    const { broker } = await stock(store);
    const pids = async () => {
      const { rows } = await admin.query({ text: `select pid ${storesConnections}`, rowMode: 'array' });
      return rows.flat();
    };
    const rename = (name: string) => store.tx((tx) => tx.brokers.update(broker.id, { name }));
    await Promise.all([rename('before'), store.read.brokers.list()]);
    const before = await pids();
    // As on a former primary: the sessions stand, and refuse to change anything.
    const { connect } = pg.Client.prototype;
    pg.Client.prototype.connect = function (this: pg.Client, ...args: never[]) {
      (this as unknown as { connectionParameters: { options: string } }).connectionParameters.options =
        '-c default_transaction_read_only=on';
      return (connect as (...args: never[]) => unknown).apply(this, args);
    } as typeof connect;
    await admin.query(`select pg_terminate_backend(pid) ${storesConnections}`);
    await until(`select count(*) = 0 ${storesConnections}`);
    for (let lost = 0; lost < 4; lost += 1) await store.read.brokers.list().catch(() => undefined);
    await store.tx(async () => undefined).catch(() => undefined);
    await store.tx(async () => undefined);
    const readOnly = await pids();
    t.notOk(readOnly.some((pid) => before.includes(pid)));
    pg.Client.prototype.connect = connect;

    time.now += 2_000;
    await isOutOfService(t, rename('never stored'), 'the change that finds out');
    await rename('after');
    t.match(await store.read.brokers.list(), [{ name: 'after' }]);
    await until(`select count(*) = 0 ${storesConnections} and pid in (${readOnly.join()})`);
    await t.resolves(store.ping());
  });

  t.test('a commit that the server confirms with a warning alone is not acknowledged', async (t) => {
    const { store, admin } = await setUp(t);
    const { broker, service } = await stock(store);
    const relabel = (label: string) => store.tx((tx) => tx.services.update(broker.id, service.number, { label }));
    // As PostgreSQL does when the wait for a synchronous standby is canceled.
    await admin.query(`create function warn() returns trigger language plpgsql as
      $$ begin raise warning 'canceling wait for synchronous replication'; return null; end $$`);
    await admin.query(`create constraint trigger warn after update on services deferrable initially deferred
      for each row execute function warn()`);
    await isOutOfService(t, relabel('perhaps'), 'it may be lost in a failover');
    await admin.query('drop trigger warn on services');
    await t.resolves(relabel('surely'), 'the connection is used again');
  });

  t.test('a full disk shows in health before a change finds it', { skip: cannotMount() }, async (t) => {
    const disk = mkdtempSync('/tmp/broker-disk-');
    execFileSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=32m,uid=${execFileSync('id', ['-u', 'postgres'])}`.trim(),
      'tmpfs',
      disk,
    ]);
    t.teardown(() => {
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    });
    const server = await connect(serverUrl);
    const name = `broker_test_${randomBytes(6).toString('hex')}`;
    await server.query(`create tablespace ${name} location '${disk}'`);
    await server.query(`create database ${name} tablespace ${name}`);
    const store = await openPostgres({
      url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
      monotonic: () => now,
    });
    let now = 0;
    t.teardown(async () => {
      await store.close();
      await server.query(`drop database ${name} with (force)`);
      await server.query(`drop tablespace ${name}`);
      await server.end();
    });
    await t.resolves(store.ping());
    const free = () => Number(statfsSync(disk).bavail) * statfsSync(disk).bsize;
    writeFileSync(join(disk, 'filler'), Buffer.alloc(free() - 100_000));
    now += 1_000;
    await isOutOfService(t, store.ping(), 'a few pages still fit, a change would soon not');
    rmSync(join(disk, 'filler'));
    now += 1_000;
    await t.resolves(store.ping());
  });

  t.test('an import that waits or takes long keeps no broker from being issued a service number', async (t) => {
    const { store, admin, until } = await setUp(t, { longTimeouts: true });
    const { broker, plan } = await stock(store);
    const client = { name: 'Ada' };
    const records = [
      { service_number: 77, client, plan: plan.slug },
      ...Array.from({ length: 1_000 }, (_, index) => ({ service_number: 1_000_001 + index, client, plan: plan.slug })),
      { client, plan: plan.slug },
    ];
    await admin.query('begin');
    await admin.query(
      `insert into services (number, broker_id, status, plan_id, client_name, search_text, requires_operator_review,
         created_at, updated_at) values (77, $1, 'active', $2, 'Ada', 'ada', false, 0, 0)`,
      [broker.id, plan.id],
    );
    const file = { name: 'services.json', content: Buffer.from(JSON.stringify(records)) };
    const importing = importServices(
      { store, clock: systemClock, newId: createIds(), actor: AN_OPERATOR },
      { broker: broker.slug, file },
    );
    await until(`select count(*) = 1 ${storesConnections} and wait_event_type = 'Lock'`);
    const number = await store.tx(async (tx) => {
      const issued = await tx.sequences.nextServiceNumber();
      await tx.services.insert([aService(broker, plan, { number: issued })]);
      return issued;
    });
    t.equal(number, 1_001_002, 'behind the numbers that the import brings, and the one that it was issued');
    await admin.query('rollback');
    t.match(await importing, { created: 1_002, issued_service_numbers: [1_001_001] });
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
    await store.tx(async (tx) => {
      await tx.idempotency.claim(claim);
      await tx.idempotency.complete(claim, { statusCode: 200, body: 'expired' });
    });
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

  t.test('a key that a server of an older build takes meanwhile is not taken from it', async (t) => {
    const { store, admin, until } = await setUp(t);
    const { broker } = await stock(store);
    const name = { brokerId: broker.id, mode: 'live', namespace: 'action', key: 'key' } as const;
    const claim = { ...name, fingerprint: 'f', createdAt: T0, expiresAt: T0 + 10 };
    // It claims a key by its row, and fills that in when the work is done.
    await admin.query('begin');
    await admin.query(
      `insert into idempotency_records (broker_id, mode, namespace, key, fingerprint, status_code, body, created_at, expires_at)
       values ($1, 'live', 'action', 'key', 'f', 0, '', $2, $3)`,
      [broker.id, T0, T0 + 10],
    );
    let works = 0;
    const outcome = store.tx(async (tx) => {
      const standing = await tx.idempotency.claim(claim);
      if (standing) return standing.body;
      works += 1;
      await tx.idempotency.complete(claim, { statusCode: 200, body: 'second' });
      return 'second';
    });
    await until(`select count(*) = 1 ${storesConnections} and wait_event_type = 'Lock'`);
    await admin.query(`update idempotency_records set status_code = 200, body = 'first'`);
    await admin.query('commit');
    t.equal(await outcome, 'first');
    t.equal(works, 1, 'whose transaction was undone');
  });
}
