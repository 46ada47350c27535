import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import t, { type Test } from 'tap';
import { systemClock } from '../src/clock.ts';
import { composeParts, openTables } from '../src/compose.ts';
import { loadConfig } from '../src/config.ts';
import { DEMO_KEYS, removeDemo } from '../src/demo/demo.ts';
import { listEmails } from '../src/operator/emails.ts';
import { listRequests, showRequest } from '../src/operator/request-views.ts';
import { listServices } from '../src/operator/service-views.ts';
import { setService } from '../src/operator/services.ts';
import { hashKey, parseKey } from '../src/rules/key-format.ts';
import { type MigrationTarget, migrate } from '../src/store/migrate.ts';
import { connectAlone } from '../src/store/postgres-client.ts';
import { targetOf as postgresTargetOf } from '../src/store/postgres-migrate.ts';
import { connectAsItIs } from '../src/store/sqlite-client.ts';
import { targetOf as sqliteTargetOf } from '../src/store/sqlite-migrate.ts';
import { createDatabase, services } from './support/services.ts';

/* A database of 0.3.0 with data in every table is brought up to date on both engines. */

type Engine = 'sqlite' | 'postgres';

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
  /** Each table, column, index, trigger and constraint as the engine describes it. */
  schema(): Promise<unknown[]>;
  /** What migrates it, told a line now and then. */
  target(tell: (line: string) => void): Promise<MigrationTarget>;
}

function onSqlite(t: Test, dump?: string): Old {
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
  if (dump) within((db) => db.pragma('foreign_keys = OFF') && db.exec(dump));
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
    schema: async () => within((db) => SQLITE_SCHEMA.map((query) => db.prepare(query).raw().all())),
    async target(tell) {
      const client = connectAsItIs(file, 500);
      t.teardown(() => client.close());
      return sqliteTargetOf(client, tell);
    },
  };
}

async function onPostgres(t: Test, dump?: string): Promise<Old> {
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
  if (dump) await within((client) => client.query(dump));
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
    schema: () =>
      within(async (client) => {
        const found: unknown[] = [];
        for (const query of POSTGRES_SCHEMA) found.push((await client.query(query)).rows);
        return found;
      }),
    async target(tell) {
      const client = await connectAlone(url, 'test', 500);
      t.teardown(() => client.end());
      return postgresTargetOf(client, tell);
    },
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
  const dump = readFileSync(`test/migrations/0.3.0.${engine}.sql`, 'utf8');
  return engine === 'postgres' ? onPostgres(t, dump) : onSqlite(t, dump);
}

async function update(old: Old): Promise<void> {
  await (await composeParts(configFor(old.url), silent)).close();
}

