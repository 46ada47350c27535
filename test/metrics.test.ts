import t from 'tap';
import { createMetrics, serveMetrics } from '../src/metrics.ts';
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
  const registry = createMetrics(world.store);
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
  t.match(text, /^process_cpu_seconds_total /m);
  t.notMatch(text, broker.id);

  world.store.read.requests.tally = async () => Promise.reject(new Error('away'));
  t.equal((await read(port)).status, 503);
});
