import t, { type Test } from 'tap';
import type { PlanRow } from '../../../src/store/queries/plans.ts';
import type { RequestRow } from '../../../src/store/queries/requests.ts';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import {
  addRequest,
  iso,
  keysOf,
  momentsAreIso,
  moveService,
  nested,
  REQUEST_KEYS,
  refused,
} from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const DAY = 86_400_000;

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker, ['requests:write']);
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 10 });
  const large = await world.addPlan(broker, { slug: 'large', upgradeRank: 20 });
  const on = (plan: PlanRow, fields: Partial<ServiceRow> = {}) => world.addService(broker, plan, fields);
  const get = (path: string) => world.call(key, 'GET', path);
  const record = async (id: string) => (await get(`/requests/${id}`)).json.data;
  const approve = (id: string, body?: unknown, headers = {}) =>
    world.call(key, 'POST', `/requests/${id}/approve`, { body, headers });
  const deny = (id: string, body: unknown = { reason: 'No.' }, headers = {}) =>
    world.call(key, 'POST', `/requests/${id}/deny`, { body, headers });
  /** A client's wish to move a service from the small plan to the large one. */
  const asked = async (fields: Partial<RequestRow> = {}, service?: ServiceRow) =>
    addRequest(world, service ?? (await on(small)), {
      type: 'plan-upgrade',
      currentPlanId: small.id,
      newPlanId: large.id,
      ...fields,
    });
  return { world, broker, key, small, large, on, get, record, approve, deny, asked };
}

t.test('The record of a request holds the fields of its type and of no other', async (t) => {
  const { world, small, large, on, record, get } = await setup(t);
  const now = world.clock.now();
  const plans = { currentPlanId: small.id, newPlanId: large.id };
  const every: [Partial<RequestRow> & Pick<RequestRow, 'type'>, object][] = [
    [
      { type: 'cancellation-warning', status: 'approved', warningReason: 'why', processedAt: now },
      { warning_reason: 'why' },
    ],
    [
      { type: 'plan-upgrade', ...plans },
      { current_plan: nested(small), new_plan: nested(large), effective_date: null },
    ],
    [{ type: 'plan-downgrade', ...plans, effectiveAt: now }, { effective_date: iso(now) }],
    [
      { type: 'cancellation', cancellationType: 'immediate', cancellationReason: 'moved' },
      { cancellation_type: 'immediate', effective_date: null, reason: 'moved' },
    ],
    [{ type: 'service-creation', status: 'accepted', newPlanId: large.id, dueAt: now }, { new_plan: nested(large) }],
  ];
  for (const [fields, shown] of every) {
    const { id, type } = await addRequest(world, await on(small), fields);
    const { history, ...single } = await record(id);
    t.strictSame(keysOf(single), REQUEST_KEYS[type], type);
    t.match(single, shown);
    t.strictSame(keysOf(history[0]), ['actor', 'date', 'note', 'request_status']);
    const listed = (await get(`/requests?type=${type}`)).json.data;
    t.strictSame(listed, [single], 'the list shows the same without the history');
    momentsAreIso(t, [single, history, listed]);
  }
});

