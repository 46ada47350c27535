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
import { eraseClient, exportClient } from '../src/operator/services/clients.ts';
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
import { createTestMailer } from './support/world.ts';

/* A database of 1.0.0 with data in every table is brought up to date on both engines. */

/** Services of the fixture whose client is the same person, and one with a Turkish name. */
const [COMPOSED, DECOMPOSED, TURKISH] = [1_000_901, 1_000_902, 1_000_903];

type Engine = 'sqlite' | 'postgres';

/** Where an old database stands, as the environment names it. */
interface Old {
  url: string;
  /** Runs a statement past the program. */
  run(statement: string): Promise<void>;
  /** The only value of a query. */
  value(query: string): Promise<unknown>;
  /** Adds copies of a service, numbered from 5000001. */
  copyService(copies: number, of: number): Promise<void>;
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
    copyService: async (copies, of) =>
      within((db) => {
        const names = db.prepare("select name from pragma_table_info('services')").pluck().all() as string[];
        db.exec(
          copying(
            of,
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
    copyService: (copies, of) =>
      within(async (client) => {
        const named = "select column_name from information_schema.columns where table_name = 'services'";
        const { rows } = await client.query(`${named} order by ordinal_position`);
        const names = rows.map(({ column_name: name }) => name);
        await client.query(copying(of, names, `(select n from generate_series(1, ${copies}) n)`));
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
    async target(report) {
      const client = await connectAlone(url, 'test', 500);
      t.teardown(() => client.end());
      return postgresTargetOf(client, report);
    },
  };
}

const copying = (of: number, names: string[], numbers: string): string => `insert into services (${names})
  select ${names.map((name) => (name === 'number' ? '5000000 + n' : name))} from services, ${numbers} copies
  where number = ${of}`;

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
  templates[engine] ??= makeTemplate[engine](readFileSync(`test/migrations/1.0.0.${engine}.sql`, 'utf8'));
  return engine === 'postgres' ? onPostgres(t, await templates.postgres) : onSqlite(t, await templates.sqlite);
}

/** The databases of 1.0.0 that the tests' own are copies of, loaded once: a file, or a database's name. */
const templates: Partial<Record<Engine, Promise<string>>> = {};

const makeTemplate: Record<Engine, (dump: string) => Promise<string>> = {
  async sqlite(dump) {
    const directory = mkdtempSync(join(tmpdir(), 'broker-migrations-'));
    t.teardown(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, '1.0.0.db');
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

  test('the records of 1.0.0 are all there after an update, and can be worked with', async (t) => {
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

  test('a new database has the migrations by which a process of 1.0 knows its own', async (t) => {
    const old = await databaseOf(t, engine);
    const listed = engine === 'sqlite' ? "group_concat(made_at, ' ')" : "string_agg(made_at::text, ' ')";
    const applied = `select ${listed} from (select made_at from schema_migrations order by made_at) as applied`;
    const ofOld = await old.value(applied);
    const fresh = engine === 'postgres' ? await onPostgres(t) : onSqlite(t);
    await update(fresh);
    const [one, two] = [String(ofOld).split(' '), String(await fresh.value(applied)).split(' ')];
    t.strictSame(two.slice(0, one.length), one);
    t.equal(await fresh.value("select value from settings where name = 'oldest_release'"), '1.2.0');
    await update(old);
    t.equal(await old.value("select value from settings where name = 'oldest_release'"), '1.0.0', 'of an updated one');
  });

  test('a database of a release before 1.0, or that 1.0 has not finished, is refused in one line', async (t) => {
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
      /^DATABASE_URL: this database is of a release before 1\.0, [^\n]+; update it with release 1\.0 first$/,
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
    await old.run("update settings set value = '1.0.0' where name = 'oldest_release'");
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

  test('services are folded anew in steps of their own; an update that ends in the middle is done again', async (t) => {
    const old = await databaseOf(t, engine);
    // The one with composed letters is as it should be, the others are folded as 1.0 does it.
    await old.copyService(1_200, DECOMPOSED);
    await old.run(OBSTACLE[engine](5_001_000));
    await t.rejects(update(old), /stopped/);
    const rewritten = () =>
      old.value("select count(*) from services where client_email_folded = 'ren\u00e9e@example.com'").then(Number);
    const before = await rewritten();
    t.ok(before >= 500 && before < 1_000, 'the steps before are done');
    await old.run(NO_OBSTACLE[engine]);
    await update(old);
    t.equal(await rewritten(), 1_202);
  });

  test('a person is found after an update in whatever form 1.0 stored the name and address', async (t) => {
    const old = await databaseOf(t, engine);
    const parts = await composeParts(configFor(old.url), silent);
    t.teardown(() => parts.close());
    const numbersOf = async (search: string) =>
      (await listServices.run(parts, { broker: 'demo', search })).records.map(({ service_number: number }) => number);
    for (const form of ['NFC', 'NFD'] as const) {
      for (const text of ['ren\u00e9e', 'REN\u00c9E', '\u00e9t\u00e9', 'ren\u00e9e@example.com']) {
        t.strictSame(await numbersOf(text.normalize(form)), [DECOMPOSED, COMPOSED], `${form} ${text}`);
      }
    }
    for (const text of ['istanbul', '\u0130STANBUL', 'i\u0307pek', 'IPEK@example.com']) {
      t.strictSame(await numbersOf(text), [TURKISH], text);
    }
  });

  test('a client whose other service a process of 1.0 wrote beside this one is erased as a whole', async (t) => {
    const old = await databaseOf(t, engine);
    const parts = await composeParts(configFor(old.url), silent);
    t.teardown(() => parts.close());
    const unfolded = "client_email_folded = 'rene\u0301e@example.com', search_text = 'rene\u0301e'";
    await old.run(`update services set ${unfolded} where number = ${DECOMPOSED}`);
    const client = { broker: 'demo', email: 'ren\u00e9e@example.com' };
    const pieces: Buffer[] = [];
    for await (const piece of await exportClient.run(parts, client)) pieces.push(piece);
    t.equal(JSON.parse(Buffer.concat(pieces).toString()).services.length, 2);
    await old.run(`update services set ${unfolded} where number = ${DECOMPOSED}`);
    t.match(await eraseClient.run({ ...parts, mailer: createTestMailer() }, client), { services: 2 });
    t.equal(Number(await old.value("select count(*) from services where client_name like '%omposed'")), 0);
  });

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
