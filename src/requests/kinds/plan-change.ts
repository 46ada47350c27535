import { refuseIf } from '../../errors.ts';
import {
  effectiveAtOfPlanChange,
  needsOperatorReview,
  type PlanDirection,
  type PlanFacts,
  refusalOfPlanChange,
} from '../../rules/plan-changes.ts';
import { renewalAsOf } from '../../rules/renewals.ts';
import { ALL_BUT_WARNINGS } from '../../rules/words.ts';
import { type Asked, type Kind, type Loaded, unlessEnded } from './kind.ts';

/** A move to a higher or a lower plan (contract, section 6, "Plan changes"). */
const planChange = (direction: PlanDirection) =>
  ({
    component: direction === 'upgrade' ? 'PlanUpgradeRequest' : 'PlanDowngradeRequest',
    fields: ['current_plan', 'new_plan', 'effective_date'],
    statuses: ALL_BUT_WARNINGS,
    excludes: 'plan_change',
    precedence: 1,
    clientNames: 'new_plan',
    template: 'plan-change-completed',
    direction,
    assess<Plan extends PlanFacts>(
      { service, currentPlan, targetPlan, open }: Loaded<Plan>,
      { reason = null }: Asked,
      now: number,
    ) {
      refuseIf(refusalOfPlanChange({ direction, service, currentPlan, targetPlan, open }));
      // The rules refuse an unknown plan.
      const newPlan = targetPlan as Plan;
      return {
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
    // A change that was accepted before a suspension goes on.
    precondition(service) {
      const unmet = unlessEnded(service);
      return unmet && { ...unmet, reason: 'service_not_active' };
    },
    // A plan change always has its plan.
    complete: (_service, { newPlanId }) => ({ planId: newPlanId as string }),
  }) as const satisfies Kind;

export const planUpgrade = planChange('upgrade');
export const planDowngrade = planChange('downgrade');
