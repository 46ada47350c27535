import t, { type Test } from 'tap';
import { allowAddress, enableFirewall } from '../../../src/operator/access/firewall.ts';
import { createKey, revokeKey, rotateKey, setKey } from '../../../src/operator/access/keys.ts';
import { createBroker, setBroker } from '../../../src/operator/brokers/brokers.ts';
import { groupFailures, showCallDetail } from '../../../src/operator/calls/calls.ts';
import { spanOf } from '../../../src/operator/calls/traffic.ts';
import { importPlans } from '../../../src/operator/plans/plans.ts';
import { importServices } from '../../../src/operator/services/import.ts';
import { setService } from '../../../src/operator/services/services.ts';
import { pageServices, showServiceFile } from '../../../src/operator/services/views.ts';
import { listFailingBrokers, showOverview } from '../../../src/operator/system/overview.ts';
import { getStatus } from '../../../src/operator/system/status.ts';
import { recordBackup, showHealth, showSystem } from '../../../src/operator/system/system.ts';
import { createIds } from '../../../src/runtime/ids.ts';
import { createHeartbeat } from '../../../src/worker/registry.ts';
import { BROKER, createOperatorContext, file, PLANS } from '../../support/operator-context.ts';
import { aCall, aKey, anEmail, aRequest, aUsageRow, stock } from '../../support/rows.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function setting(t: Test) {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  await createBroker.run(context, BROKER);
  const key = await createKey.run(context, { broker: 'acme', name: 'Shop', mode: 'live', scopes: 'admin:full' });
  const broker = await context.store.read.brokers.findBySlug('acme');
  const brokerId = broker?.id as string;
  const count = (fromAt: number, fields: object = {}) =>
    context.store.tx((tx) => tx.usage.count([aUsageRow(brokerId, fromAt, { keyId: key.key_id, ...fields })]));
  return { context, broker: { ...broker, id: brokerId }, key, count, now: context.clock.now() };
}

t.test('nothing that happened is an overview of nothing', async (t) => {
  const { context } = await setting(t);
  t.match(await showOverview(context), {
    traffic: { span: '24h', calls: 0, calls_before: 0, p50_ms: null, refused_by_gate: [] },
    busiest_keys: [],
    busiest_brokers: [],
    queue: { due: 0, oldest_due_date: null, accepted: 0 },
    emails: { total: 0, sent: 0, failed: 0, unknown: 0 },
    attention: {
      reviews: { total: 0, oldest_date: null },
      failing: { brokers: [], calls_without_key: 0 },
      is_stuck: false,
    },
    changes: [{ action: 'key.create' }, { action: 'broker.create' }],
  });
  await t.rejects(showOverview(context, { span: '2h' }), /span: must be one of 1h, 24h, 7d, 30d, 90d/);
});

t.test(
  'calls of a span are counted by how they ended, against the span before, and by the gate that refused them',
  async (t) => {
    const { context, count, now } = await setting(t);
    await count(now - 30 * MINUTE, { calls: 8 });
    await count(now - 30 * MINUTE, { calls: 2, outcome: 'rate_limit_exceeded', gate: 3 });
    await count(now - 5 * HOUR, { calls: 3, outcome: 'not_found', gate: 7 });
    await count(now - 5 * HOUR, { calls: 1, outcome: 'server_error', gate: 9 });
    await count(now - 30 * HOUR, { calls: 7 });
    await count(now - 20 * DAY, { calls: 5 });
    const traffic = async (span: string) => (await showOverview(context, { span })).traffic;
    t.match(await traffic('1h'), {
      calls: 10,
      calls_before: 0,
      ends: { answered: 8, limited: 2, refused: 0, failed: 0 },
    });
    const day = await traffic('24h');
    t.match(day, {
      calls: 14,
      calls_before: 7,
      ends: { answered: 8, limited: 2, refused: 3, failed: 1 },
      refused_by_gate: [
        { gate: 'rate_limit', calls: 2 },
        { gate: 'ownership', calls: 3 },
        { gate: 'work', calls: 1 },
      ],
    });
    t.equal(day.steps.length, 95, 'the step that has just begun is left out');
    t.equal(
      day.steps.reduce((sum, { answered, limited, refused, failed }) => sum + answered + limited + refused + failed, 0),
      14,
    );
    t.match(await traffic('7d'), { calls: 21 });
    t.match(await traffic('30d'), { calls: 26 });
    t.match(await traffic('90d'), { calls: 26 });
    for (const span of ['1h', '24h', '7d', '30d', '90d'] as const) {
      const { startAt, stepMs, steps } = spanOf(span, now);
      t.ok(startAt + steps * stepMs > now && startAt % stepMs === 0 && steps <= 100, span);
    }
  },
);

