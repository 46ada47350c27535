import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DEMO_OPERATOR } from '../../src/demo/keys.ts';
import { createConsoleLink } from '../../src/operator/people/console-access.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { copyDemo } from '../support/demo.ts';
import { until } from '../support/until.ts';
import { AN_OPERATOR } from '../support/world.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A server as a developer starts it, on a new folder by default. */
async function start(t: Test, directory = mkdtempSync(join(tmpdir(), 'broker-start-'))) {
  const [port, consolePort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['dist/src/server.js'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      DATABASE_URL: `file:${join(directory, 'broker.db')}`,
      MAIL_OUTBOX_DIR: join(directory, 'outbox'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  return { child, exited, port, consolePort };
}

t.test(
  'a fresh start says one link, which opens the console signed in; the API’s port knows nothing of it',
  async (t) => {
    const { child, exited, port, consolePort } = await start(t);
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const linkSaid = () => /http:\/\/127\.0\.0\.1:\d+\/sign-in\/[\w-]{43}/.exec(said)?.[0];
    await until('the link is said', async () => linkSaid() !== undefined);
    const link = linkSaid() as string;
    t.ok(link.startsWith(`http://127.0.0.1:${consolePort}/`));

    const page = await fetch(link);
    const html = await page.text();
    const cookie = page.headers.getSetCookie().map((line) => line.split(';')[0]);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] as string;
    const opened = await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form_token: token }).toString(),
    });
    t.match([opened.status, opened.headers.get('location')], [303, '/']);
    const session = opened.headers.getSetCookie().map((line) => line.split(';')[0]);
    const brokers = await fetch(`http://127.0.0.1:${consolePort}/brokers`, { headers: { cookie: session.join('; ') } });
    const list = await brokers.text();
    t.match(list, /Demo Hosting.*demo data|demo data.*Demo Hosting/s);
    for (const [, file] of list.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      t.equal((await fetch(`http://127.0.0.1:${consolePort}${file}`)).status, 200, String(file));
    }
    for (const path of ['/', '/sign-in', '/brokers']) {
      t.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 404, path);
    }
    child.kill('SIGTERM');
    t.strictSame(await exited, [0, null], 'and it ends when it is told to');
  },
);

t.test('a server that was restarted often runs without another link', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'broker-start-'));
  const file = join(directory, 'broker.db');
  await copyDemo(file);
  const store = await openSqlite({ file, monotonic: systemClock.monotonic });
  const parts = { store, clock: systemClock, newId: createIds(), actor: AN_OPERATOR };
  // One of each start.
  for (let times = 0; times < 20; times += 1) {
    await createConsoleLink.run({ ...parts, consoleUrl: '' }, { email: DEMO_OPERATOR.email });
  }
  await store.close();
  const { child, port } = await start(t, directory);
  let saidAgain = '';
  child.stdout.on('data', (chunk) => (saidAgain += chunk));
  await until('no link is said', () => saidAgain.includes('no link to the console was made'));
  t.equal((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, 200);
});
