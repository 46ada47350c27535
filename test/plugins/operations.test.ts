import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openScratchPostgres, services } from '../support/services.ts';
import { createWorld } from '../support/world.ts';

/** Two brokers on PostgreSQL, each with a service and keys whose limit is out of the way. */
async function setting(t: Test) {
  const world = await createWorld({ openStore: openScratchPostgres });
  t.teardown(world.close);
  const caller = async () => {
    const broker = await world.addBroker();
    const [plan, newPlan] = [await world.addPlan(broker), await world.addPlan(broker)];
    const service = await world.addService(broker, plan);
    const keyOf = async (mode: 'live' | 'test') =>
      (await world.addKey(broker, ['admin:full'], { mode, rateLimit: 1_000_000 })).key;
    const [live, sandbox] = [await keyOf('live'), await keyOf('test')];
    const get = (path: string, key = live) => world.call(key, 'GET', path);
    return {
      /** Locks the service, as another change of it would; resolves with its end. */
      lock: () =>
        new Promise<() => void>((locked) => {
          const held = world.store.tx(async (tx) => {
            await tx.services.lock(broker.id, service.number);
            await new Promise<void>((release) => locked(release));
          });
          t.teardown(() => held);
        }),
      read: () => get(`/services/${service.number}`),
      list: () => get('/services'),
      sandbox: () => get('/sandbox', sandbox),
      upgrade: () =>
        world.call(live, 'POST', `/services/${service.number}/upgrade`, {
          body: { new_plan: newPlan.slug },
          headers: { 'x-idempotency-key': 'upgrade' },
        }),
    };
  };
  return { flooder: await caller(), other: await caller() };
}

type Answers = Awaited<ReturnType<Awaited<ReturnType<typeof setting>>['other']['read']>>[];

const times = (count: number, call: () => Promise<Answers[number]>): Promise<Answers> =>
  Promise.all(Array.from({ length: count }, call));

/** How many answers have each status. */
function tally(answers: Answers): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

t.test('400 connections of one key cost another broker no answer, read or change', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { flooder, other } = await setting(t);
  let over = false;
  // Each connection calls again as soon as it is answered.
  const flood = Array.from({ length: 400 }, async (_, index) => {
    while (!over) {
      await (index % 2 ? flooder.read : flooder.list)();
      await setImmediate();
    }
  });
  const reads: Answers = [];
  for (let round = 0; round < 6; round += 1) reads.push(...(await times(8, other.read)));
  const changes = await times(38, other.upgrade);
  over = true;
  await Promise.all(flood);
  t.strictSame(tally(reads), { 200: 48 });
  t.strictSame(tally(changes), { 200: 38 });
});

t.test('a whole window of calls of a sandbox at once is answered, and so is another broker beside it', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { flooder, other } = await setting(t);
  const [burst, beside, live] = await Promise.all([
    times(120, flooder.sandbox),
    times(20, other.sandbox),
    times(20, flooder.read),
  ]);
  t.strictSame([burst, beside, live].map(tally), [{ 200: 120 }, { 200: 20 }, { 200: 20 }]);
});

t.test('beyond the bound the broker that floods is refused and told to come back, and no other caller', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  const { flooder, other } = await setting(t);
  await Promise.all([flooder.read(), other.read()]);
  const release = await flooder.lock();
  const answered: Answers = [];
  const flood = Array.from({ length: 1_000 }, async () => {
    answered.push(await flooder.upgrade());
  });
  // What waits for the row holds the connections of its broker; the calls that find no room are refused at once.
  while (answered.length < 100) await setImmediate();
  const beside = await times(200, other.read);
  release();
  await Promise.all(flood);
  const refused = answered.filter(({ status }) => status === 500);
  t.ok(refused.every(({ headers, json }) => Number(headers['retry-after']) >= 1 && json.error.code === 'server_error'));
  t.ok(answered.length - refused.length >= 200, 'those within the bound are answered');
  t.strictSame(tally(beside), { 200: 200 });
});
