import t, { type Test } from 'tap';
import { composeKey } from '../../src/rules/key-format.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import { openScratchPostgres } from '../support/services.ts';
import { isRefusal } from '../support/wire.ts';
import { createWorld, type WorldOptions } from '../support/world.ts';

async function setting(t: Test, options: WorldOptions = {}) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  let lookUps = 0;
  const { listAccess } = world.store.read.keys;
  world.store.read.keys.listAccess = (publicIds) => {
    lookUps += 1;
    return listAccess(publicIds);
  };
  const broker = await world.addBroker();
  const { key, row } = await world.addKey(broker);
  return {
    ...world,
    broker,
    key,
    row,
    lookUps: () => lookUps,
    /** GET /v1/plans with these headers, from this address. */
    get: async (headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
      const answer = await world.call(undefined, 'GET', '/plans', { headers, remoteAddress });
      return { ...answer, body: answer.raw };
    },
  };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const swapped = (key: string, at: number) => key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);

/** A key that no store knows, or another secret under the name of one that it does. */
const forged = (publicId = '00000000') => composeKey({ mode: 'live', publicId, secret: '0'.repeat(32) });

t.test('each way in which a key fails has its reason, and what is malformed costs no look-up', async (t) => {
  const { get, key, lookUps } = await setting(t);
  // All forms, and how a key may be written: access/authenticate and rules/key-format.
  isRefusal(t, await get(bearer(swapped(key, 30))), 401, 'authentication_failed', 'malformed');
  isRefusal(t, await get({}), 401, 'authentication_failed', 'missing');
  t.equal(lookUps(), 0);
  t.equal((await get(bearer(key))).status, 200);
  const before = lookUps();
  t.equal((await get(bearer(key))).status, 200);
  t.equal(lookUps(), before, 'a key that has just passed is not looked up again');
});

t.test('an unknown key costs one read, and a known name with another secret reveals nothing of the key', async (t) => {
  const { get, broker, addKey, lookUps } = await setting(t);
  isRefusal(t, await get(bearer(forged())), 401, 'authentication_failed', 'invalid');
  t.equal(lookUps(), 1);
  const revoked = await addKey(broker, [], { status: 'revoked', expiresAt: 0 });
  for (const _ of ['looked up', 'known']) {
    const refused = await get(bearer(forged(revoked.row.publicId)));
    isRefusal(t, refused, 401, 'authentication_failed', 'invalid');
    t.equal(refused.json.error.message, 'Invalid API key');
  }
});

t.test('an inactive key, an inactive broker and an expired key are told so to the holder of the key', async (t) => {
  const { get, broker, addKey, addBroker, clock } = await setting(t);
  const revoked = await addKey(broker, [], { status: 'revoked' });
  const suspended = await addKey(await addBroker({ status: 'suspended' }));
  const both = await addKey(broker, [], { status: 'revoked', expiresAt: clock.now() });
  for (const { key } of [revoked, suspended, both]) {
    isRefusal(t, await get(bearer(key)), 401, 'authentication_failed', 'inactive');
  }
  const brief = await addKey(broker, ['plans:read'], { expiresAt: clock.now() + 100 });
  t.equal((await get(bearer(brief.key))).status, 200);
  clock.advance(99);
  t.equal((await get(bearer(brief.key))).status, 200);
  clock.advance(1);
  const expired = await get(bearer(brief.key));
  isRefusal(t, expired, 401, 'authentication_failed', 'expired');
  t.equal(expired.json.error.details.expired_date, '2030-01-15T12:00:00.100Z');
});

