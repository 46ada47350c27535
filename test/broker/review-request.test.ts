import t, { type Test } from 'tap';
import { approveRequest } from '../../src/broker/decide-request.ts';
import { upgradeService } from '../../src/broker/submit-request.ts';
import { ApiError } from '../../src/errors.ts';
import { reviewRequest, submitForClient } from '../../src/lifecycle/operator-requests.ts';
import { createTestProvisioner, requestIdOf, storedRequest, workerOf } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;
const UNKNOWN = 'req_01HZZZZZZZZZZZZZZZZZZZZZZZ';

async function setUp(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { context, store, clock } = world;
  const broker = await world.addBroker();
  const caller = { brokerId: broker.id };
  const starter = await world.addPlan(broker, { slug: 'starter', upgradeRank: 10 });
  const reviewed = await world.addPlan(broker, { slug: 'reviewed', upgradeRank: 20, requiresOperatorReview: true });
  const renewalAt = clock.now() + DAY_MS;
  await world.addService(broker, starter, { number: 5000, renewalAt });
  const asked = { brokerId: broker.id, serviceNumber: 5000 };
  return {
    ...world,
    caller,
    renewalAt,
    submitUpgrade: (reason: string | null = null) =>
      submitForClient(context, { ...asked, type: 'plan-upgrade', newPlan: 'Reviewed', reason }),
    submitCancellation: (cancellationType: 'end_of_term' | 'immediate' = 'end_of_term') =>
      submitForClient(context, { ...asked, type: 'cancellation', cancellationType, reason: 'Moving away' }),
    /** An upgrade that the operator has to look at. */
    underReview: async () =>
      requestIdOf(await upgradeService(context, caller, { serviceNumber: 5000, newPlan: reviewed.id })),
    request: (id: string) => storedRequest(world, broker.id, id),
    history: async (id: string) =>
      (await store.read.requests.listHistory(broker.id, id)).map(({ status, actor, note }) => [status, actor, note]),
    service: (number = 5000) => store.read.services.find(broker.id, number),
    approve: (requestId: string) => approveRequest(context, caller, { requestId, reason: null }),
    setService: (fields: object) => store.tx((tx) => tx.services.update(broker.id, 5000, fields)),
  };
}

/** The refusal of something that has to be refused. */
async function refusal(refused: Promise<unknown>): Promise<ApiError> {
  const error = await refused.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof ApiError) return error;
  throw error ?? new Error('it was not refused');
}
const reasonOf = async (refused: Promise<unknown>) => (await refusal(refused)).details?.reason;

t.test("a client's request arrives as pending, changes nothing, and waits for the broker", async (t) => {
  const { submitUpgrade, submitCancellation, history, service, context, caller } = await setUp(t);
  const upgrade = await submitUpgrade('More room');
  t.match(upgrade, {
    type: 'plan-upgrade',
    request_status: 'pending',
    origin: 'client',
    decision: null,
    current_plan: { slug: 'starter' },
    new_plan: { slug: 'reviewed' },
    effective_date: null,
  });
  t.same(await history(upgrade.request_id), [['pending', 'client', 'More room']]);
  const cancellation = await submitCancellation();
  t.match(cancellation, {
    type: 'cancellation',
    request_status: 'pending',
    cancellation_type: 'end_of_term',
    effective_date: null,
    reason: 'Moving away',
  });
  t.same(await history(cancellation.request_id), [['pending', 'client', null]]);
  t.match(await service(), { cancellationRequestId: null });
  const downgrade = {
    ...caller,
    serviceNumber: 5000,
    type: 'plan-downgrade',
    newPlan: 'reviewed',
    reason: null,
  } as const;
  t.equal(await reasonOf(submitForClient(context, downgrade)), 'plan_change_in_progress');
});

