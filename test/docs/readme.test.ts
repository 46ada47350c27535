import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { blocksOf } from '../support/guides.ts';
import { freePort } from '../support/redis.ts';

/**
 * What `npm` is for the README's reader, without what takes minutes and is tried elsewhere: the installation and the
 * tests. The server is started in a folder of its own.
 */
const NPM = `
case "$1" in
  ci|test) exit 0;;
  start) "$NODE" "$TREE/dist/src/server.js" >"$ROOT/server.log" 2>&1 & echo $! >"$ROOT/pid"
    until grep -q 'Server listening' "$ROOT/server.log"; do kill -0 "$(cat "$ROOT/pid")" || exit 1; sleep 0.1; done;;
  run) shift 4; exec "$NODE" "$TREE/bin/broker.mjs" "$@";;
esac`;

t.test('the README’s commands and calls work as they are pasted, in their order', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'broker-readme-'));
  t.teardown(() => {
    process.kill(Number(readFileSync(join(root, 'pid'), 'utf8')), 'SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  mkdirSync(join(root, 'stand-ins'));
  writeFileSync(join(root, 'stand-ins/npm'), `#!/bin/sh${NPM}`);
  chmodSync(join(root, 'stand-ins/npm'), 0o755);
  const port = await freePort();
  const own = (text: string): string => text.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);

  // The others need an LXD: test/integrations/lxd.test.ts.
  const blocks = blocksOf('README.md').filter(({ needs }) => needs.length === 0);
  t.ok(blocks.length >= 3);
  const script = blocks.map(({ code }, index) => `echo "@@ ${index}"\n${code}`);
  writeFileSync(join(root, 'readme.sh'), own(`set -euo pipefail\n${script.join('\n')}\necho "@@ end"\n`));
  const env = {
    PATH: `${join(root, 'stand-ins')}:${process.env.PATH}`,
    ROOT: root,
    TREE: resolve('.'),
    NODE: process.execPath,
    PORT: String(port),
    CONSOLE_PORT: 'off',
    // The kit would wait for its key's window.
    RATE_LIMIT_MAX: '100000',
  };
  const said = await promisify(execFile)('bash', ['readme.sh'], { cwd: root, env }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => {
      t.fail(`${stdout.slice(-2000)}\n${stderr}`);
      return '';
    },
  );
  const part = (name: string | number) => said.split(`@@ ${name}\n`)[1]?.split('@@')[0] ?? '';

  const answers =
    /(\{.*"authenticated":true.*\})\n(\{.*"cancellation-warning".*\})\n(.*\.eml)\n(\{.*"request_status":"accepted".*\})/;
  const sold = part(1)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(sold[1], { success: true, data: { service_number: 950001 } });
  t.match(sold[3], { data: { service_status: 'active', access: { hostname: 'shop.example.com' } } });
  t.match(sold[4], { data: { credentials: [{ username: 'root' }] } });
  t.match(sold[5], { data: { type: 'service-action', request_status: 'accepted' } });
  const [, access, warning, file, upgrade] = answers.exec(part(2)) ?? [];
  for (const answer of [access, upgrade, warning]) t.match(JSON.parse(answer ?? '{}'), { success: true });
  t.match(readFileSync(file ?? '', 'utf8'), /Invoice 2026-118/);
  t.match(said, /, 0 failed, .*@@ end/s);
});
