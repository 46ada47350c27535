import t, { type Test } from 'tap';
import type { PlanRow } from '../../../src/store/queries/plans.ts';
import type { ServiceRow } from '../../../src/store/queries/services.ts';
import { addRequest, refused, requestsOf } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const CLIENT = { name: 'Ada Example', email: 'ada@example.com' };

/** Two brokers with records that look alike; the first calls, the second is what it must never see. */
async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const side = async (name: string) => {
    const broker = await world.addBroker({ name });
    const { key } = await world.addKey(broker);
    const low = await world.addPlan(broker, { slug: 'low', displayName: 'Low', upgradeRank: 1 });
    const high = await world.addPlan(broker, { slug: 'high', displayName: 'High', upgradeRank: 2 });
    const own = await world.addPlan(broker, { slug: `only-${name}`, displayName: `Only ${name}`, upgradeRank: 3 });
    await world.addTemplate(broker);
    const service = await world.addService(broker, low, { label: `server of ${name}`, clientEmail: 'ada@example.com' });
    const request = await addRequest(world, await world.addService(broker, low), {
      type: 'plan-upgrade',
      currentPlanId: low.id,
      newPlanId: high.id,
    });
    return { broker, key, low, high, own, service, request };
  };
  return { world, ours: await side('ours'), theirs: await side('theirs') };
}

t.test('Records of another broker answer exactly like unknown ones and stay as they were', async (t) => {
  const { world, ours, theirs } = await setup(t);
  const before = JSON.stringify(await snapshot(theirs.key));
  const unknown = 424242;
  const calls: [string, string, object?][] = [
    ['GET', '/services/:s'],
    ['GET', '/services/:s/upgrade-options'],
    ['POST', '/services/:s/upgrade', { new_plan: 'high' }],
    ['POST', '/services/:s/upgrade', { new_plan: theirs.high.id }],
    ['POST', '/services/:s/downgrade', { new_plan: 'low' }],
    ['POST', '/services/:s/cancel', {}],
    ['POST', '/services/:s/cancellation-warning', { warningReason: 'x' }],
    ['GET', '/requests/:r'],
    ['POST', '/requests/:r/approve', {}],
    ['POST', '/requests/:r/deny', { reason: 'x' }],
  ];
  for (const [method, path, body] of calls) {
    const call = (service: number, request: string, headers = {}) =>
      world.call(ours.key, method as 'GET', path.replace(':s', `${service}`).replace(':r', request), { body, headers });
    const foreign = await call(theirs.service.number, theirs.request.id);
    const nobody = await call(unknown, 'req_01JZ5Q0V3M8E4Y9T2B7C6D1F0G');
    t.equal(foreign.status, 404, `${method} ${path}`);
    t.equal(foreign.raw, nobody.raw, 'byte for byte');
    t.strictSame(headerNames(foreign.headers), headerNames(nobody.headers));
    const keyed = await call(theirs.service.number, theirs.request.id, { 'x-idempotency-key': `k-${path}` });
    t.equal(keyed.raw, nobody.raw, 'under an idempotency key too');
  }
  t.equal(JSON.stringify(await snapshot(theirs.key)), before, 'nothing of theirs changed');
  t.equal(world.mailer.sent.length, 0);
  t.equal((await requestsOf(world, theirs.broker)).length, 1);

  async function snapshot(key: string) {
    const paths = [
      '/services',
      '/plans',
      '/requests',
      `/services/${theirs.service.number}`,
      `/requests/${theirs.request.id}`,
    ];
    return Promise.all(paths.map(async (path) => (await world.call(key, 'GET', path)).json));
  }
});

const headerNames = (headers: object) => Object.keys(headers).sort();

t.test('Lists, their totals and their filters know one broker only', async (t) => {
  const { world, ours, theirs } = await setup(t);
  const list = async (path: string) => (await world.call(ours.key, 'GET', path)).json;
  const empty = (json: { data: unknown[]; pagination: { total: number } }, title: string) =>
    t.strictSame([json.data, json.pagination.total], [[], 0], title);
  const services = await list('/services');
  t.equal(services.pagination.total, 2);
  t.notMatch(JSON.stringify([services, await list('/plans'), await list('/requests')]), /theirs/);
  t.equal((await list('/requests')).pagination.total, 1);
  t.equal((await list('/plans')).pagination.total, 3);
  for (const query of ['search=theirs', 'plan=only-theirs', `plan=${theirs.low.id}`, `plan=${theirs.own.id}`])
    empty(await list(`/services?${query}`), query);
  t.equal((await list('/services?client_email=ada@example.com')).pagination.total, 2);
  t.equal((await list('/services?search=server')).pagination.total, 1);
  t.equal((await list('/services?plan=low')).pagination.total, 2);
  t.equal((await list('/services?service_status=active&billing_type=monthly')).pagination.total, 2);
  empty(await list(`/requests?service_number=${theirs.request.serviceNumber}`), 'requests of their service');
  t.equal((await list('/requests?type=plan-upgrade&request_status=pending')).pagination.total, 1);
  for (const path of ['/services?limit=1&offset=2', '/requests?limit=1&offset=1', '/plans?limit=1&offset=3'])
    t.strictSame((await list(path)).data, [], `nothing of theirs behind ours: ${path}`);
});

