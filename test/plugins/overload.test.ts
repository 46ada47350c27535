import { setImmediate, setTimeout } from 'node:timers/promises';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import t, { type Test } from 'tap';
import errors from '../../plugins/errors.ts';
import overload from '../../plugins/overload.ts';
import requestId from '../../plugins/request-id.ts';
import securityHeaders from '../../plugins/security-headers.ts';
import { createLog } from '../../src/process/log.ts';
import { newCorrelationId } from '../../src/runtime/ids.ts';
import { until } from '../support/until.ts';
import { isRefusal } from '../support/wire.ts';

async function setUp(t: Test, maxEventLoopDelayMs: number) {
  const logged: Array<{ msg: string }> = [];
  const loggerInstance = createLog('warn', { write: (line) => logged.push(JSON.parse(line)) });
  const app = Fastify({ genReqId: newCorrelationId, loggerInstance: loggerInstance as FastifyBaseLogger });
  t.teardown(() => app.close());
  await app.register(requestId);
  await app.register(securityHeaders, { overHttps: false });
  await app.register(errors);
  await app.register(overload, { maxEventLoopDelayMs });
  const gates = new Set<string | undefined>();
  app.addHook('onSend', async (_request, reply) => void gates.add(reply.failure?.gate));
  app.get('/', async () => ({ calm: true }));
  return { app, gates, logged, status: async () => (await app.inject('/')).statusCode };
}

/** Keeps the event loop from everything else. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

t.test('while the event loop is late calls are refused in the envelope, with few lines in the log', async (t) => {
  const { app, gates, logged, status } = await setUp(t, 50);
  t.equal(await status(), 200);
  await until('calls are refused', async () => {
    block(300);
    return (await status()) === 500;
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/')));
  const refused = answers.filter(({ statusCode }) => statusCode === 500);
  for (const answer of refused) {
    isRefusal(t, { ...answer, status: answer.statusCode, body: answer.body }, 500, 'server_error');
    t.match(answer.headers['retry-after'], /^[1-9]/);
  }
  t.strictSame(gates, new Set([undefined, 'capacity']));
  t.match(logged[0], { delay_ms: Number, msg: 'calls are refused: the event loop is late' });
  t.ok(logged.length <= 5, 'a line for each measurement, not for each call');
  await until('calls are served again', async () => (await status()) === 200);
});

t.test('a start that keeps the event loop for a second refuses no call', async (t) => {
  const { app, status } = await setUp(t, 3_000);
  await app.ready();
  block(1_200);
  const statuses = new Set<number>();
  for (let call = 0; call < 50; call += 1) {
    statuses.add(await status());
    await setImmediate();
  }
  t.strictSame([...statuses], [200]);
});

t.test('what kept the event loop before the server listened refuses no call after it', async (t) => {
  const { app } = await setUp(t, 300);
  await app.ready();
  // The first turn, from which on the loop is measured.
  await setTimeout(20);
  block(1_500);
  // The measurement, of once a second.
  await setImmediate();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const statuses = new Set<number>();
  for (let call = 0; call < 50; call += 1) statuses.add((await fetch(url)).status);
  t.strictSame([...statuses], [200]);
});

t.test('with a limit of zero no call is refused', async (t) => {
  const { app, logged } = await setUp(t, 0);
  t.notOk(app.hasDecorator('isUnderPressure'), 'and nothing is measured');
  t.equal((await app.inject('/')).statusCode, 200);
  t.strictSame(logged, []);
});