t.test(
  'a revocation, a suspension, a scope, an expiry, a limit and a firewall rule are in force within one second',
  async (t) => {
    const { get, key, row, broker, store, clock } = await setting(t);
    const after = async (change: () => Promise<unknown>) => {
      t.equal((await get(bearer(key))).status, 200);
      await change();
      clock.advance(999);
      return get(bearer(key));
    };
    const setKey = (fields: object) => store.tx((tx) => tx.keys.update(row.id, fields));
    const setBroker = (fields: object) => store.tx((tx) => tx.brokers.update(broker.id, fields));

    t.equal((await after(() => setKey({ scopes: '[]' }))).json.error.details.reason, 'missing_scope');
    await setKey({ scopes: '["admin:full"]' });
    clock.advance(999);
    t.equal((await after(() => setKey({ expiresAt: clock.now() }))).json.error.details.reason, 'expired');
    await setKey({ expiresAt: null });
    clock.advance(999);
    t.equal((await after(() => setKey({ rateLimit: 1 }))).status, 429);
    await setKey({ rateLimit: null });
    clock.advance(999);
    t.equal(
      (await after(() => setBroker({ ipRestrictionEnabled: true }))).json.error.details.reason,
      'ip_not_whitelisted',
    );
    await store.tx((tx) =>
      tx.firewall.insert({ id: 'fwr_1', brokerId: broker.id, rule: '127.0.0.1', note: null, createdAt: 0 }),
    );
    clock.advance(999);
    t.equal((await after(() => store.tx((tx) => tx.firewall.remove(broker.id, '127.0.0.1')))).status, 403);
    await setBroker({ ipRestrictionEnabled: false });
    clock.advance(999);
    t.equal((await after(() => setBroker({ status: 'suspended' }))).json.error.details.reason, 'inactive');
    await setBroker({ status: 'active' });
    clock.advance(999);
    t.equal((await after(() => setKey({ status: 'revoked' }))).json.error.details.reason, 'inactive');
  },
);

t.test(
  'an address that fails too often hears 429 in place of 401, and a valid key beside it nothing at all',
  async (t) => {
    const { get, key, clock } = await setting(t);
    for (let i = 0; i < 100; i++) t.equal((await get(i % 2 ? bearer(forged()) : {})).status, 401);
    const refused = await get({});
    t.strictSame(
      [refused.status, refused.headers['retry-after'], refused.headers['www-authenticate']],
      [429, '60', undefined],
    );
    const { correlation_id, ...details } = refused.json.error.details;
    t.strictSame(
      [refused.json.error.code, refused.json.error.message, details],
      ['rate_limit_exceeded', 'Rate limit exceeded', { limit: 100, window_seconds: 60, retry_after_seconds: 60 }],
    );
    t.strictSame(
      Object.keys(refused.headers).filter((name) => name.includes('ratelimit')),
      [],
    );
    t.equal(correlation_id, refused.headers['x-request-id']);
    t.equal((await get(bearer(key))).status, 200, 'a valid key from that address');
    t.equal((await get({}, '127.0.0.2')).status, 401, 'another address');
    clock.advance(59_999);
    t.equal((await get({})).headers['retry-after'], '1');
    clock.advance(1);
    t.equal((await get({})).status, 401, 'the refusals have not prolonged the window');
  },
);

t.test('failures of one IPv6 network are counted together, a mapped address with its IPv4 one', async (t) => {
  const { get } = await setting(t, { config: { rateLimit: { max: 120, windowSeconds: 60, authFailureMax: 2 } } });
  const statuses = async (...addresses: string[]) =>
    Promise.all(addresses.map(async (address) => (await get({}, address)).status));
  t.strictSame(await statuses('2001:db8:0:1::1', '2001:db8:0:1:ffff::2'), [401, 401]);
  t.strictSame(await statuses('2001:db8:0:1:a:b:c:d', '2001:db8:0:2::1'), [429, 401]);
  t.strictSame(await statuses('192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'), [401, 401, 429, 401]);
});

t.test('a thousand keys that all call at once behind one proxy are all let in, on both engines', async (t) => {
  for (const [engine, openStore] of [['SQLite'], ['PostgreSQL', openScratchPostgres]] as const) {
    const { addBroker, addKey, get } = await setting(t, openStore ? { openStore } : {});
    const brokers = await Promise.all(Array.from({ length: 10 }, () => addBroker()));
    const keys: string[] = [];
    for (let i = 0; i < 1_000; i++) keys.push((await addKey(brokers[i % 10] as BrokerRow)).key);
    const answers = await Promise.all(keys.map((key) => get(bearer(key))));
    const numbers = Object.groupBy(answers, ({ status }) => status);
    t.strictSame(
      Object.entries(numbers).map(([status, those]) => [status, those?.length]),
      [['200', 1_000]],
      engine,
    );
  }
});

t.test('AUTH_FAILURE_MAX=0 counts nothing, and what is no failed authentication is never counted', async (t) => {
  const off = await setting(t, { config: { rateLimit: { max: 120, windowSeconds: 60, authFailureMax: 0 } } });
  for (let i = 0; i < 150; i++) t.equal((await off.get({})).status, 401);
  const { get, key, store } = await setting(t, {
    config: { rateLimit: { max: 120, windowSeconds: 60, authFailureMax: 1 } },
  });
  store.read.keys.listAccess = async () => {
    throw new Error('away');
  };
  for (let i = 0; i < 3; i++) t.equal((await get(bearer(key))).status, 500);
});

