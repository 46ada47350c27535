import type { Change } from '../../context/context.ts';
import { planNamed } from '../../context/own.ts';
import { nestedPlan } from '../../records.ts';
import { planNotAvailable } from '../../rules/plan-changes.ts';
import { isEnded } from '../../rules/words.ts';
import type { ServiceRow } from '../../store/services.ts';
import type { Asked, Kind } from './kind.ts';

/** A new service (contract, section 6, "Create"); nobody reviews it. */
export const creation = {
  /** Throws `invalid_parameter` `plan_not_available`. There is no service yet, only whose it will be. */
  async assess({ tx }: Change, { brokerId }: Pick<ServiceRow, 'brokerId'>, { newPlan: name }: Asked) {
    const newPlan = await planNamed(tx, brokerId, name);
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
