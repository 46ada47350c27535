import t, { type Test } from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { listFailureReasons, retryRequest, retryRequests } from '../../../src/operator/requests/retry.ts';
import { listRequests, pageRequests, showRequest } from '../../../src/operator/requests/views.ts';
import { resumeService, suspendService } from '../../../src/operator/services/services.ts';
import type { WorkOutcome } from '../../../src/ports.ts';
import type { Action } from '../../../src/rules/offers.ts';
import { createTestProvisioner, storedRequest, workerOf } from '../../support/work.ts';
import { AN_OPERATOR, createWorld } from '../../support/world.ts';

const DAY = 86_400_000;

const REINSTALL: Action = {
  name: 'reinstall',
  display_name: 'Reinstall',
  description: null,
  options: [{ name: 'image', display_name: 'Image', description: null, type: 'text', required: true, default: null }],
  requires_operator_review: false,
  destroys_data: true,
};

const failing = (reason: string): WorkOutcome => ({
  outcome: 'failed',
  reason,
  message: `It is ${reason}`,
  serviceUsable: true,
  retryable: false,
});

/** A broker with a provisioner that answers as the test says. */
async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const broker = await world.addBroker({ slug: 'acme' });
  const { key } = await world.addKey(broker, ['admin:full'], { rateLimit: 100_000 });
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 10, billingType: 'monthly' });
  const large = await world.addPlan(broker, { slug: 'large', upgradeRank: 20, billingType: 'monthly' });
  const offer = { options: [], actions: [REINSTALL], hasCredentials: false, provisioning: null };
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[small.id, offer]])));
  const provisioner = createTestProvisioner();
  const worker = workerOf(world, provisioner);
  const addService = (fields: object = {}) => world.addService(broker, small, { status: 'active', ...fields });
  /** What a broker submits fails for a reason. */
  async function fail(path: string, body: object, reason = 'no_capacity'): Promise<string> {
    world.clock.advance(1_000);
    await world.call(key, 'POST', path, { body });
    provisioner.answers.push(failing(reason));
    await worker.runOnce();
    const { data: list } = (await world.call(key, 'GET', '/requests?perPage=1')).json;
    t.match(list[0], { request_status: 'failed', failure: { reason } }, path);
    return list[0].request_id;
  }
  const show = async (id: string) => (await world.call(key, 'GET', `/requests/${id}`)).json.data;
  const deps = { ...world.context, actor: AN_OPERATOR };
  return { world, broker, key, small, large, provisioner, worker, addService, fail, show, deps };
}

t.test('a failed request is done once more with its own input, and brokers see of which', async (t) => {
  const { world, broker, fail, show, deps, provisioner, worker, addService } = await setup(t);
  const { number } = await addService();
  const failed = await fail(`/services/${number}/actions`, { action: 'reinstall', configuration: { image: 'debian' } });
  t.match(await show(failed), { retry_of: null, origin: 'broker' });
  const again = await retryRequest.run(deps, { request_id: failed });
  t.match(again, {
    request_status: 'accepted',
    origin: 'operator',
    retry_of: failed,
    action: { name: 'reinstall' },
    configuration: { image: 'debian' },
  });
  await worker.runOnce();
  t.match(provisioner.given.at(-1), { request_id: again.request_id, configuration: { image: 'debian' } });
  t.match(await show(again.request_id), { request_status: 'completed', retry_of: failed });
  t.match(await showRequest(deps, { requestId: failed }), { retried_as: again.request_id, can_retry: false });
  t.match((await listAudit(deps, { limit: 1 }))[0], {
    action: 'service.action',
    actor: AN_OPERATOR.name,
    after: { request_id: again.request_id, retry_of: failed },
  });
  t.equal(world.mailer.sent.length, 0, 'the operator’s requests are announced in no email');
  await t.rejects(retryRequest.run(deps, { request_id: failed }), {
    message: `It was tried again already, as ${again.request_id}`,
  });
  await t.rejects(retryRequest.run(deps, { request_id: again.request_id }), { message: /is completed, not failed/ });
  t.equal((await storedRequest(world, broker.id, failed)).status, 'failed', 'the failed one stays as it is');
});

