import t, { type Test } from 'tap';
import { reviewRequest } from '../../../src/lifecycle/operator-requests.ts';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { submitClientRequest, takeBackRequest } from '../../../src/operator/requests/decisions.ts';
import { showRequest } from '../../../src/operator/requests/views.ts';
import { resumeService, setService, suspendService } from '../../../src/operator/services/services.ts';
import { actionUseCase, cancelService, requireAction } from '../../../src/operator/services/work.ts';
import { showOverview } from '../../../src/operator/system/overview.ts';
import { getStatus } from '../../../src/operator/system/status.ts';
import type { WorkOutcome } from '../../../src/ports.ts';
import type { Action } from '../../../src/rules/offers.ts';
import { createTestProvisioner, workerOf } from '../../support/work.ts';
import { AN_OPERATOR, createWorld } from '../../support/world.ts';

/** What the operator does reaches the machine (contract, section 12.6). */

const ACTIONS: Action[] = [
  {
    name: 'reinstall',
    display_name: 'Reinstall',
    description: null,
    requires_operator_review: true,
    destroys_data: true,
    options: [
      {
        name: 'image',
        display_name: 'Image',
        description: null,
        type: 'choice',
        required: false,
        default: 'debian-13',
        choices: ['debian-13', 'alpine-4'].map((value) => ({ value, display_name: value })),
      },
      {
        name: 'hostname',
        display_name: 'Host',
        description: null,
        type: 'text',
        required: true,
        default: null,
        format: 'hostname',
        max_length: 253,
      },
      { name: 'size', display_name: 'Size', description: null, type: 'number', required: false, default: null },
      { name: 'backups', display_name: 'Backups', description: null, type: 'boolean', required: false, default: null },
    ],
  },
];

async function setup(t: Test, { hasProvisioner = true } = {}) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = hasProvisioner;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker, { slug: 'vps', billingType: 'monthly' });
  const offer = { options: [], actions: ACTIONS, hasCredentials: false, provisioning: null };
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[plan.id, offer]])));
  const service = await world.addService(broker, plan, { status: 'active' });
  const provisioner = createTestProvisioner();
  const worker = workerOf(world, provisioner);
  const named = { service_number: service.number };
  const deps = { ...world.context, actor: AN_OPERATOR };
  const call = (method: 'GET' | 'POST', url: string, body?: unknown) => world.call(key, method, url, { body });
  return {
    world,
    broker,
    plan,
    provisioner,
    worker,
    named,
    deps,
    call,
    /** What the worker asks the provisioner now, each answered in turn. */
    async work(...answers: WorkOutcome[]) {
      provisioner.answers.push(...answers.map((answer) => async () => answer));
      const before = provisioner.given.length;
      await worker.runOnce();
      return provisioner.given.slice(before).map(({ type }) => type);
    },
    suspend: (input: object = {}) => suspendService.run(deps, { ...named, ...input }),
    resume: (input: object = {}) => resumeService.run(deps, { ...named, ...input }),
    ask: (what: 'suspend' | 'unsuspend') => call('POST', `/services/${service.number}/${what}`, {}),
    shown: async (number = service.number) => (await call('GET', `/services/${number}`)).json.data,
    requests: async (number = service.number): Promise<Array<Record<string, never>>> => {
      const { json } = await call('GET', `/requests?service_number=${number}`);
      return json.data.sort((a: { request_id: string }, b: { request_id: string }) =>
        a.request_id < b.request_id ? -1 : 1,
      );
    },
  };
}

const DONE: WorkOutcome = { outcome: 'done' };
const REFUSED: WorkOutcome = {
  outcome: 'failed',
  reason: 'no_such_machine',
  message: 'None',
  serviceUsable: true,
  retryable: false,
};
const AT_WORK: WorkOutcome = { outcome: 'in_progress', token: null, checkAfterSeconds: 30 };

