import { Registry } from 'prom-client';
import t from 'tap';
import { createMetrics, serveMetrics } from '../src/metrics.ts';
import { MailFailure } from '../src/ports.ts';
import { addRequest } from './support/v1.ts';
import { listen } from './support/wire.ts';
import { createWorld } from './support/world.ts';

const read = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

t.test('the figures of the process and of the queue stand on a port of their own', async (t) => {
  const world = await createWorld();
  t.teardown(world.close);
  const broker = await world.addBroker();
  const service = await world.addService(broker, await world.addPlan(broker));
  await addRequest(world, service, { type: 'cancellation' });
  await addRequest(world, service, { type: 'plan-upgrade', status: 'accepted', dueAt: world.clock.now() + 30_000 });
  world.clock.advance(90_000);
  const { registry } = createMetrics(world);
  const port = await listen(world.app);
  await t.rejects(
    serveMetrics(registry, '127.0.0.1', port),
    { code: 'EADDRINUSE' },
    'a port that is taken stops the start',
  );

  await world.app.close();
  const metrics = await serveMetrics(registry, '127.0.0.1', port);
  t.teardown(() => metrics.close());
  const { status, type, text } = await read(port);
  t.equal(status, 200);
  t.match(type, /^text\/plain/);
  t.match(text, /^requests_open\{status="pending"\} 1$/m);
  t.match(text, /^requests_overdue_seconds 60$/m, 'what waits for a decision is not late');
  t.match(text, /^requests_open_oldest_seconds\{status="pending"\} 90$/m);
  t.match(text, /^process_cpu_seconds_total /m);
  t.notMatch(text, broker.id);

  world.store.slow = async () => Promise.reject(new Error('away'));
  t.equal((await read(port)).status, 503);
});

t.test(
  'emails are counted by what became of them, and the database is timed and still does as it is told',
  async (t) => {
    const world = await createWorld();
    t.teardown(world.close);
    const broker = await world.addBroker();
    const { registry, mailer, store } = createMetrics(world);
    const message = { id: 'eml_1', from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' };
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
      /^emails_total\{outcome="sent"\} 1$/m,
      /^emails_total\{outcome="rejected"\} 1$/m,
      /^emails_total\{outcome="outcome_unknown"\} 1$/m,
      /^database_seconds_count\{kind="read"\} 1$/m,
      /^database_seconds_count\{kind="transaction"\} 3$/m,
      /^database_wait_seconds_count 2$/m,
    ]) {
      t.match(text, line);
    }
  },
);

t.test('what is done in the background and by the console is timed with the rest', async (t) => {
  const world = await createWorld();
  t.teardown(world.close);
  const { registry, store } = createMetrics({
    ...world,
    store: { ...world.store, background: world.store, console: world.store },
  });
  await store.background?.read.brokers.list();
  await store.console?.read.brokers.list();
  t.match(await registry.metrics(), /^database_seconds_count\{kind="read"\} 2$/m);
});

t.test('refusals are counted by gate, and what was not remembered is told', async (t) => {
  const registry = new Registry();
  const world = await createWorld({ metrics: registry });
  t.teardown(world.close);
  const { key } = await world.addKey(await world.addBroker());
  await world.call(undefined, 'GET', '/plans');
  for (let time = 0; time < 25; time += 1) await world.call(key, 'GET', '/services/1');
  await world.call(key, 'GET', '/plans');
  const text = await registry.metrics();
  t.match(text, /^http_refusals_total\{gate="authentication"\} 1$/m);
  t.match(text, /^http_refusals_total\{gate="ownership"\} 25$/m);
  t.match(text, /^calls_dropped_rows\{bound="key"\} 5$/m);
  t.match(text, /^calls_dropped_rows\{bound="all"\} 0$/m);
  t.match(text, /^usage_dropped_calls 0$/m);
});