t.test('one that failed once more can be tried again itself, and of two at once one is', async (t) => {
  const { fail, deps, provisioner, worker, addService } = await setup(t);
  const { number } = await addService();
  const first = await fail(`/services/${number}/upgrade`, { new_plan: 'large' });
  const second = await retryRequest.run(deps, { request_id: first });
  provisioner.answers.push(failing('no_capacity'));
  await worker.runOnce();
  const both = await Promise.allSettled([1, 2].map(() => retryRequest.run(deps, { request_id: second.request_id })));
  t.strictSame(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await worker.runOnce();
  t.match(await listRequests.run(deps, { request_status: 'completed' }), {
    total: 1,
    records: [{ type: 'plan-upgrade', retry_of: second.request_id, new_plan: { slug: 'large' } }],
  });
});

t.test('the rules of today decide: what has changed since is refused', async (t) => {
  const { world, broker, small, large, fail, deps, addService } = await setup(t);
  const one = await addService();
  const upgrade = await fail(`/services/${one.number}/upgrade`, { new_plan: 'large' });
  await world.store.tx((tx) => tx.plans.update(broker.id, large.id, { active: false }));
  await t.rejects(retryRequest.run(deps, { request_id: upgrade }), { message: /No active plan/ });
  const ended = await addService();
  const gone = await fail(`/services/${ended.number}/cancel`, { cancellation_type: 'immediate' });
  await world.store.tx((tx) => tx.services.update(broker.id, ended.number, { status: 'terminated' }));
  await t.rejects(retryRequest.run(deps, { request_id: gone }), { message: `Service ${ended.number} is terminated` });
  const created = await fail('/services', {
    plan: small.slug,
    client: { name: 'Ada', email: 'ada@example.com' },
  });
  await t.rejects(retryRequest.run(deps, { request_id: created }), { message: /A creation cannot be tried again/ });
  await t.rejects(retryRequest.run(deps, { request_id: 'req_none' }), { message: 'There is no request "req_none"' });
});

t.test('a broker’s suspension that is done once more stays the broker’s, which lifts it', async (t) => {
  const { world, key, fail, show, deps, worker, addService } = await setup(t);
  const { number } = await addService();
  const failed = await fail(`/services/${number}/suspend`, { reason: 'unpaid' });
  const { request_id } = await retryRequest.run(deps, { request_id: failed });
  await worker.runOnce();
  t.match(await show(request_id), { request_status: 'completed', reason: 'unpaid' });
  const service = async () => (await world.call(key, 'GET', `/services/${number}`)).json.data;
  t.match(await service(), { service_status: 'suspended', suspension: { suspended_by: 'broker', reason: 'unpaid' } });
  const lifted = await fail(`/services/${number}/unsuspend`, {});
  await retryRequest.run(deps, { request_id: lifted });
  await worker.runOnce();
  t.match(await service(), { service_status: 'active' });
});

t.test(
  'an operator’s suspension, and its end, reach the machine once more while the record still says so',
  async (t) => {
    const { world, broker, deps, provisioner, worker, addService } = await setup(t);
    const { number } = await addService();
    const latest = async () => (await pageRequests(deps, { perPage: 1 })).items[0];
    provisioner.answers.push(failing('locked'));
    await suspendService.run(deps, { service_number: number, reason: 'abuse' });
    await worker.runOnce();
    const failed = await latest();
    t.match(failed, { type: 'service-suspension', request_status: 'failed', can_retry: true });
    t.match(await retryRequest.run(deps, { request_id: failed?.request_id }), { reason: 'abuse', origin: 'operator' });
    await t.rejects(retryRequest.run(deps, { request_id: failed?.request_id }), /It was tried again already/);
    await worker.runOnce();
    t.match(await world.store.read.services.find(broker.id, number), { status: 'suspended', suspendedBy: 'operator' });
    provisioner.answers.push(failing('locked'));
    await resumeService.run(deps, { service_number: number });
    await worker.runOnce();
    await retryRequest.run(deps, { request_id: (await latest())?.request_id });
    await worker.runOnce();
    t.match(await world.store.read.services.find(broker.id, number), { status: 'active' });
    await t.rejects(retryRequest.run(deps, { request_id: (await latest())?.request_id }), /is completed, not failed/);
  },
);

t.test(
  'failed requests are counted by reason, filtered by it and by when they ended, and tried again together',
  async (t) => {
    const { world, fail, deps, worker, addService } = await setup(t);
    const [one, two, three, four] = [await addService(), await addService(), await addService(), await addService()];
    const old = await fail(`/services/${one.number}/upgrade`, { new_plan: 'large' }, 'image_missing');
    world.clock.advance(3 * DAY);
    const since = world.clock.now();
    for (const each of [two, three]) await fail(`/services/${each.number}/upgrade`, { new_plan: 'large' });
    await fail(`/services/${four.number}/cancel`, { cancellation_type: 'immediate' }, 'refused');
    t.match(await listFailureReasons.run(deps, {}), {
      total: 3,
      records: [
        { reason: 'no_capacity', requests: 2, brokers: 1, to_retry: 2 },
        { reason: 'image_missing', requests: 1, to_retry: 1 },
        { reason: 'refused', requests: 1 },
      ],
    });
    t.match((await listFailureReasons.run(deps, { ended_since: '2d' })).records.length, 2);
    t.strictSame(
      (await listFailureReasons.run(deps, { type: 'cancellation' })).records.map(({ reason }) => reason),
      ['refused'],
    );
    t.match(await listRequests.run(deps, { reason: 'no_capacity' }), { total: 2, records: [{}, {}] });
    t.match(await listRequests.run(deps, { ended_until: new Date(since).toISOString() }), {
      total: 1,
      records: [{ request_id: old }],
    });
    t.match(await listRequests.run(deps, { ended_since: '2d', broker: 'acme' }), { total: 3 });
    await t.rejects(listRequests.run(deps, { ended_since: '2d', ended_until: '3d' }), /must be after since/);
    t.equal(
      await retryRequests.ask(deps, { since: '2d' }),
      '3 of 3 failed requests are submitted once more, as requests of the operator: 2 plan-upgrade, 1 cancellation.',
    );
    t.match(await retryRequests.run(deps, { reason: 'no_capacity' }), { retried: 2, failed: [] });
    await worker.runOnce();
    t.match((await listFailureReasons.run(deps, {})).records[0], { reason: 'no_capacity', requests: 2, to_retry: 0 });
    t.match(await retryRequests.run(deps, { reason: 'no_capacity' }), { retried: 0 });
  },
);

t.test('what was withdrawn is tried again only where the reason says so', async (t) => {
  const { world, key, deps, addService } = await setup(t);
  const { number } = await addService();
  const { data } = (await world.call(key, 'POST', `/services/${number}/upgrade`, { body: { new_plan: 'large' } })).json;
  await world.call(key, 'POST', `/requests/${data.request_id}/withdraw`, { body: {} });
  t.match(await retryRequests.run(deps, {}), { retried: 0 });
  t.match(await retryRequests.run(deps, { reason: 'withdrawn' }), { retried: 1 });
});