t.test('A request shows whether it is final and when to ask again', async (t) => {
  const { world, small, on, record, asked } = await setup(t);
  const now = world.clock.now();
  const cases: [Partial<RequestRow>, boolean, number | null][] = [
    [{ status: 'pending' }, false, 60],
    [{ status: 'operator_review' }, false, 60],
    [{ status: 'accepted', effectiveAt: now, dueAt: now }, false, 1],
    [{ status: 'accepted', effectiveAt: now + 90_001, dueAt: now + 90_001 }, false, 91],
    [{ status: 'accepted', dueAt: now }, false, 1],
    [{ status: 'accepted', effectiveAt: now + DAY, dueAt: now + DAY }, false, 3600],
    [{ status: 'completed', processedAt: now }, true, null],
    [{ status: 'failed', processedAt: now }, true, null],
    [{ status: 'denied', processedAt: now }, true, null],
  ];
  for (const [fields, final, seconds] of cases) {
    const { id } = await asked(fields);
    const { is_final, next_check_seconds, operator_review } = await record(id);
    const review = fields.status === 'operator_review';
    t.strictSame([is_final, next_check_seconds, operator_review], [final, seconds, review], `${fields.status}`);
  }
  const { id } = await asked({ status: 'accepted', effectiveAt: now + 1000, dueAt: now + 1000 });
  world.clock.advance(1000);
  t.equal((await record(id)).next_check_seconds, 1, 'the date has come');

  const failed = await addRequest(world, await on(small), {
    type: 'cancellation',
    status: 'failed',
    failureReason: 'provisioning_failed',
    failureMessage: 'The disk could not be removed.',
    failureServiceUsable: true,
    failureRetryable: false,
    decisionAction: 'accept',
    decidedBy: 'operator',
    decidedAt: now,
    processedAt: now,
  });
  t.match(await record(failed.id), {
    failure: {
      reason: 'provisioning_failed',
      message: 'The disk could not be removed.',
      service_usable: true,
      retryable: false,
    },
    decision: { action: 'accept', decided_by: 'operator', reason: null, decided_date: iso(now) },
    processed_date: iso(now),
  });
});

t.test('Approving applies the rules and queues the work', async (t) => {
  const { world, broker, small, large, on, record, approve, asked, get } = await setup(t);
  const reader = (await world.addKey(broker)).key;
  const { id, submittedAt } = await asked();
  world.clock.advance(5000);
  const now = iso(world.clock.now());
  const answer = await approve(id, { reason: ' Agreed. ' });
  t.equal(answer.status, 200);
  t.strictSame(keysOf(answer.json.data), REQUEST_KEYS['plan-upgrade'], 'the record, without its history');
  const { history, ...single } = await record(id);
  t.strictSame(single, answer.json.data);
  t.match(single, {
    request_status: 'accepted',
    operator_review: false,
    origin: 'client',
    submitted_date: iso(submittedAt),
    updated_date: now,
    processed_date: null,
    decision: { action: 'approve', decided_by: 'broker', reason: 'Agreed.', decided_date: now },
    is_final: false,
    next_check_seconds: 1,
    effective_date: now,
  });
  t.match(history, [
    { request_status: 'pending', actor: 'client' },
    { request_status: 'accepted', actor: 'broker', date: now },
  ]);

  for (const body of [undefined, {}]) {
    const { json, status } = await approve((await asked()).id, body);
    t.equal(status, 200, 'the reason is optional');
    t.equal(json.data.decision.reason, null);
  }

  const downgraded = await on(large, { renewalAt: world.clock.now() + DAY });
  const down = await asked({ type: 'plan-downgrade', currentPlanId: large.id, newPlanId: small.id }, downgraded);
  t.equal((await approve(down.id)).json.data.effective_date, iso(world.clock.now() + DAY), 'a downgrade waits');

  const leaving = await on(small, { renewalAt: world.clock.now() + DAY });
  const other = await asked({}, leaving);
  const cancellation = await addRequest(world, leaving, { type: 'cancellation' });
  const cancelled = await approve(cancellation.id);
  t.match(cancelled.json.data, {
    request_status: 'accepted',
    effective_date: iso(world.clock.now() + DAY),
    next_check_seconds: 3600,
  });
  t.match(
    await record(other.id),
    { request_status: 'denied', is_final: true },
    'an accepted cancellation closes the rest',
  );
  const service = (await world.call(reader, 'GET', `/services/${leaving.number}`)).json.data;
  t.strictSame(service.cancellation, {
    cancellation_type: 'end_of_term',
    effective_date: iso(world.clock.now() + DAY),
    request_id: cancellation.id,
  });
  t.equal((await get('/requests?request_status=denied')).json.pagination.total, 1);
});

t.test('An approved plan change starts from the plan that the service is on by then', async (t) => {
  const { world, broker, small, on, record, approve, asked } = await setup(t);
  const medium = await world.addPlan(broker, { slug: 'medium', upgradeRank: 15 });
  const service = await on(small);
  const { id } = await asked({}, service);
  // As an import does.
  await moveService(world, service, { planId: medium.id });
  t.match((await approve(id)).json.data, { request_status: 'accepted', current_plan: nested(medium) });
  t.match(await record(id), { current_plan: nested(medium) });
});