t.test('the firewall admits what a rule covers, and no address where it has none', async (t) => {
  const { get, broker, key, store, clock } = await setting(t);
  const allow = (rule: string) =>
    store.tx((tx) => tx.firewall.insert({ id: `fwr_${rule}`, brokerId: broker.id, rule, note: null, createdAt: 0 }));
  await store.tx((tx) => tx.brokers.update(broker.id, { ipRestrictionEnabled: true }));
  const refused = await get(bearer(key), '::ffff:192.0.2.7');
  isRefusal(t, refused, 403, 'insufficient_permissions', 'ip_not_whitelisted');
  t.strictSame(
    [refused.json.error.message, refused.json.error.details.client_ip],
    ['IP address not whitelisted', '192.0.2.7'],
  );
  for (const rule of ['192.0.2.0/28', '2001:db8::/32', '198.51.100.9']) await allow(rule);
  clock.advance(1000);
  const inside = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '2001:DB8:ffff::', '198.51.100.9'];
  for (const address of inside) t.equal((await get(bearer(key), address)).status, 200, address);
  const outside = ['192.0.2.16', '2001:db9::1', '::ffff:198.51.100.8', '::1', 'fe80::1%eth0'];
  for (const address of outside) t.equal((await get(bearer(key), address)).status, 403, address);
});

t.test('forwarding headers count from trusted proxies alone, and what they say must be an address', async (t) => {
  const trustedProxies = ['10.0.0.0/8', '2001:db8:f::/48'];
  const { call, key, broker, store, row, clock } = await setting(t, { config: { trustedProxies } });
  const seen = async (forwarded: string, remoteAddress: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    const { json } = await call(key, 'GET', '/auth-check', { headers, remoteAddress });
    return json.data?.network.client_ip ?? json.error.details.reason;
  };
  t.equal(await seen('192.0.2.1', '203.0.113.9'), '203.0.113.9', 'a forged header of a stranger');
  t.equal(await seen('192.0.2.1', '10.0.0.1'), '192.0.2.1');
  t.equal(await seen('192.0.2.1', '::ffff:10.0.0.1'), '192.0.2.1', 'a mapped proxy');
  t.equal(await seen('192.0.2.1', '2001:db8:f::1'), '192.0.2.1');
  t.equal(await seen('1.1.1.1, 192.0.2.1, 10.9.9.9', '10.0.0.1'), '192.0.2.1', 'the nearest that is not trusted');
  t.equal(await seen('::ffff:192.0.2.1', '10.0.0.1'), '192.0.2.1');
  t.equal(await seen('2001:DB8::0:1', '10.0.0.1'), '2001:db8::1');
  for (const garbage of ['garbage', '192.0.2.999', 'unknown', '1.1.1.1, x, 10.0.0.2']) {
    t.equal(await seen(garbage, '10.0.0.1'), 'ip_not_whitelisted', garbage);
  }
  await store.tx((tx) => tx.brokers.update(broker.id, { ipRestrictionEnabled: true }));
  await store.tx((tx) =>
    tx.firewall.insert({ id: 'fwr_1', brokerId: broker.id, rule: '192.0.2.1', note: null, createdAt: 0 }),
  );
  clock.advance(1000);
  t.equal(await seen('192.0.2.1', '203.0.113.9'), 'ip_not_whitelisted');
  t.equal(await seen('192.0.2.1, 192.0.2.2', '10.0.0.1'), 'ip_not_whitelisted', 'the forgeable first entry');
  t.equal(await seen('192.0.2.1', '10.0.0.1'), '192.0.2.1');
  const garbage = await call(key, 'GET', '/plans', { headers: { 'x-forwarded-for': 'x' }, remoteAddress: '10.0.0.1' });
  t.equal(garbage.json.error.details.client_ip, null);
  t.not((await store.read.keys.find(row.id))?.lastUsedIp, '');
});

