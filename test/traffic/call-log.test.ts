import t, { type Test } from 'tap';
import { createCallLog } from '../../src/traffic/call-log.ts';
import { createWriteBehind } from '../../src/traffic/write-behind.ts';
import { aBroker, aCall, aKey } from '../store/records.ts';
import { createWorld } from '../support/world.ts';

async function setting(t: Test, limits: Parameters<typeof createCallLog>[2] = {}) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const writeBehind = createWriteBehind({ ...world, onError: () => undefined });
  t.teardown(() => writeBehind.close());
  const calls = createCallLog(writeBehind, world.clock, limits);
  const broker = aBroker();
  return {
    ...world,
    writeBehind,
    calls,
    /** Keeps so many calls of a key. */
    keep(name: string, times: number) {
      const key = aKey(broker, { id: `key_${name}` });
      for (let time = 0; time < times; time += 1) calls.keep(key.id, () => aCall(broker, key));
    },
    written: async (name: string) => (await world.store.read.calls.list({ keyId: `key_${name}` }, 10_000)).length,
    breakDown() {
      const { tx } = world.store;
      world.store.tx = async () => Promise.reject(new Error('away'));
      return () => {
        world.store.tx = tx;
      };
    },
  };
}

t.test('calls are written every second', async (t) => {
  const { writeBehind, keep, written, clock } = await setting(t);
  await writeBehind.writeDue();
  keep('a', 3);
  await writeBehind.writeDue();
  t.equal(await written('a'), 0);
  clock.advance(1000);
  await writeBehind.writeDue();
  t.equal(await written('a'), 3);
});

t.test('20 calls of a key and 200 of all are kept in a second; the others are counted', async (t) => {
  const { calls, writeBehind, keep, written, clock } = await setting(t);
  keep('loud', 50);
  for (let key = 0; key < 10; key += 1) keep(`${key}`, 20);
  await writeBehind.flush();
  t.equal(await written('loud'), 20);
  t.equal(await written('8'), 20);
  t.equal(await written('9'), 0);
  t.strictSame(calls.dropped, { key: 30, all: 20, waiting: 0 });
  clock.advance(1000);
  keep('9', 21);
  await writeBehind.flush();
  t.equal(await written('9'), 20, 'the next second is another one');
  t.strictSame(calls.dropped, { key: 31, all: 20, waiting: 0 });
});

t.test('what is not kept is not described either', async (t) => {
  const { calls } = await setting(t, { key: 0 });
  calls.keep('key_a', () => {
    throw new Error('not asked');
  });
  t.equal(calls.dropped.key, 1);
});

t.test('a database that is away costs bounded memory; then the calls are written, once', async (t) => {
  const { calls, writeBehind, keep, written, breakDown, clock } = await setting(t, { waiting: 30 });
  const mend = breakDown();
  for (let second = 0; second < 3; second += 1) {
    keep('a', 20);
    await writeBehind.flush();
    clock.advance(1000);
  }
  t.strictSame(calls.dropped, { key: 0, all: 0, waiting: 30 });
  mend();
  await writeBehind.flush();
  t.equal(await written('a'), 30);
});
