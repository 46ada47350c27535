import t, { type Test } from 'tap';
import { reviewRequest } from '../../../src/lifecycle/operator-requests.ts';
import { importServices } from '../../../src/operator/services/import.ts';
import { setService } from '../../../src/operator/services/services.ts';
import type { ServiceStatus } from '../../../src/rules/words.ts';
import { addRequest, iso, keysOf, moveService, NO_SERVICE, REQUEST_KEYS, refused } from '../../support/v1.ts';
import { createTestProvisioner, workerOf } from '../../support/work.ts';
import { createWorld } from '../../support/world.ts';

const HOUR = 3_600_000;

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker({ slug: 'acme' });
  const { key } = await world.addKey(broker);
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 10 });
  await world.addPlan(broker, { slug: 'large', upgradeRank: 20 });
  await world.addPlan(broker, { slug: 'reviewed', upgradeRank: 30, requiresOperatorReview: true });
  const provisioner = createTestProvisioner();
  const worker = workerOf(world, provisioner);
  const post = (url: string, body?: unknown, headers = {}) => world.call(key, 'POST', url, { body, headers });
  const add = (status: ServiceStatus = 'active', fields = {}) => world.addService(broker, small, { status, ...fields });
  const suspend = (number: number, body?: unknown, headers = {}) => post(`/services/${number}/suspend`, body, headers);
  const unsuspend = (number: number, body?: unknown) => post(`/services/${number}/unsuspend`, body);
  return {
    world,
    broker,
    key,
    provisioner,
    worker,
    post,
    add,
    suspend,
    unsuspend,
    cancel: (number: number) => post(`/services/${number}/cancel`, { cancellation_type: 'immediate' }),
    upgrade: (number: number, plan = 'large') => post(`/services/${number}/upgrade`, { new_plan: plan }),
    /** A service that the broker has suspended. */
    async suspended(reason?: string) {
      const { number } = await add();
      await suspend(number, reason === undefined ? undefined : { reason });
      await worker.runOnce();
      return number;
    },
    asOperator: (number: number, status: ServiceStatus, reason?: string) =>
      setService.run(world.context, { broker: 'acme', service_number: number, service_status: status, reason }),
    service: async (number: number) => (await world.call(key, 'GET', `/services/${number}`)).json.data,
    request: async (id: string) => (await world.call(key, 'GET', `/requests/${id}`)).json.data,
  };
}

const state = (reason: string, details?: object) => ({
  status: 400,
  code: 'invalid_state',
  reason,
  ...(details && { details }),
});

t.test('a service is suspended when the work is done, with the reason, and active again after its end', async (t) => {
  const { world, worker, provisioner, add, suspend, unsuspend, service, request } = await setup(t);
  const { number } = await add('active', { renewalAt: world.clock.now() + 240 * HOUR });
  const before = await service(number);
  t.equal(before.suspension, null);

  const asked = await suspend(number, { reason: ' Two invoices are overdue. ' });
  t.equal(asked.status, 200);
  const { data } = asked.json;
  t.strictSame(keysOf(data), REQUEST_KEYS['service-suspension']);
  t.match(data, {
    type: 'service-suspension',
    request_status: 'accepted',
    operator_review: false,
    origin: 'broker',
    reason: 'Two invoices are overdue.',
    is_final: false,
    next_check_seconds: 1,
  });
  const open = { request_id: data.request_id, type: 'service-suspension', request_status: 'accepted' };
  t.match(await service(number), { service_status: 'active', suspension: null, open_request: open });

  world.clock.advance(1000);
  await worker.runOnce();
  t.match(provisioner.given[0], { type: 'service-suspension', service: { service_status: 'active' }, new_plan: null });
  const suspension = {
    suspended_by: 'broker',
    reason: 'Two invoices are overdue.',
    suspended_date: iso(world.clock.now()),
  };
  const during = await service(number);
  t.strictSame(during.suspension, suspension);
  t.match(during, { service_status: 'suspended', open_request: null, renewal_date: before.renewal_date });
  t.ok(during.updated_date > before.updated_date);
  t.match(await request(data.request_id), { request_status: 'completed', history: [{}, { actor: 'system' }] });

  const lifted = await unsuspend(number, {});
  t.strictSame(keysOf(lifted.json.data), REQUEST_KEYS['service-unsuspension']);
  t.strictSame((await service(number)).suspension, suspension, 'until the work is done');
  await worker.runOnce();
  t.match(provisioner.given[1], { type: 'service-unsuspension', service: { suspension } });
  t.match(await service(number), { service_status: 'active', suspension: null, open_request: null });
  const row = await world.store.read.services.find((await world.store.read.brokers.list())[0]?.id ?? '', number);
  t.match(row, { suspendedBy: null, suspensionReason: null, suspendedAt: null });
});

