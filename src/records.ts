import { type FieldOf, KINDS, type RequestType } from './kinds/index.ts';
import type { OwnField } from './kinds/kind.ts';
import { suspensionOf } from './kinds/suspension.ts';
import { accessOf } from './rules/access.ts';
import { type LostSpan, lostMark } from './rules/lost-spans.ts';
import { NO_OFFER, type PlanOffer } from './rules/offers.ts';
import { type Configuration, configurationOf } from './rules/options.ts';
import { isoTimestamp, isoTimestampOrNull, secondsUntil } from './rules/timestamps.ts';
import { type CancellationType, isEnded, isFinal } from './rules/words.ts';
import type { ConsumptionRow } from './store/queries/consumption.ts';
import type { LossRow } from './store/queries/history.ts';
import type { PlanRow } from './store/queries/plans.ts';
import type { HistoryRow, RequestRow, RequestView } from './store/queries/requests.ts';
import type { ListedService, OpenRequest, ShownService } from './store/queries/services.ts';
import type { PageWindow } from './store/session/session.ts';

/** Converts rows to the records of the contract's section 6, with the field names and order of the API. */

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

/** A plan of the catalog without what it offers. */
export const planSummary = (plan: PlanRow) =>
  Object.assign(nestedPlan(plan), {
    description: plan.description,
    specifications: specifications(plan),
    price: price(plan),
    requires_operator_review: plan.requiresOperatorReview,
  });

/** What a plan lets its services do, in its record and in that of one service. */
export const abilities = ({ actions, hasCredentials }: PlanOffer) => ({ actions, has_credentials: hasCredentials });

/** A plan of the catalog, in full. */
export const planRecord = (plan: PlanRow, offer: PlanOffer = NO_OFFER) =>
  Object.assign(planSummary(plan), { options: offer.options, ...abilities(offer) });

const cancellation = ({ cancellationType, cancellationEffectiveAt, cancellationRequestId }: ShownService) =>
  cancellationType === null || cancellationEffectiveAt === null || cancellationRequestId === null
    ? null
    : {
        cancellation_type: cancellationType,
        effective_date: isoTimestamp(cancellationEffectiveAt),
        request_id: cancellationRequestId,
      };

const suspension = (service: ShownService) => {
  const found = suspensionOf(service);
  return found && { suspended_by: found.by, reason: found.reason, suspended_date: isoTimestamp(found.at) };
};

/** An address of an ended service may belong to another client by now. */
const accessRecord = ({ status, access }: ShownService) => (isEnded(status) ? null : accessOf(access));

/** @param newPlans the plans that open requests lead to, by id */
const openRequestRecord = (request: OpenRequest, newPlans: ListedService['newPlans']) => {
  const plan = newPlans.get(request.newPlanId);
  return {
    request_id: request.id,
    type: request.type,
    request_status: request.status,
    new_plan: plan ? nestedPlan(plan) : null,
    effective_date: isoTimestampOrNull(request.effectiveAt),
  };
};

/**
 * The service once every accepted request that waits for no date is done; null where there is none (contract, section
 * 12.5). Whether one waits was settled when it was accepted: a record that changed as a date passes would not be dated.
 */
function expected({ service, openRequests, newPlans }: ListedService) {
  const due = openRequests.filter(
    ({ status, effectiveAt, updatedAt }) => status === 'accepted' && (effectiveAt === null || effectiveAt <= updatedAt),
  );
  if (due.length === 0) return null;
  const inOrder = due.sort((one, other) => one.submittedAt - other.submittedAt);
  let [status, planId, suspendedBy] = [service.status, service.planId, service.suspendedBy];
  for (const request of inOrder) {
    const kind = KINDS[request.type];
    const facts = { ...service, keptConfiguration: null, status, suspendedBy };
    if (kind.precondition?.(facts, request)) continue;
    const changes = kind.complete?.(facts, { ...UNDECIDED, ...request }, service.updatedAt) ?? {};
    [status, planId, suspendedBy] = [
      changes.status ?? status,
      changes.planId ?? planId,
      changes.suspendedBy ?? suspendedBy,
    ];
  }
  // The service's own, or one that an open request leads to.
  return { service_status: status, plan: nestedPlan(newPlans.get(planId) as PlanRow) };
}

/** What an open request adds to its service but the service's status and plan: none of it is expected of it. */
const UNDECIDED = {
  cancellationType: null,
  cancellationReason: null,
  actionName: null,
  actionDisplayName: null,
  actionConfiguration: null,
};

/** A service with its plan and its open requests. */
export const serviceRecord = (view: ListedService) => {
  const { service, plan, openRequests, newPlans } = view;
  const open = openRequests.map((request) => openRequestRecord(request, newPlans));
  return {
    ...ownRecord(service, plan),
    expected: expected(view),
    open_request: open[0] ?? null,
    open_requests: open,
  };
};

/** The service itself. */
const ownRecord = (service: ShownService, plan: PlanRow) => ({
  service_number: service.number,
  service_status: service.status,
  label: service.label,
  external_reference: service.externalReference,
  client: { name: service.clientName, email: service.clientEmail },
  plan: nestedPlan(plan),
  specifications: specifications(plan),
  configuration: configurationOf(service.configuration),
  access: accessRecord(service),
  price: price(plan),
  created_date: isoTimestamp(service.createdAt),
  updated_date: isoTimestamp(service.updatedAt),
  renewal_date: isoTimestampOrNull(service.renewalAt),
  cancelled_date: isoTimestampOrNull(service.cancelledAt),
  cancellation: cancellation(service),
  suspension: suspension(service),
});

