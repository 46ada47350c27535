import t from 'tap';
import { operatorOwner, runAsOperator } from '../../../src/limits/operator-slot.ts';
import type { Store } from '../../../src/store/store.ts';
import { createWorld } from '../../support/world.ts';

const BUSY = { code: 'server_error', message: 'Service temporarily unavailable' };

/** The two entry points for work that no index bounds, for a work that reads nothing. */
const DOORS: Record<string, (store: Store, brokerId: string, work: () => Promise<unknown>) => Promise<unknown>> = {
  'slow query': (store, brokerId, work) => store.slow({ key: brokerId }, work),
  report: (store, brokerId, work) => store.report({ key: brokerId }, work),
};

for (const [what, take] of Object.entries(DOORS)) {
  t.test(`of a broker one ${what} runs and 240 wait; two run and 1,200 wait in all`, async (t) => {
    const { store, close } = await createWorld();
    t.teardown(close);
    let running = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const work = async () => {
      running += 1;
      await held;
    };
    /** The errors of works that were refused, by their brokers. */
    const refused: Array<[brokerId: string, error: unknown]> = [];
    const works: Array<Promise<unknown>> = [];
    const ask = (brokerId: string, count: number) => {
      for (let asked = 0; asked < count; asked += 1) {
        works.push(take(store, brokerId, work).catch((error: unknown) => refused.push([brokerId, error])));
      }
    };
    ask('a', 241);
    await t.rejects(take(store, 'a', work), BUSY);
    t.equal(running, 1);
    ask('b', 241);
    ask('c', 240);
    ask('d', 240);
    ask('e', 239);
    ask('f', 1);
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(running, 2);
    t.strictSame(refused, []);
    ask('f', 1);
    release();
    await Promise.all(works);
    t.match(refused, [['a', BUSY]], 'where all is full the longest queue is refused first');
    t.equal(refused.length, 1);
  });
}

t.test('slow queries of operators wait for each other, and delay none of a broker', async (t) => {
  const world = await createWorld();
  const { store } = world;
  t.teardown(world.close);
  let running = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  // Each has read, and so has its thread or connection.
  const hold = async ({ brokers }: Store['read']) => {
    await brokers.list();
    running += 1;
    await held;
  };
  const ofOperators = Array.from({ length: 241 }, () => store.slow(operatorOwner(), hold));
  await t.rejects(store.slow(operatorOwner(), hold), BUSY);
  const ofBrokers = ['a', 'b'].map((brokerId) => store.slow({ key: brokerId }, hold));
  while (running < 3) await new Promise((resolve) => setImmediate(resolve));
  t.equal(running, 3, 'one of the operators, and as many of brokers as without them');
  release();
  await Promise.all([...ofOperators, ...ofBrokers]);
});

t.test('operators take turns: the many queries of one delay those of another by one', async (t) => {
  const world = await createWorld();
  const { store } = world;
  t.teardown(world.close);
  const order: string[] = [];
  const ask = (operator: string) =>
    runAsOperator(operator, () => store.slow(operatorOwner(), async () => void order.push(operator)));
  await Promise.all([...Array.from({ length: 60 }, () => ask('viewer')), ask('admin'), ask('admin')]);
  t.equal(order.length, 62);
  t.ok(order.indexOf('admin') <= 2, order.slice(0, 5).join());
  t.ok(order.lastIndexOf('admin') <= 4);
});