t.test('the busiest caller stands there with a name; a key that is no more does not', async (t) => {
  const { context, key, count, now } = await setting(t);
  const quiet = await createKey.run(context, { broker: 'acme', name: 'Quiet', mode: 'test', scopes: '' });
  await count(now - 10 * MINUTE, { calls: 300, outcome: 'rate_limit_exceeded', gate: 3 });
  await count(now - 10 * MINUTE, { calls: 50 });
  await count(now - 10 * MINUTE, { keyId: quiet.key_id, calls: 700 });
  // Many refusals, and few of its calls.
  await count(now - 10 * MINUTE, { keyId: quiet.key_id, calls: 110, outcome: 'not_found', gate: 7 });
  await count(now - 10 * MINUTE, { keyId: 'key_gone', calls: 20 });
  await count(now - 10 * MINUTE, { brokerId: '', keyId: '', calls: 150, outcome: 'authentication_failed', gate: 1 });
  const calm = await createBroker.run(context, { ...BROKER, slug: 'calm' });
  await count(now - 10 * MINUTE, { brokerId: calm.broker_id, keyId: 'key_calm', calls: 30 });
  await count(now - 10 * MINUTE, { brokerId: 'brk_gone', keyId: 'key_other', calls: 20 });
  const { busiest_keys, busiest_brokers, attention } = await showOverview(context, { span: '1h' });
  t.match(busiest_keys, [
    { key_id: quiet.key_id, broker: { slug: 'acme' }, calls: 810, refused: 110 },
    { key_id: key.key_id, key_prefix: /^sk_live_/, calls: 350, refused: 300 },
  ]);
  t.equal(busiest_keys[0]?.points.length, 59, 'the minute that has just begun is left out');
  t.match(busiest_brokers, [
    { slug: 'acme', calls: 1180, refused: 410 },
    { slug: 'calm', calls: 30, refused: 0 },
  ]);
  t.match(attention.failing, {
    brokers: [{ broker: { slug: 'acme' }, key_id: key.key_id, calls: 1180, failed: 410, code: 'rate_limit_exceeded' }],
    calls_without_key: 150,
  });
  t.match(await listFailingBrokers(context), [
    {
      broker: 'acme',
      calls: 1180,
      failed: 410,
      key_prefix: /^sk_live_/,
      since_date: /Z$/,
      last_change: /^key.create by /,
    },
  ]);
  t.equal((await showOverview(context, { span: '7d' })).busiest_keys.length, 2);
  await revokeKey.run(context, { key_id: key.key_id });
  t.strictSame((await showOverview(context)).attention.failing.brokers, [], 'what is stopped is no more to do');
});

t.test(
  'a broker whose calls fail stands there from ten calls on: share, since when, reason, and the change before',
  async (t) => {
    const { context, key, count, now } = await setting(t);
    const refused = { outcome: 'insufficient_permissions', gate: 2 };
    const failing = async () => (await showOverview(context)).attention.failing.brokers;
    await count(now - 4 * HOUR, { calls: 50 });
    await count(now - 5 * HOUR, { calls: 9, ...refused });
    await count(now - 20 * MINUTE, { calls: 3 });
    await count(now - 14 * MINUTE, { calls: 6, ...refused });
    t.strictSame(await failing(), [], 'nine calls say little');
    context.clock.advance(-15 * MINUTE);
    await enableFirewall.run(context, { broker: 'acme' });
    await setKey.run(context, { key_id: key.key_id, rate_limit: 100 });
    context.clock.advance(5 * MINUTE);
    await setBroker.run(context, { broker: 'acme', name: 'Acme & Sons' });
    context.clock.advance(10 * MINUTE);
    await allowAddress.run(context, { broker: 'acme', rule: '192.0.2.1' });
    await count(now - 2 * MINUTE, { calls: 4, ...refused });
    const since = new Date(now - 14 * MINUTE - ((now - 14 * MINUTE) % (5 * MINUTE))).toISOString();
    t.match(await failing(), [
      {
        broker: { slug: 'acme' },
        key_id: key.key_id,
        calls: 10,
        failed: 10,
        since_date: since,
        code: 'insufficient_permissions',
        gate: 'firewall',
        change: { action: 'firewall.enable', subject: 'broker/acme' },
        change_since: { action: 'firewall.allow' },
      },
    ]);
    await count(now - MINUTE, { calls: 3 });
    t.equal((await failing()).length, 1, 'the latest five minutes fail as well');
    await count(now - MINUTE, { calls: 40 });
    t.strictSame(await failing(), [], 'what goes well again needs nobody');
  },
);

