import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { run } from '../../src/cli/run.ts';
import { openTables } from '../../src/compose.ts';
import { DEMO_KEYS } from '../../src/demo/demo.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type CopiedTable, copyDatabase, type TableAccess } from '../../src/store/drivers/copy.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { openSqliteTables } from '../../src/store/drivers/sqlite-tables.ts';
import { copyDemo } from '../support/demo.ts';
import { createDatabase, services } from '../support/services.ts';

const monotonic = () => performance.now();

/** A terminal in a folder of its own. */
function terminal(t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-copy-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const broker = async (line: string, url?: string) => {
    const ran = { code: -1, out: '', err: '' };
    const io = {
      out: (text: string) => {
        ran.out += text;
      },
      err: (text: string) => {
        ran.err += text;
      },
      watched: false,
    };
    ran.code = await run(line.split(' '), io, url === undefined ? {} : { DATABASE_URL: url });
    return ran;
  };
  return {
    broker,
    directory,
    file: (name: string) => `file:${join(directory, name)}`,
    /** A file with the demo's records. */
    demoAt: (name: string) => copyDemo(join(directory, name)),
    /** An open file, closed at the end. */
    async open(name: string): Promise<TableAccess> {
      const access = await openSqliteTables({ file: join(directory, name), monotonic });
      t.teardown(() => access.close());
      return access;
    },
    json: async (line: string, url?: string) => JSON.parse((await broker(`${line} --json`, url)).out),
  };
}

/** A file with the demo's records and so many history lines more: enough for batches of their own. */
async function fill(access: TableAccess, lines: number): Promise<void> {
  const { db, tables } = access;
  const request = (await db.select().from(tables.requests).limit(1))[0];
  if (!request) throw new Error('the demo has no request');
  const { id: requestId, brokerId, status } = request;
  const names = ['a', 'Z', 'é', 'ÿ', '\u{ff5e}', '\u{1f600}', '_'];
  await access.transaction(async () => {
    for (let line = 0; line < lines; line += 1) {
      const id = `evt_${names[line % names.length]}_${line}`;
      await db
        .insert(tables.requestHistory)
        .values({ id, brokerId, requestId, status, at: line, actor: 'system', note: `line ${line} \u{1f600}` });
    }
  });
}

const rowsOf = (tables: CopiedTable[], name: string) => tables.find(({ table }) => table === name)?.rows;

t.test('a database moves from a file to PostgreSQL and back with every row and checksum', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { broker, json, file, open, demoAt } = terminal(t);
  const database = await createDatabase({ migrated: false });
  t.teardown(() => database.drop());
  await demoAt('one.db');
  await fill(await open('one.db'), 1200);

  const there = await broker(`copy --from ${file('one.db')} --to ${database.url} --json`);
  t.equal(there.code, 0, there.err);
  t.equal(there.err, '', 'no terminal');
  const moved = JSON.parse(there.out);
  t.match(moved, { from: 'sqlite', to: 'postgres', source_changed: false });
  t.equal(moved.tables.length, 26);
  t.ok(Number(rowsOf(moved.tables, 'audit_trail')) > 0, 'the trail comes along');
  t.ok(Number(rowsOf(moved.tables, 'request_history')) > 1200);
  t.match(await json('services show 1000001 --broker demo', database.url), { service_number: 1000001 });
  t.strictSame(
    await json('services list --broker demo', database.url),
    await json('services list --broker demo', file('one.db')),
  );

  const back = await json(`copy --from ${database.url} --to ${file('two.db')}`);
  t.match(back, { from: 'postgres', to: 'sqlite' });
  t.strictSame(back.tables, moved.tables, 'rows and checksums are those of the first file');
  const found = await json('services list --broker demo', file('two.db'));
  t.strictSame(found, await json('services list --broker demo', file('one.db')), 'the copy is a database to work on');

  t.match(await broker(`copy --from ${file('one.db')} --to ${database.url}`), {
    code: 1,
    out: '',
    err: 'The target is not empty: it has rows in brokers\n',
  });
});

t.test('a copy takes the numbers and the secret of its source with it, and can be searched', async (t) => {
  const { json, file, directory, demoAt } = terminal(t);
  await demoAt('one.db');
  const outcome = await json(`copy --from ${file('one.db')} --to ${file('two.db')}`);
  t.match(outcome, { from: 'sqlite', to: 'sqlite' });
  const [one, two] = [
    await openSqlite({ file: join(directory, 'one.db'), monotonic }),
    await openSqlite({ file: join(directory, 'two.db'), monotonic }),
  ];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  t.equal(await two.read.settings.find('sandbox_secret'), await one.read.settings.find('sandbox_secret'));
  t.ok(await two.read.keys.findAccess(DEMO_KEYS.live.slice('sk_live_'.length, 'sk_live_'.length + 8)));
  const next = (store: typeof one) => store.tx((tx) => tx.sequences.nextServiceNumber());
  t.equal(await next(two), await next(one));
  const [service] = await json('services list --broker demo', file('two.db'));
  const brokers = await two.read.brokers.list();
  const demo = brokers.find(({ slug }) => slug === 'demo');
  const search = String(service.client.name).toLowerCase();
  const page = await two.read.services.page(demo?.id as string, { search }, { limit: 100, offset: 0 });
  t.ok(
    page.some((view) => view.service.number === service.service_number),
    'the index of texts is there',
  );
});