t.test('Plans of another broker are no targets, by any of their names', async (t) => {
  const { world, ours, theirs } = await setup(t);
  const unavailable = { status: 400, code: 'invalid_parameter', reason: 'plan_not_available' };
  for (const plan of [theirs.own.id, theirs.high.id, 'only-theirs', 'ONLY THEIRS']) {
    const path = `/services/${ours.service.number}/upgrade`;
    refused(t, await world.call(ours.key, 'POST', path, { body: { new_plan: plan } }), unavailable, plan);
    refused(t, await world.call(ours.key, 'POST', '/services', { body: { plan, client: CLIENT } }), unavailable, plan);
  }
  const options = await world.call(ours.key, 'GET', `/services/${ours.service.number}/upgrade-options`);
  t.notMatch(options.raw, new RegExp([theirs.low.id, theirs.high.id, theirs.own.id].join('|')));
  const body = { new_plan: 'high' };
  const answer = await world.call(ours.key, 'POST', `/services/${ours.service.number}/upgrade`, { body });
  t.equal(answer.json.data.new_plan.id, ours.high.id, 'a name that both use is our own');
});

t.test('Templates, names and senders are those of the calling broker', async (t) => {
  const { world, ours, theirs } = await setup(t);
  await world.store.tx((tx) =>
    tx.templates.upsert({
      brokerId: theirs.broker.id,
      kind: 'cancellation-warning',
      subject: 'theirs',
      html: 'theirs',
      text: 'theirs',
      active: true,
      updatedAt: 0,
    }),
  );
  const path = `/services/${ours.service.number}/cancellation-warning`;
  await world.call(ours.key, 'POST', path, { body: { warningReason: 'x' } });
  t.notMatch(JSON.stringify(world.mailer.sent), /theirs/);
  await world.store.tx((tx) =>
    tx.templates.upsert({
      brokerId: ours.broker.id,
      kind: 'cancellation-warning',
      subject: 's',
      html: 'h',
      text: 't',
      active: false,
      updatedAt: 0,
    }),
  );
  refused(
    t,
    await world.call(ours.key, 'POST', path, { body: { warningReason: 'x' } }),
    {
      status: 400,
      code: 'template_not_found',
    },
    'their template is none of ours',
  );
});

t.test('Idempotency keys of two brokers never meet', async (t) => {
  const { world, ours, theirs } = await setup(t);
  const headers = { 'x-idempotency-key': 'same' };
  const answers = [];
  for (const { key, service, request } of [ours, theirs]) {
    for (const [path, body] of [
      ['/services', { plan: 'low', client: CLIENT }],
      [`/services/${service.number}/cancel`, {}],
    ] as const)
      answers.push(await world.call(key, 'POST', path, { body, headers }));
    const approval = { headers: { 'x-idempotency-key': 'other' } };
    answers.push(await world.call(key, 'POST', `/requests/${request.id}/approve`, approval));
  }
  t.strictSame(
    answers.map((answer) => answer.status),
    [201, 200, 200, 201, 200, 200],
  );
  t.notOk(answers.some((answer) => 'idempotent-replayed' in answer.headers));
  t.equal(new Set(answers.map((answer) => answer.json.data.request_id)).size, 6);
  // The first key's owner replays its own answer under another key of the same broker.
  const second = await world.addKey(ours.broker);
  const replay = await world.call(second.key, 'POST', '/services', { body: { plan: 'low', client: CLIENT }, headers });
  t.equal(replay.raw, answers[0]?.raw);
  const sandbox = await world.addKey(ours.broker, ['admin:full'], { mode: 'test' });
  const simulated = await world.call(sandbox.key, 'POST', '/services', {
    body: { plan: 'low', client: CLIENT },
    headers,
  });
  t.notOk('idempotent-replayed' in simulated.headers, 'live and test have a namespace each');
});

t.test('What one broker does leaves the other as it was', async (t) => {
  const { world, ours, theirs } = await setup(t);
  const twin = (plan: PlanRow, broker: typeof ours.broker): Promise<ServiceRow> => world.addService(broker, plan);
  const [mine, other] = [await twin(ours.low, ours.broker), await twin(theirs.low, theirs.broker)];
  t.equal((await world.call(ours.key, 'POST', `/services/${mine.number}/cancel`)).status, 200);
  const found = (await world.call(theirs.key, 'GET', `/services/${other.number}`)).json.data;
  t.strictSame([found.cancellation, found.open_request], [null, null]);
  t.equal((await world.call(theirs.key, 'GET', '/requests')).json.pagination.total, 1);
});
