import t, { type Test } from 'tap';
import { fulfilRequest } from '../../../src/lifecycle/fulfil-request.ts';
import type { PlanRow } from '../../../src/store/queries/plans.ts';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import { recordsProvisioner } from '../../../src/worker/compose.ts';
import {
  addRequest,
  iso,
  keysOf,
  momentsAreIso,
  NESTED_PLAN,
  NO_SERVICE,
  nested,
  REQUEST_KEYS,
  refused,
  requestsOf,
} from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const DAY = 86_400_000;

const CHANGE_KEYS = [
  'configuration',
  'current_plan',
  'effective_date',
  'is_final',
  'new_plan',
  'next_check_seconds',
  'operator_review',
  'processed_date',
  'request_id',
  'request_status',
  'service_number',
  'service_status',
  'submitted_date',
  'type',
];

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 10, diskGb: 20 });
  const middle = await world.addPlan(broker, { slug: 'middle', upgradeRank: 20, diskGb: 20 });
  const large = await world.addPlan(broker, { slug: 'large', upgradeRank: 30, diskGb: 40 });
  const hourly = await world.addPlan(broker, { slug: 'hourly', upgradeRank: 40, billingType: 'hourly' });
  const change = (way: 'upgrade' | 'downgrade', { number }: ServiceRow, newPlan: unknown, headers = {}) =>
    world.call(key, 'POST', `/services/${number}/${way}`, { body: { new_plan: newPlan }, headers });
  const on = (plan: PlanRow, fields: Partial<ServiceRow> = {}) => world.addService(broker, plan, fields);
  /** A service on a plan under a cancellation that was accepted. */
  const cancelled = async (plan: PlanRow, fields: Partial<ServiceRow> = {}) => {
    const service = await on(plan, { renewalAt: world.clock.now() + DAY, ...fields });
    await world.call(key, 'POST', `/services/${service.number}/cancel`);
    return service;
  };
  const open = async (service: ServiceRow, status: 'pending' | 'operator_review' | 'accepted' = 'pending') =>
    addRequest(world, service, { type: 'plan-upgrade', status, currentPlanId: small.id, newPlanId: large.id });
  return { world, broker, key, small, middle, large, hourly, change, on, cancelled, open };
}

for (const edited of [false, true]) {
  const before = edited ? 'a change of its fields' : 'its request';
  t.test(
    `What a server whose clock is behind does with a request moves a service on by a millisecond from ${before}`,
    async (t) => {
      const { world, key, small, change, on } = await setup(t);
      const [withdrawn, denied, done, refused, approved] = [
        await on(small),
        await on(small, { requiresOperatorReview: true }),
        await on(small),
        await on(small),
        await on(small, { renewalAt: world.clock.now() + 60 * DAY }),
      ];
      world.clock.advance(DAY);
      const ids = new Map<ServiceRow, string>();
      for (const service of [withdrawn, denied, done])
        ids.set(service, (await change('upgrade', service, 'large')).json.data.request_id);
      const claim = { now: world.clock.now(), leaseUntil: world.clock.now() + DAY, leaseOwner: 'a worker', limit: 2 };
      const asked = { type: 'cancellation', cancellationType: 'end_of_term' } as const;
      for (const service of [refused, approved]) ids.set(service, (await addRequest(world, service, asked)).id);
      const services = [...ids.keys()];
      if (edited) world.clock.advance(500);
      for (const { number } of edited ? services : [])
        t.equal(
          (await world.call(key, 'POST', `/services/${number}/update`, { body: { label: 'edited' } })).status,
          200,
        );
      const next = iso(world.clock.now() + 1);
      world.clock.advance(-1000);
      const call = async (service: ServiceRow, way: string, body?: object) =>
        t.equal((await world.call(key, 'POST', `/requests/${ids.get(service)}/${way}`, { body })).status, 200);
      await call(withdrawn, 'withdraw');
      await call(denied, 'withdraw');
      await call(refused, 'deny', { reason: 'no' });
      await call(approved, 'approve');
      for (const lease of await world.store.tx((tx) => tx.requests.claimDue(claim)))
        await fulfilRequest(world.context, recordsProvisioner, lease);
      const found = [];
      for (const { number } of services) found.push((await world.call(key, 'GET', `/services/${number}`)).json.data);
      t.strictSame(
        found.map((service) => [service.open_request?.type, service.updated_date]),
        [undefined, undefined, undefined, undefined, 'cancellation'].map((type) => [type, next]),
      );
    },
  );
}