t.test('the operator’s suspension shows at once and is brought to the machine; its end when it is done', async (t) => {
  const { suspend, resume, work, shown, requests, call, world } = await setup(t);
  t.match(await suspend({ reason: 'unpaid' }), { service_status: 'suspended', suspension: { reason: 'unpaid' } });
  const [request] = await requests();
  t.match(request, {
    type: 'service-suspension',
    origin: 'operator',
    request_status: 'accepted',
    reason: 'unpaid',
  });
  const withdrawn = await call('POST', `/requests/${request?.request_id}/withdraw`);
  t.match(withdrawn.json.error, { details: { reason: 'asked_by_operator' } });
  t.strictSame(await work(), ['service-suspension']);
  t.match(await shown(), { service_status: 'suspended', suspension: { suspended_by: 'operator', reason: 'unpaid' } });

  t.match(await resume(), { service_status: 'suspended', expected: { service_status: 'active' } });
  await t.rejects(resume(), { kind: 'refused', message: /open already/ });
  t.strictSame(await work(), ['service-unsuspension']);
  t.match(await shown(), { service_status: 'active', suspension: null, open_requests: [] });
  t.strictSame(world.mailer.sent, [], 'no email is sent for what the operator asked for');
});

t.test('a suspension whose work fails stays in the record, and so does one whose end fails', async (t) => {
  const { suspend, resume, work, shown } = await setup(t);
  await suspend();
  await work(REFUSED);
  t.match(await shown(), { service_status: 'suspended', open_request: null });
  await resume();
  await work(REFUSED);
  t.match(await shown(), { service_status: 'suspended', open_request: null });
});

t.test('a broker’s suspension that has not begun is superseded by the operator’s', async (t) => {
  const { suspend, ask, requests, work, shown, deps } = await setup(t);
  await ask('suspend');
  await ask('unsuspend');
  await suspend();
  t.match(await requests(), [
    { type: 'service-suspension', origin: 'broker', request_status: 'failed', failure: { reason: 'superseded' } },
    { type: 'service-unsuspension', origin: 'broker', request_status: 'failed', failure: { reason: 'superseded' } },
    { type: 'service-suspension', origin: 'operator', request_status: 'accepted' },
  ]);
  t.strictSame(await work(), ['service-suspension']);
  t.match(await shown(), { service_status: 'suspended', suspension: { suspended_by: 'operator' } });
  t.equal((await listAudit(deps)).filter(({ action }) => action === 'request.close').length, 2);
});

t.test('beside a suspension at work none enters, and behind an end the operator’s waits', async (t) => {
  const { suspend, ask, requests, work, shown, world } = await setup(t);
  await ask('suspend');
  await work(AT_WORK);
  await suspend();
  t.equal((await requests()).length, 1);
  world.clock.advance(30_000);
  await work(DONE);
  t.match(await shown(), { service_status: 'suspended', suspension: { suspended_by: 'operator' } });
});

t.test('while the operator’s suspension waits for an end that is at work, the record stays suspended', async (t) => {
  const { suspend, resume, requests, work, shown, world, provisioner } = await setup(t);
  await suspend();
  await work();
  await resume();
  await work(AT_WORK);
  await suspend();
  t.match((await requests()).at(-1), { type: 'service-suspension', request_status: 'accepted' });
  t.strictSame(await work(), [], 'it waits');
  world.clock.advance(30_000);
  t.strictSame(await work(DONE, DONE), ['service-unsuspension', 'service-suspension']);
  t.match(provisioner.given.at(-1), { service: { service_status: 'suspended' } }, 'between the two as well');
  t.match(await shown(), { service_status: 'suspended', suspension: { suspended_by: 'operator' }, open_requests: [] });

  await resume();
  await work(AT_WORK);
  await suspend();
  await resume();
  t.match((await requests()).at(-1), { failure: { reason: 'superseded' } }, 'the last word takes the one before back');
  world.clock.advance(30_000);
  await work(DONE);
  t.match(await shown(), { service_status: 'active', open_requests: [] });
});

t.test(
  'a broker’s end that is open when the operator suspends fails, and the machine is suspended again',
  async (t) => {
    const { suspend, ask, requests, work, shown } = await setup(t);
    await ask('suspend');
    await work();
    await ask('unsuspend');
    await suspend();
    t.strictSame(await work(), ['service-suspension']);
    t.match((await requests())[1], { origin: 'broker', failure: { reason: 'suspended_by_operator' } });
    t.match(await shown(), { service_status: 'suspended', suspension: { suspended_by: 'operator' } });
  },
);

