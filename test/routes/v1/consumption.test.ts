import t, { type Test } from 'tap';
import { refused } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const [broker, other] = [await world.addBroker(), await world.addBroker()];
  const [plan, foreign] = [await world.addPlan(broker), await world.addPlan(other)];
  const services = [
    await world.addService(broker, plan),
    await world.addService(broker, plan),
    await world.addService(other, foreign),
  ];
  const measuredAt = world.clock.now();
  await world.store.tx(async (tx) => {
    for (const { number, brokerId } of services) {
      const row = { serviceNumber: number, brokerId, measuredAt, periodFrom: null };
      await tx.consumption.upsert([{ ...row, diskGbUsed: '12.50', transferGbUsed: null }]);
    }
  });
  const { key } = await world.addKey(broker, ['services:read']);
  return { world, broker, services: services.map(({ number }) => number), measuredAt, key };
}

t.test('a broker reads what its own services consumed, by number and page by page', async (t) => {
  const { world, services, measuredAt, key } = await setup(t);
  const [first, second, foreign] = services;
  const get = (query = '') => world.call(key, 'GET', `/consumption${query}`);
  const { status, json } = await get();
  t.equal(status, 200);
  t.strictSame(json.data, [
    {
      service_number: first,
      measured_date: new Date(measuredAt).toISOString(),
      period_from: null,
      disk_gb_used: '12.50',
      transfer_gb_used: null,
    },
    { ...json.data[0], service_number: second },
  ]);
  t.match(json.pagination, { total: 2, page: 1 });
  t.match((await get('?limit=1&offset=1')).json, { data: [{ service_number: second }], pagination: { total: 2 } });
  t.match((await get(`?service_number=${second}`)).json, { data: { length: 1 }, pagination: { total: 1 } });
  t.match((await get(`?service_number=${foreign}`)).json, { data: { length: 0 }, pagination: { total: 0 } });
});

t.test('without the scope, and with a number that is none, it is refused', async (t) => {
  const { world, broker, key } = await setup(t);
  const poor = await world.addKey(broker, ['plans:read']);
  const missing = await world.call(poor.key, 'GET', '/consumption');
  t.match([missing.status, missing.json.error.code], [403, 'insufficient_permissions']);
  refused(t, await world.call(key, 'GET', '/consumption?service_number=x'), {
    status: 400,
    code: 'invalid_parameter',
    fields: ['query.service_number format'],
  });
});