t.test('A pending cancellation is no scheduled one', async (t) => {
  const { world, broker, small, on } = await setup(t);
  const { key } = await world.addKey(broker);
  const service = await on(small);
  const { id } = await addRequest(world, service, { type: 'cancellation' });
  const found = (await world.call(key, 'GET', `/services/${service.number}`)).json.data;
  t.equal(found.cancellation, null);
  t.match(found.open_request, { request_id: id, type: 'cancellation', request_status: 'pending', new_plan: null });
});

t.test('A refused approval leaves the request pending', async (t) => {
  const { world, broker, small, large, on, record, approve, asked } = await setup(t);
  const parked = await world.addPlan(broker, { slug: 'parked', upgradeRank: 30, active: false });
  const hourly = await world.addPlan(broker, { slug: 'hourly', upgradeRank: 40, billingType: 'hourly' });
  const parameter = (reason: string) => ({ status: 400, code: 'invalid_parameter', reason });
  const state = (reason: string, details?: object) => ({
    status: 400,
    code: 'invalid_state',
    reason,
    ...(details && { details }),
  });
  const ask = async (refusal: Parameters<typeof refused>[2], request: RequestRow) => {
    refused(t, await approve(request.id), refusal);
    const { request_status, decision, history } = await record(request.id);
    t.strictSame([request_status, decision, history.length], ['pending', null, 1]);
  };
  await ask(parameter('plan_not_available'), await asked({ newPlanId: parked.id }));
  await ask(state('service_not_active'), await asked({}, await on(small, { status: 'suspended' })));
  await ask(parameter('plan_is_current'), await asked({}, await on(large)));
  await ask(state('billing_type_mismatch'), await asked({ newPlanId: hourly.id }));
  await ask(parameter('plan_rank_not_higher'), await asked({ newPlanId: small.id }, await on(large)));
  const scheduled = await on(small);
  const pending = await asked({}, scheduled);
  await addRequest(world, scheduled, { type: 'cancellation', status: 'accepted' });
  await ask(state('cancellation_scheduled'), pending);
  for (const status of ['cancelled', 'terminated'] as const) {
    const gone = await on(small, { status });
    await ask(state(`service_${status}`), await addRequest(world, gone, { type: 'cancellation' }));
  }
  await ask(
    parameter('end_of_term_not_available'),
    await addRequest(world, await on(hourly), { type: 'cancellation' }),
  );
});

t.test('An approval that needs the operator goes under review, where the broker decides no more', async (t) => {
  const { world, broker, small, on, record, approve, deny, asked } = await setup(t);
  const marked = await world.addPlan(broker, { slug: 'marked', upgradeRank: 90, requiresOperatorReview: true });
  for (const request of [
    await asked({ newPlanId: marked.id }),
    await asked({}, await on(small, { requiresOperatorReview: true })),
  ]) {
    const answer = await approve(request.id, { reason: 'Fine by us.' });
    t.equal(answer.status, 200);
    t.match(answer.json.data, {
      request_status: 'operator_review',
      operator_review: true,
      effective_date: null,
      processed_date: null,
      is_final: false,
      next_check_seconds: 60,
      decision: { action: 'approve', decided_by: 'broker', reason: 'Fine by us.' },
    });
    const waiting = { status: 400, code: 'invalid_state', reason: 'awaiting_operator' };
    refused(t, await approve(request.id), waiting, 'approve again');
    refused(t, await deny(request.id), waiting, 'deny');
    t.equal((await record(request.id)).history.length, 2);
  }
});

