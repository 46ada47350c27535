import t, { type Test } from 'tap';
import { NONE_MOVED } from '../../src/store/queries/moved-dates.ts';
import { createDateMover } from '../../src/worker/move-dates.ts';
import { aLoss, aRequest, aService } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { createTestProvisioner, workerOf } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

/** Copies read everything anew after a loss (contract, section 15.4). */

const HOUR_MS = 3_600_000;
const STATUSES = ['active', 'terminated', 'suspended', 'cancelled', 'pending'] as const;
const LOSS = aLoss({ moving: NONE_MOVED });
const NO_SLEEP = async () => undefined;

/** So many services of each status, each with an open request and a final one, all of them an hour old. */
async function setup(t: Test, perStatus: number) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { store, clock } = world;
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  const services = STATUSES.flatMap((status) =>
    Array.from({ length: perStatus }, () => aService(broker, plan, { status, updatedAt: clock.now() })),
  ).sort((one, other) => one.number - other.number);
  const requests = services.flatMap((service) => [
    aRequest(service, { type: 'plan-upgrade', status: 'pending' }),
    aRequest(service, { status: 'approved' }),
  ]);
  await store.tx(async (tx) => {
    await tx.services.insert(services);
    for (const request of requests) await tx.requests.insert(request);
    await tx.history.insert(LOSS);
  });
  clock.advance(HOUR_MS);
  const lossAt = clock.now();
  return {
    world,
    broker,
    lossAt,
    count: services.length,
    mover: () => createDateMover({ ...world.context, sleep: NO_SLEEP, signal: new AbortController().signal }),
    /** The records whose date has not been moved yet. */
    async left() {
      const page = { limit: 10_000, offset: 0 };
      const isLeft = ({ updatedAt }: { updatedAt: number }) => updatedAt < lossAt - 1000;
      return {
        services: (await store.read.services.page(broker.id, {}, page)).map((view) => view.service).filter(isLeft),
        requests: (await store.read.requests.page(broker.id, {}, page)).map((view) => view.request).filter(isLeft),
      };
    },
    moving: async () => (await store.read.history.findLatest())?.moving,
  };
}

t.test('All dates move on, those of what has not ended first', async (t) => {
  const { world, count, mover, left, moving } = await setup(t, 50);
  const { step } = mover();
  const order: string[] = [];
  for (let before = await left(); await step(); ) {
    world.clock.advance(5);
    const after = await left();
    const ended = (found: typeof after) =>
      found.services.filter(({ status }) => /ed$/.test(status) && status !== 'suspended');
    const parts = {
      living: before.services.length - ended(before).length > after.services.length - ended(after).length,
      open: before.requests.some(
        ({ status, id }) => status === 'pending' && !after.requests.some((one) => one.id === id),
      ),
      ended: ended(before).length > ended(after).length,
      final: before.requests.some(
        ({ status, id }) => status !== 'pending' && !after.requests.some((one) => one.id === id),
      ),
    };
    order.push(
      Object.entries(parts)
        .flatMap(([name, moved]) => (moved ? [name] : []))
        .join(' '),
    );
    before = after;
  }
  t.strictSame([await left(), await moving()], [{ services: [], requests: [] }, null]);
  const lastOf = (part: RegExp) => order.findLastIndex((parts) => part.test(parts));
  const firstOf = (part: RegExp) => order.findIndex((parts) => part.test(parts));
  t.ok(lastOf(/living|open/) < firstOf(/ended/), `${count} services: ${order}`);
  t.ok(lastOf(/ended/) < firstOf(/final/), `${count} services: ${order}`);
});

t.test('Even pages of 25 that continue at a date alone get on', async (t) => {
  const { world, broker, count, mover, lossAt } = await setup(t, 60);
  const { step } = mover();
  while (await step()) world.clock.advance(3);
  for (const list of ['services', 'requests'] as const) {
    const { data } = await world.store.read[list]
      .page(broker.id, { updatedSince: 0 }, { limit: 10_000, offset: 0 })
      .then((rows) => ({ data: rows }));
    const dates = data.map((view) => ('service' in view ? view.service : view.request).updatedAt);
    const sharing = Math.max(...dates.map((date) => dates.filter((other) => other === date).length));
    t.ok(sharing < 25, `${sharing} ${list} of ${count} share a millisecond`);
    t.ok(dates.every((date) => date > lossAt - 1000 && date <= world.clock.now()));
  }
});

t.test('One process moves dates at a time, and another goes on where it ended', async (t) => {
  const { world, mover, left, moving } = await setup(t, 60);
  const [one, other] = [mover(), mover()];
  t.equal(await one.step(), true);
  t.equal(await other.step(), false);
  const place = JSON.parse(String(await moving()));
  world.clock.advance(10_001);
  t.equal(await other.step(), true);
  t.ok(JSON.parse(String(await moving())).after > place.after);
  t.equal(await one.step(), false);
  while (await other.step());
  t.strictSame(await left(), { services: [], requests: [] });
});

t.test('What fails is left as it was, with its place', async (t) => {
  const { world, left, moving } = await setup(t, 10);
  const { store } = world;
  const before = await left();
  const failing: typeof store = {
    ...store,
    tx: (work) =>
      store.tx((tx) =>
        work({
          ...tx,
          movedDates: {
            ...tx.movedDates,
            keep: async () => {
              throw new Error('lost');
            },
          },
        }),
      ),
  };
  const { step } = createDateMover({
    ...world.context,
    store: failing,
    sleep: NO_SLEEP,
    signal: new AbortController().signal,
  });
  await t.rejects(step(), { message: 'lost' });
  t.strictSame([await left(), await moving()], [before, NONE_MOVED]);
});

t.test('A later loss begins anew, and covers the one before it', async (t) => {
  const { world, mover, left } = await setup(t, 30);
  const { step } = mover();
  await step();
  const later = aLoss({ history: LOSS.history + 1, moving: NONE_MOVED });
  await world.store.tx((tx) => tx.history.insert(later));
  while (await step());
  t.strictSame(await left(), { services: [], requests: [] });
  t.strictSame(
    (await world.store.read.history.list()).map(({ moving }) => moving),
    [null, null],
  );
});

t.test('No date is moved after a jump of the clock, which would make work look due at once', async (t) => {
  const { world, moving } = await setup(t, 1);
  const clock = { ...world.clock, hasJumped: () => true };
  const { step } = createDateMover({ ...world.context, clock, sleep: NO_SLEEP, signal: new AbortController().signal });
  t.equal(await step(), false);
  t.equal(await moving(), NONE_MOVED);
});

t.test('A worker does it by itself', async (t) => {
  const { world, left, moving } = await setup(t, 3);
  const worker = workerOf(world, createTestProvisioner());
  worker.start();
  await until('the dates are moved', async () => (await moving()) === null);
  await worker.stop();
  t.strictSame(await left(), { services: [], requests: [] });
});
