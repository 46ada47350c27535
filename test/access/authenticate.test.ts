import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { FRESH_FOR_MS, MAX_CACHED_KEYS_OF_OWNER } from '../../src/access/authenticate.ts';
import { authenticateBrokers } from '../../src/access/broker-keys.ts';
import { fail } from '../../src/errors.ts';
import { composeKey, hashKey } from '../../src/rules/key-format.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { KeyRow } from '../../src/store/queries/keys.ts';
import { createWorld } from '../support/world.ts';

async function setting(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const reads: string[] = [];
  const { listAccess } = world.store.read.keys;
  const { list } = world.store.read.firewall;
  world.store.read.keys.listAccess = (publicIds) => {
    reads.push('key');
    return listAccess(publicIds);
  };
  world.store.read.firewall.list = (brokerId) => {
    reads.push('firewall');
    return list(brokerId);
  };
  const authenticate = authenticateBrokers({ ...world, rateLimit: { max: 100 } });
  return {
    ...world,
    reads,
    authenticate: async (...headers: string[]) => authenticate(headers, '192.0.2.1'),
    authenticateFrom: async (address: string, key: string) => authenticate([`Bearer ${key}`], address),
    /** Whether the answer came without waiting for the store. */
    atOnce: (key: string) => !(authenticate([`Bearer ${key}`], '192.0.2.1') instanceof Promise),
  };
}

t.test('a key gives its broker, mode, scopes, name, limit and firewall', async (t) => {
  const { authenticate, addBroker, addKey, store, reads } = await setting(t);
  const broker = await addBroker({ ipRestrictionEnabled: true });
  const rule = { id: 'fwr_1', brokerId: broker.id, rule: '192.0.2.0/24', note: null, createdAt: 0 };
  await store.tx((tx) => tx.firewall.insert(rule));
  const { key, row } = await addKey(broker, ['plans:read', 'admin:full'], { mode: 'test', rateLimit: null });
  const access = await authenticate(`Bearer ${key}`);
  t.match(access, {
    broker: { id: broker.id },
    key: { id: row.id },
    mode: 'test',
    scopes: ['admin:full', 'plans:read'],
  });
  t.strictSame([access.rateLimit, access.sharedLimit], [100, null]);
  t.equal(access.keyPrefix, `sk_test_${row.publicId}`);
  t.equal(access.matchedRule('192.0.2.1'), '192.0.2.0/24');
  t.equal(access.matchedRule('198.51.100.1'), null);
  t.strictSame(reads, ['key', 'firewall']);
});

t.test('what is known of a key is used for half a second, and then read again', async (t) => {
  const { atOnce, authenticate, addBroker, addKey, clock, reads } = await setting(t);
  const { key } = await addKey(await addBroker());
  await authenticate(`Bearer ${key}`);
  clock.advance(500);
  t.equal(atOnce(key), true);
  clock.advance(1);
  await authenticate(`Bearer ${key}`);
  t.strictSame(reads, ['key', 'key'], 'without a restriction no rules are read');
});

t.test('calls that come while their key is looked up share the look-up, for half a second', async (t) => {
  const { authenticate, addBroker, addKey, clock, reads } = await setting(t);
  const { key } = await addKey(await addBroker());
  await authenticate(`Bearer ${key}`);
  clock.advance(501);
  const early = Array.from({ length: 240 }, () => authenticate(`Bearer ${key}`));
  await setImmediate();
  t.strictSame(reads, ['key', 'key'], 'one look-up for all of them');
  clock.advance(501);
  const late = authenticate(`Bearer ${key}`);
  await setImmediate();
  t.equal(reads.length, 3, 'what began longer ago may be too old');
  t.match(await Promise.all([...early, late]), Array(241).fill({ mode: 'live' }));
});