for (const engine of ['sqlite', 'postgres'] as const) {
  const test = (name: string, work: (t: Test) => Promise<void>) =>
    t.test(`${name}, on ${engine}`, async (t) => {
      if (engine === 'postgres' && !(await services(t, 'PostgreSQL'))) return;
      await work(t);
    });

  test('the records of 0.3.0 are all there after an update, and can be worked with', async (t) => {
    const old = await databaseOf(t, engine);
    const before = await old.count();
    t.ok(Object.keys(before).length >= 20);
    for (const [table, rows] of Object.entries(before)) t.ok(rows > 0, table);

    const parts = await composeParts(configFor(old.url), silent);
    t.teardown(() => parts.close());
    t.equal(parts.created, false);
    const { settings: _, ...records } = await old.count();
    t.match(before, records, 'no row is lost');

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

  if (engine === 'sqlite') {
    test('fractions of milliseconds that 0.3 stored after a jump of the clock are rounded down', async (t) => {
      const old = await databaseOf(t, engine);
      await old.copyService(1_200);
      for (const [table, column] of [
        ['services', 'updated_at'],
        ['services', 'renewal_at'],
        ['requests', 'due_at'],
        ['request_history', 'at'],
      ] as const) {
        await old.run(`update ${table} set ${column} = 1795492065348.6758 where ${column} is not null`);
      }
      await update(old);
      for (const [table, column] of [
        ['services', 'updated_at'],
        ['services', 'renewal_at'],
        ['requests', 'due_at'],
        ['request_history', 'at'],
      ] as const) {
        const found = await old.value(`select group_concat(distinct ${column} || typeof(${column})) from ${table}
          where ${column} is not null`);
        t.equal(found, '1795492065348integer', `${table}.${column}`);
      }
    });
  }

  test('a database of a release before 0.3, or that 0.3 has not finished, is refused in one line', async (t) => {
    const old = await databaseOf(t, engine);
    const refused = async (line: RegExp) => {
      const before = await old.count();
      await t.rejects(composeParts(configFor(old.url), silent), { name: 'ConfigError', message: line });
      for (const asItIs of [true, false]) {
        await t.rejects(openTables(configFor(old.url).database, systemClock, { asItIs }), { name: 'SchemaError' });
      }
      t.strictSame(await old.count(), before);
    };
    await old.run("insert into settings (name, value) values ('copy_source', 'x')");
    await refused(/^DATABASE_URL: this is an unfinished copy made by release 0\.3; [^\n]+$/);
    await old.run('delete from schema_migrations where made_at = (select max(made_at) from schema_migrations)');
    await refused(
      /^DATABASE_URL: this database is of a release before 0\.3, [^\n]+; update it with release 0\.3 first$/,
    );
  });

  test('a newer schema is used where it names a release that can live beside it, and else refused', async (t) => {
    const old = await databaseOf(t, engine);
    await update(old);
    await old.run("insert into schema_migrations values (9999999999999, 'from the future')");
    await old.run("delete from settings where name = 'oldest_release'");
    const refused = async (line: RegExp) => {
      const before = await old.count();
      await t.rejects(composeParts(configFor(old.url), silent), { name: 'ConfigError', message: line });
      t.strictSame(await old.count(), before);
    };
    await refused(
      /^DATABASE_URL: a newer version of this program has changed this database, which needs that version or/,
    );
    await old.run("insert into settings (name, value) values ('oldest_release', '999.0.0')");
    await refused(/, which needs 999\.0\.0 or later \(this is [\d.]+\); /);
    await old.run("update settings set value = '0.3.0' where name = 'oldest_release'");
    await update(old);
  });

  test('what only reads a database refuses one without our tables and does not migrate it', async (t) => {
    const old = await databaseOf(t, engine);
    await old.run('drop table schema_migrations');
    await t.rejects(openTables(configFor(old.url).database, systemClock, { asItIs: true }), {
      name: 'SchemaError',
      message: /^this is no database of this program; /,
    });
  });

  /** Applies one migration more than ours. */
  const applyOneMore = async (old: Old, statements: string[], tell: (line: string) => void = silent) => {
    const target = await old.target(tell);
    const more = { name: 'more', madeAt: 9_000_000_000_000, hash: 'more', statements };
    await migrate({ ...target, migrations: [...target.migrations, more] });
    return Number(await old.value('select count(*) from schema_migrations where made_at = 9000000000000'));
  };

  test('rows are rewritten in batches of their own; a migration that ends in the middle is done again', async (t) => {
    const old = await databaseOf(t, engine);
    await old.copyService(1_200);
    await old.run(OBSTACLE[engine](5_001_000));
    const statement = "update services set label = 'rewritten' where number between :first and :last";
    const batched = () => applyOneMore(old, [`-- in batches of services.number\n${statement}`]);
    await t.rejects(batched(), /stopped/);
    const rewritten = () => old.value("select count(*) from services where label = 'rewritten'").then(Number);
    t.ok((await rewritten()) >= 500, 'the batches before are done');
    await old.run(NO_OBSTACLE[engine]);
    t.equal(await batched(), 1);
    t.equal(await rewritten(), Number(await old.value('select count(*) from services')));
  });

  test('a migration waits for a lock that another process holds, and says so', async (t) => {
    const old = await databaseOf(t, engine);
    const release = await old.lockServices();
    let released: Promise<unknown> | undefined;
    const tell = (line: string) => {
      if (line === 'a migration waits for a lock in the database and tries again') released ??= release();
    };
    t.equal(await applyOneMore(old, ["update services set label = 'waited'"], tell), 1);
    t.ok(released);
    await released;
  });

  if (engine === 'postgres') {
    test('an index is built beside what is going on, anew where an earlier attempt left an invalid one', async (t) => {
      const old = await databaseOf(t, engine);
      await t.rejects(old.run('create unique index concurrently more on services (broker_id)'));
      t.equal(await applyOneMore(old, ['create index concurrently more on services (broker_id)']), 1);
      const index = "select indisvalid and not indisunique from pg_index where indexrelid = 'more'::regclass";
      t.equal(await old.value(index), true);
    });
  }
}