t.test('failures are counted since they began, as the page that they lead to counts them', async (t) => {
  const { context, count, now } = await setting(t);
  const refused = { outcome: 'invalid_state', gate: 8 };
  const at = (hours: number) => now - (now % HOUR) - hours * HOUR;
  await count(at(20), { calls: 20 });
  for (const hours of [6, 3]) await count(at(hours), { calls: 70, ...refused });
  await count(at(3), { calls: 10 });
  await count(at(0), { calls: 12, ...refused });
  const [failure] = (await showOverview(context)).attention.failing.brokers;
  t.match(failure, { calls: 162, failed: 152, since_date: new Date(at(6)).toISOString() });
  const page = await groupFailures(context, { broker: 'acme', since: failure?.since_date });
  t.match(page, { calls: 162, failed: 152, kept: 0, groups: [{ code: 'invalid_state', calls: 152, kept: 0 }] });
});

t.test('a rotation of the key is the last change before its calls fail, and a raised limit one since', async (t) => {
  const { context, key, now } = await setting(t);
  context.clock.advance(-7 * MINUTE);
  const { key_id: keyId } = await rotateKey.run(context, { key_id: key.key_id, overlap: '1h' });
  context.clock.advance(7 * MINUTE);
  const brokerId = (await context.store.read.brokers.findBySlug('acme'))?.id as string;
  const limited = aUsageRow(brokerId, now, { keyId, calls: 30, outcome: 'rate_limit_exceeded', gate: 3 });
  await context.store.tx((tx) => tx.usage.count([limited]));
  const [failure] = (await showOverview(context)).attention.failing.brokers;
  t.match(failure, { key_id: keyId, change: { action: 'key.rotate' }, change_since: null });
  context.clock.advance(6 * MINUTE);
  await setKey.run(context, { key_id: keyId, rate_limit: 500 });
  const [raised] = (await showOverview(context)).attention.failing.brokers;
  t.match(raised, { change: { action: 'key.rotate' }, change_since: { action: 'key.set' } });
  t.match(await listFailingBrokers(context), [{ last_change: /^key\.set by / }]);
});

t.test('failures that go on for hours are dated from their first hour', async (t) => {
  const { context, count, now } = await setting(t);
  const refused = { outcome: 'invalid_state', gate: 8 };
  const at = (hours: number) => now - (now % HOUR) - hours * HOUR;
  await count(at(30), { calls: 20 });
  for (const hours of [7, 5, 1, 0]) await count(at(hours), { calls: 12, ...refused });
  context.clock.advance(5 * MINUTE);
  const { brokers } = (await showOverview(context)).attention.failing;
  t.match(brokers, [{ since_date: new Date(at(7)).toISOString(), gate: 'rules', change: null }]);
});

t.test('emails are counted by their outcome, and work that is not taken up is reported', async (t) => {
  const { context, broker, now } = await setting(t);
  const { store, newId, clock } = context;
  await store.tx(async (tx) => {
    for (const [status, ago] of [
      ['sent', 3 * DAY],
      ['unknown', 3 * HOUR],
      ['failed', 2 * HOUR],
      ['sent', HOUR],
    ] as const) {
      const createdAt = now - ago;
      await tx.emails.insert(anEmail(broker as never, { id: createIds()('eml', createdAt), createdAt, status }));
    }
  });
  t.match((await showOverview(context)).emails, { total: 3, sent: 1, failed: 1, unknown: 1 });
  t.equal((await showOverview(context)).attention.unknown_emails, 1);
  await importPlans(context, { broker: 'acme', file: file('plans.json', PLANS) });
  await importServices(context, {
    broker: 'acme',
    file: file('services.json', [{ client: { name: 'Ada' }, plan: 'start', renewal_date: '2030-02-01' }]),
  });
  const number = (await pageServices(context)).items[0]?.service_number as number;
  const { newRequest } = await import('../../../src/lifecycle/submit.ts');
  const service = await store.read.services.find(broker.id, number);
  const request = newRequest(newId('req', now), service as never, now, {
    type: 'cancellation-warning',
    status: 'accepted',
    origin: 'broker',
    dueAt: now,
  });
  await store.tx((tx) => tx.requests.insert(request));
  t.match(await showOverview(context), { queue: { due: 1, accepted: 1 }, attention: { is_stuck: false } });
  clock.advance(6 * MINUTE);
  t.match(await showOverview(context), { attention: { is_stuck: true } });
});