t.test(
  'the last word wins: what is asked while its opposite is open waits, and the same word takes it back',
  async (t) => {
    const { world, add, suspend, unsuspend, service, request, worker } = await setup(t);
    const { number } = await add('active', { renewalAt: world.clock.now() + 240 * HOUR });
    const first = (await suspend(number)).json.data;
    const second = (await unsuspend(number)).json.data;
    t.match(second, { type: 'service-unsuspension', request_status: 'accepted', is_final: false });
    t.match(await service(number), {
      service_status: 'active',
      expected: { service_status: 'active' },
      open_requests: [{ request_id: first.request_id }, { request_id: second.request_id }],
    });
    refused(
      t,
      await unsuspend(number),
      state('suspension_in_progress', { request_id: second.request_id, type: 'service-unsuspension' }),
    );
    const back = (await suspend(number)).json.data;
    t.equal(back.request_id, first.request_id, 'the open suspension is the answer');
    t.match(await request(second.request_id), { request_status: 'failed', failure: { reason: 'superseded' } });
    t.match(await service(number), { expected: { service_status: 'suspended' } });
    const third = (await unsuspend(number)).json.data;
    await worker.runOnce();
    t.match(await request(first.request_id), { request_status: 'completed' });
    t.match(await request(third.request_id), { request_status: 'completed' }, 'it began when the other was final');
    t.match(await service(number), { service_status: 'active', expected: null, open_requests: [] });
  },
);

t.test('suspend and unsuspend are refused in the contract’s order', async (t) => {
  const { world, add, suspend, unsuspend, suspended } = await setup(t);
  refused(t, await suspend(1), NO_SERVICE);
  refused(t, await unsuspend(1), NO_SERVICE);
  for (const type of ['service-suspension', 'service-unsuspension'] as const) {
    for (const status of ['cancelled', 'terminated'] as const) {
      const ended = await add(status);
      await addRequest(world, ended, { type, status: 'accepted', origin: 'broker' });
      refused(t, await suspend(ended.number), state(`service_${status}`));
      refused(t, await unsuspend(ended.number), state(`service_${status}`));
    }
    for (const status of ['active', 'suspended', 'pending'] as const) {
      const busy = await add(status, { suspendedBy: 'broker', suspendedAt: world.clock.now() });
      const { id } = await addRequest(world, busy, { type, status: 'accepted', origin: 'broker', dueAt: 1 });
      const again = type === 'service-suspension' ? suspend : unsuspend;
      refused(t, await again(busy.number), state('suspension_in_progress', { request_id: id, type }));
    }
  }
  refused(t, await suspend(await suspended()), state('service_suspended'));
  refused(t, await suspend((await add('suspended')).number), state('service_suspended'));
  refused(t, await suspend((await add('pending')).number), state('service_not_active'));
  for (const status of ['active', 'pending'] as const) {
    refused(t, await unsuspend((await add(status)).number), state('service_not_suspended'));
  }
  refused(t, await unsuspend((await add('suspended')).number), state('suspended_by_operator'));
});

