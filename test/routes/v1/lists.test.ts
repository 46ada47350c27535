import fc from 'fast-check';
import t, { type Test } from 'tap';
import { addRequest } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const MINUTE = 60_000;

async function setUp(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker);
  const service = await world.addService(broker, plan);
  const get = (path: string) => world.call(key, 'GET', path);
  return { world, plan, service, get };
}

t.test('whatever a text holds, a list has the same bytes as the records by themselves', async (t) => {
  const { world, service, get } = await setUp(t);
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((odd) => odd.replaceAll('\u0000', '').toWellFormed());
  await fc.assert(
    fc.asyncProperty(text, text, text, async (label, externalReference, clientName) => {
      const changes = { label: `"\\\u001f\u2028${label}`, externalReference, clientName };
      await world.store.tx((tx) => tx.services.update(service.brokerId, service.number, changes));
      const alone = await get(`/services/${service.number}`);
      // What only one service by itself has stands at the end.
      const own = ',"actions":[],"has_credentials":false}}';
      const record = `${alone.raw.slice('{"success":true,"data":'.length, -own.length)}}`;
      const page = '{"page":1,"perPage":25,"total":1,"totalPages":1}';
      t.equal((await get('/services')).raw, `{"success":true,"data":[${record}],"pagination":${page}}`);
    }),
    { numRuns: 20 },
  );
});

t.test('the time to the next check counts down while a request waits for its date', async (t) => {
  const { world, service, plan, get } = await setUp(t);
  const { clock } = world;
  const plans = { currentPlanId: plan.id, newPlanId: plan.id };
  const effectiveAt = clock.now() + 62 * MINUTE;
  await addRequest(world, service, {
    type: 'plan-downgrade',
    status: 'accepted',
    effectiveAt,
    dueAt: effectiveAt,
    ...plans,
  });
  const shown = async () => (await get('/requests')).json.data[0].next_check_seconds;
  t.equal(await shown(), 3600);
  clock.advance(2 * MINUTE);
  t.equal(await shown(), 3600);
  for (const seconds of [3599, 3598]) {
    clock.advance(1000);
    t.equal(await shown(), seconds);
  }
  clock.advance(3598 * 1000);
  t.equal(await shown(), 1);
});

t.test('the total of a search stops at 10000, and its pages go on', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  const { key } = await world.addKey(broker, ['services:read']);
  const first = await world.addService(broker, plan, { number: 100_000, label: 'Needle' });
  for (let from = 1; from <= 10_000; from += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({ ...first, number: first.number + from + index }));
    await world.store.tx((tx) => tx.services.insert(rows));
  }
  const found = await world.call(key, 'GET', '/services?search=needle&limit=2&offset=10000');
  t.match(found.json, { data: [{ service_number: 100_000 }], pagination: { total: 10_000, totalPages: 5_000 } });
  t.equal(found.json.data.length, 1);
  const narrowed = await world.call(key, 'GET', '/services?created_from=2000-01-01&limit=1');
  t.equal(narrowed.json.pagination.total, 10_001, 'other filters are counted to the end');
});
