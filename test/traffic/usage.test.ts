import t, { type Test } from 'tap';
import { fail } from '../../src/errors.ts';
import type { UsageDimension } from '../../src/store/usage.ts';
import { createUsage, OTHER } from '../../src/traffic/usage.ts';
import { createWriteBehind } from '../../src/traffic/write-behind.ts';
import { createWorld } from '../support/world.ts';

const owner = (name: string) => ({ broker: { id: `brk_${name}` }, key: { id: `key_${name}` } });

async function setting(t: Test, limits: Parameters<typeof createUsage>[2] = {}) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const writeBehind = createWriteBehind({ ...world, onError: () => undefined });
  t.teardown(() => writeBehind.close());
  return {
    ...world,
    writeBehind,
    usage: createUsage(writeBehind, world.clock, limits),
    operations: Array.from({ length: 8 }, (_, index) => `operation ${index}`),
    /** The sums that have been written. */
    async written(...by: UsageDimension[]) {
      const sums = await world.store.read.usage.tally({ grain: 'minute', since: 0 }, by, 1000);
      return sums.map((sum) => [...by.map((name) => sum[name]), sum.calls]);
    },
    breakDown() {
      const { tx } = world.store;
      world.store.tx = async () => Promise.reject(new Error('away'));
      return () => {
        world.store.tx = tx;
      };
    },
  };
}

t.test('calls that are alike are one row of their minute, whatever it took to write them', async (t) => {
  const { usage, writeBehind, operations, written, clock } = await setting(t);
  const [list, create] = operations as [string, string];
  const start = clock.now();
  usage.count(owner('a'), list, undefined, 1);
  usage.count(owner('a'), list, undefined, 2);
  usage.count(owner('b'), list, undefined, 2);
  usage.count(owner('a'), create, fail.serviceNotFound(), 2);
  usage.count(undefined, create, fail.unauthenticated('missing'), 0);
  await writeBehind.flush();
  clock.advance(10_000);
  usage.count(owner('a'), list, undefined, 1);
  await writeBehind.flush();
  await writeBehind.flush();
  t.strictSame(await written('fromAt', 'brokerId', 'operation', 'outcome', 'gate'), [
    [start, 'brk_a', 'operation 0', 'ok', 9, 3],
    [start, '', 'operation 1', 'authentication_failed', 1, 1],
    [start, 'brk_a', 'operation 1', 'not_found', 7, 1],
    [start, 'brk_b', 'operation 0', 'ok', 9, 1],
  ]);
  clock.advance(50_000);
  usage.count(owner('a'), list, undefined, 1);
  await writeBehind.flush();
  t.strictSame((await written('fromAt', 'brokerId'))[0], [start + 60_000, 'brk_a', 1]);
});

t.test('a key that calls in more ways than are kept for one is told apart no further, and others are', async (t) => {
  const { usage, writeBehind, operations, written } = await setting(t, { key: 3 });
  for (let round = 0; round < 2; round += 1) {
    for (const operation of operations) usage.count(owner('loud'), operation, undefined, 1);
    usage.count(owner('quiet'), operations[7] as string, undefined, 1);
  }
  await writeBehind.flush();
  t.strictSame((await written('brokerId', 'operation')).sort(), [
    ['brk_loud', 'operation 0', 2],
    ['brk_loud', 'operation 1', 2],
    ['brk_loud', 'operation 2', 2],
    ['brk_loud', OTHER, 10],
    ['brk_quiet', 'operation 7', 2],
  ]);
});

t.test('more keys than are kept at once become one row without a key, and no call is lost', async (t) => {
  const { usage, writeBehind, operations, written } = await setting(t, { all: 3 });
  for (let key = 0; key < 100; key += 1) {
    usage.count(owner(`${key}`), operations[0] as string, undefined, 1);
    usage.count(undefined, operations[0] as string, fail.unauthenticated('missing'), 0);
  }
  await writeBehind.flush();
  t.strictSame(await written('keyId', 'operation', 'outcome'), [
    ['', 'operation 0', 'authentication_failed', 100],
    ['', OTHER, OTHER, 98],
    ['key_0', 'operation 0', 'ok', 1],
    ['key_1', 'operation 0', 'ok', 1],
  ]);
});

t.test('what could not be written is added to what came later', async (t) => {
  const { usage, writeBehind, operations, written, breakDown, clock } = await setting(t);
  const mend = breakDown();
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const writing = writeBehind.flush();
    usage.count(owner('a'), operations[0] as string, undefined, attempt);
    await writing;
    clock.advance(10_000);
  }
  mend();
  await writeBehind.flush();
  t.strictSame(await written('operation'), [['operation 0', 6]]);
});

t.test('a database that stays away costs bounded memory: what is beyond is counted as dropped', async (t) => {
  const { usage, writeBehind, operations, written, breakDown } = await setting(t, { waiting: 2 });
  const mend = breakDown();
  for (const operation of operations.slice(0, 5)) usage.count(owner('a'), operation, undefined, 1);
  await writeBehind.flush();
  t.equal(usage.dropped, 3);
  usage.count(owner('a'), operations[0] as string, undefined, 1);
  await writeBehind.flush();
  t.equal(usage.dropped, 3, 'there is room for more of the same');
  mend();
  await writeBehind.flush();
  t.strictSame(await written('operation'), [
    ['operation 0', 2],
    ['operation 1', 1],
  ]);
});

t.test('it is written every ten seconds', async (t) => {
  const { usage, writeBehind, operations, written, clock } = await setting(t);
  await writeBehind.writeDue();
  usage.count(owner('a'), operations[0] as string, undefined, 1);
  clock.advance(9_999);
  await writeBehind.writeDue();
  t.strictSame(await written('operation'), []);
  clock.advance(1);
  await writeBehind.writeDue();
  t.strictSame(await written('operation'), [['operation 0', 1]]);
});