t.test(
  'what the operator or an earlier release suspended has the operator’s name and the date of that change',
  async (t) => {
    const { world, add, service, asOperator, unsuspend, suspended, worker } = await setup(t);
    const old = await add('suspended');
    const suspension = { suspended_by: 'operator', reason: null, suspended_date: iso(old.updatedAt) };
    t.strictSame((await service(old.number)).suspension, suspension);
    world.clock.advance(HOUR);
    await moveService(world, old, { label: 'renamed', updatedAt: world.clock.now() });
    t.strictSame((await service(old.number)).suspension, suspension, 'later changes do not move it');

    // By a change that does not name the columns.
    const number = await suspended('overdue');
    const row = { brokerId: old.brokerId, number } as typeof old;
    await moveService(world, row, { status: 'active', updatedAt: world.clock.now() });
    t.equal((await service(number)).suspension, null);
    world.clock.advance(HOUR);
    await moveService(world, row, { status: 'suspended', updatedAt: world.clock.now() });
    t.strictSame((await service(number)).suspension, {
      suspended_by: 'operator',
      reason: null,
      suspended_date: iso(world.clock.now()),
    });
    refused(t, await unsuspend(number), state('suspended_by_operator'));

    const own = await suspended('overdue');
    await asOperator(own, 'suspended');
    t.match(await service(own), { suspension: { suspended_by: 'operator', reason: null } }, 'it replaces the broker’s');
    await asOperator(own, 'suspended', 'abuse');
    const { suspension: reported } = await service(own);
    t.match(reported, { suspended_by: 'operator', reason: 'abuse' });
    world.clock.advance(HOUR);
    await asOperator(own, 'suspended');
    t.strictSame((await service(own)).suspension, reported, 'the operator’s stays as it is');
    refused(t, await unsuspend(own), state('suspended_by_operator'));
    await asOperator(own, 'active');
    t.match(await service(own), { service_status: 'active', suspension: null });
    await t.rejects(asOperator(own, 'active', 'why'), { name: 'OperatorError' });
    t.equal(await worker.runOnce(), 0);
  },
);

t.test('an operator’s suspension is neither replaced nor lifted by work that was under way', async (t) => {
  const { provisioner, worker, add, suspend, unsuspend, suspended, asOperator, service, request } = await setup(t);
  const { number } = await add();
  const first = (await suspend(number, { reason: 'overdue' })).json.data.request_id;
  await asOperator(number, 'suspended', 'abuse');
  await worker.runOnce();
  t.match(await request(first), { request_status: 'completed' });
  t.match(await service(number), { suspension: { suspended_by: 'operator', reason: 'abuse' } });

  const failed = {
    request_status: 'failed',
    failure: { reason: 'suspended_by_operator', service_usable: false, retryable: false },
  };
  const before = await suspended();
  const early = (await unsuspend(before)).json.data.request_id;
  await asOperator(before, 'suspended');
  const calls = provisioner.given.length;
  await worker.runOnce();
  t.equal(provisioner.given.length, calls, 'nothing is begun');
  t.match(await request(early), failed);

  const during = await suspended();
  const late = (await unsuspend(during)).json.data.request_id;
  provisioner.answers.push(async () => {
    await asOperator(during, 'suspended', 'abuse');
    return { outcome: 'done' };
  });
  await worker.runOnce();
  t.match(await request(late), failed);
  t.match(await service(during), { service_status: 'suspended', suspension: { suspended_by: 'operator' } });

  const lifted = await suspended();
  const end = (await unsuspend(lifted)).json.data.request_id;
  await asOperator(lifted, 'active');
  await worker.runOnce();
  t.match(await request(end), { request_status: 'completed' });
  t.match(await service(lifted), { service_status: 'active', suspension: null });
});

