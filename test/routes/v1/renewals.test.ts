import t, { type Test } from 'tap';
import { createWorker } from '../../../src/worker/worker.ts';
import { iso } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const at = (text: string) => Date.parse(text);
const CLIENT = { name: 'Ada Example', email: 'ada@example.com' };

/** A world on 31 January 2030, 12:00. */
async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const moveTo = (text: string) => world.clock.advance(at(text) - world.clock.now());
  moveTo('2030-01-31T12:00:00Z');
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 1 });
  const large = await world.addPlan(broker, { slug: 'large', upgradeRank: 2 });
  const hourly = await world.addPlan(broker, { slug: 'hourly', billingType: 'hourly' });
  const ask = async (path: string, body?: object) =>
    (await world.call(key, body ? 'POST' : 'GET', path, body && { body })).json;
  const work = () =>
    createWorker({
      context: world.context,
      provisioner: { fulfil: async () => ({ outcome: 'done' }) },
      keptDays: { emails: 90, calls: 14, audit: 730 },
    }).runOnce();
  return { world, broker, small, large, hourly, ask, work, moveTo };
}

t.test('a created monthly service renews a month later, and its end of term is ahead', async (t) => {
  const { ask, work, moveTo } = await setup(t);
  const { data } = await ask('/services', { plan: 'small', client: CLIENT });
  const path = `/services/${data.service_number}`;
  t.equal((await ask(path)).data.renewal_date, '2030-02-28T12:00:00.000Z');
  await work();
  t.match(await ask(`${path}/cancel`, {}), { data: { effective_date: '2030-02-28T12:00:00.000Z' } });
  t.equal((await ask(path)).data.service_status, 'active');

  moveTo('2030-02-28T12:00:00Z');
  await work();
  t.match((await ask(path)).data, {
    service_status: 'cancelled',
    renewal_date: '2030-02-28T12:00:00.000Z',
    cancellation: { effective_date: '2030-02-28T12:00:00.000Z' },
  });
  moveTo('2030-09-01T00:00:00Z');
  await work();
  t.equal((await ask(path)).data.renewal_date, '2030-02-28T12:00:00.000Z', 'what has ended keeps its last date');
});

t.test('a service that is billed hourly has no renewal', async (t) => {
  const { ask } = await setup(t);
  const { data } = await ask('/services', { plan: 'hourly', client: CLIENT });
  t.equal((await ask(`/services/${data.service_number}`)).data.renewal_date, null);
});

t.test('a date that has passed is shown until the worker moves it, which is a change of the service', async (t) => {
  const { world, broker, large, ask, work, moveTo } = await setup(t);
  const { number } = await world.addService(broker, large, { renewalAt: at('2030-01-31T18:00:00Z') });
  const gone = await world.addService(broker, large, { status: 'terminated', renewalAt: at('2030-01-31T18:00:00Z') });
  const found = async (renewalBefore: string) =>
    (await ask(`/services?renewal_before=${renewalBefore}`)).data
      .map((one: { service_number: number }) => one.service_number)
      .sort();
  moveTo('2030-04-01T00:00:00Z');
  t.match((await ask(`/services/${number}`)).data, {
    renewal_date: '2030-01-31T18:00:00.000Z',
    updated_date: '2030-01-31T12:00:00.000Z',
  });
  await work();
  t.match((await ask(`/services/${number}`)).data, {
    renewal_date: '2030-04-30T18:00:00.000Z',
    updated_date: iso(world.clock.now()),
  });
  t.strictSame(await found('2030-04-30T18:00:00Z'), [gone.number]);
  t.strictSame(await found('2030-04-30T18:00:00.001Z'), [number, gone.number].sort());
});

t.test('a service whose end of term is due is not renewed, however late the work is done', async (t) => {
  const { world, broker, large, ask, work, moveTo } = await setup(t);
  const { number } = await world.addService(broker, large, { renewalAt: at('2030-02-28T18:00:00Z') });
  await ask(`/services/${number}/cancel`, {});
  moveTo('2030-03-01T00:00:00Z');
  await world.store.tx((tx) => tx.services.renew({ now: world.clock.now(), limit: 10 }));
  await work();
  t.match((await ask(`/services/${number}`)).data, {
    service_status: 'cancelled',
    renewal_date: '2030-02-28T18:00:00.000Z',
  });
});

t.test('plan changes and cancellations take the next date, and keep the one that was given to them', async (t) => {
  const { world, broker, large, ask, work, moveTo } = await setup(t);
  const [one, two] = [
    await world.addService(broker, large, { renewalAt: at('2030-01-31T18:00:00Z') }),
    await world.addService(broker, large, { renewalAt: at('2030-01-31T18:00:00Z') }),
  ];
  moveTo('2030-02-01T00:00:00Z');
  const down = await ask(`/services/${one.number}/downgrade`, { new_plan: 'small' });
  const cancelled = await ask(`/services/${two.number}/cancel`, {});
  for (const { data } of [down, cancelled]) {
    t.equal(data.effective_date, '2030-02-28T18:00:00.000Z');
    await work();
    t.match((await ask(`/requests/${data.request_id}`)).data, {
      request_status: 'accepted',
      effective_date: data.effective_date,
    });
  }
  moveTo('2030-02-28T18:00:00Z');
  await work();
  for (const { data } of [down, cancelled])
    t.match((await ask(`/requests/${data.request_id}`)).data, {
      request_status: 'completed',
      effective_date: '2030-02-28T18:00:00.000Z',
    });
  t.match((await ask(`/services/${one.number}`)).data, {
    plan: { slug: 'small' },
    renewal_date: '2030-03-31T18:00:00.000Z',
  });
});
