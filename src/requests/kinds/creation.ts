import { nestedPlan } from '../../records.ts';
import { planNotAvailable } from '../../rules/plan-changes.ts';
import { isEnded } from '../../rules/words.ts';
import type { Kind, ServiceForChange } from './kind.ts';

/** A new service (contract, section 6, "Create"); nobody reviews it. */
export const creation = {
  /** Throws `invalid_parameter` `plan_not_available`. There is no service yet. */
  assess({ targetPlan: newPlan }: Pick<ServiceForChange, 'targetPlan'>) {
    if (!newPlan) throw planNotAvailable();
    return { currentPlan: null, newPlan, needsReview: false, effectiveAt: null };
  },
  obstacle: (status) => (isEnded(status) ? (`service_${status}` as const) : undefined),
  effect: ({ status }) => (status === 'pending' ? { status: 'active' } : {}),
  undo: (_change, { status }) => (status === 'pending' ? { status: 'terminated' } : {}),
  serviceRemains: false,
  record: ({ newPlan }) => ({ ...(newPlan && { new_plan: nestedPlan(newPlan) }) }),
  template: 'service-created',
} satisfies Kind;