t.test('an accepted plan change completes on a suspended service; an undecided one waits for the end', async (t) => {
  const { world, broker, worker, post, add, suspend, unsuspend, upgrade, service, request } = await setup(t);
  const { number } = await add();
  await suspend(number);
  const change = (await upgrade(number)).json.data.request_id;
  t.match(await service(number), { open_request: { request_id: change } }, 'a plan change comes first');
  await worker.runOnce();
  t.match(await request(change), { request_status: 'completed' });
  t.match(await service(number), { service_status: 'suspended', plan: { slug: 'large' } });
  refused(t, await upgrade(number, 'reviewed'), state('service_not_active'));

  const reviewed = await add();
  const review = (await upgrade(reviewed.number, 'reviewed')).json.data.request_id;
  const client = await add();
  const plans = await world.store.read.plans.list(broker.id);
  const wish = await addRequest(world, client, {
    type: 'plan-upgrade',
    currentPlanId: client.planId,
    newPlanId: plans.find(({ slug }) => slug === 'large')?.id ?? null,
  });
  for (const each of [reviewed, client]) await suspend(each.number);
  await worker.runOnce();
  refused(t, await post(`/requests/${wish.id}/approve`), state('service_not_active'));
  const accept = () => reviewRequest(world.context, { requestId: review, accept: true, reason: null });
  await t.rejects(accept(), /^The service is suspended/);
  t.match(await request(review), { request_status: 'operator_review' });
  t.match(await request(wish.id), { request_status: 'pending' });
  for (const each of [reviewed, client]) await unsuspend(each.number);
  await worker.runOnce();
  t.equal((await post(`/requests/${wish.id}/approve`)).status, 200);
  t.match(await accept(), { request_status: 'accepted' });
});

t.test('a suspension goes on beside a scheduled cancellation and fails when the service ends', async (t) => {
  const { world, provisioner, worker, post, add, suspend, unsuspend, suspended, cancel, asOperator, service, request } =
    await setup(t);
  const leaving = await add('active', { renewalAt: world.clock.now() + 240 * HOUR });
  await suspend(leaving.number);
  const scheduled = await post(`/services/${leaving.number}/cancel`);
  t.match(await service(leaving.number), { open_request: { request_id: scheduled.json.data.request_id } });
  await worker.runOnce();
  t.match(await service(leaving.number), { service_status: 'suspended', cancellation: {} });
  await unsuspend(leaving.number);
  await worker.runOnce();
  t.match(await service(leaving.number), { service_status: 'active', cancellation: {} });

  const failed = (reason: string, actor = 'system') => ({
    request_status: 'failed',
    failure: { reason, service_usable: false, retryable: false },
    history: [{}, { actor, note: reason }],
  });
  const slow = { outcome: 'in_progress', token: 'x', checkAfterSeconds: 3600 } as const;
  for (const number of [(await add()).number, await suspended()]) {
    const submit = (await service(number)).service_status === 'active' ? suspend : unsuspend;
    provisioner.answers.push(slow);
    const open = (await submit(number)).json.data.request_id;
    await worker.runOnce();
    await cancel(number);
    t.match(await request(open), { request_status: 'accepted' });
    await worker.runOnce();
    t.match(await service(number), { service_status: 'cancelled', suspension: null, open_request: null });
    t.match(await request(open), failed('service_cancelled'));
  }
  for (const status of ['cancelled', 'terminated'] as const) {
    const { number } = await add();
    const open = (await suspend(number)).json.data.request_id;
    await asOperator(number, status);
    t.match(await request(open), failed(`service_${status}`, 'operator'));
    t.match(await service(number), { service_status: status, open_request: null });
  }
  const record = (status: string, service_number: number) => ({
    service_number,
    service_status: status,
    plan: 'small',
    client: { name: 'Ada' },
  });
  const importAs = (status: string, number: number) =>
    importServices(world.context, {
      broker: 'acme',
      file: { name: 'services.json', content: Buffer.from(JSON.stringify([record(status, number)])) },
    });
  const imported = (await add()).number;
  const closed = (await suspend(imported)).json.data.request_id;
  await importAs('terminated', imported);
  t.match(await request(closed), failed('service_terminated', 'operator'));
  const kept = await suspended('overdue');
  const { suspension } = await service(kept);
  await importAs('suspended', kept);
  t.strictSame((await service(kept)).suspension, suspension, 'a file does not tell who suspended it');
  await importAs('active', kept);
  t.match(await service(kept), { service_status: 'active', suspension: null });

  const { number, brokerId } = await add();
  const open = (await suspend(number)).json.data.request_id;
  await moveService(world, { number, brokerId } as never, { status: 'terminated' });
  await worker.runOnce();
  t.match(await request(open), failed('service_terminated'), 'also where an earlier release ended it');
});

