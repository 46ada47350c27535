import Fastify from 'fastify';
import t from 'tap';
import drain from '../../plugins/drain.ts';
import errors from '../../plugins/errors.ts';
import requestId from '../../plugins/request-id.ts';
import health, { type HealthChecks } from '../../routes/health.ts';
import type { Work } from '../../src/ports.ts';
import { watchProvisioner } from '../../src/worker/provisioner-state.ts';
import { createWorld } from '../support/world.ts';

/** A server of nothing but health, with checks that the test sets. */
async function bare(checks: Partial<HealthChecks>) {
  const app = Fastify();
  await app.register(requestId);
  await app.register(errors);
  await app.register(drain);
  await app.register(health, {
    checks: { database: async () => undefined, replaced: async () => false, degraded: async () => ({}), ...checks },
  });
  return app;
}

t.test('a healthy server is live and ready, without a key and in the envelope', async (t) => {
  const { app, close } = await createWorld();
  t.teardown(close);
  const live = await app.inject('/health/live');
  t.strictSame(
    [live.statusCode, live.json()],
    [200, { success: true, data: { status: 'ok', checks: { process: 'ok' } } }],
  );
  const ready = await app.inject('/health/ready');
  t.strictSame(
    [ready.statusCode, ready.json()],
    [200, { success: true, data: { status: 'ok', checks: { database: 'ok', clock: 'ok' } } }],
  );
  t.type(ready.headers['x-request-id'], 'string');
});

t.test('a part that is away degrades the server, which stays ready', async (t) => {
  let away = true;
  const app = await bare({ degraded: async () => ({ redis: away }) });
  t.teardown(() => app.close());
  const degraded = await app.inject('/health/ready');
  const data = { status: 'degraded', checks: { database: 'ok', redis: 'degraded' } };
  t.strictSame([degraded.statusCode, degraded.json()], [200, { success: true, data }]);
  away = false;
  t.strictSame((await app.inject('/health/ready')).json().data, {
    status: 'ok',
    checks: { database: 'ok', redis: 'ok' },
  });
});

t.test('a provisioner that does not answer degrades the server, which stays ready', async (t) => {
  const world = await createWorld();
  t.teardown(world.close);
  world.context.hasProvisioner = true;
  const ready = async () => (await world.app.inject('/health/ready')).json().data;
  t.match(await ready(), { status: 'ok', checks: { provisioner: 'ok' } });
  const watched = watchProvisioner(
    { fulfil: async () => ({ outcome: 'retry', reason: 'outcome_unknown', message: 'No answer', mayBeDone: true }) },
    world,
  );
  for (let calls = 0; calls < 3; calls += 1) {
    await watched.provisioner.fulfil({} as Work);
    world.clock.advance(30_000);
  }
  await watched.record();
  t.match(await ready(), { status: 'degraded', checks: { database: 'ok', provisioner: 'degraded' } });
});

t.test('without its database the server is live and not ready, and says nothing of why', async (t) => {
  const app = await bare({ database: async () => Promise.reject(new Error('secret')) });
  t.teardown(() => app.close());
  const ready = await app.inject('/health/ready');
  t.strictSame(
    [ready.statusCode, ready.json()],
    [503, { success: false, error: { code: 'server_error', message: 'The database cannot be reached' } }],
  );
  t.match(ready.headers['retry-after'], /^[1-9]/);
  t.equal((await app.inject('/health/live')).statusCode, 200);
});

t.test('a server that closes is live and not ready, and every other path is told to come back', async (t) => {
  const app = await bare({});
  t.teardown(() => app.close());
  app.get('/other', async () => ({}));
  await app.ready();
  app.closing = true;
  const ready = await app.inject('/health/ready');
  t.strictSame([ready.statusCode, ready.json().error.code], [503, 'server_error']);
  t.equal((await app.inject('/health/live')).statusCode, 200);
  const other = await app.inject('/other');
  t.strictSame([other.statusCode, other.json().error.code], [500, 'server_error']);
  t.match(other.headers['retry-after'], /^[1-9]/);
});
