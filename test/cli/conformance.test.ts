import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { run } from '../../src/cli/run.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { served } from '../support/served.ts';
import { listen } from '../support/wire.ts';

async function broker(...argv: string[]) {
  let [out, err] = ['', ''];
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    watched: false,
  };
  // Neither configuration nor database is read.
  const code = await run(['conformance', ...argv], io, { DATABASE_URL: 'nonsense' });
  return { code, out, err };
}

t.test('conformance prints a table for a person, or one JSON document, and exits 1 on a failure', async (t) => {
  const world = await served(t);
  const fields = { mode: 'test' as const };
  const { key } = await world.addKey(world.broker, ['admin:full'], { ...fields, rateLimit: 1_000_000 });
  const keys = ['--key-without-scopes', (await world.addKey(world.broker, [], fields)).key];
  keys.push('--expired-key', (await world.addKey(world.broker, [], { ...fields, expiresAt: 1 })).key);
  keys.push('--revoked-key', (await world.addKey(world.broker, [], { ...fields, status: 'revoked' })).key);
  const closed = await world.addBroker({ ipRestrictionEnabled: true });
  keys.push('--firewalled-key', (await world.addKey(closed, ['admin:full'], fields)).key);
  const port = await listen(world.app);
  const directory = mkdtempSync(join(tmpdir(), 'broker-test-'));
  t.teardown(() => rmSync(directory, { recursive: true }));

  const address = `http://127.0.0.1:${port}/api`;
  const passed = await broker('--base-url', address, '--key', key, ...keys);
  t.equal(passed.code, 0);
  t.match(
    passed.err,
    /^\d+ of \d+ checks run, with about \d+ calls\.\nThe rate limit of the key is 1000000 calls in 60 s, .+: no wait is expected\.\n1 of \d+: addresses\n/,
  );
  t.match(passed.out, /^ok {6}addresses .+/);
  t.match(passed.out, /^\d+ more checks run with --full\.$/m);

  let limited = false;
  const withoutId = await faultyProxy(t, port, [
    {
      when: /v1\/plans$/,
      answer: (answer) => {
        if (limited) return answer;
        limited = true;
        return { status: 429, headers: { 'retry-after': '1' }, body: '{}' };
      },
    },
    {
      when: /auth-check$/,
      answer: ({ headers: { 'x-request-id': _, ...headers }, ...answer }) => ({ ...answer, headers }),
    },
  ]);
  const junit = join(directory, 'junit.xml');
  const failed = await broker(
    '--base-url',
    `http://127.0.0.1:${withoutId}/api`,
    '--key',
    key,
    '--json',
    '--junit',
    junit,
  );
  t.equal(failed.code, 1);
  t.match(failed.err, /Waiting 1 s: the rate limit refused a call\n(?:.*\n)*\d+ of \d+ checks failed\n$/);
  const report = JSON.parse(failed.out);
  t.ok(report.failed > 0);
  t.match(failed.out, /the header x-request-id is missing/);
  t.match(readFileSync(junit, 'utf8'), /<failure message="[^"]*the header x-request-id is missing/);
  t.notOk(`${failed.out}${readFileSync(junit, 'utf8')}`.includes(key));
});

t.test('a run that cannot begin is one line, and one JSON document', async (t) => {
  const { code, out, err } = await broker('--base-url', 'http://127.0.0.1:1/api', '--key', 'sk_test_x', '--json');
  t.equal(code, 1);
  t.match(err, /^http:\/\/127\.0\.0\.1:1\/api cannot be reached: [^\n]*\n$/);
  t.match(JSON.parse(out), { error: { message: /cannot be reached/ } });
  t.match(await broker('--base-url', 'http://127.0.0.1:1/api'), { code: 2, err: /--key/ });
});