t.test('the operator lifts a broker’s suspension, in place of the broker’s end that has not begun', async (t) => {
  const { suspend, resume, ask, requests, work, shown } = await setup(t);
  await ask('suspend');
  await work();
  await ask('unsuspend');
  await suspend();
  await resume();
  t.strictSame(await work(), ['service-unsuspension']);
  t.match(
    (await requests()).map(({ origin, request_status, failure }) => ({ origin, request_status, failure })),
    [
      { origin: 'broker', request_status: 'completed' },
      { origin: 'broker', failure: { reason: 'superseded' } },
      { origin: 'operator', failure: { reason: 'superseded' } },
      { origin: 'operator', request_status: 'completed' },
    ],
  );
  t.match(await shown(), { service_status: 'active', suspension: null });
});

t.test('a resume waits for a suspension that is open, and refuses a service without one', async (t) => {
  const { resume, ask, work, shown } = await setup(t);
  await t.rejects(resume(), { kind: 'refused', message: /is active, not suspended/ });
  await ask('suspend');
  t.match(await resume(), { service_status: 'active', expected: { service_status: 'active' } });
  t.strictSame(await work(), ['service-suspension', 'service-unsuspension']);
  t.match(await shown(), { service_status: 'active', open_requests: [] });
});

for (const [why, options, input] of [
  ['without a provisioner', { hasProvisioner: false }, {}],
  ['for the records only', {}, { records_only: true }],
] as const) {
  t.test(`${why} a suspension and its end change the record alone`, async (t) => {
    const { suspend, resume, requests, shown } = await setup(t, options);
    t.match(await suspend(input), { service_status: 'suspended' });
    t.match(await resume(input), { service_status: 'active' });
    t.strictSame(await requests(), []);
    t.match(await shown(), { suspension: null });
  });
}

t.test('a corrected status asks the provisioner for nothing', async (t) => {
  const { deps, named, requests } = await setup(t);
  await setService.run(deps, { ...named, service_status: 'suspended' });
  t.strictSame(await requests(), []);
});

t.test('the operator cancels a service, and the broker cannot withdraw that', async (t) => {
  const { deps, named, call, work, shown, world } = await setup(t);
  const record = await cancelService.run(deps, { ...named, reason: 'abuse' });
  t.match(record, { type: 'cancellation', origin: 'operator', cancellation_type: 'end_of_term', reason: 'abuse' });
  const withdrawn = await call('POST', `/requests/${record.request_id}/withdraw`);
  t.match(withdrawn.json.error, { details: { reason: 'asked_by_operator' } });
  await t.rejects(cancelService.run(deps, named), { kind: 'refused', message: /is open already/ });
  await takeBackRequest.run(deps, { request_id: record.request_id });
  t.equal(await cancelService.ask(deps, named), null);
  t.match(await cancelService.ask(deps, { ...named, cancellation_type: 'immediate' }), /is removed at once/);
  await cancelService.run(deps, { ...named, cancellation_type: 'immediate' });
  t.strictSame(await work(), ['cancellation']);
  t.match(await shown(), { service_status: 'cancelled' });
  t.strictSame(world.mailer.sent, []);
});