t.test('a key on the list of refused ones is invalid and costs no look-up', async (t) => {
  const { store, addBroker, addKey, reads, ...world } = await setting(t);
  const { key, row } = await addKey(await addBroker());
  const { key: other } = await addKey(await addBroker());
  const parts = { ...world, store, rateLimit: { max: 100 }, refused: [row.publicId] };
  const authenticate = authenticateBrokers(parts);
  t.throws(() => authenticate([`Bearer ${key}`], '192.0.2.1'), fail.unauthenticated('invalid'));
  t.strictSame(reads, []);
  t.match(await authenticate([`Bearer ${other}`], '192.0.2.1'), { mode: 'live' });
});

t.test('what fails is refused with its reason, and a failed look-up leaves nothing behind', async (t) => {
  const { authenticate, addBroker, addKey, store, reads, clock } = await setting(t);
  const broker = await addBroker();
  const { key, row } = await addKey(broker, [], { expiresAt: clock.now() + 1000 });
  const refuses = (reason: string, ...headers: string[]) =>
    t.rejects(authenticate(...headers), { code: 'authentication_failed', details: { reason } }, reason);
  await refuses('missing');
  await refuses('missing', ' ');
  await refuses('malformed', `Basic ${key}`);
  await refuses('malformed', `Bearer ${key}`, `Bearer ${key}`);
  await refuses('malformed', `Bearer ${key.slice(0, -1)}`);
  t.strictSame(reads, []);
  await refuses('invalid', `Bearer ${composeKey({ mode: 'live', publicId: 'unknown0', secret: '0'.repeat(32) })}`);
  await refuses('invalid', `Bearer ${composeKey({ mode: 'live', publicId: row.publicId, secret: '0'.repeat(32) })}`);
  await refuses('invalid', `Bearer ${composeKey({ mode: 'test', publicId: row.publicId, secret: key.slice(17, 49) })}`);
  t.ok(await authenticate(`Bearer ${key}`));
  clock.advance(1000);
  await refuses('expired', `Bearer ${key}`);
  await store.tx((tx) => tx.brokers.update(broker.id, { status: 'suspended' }));
  clock.advance(501);
  await refuses('inactive', `Bearer ${key}`);
});

t.test('however a key is written, it is one key: blanks and case around it cost no look-up of their own', async (t) => {
  const { authenticate, addBroker, addKey, reads } = await setting(t);
  const { key } = await addKey(await addBroker());
  await authenticate(`bEARER     ${key}`);
  for (const header of [`Bearer ${key}`, `bearer ${key}`, ` BEARER  ${key} `, `Bearer${' '.repeat(9000)}${key}\t`]) {
    await authenticate(header);
  }
  t.strictSame(reads, ['key']);
});

/** Keys of one broker without a record of their own: what the store finds of each is that of a real key, with `changes`. */
async function manyKeys(world: Awaited<ReturnType<typeof setting>>, broker: BrokerRow, count: number) {
  const { row } = await world.addKey(broker);
  const { listAccess } = world.store.read.keys;
  const keys = Array.from({ length: count }, (_, i) =>
    composeKey({ mode: 'live', publicId: String(i).padStart(8, '0'), secret: '0'.repeat(32) }),
  );
  const changes = { key: {} as Partial<KeyRow>, broker: {} as Partial<BrokerRow> };
  world.store.read.keys.listAccess = async (publicIds) => {
    const [found] = await listAccess([row.publicId]);
    if (!found || publicIds.some((publicId) => keys[Number(publicId)] === undefined)) return listAccess(publicIds);
    return publicIds.map((publicId) => ({
      broker: { ...found.broker, ...changes.broker },
      key: { ...found.key, publicId, hash: hashKey(keys[Number(publicId)] as string), ...changes.key },
    }));
  };
  return { keys, changes };
}

t.test("a broker with more keys than its share pushes out its own oldest, and no other broker's", async (t) => {
  const world = await setting(t);
  const [many, other] = [await world.addBroker(), await world.addBroker()];
  const [first, neighbour] = [await world.addKey(many), await world.addKey(other)];
  await world.authenticate(`Bearer ${neighbour.key}`);
  await world.authenticate(`Bearer ${first.key}`);
  const { keys } = await manyKeys(world, many, MAX_CACHED_KEYS_OF_OWNER);
  for (const key of keys) await world.authenticate(`Bearer ${key}`);
  t.equal(world.atOnce(neighbour.key), true);
  t.equal(world.atOnce(keys.at(-1) as string), true);
  t.equal(world.atOnce(first.key), false);
});

