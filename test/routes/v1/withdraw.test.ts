import t, { type Test } from 'tap';
import { withdrawForOperator } from '../../../src/lifecycle/operator-requests.ts';
import type { WorkOutcome } from '../../../src/ports.ts';
import { addRequest, iso, keysOf, NO_REQUEST, REQUEST_KEYS, refused } from '../../support/v1.ts';
import { createTestProvisioner, workerOf } from '../../support/work.ts';
import { createWorld } from '../../support/world.ts';

const DAY = 86_400_000;
const UNKNOWN_ID = 'req_01JZ5Q0V3M8E4Y9T2B7C6D1F0G';

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 10 });
  const large = await world.addPlan(broker, { slug: 'large', upgradeRank: 20 });
  await world.addPlan(broker, { slug: 'reviewed', upgradeRank: 30, requiresOperatorReview: true });
  const renewalAt = world.clock.now() + 10 * DAY;
  const service = await world.addService(broker, small, { renewalAt });
  const provisioner = createTestProvisioner();
  const post = (url: string, body: unknown = {}, headers = {}) => world.call(key, 'POST', url, { body, headers });
  const idOf = async (url: string, body: unknown = {}) => (await post(url, body)).json.data.request_id as string;
  const base = `/services/${service.number}`;
  return {
    world,
    broker,
    key,
    large,
    service,
    provisioner,
    worker: workerOf(world, provisioner),
    post,
    withdraw: (id: string, body: unknown = {}, headers = {}) => post(`/requests/${id}/withdraw`, body, headers),
    upgrade: (plan = 'large') => idOf(`${base}/upgrade`, { new_plan: plan }),
    cancel: (cancellationType?: string, number = service.number) =>
      idOf(`/services/${number}/cancel`, { cancellation_type: cancellationType }),
    create: async () =>
      (await post('/services', { plan: 'small', client: { name: 'Ada', email: 'ada@example.com' } })).json.data,
    request: async (id: string) => (await world.call(key, 'GET', `/requests/${id}`)).json.data,
    serviceNow: async (number = service.number) => (await world.call(key, 'GET', `/services/${number}`)).json.data,
  };
}

const NO_CAPACITY: WorkOutcome = {
  outcome: 'failed',
  reason: 'no_capacity',
  message: 'None is left',
  serviceUsable: true,
  retryable: true,
};

t.test('a scheduled cancellation can be taken back, and the service is as it was', async (t) => {
  const { world, cancel, withdraw, request, serviceNow, worker, provisioner, post, service } = await setup(t);
  const before = await serviceNow();
  const id = await cancel('end_of_term');
  t.match(await serviceNow(), { cancellation: { request_id: id }, open_request: { request_id: id } });
  world.clock.advance(1000);
  const now = iso(world.clock.now());

  const answer = await withdraw(id, { reason: ' The client has paid. ' });
  t.equal(answer.status, 200);
  const { history, ...record } = await request(id);
  t.strictSame(answer.json.data, record, 'the answer is the record of the request');
  t.strictSame(keysOf(record), REQUEST_KEYS.cancellation);
  t.match(record, {
    request_status: 'failed',
    is_final: true,
    next_check_seconds: null,
    processed_date: now,
    decision: null,
    failure: { reason: 'withdrawn', service_usable: true, retryable: true },
  });
  t.strictSame(history.at(-1), {
    request_status: 'failed',
    date: now,
    actor: 'broker',
    note: 'The client has paid.',
  });
  const { updated_date: _, ...after } = await serviceNow();
  const { updated_date: __, ...stood } = before;
  t.strictSame(after, stood);

  world.clock.advance(11 * DAY);
  t.equal(await worker.runOnce(), 0);
  t.equal(provisioner.given.length, 0, 'it is never worked on');
  t.equal((await post(`/services/${service.number}/cancel`)).status, 200, 'and the service can be cancelled again');
});

t.test('a plan change is taken back from the queue, and from the operator', async (t) => {
  const { upgrade, withdraw, request, serviceNow } = await setup(t);
  const queued = await upgrade();
  t.match((await withdraw(queued)).json.data, {
    request_status: 'failed',
    failure: { reason: 'withdrawn', service_usable: true, retryable: true },
  });
  t.match((await request(queued)).history.at(-1), { actor: 'broker', note: null });

  const reviewed = await upgrade('reviewed');
  t.match((await withdraw(reviewed, { reason: 'Changed plans.' })).json.data, {
    request_status: 'denied',
    operator_review: false,
    is_final: true,
    failure: null,
    decision: { action: 'deny', decided_by: 'broker', reason: 'withdrawn' },
  });
  t.match((await request(reviewed)).history.at(-1), { actor: 'broker', note: 'Changed plans.' });
  t.match(await serviceNow(), { plan: { slug: 'small' }, open_request: null });
});

