import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import t, { type Test } from 'tap';
import { composeParts, openTables } from '../src/compose.ts';
import { loadConfig } from '../src/config.ts';
import { DEMO_KEYS, removeDemo } from '../src/demo/demo.ts';
import { listEmails } from '../src/operator/mail/emails.ts';
import { listRequests, showRequest } from '../src/operator/requests/views.ts';
import { setService } from '../src/operator/services/services.ts';
import { listServices } from '../src/operator/services/views.ts';
import { hashKey, parseKey } from '../src/rules/key-format.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { type MigrationTarget, migrate } from '../src/store/drivers/migrate.ts';
import { connectAlone } from '../src/store/drivers/postgres-client.ts';
import { targetOf as postgresTargetOf } from '../src/store/drivers/postgres-migrate.ts';
import { connectUnchanged } from '../src/store/drivers/sqlite-client.ts';
import { targetOf as sqliteTargetOf } from '../src/store/drivers/sqlite-migrate.ts';
import { createDatabase, services } from './support/services.ts';

/* A database of 1.1.0 with data in every table is brought up to date on both engines. */

/** With its baseline; a process of 1.1 refuses a database that lacks one. */
const MIGRATIONS_OF_1_1 = 6;

type Engine = 'sqlite' | 'postgres';

/** Where an old database stands, as the environment names it. */
interface Old {
  url: string;
  /** Runs a statement past the program. */
  run(statement: string): Promise<void>;
  /** The only value of a query. */
  value(query: string): Promise<unknown>;
  /** Locks the services against changes, until the returned function is called. */
  lockServices(): Promise<() => Promise<unknown>>;
  /** The number of rows of every table but that of the migrations. */
  count(): Promise<Record<string, number>>;
  /** Each table, column, index, trigger and constraint as the engine describes it. */
  schema(): Promise<unknown[]>;
  /** What migrates it, told a line now and then. */
  target(report: (line: string) => void): Promise<MigrationTarget>;
}

