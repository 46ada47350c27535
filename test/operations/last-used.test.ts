import t, { type Test } from 'tap';
import { createLastUsed } from '../../src/operations/last-used.ts';
import { createWorld } from '../support/world.ts';

async function setting(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { row } = await world.addKey(await world.addBroker());
  const failures: unknown[] = [];
  const lastUsed = createLastUsed({ ...world, onError: (error) => failures.push(error) });
  return {
    ...world,
    row,
    failures,
    lastUsed,
    use: (ip: string) => lastUsed.note(row.id, { atMs: world.clock.now(), ip }),
    /** What the record says, once everything that is under way has been written. */
    written: async () => {
      await lastUsed.idle();
      const key = await world.store.read.keys.find(row.id);
      return [key?.lastUsedAt, key?.lastUsedIp];
    },
  };
}

t.test('a use is written once a minute, and each call hears of the use before it', async (t) => {
  const { use, written, clock } = await setting(t);
  const start = clock.now();
  t.equal(use('192.0.2.1'), undefined);
  t.strictSame(await written(), [start, '192.0.2.1']);
  clock.advance(59_999);
  t.strictSame(use('192.0.2.2'), { atMs: start, ip: '192.0.2.1' });
  t.strictSame(await written(), [start, '192.0.2.1'], 'not yet');
  clock.advance(1);
  t.strictSame(use('192.0.2.3'), { atMs: start + 59_999, ip: '192.0.2.2' });
  t.strictSame(await written(), [start + 60_000, '192.0.2.3']);
});

t.test('what is not written yet is written at the end, and nothing twice', async (t) => {
  const { use, lastUsed, store, row, clock } = await setting(t);
  use('192.0.2.1');
  clock.advance(10);
  use('192.0.2.2');
  await lastUsed.flush();
  t.equal((await store.read.keys.find(row.id))?.lastUsedIp, '192.0.2.2');
  await store.tx((tx) => tx.keys.update(row.id, { lastUsedIp: 'untouched' }));
  await lastUsed.flush();
  t.equal((await store.read.keys.find(row.id))?.lastUsedIp, 'untouched');
});

t.test('a write that fails is told to the log and to nobody else', async (t) => {
  const { use, lastUsed, failures, store } = await setting(t);
  const { tx } = store;
  store.tx = async () => Promise.reject(new Error('full'));
  t.doesNotThrow(() => use('192.0.2.1'));
  await lastUsed.flush();
  store.tx = tx;
  t.match(failures, [{ message: 'full' }]);
});

t.test('the record is written while the request goes its way, and by the end of the server', async (t) => {
  const { app, addBroker, addKey, store, clock, call } = await createWorld();
  const { key, row } = await addKey(await addBroker());
  for (const remoteAddress of ['192.0.2.1', '192.0.2.2']) {
    t.equal((await call(key, 'GET', '/plans', { remoteAddress })).status, 200);
    clock.advance(1000);
  }
  await app.close();
  const known = await store.read.keys.find(row.id);
  t.strictSame([known?.lastUsedAt, known?.lastUsedIp], [clock.now() - 1000, '192.0.2.2']);
  await store.close();
});
