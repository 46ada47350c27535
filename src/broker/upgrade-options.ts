import { needsOperatorReview, refusalOfPlanChange } from '../kinds/plan-change.ts';
import { findOpenRequests } from '../lifecycle/load-for-change.ts';
import { findService, planOf } from '../lifecycle/owned-records.ts';
import type { Context } from '../ports.ts';
import { type NestedPlan, nestedPlan } from '../records.ts';
import { type Caller, type Outcome, ok } from './operation.ts';

interface UpgradeOptions {
  current_plan: NestedPlan;
  /** `operator_review`: whether the upgrade would be reviewed first. */
  available: Array<NestedPlan & { operator_review: boolean }>;
  unavailable: Array<{ plan: NestedPlan; reason: string }>;
}

/** Which plans the service could be upgraded to now, and why not to the others: the rules of the POST. */
export async function upgradeOptions(
  { store }: Context,
  caller: Caller,
  { serviceNumber }: { serviceNumber: number },
): Promise<Outcome<UpgradeOptions>> {
  const service = await findService(store.read, caller, serviceNumber);
  const [currentPlan, plans, open] = await Promise.all([
    planOf(store.read, service),
    store.read.plans.listActive(caller.brokerId),
    findOpenRequests(store.read, service),
  ]);
  const options: UpgradeOptions = { current_plan: nestedPlan(currentPlan), available: [], unavailable: [] };
  for (const targetPlan of plans) {
    const change = { direction: 'upgrade', service, currentPlan, targetPlan } as const;
    const refusal = refusalOfPlanChange({ ...change, open });
    const plan = nestedPlan(targetPlan);
    if (refusal) options.unavailable.push({ plan, reason: String(refusal.details?.reason) });
    else options.available.push({ ...plan, operator_review: needsOperatorReview(change) });
  }
  return ok(options);
}