t.test('a target that is not empty is refused, and so is a source that is not there', async (t) => {
  const { broker, file, demoAt } = terminal(t);
  await demoAt('one.db');
  await demoAt('two.db');
  const refusals: Array<[string, RegExp]> = [
    [`--from ${file('one.db')} --to ${file('two.db')}`, /^The target is not empty: it has rows in brokers\n$/],
    [`--from ${file('one.db')} --to ${file('one.db')}`, /^The target is not empty: it has rows in brokers\n$/],
    [`--from ${file('none.db')} --to ${file('three.db')}`, /^--from: there is no [^\n]*none\.db\n$/],
    [`--from mysql://x --to ${file('three.db')}`, /^--from: must be file:PATH or postgres:/],
    [`--from ${file('one.db')} --to `, /^--to: must be file:PATH or postgres:/],
    [
      `--from ${file('one.db')} --to postgres://postgres@127.0.0.1:1/none`,
      /^It failed: connect ECONNREFUSED [^\n]*\n$/,
    ],
    [`--from ${file('one.db')}`, /^required option '--to <url>' not specified/],
  ];
  for (const [options, line] of refusals) {
    const refused = await broker(`copy ${options}`);
    const isMisuse = /^--\w+: must be|^required option/.test(refused.err);
    t.strictSame([refused.code, refused.out], [isMisuse ? 2 : 1, ''], options);
    t.match(refused.err, line);
  }
  t.match(await broker(`copy --from ${file('one.db')} --to ${file('three.db')}`), {
    code: 0,
    out: /^table +rows +checksum\nsettings +2 +[0-9a-f]{64}\n/,
  });
});

t.test('an interrupted copy leaves nothing on either engine, and is begun again', async (t) => {
  const { json, file, open, demoAt } = terminal(t);
  await demoAt('one.db');
  const from = await open('one.db');
  await fill(from, 1200);
  const targets = [{ target: file('two.db'), to: await open('two.db') }];
  if (await services(t, 'PostgreSQL')) {
    const { url, drop } = await createDatabase({ migrated: true });
    t.teardown(() => drop());
    const to = await openTables({ kind: 'postgres', url }, systemClock);
    t.teardown(() => to.close());
    targets.push({ target: url, to });
  }
  for (const { target, to } of targets) {
    const { settings } = to.tables;
    const before = await to.db.select().from(settings);
    const interrupted = copyDatabase(from, to, (done) => {
      if (done > 1000) throw new Error('killed');
    });
    await t.rejects(interrupted, /killed/);
    t.strictSame(await to.db.select().from(settings), before);
    t.strictSame(await to.db.select().from(to.tables.brokers), []);
    t.match(await json(`copy --from ${file('one.db')} --to ${target}`), { source_changed: false });
  }
});

t.test('rows that arrive otherwise than they left are not committed', async (t) => {
  const { broker, json, file, directory, demoAt } = terminal(t);
  await demoAt('one.db');
  await json('migrate', file('two.db'));
  const target = new Sqlite(join(directory, 'two.db'));
  target.exec(`create trigger meddle after insert on invoices when new.rowid = 1
    begin update invoices set currency = 'XXX' where rowid = 1; end`);
  t.match(await broker(`copy --from ${file('one.db')} --to ${file('two.db')}`), {
    code: 1,
    out: '',
    err: 'The copy differs from the source in invoices\n',
  });
  t.equal(target.prepare('select count(*) from brokers').pluck().get(), 0);
  target.close();
});

t.test('a source that is written to meanwhile is copied as it was, and the command fails', async (t) => {
  const { file, directory, demoAt } = terminal(t);
  await demoAt('one.db');
  const said: string[] = [];
  let out = '';
  const io = {
    out(text: string) {
      out += text;
    },
    err(text: string) {
      said.push(text);
      if (!text.includes('[')) return;
      const server = new Sqlite(join(directory, 'one.db'));
      server.exec('update sequences set next_value = next_value + 1');
      server.close();
    },
    watched: true,
  };
  t.equal(await run(['copy', '--from', file('one.db'), '--to', file('two.db'), '--json'], io, {}), 1);
  t.equal(JSON.parse(out).source_changed, true);
  t.match(said.at(-1), /The source has changed since: the copy is as it was at the beginning\n$/);
  const copy = new Sqlite(join(directory, 'two.db'));
  t.equal(copy.prepare('select next_value from sequences').pluck().get(), 1_000_001);
  copy.close();
});

t.test('a copy between versions says what it needs and changes neither', async (t) => {
  const { broker, file, directory, demoAt } = terminal(t);
  await demoAt('one.db');
  await demoAt('two.db');
  const alter = (name: string, statement: string) => {
    const db = new Sqlite(join(directory, name));
    db.exec(statement);
    db.close();
  };
  alter('one.db', 'delete from schema_migrations where made_at > (select min(made_at) from schema_migrations)');
  alter('two.db', "insert into schema_migrations values (9999999999999, 'newer')");
  alter('two.db', "update settings set value = '999.0.0' where name = 'oldest_release'");
  const refused = async (from: string, to: string) => broker(`copy --from ${file(from)} --to ${file(to)}`);
  t.match(await refused('one.db', 'new.db'), { code: 1, err: /^--from: this database is of a release before 1\.1/ });
  t.match(await refused('two.db', 'new.db'), { code: 1, err: /^--from: a newer version of this program/ });
  await demoAt('three.db');
  t.match(await refused('three.db', 'two.db'), { code: 1, err: /^--to: a newer version of this program/ });
  t.match(await refused('.', 'new.db'), { code: 1, err: /^It failed: / }, 'what is no question of versions');
});
