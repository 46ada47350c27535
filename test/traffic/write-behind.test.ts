import t, { type Test } from 'tap';
import type { Store, Tx } from '../../src/store/store.ts';
import { createWriteBehind } from '../../src/traffic/write-behind.ts';
import { createTestClock } from '../support/world.ts';

function setting(t: Test) {
  const clock = createTestClock();
  const failures: unknown[] = [];
  const written: string[][] = [];
  const store: Pick<Store, 'tx'> = { tx: (work) => work({} as Tx) };
  const writeBehind = createWriteBehind({ store, clock, onError: (error) => failures.push(error) });
  t.teardown(() => writeBehind.close());
  /** Adds a buffer of names, which are also its rows. */
  function add(everySeconds = 1) {
    const rows = new Map<string, string>();
    writeBehind.add({ rows, everySeconds, write: async (_tx, batch) => written.push(batch) });
    return (...names: string[]) => {
      for (const name of names) rows.set(name, name);
      return rows;
    };
  }
  return { clock, store, failures, written, writeBehind, add };
}

t.test('one transaction writes the rows of all buffers, in the order of the buffers', async (t) => {
  const { store, written, writeBehind, add } = setting(t);
  let transactions = 0;
  store.tx = (work) => {
    transactions += 1;
    return work({} as Tx);
  };
  const [first, second] = [add(), add()];
  second('c');
  first('a', 'b');
  await writeBehind.flush();
  await writeBehind.flush();
  t.strictSame(written, [['a', 'b'], ['c']]);
  t.equal(transactions, 1);
});

t.test('each buffer is written once in its period', async (t) => {
  const { clock, written, writeBehind, add } = setting(t);
  const [often, rarely] = [add(1), add(3)];
  for (let second = 0; second < 6; second += 1) {
    often(`often ${second}`);
    rarely(`rarely ${second}`);
    await writeBehind.writeDue();
    await writeBehind.writeDue();
    clock.advance(1000);
  }
  t.strictSame(
    written.map((rows) => rows.at(-1)),
    ['often 0', 'rarely 0', 'often 1', 'often 2', 'often 3', 'rarely 3', 'often 4', 'often 5'],
  );
});

t.test('it looks for due rows at full seconds by itself, until it is closed', async (t) => {
  const ticks: Array<() => void> = [];
  const delays: Array<number | undefined> = [];
  let cleared = 0;
  t.intercept(globalThis, 'setTimeout', {
    value: (tick: () => void, delay?: number) => {
      ticks.push(tick);
      delays.push(delay);
      return { unref: () => delay };
    },
  });
  t.intercept(globalThis, 'clearTimeout', { value: () => (cleared += 1) });
  const { clock, written, writeBehind, add } = setting(t);
  add()('a');
  clock.advance(300);
  ticks[0]?.();
  await writeBehind.flush();
  t.strictSame(delays, [1000, 700]);
  t.strictSame(written, [['a']]);
  await writeBehind.close();
  t.equal(cleared, 1);
});

t.test(
  'rows whose write failed are kept, reported once in an outage, and written when the database is back',
  async (t) => {
    const { clock, store, failures, written, writeBehind, add } = setting(t);
    const { tx } = store;
    const away = async () => Promise.reject(new Error('away'));
    const rows = add();
    for (const name of ['a', 'b', 'c']) {
      store.tx = away;
      rows(name);
      await writeBehind.writeDue();
      clock.advance(1000);
    }
    t.match(failures, [{ message: 'away' }]);
    t.equal(failures.length, 1);
    store.tx = tx;
    await writeBehind.writeDue();
    t.strictSame(written, [['c', 'a', 'b'].toSorted()]);
    store.tx = away;
    rows('d');
    await writeBehind.flush();
    t.equal(failures.length, 2, 'the next outage is reported again');
    store.tx = tx;
  },
);

t.test('of a row whose write failed and a newer one with its name the newer one is written', async (t) => {
  const { store, writeBehind, written } = setting(t);
  const { tx } = store;
  const rows = new Map([['a', 'older']]);
  writeBehind.add({ rows, everySeconds: 1, write: async (_tx, batch) => written.push(batch) });
  store.tx = async () => {
    rows.set('a', 'newer');
    throw new Error('away');
  };
  await writeBehind.flush();
  store.tx = tx;
  await writeBehind.flush();
  t.strictSame(written, [['newer']]);
});

t.test('very many rows are written in several transactions', async (t) => {
  const { writeBehind, written, add } = setting(t);
  const [many, few] = [add(), add()];
  many(...Array.from({ length: 1001 }, (_, index) => `row ${index}`));
  few('a');
  await writeBehind.flush();
  t.strictSame(
    written.map(({ length }) => length),
    [500, 1, 500, 1],
  );
});

t.test('a write that takes long is waited for, and no second one begins', async (t) => {
  const { clock, store, writeBehind, written, add } = setting(t);
  const gates: Array<() => void> = [];
  store.tx = async (work) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    return work({} as Tx);
  };
  const rows = add();
  rows('a');
  const first = writeBehind.writeDue();
  clock.advance(1000);
  t.equal(rows('b').size, 1);
  const second = writeBehind.writeDue();
  const last = writeBehind.close();
  t.equal(gates.length, 1);
  gates[0]?.();
  await Promise.all([first, second]);
  t.strictSame(written, [['a']]);
  gates[1]?.();
  await last;
  t.strictSame(written, [['a'], ['b']]);
});
