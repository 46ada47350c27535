import t, { type Test } from 'tap';
import { authenticateBrokers } from '../../src/access/broker-keys.ts';
import { fail } from '../../src/errors.ts';
import { composeKey, hashKey } from '../../src/rules/key-format.ts';
import { createWorld } from '../support/world.ts';

async function setting(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const reads: string[] = [];
  const { findAccess } = world.store.read.keys;
  const { list } = world.store.read.firewall;
  world.store.read.keys.findAccess = (publicId) => {
    reads.push('key');
    return findAccess(publicId);
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
  t.strictSame(reads, ['key', 'key'], 'one look-up for all of them');
  clock.advance(501);
  const late = authenticate(`Bearer ${key}`);
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

t.test("a broker with more keys than its share pushes out its own oldest, and no other broker's", async (t) => {
  const world = await setting(t);
  const [many, other] = [await world.addBroker(), await world.addBroker()];
  const [first, neighbour] = [await world.addKey(many), await world.addKey(other)];
  await world.authenticate(`Bearer ${neighbour.key}`);
  await world.authenticate(`Bearer ${first.key}`);
  const { findAccess } = world.store.read.keys;
  // As many keys as the share holds, none of which needs a record of its own.
  const keys = Array.from({ length: 2000 }, (_, i) =>
    composeKey({ mode: 'live', publicId: String(i).padStart(8, '0'), secret: '0'.repeat(32) }),
  );
  world.store.read.keys.findAccess = async (publicId) => {
    const found = await findAccess(first.row.publicId);
    const key = keys[Number(publicId)] as string;
    return found && { ...found, key: { ...found.key, publicId, hash: hashKey(key) } };
  };
  for (const key of keys) await world.authenticate(`Bearer ${key}`);
  world.store.read.keys.findAccess = findAccess;
  t.equal(world.atOnce(neighbour.key), true);
  t.equal(world.atOnce(keys.at(-1) as string), true);
  t.equal(world.atOnce(first.key), false);
});

/** Well-formed keys that were never given out. */
const madeUp = (count: number, first = 0) =>
  Array.from({ length: count }, (_, i) =>
    composeKey({ mode: 'live', publicId: `Made${String(first + i).padStart(4, '0')}`, secret: 'a'.repeat(32) }),
  );

t.test('made-up keys wait for each other, a few of an address at a time, and delay no real key', async (t) => {
  const { authenticateFrom, addBroker, addKey, store, clock } = await setting(t);
  const { key } = await addKey(await addBroker());
  await authenticateFrom('192.0.2.1', key);
  const { findAccess } = store.read.keys;
  let held = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  store.read.keys.findAccess = async (publicId) => {
    if (publicId.startsWith('Made')) {
      held += 1;
      await gate;
    }
    return findAccess(publicId);
  };
  const ofOneAddress = madeUp(30).map((each) => authenticateFrom('198.51.100.1', each).catch((error) => error));
  const ofMany = madeUp(60, 30).map((each, i) => authenticateFrom(`203.0.113.${i}`, each).catch((error) => error));
  clock.advance(501);
  t.match(await authenticateFrom('198.51.100.1', key), { mode: 'live' }, 'a real key is looked up at once');
  t.equal(held, 20, 'of 90 made-up keys twenty are being looked up');
  const refused = await Promise.all([...ofOneAddress.slice(2), ...ofMany.slice(18)]);
  t.ok(
    refused.every(({ code, retryAfterSeconds }) => code === 'server_error' && retryAfterSeconds === 1),
    'the others are refused after a second',
  );
  release();
  const answered = await Promise.all([...ofOneAddress.slice(0, 2), ...ofMany.slice(0, 18)]);
  t.ok(answered.every(({ code }) => code === 'authentication_failed'));
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
  const { findAccess } = store.read.keys;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  store.read.keys.findAccess = async (publicId) => {
    if (publicId.startsWith('Made')) await gate;
    return findAccess(publicId);
  };
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
