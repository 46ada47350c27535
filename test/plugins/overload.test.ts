import Fastify, { type FastifyBaseLogger } from 'fastify';
import t, { type Test } from 'tap';
import errors from '../../plugins/errors.ts';
import overload from '../../plugins/overload.ts';
import requestId from '../../plugins/request-id.ts';
import securityHeaders from '../../plugins/security-headers.ts';
import { newCorrelationId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/until.ts';
import { isRefusal, listen } from '../support/wire.ts';

/** A server whose event loop is as late as the test says: each look at the clock finds so much more time gone. */
async function setUp(t: Test, limit: { maxEventLoopDelayMs?: number } = {}) {
  const logged: Array<{ msg: string }> = [];
  const loggerInstance = createLog('warn', { write: (line) => logged.push(JSON.parse(line)) });
  const app = Fastify({ genReqId: newCorrelationId, loggerInstance: loggerInstance as FastifyBaseLogger });
  t.teardown(() => app.close());
  await app.register(requestId);
  await app.register(securityHeaders, { overHttps: false });
  await app.register(errors);
  const clock = {
    at: 0,
    looks: 0,
    roundMs: 500,
    monotonic() {
      this.looks += 1;
      this.at += this.roundMs;
      return this.at;
    },
  };
  await app.register(overload, { clock, ...limit });
  app.get('/', async () => ({ calm: true }));
  return {
    app,
    logged,
    clock,
    async measured() {
      const { looks } = clock;
      await until('the loop was measured', () => clock.looks > looks);
    },
  };
}

t.test('while the event loop is late calls are refused in the envelope, and the log says so twice', async (t) => {
  const { app, logged, clock, measured } = await setUp(t);
  await app.ready();
  t.equal((await app.inject('/')).statusCode, 200);
  clock.roundMs = 3600;
  await measured();
  for (let calls = 0; calls < 3; calls += 1) {
    const answer = await app.inject('/');
    isRefusal(t, { ...answer, status: answer.statusCode, body: answer.body }, 500, 'server_error');
    t.match(answer.headers['retry-after'], /^[1-9]/);
  }
  await measured();
  t.equal((await app.inject('/')).statusCode, 500, 'as long as it lasts');
  clock.roundMs = 3500;
  await measured();
  t.equal((await app.inject('/')).statusCode, 200, 'and not a round longer');
  t.match(logged, [
    { delay_ms: 3100, msg: 'calls are refused: the event loop is late' },
    { refused: 4, msg: 'calls are served again: the event loop is in time' },
  ]);
  t.equal(logged.length, 2);
});

t.test('a late loop without calls meanwhile is not reported', async (t) => {
  const { app, logged, clock, measured } = await setUp(t);
  await app.ready();
  clock.roundMs = 60_000;
  await measured();
  clock.roundMs = 500;
  await measured();
  t.equal((await app.inject('/')).statusCode, 200);
  t.strictSame(logged, []);
});

t.test('however long the start took, the first call is served', async (t) => {
  const { app, logged, clock, measured } = await setUp(t);
  await app.ready();
  clock.at += 60_000;
  const port = await listen(app);
  await measured();
  t.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
  t.strictSame(logged, []);
});

t.test('with a limit of zero no call is refused', async (t) => {
  const { app, clock } = await setUp(t, { maxEventLoopDelayMs: 0 });
  clock.roundMs = 60_000;
  t.equal((await app.inject('/')).statusCode, 200);
  t.equal(clock.looks, 0, 'and nothing is measured');
});