t.test('services of all brokers are found by text, number, address, broker, plan and review', async (t) => {
  const { context } = await setting(t);
  await importPlans(context, { broker: 'acme', file: file('plans.json', PLANS) });
  await createBroker.run(context, { ...BROKER, slug: 'other' });
  await importPlans(context, { broker: 'other', file: file('plans.json', PLANS) });
  const services = [
    {
      service_number: 101,
      label: 'shop.example.com',
      plan: 'start',
      client: { name: 'Ada', email: 'ada@example.com' },
    },
    {
      service_number: 102,
      label: 'blog.example.com',
      plan: 'more',
      requires_operator_review: true,
      client: { name: 'Ben' },
    },
  ].map((row) => ({ renewal_date: '2030-02-01', ...row }));
  await importServices(context, { broker: 'acme', file: file('services.json', services) });
  await importServices(context, {
    broker: 'other',
    file: file('s.json', [
      { service_number: 103, plan: 'more', client: { name: 'Straße 101' }, renewal_date: '2030-01-20' },
    ]),
  });
  const found = async (input: object) => {
    const { items, pagination } = await pageServices(context, input);
    t.equal(pagination.total, items.length, JSON.stringify(input));
    return items.map(({ service_number }) => service_number);
  };
  t.strictSame(await found({}), [103, 102, 101]);
  t.strictSame(await found({ search: 'EXAMPLE.com' }), [102, 101]);
  t.strictSame(await found({ search: 'strasse' }), [103]);
  t.strictSame(await found({ search: '101' }), [103, 101], 'a number, or a part of the text');
  t.strictSame(await found({ search: '7' }), []);
  t.strictSame(await found({ search: 'xy' }), [103, 102, 101], 'too short to look for');
  t.strictSame(await found({ search: 'ADA@example.com' }), [101]);
  t.strictSame(await found({ broker: 'other' }), [103]);
  t.strictSame(await found({ broker: 'other', search: 'shop' }), []);
  t.strictSame(await found({ broker: 'nobody' }), []);
  t.strictSame(await found({ plan: 'MORE' }), [103, 102]);
  t.strictSame(await found({ plan: 'more', broker: 'acme' }), [102]);
  t.strictSame(await found({ plan: 'none' }), []);
  t.strictSame(await found({ service_status: 'suspended' }), []);
  t.strictSame(await found({ requires_operator_review: 'true' }), [102]);
  t.strictSame(await found({ order: 'renewal' }), [103, 101, 102]);
  await t.rejects(pageServices(context, { service_status: 'nonsense' }), /must be one of/);
});

t.test('one service shows what happened to it, newest first: requests, emails, edits', async (t) => {
  const { context, broker, now } = await setting(t);
  await importPlans(context, { broker: 'acme', file: file('plans.json', PLANS) });
  await importServices(context, {
    broker: 'acme',
    file: file('s.json', [{ service_number: 101, plan: 'start', client: { name: 'Ada' }, renewal_date: '2030-02-01' }]),
  });
  const { submitClientRequest } = await import('../../../src/operator/requests/decisions.ts');
  const withLog = { ...context, log: { error() {}, warn() {} } };
  context.clock.advance(1000);
  await submitClientRequest.run(withLog, {
    broker: 'acme',
    service_number: '101',
    type: 'cancellation',
    reason: 'Moving',
  });
  context.clock.advance(1000);
  await setService.run(context, { broker: 'acme', service_number: '101', requires_operator_review: true });
  await context.store.tx((tx) =>
    tx.emails.insert(
      anEmail(broker as never, {
        createdAt: now + 5000,
        serviceNumber: 101,
        status: 'failed',
        failureReason: 'rejected',
      }),
    ),
  );
  const shown = await showServiceFile(context, { number: '101' });
  t.match(shown, {
    service_number: 101,
    broker: { slug: 'acme' },
    plan: { slug: 'start' },
    requires_operator_review: true,
  });
  t.match(shown.events, [
    { kind: 'email', email_status: 'failed', note: 'rejected' },
    { kind: 'edit', action: 'service.set', after: { requires_operator_review: true } },
    { kind: 'request', type: 'cancellation', request_status: 'pending' },
  ]);
  await t.rejects(showServiceFile(context, { number: '999' }), /no service 999/);
  await t.rejects(showServiceFile(context, { number: 'x' }), /whole number/);
});

