import type { Context } from '../context/context.ts';
import { listSlot } from '../context/list-slots.ts';
import type { Caller, Listed } from '../context/outcome.ts';
import { type PlanRecord, planRecord } from '../records.ts';
import type { BillingType } from '../rules/words.ts';
import type { Page } from '../store/session.ts';
import { pageOf } from './list-page.ts';

/** The active plans by rank, then id (contract, section 6, "Plans"). */
export async function listPlans(
  context: Context,
  caller: Caller,
  query: Page & { billingType?: BillingType | undefined },
): Promise<Listed<PlanRecord>> {
  const { billingType, ...window } = query;
  await listSlot(caller.brokerId);
  const { rows, total } = await context.store.read.plans.page(caller.brokerId, { billingType }, window);
  return pageOf(rows.map(planRecord), window, total);
}
