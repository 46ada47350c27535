import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { parse } from 'yaml';
import { createDatabase, services } from '../support/services.ts';

const run = promisify(execFile);

t.test('one file becomes a PostgreSQL database with the command that stands on the page', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const database = await createDatabase({ migrated: false });
  t.teardown(() => database.drop());
  const cwd = t.testdir({});
  const broker = (words: string[]) =>
    run(process.execPath, [resolve('bin/broker.mjs'), ...words], { cwd, env: { PATH: process.env.PATH } });
  await broker(['demo']);
  const [, line = ''] = /sudo broker (copy .*)/.exec(readFileSync('docs/parts.md', 'utf8')) ?? [];
  const places: Record<string, string> = {
    'file:/var/lib/broker/broker.db': 'file:./data/broker.db',
    'postgres://broker@db.example.com/broker': database.url,
  };
  const words = line.split(' ').map((word) => places[word] ?? word);
  const { stdout } = await broker(words);
  t.match(stdout, /services +\d+/);
});

t.test('every variable of compose.yaml that has to be filled in stands in the example', async (t) => {
  const text = readFileSync('compose.yaml', 'utf8');
  const example = readFileSync('deploy/example.env', 'utf8');
  for (const [, name] of text.matchAll(/\$\{(\w+)/g)) t.match(example, new RegExp(`^${name}=`, 'm'));
  const compose = parse(text, { merge: true });
  const proxy = compose.services['load-balancer'];
  const servers: string[] = proxy.environment.SERVERS.split(' ');
  t.strictSame(
    servers,
    proxy.depends_on.map((name: string) => `${name}:3000`),
    'the proxy knows every server',
  );
  t.equal(join('.', proxy.volumes[0].split(':')[0]), 'deploy/Caddyfile');
});