t.test('the client is notified of a suspension and of its end where the broker has templates', async (t) => {
  const { world, broker, suspended, unsuspend, worker } = await setup(t);
  for (const kind of ['suspension-completed', 'unsuspension-completed']) await world.addTemplate(broker, kind);
  const number = await suspended();
  await unsuspend(number);
  await worker.runOnce();
  const emails = await world.store.read.emails.list({ now: world.clock.now(), limit: 10 });
  t.match(emails.map(({ kind, status, serviceNumber }) => [kind, status, serviceNumber]).reverse(), [
    ['suspension-completed', 'sent', number],
    ['unsuspension-completed', 'sent', number],
  ]);
});

t.test('both can be withdrawn until the work begins, and leave the service as it is', async (t) => {
  const { provisioner, worker, post, add, suspend, unsuspend, suspended, service, request } = await setup(t);
  for (const number of [(await add()).number, await suspended()]) {
    const before = await service(number);
    const usable = before.service_status === 'active';
    const submit = usable ? suspend : unsuspend;
    const id = (await submit(number)).json.data.request_id;
    const withdrawn = await post(`/requests/${id}/withdraw`);
    t.match(withdrawn.json.data, {
      request_status: 'failed',
      failure: { reason: 'withdrawn', service_usable: usable, retryable: true },
    });
    t.equal(await worker.runOnce(), 0);
    t.match(await service(number), { ...before, updated_date: String });

    provisioner.answers.push({ outcome: 'in_progress', token: null, checkAfterSeconds: 5 });
    const begun = (await submit(number)).json.data.request_id;
    await worker.runOnce();
    refused(t, await post(`/requests/${begun}/withdraw`), state('work_has_begun'));
    t.match(await request(begun), { request_status: 'accepted' });
  }
});

t.test('work that fails leaves the service as it is and says whether it is usable', async (t) => {
  const { provisioner, worker, add, suspend, unsuspend, suspended, service, request } = await setup(t);
  const failure = { reason: 'no_console', message: 'No', serviceUsable: true, retryable: true };
  for (const number of [(await add()).number, await suspended()]) {
    const before = await service(number);
    provisioner.answers.push({ outcome: 'failed', ...failure });
    const id = (await (before.service_status === 'active' ? suspend : unsuspend)(number)).json.data.request_id;
    await worker.runOnce();
    t.match(await request(id), { request_status: 'failed', failure: { reason: 'no_console' } });
    t.match(await service(number), { ...before, updated_date: String });
  }
});

t.test('of equal calls at once one is accepted; whatever races with it, the service ends in one state', async (t) => {
  const { worker, add, suspend, unsuspend, suspended, cancel, upgrade, service } = await setup(t);
  const { number } = await add();
  const twins = await Promise.all(Array.from({ length: 5 }, () => suspend(number)));
  t.strictSame(twins.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);

  for (let round = 0; round < 6; round++) {
    const active = (await add()).number;
    const paused = await suspended();
    const orders = [
      () => suspend(active),
      () => upgrade(active),
      () => cancel(active),
      () => unsuspend(paused),
      () => suspend(paused),
      () => cancel(paused),
    ];
    // Another order in each round.
    const calls = [...orders.slice(round), ...orders.slice(0, round)].map((call) => call());
    await Promise.all([...calls, worker.runOnce()]);
    await worker.runOnce();
    for (const each of [active, paused]) {
      t.match(await service(each), { service_status: 'cancelled', suspension: null, open_request: null });
    }
  }
});
