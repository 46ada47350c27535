import t, { type Test } from 'tap';
import { createNoteUse } from '../../src/access/last-used.ts';
import { createWriteBehind } from '../../src/traffic/write-behind.ts';
import { createWorld } from '../support/world.ts';

async function setting(t: Test, maxKeys?: number) {
  const world = await createWorld();
  const writeBehind = createWriteBehind({ ...world, onError: () => undefined });
  t.teardown(async () => {
    await writeBehind.close();
    await world.close();
  });
  const broker = await world.addBroker();
  const { row } = await world.addKey(broker);
  const noteUse = createNoteUse(writeBehind, world.clock, maxKeys);
  return {
    ...world,
    broker,
    row,
    writeBehind,
    use: (ip: string, keyId = row.id) => noteUse({ keyId, atMs: world.clock.now(), ip }),
    /** What the record says, after what is due has been written. */
    async written(keyId = row.id) {
      await writeBehind.writeDue();
      const key = await world.store.read.keys.find(keyId);
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
  t.match(use('192.0.2.2'), { atMs: start, ip: '192.0.2.1' });
  t.strictSame(await written(), [start, '192.0.2.1'], 'not yet');
  clock.advance(1);
  t.match(use('192.0.2.3'), { atMs: start + 59_999, ip: '192.0.2.2' });
  t.strictSame(await written(), [start + 60_000, '192.0.2.3']);
});

t.test('the last use of a key that falls silent is written after a minute', async (t) => {
  const { use, written, clock } = await setting(t);
  use('192.0.2.1');
  await written();
  clock.advance(10_000);
  use('192.0.2.2');
  clock.advance(50_000);
  t.strictSame(await written(), [clock.now() - 50_000, '192.0.2.2']);
});

t.test('what is not written yet is written at the end, and nothing twice', async (t) => {
  const { use, writeBehind, store, row, written, clock } = await setting(t);
  use('192.0.2.1');
  await written();
  clock.advance(10);
  use('192.0.2.2');
  await writeBehind.flush();
  t.equal((await store.read.keys.find(row.id))?.lastUsedIp, '192.0.2.2');
  await store.tx((tx) => tx.keys.update(row.id, { lastUsedIp: 'untouched' }));
  await writeBehind.flush();
  t.equal((await store.read.keys.find(row.id))?.lastUsedIp, 'untouched');
});

t.test('a write that fails is repeated, and no caller learns of it', async (t) => {
  const { use, writeBehind, written, store, clock } = await setting(t);
  const { tx } = store;
  store.tx = async () => Promise.reject(new Error('full'));
  t.doesNotThrow(() => use('192.0.2.1'));
  await writeBehind.writeDue();
  store.tx = tx;
  clock.advance(1000);
  t.strictSame(await written(), [clock.now() - 1000, '192.0.2.1']);
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
  'of more keys than are remembered the one that was silent longest is written, and nothing is lost',
  async (t) => {
    const { use, written, addKey, broker, clock } = await setting(t, 2);
    const others = [await addKey(broker), await addKey(broker)].map((key) => key.row.id);
    use('192.0.2.1');
    await written();
    clock.advance(1000);
    t.match(use('192.0.2.2'), { ip: '192.0.2.1' });
    for (const id of others) use('192.0.2.9', id);
    t.strictSame(await written(), [clock.now(), '192.0.2.2']);
    t.equal(use('192.0.2.3'), undefined, 'it is no longer remembered');
  },
);

t.test('a database that is away costs bounded memory', async (t) => {
  const { use, writeBehind, written, row, store } = await setting(t, 2);
  const { tx } = store;
  store.tx = async () => Promise.reject(new Error('away'));
  for (const id of ['a', 'b', 'c', row.id, 'd']) use('192.0.2.1', id);
  use('192.0.2.2');
  await writeBehind.flush();
  let updates = 0;
  store.tx = (work) =>
    tx((changes) => {
      const { keys } = changes;
      const update: typeof keys.update = (...args) => {
        updates += 1;
        return keys.update(...args);
      };
      return work({ ...changes, keys: { ...keys, update } });
    });
  await writeBehind.flush();
  t.equal(updates, 4);
  t.equal((await written())[1], '192.0.2.2');
});