t.test(
  'a key has one place in its broker’s share: the last when it is read again, none when it is refused',
  async (t) => {
    const world = await setting(t);
    const { keys, changes } = await manyKeys(world, await world.addBroker(), MAX_CACHED_KEYS_OF_OWNER + 1);
    const [oldest, second, last] = [keys[0], keys[1], keys.at(-1)] as [string, string, string];
    for (const key of keys.slice(0, -1)) await world.authenticate(`Bearer ${key}`);
    world.clock.advance(FRESH_FOR_MS + 1);
    await world.authenticate(`Bearer ${oldest}`);
    await world.authenticate(`Bearer ${second}`);
    // The third is the oldest now, and leaves the share before the last one comes.
    changes.key = { status: 'revoked' };
    await t.rejects(world.authenticate(`Bearer ${keys[2]}`), { code: 'authentication_failed' });
    changes.key = {};
    await world.authenticate(`Bearer ${last}`);
    for (const key of [oldest, second, last]) t.equal(world.atOnce(key), true);
  },
);

t.test('what is known of keys takes 64 MB at most, by the size of each: the least used go', async (t) => {
  const world = await setting(t);
  const broker = await world.addBroker();
  const { keys, changes } = await manyKeys(world, broker, 40);

  /** How many of the keys fit: all are read, then the latest are looked for. */
  async function fitting(): Promise<number> {
    world.clock.advance(FRESH_FOR_MS + 1);
    for (const key of keys) await world.authenticate(`Bearer ${key}`);
    const isMissing = keys.toReversed().findIndex((key) => !world.atOnce(key));
    return isMissing < 0 ? keys.length : isMissing;
  }
  t.equal(await fitting(), 40);
  changes.broker = { name: 'x'.repeat(1024 * 1024) };
  t.equal(await fitting(), 31, 'of texts of 1 MB, each letter of which takes two bytes');
  changes.broker = { ipRestrictionEnabled: true };
  const rule = { id: 'fwr_1', brokerId: broker.id, rule: '192.0.2.0/24', note: null, createdAt: 0 };
  world.store.read.firewall.list = async () => Array.from({ length: 10_000 }, () => rule);
  t.equal(await fitting(), 22, 'of 10,000 rules, each of which takes 300 bytes');
});

/** Well-formed keys that were never given out. */
const madeUp = (count: number, first = 0) =>
  Array.from({ length: count }, (_, i) =>
    composeKey({ mode: 'live', publicId: `Made${String(first + i).padStart(4, '0')}`, secret: 'a'.repeat(32) }),
  );

/** Look-ups with a made-up key wait until they are released. */
function holdMadeUp({ store }: Pick<Awaited<ReturnType<typeof setting>>, 'store'>) {
  const { listAccess } = store.read.keys;
  const held: Array<readonly string[]> = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  store.read.keys.listAccess = async (publicIds) => {
    if (publicIds.some((publicId) => publicId.startsWith('Made'))) {
      held.push(publicIds);
      await gate;
    }
    return listAccess(publicIds);
  };
  return { held, release: () => release() };
}