t.test('a withdrawn creation terminates its service', async (t) => {
  const { create, withdraw, serviceNow, worker } = await setup(t);
  const { request_id: id, service_number: number } = await create();
  t.match((await withdraw(id)).json.data, {
    request_status: 'failed',
    failure: { reason: 'withdrawn', service_usable: false, retryable: true },
  });
  t.match(await serviceNow(number), { service_status: 'terminated', open_request: null });
  t.equal(await worker.runOnce(), 0);
});

t.test('the operator withdraws by the same rules, and is named for it', async (t) => {
  const { world, upgrade, cancel, withdraw, request } = await setup(t);
  const operator = (requestId: string) => withdrawForOperator(world.context, { requestId, reason: 'A mistake' });
  const reviewed = await upgrade('reviewed');
  t.match(await operator(reviewed), { request_status: 'denied', decision: { decided_by: 'operator' } });
  t.match((await request(reviewed)).history.at(-1), { actor: 'operator', note: 'A mistake' });
  const id = await cancel();
  t.match(await operator(id), { request_status: 'failed', failure: { reason: 'withdrawn' } });
  t.match((await request(id)).history.at(-1), { actor: 'operator', note: 'A mistake' });
  await t.rejects(operator(id), { code: 'already_processed' });
  await t.rejects(operator('nothing'), { code: 'not_found' });
  t.equal((await withdraw(id)).status, 409);
});

t.test('what cannot be withdrawn is refused, the first reason first', async (t) => {
  const { world, broker, key, large, service, upgrade, cancel, create, withdraw, worker, provisioner } = await setup(t);
  const invalid = { status: 400, code: 'invalid_state' };

  refused(t, await withdraw(UNKNOWN_ID), NO_REQUEST);
  refused(t, await withdraw('nothing'), NO_REQUEST);
  const stranger = await world.addBroker();
  const { key: theirs } = await world.addKey(stranger);
  const id = await upgrade();
  refused(t, await world.call(theirs, 'POST', `/requests/${id}/withdraw`), NO_REQUEST);
  const { key: decider } = await world.addKey(broker, ['requests:write']);
  t.equal((await world.call(decider, 'POST', `/requests/${id}/withdraw`)).status, 403);
  refused(t, await withdraw(id, { reason: ' ' }), {
    status: 400,
    code: 'invalid_parameter',
    fields: ['body.reason blank'],
  });

  t.test('what is final', async (t) => {
    await worker.runOnce();
    const processed = (await world.call(key, 'GET', `/requests/${id}`)).json.data.processed_date;
    refused(t, await withdraw(id), {
      status: 409,
      code: 'already_processed',
      reason: 'request_already_processed',
      details: { request_status: 'completed', processed_date: processed, decision: null },
    });
  });

  t.test("a client's wish, which the broker denies instead", async (t) => {
    const other = await world.addService(broker, large);
    const wish = await addRequest(world, other, { type: 'cancellation', leaseOwner: 'no worker' });
    refused(t, await withdraw(wish.id), { ...invalid, reason: 'awaiting_decision' });
  });

  t.test('what an operator submitted, which the operator withdraws', async (t) => {
    const other = await world.addService(broker, large);
    const fields = { type: 'cancellation', status: 'accepted', origin: 'operator' } as const;
    const ordered = await addRequest(world, other, { ...fields, dueAt: world.clock.now() });
    refused(t, await withdraw(ordered.id), { ...invalid, reason: 'asked_by_operator' });
    const { request_status } = await withdrawForOperator(world.context, { requestId: ordered.id, reason: null });
    t.equal(request_status, 'failed');
  });

  t.test('what a worker holds, or may have done', async (t) => {
    const held = await cancel('immediate');
    const retry = { outcome: 'retry', reason: 'outcome_unknown', message: 'No' } as const;
    provisioner.answers.push(async () => {
      refused(t, await withdraw(held), { ...invalid, reason: 'work_has_begun' });
      return { ...retry, mayBeDone: true };
    });
    await worker.runOnce();
    refused(t, await withdraw(held), { ...invalid, reason: 'work_has_begun' }, 'it is unknown whether it was done');
    world.clock.advance(DAY);
    await worker.runOnce();
    t.equal((await world.store.read.services.find(broker.id, service.number))?.status, 'cancelled');
  });

  t.test('a cancellation that closed a creation, and before that one whose work has begun', async (t) => {
    const { service_number: number } = await create();
    // Within the millisecond of its creation the closing would be dated after the cancellation.
    world.clock.advance(1000);
    const closing = await cancel('end_of_term', number);
    refused(t, await withdraw(closing), { ...invalid, reason: 'creation_closed' });
    await world.store.tx((tx) =>
      tx.requests.move(broker.id, closing, { status: 'accepted' }, { leaseOwner: 'a worker' }),
    );
    refused(t, await withdraw(closing), { ...invalid, reason: 'work_has_begun' });
  });
});

