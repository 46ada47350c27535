import { NEVER_DECIDED } from '../rules/words.ts';
import type { PlanFacts } from './kind.ts';
import {
  type Assessment,
  failureIfEnded,
  type Kind,
  type Loaded,
  OUTCOME_UNKNOWN,
  planNotAvailable,
  type Submitted,
} from './kind.ts';

/** A new service (contract, section 6, "Create"). It is never reviewed. */
export const creation = {
  component: 'ServiceCreationRequest',
  fields: ['new_plan'],
  statuses: NEVER_DECIDED,
  precedence: 3,
  action: 'service.create',
  template: 'service-created',
  createsService: true,
  startsMachine: true,
  answerLacks: [],
  /** There is no service yet. Throws `invalid_parameter` `plan_not_available`. */
  assess<Plan extends PlanFacts>({ targetPlan: newPlan }: Pick<Loaded<Plan>, 'targetPlan'>) {
    if (!newPlan) throw planNotAvailable();
    return { currentPlan: null, newPlan, needsReview: false, effectiveAt: null } satisfies Assessment<Plan>;
  },
  audited: ({ newPlan, service: { label, externalReference } }: Submitted) => ({
    after: { plan: newPlan?.slug, label, external_reference: externalReference },
  }),
  precondition: failureIfEnded,
  complete: ({ status }) => (status === 'pending' ? { status: 'active' } : {}),
  // What may be there, or may still come, is cleaned up first.
  revert: ({ status }, _request, { reason }) =>
    status === 'pending' && reason !== OUTCOME_UNKNOWN ? { status: 'terminated' } : {},
} as const satisfies Kind;
