import t, { type Test } from 'tap';
import { GATES } from '../../src/errors.ts';
import { createWorld, type WorldOptions } from '../support/world.ts';

async function setting(t: Test, options: WorldOptions = {}) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker, { slug: 'small' });
  await world.addPlan(broker, { slug: 'large' });
  const service = await world.addService(broker, plan);
  const { key, row } = await world.addKey(broker);
  return {
    ...world,
    broker,
    service,
    key,
    row,
    /** Ends the server, which writes what it remembers, and returns that. */
    async remembered() {
      await world.app.close();
      const usage = await world.store.read.usage.tally(
        { grain: 'minute', since: 0 },
        ['keyId', 'operation', 'outcome', 'gate'],
        100,
      );
      return {
        usage: usage
          .map(({ keyId, operation, outcome, gate, calls }) => [keyId, operation, outcome, gate, calls])
          .sort(),
        calls: (await world.store.read.calls.list({}, 100)).toReversed(),
      };
    },
  };
}

t.test('every call is counted by its operation and outcome, those without a valid key as of no broker', async (t) => {
  const { call, key, row, addKey, addBroker, remembered } = await setting(t);
  const strange = await addKey(await addBroker({ ipRestrictionEnabled: true }));
  const weak = await addKey(await addBroker(), [], { mode: 'test' });
  for (let time = 0; time < 3; time += 1) await call(key, 'GET', '/plans');
  await call(key, 'GET', '/plans?limit=0');
  await call(key, 'GET', '/nothing');
  await call(undefined, 'GET', '/plans');
  await call(strange.key, 'GET', '/plans');
  await call(weak.key, 'GET', '/plans');
  await call(weak.key, 'GET', '/sandbox/scenarios');
  const { usage } = await remembered();
  t.strictSame(
    usage,
    [
      ['', 'listPlans', 'authentication_failed', 1, 1],
      [row.id, 'listPlans', 'invalid_parameter', 5, 1],
      [row.id, 'listPlans', 'ok', 9, 3],
      [strange.row.id, 'listPlans', 'insufficient_permissions', 2, 1],
      [weak.row.id, 'listPlans', 'insufficient_permissions', 4, 1],
      [weak.row.id, 'listScenarios', 'ok', 9, 1],
    ].sort(),
  );
});

t.test('a call over plain HTTP is counted as refused by the transport, before its key is read', async (t) => {
  const { call, key, remembered } = await setting(t, {
    config: { trustedProxies: ['127.0.0.1'], requireHttps: true },
  });
  await call(key, 'GET', '/plans');
  t.strictSame((await remembered()).usage, [['', 'listPlans', 'invalid_request', GATES.indexOf('transport'), 1]]);
});

t.test('a call that the ending server refuses is counted as overload, not as failed processing', async (t) => {
  const { app, call, key, remembered } = await setting(t);
  app.closing = true;
  await call(key, 'GET', '/plans');
  t.match((await remembered()).usage, [['', 'listPlans', 'server_error', GATES.indexOf('capacity'), 1]]);
});

t.test('a POST leaves a row that its X-Request-Id finds, without anything of its body', async (t) => {
  const { call, key, row, broker, service, clock, remembered } = await setting(t);
  const answer = await call(key, 'POST', `/services/${service.number}/upgrade`, {
    body: { new_plan: 'large' },
    remoteAddress: '192.0.2.7',
  });
  t.equal(answer.status, 200);
  const { calls } = await remembered();
  t.strictSame(calls, [
    {
      requestId: answer.headers['x-request-id'],
      at: clock.now(),
      brokerId: broker.id,
      keyId: row.id,
      clientIp: '192.0.2.7',
      method: 'POST',
      operation: 'upgradeService',
      serviceNumber: service.number,
      status: 200,
      code: null,
      reason: null,
      durationUs: 0,
      gate: null,
    },
  ]);
});

