import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import t from 'tap';
import { createThrottle } from '../../src/worker/throttle.ts';
import { createTestClock } from '../support/world.ts';

const NEVER = new AbortController().signal;

/** A worker whose transactions take as long as the test says, beside callers who keep the event loop so busy. */
function setUp() {
  const clock = createTestClock();
  const world = { clock, busy: 1, busyMs: undefined as number | undefined, since: [] as unknown[] };
  let pauseBegan = 0;
  const throttle = createThrottle({
    clock,
    sleep: async (ms) => clock.advance(ms),
    utilization(since) {
      world.since.push(since);
      if (!since) pauseBegan = clock.now();
      const passed = clock.now() - pauseBegan;
      const utilization = world.busyMs === undefined ? world.busy : Math.min(1, world.busyMs / passed);
      return { utilization } as EventLoopUtilization;
    },
  });
  const store = throttle.timed({
    async tx<T>(work: (tx: never) => Promise<T>) {
      // The wait for the turn, and for the disk.
      clock.advance(1_000);
      const result = await work(undefined as never);
      clock.advance(1_000);
      return result;
    },
  });
  return {
    ...world,
    set: (busy: number) => {
      world.busy = busy;
    },
    /** Busy for the first so many milliseconds of a pause, and idle behind them. */
    busyUntil: (ms: number) => {
      world.busyMs = ms;
    },
    since: world.since,
    work: (ms: number) => store.tx(async () => clock.advance(ms)),
    fail: (ms: number) =>
      store.tx(async () => {
        clock.advance(ms);
        throw new Error('undone');
      }),
    /** For how long the worker gives way, in milliseconds. */
    async givesWay(signal = NEVER) {
      const from = clock.now();
      await throttle.yieldToCallers(signal);
      return clock.now() - from;
    },
  };
}

t.test(
  'a busy event loop is left to its callers for six times as long as transactions of the worker took, waits left out',
  async (t) => {
    const { work, fail, givesWay } = setUp();
    await work(30);
    t.equal(await givesWay(), 180);
    t.equal(await givesWay(), 0, 'once');
    await work(15);
    await t.rejects(fail(15), /undone/);
    t.equal(await givesWay(), 180, 'what is undone took as long');
  },
);

t.test('the worker goes on for a while before it looks at all', async (t) => {
  const { work, givesWay, since } = setUp();
  await work(19);
  t.equal(await givesWay(), 0);
  t.equal(since.length, 0);
  await work(1);
  t.equal(await givesWay(), 120);
});

t.test('an event loop that has time to spare is taken at once', async (t) => {
  const { work, set, givesWay } = setUp();
  set(0.49);
  await work(100);
  t.equal(await givesWay(), 1, 'the time of a look');
});

t.test('a pause ends as soon as callers left the event loop half of it', async (t) => {
  const { work, busyUntil, givesWay } = setUp();
  await work(60);
  busyUntil(100);
  t.equal(await givesWay(), 201);
});

t.test('however busy the callers are and however long it took, the worker has its turn twice a second', async (t) => {
  const { work, givesWay } = setUp();
  for (let turns = 0; turns < 10; turns += 1) {
    await work(5_000);
    t.equal(await givesWay(), 500);
  }
});

t.test('a worker that is to stop does not throttle', async (t) => {
  const { work, givesWay } = setUp();
  await work(100);
  t.equal(await givesWay(AbortSignal.abort()), 0);
});

t.test('without a test there are the real timer and the real event loop', async (t) => {
  const throttle = createThrottle({ clock: { monotonic: () => performance.now() } });
  await throttle
    .timed({
      tx: async <T>(work: (tx: never) => Promise<T>) => work(undefined as never),
    })
    .tx(async () => {
      const until = performance.now() + 25;
      while (performance.now() < until);
    });
  // A timer as short as a look, and set before it.
  let callersHadTheirTurn = false;
  setTimeout(() => {
    callersHadTheirTurn = true;
  }, 1);
  await throttle.yieldToCallers(NEVER);
  t.ok(callersHadTheirTurn);
});
