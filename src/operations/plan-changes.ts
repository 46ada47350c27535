import {
  effectiveAtOfPlanChange,
  findTargetPlan,
  foldPlanName,
  needsOperatorReview,
  type PlanDirection,
  refusalOfPlanChange,
} from '../rules/plan-changes.ts';
import type { PlanRow } from '../store/plans.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Tx } from '../store/store.ts';
import type { Context } from './context.ts';
import { findService, lockService, planOf } from './find-service.ts';
import { type Caller, type Claim, type Outcome, ok, refuseIf, type StoredAnswer } from './outcome.ts';
import { nestedPlan, planChangeRecord } from './records.ts';
import { newRequest, openRequestsOf, submitRequest } from './request-lifecycle.ts';

export interface PlanChangeInput {
  serviceNumber: bigint;
  direction: PlanDirection;
  /** Id, slug or display name of an active plan. */
  newPlan: string;
}

/** A plan change that may go ahead. */
export interface AssessedPlanChange {
  currentPlan: PlanRow;
  newPlan: PlanRow;
  needsReview: boolean;
  effectiveAt: number;
}

export const requestTypeOf = (direction: PlanDirection) =>
  direction === 'upgrade' ? ('plan-upgrade' as const) : ('plan-downgrade' as const);

const REVIEW_MESSAGE =
  'The service operator reviews this plan change before it goes ahead. Do not submit it again; follow the request instead.';

/**
 * Submits a move to a higher or lower plan (contract, section 6, "Plan changes"): accepted and queued (200), or
 * left to the operator (202). The service's plan changes only when the work has been done.
 */
export function changePlan(
  context: Context,
  caller: Caller,
  { serviceNumber, direction, newPlan }: PlanChangeInput,
  claim?: Claim,
): Promise<Outcome<object> | StoredAnswer> {
  return context.change(claim, async (tx) => {
    const service = await lockService(tx, caller, serviceNumber);
    const now = context.clock.now();
    const change = await assessPlanChange(tx, service, direction, newPlan, now);
    const request = newRequest(context.newId('req', now), service, now, {
      type: requestTypeOf(direction),
      origin: 'broker',
      currentPlanId: change.currentPlan.id,
      newPlanId: change.newPlan.id,
      ...(change.needsReview
        ? { status: 'operator_review' }
        : { status: 'accepted', effectiveAt: change.effectiveAt, dueAt: change.effectiveAt }),
    });
    await submitRequest(tx, context, request);
    const data = planChangeRecord(request, service, change.currentPlan, change.newPlan);
    return change.needsReview ? { statusCode: 202, data, message: REVIEW_MESSAGE } : ok(data);
  });
}

/**
 * Applies the rules to one change; throws their refusal. `except` is the id of the request that is being
 * decided, which does not stand in its own way.
 */
export async function assessPlanChange(
  tx: Tx,
  service: ServiceRow,
  direction: PlanDirection,
  target: string,
  now: number,
  except?: string,
): Promise<AssessedPlanChange> {
  const named = await tx.plans.listActiveNamed(service.brokerId, target, foldPlanName(target));
  const targetPlan = findTargetPlan(named, target);
  const currentPlan = await planOf(tx, service);
  const open = await openRequestsOf(tx, service, except);
  refuseIf(refusalOfPlanChange({ direction, service, currentPlan, targetPlan, open }));
  const newPlan = targetPlan as PlanRow;
  return {
    currentPlan,
    newPlan,
    needsReview: needsOperatorReview({ direction, service, currentPlan, targetPlan: newPlan }),
    effectiveAt: effectiveAtOfPlanChange({ direction, service, currentPlan, now }),
  };
}

/** Which plans the service could be upgraded to now, and why not to the others: the rules of the POST. */
export async function upgradeOptions(
  { store }: Context,
  caller: Caller,
  { serviceNumber }: { serviceNumber: bigint },
): Promise<Outcome<object>> {
  const service = await findService(store.read, caller, serviceNumber);
  const [currentPlan, plans, open] = await Promise.all([
    planOf(store.read, service),
    store.read.plans.listActive(caller.brokerId),
    openRequestsOf(store.read, service),
  ]);
  const options = plans.map((plan) => ({
    plan,
    refusal: refusalOfPlanChange({ direction: 'upgrade', service, currentPlan, targetPlan: plan, open }),
  }));
  return ok({
    current_plan: nestedPlan(currentPlan),
    available: options.filter(({ refusal }) => !refusal).map(({ plan }) => nestedPlan(plan)),
    unavailable: options.flatMap(({ plan, refusal }) =>
      refusal ? [{ plan: nestedPlan(plan), reason: refusal.details?.reason }] : [],
    ),
  });
}