t.test('what was refused or failed behind gate 1 leaves a row with code, reason and gate, reads too', async (t) => {
  const { call, key, service, remembered, addKey, addBroker } = await setting(t, {
    config: { trustedProxies: ['127.0.0.1'] },
  });
  const slow = await addKey(await addBroker(), ['admin:full'], { rateLimit: 1 });
  const unreachable = await addKey(await addBroker({ ipRestrictionEnabled: true }));
  const failing = await addKey(await addBroker(), [], { mode: 'test' });
  await call(key, 'GET', '/plans');
  await call(key, 'GET', '/services/9223372036854775807');
  await call(key, 'GET', '/services/abc');
  await call(key, 'POST', '/services', { headers: { 'content-type': 'application/json' }, body: '{' });
  await call(slow.key, 'GET', '/plans');
  await call(slow.key, 'GET', '/plans');
  await call(unreachable.key, 'GET', '/plans', { headers: { 'x-forwarded-for': 'nonsense' } });
  await call(failing.key, 'POST', '/auth-check');
  await call(key, 'POST', '/auth-check');
  await call(undefined, 'POST', '/services');
  const sandboxed = await addKey(await addBroker(), ['admin:full'], { mode: 'test' });
  await call(sandboxed.key, 'GET', '/services/900500');
  const upgrade = `/services/${service.number}/upgrade`;
  const headers = { 'x-idempotency-key': 'once' };
  await call(key, 'POST', upgrade, { headers, body: { new_plan: 'large' } });
  await call(key, 'POST', upgrade, { headers, body: { new_plan: 'small' } });
  await call(key, 'POST', upgrade, { body: { new_plan: 'large' } });
  const { calls } = await remembered();
  t.strictSame(
    calls
      .filter(({ code }) => code !== null)
      .map((row) => [
        ...[row.operation, row.serviceNumber, row.status, row.code, row.reason, row.clientIp],
        row.gate === null ? null : GATES[row.gate],
      ])
      .sort(),
    [
      ['checkAuthorization', null, 403, 'insufficient_permissions', 'missing_scope', '127.0.0.1', 'scope'],
      ['createService', null, 400, 'invalid_request', 'malformed_json', '127.0.0.1', 'input'],
      ['getService', null, 400, 'invalid_parameter', null, '127.0.0.1', 'input'],
      ['getService', null, 404, 'not_found', null, '127.0.0.1', 'ownership'],
      ['getService', 900500, 500, 'server_error', null, '127.0.0.1', 'work'],
      ['listPlans', null, 403, 'insufficient_permissions', 'ip_not_whitelisted', null, 'firewall'],
      ['listPlans', null, 429, 'rate_limit_exceeded', null, '127.0.0.1', 'rate_limit'],
      [
        ...['upgradeService', service.number, 409, 'already_processed', 'idempotency_key_reused', '127.0.0.1'],
        'idempotency',
      ],
      [...['upgradeService', service.number, 400, 'invalid_state', 'plan_change_in_progress', '127.0.0.1'], 'rules'],
    ].sort(),
  );
});

t.test('a service number as the path has it stands in the row, whether there is such a service or not', async (t) => {
  const { call, key, remembered } = await setting(t);
  for (const number of ['9007199254740991', '0012', '-5', '0', '9007199254740992']) {
    await call(key, 'GET', `/services/${number}`);
  }
  const { calls } = await remembered();
  t.strictSame(calls.map(({ serviceNumber }) => serviceNumber).sort(), [12, 9_007_199_254_740_991, null, null, null]);
});

t.test('a call that could not be remembered is answered all the same, and the log hears of it', async (t) => {
  const world = await setting(t);
  const { call, key, store, app } = world;
  const warned: string[] = [];
  t.intercept(app.log, 'warn', { value: (_details: object, message: string) => warned.push(message) });
  const { tx } = store;
  t.equal((await call(key, 'GET', '/services/1')).status, 404);
  store.tx = async () => Promise.reject(new Error('away'));
  await app.close();
  store.tx = tx;
  t.equal(warned.filter((line) => line.includes('kept for the next time')).length, 1);
});