t.test('the operator runs an action with its options, which is not reviewed', async (t) => {
  const { deps, named, work, provisioner, requests } = await setup(t);
  const reinstall = await requireAction(deps, { ...named, action: 'reinstall' });
  const wrong = { 'configuration.hostname': 'not_one' };
  t.match(await reinstall.ask(deps, { ...named, ...wrong }), /Reinstall deletes the data/);
  const refusal = (given: object) =>
    reinstall.run(deps, { ...named, ...given }).then(
      () => t.fail('it is refused'),
      (error: unknown) => error,
    );
  t.match(await refusal({}), {
    kind: 'invalid',
    message: /^configuration\.hostname: is required/,
  });
  t.match(await refusal(wrong), {
    kind: 'invalid',
    message: /^configuration\.hostname: must be a host name/,
  });
  const given = {
    'configuration.hostname': 'a.example.com',
    'configuration.size': '2',
    'configuration.backups': 'yes',
  };
  t.match(await reinstall.run(deps, { ...named, ...given }), {
    type: 'service-action',
    origin: 'operator',
    request_status: 'accepted',
    configuration: { image: 'debian-13', hostname: 'a.example.com', size: 2, backups: true },
  });
  t.strictSame(await work(), ['service-action']);
  t.match(provisioner.given[0], { action: { name: 'reinstall' }, configuration: { size: 2 } });
  t.match(await requests(), [{ request_status: 'completed', origin: 'operator' }]);
  await t.rejects(requireAction(deps, { ...named, action: 'reboot' }), {
    kind: 'unknown',
    message: /it has reinstall/,
  });
  t.equal(
    await actionUseCase({ ...(ACTIONS[0] as Action), destroys_data: false }).ask(deps, { ...named, ...given }),
    null,
  );
});

t.test('the form of an action begins with what the service has', async (t) => {
  const { deps, named, world, broker } = await setup(t);
  const stored = JSON.stringify({ hostname: 'a.example.com', size: 3 });
  await world.store.tx((tx) => tx.services.update(broker.id, named.service_number, { configuration: stored }));
  const { input } = await requireAction(deps, { ...named, action: 'reinstall' });
  t.match(input.properties, {
    'configuration.hostname': { default: 'a.example.com' },
    'configuration.size': { default: 3 },
  });
});

t.test('the operator cannot accept an action that the plan has no more', async (t) => {
  const { call, named, world, broker, plan, deps } = await setup(t);
  const body = { action: 'reinstall', configuration: { hostname: 'a.example.com' } };
  const { status, json } = await call('POST', `/services/${named.service_number}/actions`, body);
  t.equal(status, 202);
  const without = { options: [], actions: [], hasCredentials: false, provisioning: null };
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[plan.id, without]])));
  await t.rejects(reviewRequest(deps, { requestId: json.data.request_id, accept: true, reason: null }), {
    code: 'invalid_parameter',
    details: { reason: 'action_not_available' },
  });
  t.match((await call('GET', `/requests/${json.data.request_id}`)).json.data, { request_status: 'operator_review' });
});

const UNKNOWN: WorkOutcome = { outcome: 'retry', reason: 'outcome_unknown', message: 'Cut off', mayBeDone: true };

/** A service whose creation was tried as often as may be, and nobody knows whether it was done. */
async function withLostCreation(t: Test, options = {}) {
  const setUp = await setup(t, options);
  const { call, world, provisioner, worker } = setUp;
  const body = { plan: 'vps', client: { name: 'Ada', email: 'ada@example.com' } };
  const { service_number: number, request_id: id } = (await call('POST', '/services', body)).json.data;
  await world.store.tx((tx) => tx.requests.move(setUp.broker.id, id, { status: 'accepted' }, { attempts: 19 }));
  provisioner.answers.push(async () => UNKNOWN);
  return { ...setUp, number, id, lose: () => worker.runOnce() };
}

t.test('a creation whose end is not known is cleaned up, and its service is terminated then', async (t) => {
  const { number, id, lose, call, shown, requests, provisioner, world } = await withLostCreation(t);
  await lose();
  t.match((await call('GET', `/requests/${id}`)).json.data, { failure: { reason: 'outcome_unknown' } });
  const [creation, cleanUp] = provisioner.given;
  t.match(cleanUp, { type: 'cancellation', cancellation_type: 'immediate' });
  t.not(cleanUp?.request_id, creation?.request_id, 'under a key of its own');
  t.match((await requests(number))[1], { type: 'cancellation', origin: 'operator', request_status: 'completed' });
  t.match(await shown(number), { service_status: 'terminated', cancelled_date: null, cancellation: null });
  t.strictSame(world.mailer.sent, []);
});

