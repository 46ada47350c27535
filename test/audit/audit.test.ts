import t, { type Test } from 'tap';
import { type Actor, type Audited, audit } from '../../src/audit/audit.ts';
import { submitForClient } from '../../src/lifecycle/operator-requests.ts';
import type { AuditRow } from '../../src/store/queries/audit.ts';
import { createWorld } from '../support/world.ts';

const ADA: Actor = { kind: 'operator', name: 'ada@example.com', clientIp: '192.0.2.1' };

/** What the trail keeps of a change. */
async function kept(change: Partial<Audited>): Promise<Partial<AuditRow> | undefined> {
  let row: AuditRow | undefined;
  const tx = {
    audit: {
      insert: async (written: AuditRow) => {
        row = written;
      },
    },
  };
  const hand = { tx: tx as never, newId: () => 'aud_1', now: 5 };
  await audit(hand, ADA, { action: 'thing.set', brokerId: 'brk_1', subject: 'thing/1', ...change });
  return row;
}

t.test('a row shows who changed what to what, and leaves out what stayed as it was', async (t) => {
  t.strictSame(
    await kept({
      before: { a: 1, b: [1], c: null, updated_date: 'then' },
      after: { a: 2, b: [1], c: null, d: 4, updated_date: 'now' },
    }),
    {
      id: 'aud_1',
      at: 5,
      actorKind: 'operator',
      actor: 'ada@example.com',
      clientIp: '192.0.2.1',
      action: 'thing.set',
      brokerId: 'brk_1',
      subject: 'thing/1',
      before: '{"a":1}',
      after: '{"a":2,"d":4}',
    },
  );
  t.match(await kept({}), { before: null, after: null });
});

t.test('what turns out to have changed nothing leaves no row', async (t) => {
  const same = { a: 1, updated_date: 'then' };
  t.equal(await kept({ before: same, after: { ...same, updated_date: 'now' } }), undefined);
});

t.test("of a client's name and address the trail shows only that they changed", async (t) => {
  const before = { client_name: 'Ada', client_email: 'ada@example.com', renewal_date: null };
  t.match(await kept({ before, after: { ...before, client_name: 'Zoe' } }), {
    before: null,
    after: '{"client_name":"changed"}',
  });
  t.match(await kept({ before, after: { ...before, client_email: null } }), {
    before: null,
    after: '{"client_email":"changed"}',
  });
});

async function setting(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 1 });
  await world.addPlan(broker, { slug: 'large', upgradeRank: 2 });
  const service = await world.addService(broker, small, { number: 5000 });
  await world.addTemplate(broker);
  const { key, row } = await world.addKey(broker);
  return {
    ...world,
    broker,
    service,
    key,
    row,
    small,
    trail: async () =>
      (await world.store.read.audit.list({ brokerId: broker.id }, 100))
        .toReversed()
        .map(({ action, subject, before, after }) => [
          action,
          subject,
          before && JSON.parse(before),
          after && JSON.parse(after),
        ]),
  };
}

t.test('every change that a key makes stands in the trail, by that key and its address', async (t) => {
  const { call, key, row, store, broker, trail, addService, small } = await setting(t);
  await addService(broker, small, { number: 5001 });
  const post = async (path: string, body: object) => {
    const { status, json } = await call(key, 'POST', path, { body, remoteAddress: '192.0.2.9' });
    t.ok(status < 300, path);
    return json.data;
  };
  const upgrade = await post('/services/5000/upgrade', { new_plan: 'large' });
  const client = { name: 'Zoe Private', email: 'zoe@private.example' };
  const created = await post('/services', { plan: 'small', client, label: 'web' });
  const cancelled = await post('/services/5001/cancel', { cancellation_type: 'immediate' });
  await post('/services/5000/cancellation-warning', { warningReason: 'A private reason' });
  const report = await post('/reports/services', {});
  t.match(await trail(), [
    [
      'service.upgrade',
      'service/5000',
      { plan: 'small' },
      { plan: 'large', request_id: upgrade.request_id, request_status: 'accepted' },
    ],
    [
      'service.create',
      `service/${created.service_number}`,
      null,
      { plan: 'small', label: 'web', request_id: created.request_id },
    ],
    ['service.cancel', 'service/5001', null, { request_id: cancelled.request_id, cancellation_type: 'immediate' }],
    ['service.warn', 'service/5000', null, { email_id: /^eml_/ }],
    ['report.send', `report/${report.report_id}`, null, { email_id: /^eml_/, type: 'services-report', row_count: 3 }],
  ]);
  const rows = await store.read.audit.list({}, 100);
  t.equal(rows.length, 5);
  for (const each of rows) t.match(each, { actorKind: 'api_key', actor: row.id, clientIp: '192.0.2.9' });
  t.notMatch(JSON.stringify(rows), /private/i);
});

t.test('decisions of a broker stand in the trail, and what was refused or replayed does not', async (t) => {
  const { call, key, trail, service, addService, broker, small, clock, context } = await setting(t);
  await addService(broker, small, { number: 5001 });
  const ask = async (serviceNumber: number) => {
    clock.advance(1);
    const type = 'plan-upgrade';
    return (
      await submitForClient(context, { brokerId: broker.id, serviceNumber, reason: null, type, newPlan: 'large' })
    ).request_id;
  };
  const [one, other] = [await ask(service.number), await ask(5001)];
  clock.advance(1);
  const headers = { 'x-idempotency-key': 'once' };
  for (let time = 0; time < 2; time += 1) await call(key, 'POST', `/requests/${one}/approve`, { headers });
  clock.advance(1);
  await call(key, 'POST', `/requests/${other}/deny`, { body: { reason: 'A private reason' } });
  t.equal((await call(key, 'POST', `/requests/${other}/deny`, { body: { reason: 'Again' } })).status, 409);
  clock.advance(1);
  await call(key, 'POST', `/requests/${one}/withdraw`, { body: { reason: 'A private reason' } });
  t.equal((await call(key, 'POST', `/requests/${one}/withdraw`)).status, 409);
  t.match(await trail(), [
    ['request.submit', `request/${one}`],
    ['request.submit', `request/${other}`],
    ['request.approve', `request/${one}`, { request_status: 'pending' }, { request_status: 'accepted' }],
    ['request.deny', `request/${other}`, { request_status: 'pending' }, { request_status: 'denied' }],
    ['request.withdraw', `request/${one}`, { request_status: 'accepted' }, { request_status: 'failed' }],
  ]);
});

t.test('nothing that a simulated call does stands in the trail', async (t) => {
  const { call, addKey, broker, store } = await setting(t);
  const { key } = await addKey(broker, ['admin:full'], { mode: 'test' });
  t.equal((await call(key, 'POST', '/services/900001/upgrade', { body: { new_plan: 'business' } })).status, 200);
  t.strictSame(await store.read.audit.list({}, 10), []);
});

t.test('a change whose row cannot be written is not made', async (t) => {
  const { call, key, store } = await setting(t);
  const { tx } = store;
  // The same store for all: a broker's own would not have this transaction.
  store.for = () => store;
  store.tx = (work) =>
    tx((inside) => work({ ...inside, audit: { ...inside.audit, insert: () => Promise.reject(new Error('no')) } }));
  t.equal((await call(key, 'POST', '/services/5000/upgrade', { body: { new_plan: 'large' } })).status, 500);
  store.tx = tx;
  t.strictSame((await call(key, 'GET', '/requests')).json.data, []);
});
