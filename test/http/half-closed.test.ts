import t, { type Test } from 'tap';
import { createMetrics, serveMetrics } from '../../src/process/metrics.ts';
import { createTestConsole } from '../support/console.ts';
import { served } from '../support/served.ts';
import { makeCertificate } from '../support/tls.ts';
import { answersOf, dial, listen } from '../support/wire.ts';

/** Sends these requests and closes the client's half of the connection at once. */
async function statusesOf(port: number, bytes: string, secure = false): Promise<number[]> {
  const socket = dial(port, secure);
  socket.end(bytes);
  return (await answersOf(socket)).map(({ status }) => status);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function answersHalfClosed(t: Test, port: number, path: string, secure = false) {
  t.strictSame(await statusesOf(port, get(path), secure), [200], 'a request');
  t.strictSame(await statusesOf(port, get(path).repeat(3), secure), [200], 'the first of three requests');
  t.strictSame(await statusesOf(port, get(path).slice(0, -2), secure), [400], 'a request that is not complete');
  t.strictSame(await statusesOf(port, '', secure), []);
}

t.test('a client that closes its half after its requests gets their answers from the API', async (t) => {
  const { app } = await served(t);
  await answersHalfClosed(t, await listen(app), '/health/ready');
});

t.test('over TLS', async (t) => {
  const { app } = await served(t, { config: { tls: makeCertificate(t.testdir({})) } });
  await answersHalfClosed(t, await listen(app), '/health/ready', true);
});

t.test('from the console', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  await answersHalfClosed(t, await listen(console.app), '/sign-in');
});

t.test('from the metrics', async (t) => {
  const { store, mailer, clock } = await served(t);
  const { registry } = createMetrics({ store, mailer, clock });
  const metrics = await serveMetrics({
    registry,
    clock,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    keepAliveMs: 72_000,
  });
  t.teardown(() => metrics.close());
  await answersHalfClosed(t, metrics.port, '/metrics');
});