t.test('a clean-up that finds no service ends alike, and one that fails is repeated by hand', async (t) => {
  const { number, lose, shown, work, provisioner, deps, call, broker } = await withLostCreation(t);
  provisioner.answers.push(async () => REFUSED);
  await lose();
  t.match(await shown(number), { service_status: 'pending', open_requests: [], cancellation: null });
  const failed = [{ broker: broker.slug, service_number: number }];
  t.match((await getStatus(deps)).failed_clean_ups, failed);
  t.match((await showOverview(deps)).attention, { failed_clean_ups: failed, more_failed_clean_ups: false });
  const [{ request_id: requestId = '' } = {}] = (await getStatus(deps)).failed_clean_ups;
  t.match(await showRequest(deps, { requestId }), { cleans_up: true, service: { service_status: 'pending' } });
  t.match((await call('POST', `/services/${number}/cancel`, { cancellation_type: 'end_of_term' })).json.data, {
    origin: 'broker',
  });
  t.strictSame(await work(REFUSED), ['cancellation']);
  t.match(await shown(number), { service_status: 'pending', cancellation: null });
  await cancelService.run(deps, { service_number: number });
  await work({ ...REFUSED, reason: 'service_not_found' } as WorkOutcome);
  t.match(await shown(number), { service_status: 'terminated', cancelled_date: null, cancellation: null });
  t.strictSame((await getStatus(deps)).failed_clean_ups, []);
});

t.test('what a creation that failed has left is removed where the operator says so, and by nobody else', async (t) => {
  const { call, work, shown, requests, deps, world, provisioner } = await setup(t);
  const body = { plan: 'vps', client: { name: 'Ada', email: 'ada@example.com' } };
  const { service_number: number } = (await call('POST', '/services', body)).json.data;
  await work(REFUSED);
  t.match(await shown(number), { service_status: 'terminated' });
  const refusal = await call('POST', `/services/${number}/cancel`, { cancellation_type: 'immediate' });
  t.match(refusal.json.error, { details: { reason: 'service_terminated' } });

  for (const end of [UNKNOWN, DONE, { ...REFUSED, reason: 'service_not_found' } as WorkOutcome]) {
    await cancelService.run(deps, { service_number: number });
    await t.rejects(cancelService.run(deps, { service_number: number }), { kind: 'refused', message: /open already/ });
    t.strictSame(await work(end), ['cancellation']);
    world.clock.advance(60_000);
    if (end === UNKNOWN) t.strictSame(await work(DONE), ['cancellation'], 'and is tried again as any work');
    t.match(await shown(number), { service_status: 'terminated', cancelled_date: null, cancellation: null });
    t.match((await requests(number)).at(-1), { origin: 'operator', is_final: true });
  }
  t.match(provisioner.given.at(-1), { service_number: number, effective_date: /^2/ });
  t.strictSame(world.mailer.sent, []);
});

t.test('a service that came to be and was terminated is cancelled by nobody', async (t) => {
  const { call, work, deps } = await setup(t);
  const body = { plan: 'vps', client: { name: 'Ada', email: 'ada@example.com' } };
  const { service_number: number } = (await call('POST', '/services', body)).json.data;
  await work(DONE);
  await setService.run(deps, { service_number: number, service_status: 'terminated' });
  await t.rejects(cancelService.run(deps, { service_number: number }), { kind: 'refused', message: /terminated/ });
});

t.test('a client’s cancellation that waits for the broker makes room for the clean-up', async (t) => {
  const { number, lose, shown, requests, deps } = await withLostCreation(t);
  await submitClientRequest.run(deps, { service_number: number, type: 'cancellation' });
  await lose();
  t.match(await requests(number), [
    { type: 'service-creation', request_status: 'failed' },
    { origin: 'client', request_status: 'denied', decision: { reason: 'superseded' } },
    { origin: 'operator', request_status: 'completed' },
  ]);
  t.match(await shown(number), { service_status: 'terminated' });
});

t.test('a pending service whose creation did not get lost is cancelled like any other', async (t) => {
  const { world, broker, plan, deps, work, shown } = await setup(t);
  const { number } = await world.addService(broker, plan, { number: 7001, status: 'pending' });
  await cancelService.run(deps, { service_number: number, cancellation_type: 'immediate' });
  await work();
  t.match(await shown(number), { service_status: 'cancelled' });
});
