import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { run } from '../../src/cli/run.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { copyDemo } from '../support/demo.ts';
import { full } from '../support/full.ts';
import { aBroker, aCall, aKey, anAuditRow, aPlan, aService, aUsageRow } from '../support/rows.ts';

function terminal(t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-look-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'broker.db');
  return {
    file,
    async broker(line: string, expected = 0) {
      let out = '';
      let err = '';
      const io = {
        out(text: string) {
          out += text;
        },
        err(text: string) {
          err += text;
        },
        watched: false,
      };
      const code = await run(line.split(' '), io, { DATABASE_URL: `file:${file}` });
      t.equal(code, expected, line);
      if (expected === 0) t.equal(err, '', line);
      else t.match(err, /^The limit has cut the rows; give a higher --limit, or narrow them\n$/, line);
      return out;
    },
  };
}

t.test('the user who ran a command stands in the trail, as a table, as JSON and as CSV', async (t) => {
  const { broker } = terminal(t);
  await broker('brokers create --slug acme --name Acme --contact a@b.example --sender a@b.example');
  const [row, ...others] = JSON.parse(await broker('audit list --broker acme --since 1h --json'));
  t.strictSame(others, []);
  t.match(row, { actor: userInfo().username, actor_kind: 'command', client_ip: null, action: 'broker.create' });
  t.match(await broker('audit list'), /broker\.create .*broker\/acme/);
  t.match(await broker('audit list --csv'), /^date,actor,[^\n]*\r\n[^\n]*broker\.create/);
  t.strictSame(JSON.parse(await broker('audit list --action key.revoke --csv --json')), []);
  t.equal(await broker('audit list --actor nobody'), 'None.\n');
});

t.test('the demo comes and goes with its records, and its traces in the trail stay', async (t) => {
  const { broker } = terminal(t);
  await broker('demo');
  const before = JSON.parse(await broker('audit list --json')).length;
  t.ok(before > 5);
  await broker('demo --remove --yes');
  const rows = JSON.parse(await broker('audit list --json'));
  t.equal(rows.length, before + 3);
  t.match(rows[0], { action: 'operator.remove', subject: 'operator/operator@example.com' });
  t.match(rows[1], { action: 'demo.remove', broker: /^brk_/, subject: /^broker\/demo/ });
});

t.test('usage and calls are printed as tables and as JSON', async (t) => {
  const { broker, file } = terminal(t);
  t.equal(await broker('migrate --json').then((text) => JSON.parse(text).up_to_date), true);
  const store = await openSqlite({ file, monotonic: () => performance.now() });
  const acme = aBroker();
  const key = aKey(acme);
  const call = aCall(acme, key, { at: Date.now() });
  await store.tx(async (tx) => {
    await tx.brokers.insert(acme);
    await tx.keys.insert(key);
    await tx.calls.insert([call]);
  });
  await store.close();
  t.equal(await broker('usage'), 'None.\n');
  t.strictSame(JSON.parse(await broker('usage --since 30d --json')), { truncated: false, rows: [] });
  const minutes = [1, 2].map((ago) =>
    aUsageRow(acme.id, Date.now() - (Date.now() % 60_000) - ago * 60_000, { keyId: key.id, calls: 3 }),
  );
  const again = await openSqlite({ file, monotonic: () => performance.now() });
  await again.tx((tx) => tx.usage.count(minutes));
  await again.close();
  t.match(await broker('usage --csv'), /^from_date,broker,key_prefix,mode,calls,answered,refused,failed,.*\r\n.*,6,/);
  t.match(await broker('usage --by-operation'), /operation +outcome/);
  t.match(JSON.parse(await broker('usage --by minute --limit 1 --json', 1)), { truncated: true, rows: [{ calls: 3 }] });
  t.match(await broker('calls list'), new RegExp(call.requestId));
  t.match(await broker(`calls show ${call.requestId}`), /operation: +upgradeService/);
});

t.test('a list as CSV is whole, or says that its limit has cut it; as JSON too unless a limit is given', async (t) => {
  const { broker, file } = terminal(t);
  await copyDemo(file);
  const ofDemo = '--broker demo';
  const lists: Array<[list: string, hasTotal: boolean]> = [
    ['audit list', true],
    ['calls list --since 7d', true],
    [`services list ${ofDemo}`, true],
    [`invoices list ${ofDemo}`, true],
    [`requests list ${ofDemo}`, true],
    ['emails list', true],
  ];
  for (const [list, hasTotal] of lists) {
    const all = JSON.parse(await broker(`${list} --limit 10000 --json`)).length;
    t.ok(all > 1, list);
    t.equal((await broker(`${list} --limit ${all} --csv`)).trimEnd().split('\r\n').length, all + 1);
    await broker(`${list} --limit ${all - 1} --csv`, 1);
    t.equal(JSON.parse(await broker(`${list} --limit 1 --json`)).length, 1);
    t.match(await broker(`${list} --limit 1`), hasTotal ? `1 of ${all}.` : 'The first 1; there are more.');
  }
  await broker(`services list ${ofDemo} --limit 10000 --offset 3 --csv`);
});

t.test('a list as JSON that its own limit has cut says so', async (t) => {
  const { broker, file } = terminal(t);
  await broker('migrate');
  const store = await openSqlite({ file, monotonic: () => performance.now() });
  const acme = aBroker();
  await store.tx(async (tx) => {
    await tx.brokers.insert(acme);
    for (let row = 0; row < 1_001; row += 1) await tx.audit.insert(anAuditRow({ at: Date.now() }));
  });
  await store.close();
  t.equal(JSON.parse(await broker('audit list --json', 1)).length, 1_000);
  t.equal((await broker('audit list --csv', 1)).trimEnd().split('\r\n').length, 1_001);
  t.match(await broker('audit list'), /1000 of 1001\./);

  const pieces: string[] = [];
  const left = { out: async (text: string) => pieces.push(text) < 2, err: t.fail, watched: false };
  t.equal(await run(['audit', 'list', '--csv'], left, { DATABASE_URL: `file:${file}` }), 0);
  t.equal(pieces.length, 2, 'nothing more is read where the reader has left');
});

t.test(
  'a list of more than are counted, and than a statement has parameters, is printed as a whole',
  { skip: !full },
  async (t) => {
    const { broker, file } = terminal(t);
    await broker('migrate');
    const store = await openSqlite({ file, monotonic: () => performance.now() });
    const acme = aBroker();
    const plan = aPlan(acme);
    const at = Date.now();
    const calls = Array.from({ length: 33_000 }, () => aCall(acme, aKey(acme), { at, serviceNumber: 7 }));
    const services = calls.map(() => aService(acme, plan, { label: 'shop.example.com', createdAt: at, updatedAt: at }));
    await store.tx(async (tx) => {
      await tx.brokers.insert(acme);
      await tx.plans.insert(plan);
      for (let from = 0; from < services.length; from += 500)
        await tx.services.insert(services.slice(from, from + 500));
      await tx.calls.insert(calls);
    });
    await store.close();
    const lines = async (command: string, code = 0) => (await broker(command, code)).trimEnd().split('\r\n').length;
    t.equal(await lines('services list --search shop --limit 40000 --csv'), 33_001);
    t.equal(await lines('services list --search shop --limit 32999 --csv', 1), 33_000);
    t.equal(await lines('calls list --service 7 --limit 40000 --csv'), 33_001);
  },
);