t.test('a service and a call show their emails, however many the broker has written since', async (t) => {
  const { context } = await setting(t);
  const { store, clock, newId } = context;
  const { broker, service } = await stock(store);
  const key = aKey(broker);
  const at = clock.now();
  const email = anEmail(broker, { id: newId('eml', at), createdAt: at, serviceNumber: service.number });
  const call = aCall(broker, key, { at, serviceNumber: service.number });
  await store.tx(async (tx) => {
    await tx.keys.insert(key);
    await tx.calls.insert([call]);
    await tx.emails.insert(email);
    const later = at + 60_000;
    for (let mail = 0; mail <= 5_000; mail += 1)
      await tx.emails.insert(anEmail(broker, { id: newId('eml', later), createdAt: later }));
    for (let mail = 0; mail < 20; mail += 1) {
      const own = { id: newId('eml', later), createdAt: later, serviceNumber: service.number };
      await tx.emails.insert(anEmail(broker, own));
    }
    for (let request = 0; request <= 50; request += 1) {
      const submittedAt = request === 0 ? at : later;
      const id = newId('req', submittedAt);
      await tx.requests.insert(aRequest(service, { id, submittedAt, status: 'completed' }));
    }
  });
  const { events } = await showServiceFile(context, { number: String(service.number) });
  t.match(
    events.filter(({ kind }) => kind === 'email'),
    { length: 21 },
  );
  t.match(await showCallDetail(context, { requestId: call.requestId }), {
    emails: [{ email_id: email.id }],
    requests: { length: 1 },
  });
});

t.test('workers are seen while they say so, and forgotten a day after the last time', async (t) => {
  const { context } = await setting(t);
  const { store, clock } = context;
  const host = { name: 'HOST', title: 'where it listens', value: '127.0.0.1', isDefault: true };
  const around = { settings: [host], away: () => ({ redis: true }) };
  const one = createHeartbeat(store, clock);
  const two = createHeartbeat(store, clock);
  await one.record();
  await one.record();
  t.match(await showHealth(context, around), {
    database: { is_away: false },
    parts: [{ name: 'redis', is_away: true }],
    workers: [{ is_away: false, pid: process.pid }],
  });
  clock.advance(61_000);
  await two.record();
  t.match((await showHealth(context, around)).workers, [{ is_away: false }, { is_away: true }]);
  clock.advance(DAY);
  await two.record();
  t.equal((await showHealth(context, around)).workers.length, 1);
  await recordBackup(context, { file: '/backups/zero.db' });
  t.match(await getStatus(context), { workers: 1, last_backup_date: new Date(clock.now()).toISOString() });
  clock.advance(61_000);
  t.match(await getStatus(context), { workers: 0 });
  await two.leave();
  t.strictSame((await showHealth(context, around)).workers, []);
  const system = await showSystem(context, around);
  t.match(system, {
    settings: around.settings,
    database: { engine: 'sqlite', migrations: [{ name: /^0/ }] },
  });
  t.match(system, {
    queue: { due: 0, oldest_due_date: null },
    date: new Date(clock.now()).toISOString(),
  });
  await recordBackup(context, { file: '/backups/one.db' });
  t.match((await showSystem(context, around)).backup, { file: '/backups/one.db', actor: context.actor.name });
  t.match(
    system.database.tables.find(({ table }) => table === 'services'),
    { rows: 0 },
  );
  const away = { ...store, ping: () => Promise.reject(new Error('gone')) };
  t.match(await showHealth({ store: away, clock }, around), { database: { is_away: true }, workers: [] });
});
