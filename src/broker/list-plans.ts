import { listSlot } from '../limits/list-slots.ts';
import type { Context } from '../ports.ts';
import { type PlanRecord, planRecord } from '../records.ts';
import type { BillingType } from '../rules/words.ts';
import type { PageWindow } from '../store/session/session.ts';
import { pageOf } from './list-page.ts';
import type { Caller, ListOutcome } from './operation.ts';

/** The active plans by rank, then id (contract, section 6, "Plans"). */
export async function listPlans(
  context: Context,
  caller: Caller,
  query: PageWindow & { billingType?: BillingType | undefined },
): Promise<ListOutcome<PlanRecord>> {
  const { billingType, ...window } = query;
  await listSlot(caller.brokerId);
  const { rows, total } = await context.store.read.plans.page(caller.brokerId, { billingType }, window);
  const offers = await context.store.read.plans.listOffers(
    caller.brokerId,
    rows.map(({ id }) => id),
  );
  return pageOf(
    rows.map((plan) => planRecord(plan, offers.get(plan.id))),
    window,
    total,
  );
}
