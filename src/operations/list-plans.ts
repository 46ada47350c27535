import type { Context } from '../context/context.ts';
import { readOrKnown } from '../context/known-answers.ts';
import type { Caller, Listed, StoredAnswer } from '../context/outcome.ts';
import { type PlanRecord, planRecord } from '../records.ts';
import type { BillingType } from '../rules/words.ts';
import type { Page } from '../store/session.ts';
import { pageOf } from './list-page.ts';

/** The active plans by rank, then id (contract, section 6, "Plans"). */
export function listPlans(
  context: Context,
  caller: Caller,
  query: Page & { billingType?: BillingType | undefined },
): Promise<Listed<PlanRecord> | StoredAnswer> {
  const { billingType, ...window } = query;
  return readOrKnown(context, caller, { list: 'plans', query }, async () => {
    const { rows, total } = await context.store.read.plans.page(caller.brokerId, { billingType }, window);
    return { listed: pageOf(rows.map(planRecord), window, total), goodUntil: Number.POSITIVE_INFINITY };
  });
}
