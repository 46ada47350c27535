import t, { type Test } from 'tap';
import type { RequestRow } from '../../../src/store/queries/requests.ts';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import { addRequest, iso, keysOf, momentsAreIso, REQUEST_KEYS } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const DAY = 86_400_000;

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const monthly = await world.addPlan(broker, { upgradeRank: 1 });
  const hourly = await world.addPlan(broker, { upgradeRank: 2, billingType: 'hourly' });
  const cancel = ({ number }: { number: number }, body?: unknown, headers = {}) =>
    world.call(key, 'POST', `/services/${number}/cancel`, { body, headers });
  const get = async (path: string) => (await world.call(key, 'GET', path)).json.data;
  return { world, broker, key, monthly, hourly, cancel, get };
}

t.test('A cancellation is accepted and scheduled, and the service lives on', async (t) => {
  const { world, broker, monthly, cancel, get } = await setup(t);
  const now = iso(world.clock.now());
  const service = await world.addService(broker, monthly, { renewalAt: world.clock.now() + DAY });
  const answer = await cancel(service, { reason: ' Moving away. ' });
  t.equal(answer.status, 200);
  const { data } = answer.json;
  t.strictSame(keysOf(data), REQUEST_KEYS.cancellation);
  const record = {
    request_id: data.request_id,
    type: 'cancellation',
    request_status: 'accepted',
    operator_review: false,
    service_number: service.number,
    origin: 'broker',
    submitted_date: now,
    updated_date: now,
    processed_date: null,
    decision: null,
    failure: null,
    retry_of: null,
    is_final: false,
    next_check_seconds: 3600,
    cancellation_type: 'end_of_term',
    effective_date: iso(world.clock.now() + DAY),
    reason: 'Moving away.',
  };
  t.strictSame(answer.json, { success: true, data: record });
  const { history, ...single } = await get(`/requests/${data.request_id}`);
  t.strictSame(single, record);
  t.match(history, [{ request_status: 'accepted', date: now, actor: 'broker' }]);
  momentsAreIso(t, { single, history });
  t.match(await get(`/services/${service.number}`), {
    service_status: 'active',
    cancelled_date: null,
    cancellation: {
      cancellation_type: 'end_of_term',
      effective_date: record.effective_date,
      request_id: data.request_id,
    },
    open_request: { request_id: data.request_id, type: 'cancellation', request_status: 'accepted' },
  });
});

t.test('A cancellation takes effect at the renewal date, or now', async (t) => {
  const { world, broker, monthly, hourly, cancel } = await setup(t);
  const now = world.clock.now();
  const cases: [string, Partial<ServiceRow>, object | undefined, number][] = [
    ['no body at all', { renewalAt: now + DAY }, undefined, now + DAY],
    ['immediate', { renewalAt: now + DAY }, { cancellation_type: 'immediate' }, now],
    ['immediate, hourly', { planId: hourly.id, renewalAt: now + DAY }, { cancellation_type: 'immediate' }, now],
    ['pending', { status: 'pending' }, {}, now],
    ['suspended', { status: 'suspended', renewalAt: now + DAY }, {}, now + DAY],
  ];
  for (const [title, fields, body, effective] of cases) {
    const answer = await cancel(await world.addService(broker, monthly, fields), body);
    t.equal(answer.status, 200, title);
    t.match(answer.json.data, { effective_date: iso(effective), request_status: 'accepted', reason: null }, title);
    t.equal(answer.json.data.next_check_seconds, effective > now ? 3600 : 1, 'due work is asked for sooner');
  }
});

t.test('Accepting a cancellation closes what else is open on the service', async (t) => {
  const { world, broker, monthly, cancel, get } = await setup(t);
  const other = await world.addPlan(broker, { upgradeRank: 9 });
  const cases: [RequestRow['type'], RequestRow['status'], string][] = [
    ['plan-upgrade', 'pending', 'denied'],
    ['plan-upgrade', 'operator_review', 'denied'],
    ['plan-downgrade', 'accepted', 'failed'],
    ['service-creation', 'accepted', 'failed'],
  ];
  for (const [type, status, becomes] of cases) {
    const service = await world.addService(broker, monthly, type === 'service-creation' ? { status: 'pending' } : {});
    const plans = { newPlanId: other.id, ...(type !== 'service-creation' && { currentPlanId: monthly.id }) };
    const due = status === 'accepted' ? { dueAt: 0, effectiveAt: 0 } : {};
    const open = await addRequest(world, service, { type, status, ...plans, ...due });
    world.clock.advance(1000);
    const now = iso(world.clock.now());
    const answer = await cancel(service);
    t.equal(answer.status, 200);
    const { history, ...record } = await get(`/requests/${open.id}`);
    t.strictSame(keysOf(record), REQUEST_KEYS[type], `${type} ${status}`);
    t.match(record, {
      request_status: becomes,
      is_final: true,
      next_check_seconds: null,
      processed_date: now,
      updated_date: now,
    });
    t.equal(history.length, 2);
    t.match(history[1], { request_status: becomes, date: now });
    t.match(JSON.stringify([record.failure, record.decision, history]), /service_cancelled/, 'and says why');
    if (becomes === 'failed') {
      // Without its creation a pending service cannot be used; without a plan change an active one can.
      const usable = type !== 'service-creation';
      t.match(record.failure, { reason: 'service_cancelled', service_usable: usable, retryable: false });
    }
    const found = await get(`/services/${service.number}`);
    t.equal(found.open_request.request_id, answer.json.data.request_id);
    t.equal((await world.store.read.requests.listOpen(broker.id, service.number)).length, 1);
  }
  const warned = await world.addService(broker, monthly);
  const kept = await addRequest(world, warned, {
    type: 'cancellation-warning',
    status: 'approved',
    warningReason: 'x',
  });
  const elsewhere = await addRequest(world, await world.addService(broker, monthly), {
    type: 'plan-upgrade',
    currentPlanId: monthly.id,
    newPlanId: other.id,
  });
  await cancel(warned);
  t.equal((await get(`/requests/${kept.id}`)).request_status, 'approved');
  t.equal((await get(`/requests/${elsewhere.id}`)).request_status, 'pending', 'other services are left alone');
});