t.test("a client's request is refused by the rules of the operation that it asks for", async (t) => {
  const { submitUpgrade, submitCancellation, setService, context, caller } = await setUp(t);
  const ask = { ...caller, serviceNumber: 5000, reason: null };
  t.equal(
    await reasonOf(submitForClient(context, { ...ask, type: 'plan-upgrade', newPlan: 'none' })),
    'plan_not_available',
  );
  t.equal(
    await reasonOf(submitForClient(context, { ...ask, type: 'plan-downgrade', newPlan: 'reviewed' })),
    'plan_rank_not_lower',
  );
  await submitCancellation();
  t.equal(await reasonOf(submitCancellation()), 'cancellation_scheduled');
  await setService({ status: 'suspended' });
  t.equal(await reasonOf(submitUpgrade()), 'service_not_active');
  await setService({ status: 'cancelled' });
  t.equal(await reasonOf(submitCancellation('immediate')), 'service_cancelled');
  t.equal(
    (await refusal(submitForClient(context, { ...ask, serviceNumber: 1, type: 'plan-upgrade', newPlan: 'x' }))).code,
    'not_found',
  );
});

t.test(
  'what the broker approved goes its way: a cancellation is scheduled, a plan that needs it is reviewed',
  async (t) => {
    const { submitUpgrade, submitCancellation, approve, request, service, renewalAt, context } = await setUp(t);
    const upgrade = await submitUpgrade();
    await approve(upgrade.request_id);
    t.equal((await request(upgrade.request_id)).status, 'operator_review');
    const cancellation = await submitCancellation();
    await approve(cancellation.request_id);
    t.match(await request(cancellation.request_id), { status: 'accepted', effectiveAt: renewalAt, dueAt: renewalAt });
    t.match(await service(), { cancellationRequestId: cancellation.request_id });
    t.match(await request(upgrade.request_id), { status: 'denied', decisionReason: 'service_cancelled' });
    t.equal(
      await reasonOf(reviewRequest(context, { requestId: upgrade.request_id, accept: true, reason: null })),
      'request_already_processed',
    );
  },
);

t.test('the operator accepts what is under review, and the work begins', async (t) => {
  const { underReview, context, clock, history, service } = await setUp(t);
  const requestId = await underReview();
  // A decision is later than what it decides on.
  clock.advance(1);
  const now = new Date(clock.now()).toISOString();
  t.match(await reviewRequest(context, { requestId, accept: true, reason: 'Looked at' }), {
    request_id: requestId,
    request_status: 'accepted',
    operator_review: false,
    effective_date: now,
    decision: { action: 'accept', decided_by: 'operator', reason: 'Looked at', decided_date: now },
  });
  t.same(await history(requestId), [
    ['operator_review', 'broker', null],
    ['accepted', 'operator', 'Looked at'],
  ]);
  await workerOf({ context }, createTestProvisioner()).runOnce();
  t.match(await service(), { planId: /^pln_/ });
  t.equal((await history(requestId)).length, 3);
});

t.test('the operator denies what is under review', async (t) => {
  const { underReview, context } = await setUp(t);
  const requestId = await underReview();
  t.match(await reviewRequest(context, { requestId, accept: false, reason: null }), {
    request_status: 'denied',
    is_final: true,
    decision: { action: 'deny', decided_by: 'operator', reason: null },
  });
});

t.test('a review applies the rules again, and a refusal leaves the request under review', async (t) => {
  const { underReview, context, request, setService } = await setUp(t);
  const requestId = await underReview();
  await setService({ status: 'suspended' });
  t.equal(await reasonOf(reviewRequest(context, { requestId, accept: true, reason: null })), 'service_not_active');
  t.match(await request(requestId), { status: 'operator_review', decidedBy: null });
});

t.test('of many reviews at once exactly one decides', async (t) => {
  const { underReview, context, history } = await setUp(t);
  const requestId = await underReview();
  const reviews = Array.from({ length: 20 }, (_, index) =>
    reviewRequest(context, { requestId, accept: index % 2 === 0, reason: null }),
  );
  const settled = await Promise.allSettled(reviews);
  t.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
  t.equal((await history(requestId)).length, 2);
});

t.test('nothing but what is under review is reviewed', async (t) => {
  const { submitUpgrade, context } = await setUp(t);
  const { request_id: requestId } = await submitUpgrade();
  const review = await refusal(reviewRequest(context, { requestId, accept: false, reason: null }));
  t.match(review.message, /pending, not under review/);
  for (const unknown of [UNKNOWN, 'nonsense']) {
    t.equal(
      (await refusal(reviewRequest(context, { requestId: unknown, accept: true, reason: null }))).code,
      'not_found',
    );
  }
});