/** The latest decision on a request, in its wire form; null where there is none. */
export const decisionRecord = ({ decisionAction, decidedBy, decisionReason, decidedAt }: RequestRow) =>
  decisionAction === null || decidedBy === null || decidedAt === null
    ? null
    : { action: decisionAction, decided_by: decidedBy, reason: decisionReason, decided_date: isoTimestamp(decidedAt) };

const failureRecord = ({ failureReason, failureMessage, failureServiceUsable, failureRetryable }: RequestRow) =>
  failureReason === null || failureMessage === null || failureServiceUsable === null || failureRetryable === null
    ? null
    : {
        reason: failureReason,
        message: failureMessage,
        service_usable: failureServiceUsable,
        retryable: failureRetryable,
      };

/** People rarely decide within a minute, nor does anybody let held work go, so asking more often is useless. */
const DECISION_SECONDS = 60;

/**
 * Whether a request is final, and in how many seconds to ask again (contract, section 6, "Requests"): when its effective
 * date is reached, and shortly afterwards while it is due. `now` is in epoch milliseconds.
 */
const progressRecord = ({ status, effectiveAt }: RequestRow, now: number, isHeld: boolean) => ({
  is_final: isFinal(status),
  next_check_seconds: isFinal(status)
    ? null
    : status === 'accepted' && !isHeld
      ? secondsUntil(effectiveAt ?? now, now)
      : DECISION_SECONDS,
});

/** The fields that only some types have. A type’s fields are always present. */
interface OwnFields extends Record<OwnField, unknown> {
  warning_reason: string;
  current_plan: NestedPlan;
  new_plan: NestedPlan;
  effective_date: string | null;
  cancellation_type: CancellationType;
  reason: string | null;
  action: { name: string; display_name: string };
  configuration: Configuration;
}

/** A request of a type has the columns of its fields. */
const OWN_FIELDS: { [F in OwnField]: (view: RequestView) => OwnFields[F] } = {
  warning_reason: ({ request }) => request.warningReason as string,
  current_plan: ({ currentPlan }) => nestedPlan(currentPlan as PlanRow),
  new_plan: ({ newPlan }) => nestedPlan(newPlan as PlanRow),
  effective_date: ({ request }) => isoTimestampOrNull(request.effectiveAt),
  cancellation_type: ({ request }) => request.cancellationType as CancellationType,
  reason: ({ request }) => request.cancellationReason,
  action: ({ request }) => ({
    name: request.actionName as string,
    display_name: request.actionDisplayName as string,
  }),
  configuration: ({ request }) => configurationOf(request.actionConfiguration),
};

/** What a request does that is named by its service's plan; undefined for any other. */
export const actionOf = ({ actionDisplayName }: RequestRow) =>
  actionDisplayName === null ? undefined : { display_name: actionDisplayName };

/** The fields of the request's type in addition to those of every type. */
function ownFields(view: RequestView): Partial<OwnFields> {
  const fields: Partial<OwnFields> = {};
  const add = <F extends OwnField>(name: F) => {
    fields[name] = OWN_FIELDS[name](view);
  };
  KINDS[view.request.type].fields.forEach(add);
  return fields;
}

/**
 * A request in its wire form; the fields of other types are absent.
 * @param now epoch milliseconds
 * @param isHeld whether work waits since the records went back (contract, section 15.5)
 */
export const requestRecord = (view: RequestView, now: number, isHeld = false) => ({
  request_id: view.request.id,
  type: view.request.type,
  request_status: view.request.status,
  operator_review: view.request.status === 'operator_review',
  service_number: view.request.serviceNumber,
  origin: view.request.origin,
  submitted_date: isoTimestamp(view.request.submittedAt),
  updated_date: isoTimestamp(view.request.updatedAt),
  processed_date: isoTimestampOrNull(view.request.processedAt),
  decision: decisionRecord(view.request),
  failure: failureRecord(view.request),
  retry_of: view.request.retryOf,
  ...progressRecord(view.request, now, isHeld),
  ...ownFields(view),
});

/** One history entry in its wire form. */
export const historyRecord = (row: HistoryRow) => ({
  request_status: row.status,
  date: isoTimestamp(row.at),
  actor: row.actor,
  note: row.note,
});

/** What a service consumed, in its wire form. */
/** @param losses of records, which its period may touch */
export const consumptionRecord = (row: ConsumptionRow, losses: readonly LostSpan[] = []) => ({
  service_number: row.serviceNumber,
  measured_date: isoTimestamp(row.measuredAt),
  period_from: isoTimestampOrNull(row.periodFrom),
  disk_gb_used: row.diskGbUsed,
  transfer_gb_used: row.transferGbUsed,
  ...lostMark(losses, row.periodFrom ?? row.measuredAt, row.measuredAt + 1),
});

/** The envelope's pagination object for a window of a list. */
export const pagination = ({ limit, offset }: PageWindow, total: number) => ({
  page: Math.floor(offset / limit) + 1,
  perPage: limit,
  total,
  totalPages: Math.ceil(total / limit),
});

/** The number of history as lists of changes have it (contract, section 15.4). @param latest the last loss */
export const historyText = (latest: LossRow | null): string => String(latest?.history ?? 0);

export type ConsumptionRecord = ReturnType<typeof consumptionRecord>;
export type PlanRecord = ReturnType<typeof planRecord>;
export type ServiceRecord = ReturnType<typeof serviceRecord>;
export type NestedPlan = ReturnType<typeof nestedPlan>;
export type Pagination = ReturnType<typeof pagination>;
export type RequestRecord = ReturnType<typeof requestRecord>;
/** The record of a request of one type, which has all fields of the type. */
export type RecordOf<T extends RequestType> = RequestRecord & { type: T } & Pick<OwnFields, FieldOf<T>>;
