import { once } from 'node:events';
import type { Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createMetrics, serveMetrics } from '../../src/metrics.ts';
import { createTestConsole } from '../support/console.ts';
import { served } from '../support/served.ts';
import { dial, exchange, listen } from '../support/wire.ts';

/** On the ports that people and Prometheus use: one in work and ten that wait, then the connection is closed. */
const ANSWERED = 11;

interface Storm {
  connections: number;
  pipelined: number;
}

/** So many that they may not even wait, and as many as may. */
const STORMS: Storm[] = [
  { connections: 8, pipelined: 2_000 },
  { connections: 20, pipelined: 40 },
];

/**
 * Every connection sends its requests at once; every other one reads nothing of its answers.
 * @returns how many answers each of the others got until the server closed it
 */
function storm(t: Test, port: number, path: string, { connections, pipelined }: Storm): Promise<number>[] {
  const sockets = Array.from({ length: connections }, () => dial(port));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets.flatMap((socket, index) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(pipelined));
    if (index % 2 === 1) return [countAnswers(socket)];
    socket.pause();
    return [];
  });
}

/** The server may reset the connection: it does not read what exceeds the bounds. */
function countAnswers(socket: Socket): Promise<number> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => socket.once('close', () => resolve(text.split('HTTP/1.1 ').length - 1)));
}

/** Asks the API, on a connection of its own, for one answer. */
const ask = (port: number) => exchange(port, 'GET /health/ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

for (const size of STORMS) {
  const most = size.connections * ANSWERED;
  const requests = `${size.connections} times ${size.pipelined} requests`;

  t.test(`of ${requests} for the console few pages are made, and the API answers between them`, async (t) => {
    const { app } = await served(t);
    const console = await createTestConsole();
    t.teardown(() => console.close());
    let made = 0;
    console.app.server.on('request', (_request, response) => {
      response.once('finish', () => {
        made += 1;
      });
    });
    const [port, consolePort] = [await listen(app), await listen(console.app)];
    const answers = storm(t, consolePort, '/sign-in', size);
    await once(console.app.server, 'request');
    t.equal((await ask(port)).status, 200);
    t.ok(made < most, `${made} pages were made before the API answered`);
    for (const count of await Promise.all(answers)) t.ok(count <= ANSWERED, `${count} answers`);
    t.ok(made <= most, `${made} pages`);
  });

  t.test(`of ${requests} for the metrics the figures are made once, and the API answers`, async (t) => {
    const { app, store, mailer, clock } = await served(t);
    const { registry } = createMetrics({ store, mailer, clock });
    let made = 0;
    const { metrics } = registry;
    registry.metrics = () => {
      made += 1;
      return metrics.call(registry);
    };
    const figures = await serveMetrics({ registry, clock, host: '127.0.0.1', port: 0, trustedProxies: [] });
    t.teardown(() => figures.close());
    const port = await listen(app);
    const answers = storm(t, figures.port, '/metrics', size);
    t.equal((await ask(port)).status, 200);
    for (const count of await Promise.all(answers)) t.ok(count <= ANSWERED, `${count} answers`);
    t.ok(made <= 1, `${made}`);
    t.match(await exchange(figures.port, 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), {
      status: 200,
    });
    t.equal(made, 1);
  });
}

t.test('of a storm on its own port the API answers what may wait, and other callers meanwhile', async (t) => {
  const { app } = await served(t);
  const port = await listen(app);
  const pipelined = 3_000;
  const answers = storm(t, port, '/health/live', { connections: 4, pipelined });
  await once(app.server, 'request');
  t.equal((await ask(port)).status, 200);
  for (const count of await Promise.all(answers)) t.ok(count < pipelined, `${count} answers`);
});
