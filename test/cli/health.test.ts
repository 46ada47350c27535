import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { run } from '../../src/cli/run.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { createHeartbeat } from '../../src/worker/registry.ts';
import { served } from '../support/served.ts';
import { makeCertificate } from '../support/tls.ts';
import { createWorld } from '../support/world.ts';

async function health(line: string, env: NodeJS.ProcessEnv) {
  const written = { out: '', err: '' };
  const io = {
    out: (text: string) => {
      written.out += text;
    },
    err: (text: string) => {
      written.err += text;
    },
    watched: false,
  };
  return { code: await run(['health', ...line.split(' ').filter(Boolean)], io, env), ...written };
}

async function listening(t: Test, server: Server, host = '127.0.0.1'): Promise<string> {
  await once(server.listen(0, host), 'listening');
  t.teardown(() => server.close());
  return String((server.address() as AddressInfo).port);
}

t.test('health succeeds where the server is ready, and fails with its reason where it is not', async (t) => {
  const { app } = await served(t);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const PORT = String((app.server.address() as AddressInfo).port);
  const ready = await health('--json', { PORT });
  t.match([ready.code, ready.err], [0, '']);
  t.match(JSON.parse(ready.out), { status: 'ok', checks: { database: 'ok' } });
  t.match(await health('', { PORT, HOST: '0.0.0.0' }), { code: 0 }, 'a server on every address answers on this one');
  app.draining = true;
  t.match(await health('', { PORT }), { code: 1, err: `http://127.0.0.1:${PORT} is not ready: Shutting down\n` });
});

t.test('health speaks TLS to a server with a certificate, which names its public host', async (t) => {
  const { certFile, keyFile } = makeCertificate(t.testdir({}), 'api.hosting.test');
  const answer: RequestListener = (_request, response) => response.end('{"data":{"status":"ok"}}');
  const server = createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, answer);
  const PORT = await listening(t, server as Server);
  t.match(await health('', { PORT, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }), { code: 0 });
});

t.test('health waits as long as it is asked to', async (t) => {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response.statusCode = calls === 1 ? 503 : 200;
    response.end(calls === 1 ? '{"error":{"message":"Not yet"}}' : '{"data":{"status":"ok"}}');
  });
  const PORT = await listening(t, server);
  t.match(await health('--wait 600', { PORT }), { code: 0, err: '' });
  t.equal(calls, 2);
});

t.test('health of what is not there fails, and of what cannot be asked is a misuse', async (t) => {
  const server = createServer();
  const PORT = await listening(t, server);
  server.close();
  await once(server, 'close');
  t.match(await health('', { PORT }), { code: 1, err: /^http:\/\/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/ });
  t.match(await health('--wait 600', { PORT: '0' }), { code: 2, err: /^PORT/ });
  t.match(await health('--wait soon', { PORT }), { code: 2, err: /--wait/ });
  t.match(await health('--wait 600', { PORT: 'x' }), { code: 1, err: /^PORT/ });
});

t.test('health of a worker goes by the heartbeat of this host', async (t) => {
  const file = join(t.testdir({}), 'broker.db');
  const { store, clock, close } = await createWorld({
    openStore: (clock) => openSqlite({ file, monotonic: clock.monotonic }),
    // The command goes by the real clock.
    startMs: Date.now(),
  });
  t.teardown(close);
  const env = { DATABASE_URL: `file:${file}` };
  t.match(await health('--worker', env), { code: 1, err: /^No worker of / });
  const heartbeat = createHeartbeat(store, clock);
  await heartbeat.record();
  t.match(await health('--worker', env), { code: 0, err: '' });
  await heartbeat.leave();
  t.match(await health('--worker', env), { code: 1 });
});
