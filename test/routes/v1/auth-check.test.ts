import t, { type Test } from 'tap';
import { createWorld, type WorldOptions } from '../../support/world.ts';

async function setting(t: Test, options: WorldOptions = {}) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const broker = await world.addBroker({ name: 'Example Hosting' });
  return { ...world, broker };
}

t.test('the GET reports what each gate has found, in full', async (t) => {
  const { broker, addKey, call, store, clock } = await setting(t);
  await store.tx((tx) => tx.brokers.update(broker.id, { ipRestrictionEnabled: true }));
  await store.tx((tx) =>
    tx.firewall.insert({ id: 'fwr_1', brokerId: broker.id, rule: '192.0.2.9/24', note: 'office', createdAt: 0 }),
  );
  const expiresAt = clock.now() + 86_400_000;
  const { key, row } = await addKey(broker, ['services:write', 'plans:read'], { rateLimit: 10, expiresAt });
  const report = () => call(key, 'GET', '/auth-check', { remoteAddress: '::ffff:192.0.2.7' });
  const first = await report();
  t.equal(first.status, 200);
  t.strictSame(first.json, {
    success: true,
    data: {
      authenticated: true,
      mode: 'live',
      broker: { broker_id: broker.id, name: 'Example Hosting', broker_status: 'active' },
      api_key: {
        key_id: row.id,
        name: 'a key',
        key_prefix: key.slice(0, 16),
        key_status: 'active',
        created_date: '2030-01-15T12:00:00.000Z',
        expires_date: '2030-01-16T12:00:00.000Z',
        last_used_date: null,
        last_used_ip: null,
      },
      permissions: { scopes: ['plans:read', 'services:write'], can_create_services: true },
      network: { client_ip: '192.0.2.7', ip_restriction_enabled: true, matched_rule: '192.0.2.9/24' },
      rate_limit: { limit: 10, remaining: 9, window_seconds: 60, reset_seconds: 60 },
      server_date: '2030-01-15T12:00:00.000Z',
      api_version: 'v1',
    },
  });
  clock.advance(1500);
  const { data } = (await report()).json;
  t.match(data, {
    api_key: { last_used_date: '2030-01-15T12:00:00.000Z', last_used_ip: '192.0.2.7' },
    rate_limit: { limit: 10, remaining: 8, window_seconds: 60, reset_seconds: 59 },
    server_date: '2030-01-15T12:00:01.500Z',
  });
});

t.test('a key without scopes, limit, expiry or firewall gets its report, in the sandbox as well', async (t) => {
  const { broker, addKey, call } = await setting(t);
  for (const mode of ['live', 'test'] as const) {
    const { key } = await addKey(broker, [], { mode, rateLimit: null });
    const { status, json } = await call(key, 'GET', '/auth-check');
    t.equal(status, 200);
    t.match(json.data, {
      mode,
      api_key: { key_prefix: key.slice(0, 16), expires_date: null },
      permissions: { scopes: [], can_create_services: false },
      network: { client_ip: '127.0.0.1', ip_restriction_enabled: false, matched_rule: null },
      rate_limit: { limit: 120, remaining: 119 },
    });
    t.notOk('simulated' in json.data, 'real in the sandbox too');
  }
});

t.test(
  'the POST succeeds for keys that may create services, names the scope that matched, and creates nothing',
  async (t) => {
    const { broker, addKey, call } = await setting(t);
    const cases: [scopes: Array<'services:write' | 'admin:full' | 'plans:read'>, matched: string][] = [
      [['services:write'], 'services:write'],
      [['admin:full'], 'admin:full'],
      [['admin:full', 'services:write', 'plans:read'], 'services:write'],
    ];
    for (const [scopes, matched] of cases) {
      for (const mode of ['live', 'test'] as const) {
        const { key, row } = await addKey(broker, scopes, { mode });
        const { status, json } = await call(key, 'POST', '/auth-check', { body: { any: { thing: [null, '\0'] } } });
        t.equal(status, 200);
        const { api_key, ...rest } = json.data;
        t.strictSame(rest, {
          authenticated: true,
          authorized: true,
          required_scopes: ['services:write', 'admin:full'],
          matched_scope: matched,
          mode,
          broker: { broker_id: broker.id, name: 'Example Hosting', broker_status: 'active' },
        });
        t.strictSame([api_key.key_id, api_key.key_prefix], [row.id, key.slice(0, 16)]);
      }
    }
    const { key } = await addKey(broker, ['plans:read', 'services:read']);
    const refused = await call(key, 'POST', '/auth-check');
    t.strictSame([refused.status, refused.json.error.details.reason], [403, 'missing_scope']);
    const admin = await addKey(broker);
    t.equal((await call(admin.key, 'GET', '/services')).json.pagination.total, 0);
    t.equal((await call(admin.key, 'GET', '/requests')).json.pagination.total, 0);
  },
);
