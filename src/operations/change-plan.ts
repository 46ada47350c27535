import { audit } from '../audit/audit.ts';
import type { PlanChangeType } from '../kinds/index.ts';
import type { PlanDirection } from '../kinds/kind.ts';
import { planDowngrade, planUpgrade } from '../kinds/plan-change.ts';
import { loadForChange } from '../lifecycle/load-for-change.ts';
import { progressRecord } from '../lifecycle/record.ts';
import { submit } from '../lifecycle/submit.ts';
import type { Context } from '../ports.ts';
import { nestedPlan, timestamp } from '../records.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { PlanRow } from '../store/plans.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { actorOf, type Caller, type Claim, type Outcome, ok, type StoredAnswer, transactOnce } from './operation.ts';

export interface PlanChangeInput {
  serviceNumber: number;
  direction: PlanDirection;
  /** Id, slug or display name of an active plan. */
  newPlan: string;
}

const REVIEW_MESSAGE =
  'The service operator reviews this plan change before it goes ahead. Do not submit it again; follow the request instead.';

/**
 * Submits a move to a higher or lower plan (contract, section 6, "Plan changes"): accepted and queued (200), or under
 * review by the operator (202). The service's plan changes when the work is done.
 */
export function changePlan(
  context: Context,
  caller: Caller,
  { serviceNumber, direction, newPlan }: PlanChangeInput,
  claim?: Claim,
): Promise<Outcome<PlanChangeRecord> | StoredAnswer> {
  return transactOnce(context, claim, async (change) => {
    const type = `plan-${direction}` as const;
    const kind = direction === 'upgrade' ? planUpgrade : planDowngrade;
    const loaded = await loadForChange(change.tx, caller, serviceNumber, { newPlan });
    const { service } = loaded;
    const assessment = kind.assess(loaded, { newPlan }, change.now);
    const { request } = await submit(change, service, { type, origin: 'broker' }, assessment);
    await audit(change, actorOf(caller), {
      action: `service.${direction}`,
      brokerId: caller.brokerId,
      subject: `service/${serviceNumber}`,
      before: { plan: assessment.currentPlan.slug },
      after: { plan: assessment.newPlan.slug, request_id: request.id, request_status: request.status },
    });
    const data = planChangeRecord(type, request, service, assessment, change.now);
    return assessment.needsReview ? { statusCode: 202, data, message: REVIEW_MESSAGE } : ok(data);
  });
}

const planChangeRecord = (
  type: PlanChangeType,
  request: RequestRow,
  service: ServiceRow,
  { currentPlan, newPlan }: { currentPlan: PlanRow; newPlan: PlanRow },
  now: number,
) => ({
  request_id: request.id,
  type,
  request_status: request.status,
  operator_review: request.status === 'operator_review',
  service_number: service.number,
  service_status: service.status,
  current_plan: nestedPlan(currentPlan),
  new_plan: nestedPlan(newPlan),
  effective_date: timestamp(request.effectiveAt),
  submitted_date: isoTimestamp(request.submittedAt),
  processed_date: timestamp(request.processedAt),
  ...progressRecord(request, now),
});

export type PlanChangeRecord = ReturnType<typeof planChangeRecord>;
