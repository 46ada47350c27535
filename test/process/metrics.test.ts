import Fastify from 'fastify';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import metrics from '../../plugins/metrics.ts';
import { GATES } from '../../src/errors.ts';
import { MailFailure } from '../../src/ports.ts';
import { createMetrics, serveMetrics } from '../../src/process/metrics.ts';
import { VERSION } from '../../src/runtime/version.ts';
import { addRequest } from '../support/v1.ts';
import { exchange } from '../support/wire.ts';
import { createWorld } from '../support/world.ts';

const read = async (port: number, path = '/metrics', method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

/** The figures of a world with one broker, on a port of their own. */
async function measured(t: Test) {
  const world = await createWorld();
  t.teardown(world.close);
  const broker = await world.addBroker();
  // So long that a busy machine does not fail a test.
  const { registry } = createMetrics({ ...world, patienceMs: 300_000 });
  const metrics = await serveMetrics({ ...LOCAL, registry, clock: world.clock });
  t.teardown(() => metrics.close());
  return { ...world, broker, registry, port: metrics.port, metrics };
}

const LOCAL = { host: '127.0.0.1', port: 0, trustedProxies: [], keepAliveMs: 72_000 };

t.test('the figures of the process and of the queue stand on a port of their own', async (t) => {
  const { port, registry, broker, ...world } = await measured(t);
  const service = await world.addService(broker, await world.addPlan(broker));
  await addRequest(world, service, { type: 'cancellation' });
  await addRequest(world, service, { type: 'plan-upgrade', status: 'accepted', dueAt: world.clock.now() + 30_000 });
  world.clock.advance(90_000);
  await t.rejects(
    serveMetrics({ ...LOCAL, registry, clock: world.clock, port }),
    { code: 'EADDRINUSE' },
    'a port that is taken stops the start',
  );

  const { status, type, text } = await read(port);
  t.equal(status, 200);
  t.match(type, /^text\/plain/);
  t.match(text, /^broker_requests_open\{status="pending"\} 1$/m);
  t.match(text, /^broker_requests_overdue_seconds 60$/m, 'what waits for a decision is not late');
  t.match(text, /^broker_requests_open_oldest_seconds\{status="pending"\} 90$/m);
  t.match(text, /^broker_database_up 1$/m);
  t.ok(text.includes(`\nbroker_build_info{version="${VERSION}",node="${process.versions.node}"} 1\n`));
  t.match(text, /^process_cpu_seconds_total /m);
  t.notMatch(text, broker.id);
});

t.test('when the database is away the last figures are served, and that it is away', async (t) => {
  const { port, broker, store, clock, ...world } = await measured(t);
  await addRequest({ ...world, store, clock }, await world.addService(broker, await world.addPlan(broker)), {
    type: 'cancellation',
  });
  t.match((await read(port)).text, /^broker_requests_open\{status="pending"\} 1$/m);
  store.slow = async () => Promise.reject(new Error('away'));
  store.ping = () => Promise.reject(new Error('away'));
  clock.advance(1_000);
  const { status, text } = await read(port);
  t.equal(status, 200);
  t.match(text, /^broker_requests_open\{status="pending"\} 1$/m);
  t.match(text, /^broker_database_up 0$/m);

  store.ping = () => new Promise(() => undefined);
  const { registry } = createMetrics({ ...world, store, clock, patienceMs: 10 });
  t.match(await registry.metrics(), /^broker_database_up 0$/m, 'one that does not answer counts as away');
});

t.test('the figures are made once in a second, however many ask', async (t) => {
  const { port, registry, clock } = await measured(t);
  let made = 0;
  const { metrics } = registry;
  registry.metrics = () => {
    made += 1;
    return metrics.call(registry);
  };
  await Promise.all([read(port), read(port), read(port)]);
  clock.advance(999);
  const last = await read(port);
  t.equal(made, 1);
  clock.advance(1);
  t.not((await read(port)).text, last.text);
  t.equal(made, 2);
  registry.metrics = () => Promise.reject(new Error('unforeseen'));
  clock.advance(1_000);
  t.match(await read(port), { status: 500, text: 'The figures cannot be made\n' });
});

t.test('the metrics port answers GET /metrics alone, and malformed input in plain text', async (t) => {
  const { port } = await measured(t);
  for (const [path, method] of [['/'], ['/metrics/'], ['/metrics?a=1'], ['/metrics', 'POST'], ['/metrics', 'HEAD']]) {
    t.match(await read(port, path, method), { status: 404, type: /^text\/plain/ }, `${method} ${path}`);
  }
  const ask = (bytes: string) => exchange(port, bytes);
  t.match(await ask('GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n'), {
    status: 400,
    body: 'The request names no host\n',
  });
  const headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
  t.match(await ask('GARBAGE\r\n\r\n'), { status: 400, headers, body: 'The request is not valid HTTP\n' });
  t.match(await ask('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'), { status: 404, headers, body: 'Not found\n' });
  const long = `GET /metrics HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
  t.match(await ask(long), { status: 431, headers, body: 'The request headers are too large\n' });
});

t.test('connections are counted, where the engine has a pool of them', async (t) => {
  const world = await createWorld();
  t.teardown(world.close);
  const connections = () => ({ inUse: 3, idle: 1, waiting: 2 });
  const { registry } = createMetrics({ ...world, store: { ...world.store, connections } });
  const text = await registry.metrics();
  for (const [state, count] of Object.entries({ in_use: 3, idle: 1, waiting: 2 })) {
    t.ok(text.includes(`broker_database_connections{state="${state}"} ${count}\n`), state);
  }
});

t.test('whether Redis is away is reported where it is configured', async (t) => {
  const registry = new Registry();
  let away = false;
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(metrics, { registry, redis: { away: () => away } });
  await app.ready();
  t.match(await registry.metrics(), /^broker_redis_up 1$/m);
  away = true;
  t.match(await registry.metrics(), /^broker_redis_up 0$/m);
});

t.test(
  'emails are counted by what became of them, and the database is timed and still does as it is told',
  async (t) => {
    const world = await createWorld();
    t.teardown(world.close);
    const broker = await world.addBroker();
    const { registry, mailer, store } = createMetrics(world);
    const message = { id: 'eml_1', from: 'a@example.com', fromName: 'A', to: 'b@example.com', subject: 's', text: 't' };
    t.strictSame(await mailer.send(message), { messageId: 'message-1' });
    for (const failure of [new MailFailure('rejected', 'no'), new Error('broken')]) {
      world.mailer.failWith = failure;
      await t.rejects(mailer.send(message), failure);
    }
    t.equal((await store.read.brokers.find(broker.id))?.id, broker.id);
    t.equal(await store.tx(async (tx) => (await tx.brokers.list()).length), 1);
    const { tx } = world.store;
    world.store.tx = async () => Promise.reject(new Error('away'));
    await t.rejects(
      store.tx(async () => 1),
      /away/,
    );
    world.store.tx = (work) => tx((inside) => work(inside).then(() => work(inside)));
    t.equal(await store.tx(async () => 'twice'), 'twice');
    const text = await registry.metrics();
    for (const line of [
      /^broker_emails_total\{outcome="sent"\} 1$/m,
      /^broker_emails_total\{outcome="rejected"\} 1$/m,
      /^broker_emails_total\{outcome="outcome_unknown"\} 1$/m,
      /^broker_database_seconds_count\{kind="read"\} 1$/m,
      /^broker_database_seconds_count\{kind="transaction"\} 3$/m,
      /^broker_database_wait_seconds_count 2$/m,
    ]) {
      t.match(text, line);
    }
  },
);

t.test('what is counted by its outcome is 0 from the start, so that the first of each is an increase', async (t) => {
  const registry = new Registry();
  const world = await createWorld({ metrics: registry });
  t.teardown(world.close);
  const own = createMetrics(world);
  const text = `${await registry.metrics()}${await own.registry.metrics()}`;
  for (const outcome of ['sent', 'rejected', 'unreachable', 'outcome_unknown']) {
    t.match(text, new RegExp(`^broker_emails_total\\{outcome="${outcome}"\\} 0$`, 'm'));
  }
  for (const gate of GATES) t.match(text, new RegExp(`^broker_http_refusals_total\\{gate="${gate}"\\} 0$`, 'm'));
  t.match(text, /^broker_http_answers_total\{method="GET",route="\/api\/v1\/plans",status="500"\} 0$/m);
  t.match(
    text,
    /^broker_http_answers_total\{method="POST",route="\/api\/v1\/services\/.*\/upgrade",status="500"\} 0$/m,
  );
});

t.test('refusals are counted by gate, and what was not remembered is reported', async (t) => {
  const registry = new Registry();
  const world = await createWorld({ metrics: registry });
  t.teardown(world.close);
  const { key } = await world.addKey(await world.addBroker());
  await world.call(undefined, 'GET', '/plans');
  for (let time = 0; time < 25; time += 1) await world.call(key, 'GET', '/services/1');
  await world.call(key, 'GET', '/plans');
  const text = await registry.metrics();
  t.match(text, /^broker_http_refusals_total\{gate="authentication"\} 1$/m);
  t.match(text, /^broker_http_refusals_total\{gate="ownership"\} 25$/m);
  t.match(text, /^broker_calls_dropped_rows\{bound="key"\} 5$/m);
  t.match(text, /^broker_calls_dropped_rows\{bound="all"\} 0$/m);
  t.match(text, /^broker_usage_dropped_calls 0$/m);
});

t.test('calls to the provisioner are counted by outcome and duration, and whether it answers is a gauge', async (t) => {
  const world = await createWorld();
  t.teardown(world.close);
  const { registry, observeCall } = createMetrics(world);
  observeCall('done', 70);
  observeCall('provisioner_unreachable', 1);
  const text = await registry.metrics();
  t.match(text, /^broker_provisioner_seconds_bucket\{le="0\.1",outcome="done"\} 1$/m);
  t.match(text, /^broker_provisioner_seconds_count\{outcome="provisioner_unreachable"\} 1$/m);
  t.match(text, /^broker_provisioner_seconds_count\{outcome="failed"\} 0$/m);
  t.match(text, /^broker_provisioner_answering 1$/m);
});