t.test('what certainly was not begun can be withdrawn between two attempts', async (t) => {
  const { cancel, withdraw, worker, provisioner, serviceNow } = await setup(t);
  const id = await cancel('immediate');
  provisioner.answers.push({ outcome: 'retry', reason: 'provisioner_unreachable', message: 'No', mayBeDone: false });
  await worker.runOnce();
  t.match((await withdraw(id)).json.data, { request_status: 'failed' });
  t.match(await serviceNow(), { service_status: 'active', cancellation: null });
});

t.test('of withdrawals, decisions and claims at the same time exactly one wins', async (t) => {
  const { world, broker, upgrade, cancel, withdraw, request, worker, provisioner, serviceNow } = await setup(t);
  for (let round = 0; round < 5; round += 1) {
    const reviewed = await upgrade('reviewed');
    const ends = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => withdraw(reviewed).then(({ status }) => status)),
      ...Array.from({ length: 4 }, () =>
        withdrawForOperator(world.context, { requestId: reviewed, reason: null }).then(() => 200),
      ),
    ]);
    t.equal(ends.filter((end) => end.status === 'fulfilled' && end.value === 200).length, 1);
    t.equal((await request(reviewed)).history.length, 2);

    const id = await cancel('immediate');
    provisioner.given.length = 0;
    const [taken, { status }] = await Promise.all([worker.runOnce(), withdraw(id)]);
    const record = await request(id);
    t.equal(record.history.length, 2);
    if (status === 200) {
      t.equal(provisioner.given.length, 0, 'what was withdrawn is not worked on');
      t.match([taken, record.request_status], [0, 'failed']);
      t.match(await serviceNow(), { service_status: 'active', cancellation: null });
    } else {
      t.match([taken, record.request_status], [1, 'completed']);
      await world.store.tx(async (tx) => {
        const changes = { status: 'active', cancelledAt: null, cancellationType: null } as const;
        await tx.services.update(broker.id, record.service_number, changes);
      });
    }
  }
});

t.test('a service whose creation a cancellation closed does not stay pending, however that ends', async (t) => {
  const { world, broker, create, cancel, withdraw, worker, provisioner, serviceNow, request, service } = await setup(t);
  const closed = async (outcome: WorkOutcome) => {
    const { service_number: number } = await create();
    const id = await cancel('immediate', number);
    t.match(await serviceNow(number), { service_status: 'pending' });
    provisioner.answers.push(outcome);
    await worker.runOnce();
    return { status: (await serviceNow(number)).service_status, ...(await request(id)) };
  };
  t.match(await closed({ outcome: 'done' }), { status: 'cancelled', request_status: 'completed' });
  t.match(await closed(NO_CAPACITY), {
    status: 'terminated',
    request_status: 'failed',
    failure: { service_usable: false },
  });

  // The next cancellation has closed no creation.
  const again = await create();
  world.clock.advance(1000);
  await cancel('immediate', again.service_number);
  await worker.runOnce();
  world.clock.advance(1000);
  const active = { status: 'active', cancellationRequestId: null, cancellationEffectiveAt: null } as const;
  await world.store.tx((tx) => tx.services.update(broker.id, again.service_number, active));
  t.equal((await withdraw(await cancel('end_of_term', again.service_number))).status, 200);

  // One that was imported as pending waits for its operator, as it did before.
  await world.store.tx((tx) => tx.services.update(broker.id, service.number, { status: 'pending' }));
  const id = await cancel('immediate');
  provisioner.answers.push(NO_CAPACITY);
  await worker.runOnce();
  t.match(await request(id), { request_status: 'failed', failure: { service_usable: true } });
  t.match(await serviceNow(), { service_status: 'pending', cancellation: null });
});
