import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { run } from '../../src/cli/run.ts';
import { createDatabase, services } from '../support/services.ts';

t.test('the commands do on PostgreSQL what they do on SQLite, save the backup', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const directory = mkdtempSync(join(tmpdir(), 'broker-cli-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const database = await createDatabase({ migrated: false });
  t.teardown(() => database.drop());
  const env = { DATABASE_URL: database.url };
  const broker = async (line: string) => {
    let out = '';
    let err = '';
    const io = {
      out: (text: string) => {
        out += text;
      },
      err: (text: string) => {
        err += text;
      },
      watched: false,
    };
    const code = await run(line.split(' '), io, env);
    return { code, out, err };
  };
  const json = async (line: string) => JSON.parse((await broker(`${line} --json`)).out);

  t.match(await json('migrate'), { database: 'postgres' });
  t.match(await json('demo'), { created: true });
  t.match(await json('demo'), { created: false });
  t.equal((await json('services list --broker demo')).length, 25);
  t.match(await json('services set 1000001 --broker demo --client-name Zoe'), { client: { name: 'Zoe' } });
  const file = join(directory, 'services.json');
  const record = { client: { name: 'Ada' }, plan: 'business', label: null };
  writeFileSync(file, JSON.stringify([{ ...record, service_number: 1000001 }, record]));
  t.match(await json(`services import ${file} --broker demo`), { updated: 1, issued_service_numbers: [1000026] });
  t.match(await json('services show 1000001 --broker demo'), { plan: { slug: 'business' }, label: null });
  t.match(await json('status'), { queue: { total: 2 } });
  t.match(await broker('brokers create --slug demo --name x --contact a@example.com --sender a@example.com'), {
    code: 1,
    err: '--slug: there is a broker "demo" already\n',
  });
  t.strictSame(await json('numbers skip 100 --yes'), { skipped: 100, from: 1000027, to: 1000127 });
  t.match(await json(`services import ${file} --broker demo`), { issued_service_numbers: [1000127] });
  t.match(await broker('backup copy.db'), { code: 1, out: '', err: /^Only SQLite is backed up here; [^\n]*\n$/ });
  t.match(await json('demo --remove --yes'), { removed: true });
  t.strictSame(await json('brokers list'), []);
});
