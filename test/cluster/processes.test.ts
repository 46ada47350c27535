import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import t, { type Test } from 'tap';
import { composeParts } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { createDemo, DEMO_KEYS } from '../../src/demo/demo.ts';
import { openPostgres } from '../../src/store/drivers/postgres.ts';
import { ahead, startWorker } from '../support/cluster.ts';
import { freePort } from '../support/redis.ts';
import { createDatabase, REDIS_URL, services } from '../support/services.ts';
import { makeCertificate } from '../support/tls.ts';
import { until } from '../support/until.ts';
import { createWorld } from '../support/world.ts';

/** A server as an operator starts it. */
async function startServer(t: Test, env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const outbox = mkdtempSync(join(tmpdir(), 'broker-outbox-'));
  t.teardown(() => rmSync(outbox, { recursive: true, force: true }));
  const settings = { PORT: String(port), CONSOLE_PORT: 'off', LOG_LEVEL: 'warn', MAIL_OUTBOX_DIR: outbox };
  const child: ChildProcess = spawn(process.execPath, ['dist/src/server.js'], {
    env: { PATH: process.env.PATH, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  t.teardown(() => child.kill('SIGKILL'));
  const base = `http://127.0.0.1:${port}`;
  return {
    base,
    port,
    exited,
    /** What it wrote so far. */
    said: () => said,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async ready() {
      const isReady = async () => {
        const answer = await fetch(`${base}/health/ready`).catch(() => undefined);
        await answer?.arrayBuffer();
        return answer?.status === 200;
      };
      await until('the server is ready', isReady);
    },
    async post(key: string, path: string, body: object, idempotencyKey?: string) {
      const answer = await fetch(`${base}/api/v1${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'x-idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(body),
      });
      return { status: answer.status, raw: await answer.text() };
    },
  };
}

t.test('two servers on a fresh database start together, share the work, and end when they are told to', async (t) => {
  if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
  const database = await createDatabase({ migrated: false });
  t.teardown(() => database.drop());
  const env = { DATABASE_URL: database.url, REDIS_URL };
  const servers = await Promise.all([startServer(t, env), startServer(t, env)]);
  await Promise.all(servers.map((server) => server.ready()));

  const world = await createWorld({
    openStore: () => openPostgres({ url: database.url }),
  });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  const { key } = await world.addKey(broker);
  const body = { plan: plan.slug, client: { name: 'Ada', email: 'ada@example.com' } };
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => servers[turn % 2]?.post(key, '/services', body, idempotencyKey)),
  );
  t.strictSame(
    [...new Set(answers.map((answer) => answer?.status))],
    [201],
    servers.map((server) => server.said()).join(),
  );
  t.equal(new Set(answers.map((answer) => answer?.raw)).size, 1);
  await until('one of their workers has done the work', async () => {
    const [service] = await world.store.read.services.page(broker.id, {}, { limit: 1, offset: 0 });
    return service?.service.status === 'active';
  });
  for (const server of servers) {
    server.kill('SIGTERM');
    t.strictSame(await server.exited, [0, null], server.said());
  }
});

t.test(
  'a server that is told to end answers calls while the balancer learns of it, or until it is told again',
  async (t) => {
    const DATABASE_URL = `file:${join(t.testdir({}), 'drain.db')}`;
    // Longer than any of this takes.
    const server = await startServer(t, { DATABASE_URL, DRAIN_SECONDS: '300' });
    await server.ready();
    server.kill('SIGTERM');
    const ask = async (path: string) => {
      const answer = await fetch(`${server.base}${path}`, { headers: { authorization: `Bearer ${DEMO_KEYS.live}` } });
      await answer.arrayBuffer();
      return { status: answer.status, connection: answer.headers.get('connection') };
    };
    await until('it is not ready', async () => (await ask('/health/ready')).status === 503);
    t.match(await ask('/health/live'), { status: 200 });
    t.strictSame(await ask('/api/v1/auth-check'), { status: 200, connection: 'close' });
    server.kill('SIGTERM');
    t.strictSame(await server.exited, [1, null], server.said());
  },
);

t.test('SIGHUP makes a server read its certificate again; a faulty one leaves the old one', async (t) => {
  const directory = t.testdir({});
  const { certFile, keyFile } = makeCertificate(directory);
  const DATABASE_URL = `file:${join(directory, 'tls.db')}`;
  const server = await startServer(t, {
    DATABASE_URL,
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    LOG_LEVEL: 'info',
    DRAIN_SECONDS: '1',
  });
  const fingerprint = () =>
    new Promise<string | undefined>((resolve) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.end();
      });
      socket.on('error', () => resolve(undefined));
    });
  await until('it listens', fingerprint);
  await until('it says where', () => server.said().includes(`Server listening at https://127.0.0.1:${server.port}`));
  const first = await fingerprint();
  makeCertificate(directory);
  t.equal(await fingerprint(), first, 'it is read when that is asked for');
  server.kill('SIGHUP');
  await until('it has the new one', async () => (await fingerprint()) !== first);
  const second = await fingerprint();
  writeFileSync(certFile, 'no certificate');
  server.kill('SIGHUP');
  await until('it records the fault', () =>
    /SIGHUP: TLS_CERT_FILE, TLS_KEY_FILE: .*; the old ones stay/.test(server.said()),
  );
  t.equal(await fingerprint(), second);
  server.kill('SIGTERM');
  t.strictSame(await server.exited, [0, null], 'it ends by itself after the drain');
});

t.test('a server with a mail provider behind a proxy refuses to start while a demo key is active', async (t) => {
  const DATABASE_URL = `file:${join(t.testdir({}), 'demo.db')}`;
  const settings = { DATABASE_URL, TRUST_PROXY: '127.0.0.1', SMTP_URL: 'smtp://127.0.0.1:1' };
  const fresh = await startServer(t, settings);
  await fresh.ready();
  fresh.kill('SIGTERM');
  t.strictSame(await fresh.exited, [0, null], 'a database that it creates gets no demo keys');

  const parts = await composeParts(loadConfig({ DATABASE_URL }), () => undefined);
  await createDemo(parts);
  await parts.close();
  const refused = await startServer(t, settings);
  t.strictSame(await refused.exited, [1, null]);
  t.match(refused.said(), /^The server does not start\. TRUST_PROXY: the demo keys are known to everybody;.*\n$/);
});

t.test('a server that is reached from outside refuses demo keys that are added while it runs', async (t) => {
  const DATABASE_URL = `file:${join(t.testdir({}), 'late.db')}`;
  const server = await startServer(t, { DATABASE_URL, HOST: '0.0.0.0' });
  await server.ready();
  const parts = await composeParts(loadConfig({ DATABASE_URL }), () => undefined);
  await createDemo(parts);
  await parts.close();
  for (const key of [DEMO_KEYS.live, DEMO_KEYS.test]) {
    const answer = await fetch(`${server.base}/api/v1/auth-check`, { headers: { authorization: `Bearer ${key}` } });
    t.equal(answer.status, 401);
    t.match(await answer.json(), { error: { details: { reason: 'invalid' } } });
  }
  server.kill('SIGTERM');
  t.strictSame(await server.exited, [0, null], server.said());
});

t.test('work that a server had in hand when it was killed is done by another, under the same id', async (t) => {
  if (!(await services(t, 'PostgreSQL', 'Redis'))) return;
  const given: Array<string | undefined> = [];
  // The operator's endpoint hangs, so that the kill meets the server in the middle of its work.
  const endpoint = createServer((request) => {
    given.push(request.headers['idempotency-key'] as string | undefined);
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  t.teardown(() => endpoint.close().closeAllConnections());

  const database = await createDatabase({ migrated: true });
  t.teardown(() => database.drop());
  const world = await createWorld({
    openStore: () => openPostgres({ url: database.url }),
  });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  const { key } = await world.addKey(broker);
  const server = await startServer(t, {
    DATABASE_URL: database.url,
    PROVISIONER_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/work`,
    PROVISIONER_SECRET: 'a secret of this test',
  });
  await server.ready();
  const body = { plan: plan.slug, client: { name: 'Ada', email: 'ada@example.com' } };
  const { status, raw } = await server.post(key, '/services', body);
  t.equal(status, 201, `${raw} ${server.said()}`);
  const { request_id: requestId } = JSON.parse(raw).data;
  await until('the work has begun', () => given.length === 1);
  server.kill('SIGKILL');
  await server.exited;

  const repeated: string[] = [];
  const provisioner = {
    async fulfil({ request_id }: { request_id: string }) {
      repeated.push(request_id);
      return { outcome: 'done' } as const;
    },
  };
  const soon = await startWorker(t, database.url, { provisioner });
  t.equal(await soon.runOnce(), 0);
  const later = await startWorker(t, database.url, { provisioner, clock: ahead(61_000) });
  t.equal(await later.runOnce(), 1);
  t.strictSame([given, repeated], [[requestId], [requestId]]);
  const view = await world.store.read.requests.findView(broker.id, requestId);
  t.match(view?.request, { status: 'completed', attempts: 2 });
});