t.test('Denying ends a pending request, whatever became of its service', async (t) => {
  const { world, small, on, record, deny, asked } = await setup(t);
  const gone = await on(small, { status: 'terminated' });
  for (const request of [
    await asked(),
    await asked({}, gone),
    await addRequest(world, gone, { type: 'cancellation' }),
  ]) {
    world.clock.advance(1000);
    const now = iso(world.clock.now());
    const answer = await deny(request.id, { reason: '\tToo early. ' });
    t.equal(answer.status, 200);
    t.strictSame(keysOf(answer.json.data), REQUEST_KEYS[request.type]);
    const { history, ...single } = await record(request.id);
    t.strictSame(single, answer.json.data);
    t.match(single, {
      request_status: 'denied',
      updated_date: now,
      processed_date: now,
      decision: { action: 'deny', decided_by: 'broker', reason: 'Too early.', decided_date: now },
      failure: null,
      retry_of: null,
      is_final: true,
      next_check_seconds: null,
    });
    t.match(history[1], { request_status: 'denied', actor: 'broker', date: now });
  }
});

t.test('Requests of one date are listed by id, and filters hold together', async (t) => {
  const { world, small, large, on, get } = await setup(t);
  const base = world.clock.now();
  const one = await on(small);
  const two = await on(small);
  const plans = { currentPlanId: small.id, newPlanId: large.id };
  const rows: RequestRow[] = [];
  const add = async (service: ServiceRow, fields: Partial<RequestRow> & Pick<RequestRow, 'type'>) => {
    const at = base + Math.floor(rows.length / 2) * 1000;
    rows.push(await addRequest(world, service, { submittedAt: at, updatedAt: at + 100_000, ...fields }));
  };
  await add(one, { type: 'plan-upgrade', status: 'completed', ...plans });
  await add(two, { type: 'plan-upgrade', status: 'operator_review', ...plans });
  await add(one, { type: 'plan-downgrade', status: 'denied', ...plans });
  await add(two, { type: 'cancellation', status: 'failed' });
  await add(one, { type: 'cancellation', status: 'pending' });
  await add(one, { type: 'cancellation-warning', status: 'approved', warningReason: 'x' });
  await add(two, { type: 'service-creation', status: 'completed', newPlanId: small.id });
  await add(one, { type: 'plan-upgrade', status: 'operator_review', ...plans });
  const expected = [...rows].sort((a, b) => b.submittedAt - a.submittedAt || (a.id < b.id ? -1 : 1));
  const holds = async (query: string, keep: (row: RequestRow) => boolean) => {
    const answer = await get(`/requests?${query}`);
    t.equal(answer.status, 200, query);
    t.strictSame(keysOf(answer.json), ['data', 'pagination', 'success']);
    const inStep = query.includes('updated_since');
    const sorted = inStep ? expected.toSorted((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1)) : expected;
    const ids = sorted.filter(keep).map((row) => row.id);
    t.equal(answer.headers['x-server-date'], inStep ? iso(world.clock.now()) : undefined);
    t.strictSame(
      answer.json.data.map((row: { request_id: string }) => row.request_id),
      ids,
      query,
    );
    t.strictSame(answer.json.pagination, {
      page: 1,
      perPage: 25,
      total: ids.length,
      totalPages: ids.length ? 1 : 0,
      ...(inStep && { history: '0' }),
    });
  };
  const at = (ms: number) => encodeURIComponent(iso(base + ms));
  await holds('', () => true);
  for (const type of Object.keys(REQUEST_KEYS)) await holds(`type=${type}`, (row) => row.type === type);
  await holds('operator_review=false&request_status=operator_review', () => false);
  await holds(`submitted_from=${at(1000)}&submitted_to=${at(1000)}`, () => false);
  await holds(`submitted_from=${at(1000)}&submitted_to=${at(2000)}`, (row) => row.submittedAt === base + 1000);
  await holds(`updated_since=${at(102_000)}`, (row) => row.updatedAt >= base + 102_000);
  await holds('submitted_from=2030-01-15T13:00:01%2B01:00', (row) => row.submittedAt >= base + 1000);
  await holds(
    `type=plan-upgrade&request_status=operator_review&service_number=${one.number}&operator_review=true&submitted_from=${at(0)}&submitted_to=${at(9000)}&updated_since=${at(0)}`,
    (row) => row.type === 'plan-upgrade' && row.status === 'operator_review' && row.serviceNumber === one.number,
  );
});