function onSqlite(t: Test, filled?: string): Old {
  const directory = mkdtempSync(join(tmpdir(), 'broker-migrations-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'broker.db');
  const within = <T>(work: (db: Sqlite.Database) => T): T => {
    const db = new Sqlite(file);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  if (filled) copyFileSync(filled, file);
  return {
    url: `file:${file}`,
    run: async (statement) => void within((db) => db.exec(statement)),
    value: async (query) => within((db) => db.prepare(query).pluck().get()),
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
    schema: async () => within((db) => SQLITE_SCHEMA.map((query) => db.prepare(query).raw().all())),
    async target(report) {
      const client = connectUnchanged(file, 500);
      t.teardown(() => client.close());
      return sqliteTargetOf(client, report);
    },
  };
}

async function onPostgres(t: Test, filled?: string): Promise<Old> {
  const { url, drop } = await createDatabase({ copyOf: filled });
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
  return {
    url,
    run: (statement) => within(async (client) => void (await client.query(statement))),
    value: (query) => within(async (client) => Object.values((await client.query(query)).rows[0] ?? {})[0]),
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
    schema: () =>
      within(async (client) => {
        const found: unknown[] = [];
        for (const query of POSTGRES_SCHEMA) found.push((await client.query(query)).rows);
        return found;
      }),
    async target(report) {
      const client = await connectAlone(url, 'test', 500);
      t.teardown(() => client.end());
      return postgresTargetOf(client, report);
    },
  };
}

const countsOf = (names: string[], count: (name: string) => number): Record<string, number> =>
  Object.fromEntries(
    names
      .filter((name) => !/^(schema_migrations$|sqlite_|service_search)/.test(name))
      .map((name) => [name, count(name)] as const)
      .sort(),
  );

const SQLITE_SCHEMA = [
  `select m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
    from sqlite_schema m join pragma_table_xinfo(m.name) c where m.type = 'table' order by m.name, c.cid`,
  `select m.name, i.name, i."unique", i.partial, c.seqno, c.name, c."desc", c.coll
    from sqlite_schema m join pragma_index_list(m.name) i join pragma_index_xinfo(i.name) c order by 1, 2, c.seqno`,
  'select m.name, f.* from sqlite_schema m join pragma_foreign_key_list(m.name) f order by m.name, f."from", f."table"',
  // An index by its condition, a trigger or search table by its whole text.
  "select type, name, tbl_name, sql from sqlite_schema where type in ('index', 'trigger') order by name",
  "select name, sql from sqlite_schema where sql like 'create virtual%' order by name",
];

const POSTGRES_SCHEMA = [
  `select table_name, ordinal_position, column_name, data_type, collation_name, is_nullable, column_default
    from information_schema.columns where table_schema = 'public' order by 1, 2`,
  "select indexdef from pg_indexes where schemaname = 'public' order by 1",
  `select conrelid::regclass::text as on, conname, pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  'select pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal order by 1',
  `select pg_get_functiondef(p.oid) as text from pg_proc p join pg_language l on l.oid = prolang
    where pronamespace = 'public'::regnamespace and lanname = 'plpgsql' order by 1`,
  'select extname from pg_extension order by 1',
];

const configFor = (url: string) => loadConfig({ DATABASE_URL: url });
const silent = () => undefined;

async function databaseOf(t: Test, engine: Engine): Promise<Old> {
  templates[engine] ??= makeTemplate[engine](readFileSync(`test/migrations/1.1.0.${engine}.sql`, 'utf8'));
  return engine === 'postgres' ? onPostgres(t, await templates.postgres) : onSqlite(t, await templates.sqlite);
}

/** The databases of 1.1.0 that the tests' own are copies of, loaded once: a file, or a database's name. */
const templates: Partial<Record<Engine, Promise<string>>> = {};

const makeTemplate: Record<Engine, (dump: string) => Promise<string>> = {
  async sqlite(dump) {
    const directory = mkdtempSync(join(tmpdir(), 'broker-migrations-'));
    t.teardown(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, '1.1.0.db');
    const db = new Sqlite(file);
    db.pragma('foreign_keys = OFF');
    db.pragma('synchronous = OFF');
    db.exec(dump);
    db.close();
    return file;
  },
  async postgres(dump) {
    const { name, url, drop } = await createDatabase();
    t.teardown(drop);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(dump);
    await client.end();
    return name;
  },
};

async function update(old: Old): Promise<void> {
  await (await composeParts(configFor(old.url), silent)).close();
}

for (const engine of ['sqlite', 'postgres'] as const) {
  const test = (name: string, work: (t: Test) => Promise<void>) =>
    t.test(`${name}, on ${engine}`, async (t) => {
      if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
      await work(t);
    });

  test('the records of 1.1.0 are all there after an update, and can be worked with', async (t) => {
    const old = await databaseOf(t, engine);
    const before = await old.count();
    t.ok(Object.keys(before).length >= 20);
    for (const [table, rows] of Object.entries(before)) t.ok(rows > 0, table);

    const parts = await composeParts(configFor(old.url), silent);
    t.teardown(() => parts.close());
    t.equal(parts.created, false);
    const { settings: _, ...records } = before;
    t.match(await old.count(), records, 'no row is lost');

    const { mode, publicId } = parseKey(DEMO_KEYS.live) ?? {};
    const access = await parts.store.read.keys.findAccess(publicId ?? '');
    t.match(access, { key: { mode, hash: hashKey(DEMO_KEYS.live), status: 'active' }, broker: { slug: 'demo' } });
    const { total, records: found } = await listServices.run(parts, { broker: 'demo', limit: 1000 });
    t.equal(total, found.length);
    t.match(
      found.find(({ service_number: number }) => number === 1000001),
      { client: { name: 'Ada Example' }, plan: { slug: 'starter' }, service_status: 'active' },
    );
    const requests = await listRequests.run(parts, {});
    t.equal(requests.total, before.requests);
    for (const { request_id: requestId } of requests.records) {
      t.ok((await showRequest(parts, { requestId })).history.length > 0);
    }
    t.equal((await listEmails.run(parts, {})).total, before.email_log);

    const renamed = await setService.run(parts, { broker: 'demo', service_number: 1000001, 'client.name': 'Zoe' });
    t.equal(renamed.client.name, 'Zoe');
    t.match(await listServices.run(parts, { broker: 'demo', search: 'zoe' }), { total: 1 });
    t.match(await removeDemo(parts), { removed: true });
  });

  test('a new database has the tables, columns, indexes, triggers and search tables of an updated one', async (t) => {
    const old = await databaseOf(t, engine);
    await update(old);
    const fresh = engine === 'postgres' ? await onPostgres(t) : onSqlite(t);
    await update(fresh);
    t.strictSame(await fresh.schema(), await old.schema());
  });

  test('a new database has the migrations by which a process of 1.1 knows its own', async (t) => {
    const old = await databaseOf(t, engine);
    const listed = engine === 'sqlite' ? "group_concat(made_at, ' ')" : "string_agg(made_at::text, ' ')";
    const applied = `select ${listed} from (select made_at from schema_migrations order by made_at) as applied`;
    const ofOld = await old.value(applied);
    const fresh = engine === 'postgres' ? await onPostgres(t) : onSqlite(t);
    await update(fresh);
    const [ofOld1_1, ofFresh] = [
      String(ofOld).split(' ').slice(-MIGRATIONS_OF_1_1),
      String(await fresh.value(applied)),
    ];
    t.strictSame(ofFresh.split(' ').slice(0, MIGRATIONS_OF_1_1), ofOld1_1);
    t.equal(await fresh.value("select value from settings where name = 'oldest_release'"), '1.2.0');
    await update(old);
    t.equal(await old.value("select value from settings where name = 'oldest_release'"), '1.1.0', 'of an updated one');
  });

  test('a database of a release before 1.1, or that 1.1 has not finished, is refused in one line', async (t) => {
    const old = await databaseOf(t, engine);
    const refused = async (line: RegExp) => {
      const before = await old.count();
      await t.rejects(composeParts(configFor(old.url), silent), { name: 'ConfigError', message: line });
      for (const readOnly of [true, false]) {
        await t.rejects(openTables(configFor(old.url).database, systemClock, { readOnly }), { name: 'SchemaError' });
      }
      t.strictSame(await old.count(), before);
    };
    await old.run('delete from schema_migrations where made_at = (select max(made_at) from schema_migrations)');
    await refused(
      /^DATABASE_URL: this database is of a release before 1\.1, [^\n]+; update it with release 1\.1 first$/,
    );
  });

  test('a database whose update to 1.1 is not finished is refused in one line', async (t) => {
    const old = await databaseOf(t, engine);
    await old.run("update settings set value = '1.0.0' where name = 'oldest_release'");
    await t.rejects(composeParts(configFor(old.url), silent), {
      name: 'ConfigError',
      message: /^DATABASE_URL: the update of this database to 1\.1 is not finished; [^\n]+$/,
    });
  });

  test('a newer schema is used where it names a release that can live beside it, and else refused', async (t) => {
    const old = await databaseOf(t, engine);
    await update(old);
    await old.run("insert into schema_migrations values (9999999999999, 'from the future')");
    const refused = async (line: RegExp) => {
      const before = await old.count();
      await t.rejects(composeParts(configFor(old.url), silent), { name: 'ConfigError', message: line });
      t.strictSame(await old.count(), before);
    };
    await old.run("update settings set value = '999.0.0' where name = 'oldest_release'");
    await refused(/newer version of this program has changed .*, which needs 999\.0\.0 or later \(this is [\d.]+\); /);
    await old.run("update settings set value = '1.1.0' where name = 'oldest_release'");
    await update(old);
  });

  test('what only reads a database refuses one without our tables and does not migrate it', async (t) => {
    const old = await databaseOf(t, engine);
    await old.run('drop table schema_migrations');
    await t.rejects(openTables(configFor(old.url).database, systemClock, { readOnly: true }), {
      name: 'SchemaError',
      message: /^this is no database of this program; /,
    });
  });

  /** Applies one migration more than ours. */
  const applyOneMore = async (old: Old, statements: string[], report: (line: string) => void = silent) => {
    const target = await old.target(report);
    const more = { name: 'more', madeAt: 9_000_000_000_000, hash: 'more', statements };
    await migrate({ ...target, migrations: [...target.migrations, more] });
    return Number(await old.value('select count(*) from schema_migrations where made_at = 9000000000000'));
  };

  test('a migration waits for a lock that another process holds, and says so', async (t) => {
    const old = await databaseOf(t, engine);
    const release = await old.lockServices();
    let released: Promise<unknown> | undefined;
    const report = (line: string) => {
      if (line === 'a migration waits for a lock in the database and tries again') released ??= release();
    };
    t.equal(await applyOneMore(old, ["update services set label = 'waited'"], report), 1);
    t.ok(released);
    await released;
  });
}
