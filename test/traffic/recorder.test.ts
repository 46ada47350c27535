import t, { type Test } from 'tap';
import { fail } from '../../src/errors.ts';
import type { CallRow } from '../../src/store/queries/calls.ts';
import type { UsageDimension, UsageRow } from '../../src/store/queries/usage.ts';
import type { Tx } from '../../src/store/store.ts';
import { type Call, createRecorder, MAX_KEYS, OTHER, ROW_LIMITS, USAGE_LIMITS } from '../../src/traffic/recorder.ts';
import { until } from '../support/until.ts';
import { createWorld } from '../support/world.ts';

const owner = (name: string) => ({ broker: { id: `brk_${name}` }, key: { id: `key_${name}` } });

async function setting(t: Test) {
  const world = await createWorld();
  const failures: unknown[] = [];
  const recorder = createRecorder({ ...world, onError: (error) => failures.push(error) });
  t.teardown(async () => {
    await recorder.close();
    await world.close();
  });
  const { store, clock } = world;
  let number = 0;
  const call = (fields: Partial<Call> = {}): void => {
    number += 1;
    recorder.record({
      requestId: `call-${number}`,
      owner: owner('a'),
      clientIp: '192.0.2.1',
      method: 'POST',
      operation: 'operation 0',
      serviceNumber: null,
      status: 200,
      failure: undefined,
      ms: 1,
      logged: false,
      ...fields,
    });
  };
  return {
    ...world,
    failures,
    recorder,
    call,
    times(count: number, fields: Partial<Call> = {}) {
      for (let time = 0; time < count; time += 1) call(fields);
    },
    /** Writes what is due so many seconds later, ten by default, when everything but most last uses is. */
    async later(seconds = 10) {
      clock.advance(seconds * 1_000);
      await recorder.writeDue();
    },
    /** The sums that have been written. */
    async usage(...by: UsageDimension[]) {
      const sums = await store.read.usage.tally({ grain: 'minute', since: 0 }, by, 30_000);
      return sums.map((sum) => [...by.map((name) => sum[name]), sum.calls]);
    },
    rows: async (name: string) => (await store.read.calls.list({ keyId: `key_${name}` }, 10_000)).length,
    /** Sums up what is written from now on in memory: for tens of thousands of rows. */
    sumUp() {
      const written = { usage: new Map<string, number>(), calls: 0 };
      const tx = {
        usage: {
          count: async (rows: UsageRow[]) => {
            for (const { keyId, calls } of rows) written.usage.set(keyId, (written.usage.get(keyId) ?? 0) + calls);
          },
        },
        calls: {
          insert: async (rows: CallRow[]) => {
            written.calls += rows.length;
          },
        },
        keys: { update: async () => null },
      };
      store.tx = (work) => work(tx as unknown as Tx);
      return written;
    },
    breakDown() {
      const { tx } = store;
      store.tx = async () => Promise.reject(new Error('away'));
      return () => {
        store.tx = tx;
      };
    },
  };
}

t.test('calls that are alike are one row of their minute, whatever it took to write them', async (t) => {
  const { call, later, usage, clock } = await setting(t);
  const start = clock.now();
  call();
  call({ ms: 2 });
  call({ owner: owner('b') });
  call({ operation: 'operation 1', failure: fail.serviceNotFound() });
  call({ owner: undefined, operation: 'operation 1', failure: fail.unauthenticated('missing'), ms: 0 });
  await later();
  call();
  await later();
  await later();
  t.strictSame(await usage('fromAt', 'brokerId', 'operation', 'outcome', 'gate'), [
    [start, 'brk_a', 'operation 0', 'ok', 9, 3],
    [start, '', 'operation 1', 'authentication_failed', 1, 1],
    [start, 'brk_a', 'operation 1', 'not_found', 7, 1],
    [start, 'brk_b', 'operation 0', 'ok', 9, 1],
  ]);
  clock.advance(40_000);
  call();
  await later();
  t.strictSame((await usage('fromAt', 'brokerId'))[0], [start + 60_000, 'brk_a', 1]);
});

t.test('rows are written every second, usage every ten, and all of it at the end', async (t) => {
  const { call, later, usage, rows, recorder } = await setting(t);
  call({ logged: true });
  await later(1);
  t.strictSame([await rows('a'), await usage('operation')], [1, []]);
  await later(8);
  t.strictSame(await usage('operation'), []);
  await later(1);
  t.strictSame(await usage('operation'), [['operation 0', 1]]);
  call({ logged: true });
  await recorder.close();
  t.strictSame([await rows('a'), await usage('operation')], [2, [['operation 0', 2]]]);
});

