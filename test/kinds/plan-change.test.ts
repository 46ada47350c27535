import t from 'tap';
import type { OpenRequests, PlanDirection, PlanFacts, ServiceFacts } from '../../src/kinds/kind.ts';
import { effectiveAtOfPlanChange, needsOperatorReview, refusalOfPlanChange } from '../../src/kinds/plan-change.ts';
import { findTargetPlan, foldPlanName } from '../../src/rules/plan-names.ts';
import type { RequestStatus } from '../../src/rules/words.ts';

const business: PlanFacts = {
  id: 'pln_2',
  slug: 'business',
  displayName: 'Business',
  upgradeRank: 20,
  billingType: 'monthly',
  diskGb: 100,
  requiresOperatorReview: false,
};
const starter: PlanFacts = { ...business, id: 'pln_1', slug: 'starter', upgradeRank: 10, diskGb: 50 };
const enterprise: PlanFacts = { ...business, id: 'pln_3', slug: 'enterprise', upgradeRank: 30, diskGb: 200 };
type Facts = Pick<ServiceFacts, 'status' | 'requiresOperatorReview' | 'renewalAt'>;
const active: Facts = { status: 'active', requiresOperatorReview: false, renewalAt: null };

function refusal(change: {
  direction?: PlanDirection;
  service?: Partial<Facts>;
  targetPlan?: PlanFacts | undefined;
  open?: OpenRequests;
}) {
  const { direction = 'upgrade', targetPlan = direction === 'upgrade' ? enterprise : starter } = change;
  return refusalOfPlanChange({
    direction,
    service: { ...active, ...change.service },
    currentPlan: business,
    targetPlan: 'targetPlan' in change ? change.targetPlan : targetPlan,
    open: change.open ?? {},
  });
}

const open = (type: string, id: string, status: RequestStatus) => ({ id, type, status, dueAt: null });

t.test('an active service may move up to a higher rank and down to a lower one', async (t) => {
  t.equal(refusal({ direction: 'upgrade' }), undefined);
  t.equal(refusal({ direction: 'downgrade' }), undefined);
});

t.test('of several unmet preconditions the contract’s order decides which is reported', async (t) => {
  // Each step meets the precondition that was reported before it.
  const change: Parameters<typeof refusal>[0] = {
    service: { status: 'suspended' },
    targetPlan: undefined,
    open: {
      cancellation: open('cancellation', 'req_c', 'accepted'),
      plan_change: open('plan-upgrade', 'req_p', 'pending'),
    },
  };
  const reported = (code: string, reason: string, extra = {}) => {
    const error = refusal(change);
    t.equal(error?.code, code, reason);
    t.same(error?.details, { reason, ...extra });
    t.equal(error?.statusCode, 400);
  };
  reported('invalid_parameter', 'plan_not_available');
  change.targetPlan = { ...business, billingType: 'hourly' };
  reported('invalid_state', 'service_not_active');
  change.service = {};
  reported('invalid_state', 'cancellation_scheduled');
  change.open = { plan_change: open('plan-upgrade', 'req_p', 'pending') };
  reported('invalid_state', 'plan_change_in_progress', { request_id: 'req_p' });
  change.open = {};
  reported('invalid_parameter', 'plan_is_current');
  change.targetPlan = { ...starter, billingType: 'hourly' };
  reported('invalid_state', 'billing_type_mismatch');
  change.targetPlan = starter;
  reported('invalid_parameter', 'plan_rank_not_higher');
  change.targetPlan = enterprise;
  t.equal(refusal(change), undefined);
});

t.test('a plan of equal rank is neither up nor down', async (t) => {
  const twin = { ...business, id: 'pln_9' };
  t.equal(refusal({ direction: 'upgrade', targetPlan: twin })?.details?.reason, 'plan_rank_not_higher');
  t.equal(refusal({ direction: 'downgrade', targetPlan: twin })?.details?.reason, 'plan_rank_not_lower');
  t.equal(refusal({ direction: 'downgrade', targetPlan: enterprise })?.code, 'invalid_parameter');
});

t.test('only an active service changes its plan', async (t) => {
  for (const status of ['pending', 'suspended', 'cancelled', 'terminated'] as const) {
    t.equal(refusal({ service: { status } })?.details?.reason, 'service_not_active', status);
  }
});

