import { NEVER_DECIDED } from '../rules/words.ts';
import type { PlanFacts } from './kind.ts';
import { type Assessment, type Kind, type Loaded, planNotAvailable, unlessEnded } from './kind.ts';

/** A new service (contract, section 6, "Create"). It is never reviewed. */
export const creation = {
  component: 'ServiceCreationRequest',
  fields: ['new_plan'],
  statuses: NEVER_DECIDED,
  precedence: 3,
  template: 'service-created',
  createsService: true,
  /** There is no service yet. Throws `invalid_parameter` `plan_not_available`. */
  assess<Plan extends PlanFacts>({ targetPlan: newPlan }: Pick<Loaded<Plan>, 'targetPlan'>) {
    if (!newPlan) throw planNotAvailable();
    return { currentPlan: null, newPlan, needsReview: false, effectiveAt: null } satisfies Assessment<Plan>;
  },
  precondition: unlessEnded,
  complete: ({ status }) => (status === 'pending' ? { status: 'active' } : {}),
  revert: ({ status }) => (status === 'pending' ? { status: 'terminated' } : {}),
} as const satisfies Kind;