t.test('a row is kept of a call that may have changed something or was refused, and of no other', async (t) => {
  const { call, later, rows } = await setting(t);
  call();
  call({ owner: undefined, logged: true, failure: fail.unauthenticated('missing') });
  await later();
  t.equal(await rows('a'), 0);
  call({ logged: true });
  call({ failure: fail.serviceNotFound() });
  await later();
  t.equal(await rows('a'), 2);
});

t.test('20 rows of a key and 200 of all are kept in a second; all calls are in the usage', async (t) => {
  const { times, later, rows, usage, recorder } = await setting(t);
  times(50, { owner: owner('loud'), logged: true });
  for (let key = 0; key < 10; key += 1) times(20, { owner: owner(String(key)), logged: true });
  await later(1);
  t.strictSame([await rows('loud'), await rows('8'), await rows('9')], [20, 20, 1]);
  t.match(recorder.dropped, { key: 30, all: 19, waiting: 0, usage: 0 });
  times(21, { owner: owner('9'), logged: true });
  await later();
  t.equal(await rows('9'), 21, 'the next second is another one');
  t.match(recorder.dropped, { key: 31, all: 19, waiting: 0, usage: 0 });
  t.strictSame(await usage(), [[271]]);
});

t.test(
  'the first call of each key, operation and reason in a minute has a row, whatever is beyond the bounds',
  async (t) => {
    const { times, call, later, store, recorder } = await setting(t);
    const reasons = async () =>
      (await store.read.calls.list({ keyId: 'key_loud' }, 1_000)).map(({ operation, code }) => `${operation} ${code}`);
    for (let key = 0; key < 10; key += 1) times(20, { owner: owner(String(key)), logged: true });
    times(30, { owner: owner('loud'), failure: fail.serviceNotFound() });
    call({ owner: owner('loud'), operation: 'operation 1', failure: fail.serviceNotFound() });
    call({ owner: owner('loud'), failure: fail.unauthenticated('missing') });
    await later(1);
    t.strictSame((await reasons()).sort(), [
      'operation 0 authentication_failed',
      'operation 0 not_found',
      'operation 1 not_found',
    ]);
    t.match(recorder.dropped, { key: 0, all: 29 });
  },
);

t.test('a key that calls in more ways than are kept for one is distinguished no further, and others are', async (t) => {
  const { call, later, usage } = await setting(t);
  for (let round = 0; round < 2; round += 1) {
    for (let kind = 0; kind < USAGE_LIMITS.key + 5; kind += 1) call({ operation: `operation ${kind}` });
    call({ owner: owner('quiet'), operation: 'operation 99' });
  }
  await later();
  const sums = await usage('brokerId', 'operation');
  t.equal(sums.length, USAGE_LIMITS.key + 2);
  t.strictSame(sums[0], ['brk_a', OTHER, 10]);
  t.strictSame(
    sums.filter(([broker]) => broker === 'brk_quiet'),
    [['brk_quiet', 'operation 99', 2]],
  );
});

t.test('more kinds than are kept at once become one row without a key, and no call is lost', async (t) => {
  const { call, later, sumUp, recorder } = await setting(t);
  const written = sumUp();
  for (let key = 0; key < USAGE_LIMITS.all + 100; key += 1) call({ owner: owner(String(key)) });
  await later();
  t.equal(written.usage.get(''), 100);
  t.equal(written.usage.size, USAGE_LIMITS.all + 1);
  t.equal(recorder.dropped.usage, 0);
});

t.test('what could not be written is written later, and the outage is reported once', async (t) => {
  const { call, later, usage, rows, breakDown, failures, store, row } = await withKey(t);
  for (let outage = 1; outage <= 2; outage += 1) {
    const mend = breakDown();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      call({ owner: { broker: { id: row.brokerId }, key: row }, logged: true });
      await later();
    }
    t.match(failures, Array(outage).fill({ message: 'away' }));
    mend();
    await later();
    t.strictSame(await usage('operation'), [['operation 0', 6 * outage]]);
    t.equal((await store.read.calls.list({ keyId: row.id }, 100)).length, 6 * outage);
    t.equal((await store.read.keys.find(row.id))?.lastUsedIp, '192.0.2.1');
  }
  t.equal(await rows('a'), 0);
});

