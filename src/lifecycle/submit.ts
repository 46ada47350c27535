import { type Actor, audit } from '../audit/audit.ts';
import { KINDS, type RequestType } from '../kinds/index.ts';
import type { Assessment, RequestInput } from '../kinds/kind.ts';
import { isFinal, type Origin } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { PlanRow } from '../store/queries/plans.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { together } from '../store/session/together.ts';
import { close, closeOthers, supersededBy } from './close.ts';
import { loadForChange } from './load-for-change.ts';
import { addToHistory, type ChangeContext } from './move-request.ts';
import type { Owner } from './owned-records.ts';

export interface Submission {
  type: RequestType;
  origin: Origin;
  /** For the audit trail; null: the system submits it. */
  actor: Actor | null;
  /** The failed request that it does once more. */
  retryOf?: string | null | undefined;
  /** By default a new one. */
  requestId?: string;
}

/** A submitted request with its service and plans. */
export interface SubmittedRequest {
  request: RequestRow;
  service: ServiceRow;
  currentPlan: PlanRow | null;
  newPlan: PlanRow | null;
}

/**
 * Locks a service of the owner, applies the rules of the request's type and submits it.
 * Throws `not_found` and the refusals of the type.
 */
export async function submit(
  change: Change,
  owner: Owner,
  { serviceNumber, ...input }: RequestInput & { serviceNumber: number },
  submission: Submission,
): Promise<SubmittedRequest> {
  const loaded = await loadForChange(change, owner, serviceNumber, submission.type, input, submission.origin);
  const assessment = KINDS[submission.type].assess(loaded, input, change.now);
  if (assessment.supersedes) return supersede(change, loaded.service, assessment.supersedes, submission);
  return submitAssessed(change, loaded.service, assessment, submission);
}

/**
 * Submits a request that the rules allow, with its row of the audit trail. A client's request waits for the broker's
 * decision; a broker's request is accepted, unless the operator has to review it; the operator's is accepted.
 */
export async function submitAssessed(
  change: Change,
  service: ServiceRow,
  { currentPlan, newPlan, fields, note, needsReview, effectiveAt, waits = false }: Assessment<PlanRow>,
  { type, origin, actor, requestId, retryOf = null }: Submission,
): Promise<SubmittedRequest> {
  const status = origin === 'client' ? 'pending' : needsReview && origin === 'broker' ? 'operator_review' : 'accepted';
  const { now } = change;
  const request = newRequest(requestId ?? change.newId('req', now), service, now, {
    type,
    status,
    origin,
    currentPlanId: currentPlan?.id ?? null,
    newPlanId: newPlan?.id ?? null,
    retryOf,
    ...fields,
    ...(status === 'accepted' && !waits && due(effectiveAt, now)),
  });
  const submitted = { request, service, currentPlan, newPlan };
  await together([
    // The service shows the request. One that is created has this date already.
    KINDS[type].createsService ? undefined : change.tx.services.touch(service.brokerId, service.number, now),
    insertRequest(change, request, note),
    actor && auditSubmission(change, actor, submitted),
  ]);
  if (status === 'accepted') await applyAcceptance(change, service, request);
  return submitted;
}

async function auditSubmission(change: Change, actor: Actor, submitted: SubmittedRequest): Promise<void> {
  const { id, brokerId, serviceNumber, type, status, origin, retryOf } = submitted.request;
  if (origin === 'client') {
    const after = { type, service_number: serviceNumber, request_status: status };
    await audit(change, actor, { action: 'request.submit', brokerId, subject: `request/${id}`, after });
    return;
  }
  const { action, audited } = KINDS[type];
  const { before, after } = audited?.(submitted) ?? {};
  await audit(change, actor, {
    action,
    brokerId,
    subject: `service/${serviceNumber}`,
    before,
    after: { ...after, request_id: id, request_status: status, ...(retryOf !== null && { retry_of: retryOf }) },
  });
}

/** Takes back the open request that waits, and answers the one that it was to undo. */
async function supersede(
  change: Change,
  service: ServiceRow,
  { closedId, answerId }: { closedId: string; answerId: string },
  { type, origin, actor }: Submission,
): Promise<SubmittedRequest> {
  const open = await change.tx.requests.listOpen(service.brokerId, service.number);
  // The rules have found both in the same transaction.
  const waiting = open.find(({ id }) => id === closedId) as RequestRow;
  const request = open.find(({ id }) => id === answerId) as RequestRow;
  await close(change, service, waiting, { status: 'failed', failure: supersededBy(service) }, { actor: origin });
  if (!actor) throw new Error('only a request with an actor takes back another one');
  await audit(change, actor, {
    action: KINDS[type].action,
    brokerId: service.brokerId,
    subject: `service/${service.number}`,
    after: { superseded_request_id: closedId, request_id: answerId, request_status: request.status },
  });
  return { request, service, currentPlan: null, newPlan: null };
}

/** When accepted work takes effect, and from when on a worker may claim it; epoch milliseconds. */
export const due = (effectiveAt: number | null, now: number) => ({ effectiveAt, dueAt: effectiveAt ?? now });

/** Writes a new request and the first line of its history. */
export async function insertRequest(
  change: Pick<Change, 'tx' | 'newId'>,
  request: RequestRow,
  note: string | null = null,
): Promise<void> {
  await together([change.tx.requests.insert(request), addToHistory(change, request, request.origin, note)]);
}

/** The row of a new request, submitted at `submittedAt` (epoch milliseconds). */
export const newRequest = (
  id: string,
  service: Pick<ServiceRow, 'brokerId' | 'number'>,
  submittedAt: number,
  fields: Pick<RequestRow, 'type' | 'status' | 'origin'> & Partial<RequestRow>,
): RequestRow => ({
  id,
  brokerId: service.brokerId,
  serviceNumber: service.number,
  submittedAt,
  updatedAt: submittedAt,
  processedAt: isFinal(fields.status) ? submittedAt : null,
  decisionAction: null,
  decidedBy: null,
  decisionReason: null,
  decidedAt: null,
  failureReason: null,
  failureMessage: null,
  failureServiceUsable: null,
  failureRetryable: null,
  warningReason: null,
  currentPlanId: null,
  newPlanId: null,
  effectiveAt: null,
  cancellationType: null,
  cancellationReason: null,
  dueAt: null,
  cleansUp: null,
  actionName: null,
  actionDisplayName: null,
  actionConfiguration: null,
  leaseOwner: null,
  attempts: 0,
  failingSince: null,
  calledAt: null,
  workToken: null,
  workBegunAt: null,
  withheldBy: null,
  retryOf: null,
  ...fields,
});

/** Applies an acceptance to the service: the changes of the request's type, and the end of requests that it supersedes. */
export async function applyAcceptance(change: ChangeContext, service: ServiceRow, request: RequestRow): Promise<void> {
  const { accept, closesOthers } = KINDS[request.type];
  if (accept) await change.tx.services.update(service.brokerId, service.number, accept(request));
  if (!closesOthers) return;
  const stays = ({ id, type }: RequestRow) => id === request.id || KINDS[type].outlastsCancellation === true;
  await closeOthers(change, service, closesOthers, 'system', stays);
}