t.test('A service changes when a request is submitted that it shows', async (t) => {
  const { world, key, small, change, on } = await setup(t);
  const service = await on(small);
  const other = await on(small);
  world.clock.advance(1000);
  const since = iso(world.clock.now());
  await change('upgrade', service, 'large');
  const [found] = (await world.call(key, 'GET', `/services?updated_since=${since}`)).json.data;
  t.match(found, { service_number: service.number, updated_date: since });
  t.match((await world.call(key, 'GET', `/services/${service.number}`)).json.data, found);
  world.clock.advance(1000);
  await change('upgrade', other, 'large');
  const { data } = (await world.call(key, 'GET', `/services?updated_since=${since}`)).json;
  t.strictSame(
    data.map((one: { service_number: number }) => one.service_number),
    [service.number, other.number],
    'in the order in which they were submitted',
  );
});

t.test('An upgrade is accepted at once and changes nothing of the service yet', async (t) => {
  const { world, broker, key, small, large, change, on } = await setup(t);
  const service = await on(small, { renewalAt: world.clock.now() + DAY });
  const now = iso(world.clock.now());
  const answer = await change('upgrade', service, ' LARGE ');
  t.equal(answer.status, 200);
  const { data } = answer.json;
  t.strictSame(keysOf(data), CHANGE_KEYS);
  t.strictSame(keysOf(data.new_plan), NESTED_PLAN);
  t.strictSame(answer.json, {
    success: true,
    data: {
      request_id: data.request_id,
      type: 'plan-upgrade',
      request_status: 'accepted',
      operator_review: false,
      service_number: service.number,
      service_status: 'active',
      current_plan: nested(small),
      new_plan: nested(large),
      effective_date: now,
      configuration: {},
      submitted_date: now,
      processed_date: null,
      is_final: false,
      next_check_seconds: 1,
    },
  });
  const found = (await world.call(key, 'GET', `/services/${service.number}`)).json.data;
  t.strictSame(found.plan, nested(small), 'the plan stays until the work is done');
  t.strictSame(found.open_request, {
    request_id: data.request_id,
    type: 'plan-upgrade',
    request_status: 'accepted',
    new_plan: data.new_plan,
    effective_date: data.effective_date,
  });
  const request = await world.call(key, 'GET', `/requests/${data.request_id}`);
  const { history, ...record } = request.json.data;
  t.strictSame(keysOf(record), REQUEST_KEYS['plan-upgrade']);
  t.strictSame(record, {
    request_id: data.request_id,
    type: 'plan-upgrade',
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
    next_check_seconds: 1,
    current_plan: nested(small),
    new_plan: nested(large),
    effective_date: now,
    configuration: {},
  });
  t.match(history, [{ request_status: 'accepted', date: now, actor: 'broker' }]);
  t.equal(history.length, 1);
  momentsAreIso(t, request.json);
  t.equal((await requestsOf(world, broker)).length, 1);
});