t.test('a cancellation that a client only asked for does not stand in the way', async (t) => {
  t.equal(refusal({ open: { cancellation: open('cancellation', 'req_c', 'pending') } }), undefined);
});

t.test('the operator reviews marked plans, marked services and downgrades that shrink the disk', async (t) => {
  const review = (direction: PlanDirection, targetPlan: PlanFacts, currentPlan = business, service = active) =>
    needsOperatorReview({ direction, service, currentPlan, targetPlan });

  t.notOk(review('upgrade', enterprise));
  t.ok(review('upgrade', { ...enterprise, requiresOperatorReview: true }));
  t.ok(review('upgrade', enterprise, business, { ...active, requiresOperatorReview: true }));
  t.notOk(review('upgrade', { ...enterprise, diskGb: 1 }), 'an upgrade may bring a smaller disk');
  t.notOk(review('upgrade', enterprise, { ...business, requiresOperatorReview: true }), 'the plan left does not count');
  t.ok(review('downgrade', starter));
  t.ok(review('downgrade', { ...starter, diskGb: 100, requiresOperatorReview: true }));
  t.ok(review('downgrade', { ...starter, diskGb: 100 }, business, { ...active, requiresOperatorReview: true }));
  t.notOk(review('downgrade', { ...starter, diskGb: 100 }, { ...business, requiresOperatorReview: true }));
  t.notOk(review('downgrade', { ...starter, diskGb: 100 }));
  t.notOk(review('downgrade', { ...starter, diskGb: null }));
  t.notOk(review('downgrade', starter, { ...business, diskGb: null }));
});

t.test('only the downgrade of a monthly service waits, and for a renewal that is still to come', async (t) => {
  const now = 1_000;
  const effectiveAt = (direction: PlanDirection, billingType: 'monthly' | 'hourly', renewalAt: number | null) =>
    effectiveAtOfPlanChange({ direction, service: { renewalAt }, currentPlan: { billingType }, now });

  t.equal(effectiveAt('downgrade', 'monthly', 5_000), 5_000);
  t.equal(effectiveAt('downgrade', 'monthly', 500), now);
  t.equal(effectiveAt('downgrade', 'monthly', now), now);
  t.equal(effectiveAt('downgrade', 'monthly', null), now);
  t.equal(effectiveAt('downgrade', 'hourly', 5_000), now);
  t.equal(effectiveAt('upgrade', 'monthly', 5_000), now);
});

t.test('a plan is found by exact id, then by slug, then by display name without regard to case', async (t) => {
  const plan = (id: string, slug: string, displayName: string) => ({
    id,
    slugFolded: foldPlanName(slug),
    displayNameFolded: foldPlanName(displayName),
  });
  const plans = [
    plan('pln_A', 'one', 'Café Größe'),
    plan('pln_B', 'two', 'One'),
    plan('pln_C', 'pln_a', 'Two'),
    plan('pln_D', 'four', 'pln_A'),
  ];
  const found = (text: string) => findTargetPlan(plans, text)?.id;
  t.equal(found('pln_A'), 'pln_A', 'the id before a slug and a display name of the same text');
  t.equal(found('PLN_A'), 'pln_C', 'an id is exact in case');
  t.equal(found('ONE'), 'pln_A', 'the slug before a display name');
  t.equal(found('tWO'), 'pln_B');
  t.equal(found('CAFE\u0301 GRÖSSE'), undefined, 'lower-casing alone does not unfold a sharp s');
  t.equal(found('CAFE\u0301 GRÖßE'), 'pln_A', 'composed and decomposed letters are the same');
  t.equal(found('three'), undefined);
  const names: Array<[displayName: string, same: string[], others: string[]]> = [
    ['Straße', ['STRAẞE'], ['STRASSE']],
    ['İstanbul', ['I\u0307STANBUL', 'i\u0307stanbul'], ['istanbul', 'ISTANBUL']],
    ['Iğdır', ['iĞDır'], ['ığdır']],
    ['ΟΔΟΣ', ['οδος'], []],
    ['한글', ['\u1112\u1161\u11ab\u1100\u1173\u11af'], []],
    ['Name One', [], ['name  one', '%', 'name_one']],
  ];
  for (const [displayName, same, others] of names) {
    const named = plan('pln_X', 'x', displayName);
    const matches = (text: string) => findTargetPlan([named], text) !== undefined;
    t.strictSame([...same, ...others].filter(matches), same, displayName);
  }
});
