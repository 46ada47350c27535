import type { Context } from '../context/context.ts';
import type { Caller, Listed } from '../context/outcome.ts';
import { type PlanRecord, planRecord } from '../records.ts';
import type { BillingType } from '../rules/words.ts';
import type { Page } from '../store/session.ts';
import { pageOf } from './list-page.ts';

/** The active plans by rank, then id (contract, section 6, "Plans"). */
export async function listPlans(
  { store }: Context,
  caller: Caller,
  { billingType, ...window }: Page & { billingType?: BillingType | undefined },
): Promise<Listed<PlanRecord>> {
  const { rows, total } = await store.read.plans.page(caller.brokerId, { billingType }, window);
  return pageOf(rows.map(planRecord), window, total);
}
