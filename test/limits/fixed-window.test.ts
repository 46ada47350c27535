import t from 'tap';
import { fixedWindowStore } from '../../src/limits/fixed-window.ts';
import { createTestClock } from '../support/world.ts';

interface Hit {
  current: number;
  ttl: number;
}

t.test('a window opens with its first hit, counts each, and none prolongs it', async (t) => {
  const clock = createTestClock();
  const store = new (fixedWindowStore(clock))({});
  const hit = (key: string) =>
    new Promise<Hit>((resolve) => store.incr(key, (_error, result) => resolve(result as Hit), 60_000, 2));

  const first = await hit('a');
  t.strictSame(first, { current: 1, ttl: 60_000 });
  clock.advance(59_999);
  t.strictSame(await hit('a'), { current: 2, ttl: 1 });
  t.strictSame(await hit('a'), { current: 3, ttl: 1 });
  t.strictSame(await hit('b'), { current: 1, ttl: 60_000 });
  clock.advance(1);
  t.strictSame(await hit('a'), { current: 1, ttl: 60_000 });
  t.strictSame(first, { current: 1, ttl: 60_000 }, 'a result does not change under its holder');
});

t.test('a fresh window lasts no longer than it should, whatever fractions the clock has', async (t) => {
  const store = new (fixedWindowStore({ monotonic: () => 1234.000_000_1 }))({});
  store.incr('a', (_error, result) => t.equal(result?.ttl, 60_000), 60_000, 1);
});

t.test('limiters do not share their counts', async (t) => {
  const store = new (fixedWindowStore(createTestClock()))({});
  const counts: number[] = [];
  const note = (_error: Error | null, result?: Hit) => counts.push(result?.current ?? 0);
  const children = [store.child({} as never), store.child({} as never)];
  for (const each of [store, ...children, store]) each.incr('a', note, 1000, 1);
  t.strictSame(counts, [1, 1, 1, 2]);
});

t.test('a flood of made-up names pushes out the least used windows in place of growing', async (t) => {
  const store = new (fixedWindowStore(createTestClock()))({});
  let last = 0;
  const hit = (key: string) => {
    store.incr(key, (_error, result) => (last = result?.current ?? 0), 60_000, 2);
    return last;
  };
  hit('kept');
  hit('forgotten');
  for (let i = 0; i < 100_000; i++) {
    hit(`made up ${i}`);
    if (i % 1000 === 0) hit('kept');
  }
  t.equal(hit('kept'), 102);
  t.equal(hit('forgotten'), 1);
});
