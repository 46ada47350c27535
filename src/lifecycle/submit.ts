import { isFinal, type Origin } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { PlanRow } from '../store/plans.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { KINDS, type RequestType } from './kinds/index.ts';
import { type Assessment, type Unmet, unlessEnded } from './kinds/kind.ts';
import { addToHistory, type Moving, moveRequest } from './move-request.ts';

/**
 * Submits a request that the rules allow. A client's request waits for the broker's decision; a broker's request is
 * accepted, unless the operator has to review it.
 */
export async function submit<Assessed extends Assessment<PlanRow>>(
  change: Change,
  service: ServiceRow,
  { type, origin }: { type: RequestType; origin: Origin },
  { currentPlan, newPlan, fields, note, needsReview, effectiveAt }: Assessed,
): Promise<{ request: RequestRow; currentPlan: Assessed['currentPlan']; newPlan: Assessed['newPlan'] }> {
  const status = origin === 'client' ? 'pending' : needsReview ? 'operator_review' : 'accepted';
  const { now } = change;
  const request = newRequest(change.newId('req', now), service, now, {
    type,
    status,
    origin,
    currentPlanId: currentPlan?.id ?? null,
    newPlanId: newPlan?.id ?? null,
    ...fields,
    ...(status === 'accepted' && due(effectiveAt, now)),
  });
  // The service shows the request. One that is created has this date already.
  if (!KINDS[type].createsService) await change.tx.services.touch(service.brokerId, service.number, now);
  await enter(change, request, note);
  if (status === 'accepted') await applyAcceptance(change, service, request);
  return { request, currentPlan, newPlan };
}

/** When accepted work takes effect, and from when on a worker may claim it; epoch milliseconds. */
export const due = (effectiveAt: number | null, now: number) => ({ effectiveAt, dueAt: effectiveAt ?? now });

/** Writes a new request and the first line of its history. */
export async function enter(change: Pick<Change, 'tx' | 'newId'>, request: RequestRow, note: string | null = null) {
  await change.tx.requests.insert(request);
  await addToHistory(change, request, request.origin, note);
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
  leaseOwner: null,
  attempts: 0,
  workToken: null,
  workBegunAt: null,
  ...fields,
});

/** Applies an acceptance to the service: the changes of the request's type, and the end of requests that it supersedes. */
export async function applyAcceptance(change: Moving, service: ServiceRow, request: RequestRow): Promise<void> {
  const { accept, closesOthers } = KINDS[request.type];
  if (accept) await change.tx.services.update(service.brokerId, service.number, accept(request));
  if (!closesOthers) return;
  for (const other of await change.tx.requests.listOpen(service.brokerId, service.number)) {
    if (other.id !== request.id && !KINDS[other.type].outlastsCancellation) {
      await close(change, service, other, closesOthers);
    }
  }
}

/**
 * Closes every open request of a service that has ended, and reverts what their acceptance wrote to it: nothing of it may
 * come back when an operator makes the service active again (contract, section 6).
 * @param by who ended it: the operator, or the work of a request that the broker asked for
 * @returns the requests as they were, and as they are now
 */
export async function closeWithService(
  change: Moving,
  service: ServiceRow,
  by: 'operator' | 'system' = 'system',
): Promise<Array<[before: RequestRow, after: RequestRow]>> {
  const unmet = unlessEnded(service);
  if (!unmet) return [];
  const closed: Array<[before: RequestRow, after: RequestRow]> = [];
  const reverted: Partial<ServiceRow> = {};
  for (const open of await change.tx.requests.listOpen(service.brokerId, service.number)) {
    const after = await close(change, service, open, unmet, by);
    if (after) closed.push([open, after]);
    if (open.status === 'accepted') Object.assign(reverted, KINDS[open.type].revert?.(service, { creation: false }));
  }
  if (Object.keys(reverted).length > 0) {
    await change.tx.services.update(service.brokerId, service.number, reverted);
  }
  return closed;
}

/** Closes what open requests 0.3 left on services that had ended; resolves with the number of services, `limit` at most. */
export async function closeLeftOpen(change: Moving, limit: number): Promise<number> {
  const found = await change.tx.services.listEndedWithOpen(limit);
  for (const { brokerId, number } of found) {
    const service = await change.tx.services.lock(brokerId, number);
    if (service) await closeWithService(change, service, 'operator');
  }
  return found.length;
}

const close = (
  change: Moving,
  service: ServiceRow,
  open: RequestRow,
  { reason, message }: Unmet,
  actor: 'operator' | 'system' = 'system',
): Promise<RequestRow | null> =>
  open.status === 'accepted'
    ? moveRequest(change, open, 'failed', {
        actor,
        note: reason,
        failureReason: reason,
        failureMessage: message,
        failureServiceUsable: service.status === 'active',
        failureRetryable: false,
      })
    : moveRequest(change, open, 'denied', {
        actor,
        note: reason,
        decisionAction: 'deny',
        decidedBy: actor === 'operator' ? actor : 'broker',
        decisionReason: reason,
      });

/** Whether the acceptance of a request closed the creation of its service; a service has one creation at most. */
export async function closedCreation({ tx }: Change, request: RequestRow): Promise<boolean> {
  const { closesOthers } = KINDS[request.type];
  if (!closesOthers) return false;
  const filter = { type: 'service-creation', status: 'failed', serviceNumber: request.serviceNumber } as const;
  const [creation] = await tx.requests.page(request.brokerId, filter, { limit: 1, offset: 0 });
  // If an earlier request closed the creation, it was final before this request was submitted.
  return (
    creation?.request.failureReason === closesOthers.reason &&
    Number(creation.request.processedAt) >= request.submittedAt
  );
}
