import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { run } from '../../src/cli/run.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { aLoss } from '../support/rows.ts';

t.test('restored --trail does again what the log says, and names what a person has to look at', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'broker-trail-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'broker.db');
  async function broker(...words: string[]) {
    let out = '';
    const write = (text: string) => {
      out += text;
    };
    const io = { out: write, err: write, watched: false };
    return { code: await run(words, io, { DATABASE_URL: `file:${file}` }), out };
  }
  await broker(
    'brokers',
    'create',
    '--slug',
    'acme',
    '--name',
    'Acme',
    '--contact',
    'a@b.example',
    '--sender',
    'a@b.example',
  );
  const made = await broker(
    'keys',
    'create',
    '--broker',
    'acme',
    '--name',
    'Shop',
    '--mode',
    'live',
    '--scopes',
    'admin:full',
    '--json',
  );
  const { key_id } = JSON.parse(made.out);
  const now = Date.now();
  const store = await openSqlite({ file, monotonic: () => performance.now() });
  await store.tx((tx) => tx.history.insert(aLoss({ history: 9, lostFrom: now, lostUntil: now + 60_000 })));
  await store.close();
  const entry = { date: new Date(now + 1000).toISOString(), broker_id: null, before: {}, after: {}, history: 0 };
  const lines = [
    { level: 30, msg: 'request completed' },
    { audit: { ...entry, id: 'aud_1', action: 'key.revoke', subject: `key/${key_id}` }, msg: 'audit' },
    { audit: { ...entry, id: 'aud_2', action: 'broker.resume', subject: 'broker/acme' }, msg: 'audit' },
  ];
  const log = join(directory, 'server.log');
  writeFileSync(
    log,
    Buffer.concat([Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')), Buffer.from([10, 0xc3])]),
  );
  const { code, out } = await broker('restored', '--trail', log);
  t.equal(code, 0, out);
  t.match(out, /done: +1\n/);
  t.match(out, /listed: +1\n/);
  t.match(out, /key\.revoke .*done/);
  t.match(out, /broker\.resume .*listed +it widens/);
  t.equal(JSON.parse((await broker('keys', 'show', key_id, '--json')).out).key_state, 'revoked');
  t.equal((await broker('restored', '--trail', log, '--go-on', '--yes')).code, 2, 'one thing at a time');
});
