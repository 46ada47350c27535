import t, { type Test } from 'tap';
import { createLastUsed } from '../../src/access/last-used.ts';
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

t.test(
  'of more keys than are remembered the one that was silent longest is written down, and nothing is lost',
  async (t) => {
    const { use, written, lastUsed, clock, row, store } = await setting(t);
    use('192.0.2.1');
    clock.advance(1);
    use('192.0.2.2');
    const used = clock.now();
    await lastUsed.idle();
    const { tx } = store;
    // The other keys have no records, and what would be written of them does not matter.
    const others: string[] = [];
    store.tx = async () => undefined as never;
    for (let i = 0; i < 19_999; i++) others.push(`key_${i}`);
    for (const id of others) lastUsed.note(id, { atMs: used, ip: '192.0.2.9' });
    store.tx = tx;
    t.match(lastUsed.note(row.id, { atMs: used, ip: '192.0.2.2' }), { ip: '192.0.2.2' }, 'as many are remembered');
    store.tx = async () => undefined as never;
    for (const id of others.slice(1)) lastUsed.note(id, { atMs: used, ip: '192.0.2.9' });
    lastUsed.note('key_beyond', { atMs: used, ip: '192.0.2.9' });
    store.tx = tx;
    lastUsed.note('key_more', { atMs: used, ip: '192.0.2.9' });
    t.strictSame(await written(), [used, '192.0.2.2']);
  },
);
