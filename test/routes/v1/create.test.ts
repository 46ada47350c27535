import t, { type Test } from 'tap';
import {
  iso,
  keysOf,
  momentsAreIso,
  nested,
  REQUEST_KEYS,
  refused,
  requestsOf,
  SINGLE_SERVICE_KEYS,
} from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const CLIENT = { name: 'Ada Example', email: 'ada@example.com' };

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker, ['services:write']);
  const plan = await world.addPlan(broker, { slug: 'starter', displayName: 'Für Einsteiger' });
  const create = (body: unknown, headers = {}) => world.call(key, 'POST', '/services', { body, headers });
  return { world, broker, key, plan, create };
}

t.test('A created service is pending under a new number, and its request is accepted', async (t) => {
  const { world, broker, key, plan, create } = await setup(t);
  const now = iso(world.clock.now());
  const answer = await create({
    plan: ' STARTER ',
    client: { name: ' Ada Example ', email: ' ada@example.com ' },
    label: ' Shop ',
    external_reference: ' CRM-1 ',
  });
  t.equal(answer.status, 201);
  const { data } = answer.json;
  t.strictSame(keysOf(data), [...REQUEST_KEYS['service-creation'], 'service_status'].sort());
  t.strictSame(answer.json, {
    success: true,
    data: {
      request_id: data.request_id,
      type: 'service-creation',
      request_status: 'accepted',
      operator_review: false,
      service_number: 1000001,
      service_status: 'pending',
      origin: 'broker',
      submitted_date: now,
      updated_date: now,
      processed_date: null,
      decision: null,
      failure: null,
      retry_of: null,
      is_final: false,
      next_check_seconds: 1,
      new_plan: nested(plan),
    },
  });
  const found = await world.call(key, 'GET', '/services/1000001');
  t.strictSame(keysOf(found.json.data), SINGLE_SERVICE_KEYS);
  const open = {
    request_id: data.request_id,
    type: 'service-creation',
    request_status: 'accepted',
    new_plan: nested(plan),
    effective_date: null,
  };
  t.strictSame(found.json.data, {
    service_number: 1000001,
    service_status: 'pending',
    label: 'Shop',
    external_reference: 'CRM-1',
    client: CLIENT,
    plan: nested(plan),
    specifications: { vcpu: 1, memory_mb: 1024, disk_gb: 20, transfer_gb: null },
    configuration: {},
    access: null,
    price: { amount: '9.90', currency: 'EUR' },
    created_date: now,
    updated_date: now,
    renewal_date: '2030-02-15T12:00:00.000Z',
    cancelled_date: null,
    cancellation: null,
    suspension: null,
    expected: { service_status: 'active', plan: nested(plan) },
    open_request: open,
    open_requests: [open],
    actions: [],
    has_credentials: false,
  });
  momentsAreIso(t, found.json);
  const { key: reader } = await world.addKey(broker);
  const request = (await world.call(reader, 'GET', `/requests/${data.request_id}`)).json.data;
  t.strictSame(keysOf(request), [...REQUEST_KEYS['service-creation'], 'history'].sort());
  t.match(request.history, [{ request_status: 'accepted', date: now, actor: 'broker' }]);
});

t.test('Numbers come from a counter that starts at 1000001 and skips those in use', async (t) => {
  const { world, broker, plan, create } = await setup(t);
  const other = await world.addBroker();
  const foreign = await world.addPlan(other);
  await world.addService(broker, plan, { number: 1000001 });
  await world.addService(other, foreign, { number: 1000003 });
  await world.addService(other, foreign, { number: 1000004 });
  const numbers = [];
  for (let i = 0; i < 3; i++)
    numbers.push((await create({ plan: 'starter', client: CLIENT })).json.data.service_number);
  t.strictSame(numbers, [1000002, 1000005, 1000006]);
  const more = await Promise.all(Array.from({ length: 10 }, () => create({ plan: plan.id, client: CLIENT })));
  t.strictSame(
    more.map((answer) => answer.json.data.service_number).sort(),
    Array.from({ length: 10 }, (_, i) => 1000007 + i),
    'each number once in a burst',
  );
});

t.test('A plan that is not on offer creates nothing', async (t) => {
  const { world, broker, plan, create } = await setup(t);
  await world.addPlan(broker, { slug: 'parked', active: false });
  await world.addPlan(await world.addBroker(), { slug: 'foreign' });
  const marked = await world.addPlan(broker, { slug: 'marked', requiresOperatorReview: true });
  for (const name of ['parked', 'foreign', 'nothing', plan.id.toUpperCase() + plan.id.toLowerCase()])
    refused(
      t,
      await create({ plan: name, client: CLIENT }),
      {
        status: 400,
        code: 'invalid_parameter',
        reason: 'plan_not_available',
      },
      name,
    );
  t.strictSame(await requestsOf(world, broker), []);
  t.equal(
    (await create({ plan: 'fu\u0308r EINSTEIGER', client: CLIENT })).status,
    201,
    'a display name is found as in plan changes',
  );
  const answer = await create({ plan: marked.slug, client: CLIENT });
  t.equal(answer.json.data.request_status, 'accepted', 'a creation is never reviewed');
  t.equal(answer.json.data.service_number, 1000002, 'refusals use no numbers up');
});

t.test('The longest values are kept as they are, and references need not be unique', async (t) => {
  const { world, key, create } = await setup(t);
  const body = {
    plan: 'starter',
    client: { name: '😀'.repeat(200), email: 'ada@example.com' },
    label: 'é'.repeat(255),
    external_reference: '漢'.repeat(255),
  };
  for (const number of [1000001, 1000002]) {
    t.equal((await create(body)).status, 201);
    t.match((await world.call(key, 'GET', `/services/${number}`)).json.data, {
      client: body.client,
      label: body.label,
      external_reference: body.external_reference,
    });
  }
});

t.test('Of concurrent creations under one key exactly one is made, whatever their bodies', async (t) => {
  const { world, broker, create } = await setup(t);
  const headers = { 'x-idempotency-key': 'order-2' };
  const body = (i: number) => ({ plan: 'starter', client: { ...CLIENT, name: `Client ${i % 2}` } });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => create(body(i), headers)));
  t.strictSame(
    answers.map((answer) => answer.status),
    Array(10).fill(201),
  );
  t.equal(new Set(answers.map((answer) => JSON.stringify(answer.json.data))).size, 1);
  t.equal(answers.filter((answer) => !('idempotent-replayed' in answer.headers)).length, 1);
  t.equal((await requestsOf(world, broker)).length, 1);
});