t.test('exactly the allowed number of a burst passes, whatever becomes of each', async (t) => {
  const { addKey, broker, call, clock, key } = await setting(t);
  const limited = await addKey(broker, ['plans:read'], { rateLimit: 20 });
  const burst = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      call(limited.key, 'GET', ['/plans', '/requests', '/plans?x=1'][i % 3] as string),
    ),
  );
  t.equal(burst.filter(({ status }) => status === 429).length, 30);
  t.strictSame([...new Set(burst.map(({ status }) => status))].sort(), [200, 400, 403, 429]);
  const left = burst
    .filter(({ status }) => status !== 429)
    .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  t.strictSame(
    left.sort((a, b) => b - a),
    Array.from({ length: 20 }, (_, i) => 19 - i),
    'each has its own number',
  );
  t.equal((await call(key, 'GET', '/plans')).status, 200, 'another key of the broker has its own window');

  clock.advance(59_001);
  const refused = await call(limited.key, 'GET', '/plans');
  t.match(refused.headers, {
    'retry-after': '1',
    'ratelimit-policy': '"default";q=20;w=60',
    ratelimit: '"default";r=0;t=1',
    'x-ratelimit-limit': '20',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '1',
  });
  const { correlation_id: _, ...details } = refused.json.error.details;
  t.strictSame(details, { limit: 20, window_seconds: 60, retry_after_seconds: 1 });
  t.equal(refused.json.error.message, 'Rate limit exceeded');
  clock.advance(999);
  t.equal(
    (await call(limited.key, 'GET', '/plans')).headers['x-ratelimit-remaining'],
    '19',
    'refusals prolong nothing',
  );
});

t.test(
  'the window opens with the first request, and its state stands on every answer behind the firewall',
  async (t) => {
    const { addKey, broker, call, clock } = await setting(t);
    const test = await addKey(broker, ['admin:full'], { rateLimit: null, mode: 'test' });
    const first = await call(test.key, 'GET', '/plans');
    t.match(first.headers, {
      'ratelimit-policy': '"default";q=120;w=60',
      ratelimit: '"default";r=119;t=60',
      'x-ratelimit-limit': '120',
    });
    t.equal(first.headers['retry-after'], undefined);
    clock.advance(30_500);
    const others: [method: 'GET' | 'POST', url: string, status: number, body?: string][] = [
      ['GET', '/services/8', 404],
      ['GET', '/plans?x=1', 400],
      ['POST', '/auth-check', 400, '{'],
      ['POST', '/auth-check', 400, 'x'.repeat(70_000)],
      ['GET', '/services/900500', 500],
    ];
    for (const [index, [method, url, status, body]] of others.entries()) {
      const answer = await call(test.key, method, url, {
        ...(body && { body, headers: { 'content-type': 'application/json' } }),
      });
      t.equal(answer.status, status, url);
      t.equal(answer.headers.ratelimit, `"default";r=${118 - index};t=30`, url);
    }
    t.equal((await call(undefined, 'GET', '/plans')).headers.ratelimit, undefined);
    clock.advance(29_500);
    t.equal((await call(test.key, 'GET', '/plans')).headers.ratelimit, '"default";r=119;t=60');
  },
);

t.test(
  'the refusal for a missing scope names which would do and which there are; the first that matches by name opens',
  async (t) => {
    const { addKey, broker, call } = await setting(t);
    const { key } = await addKey(broker, ['services:write', 'plans:read']);
    const refused = await call(key, 'GET', '/requests');
    isRefusal(t, { ...refused, body: refused.raw }, 403, 'insufficient_permissions', 'missing_scope');
    t.match(refused.json.error, {
      message: 'Missing required scope',
      details: { required_scopes: ['requests:read', 'admin:full'], granted_scopes: ['plans:read', 'services:write'] },
    });
    t.equal((await call(key, 'GET', '/services')).status, 200, 'services:write implies services:read');
    const writer = await addKey(broker, ['requests:write']);
    t.equal((await call(writer.key, 'GET', '/requests')).status, 200);
    t.equal((await call(writer.key, 'GET', '/services')).status, 403);
    const reader = await addKey(broker, ['requests:read', 'services:read']);
    t.equal((await call(reader.key, 'POST', '/requests/x/approve')).status, 403);
    t.equal((await call(reader.key, 'POST', '/services', { body: {} })).status, 403);
  },
);

t.test('the scenarios are for sandbox keys, and unknown to live ones', async (t) => {
  const { addKey, broker, call, key } = await setting(t);
  const test = await addKey(broker, [], { mode: 'test' });
  t.equal((await call(test.key, 'GET', '/sandbox/scenarios')).status, 200);
  const live = await call(key, 'GET', '/sandbox/scenarios');
  t.strictSame([live.status, live.json.error.message], [404, 'Not found']);
});