t.test('A change that the operator must see is under review, with a word not to resubmit', async (t) => {
  const { world, broker, key, small, middle, large, change, on } = await setup(t);
  const marked = await world.addPlan(broker, { slug: 'marked', upgradeRank: 50, requiresOperatorReview: true });
  const renewal = { renewalAt: world.clock.now() + DAY };

  const reviewed: [string, 'upgrade' | 'downgrade', ServiceRow, PlanRow][] = [
    // What else has to be reviewed: kinds/plan-change.
    ['the target plan is marked', 'upgrade', await on(small, renewal), marked],
    ['the service is marked', 'upgrade', await on(small, { requiresOperatorReview: true }), large],
    ['a downgrade would shrink the disk', 'downgrade', await on(large, renewal), middle],
  ];
  for (const [title, way, service, target] of reviewed) {
    const answer = await change(way, service, target.id);
    t.equal(answer.status, 202, title);
    t.strictSame(keysOf(answer.json), ['data', 'message', 'success']);
    t.match(answer.json.message, /do not submit it again/i);
    t.strictSame(keysOf(answer.json.data), CHANGE_KEYS);
    t.match(answer.json.data, {
      type: `plan-${way}`,
      request_status: 'operator_review',
      operator_review: true,
      processed_date: null,
      is_final: false,
      next_check_seconds: 60,
      new_plan: nested(target),
    });
    if (way === 'upgrade') t.equal(answer.json.data.effective_date, null, 'an upgrade under review has no date yet');
    const record = (await world.call(key, 'GET', `/requests/${answer.json.data.request_id}`)).json.data;
    t.match(record, {
      request_status: 'operator_review',
      operator_review: true,
      is_final: false,
      next_check_seconds: 60,
    });
    t.equal(record.effective_date, answer.json.data.effective_date);
    refused(
      t,
      await change(way, service, target.id),
      {
        status: 400,
        code: 'invalid_state',
        reason: 'plan_change_in_progress',
        details: { request_id: answer.json.data.request_id },
      },
      'a second one is refused',
    );
  }
});

// A renewal that has passed: renewals, and kinds/plan-change.
t.test('A downgrade takes effect at the renewal of a monthly service, and at once of an hourly one', async (t) => {
  const { world, broker, small, middle, hourly, change, on } = await setup(t);
  const flex = await world.addPlan(broker, { slug: 'flex-low', upgradeRank: 3, billingType: 'hourly' });
  const now = world.clock.now();
  for (const [from, to, effective] of [
    [middle, small, now + DAY],
    [hourly, flex, now],
  ] as const) {
    const answer = await change('downgrade', await on(from, { renewalAt: now + DAY }), to.slug);
    t.equal(answer.status, 200, from.slug);
    t.match(answer.json.data, { request_status: 'accepted', effective_date: iso(effective) }, from.slug);
  }
});

// Which of several a text names, in which case and letters: kinds/plan-change.
t.test('A plan is named by id, slug or display name, among the active ones of the broker', async (t) => {
  const { world, broker, small, change, on } = await setup(t);
  let rank = 100;
  const plan = (slug: string, displayName: string, fields: Partial<PlanRow> = {}) =>
    world.addPlan(broker, { slug, displayName, upgradeRank: ++rank, ...fields });
  const first = await plan('first', 'Name One');
  await plan('gone', 'Gone', { active: false });
  const heir = await plan('heir', 'gone!');
  const parked = await plan('parked', 'Parked I', { active: false });
  const named = await plan('named', 'Parked');
  const other = await world.addBroker();
  const foreign = await world.addPlan(other, { slug: 'foreign', displayName: 'Foreign', upgradeRank: 500 });

  const goes = async (text: string, to: PlanRow) => {
    const answer = await change('upgrade', await on(small), text);
    t.equal(answer.json.data?.new_plan.slug, to.slug, JSON.stringify(text));
  };
  const fails = async (text: string) =>
    refused(
      t,
      await change('upgrade', await on(small), text),
      {
        status: 400,
        code: 'invalid_parameter',
        reason: 'plan_not_available',
      },
      `no plan is ${JSON.stringify(text)}`,
    );

  await goes(first.id, first);
  await goes('first', first);
  await goes('  Name One\n', first);
  await goes('GONE!', heir);
  await fails('gone');
  await goes('parked', named);
  await fails(parked.id);
  await fails(foreign.id);
  await fails('foreign');
});

