import { KINDS } from '../kinds/index.ts';
import type { OwnField } from '../kinds/kind.ts';
import { type NestedPlan, nestedPlan, timestamp } from '../records.ts';
import { isoTimestamp, secondsUntil } from '../rules/timestamps.ts';
import { type CancellationType, isFinal } from '../rules/words.ts';
import type { PlanRow } from '../store/plans.ts';
import type { HistoryRow, RequestRow, RequestView } from '../store/requests.ts';

/** The latest decision on a request, in its wire form; null where there is none. */
export const decisionRecord = ({ decisionAction, decidedBy, decisionReason, decidedAt }: RequestRow) =>
  decisionAction === null || decidedBy === null || decidedAt === null
    ? null
    : { action: decisionAction, decided_by: decidedBy, reason: decisionReason, decided_date: isoTimestamp(decidedAt) };

const failure = ({ failureReason, failureMessage, failureServiceUsable, failureRetryable }: RequestRow) =>
  failureReason === null || failureMessage === null || failureServiceUsable === null || failureRetryable === null
    ? null
    : {
        reason: failureReason,
        message: failureMessage,
        service_usable: failureServiceUsable,
        retryable: failureRetryable,
      };

/** People rarely decide within a minute, so asking more often is useless. */
const DECISION_SECONDS = 60;

/**
 * Whether a request is final, and in how many seconds to ask again (contract, section 6, "Requests"): when its effective
 * date is reached, and shortly afterwards while it is due. `now` is in epoch milliseconds.
 */
export const progressRecord = ({ status, effectiveAt }: RequestRow, now: number) => ({
  is_final: isFinal(status),
  next_check_seconds: isFinal(status)
    ? null
    : status === 'accepted'
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
}

/** A request of a type has the columns of its fields. */
const OWN_FIELDS: { [F in OwnField]: (view: RequestView) => OwnFields[F] } = {
  warning_reason: ({ request }) => request.warningReason as string,
  current_plan: ({ currentPlan }) => nestedPlan(currentPlan as PlanRow),
  new_plan: ({ newPlan }) => nestedPlan(newPlan as PlanRow),
  effective_date: ({ request }) => timestamp(request.effectiveAt),
  cancellation_type: ({ request }) => request.cancellationType as CancellationType,
  reason: ({ request }) => request.cancellationReason,
};

/** The fields of the request's type in addition to those of every type. */
function ownFields(view: RequestView): Partial<OwnFields> {
  const fields: Partial<Record<OwnField, unknown>> = {};
  for (const name of KINDS[view.request.type].fields) fields[name] = OWN_FIELDS[name](view);
  return fields as Partial<OwnFields>;
}

/** A request in its wire form; the fields of other types are absent. `now`: epoch milliseconds, for `progressRecord`. */
export const requestRecord = (view: RequestView, now: number) => ({
  request_id: view.request.id,
  type: view.request.type,
  request_status: view.request.status,
  operator_review: view.request.status === 'operator_review',
  service_number: view.request.serviceNumber,
  origin: view.request.origin,
  submitted_date: isoTimestamp(view.request.submittedAt),
  updated_date: isoTimestamp(view.request.updatedAt),
  processed_date: timestamp(view.request.processedAt),
  decision: decisionRecord(view.request),
  failure: failure(view.request),
  ...progressRecord(view.request, now),
  ...ownFields(view),
});

/** One history entry in its wire form. */
export const historyRecord = (row: HistoryRow) => ({
  request_status: row.status,
  date: isoTimestamp(row.at),
  actor: row.actor,
  note: row.note,
});

export type RequestRecord = ReturnType<typeof requestRecord>;
