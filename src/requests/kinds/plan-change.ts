import { refuseIf } from '../../context/outcome.ts';
import { moment, nestedPlan } from '../../records.ts';
import { effectiveAtOfPlanChange, needsOperatorReview, refusalOfPlanChange } from '../../rules/plan-changes.ts';
import { renewalAsOf } from '../../rules/renewals.ts';
import type { PlanRow } from '../../store/plans.ts';
import type { Kind } from './kind.ts';

/** A move to a higher or a lower plan (contract, section 6, "Plan changes"). */
export const planChange = {
  assess({ service, currentPlan, targetPlan, open }, { type, reason = null }, now) {
    const direction = type === 'plan-upgrade' ? 'upgrade' : 'downgrade';
    refuseIf(refusalOfPlanChange({ direction, service, currentPlan, targetPlan, open }));
    // The rules refuse what names no plan.
    const newPlan = targetPlan as PlanRow;
    return {
      currentPlan,
      newPlan,
      // The record has no place for a client's reason.
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
  obstacle: (status) => (status === 'active' ? undefined : 'service_not_active'),
  // No plan change is submitted without its plan.
  effect: (_service, { newPlanId }) => ({ planId: newPlanId as string }),
  serviceRemains: true,
  record: ({ request, currentPlan, newPlan }) => ({
    ...(currentPlan && { current_plan: nestedPlan(currentPlan) }),
    ...(newPlan && { new_plan: nestedPlan(newPlan) }),
    effective_date: moment(request.effectiveAt),
  }),
  template: 'plan-change-completed',
} satisfies Kind;