t.test('upgrade-options shows what the two operations would answer for every plan', async (t) => {
  const { world, broker, key, small, middle, hourly, change, on, cancelled, open } = await setup(t);
  await world.addPlan(broker, { slug: 'even', upgradeRank: 20 });
  await world.addPlan(broker, { slug: 'marked', upgradeRank: 35, requiresOperatorReview: true });
  await world.addPlan(broker, { slug: 'parked', upgradeRank: 36, active: false });
  const retired = await world.addPlan(broker, { slug: 'retired', upgradeRank: 15, active: false });
  const catalog = await world.store.read.plans.listActive(broker.id);

  const kinds: Record<string, () => Promise<ServiceRow>> = {
    'on the middle plan': () => on(middle),
    'on the smallest plan': () => on(small),
    'on an hourly plan': () => on(hourly),
    'on a retired plan': () => on(retired),
    pending: () => on(middle, { status: 'pending' }),
    terminated: () => on(middle, { status: 'terminated' }),
    'cancellation scheduled': () => cancelled(middle),
    'marked for review': () => on(middle, { requiresOperatorReview: true }),
    'a plan change open': async () => {
      const service = await on(middle);
      await open(service, 'operator_review');
      return service;
    },
  };
  for (const [title, make] of Object.entries(kinds)) {
    const service = await make();
    const answer = await world.call(key, 'GET', `/services/${service.number}/upgrade-options`);
    t.equal(answer.status, 200);
    const { data } = answer.json;
    t.strictSame(keysOf(data), ['available', 'current_plan', 'unavailable']);
    const current = [...catalog, retired].find((plan) => plan.id === service.planId) as PlanRow;
    t.strictSame(data.current_plan, nested(current));
    const foretold = new Map<string, number | string>([
      ...data.available.map((plan: { id: string; operator_review: boolean }) => [
        plan.id,
        plan.operator_review ? 202 : 200,
      ]),
      ...data.unavailable.map((entry: { plan: { id: string }; reason: string }) => [entry.plan.id, entry.reason]),
    ]);
    const met = new Map<string, number | string>();
    for (const plan of data.available) t.strictSame(keysOf(plan), [...NESTED_PLAN, 'operator_review'].sort());
    for (const { plan } of data.unavailable) t.strictSame(keysOf(plan), NESTED_PLAN);
    for (const plan of catalog) {
      const { json, status } = await change('upgrade', await make(), plan.id);
      met.set(plan.id, status < 300 ? status : json.error.details.reason);
    }
    t.strictSame([...foretold].sort(), [...met].sort(), title);
    t.equal(data.available.length + data.unavailable.length, catalog.length, 'every active plan once');
  }
  const { number } = await on(middle);
  const { data } = (await world.call(key, 'GET', `/services/${number}/upgrade-options`)).json;
  t.strictSame(
    data.available.map((plan: { slug: string }) => plan.slug),
    ['large', 'marked'],
  );
  t.strictSame(
    data.unavailable.map((entry: { plan: { slug: string }; reason: string }) => `${entry.plan.slug} ${entry.reason}`),
    [
      'small plan_rank_not_higher',
      'middle plan_is_current',
      'even plan_rank_not_higher',
      'hourly billing_type_mismatch',
    ],
  );
  for (const unknown of ['1', '9007199254740993', '-1'])
    refused(t, await world.call(key, 'GET', `/services/${unknown}/upgrade-options`), NO_SERVICE, unknown);
  refused(
    t,
    await world.call(key, 'GET', `/services/${number}/upgrade-options?limit=1`),
    {
      status: 400,
      code: 'invalid_parameter',
      fields: ['query.limit unknown'],
    },
    'it takes no query',
  );
});
