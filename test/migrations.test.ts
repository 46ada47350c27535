import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import t, { type Test } from 'tap';
import { systemClock } from '../src/clock.ts';
import { composeParts, openTables } from '../src/compose.ts';
import { loadConfig } from '../src/config.ts';
import { DEMO_KEYS, removeDemo } from '../src/demo/demo.ts';
import { listEmails } from '../src/operator/emails.ts';
import { listRequests, showRequest } from '../src/operator/requests.ts';
import { listServices, setService } from '../src/operator/services.ts';
import { hashKey, parseKey } from '../src/rules/key-format.ts';
import { Sqlite } from '../src/store/sqlite-driver.ts';
import { createDatabase, services } from './support/services.ts';

/*
 * Every released schema, with data in it, is brought up to date on both engines. A release adds its own two files with
 * `npm run fixture -- VERSION`; they are never changed afterwards.
 */
const FOLDER = pathToFileURL('test/migrations/');
const dumps = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

/** Where an old database stands, as the environment names it. */
interface Old {
  url: string;
  /** Runs a statement past the program. */
  run(statement: string): Promise<void>;
  /** The only value of a query. */
  value(query: string): Promise<unknown>;
  /** Adds copies of the first service, numbered from 5000001. */
  copyService(copies: number): Promise<void>;
  /** Locks the services against changes, until the returned function is called. */
  lockServices(): Promise<() => Promise<unknown>>;
  /** The number of rows of every table but that of the migrations. */
  count(): Promise<Record<string, number>>;
}