t.test('made-up keys wait for each other, two look-ups of an address at a time, and delay no real key', async (t) => {
  const { authenticateFrom, addBroker, addKey, store, clock } = await setting(t);
  const { key } = await addKey(await addBroker());
  await authenticateFrom('192.0.2.1', key);
  const { held, release } = holdMadeUp({ store });
  const outcomeOf = (address: string, made: string) => authenticateFrom(address, made).catch((error) => error);
  const ofOneAddress: Array<Promise<unknown>> = [];
  for (const each of madeUp(30)) {
    ofOneAddress.push(outcomeOf('198.51.100.1', each));
    await setImmediate();
  }
  t.strictSame(held.flat(), ['Made0000', 'Made0001'], 'of thirty made-up keys of an address two are being looked up');
  const ofMany = madeUp(60, 30).map((each, i) => outcomeOf(`203.0.113.${i}`, each));
  clock.advance(501);
  t.match(await authenticateFrom('198.51.100.1', key), { mode: 'live' }, 'a real key is looked up at once');
  t.equal(held.length, 20, 'of all addresses twenty');
  const refused = await Promise.all([...ofOneAddress.slice(2), ...ofMany.slice(18)]);
  t.match(
    refused,
    Array(70).fill({ code: 'server_error', retryAfterSeconds: 1, gate: 'capacity' }),
    'the others are refused after a second',
  );
  release();
  const answered = await Promise.all([...ofOneAddress.slice(0, 2), ...ofMany.slice(0, 18)]);
  t.match(answered, Array(20).fill({ code: 'authentication_failed' }));
});

t.test('keys of an address that wait for a place share it, a hundred each, and two thousand may wait', async (t) => {
  const world = await setting(t);
  const { key } = await world.addKey(await world.addBroker());
  const { held, release } = holdMadeUp(world);
  const outcomeOf = (made: string) => world.authenticateFrom('198.51.100.1', made).catch((error) => error);
  const first = madeUp(2).map(outcomeOf);
  await setImmediate();
  const second = madeUp(2, 2).map(outcomeOf);
  await setImmediate();
  const waiting = [...madeUp(1_999, 4), key].map(outcomeOf);
  t.match(await outcomeOf(madeUp(1, 2_003)[0] as string), { code: 'server_error', gate: 'capacity' });
  release();
  t.match((await Promise.all(waiting)).at(-1), { mode: 'live' }, 'a real key among them');
  await Promise.all([...first, ...second]);
  t.strictSame(
    held.map(({ length }) => length),
    [2, 2, ...Array(20).fill(100)],
  );
});

t.test('a thousand keys that are all read again at once need ten look-ups', async (t) => {
  const world = await setting(t);
  const { keys } = await manyKeys(world, await world.addBroker(), 1_000);
  const all = () => Promise.all(keys.map((key) => world.authenticate(`Bearer ${key}`)));
  await all();
  world.clock.advance(FRESH_FOR_MS + 1);
  world.reads.length = 0;
  t.match(await all(), Array(1_000).fill({ mode: 'live' }));
  t.equal(world.reads.length, 10);
});

t.test('a burst of a key that this process has not seen needs one look-up, and each call of it passes', async (t) => {
  const { authenticateFrom, addBroker, addKey, reads } = await setting(t);
  const { key } = await addKey(await addBroker());
  const burst = Array.from({ length: 300 }, () => authenticateFrom('192.0.2.1', key));
  t.match(await Promise.all(burst), Array(300).fill({ mode: 'live' }));
  t.strictSame(reads, ['key']);
});

t.test('a key keeps its place for an hour after it last passed, unless it is refused', async (t) => {
  const { authenticateFrom, addBroker, addKey, store, clock } = await setting(t);
  const { key, row } = await addKey(await addBroker());
  await authenticateFrom('192.0.2.1', key);
  const { release } = holdMadeUp({ store });
  // All places are taken by others.
  const held = madeUp(20).map((each, i) => authenticateFrom(`203.0.113.${i}`, each).catch(() => undefined));
  clock.advance(3_600_000);
  t.match(await authenticateFrom('192.0.2.1', key), { mode: 'live' }, 'an hour later');
  await store.tx((tx) => tx.keys.update(row.id, { status: 'revoked' }));
  clock.advance(501);
  const refused = () => authenticateFrom('192.0.2.1', key).catch((error) => error.code);
  t.equal(await refused(), 'authentication_failed', 'within a second');
  t.equal(await refused(), 'server_error', 'and then it waits like any other');
  await store.tx((tx) => tx.keys.update(row.id, { status: 'active' }));
  release();
  await Promise.all(held);
  t.match(await authenticateFrom('192.0.2.1', key), { mode: 'live' });
});
