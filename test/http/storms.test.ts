import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createMetrics, serveMetrics } from '../../src/process/metrics.ts';
import { createTestConsole } from '../support/console.ts';
import { served } from '../support/served.ts';
import { dial, exchange, listen } from '../support/wire.ts';

const CONNECTIONS = 8;

/**
 * Every connection sends 2,000 requests at once; every other one reads nothing of its answers.
 * @returns how many answers each of the others got until the server closed it
 */
function storm(t: Test, port: number, path: string): Promise<number>[] {
  const sockets = Array.from({ length: CONNECTIONS }, () => dial(port));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets.flatMap((socket, index) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2_000));
    if (index % 2 === 1) return [countAnswers(socket)];
    socket.pause();
    return [];
  });
}

function countAnswers(socket: Socket): Promise<number> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => socket.once('close', () => resolve(text.split('HTTP/1.1 ').length - 1)));
}

/** Counts the answers of a port. */
function answersFrom(server: Server): () => number {
  let made = 0;
  server.on('request', (_request, response) => {
    response.once('finish', () => {
      made += 1;
    });
  });
  return () => made;
}

/** Asks the API, on a connection of its own, for one answer. */
const ask = (port: number) => exchange(port, 'GET /health/ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

async function isBounded(t: Test, answers: Promise<number>[], made: () => number) {
  t.strictSame(await Promise.all(answers), Array(CONNECTIONS / 2).fill(1));
  t.ok(made() <= CONNECTIONS, `${made()} answers`);
}

t.test('of a storm on the console few pages are made, and the API answers meanwhile', async (t) => {
  const { app } = await served(t);
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const made = answersFrom(console.app.server);
  const [port, consolePort] = [await listen(app), await listen(console.app)];
  const answers = storm(t, consolePort, '/sign-in');
  t.equal((await ask(port)).status, 200);
  await isBounded(t, answers, made);
});

t.test('of a storm on the metrics the figures are made once, and the API answers meanwhile', async (t) => {
  const { app, store, mailer, clock } = await served(t);
  const { registry } = createMetrics({ store, mailer, clock });
  let made = 0;
  const { metrics } = registry;
  registry.metrics = () => {
    made += 1;
    return metrics.call(registry);
  };
  const figures = await serveMetrics({
    registry,
    clock,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    keepAliveMs: 72_000,
  });
  t.teardown(() => figures.close());
  const port = await listen(app);
  const answers = storm(t, figures.port, '/metrics');
  t.equal((await ask(port)).status, 200);
  await isBounded(t, answers, () => made);
  t.equal(made, 1);
});

t.test('of a storm on its own port the API answers few requests, and other callers meanwhile', async (t) => {
  const { app } = await served(t);
  const port = await listen(app);
  const made = answersFrom(app.server);
  const answers = storm(t, port, '/health/live');
  t.equal((await ask(port)).status, 200);
  await isBounded(t, answers, () => made() - 1);
});
