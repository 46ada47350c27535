import type { Caller } from '../context/outcome.ts';
import { lockService } from '../context/owned-records.ts';
import { findTargetPlan, foldPlanName } from '../rules/plan-changes.ts';
import type { PlanRow } from '../store/plans.ts';
import type { Tx } from '../store/store.ts';
import type { Asked, ServiceForChange } from './kinds/kind.ts';
import { openRequestsOf } from './open-requests.ts';

/**
 * Locks the caller's own service and looks at what stands. All is asked for at once: what is read behind the lock sees
 * what its last holder did. Throws `not_found`.
 */
export async function loadForChange(
  tx: Tx,
  { brokerId }: Pick<Caller, 'brokerId'>,
  number: number,
  { id, newPlan = '' }: Partial<Asked> = {},
): Promise<ServiceForChange> {
  const [service, plans, open] = await Promise.all([
    lockService(tx, { brokerId }, number),
    tx.plans.listForChange(brokerId, number, newPlan, foldPlanName(newPlan)),
    openRequestsOf(tx, { brokerId, number }, id),
  ]);
  return {
    service,
    // A foreign key says that there is one.
    currentPlan: plans.find((plan) => plan.id === service.planId) as PlanRow,
    targetPlan: findTargetPlan(
      plans.filter(({ active }) => active),
      newPlan,
    ),
    open,
  };
}
