import { type ApiError, fail } from '../errors.ts';
import type { BillingType, RequestStatus, ServiceStatus } from './words.ts';

/** The rules for moving a service to another plan (contract, section 6, "Plan changes"). Timestamps are epoch milliseconds. */
export type PlanDirection = 'upgrade' | 'downgrade';

/** Limit per broker: `upgrade-options` checks and returns every active plan, at this limit some 5 ms and 150 KB. */
export const MAX_ACTIVE_PLANS = 1_000;

export interface PlanFacts {
  id: string;
  slug: string;
  displayName: string;
  upgradeRank: number;
  billingType: BillingType;
  diskGb: number | null;
  requiresOperatorReview: boolean;
}

export interface ServiceFacts {
  status: ServiceStatus;
  requiresOperatorReview: boolean;
  renewalAt: number | null;
}

/** The open requests of a service that exclude others, by the word that they share (src/requests/kinds/kind.ts). */
export interface OpenRequests {
  readonly [excludes: string]: { id: string; status: RequestStatus } | undefined;
}

/**
 * Why a change to `targetPlan` is refused, in the contract's order; undefined where it is allowed. `targetPlan` is
 * undefined where no active plan has the requested name.
 */
export function refusalOfPlanChange({
  direction,
  service,
  currentPlan,
  targetPlan,
  open,
}: {
  direction: PlanDirection;
  service: ServiceFacts;
  currentPlan: PlanFacts;
  targetPlan: PlanFacts | undefined;
  open: OpenRequests;
}): ApiError | undefined {
  if (!targetPlan) return planNotAvailable();
  if (service.status !== 'active') {
    return fail.invalidState(
      'service_not_active',
      `The service is ${service.status}; only an active service can change its plan`,
    );
  }
  if (open.cancellation?.status === 'accepted') {
    return fail.invalidState(
      'cancellation_scheduled',
      'The service is going to be cancelled, so its plan can no longer change',
    );
  }
  if (open.plan_change) {
    return fail.invalidState(
      'plan_change_in_progress',
      'Another plan change of this service is still open; wait until it is final',
      { request_id: open.plan_change.id },
    );
  }
  if (targetPlan.id === currentPlan.id) {
    return fail.invalidParameter('plan_is_current', `The service is on the plan "${targetPlan.slug}" already`);
  }
  if (targetPlan.billingType !== currentPlan.billingType) {
    return fail.invalidState(
      'billing_type_mismatch',
      `A service billed ${currentPlan.billingType} cannot move to a plan billed ${targetPlan.billingType}; ` +
        'cancel it and create a new one',
    );
  }
  if (direction === 'upgrade' && targetPlan.upgradeRank <= currentPlan.upgradeRank) {
    return fail.invalidParameter(
      'plan_rank_not_higher',
      `The plan "${targetPlan.slug}" is not ranked above the current plan "${currentPlan.slug}"`,
    );
  }
  if (direction === 'downgrade' && targetPlan.upgradeRank >= currentPlan.upgradeRank) {
    return fail.invalidParameter(
      'plan_rank_not_lower',
      `The plan "${targetPlan.slug}" is not ranked below the current plan "${currentPlan.slug}"`,
    );
  }
  return undefined;
}

export const planNotAvailable = (): ApiError =>
  fail.invalidParameter(
    'plan_not_available',
    'No active plan has this id, slug or display name; GET /v1/plans lists the available ones',
  );

export type ReviewReason = 'plan' | 'service' | 'disk_shrinks';

/** Whether the operator has to review the change first. */
export const needsOperatorReview = (change: Parameters<typeof reviewReasons>[0]): boolean =>
  reviewReasons(change).length > 0;

/** Why the operator has to review the change first: the plan or the service requires it, or the disk would shrink. */
export function reviewReasons({
  direction,
  service,
  currentPlan,
  targetPlan,
}: {
  direction: PlanDirection;
  service: Pick<ServiceFacts, 'requiresOperatorReview'>;
  currentPlan: Pick<PlanFacts, 'diskGb'>;
  targetPlan: Pick<PlanFacts, 'diskGb' | 'requiresOperatorReview'>;
}): ReviewReason[] {
  const shrinksDisk =
    direction === 'downgrade' &&
    currentPlan.diskGb !== null &&
    targetPlan.diskGb !== null &&
    targetPlan.diskGb < currentPlan.diskGb;
  const reasons: Array<[ReviewReason, boolean]> = [
    ['plan', targetPlan.requiresOperatorReview],
    ['service', service.requiresOperatorReview],
    ['disk_shrinks', shrinksDisk],
  ];
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason);
}

/** When a change accepted at `now` takes effect: at once; a downgrade of a monthly service at its renewal. */
export function effectiveAtOfPlanChange({
  direction,
  service,
  currentPlan,
  now,
}: {
  direction: PlanDirection;
  service: Pick<ServiceFacts, 'renewalAt'>;
  currentPlan: Pick<PlanFacts, 'billingType'>;
  now: number;
}): number {
  if (direction === 'upgrade' || currentPlan.billingType === 'hourly') return now;
  return Math.max(service.renewalAt ?? now, now);
}

/** Finds the plan that a caller named: by id, else by slug, else by display name; case counts in the id only. */
export function findTargetPlan<T extends { id: string; slugFolded: string; displayNameFolded: string }>(
  plans: readonly T[],
  text: string,
): T | undefined {
  const folded = foldPlanName(text);
  return (
    plans.find((plan) => plan.id === text) ??
    plans.find((plan) => plan.slugFolded === folded) ??
    plans.find((plan) => plan.displayNameFolded === folded)
  );
}

/** The form in which slugs and display names are compared: NFC, then Unicode lower case. */
export function foldPlanName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
