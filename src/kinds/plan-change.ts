import { type ApiError, fail, refuseIf } from '../errors.ts';
import type { PlanOffer } from '../rules/offers.ts';
import { type Configuration, configurationOf, configure, everyValueOf, movedConfiguration } from '../rules/options.ts';
import { renewalAsOf } from '../rules/renewals.ts';
import { ALL_BUT_WARNINGS } from '../rules/words.ts';
import {
  failureIfEnded,
  type Kind,
  type Loaded,
  type OpenRequests,
  type PlanDirection,
  type PlanFacts,
  planNotAvailable,
  type RequestInput,
  type ServiceFacts,
} from './kind.ts';

/** A move to a higher or a lower plan (contract, section 6, "Plan changes"). */
const planChange = (direction: PlanDirection) =>
  ({
    component: direction === 'upgrade' ? 'PlanUpgradeRequest' : 'PlanDowngradeRequest',
    fields: ['current_plan', 'new_plan', 'effective_date', 'configuration'],
    statuses: ALL_BUT_WARNINGS,
    excludes: 'plan_change',
    startsMachine: true,
    stops: direction === 'downgrade',
    precedence: 1,
    clientField: 'new_plan',
    action: `service.${direction}`,
    template: 'plan-change-completed',
    answerLacks: ['origin', 'updated_date', 'decision', 'failure', 'retry_of'],
    direction,
    readsOffer: 'new_plan',
    assess<Plan extends PlanFacts>(
      { service, currentPlan, targetPlan, open, offer, takesConfiguration }: Loaded<Plan>,
      { id, reason = null, configuration = {} }: RequestInput,
      now: number,
    ) {
      refuseIf(refusalOfPlanChange({ direction, service, currentPlan, targetPlan, open }));
      // The rules refuse an unknown plan.
      const newPlan = targetPlan as Plan;
      // What was submitted already was checked then.
      const values = id === undefined ? configured(offer, service, configuration, takesConfiguration) : {};
      return {
        ...(Object.keys(values).length > 0 && { fields: { actionConfiguration: JSON.stringify(values) } }),
        currentPlan,
        newPlan,
        // The record has no field for a client's reason, so it becomes the note.
        note: reason,
        needsReview: needsOperatorReview({ direction, service, currentPlan, targetPlan: newPlan }),
        effectiveAt: effectiveAtOfPlanChange({
          direction,
          service: { renewalAt: renewalAsOf(service, now) },
          currentPlan,
          now,
        }),
      };
    },
    audited: ({ currentPlan, newPlan }) => ({ before: { plan: currentPlan?.slug }, after: { plan: newPlan?.slug } }),
    // A change that was accepted before a suspension goes on.
    precondition(service) {
      const unmet = failureIfEnded(service);
      return unmet && { ...unmet, reason: 'service_not_active' };
    },
    // A plan change always has its plan.
    complete: (_service, { newPlanId }) => ({ planId: newPlanId as string }),
    configure: (service, { actionConfiguration }, { options }) =>
      movedConfiguration(options, service, configurationOf(actionConfiguration)),
  }) as const satisfies Kind;

export const planUpgrade = planChange('upgrade');
export const planDowngrade = planChange('downgrade');

/** What was chosen for the service on its new plan; what is not given stays as it is. Throws `invalid_parameter`. */
function configured(
  { options }: PlanOffer,
  service: ServiceFacts,
  given: Readonly<Record<string, unknown>>,
  takesConfiguration: boolean,
): Configuration {
  if (Object.keys(given).length === 0) return {};
  if (!takesConfiguration) {
    const message = 'is not taken before the update to 1.2 is finished';
    throw fail.invalidFields([{ path: 'body.configuration', rule: 'unknown', message }]);
  }
  const stored = everyValueOf(service);
  const { values, faults } = configure(options, given, 'body.configuration', { complete: false, stored });
  if (faults.length > 0) throw fail.invalidFields(faults);
  return values;
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
  service: Pick<ServiceFacts, 'status'>;
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
