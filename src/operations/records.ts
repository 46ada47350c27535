import { isoMoment } from '../rules/moments.ts';
import { isFinal } from '../rules/request-states.ts';
import type { PlanRow } from '../store/plans.ts';
import type { HistoryRow, RequestRow, RequestView } from '../store/requests.ts';
import type { ServiceRow, ServiceView } from '../store/services.ts';
import type { Page } from '../store/session.ts';

/** Rows as the records of contract section 6, in the names and order that callers see. */

const moment = (ms: number | null): string | null => (ms === null ? null : isoMoment(ms));

/** The form of a plan wherever it is part of another record. */
export const nestedPlan = (plan: PlanRow) => ({
  id: plan.id,
  slug: plan.slug,
  display_name: plan.displayName,
  upgrade_rank: plan.upgradeRank,
  billing_type: plan.billingType,
});

const specifications = ({ vcpu, memoryMb, diskGb, transferGb }: PlanRow) =>
  vcpu === null && memoryMb === null && diskGb === null && transferGb === null
    ? null
    : { vcpu, memory_mb: memoryMb, disk_gb: diskGb, transfer_gb: transferGb };

const price = ({ priceAmount, priceCurrency }: PlanRow) =>
  priceAmount === null || priceCurrency === null ? null : { amount: priceAmount, currency: priceCurrency };

/** A plan of the catalog, in full. */
export const planRecord = (plan: PlanRow) => ({
  ...nestedPlan(plan),
  description: plan.description,
  specifications: specifications(plan),
  price: price(plan),
  requires_operator_review: plan.requiresOperatorReview,
});

const cancellation = ({ cancellationType, cancellationEffectiveAt, cancellationRequestId }: ServiceRow) =>
  cancellationType === null || cancellationEffectiveAt === null || cancellationRequestId === null
    ? null
    : {
        cancellation_type: cancellationType,
        effective_date: isoMoment(cancellationEffectiveAt),
        request_id: cancellationRequestId,
      };

/** A service with its plan and the open request that it shows. */
export const serviceRecord = ({ service, plan, openRequest }: ServiceView) => ({
  service_number: service.number,
  service_status: service.status,
  label: service.label,
  external_reference: service.externalReference,
  client: { name: service.clientName, email: service.clientEmail },
  plan: nestedPlan(plan),
  specifications: specifications(plan),
  price: price(plan),
  created_date: isoMoment(service.createdAt),
  renewal_date: moment(service.renewalAt),
  cancelled_date: moment(service.cancelledAt),
  cancellation: cancellation(service),
  open_request: openRequest && {
    request_id: openRequest.id,
    type: openRequest.type,
    request_status: openRequest.status,
  },
});

/** The latest decision on a request, in its wire form; null where nobody decided. */
export const decisionRecord = ({ decisionAction, decidedBy, decisionReason, decidedAt }: RequestRow) =>
  decisionAction === null || decidedBy === null || decidedAt === null
    ? null
    : { action: decisionAction, decided_by: decidedBy, reason: decisionReason, decided_date: isoMoment(decidedAt) };

const failure = ({ failureReason, failureMessage, failureServiceUsable, failureRetryable }: RequestRow) =>
  failureReason === null
    ? null
    : {
        reason: failureReason,
        message: failureMessage,
        service_usable: failureServiceUsable,
        retryable: failureRetryable,
      };

/** How soon asking again pays: work that is due takes seconds, everything else waits for people or a date. */
const SOON_SECONDS = 5;
const LATER_SECONDS = 3600;

function nextCheckSeconds(request: RequestRow, now: number): number | null {
  if (isFinal(request.status)) return null;
  const due = request.status === 'accepted' && (request.effectiveAt ?? now) <= now;
  return due ? SOON_SECONDS : LATER_SECONDS;
}

function fieldsOfType({ request, currentPlan, newPlan }: RequestView) {
  const effective_date = moment(request.effectiveAt);
  switch (request.type) {
    case 'cancellation-warning':
      return { warning_reason: request.warningReason };
    case 'plan-upgrade':
    case 'plan-downgrade':
      return {
        current_plan: currentPlan && nestedPlan(currentPlan),
        new_plan: newPlan && nestedPlan(newPlan),
        effective_date,
      };
    case 'cancellation':
      return { cancellation_type: request.cancellationType, effective_date, reason: request.cancellationReason };
    case 'service-creation':
      return { new_plan: newPlan && nestedPlan(newPlan) };
  }
}

/** A request; the fields of other types are absent. `now` (epoch milliseconds) tells whether its work is due. */
export const requestRecord = (view: RequestView, now: number) => ({
  request_id: view.request.id,
  type: view.request.type,
  request_status: view.request.status,
  operator_review: view.request.status === 'operator_review',
  service_number: view.request.serviceNumber,
  origin: view.request.origin,
  submitted_date: isoMoment(view.request.submittedAt),
  updated_date: isoMoment(view.request.updatedAt),
  processed_date: moment(view.request.processedAt),
  decision: decisionRecord(view.request),
  failure: failure(view.request),
  is_final: isFinal(view.request.status),
  next_check_seconds: nextCheckSeconds(view.request, now),
  ...fieldsOfType(view),
});

/** One line of a request's history. */
export const historyRecord = (row: HistoryRow) => ({
  request_status: row.status,
  date: isoMoment(row.at),
  actor: row.actor,
  note: row.note,
});

/** The answer to a plan change: what was asked for, and where it stands. */
export const planChangeRecord = (request: RequestRow, service: ServiceRow, currentPlan: PlanRow, newPlan: PlanRow) => ({
  request_id: request.id,
  type: request.type,
  request_status: request.status,
  operator_review: request.status === 'operator_review',
  service_number: service.number,
  service_status: service.status,
  current_plan: nestedPlan(currentPlan),
  new_plan: nestedPlan(newPlan),
  effective_date: moment(request.effectiveAt),
  submitted_date: isoMoment(request.submittedAt),
  processed_date: moment(request.processedAt),
});

/** The envelope's pagination object for a window of a list. */
export const pagination = ({ limit, offset }: Page, total: number) => ({
  page: Math.floor(offset / limit) + 1,
  perPage: limit,
  total,
  totalPages: Math.ceil(total / limit),
});

export type PlanRecord = ReturnType<typeof planRecord>;
export type ServiceRecord = ReturnType<typeof serviceRecord>;
export type RequestRecord = ReturnType<typeof requestRecord>;
export type Pagination = ReturnType<typeof pagination>;