function onSqlite(t: Test, dump: string): Old {
  const directory = mkdtempSync(join(tmpdir(), 'broker-migrations-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'broker.db');
  const within = <T>(work: (db: Sqlite) => T): T => {
    const db = new Sqlite(file);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  within((db) => db.pragma('foreign_keys = OFF') && db.exec(dump));
  return {
    url: `file:${file}`,
    run: async (statement) => void within((db) => db.exec(statement)),
    value: async (query) => within((db) => db.prepare(query).pluck().get()),
    copyService: async (copies) =>
      within((db) => {
        const names = db.prepare("select name from pragma_table_info('services')").pluck().all() as string[];
        db.exec(
          copying(
            names,
            `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${copies}) select n from numbers)`,
          ),
        );
      }),
    async lockServices() {
      const db = new Sqlite(file);
      db.exec('begin immediate');
      return async () => db.close();
    },
    count: async () =>
      within((db) => {
        const names = db.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
        return countsOf(names, (name) => db.prepare(`select count(*) from ${name}`).pluck().get() as number);
      }),
  };
}

async function onPostgres(t: Test, dump: string): Promise<Old> {
  const { url, drop } = await createDatabase({ migrated: false });
  t.teardown(drop);
  const within = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  await within((client) => client.query(dump));
  return {
    url,
    run: (statement) => within(async (client) => void (await client.query(statement))),
    value: (query) => within(async (client) => Object.values((await client.query(query)).rows[0] ?? {})[0]),
    copyService: (copies) =>
      within(async (client) => {
        const named = "select column_name from information_schema.columns where table_name = 'services'";
        const { rows } = await client.query(`${named} order by ordinal_position`);
        const names = rows.map(({ column_name: name }) => name);
        await client.query(copying(names, `(select n from generate_series(1, ${copies}) n)`));
      }),
    async lockServices() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('begin; lock table services in exclusive mode');
      return () => client.end();
    },
    count: () =>
      within(async (client) => {
        const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
        const counts = new Map<string, number>();
        for (const { tablename: name } of rows) {
          counts.set(name, Number((await client.query(`select count(*) from ${name}`)).rows[0].count));
        }
        return countsOf([...counts.keys()], (name) => counts.get(name) ?? 0);
      }),
  };
}

const copying = (names: string[], numbers: string): string => `insert into services (${names})
  select ${names.map((name) => (name === 'number' ? '5000000 + n' : name))} from services, ${numbers} copies
  where number = 1000001`;

/** Makes each update of a service with this number fail; statements of both engines. */
const OBSTACLE = {
  sqlite: (number: number) =>
    `create trigger stop before update on services when new.number = ${number} begin select raise(abort, 'stopped'); end`,
  postgres: (
    number: number,
  ) => `create function stop() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$;
    create trigger stop before update on services for each row when (new.number = ${number}) execute function stop()`,
};
const NO_OBSTACLE = { sqlite: 'drop trigger stop', postgres: 'drop trigger stop on services' };

const countsOf = (names: string[], count: (name: string) => number): Record<string, number> =>
  Object.fromEntries(
    names
      .filter((name) => !/^(schema_migrations$|sqlite_|service_search)/.test(name))
      .map((name) => [name, count(name)] as const)
      .sort(),
  );

const configFor = (url: string) => loadConfig({ DATABASE_URL: url });
const silent = () => undefined;

t.test('a release leaves the database of both engines behind', async (t) => {
  const versionsFor = (engine: string) =>
    dumps.flatMap((name) => (name.endsWith(`.${engine}.sql`) ? [name.replace(`.${engine}.sql`, '')] : []));
  t.ok(versionsFor('sqlite').includes('0.1.0'));
  t.strictSame(versionsFor('sqlite'), versionsFor('postgres'));
});

for (const name of dumps) {
  t.test(`the records of ${name} are all there after an update, and can be worked with`, async (t) => {
    const postgres = name.endsWith('.postgres.sql');
    if (postgres && !(await services(t, 'PostgreSQL'))) return;
    const old = postgres ? await onPostgres(t, read(name)) : onSqlite(t, read(name));
    const before = await old.count();
    t.ok(Object.keys(before).length >= 15);
    for (const [table, rows] of Object.entries(before)) t.ok(rows > 0, table);

    const parts = await composeParts(configFor(old.url), silent);
    t.equal(parts.created, false);
    t.match(await old.count(), before, 'no row is lost');

    const { mode, publicId } = parseKey(DEMO_KEYS.live) ?? {};
    const access = await parts.store.read.keys.findAccess(publicId ?? '');
    t.match(access, { key: { mode, hash: hashKey(DEMO_KEYS.live), status: 'active' }, broker: { slug: 'demo' } });

    const { total, records } = await listServices(parts, { broker: 'demo', limit: 1000 });
    t.equal(total, records.length);
    t.match(
      records.find(({ service_number }) => service_number === 1000001),
      { client: { name: 'Ada Example' }, plan: { slug: 'starter' }, service_status: 'active' },
    );
    t.match(await listServices(parts, { broker: 'demo', search: 'ada exa' }), { records: [{ client: {} }] });
    const suspended = records.filter(({ service_status: status }) => status === 'suspended');
    t.ok(suspended.length > 0);
    for (const { suspension, updated_date: date } of suspended) {
      t.strictSame(suspension, { suspended_by: 'operator', reason: null, suspended_date: date });
    }
    const [first] = suspended as [(typeof suspended)[number]];
    const named = { broker: 'demo', number: first.service_number };
    t.strictSame(
      (await setService(parts, { ...named, clientName: 'Yan' })).suspension,
      first.suspension,
      'it keeps its date',
    );
    for (const { service_status: status, plan, renewal_date: date } of records) {
      if (plan.billing_type === 'hourly') t.equal(date, null);
      else if (!['cancelled', 'terminated'].includes(status)) t.ok(Date.parse(date ?? '') > Date.now(), status);
    }
    const requests = await listRequests(parts);
    t.equal(requests.total, before.requests);
    for (const { request_id: requestId } of requests.records) {
      t.ok((await showRequest(parts, { requestId })).history.length > 0);
    }
    t.equal((await listEmails(parts)).total, before.email_log);
    t.equal((await old.count()).template_versions, before.templates, 'each template is its own first version');

    const renamed = await setService(parts, { broker: 'demo', number: 1000001, clientName: 'Zoe' });
    t.equal(renamed.client.name, 'Zoe');
    t.match(await listServices(parts, { broker: 'demo', search: 'zoe' }), { total: 1 });
    t.match(await removeDemo(parts), { removed: true });
    await parts.store.close();
  });
}

for (const engine of ['sqlite', 'postgres'] as const) {
  t.test(`an update on ${engine} dates a service by the open request that it shows`, async (t) => {
    if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
    const old =
      engine === 'postgres' ? await onPostgres(t, read('0.1.0.postgres.sql')) : onSqlite(t, read('0.1.0.sqlite.sql'));
    await old.run('update services set updated_at = 1');
    const parts = await composeParts(configFor(old.url), silent);
    t.teardown(() => parts.store.close());
    const { records } = await listServices(parts, { broker: 'demo', limit: 1000 });
    t.ok(records.some(({ open_request: open }) => open));
    for (const { open_request: open, updated_date: date } of records) {
      const requestId = open?.request_id;
      t.equal(date, requestId ? (await showRequest(parts, { requestId })).submitted_date : new Date(1).toISOString());
    }
  });

  t.test(`an update on ${engine} that ends in the middle goes on where it was`, async (t) => {
    if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
    const old =
      engine === 'postgres' ? await onPostgres(t, read('0.1.0.postgres.sql')) : onSqlite(t, read('0.1.0.sqlite.sql'));
    await old.copyService(1_200);
    if (engine === 'postgres') {
      // It leaves an index behind that is not valid, as a killed process does.
      await t.rejects(old.run('create unique index concurrently services_by_update on services (broker_id)'));
    }
    await old.run(OBSTACLE[engine](5_001_000));
    await t.rejects(composeParts(configFor(old.url), silent), { name: 'ConfigError', message: /stopped/ });
    const progress = JSON.parse(String(await old.value("select value from settings where name = 'migration'")));
    t.ok(progress.after > 5_000_000 && progress.after < 5_001_000, 'the batches before are done');
    await old.run(NO_OBSTACLE[engine]);
    await (await composeParts(configFor(old.url), silent)).close();
    t.equal(await old.value("select value from settings where name = 'migration'"), undefined);
    t.equal(
      Number(await old.value('select count(*) from services where number > 5000000 and renewal_anchor is null')),
      0,
    );
    if (engine === 'postgres') {
      const index =
        "select indisvalid and not indisunique from pg_index where indexrelid = 'services_by_update'::regclass";
      t.equal(await old.value(index), true, 'it was built again');
    }
  });

  t.test(`an update on ${engine} waits for a lock that another process holds, and says so`, async (t) => {
    if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
    const old =
      engine === 'postgres' ? await onPostgres(t, read('0.1.0.postgres.sql')) : onSqlite(t, read('0.1.0.sqlite.sql'));
    const release = await old.lockServices();
    const told: string[] = [];
    let released: Promise<unknown> | undefined;
    const parts = await composeParts(configFor(old.url), (line) => {
      told.push(line);
      if (/waits for a lock/.test(line)) released ??= release();
    });
    t.ok(told.includes('a migration waits for a lock in the database and tries again'));
    await released;
    await parts.close();
  });

  t.test(`an older program refuses a newer database on ${engine} and leaves it as it is`, async (t) => {
    if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
    const old =
      engine === 'postgres' ? await onPostgres(t, read('0.1.0.postgres.sql')) : onSqlite(t, read('0.1.0.sqlite.sql'));
    await old.run("insert into schema_migrations values (9999999999999, 'from the future')");
    const before = await old.count();
    const refusal = {
      name: 'ConfigError',
      message:
        /^DATABASE_URL: a newer version of this program has changed this database \(1 unknown to version [\d.]+\); use/,
    };
    await t.rejects(composeParts(configFor(old.url), silent), refusal);
    const tables = (asItIs: boolean) => openTables(configFor(old.url).database, systemClock, { asItIs });
    await t.rejects(tables(true), { name: 'SchemaError', message: /^a newer version/ });
    await t.rejects(tables(false), { name: 'SchemaError', message: /^a newer version/ });
    t.strictSame(await old.count(), before);
  });

  t.test(`what only reads a database on ${engine} refuses an older one and does not migrate it`, async (t) => {
    if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
    const old =
      engine === 'postgres' ? await onPostgres(t, read('0.1.0.postgres.sql')) : onSqlite(t, read('0.1.0.sqlite.sql'));
    const openIt = () => openTables(configFor(old.url).database, systemClock, { asItIs: true });
    await old.run('delete from schema_migrations where made_at = (select max(made_at) from schema_migrations)');
    await t.rejects(openIt(), {
      name: 'SchemaError',
      message: /^this database is older than this program .*broker migrate/,
    });
    await old.run('drop table schema_migrations');
    await t.rejects(openIt(), { name: 'SchemaError', message: 'this is no database of this program' });
  });
}