t.test('usage whose commit was not confirmed is written again: it may count twice, and is never lost', async (t) => {
  const { call, later, usage, store, recorder } = await setting(t);
  const { tx } = store;
  call();
  // The last use of the key is written, which is due again a minute later: what breaks is the commit of usage.
  await later();
  store.tx = async (work) => {
    await tx(work);
    throw new Error('the connection was lost after the commit');
  };
  call();
  await later();
  t.strictSame(await usage('operation'), [['operation 0', 2]]);
  store.tx = tx;
  await later();
  t.strictSame(await usage('operation'), [['operation 0', 3]]);
  await recorder.close();
  t.strictSame(await usage('operation'), [['operation 0', 3]]);
});

t.test('a database that stays away costs bounded memory: what is beyond is counted as dropped', async (t) => {
  const { times, call, later, sumUp, breakDown, recorder, clock } = await setting(t);
  breakDown();
  for (let round = 0; round < USAGE_LIMITS.waiting / USAGE_LIMITS.all; round += 1) {
    for (let key = 0; key < USAGE_LIMITS.all; key += 1) call({ owner: owner(`${round} ${key}`) });
    await later();
  }
  times(3, { owner: owner('late') });
  t.equal(recorder.dropped.usage, 3);
  call({ owner: owner('3 4999') });
  t.equal(recorder.dropped.usage, 3, 'there is room for more of the same');
  for (let second = 0; second <= ROW_LIMITS.waiting / ROW_LIMITS.key; second += 1) {
    times(ROW_LIMITS.key, { owner: owner('3 4999'), logged: true });
    clock.advance(1_000);
  }
  t.equal(recorder.dropped.waiting, ROW_LIMITS.key);
  const written = sumUp();
  await later();
  t.equal(written.calls, ROW_LIMITS.waiting);
  t.equal(written.usage.size, USAGE_LIMITS.waiting);
});

t.test('a write that takes long is waited for, and no second one begins', async (t) => {
  const { call, later, usage, store, recorder } = await setting(t);
  const { tx } = store;
  const gates: Array<() => void> = [];
  store.tx = async (work) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    return tx(work);
  };
  call();
  const first = later();
  call();
  const second = later();
  await until('the first write has begun', () => gates.length > 0);
  t.equal(gates.length, 1);
  store.tx = tx;
  gates[0]?.();
  await Promise.all([first, second]);
  await recorder.close();
  t.strictSame(await usage('operation'), [['operation 0', 2]]);
});

async function withKey(t: Test) {
  const world = await setting(t);
  const broker = await world.addBroker();
  const { row } = await world.addKey(broker);
  return {
    ...world,
    row,
    use: (clientIp: string) => world.call({ owner: { broker, key: row }, clientIp }),
    written: async () => {
      const key = await world.store.read.keys.find(row.id);
      return [key?.lastUsedAt, key?.lastUsedIp];
    },
  };
}

t.test('a key’s use is written within a second and then once a minute, the last one of them', async (t) => {
  const { use, later, written, recorder, row, clock } = await withKey(t);
  const start = clock.now();
  t.equal(recorder.lastUse(row.id), undefined);
  use('192.0.2.1');
  await later(1);
  t.strictSame(await written(), [start, '192.0.2.1']);
  use('192.0.2.2');
  t.strictSame(recorder.lastUse(row.id), { lastUsedAt: start + 1_000, lastUsedIp: '192.0.2.2' });
  await later(59);
  t.strictSame(await written(), [start, '192.0.2.1'], 'not yet');
  await later(1);
  t.strictSame(await written(), [start + 1_000, '192.0.2.2'], 'after a minute, though the key fell silent');
  use('192.0.2.3');
  use('');
  await recorder.close();
  t.strictSame(await written(), [clock.now(), '192.0.2.3'], 'and at the end');
});

t.test('a use that is written is not written again', async (t) => {
  const { use, later, written, row, store } = await withKey(t);
  use('192.0.2.1');
  await later(1);
  await store.tx((tx) => tx.keys.update(row.id, { lastUsedIp: 'untouched' }));
  await later(120);
  t.equal((await written())[1], 'untouched');
});

t.test('of more keys than are remembered the one that was silent longest is forgotten', async (t) => {
  const { use, call, recorder, row, sumUp } = await withKey(t);
  sumUp();
  use('192.0.2.1');
  for (let key = 0; key < MAX_KEYS; key += 1) call({ owner: owner(String(key)) });
  t.equal(recorder.lastUse(row.id), undefined);
  t.match(recorder.lastUse(`key_${MAX_KEYS - 1}`), { lastUsedIp: '192.0.2.1' });
});
