import { canMove, isFinal } from '../rules/request-states.ts';
import type { HistoryRow, RequestRow, RequestStatus } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Reads, Tx } from '../store/store.ts';
import type { Context } from './context.ts';

type Actor = HistoryRow['actor'];
type Ids = Pick<Context, 'newId'>;

/** A request that has nothing but its beginning; each operation adds what its type needs. */
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
  ...fields,
});

/** Writes a new request and the first line of its history. */
export async function submitRequest(tx: Tx, { newId }: Ids, request: RequestRow, note: string | null = null) {
  await tx.requests.insert(request);
  await tx.requests.addHistory({
    id: newId('evt', request.updatedAt),
    brokerId: request.brokerId,
    requestId: request.id,
    status: request.status,
    at: request.updatedAt,
    actor: request.origin,
    note,
  });
}

/**
 * Moves a request into another state, compare-and-set, with a line in its history; null when somebody else
 * moved it first. The table of allowed moves is held here, for every caller. `leasedBy` also asks for this
 * lease; null asks that no worker has begun.
 */
export async function moveRequest(
  tx: Tx,
  { newId }: Ids,
  request: RequestRow,
  to: RequestStatus,
  {
    now,
    actor,
    note = null,
    leasedBy,
    ...changes
  }: { now: number; actor: Actor; note?: string | null; leasedBy?: string | null } & Partial<RequestRow>,
): Promise<RequestRow | null> {
  if (!canMove(request.status, to)) throw new Error(`a request cannot move from ${request.status} to ${to}`);
  const moved = await tx.requests.move(
    request.brokerId,
    request.id,
    { status: request.status, ...(leasedBy !== undefined && { leaseOwner: leasedBy }) },
    {
      ...changes,
      status: to,
      updatedAt: now,
      processedAt: isFinal(to) ? now : null,
      // Only accepted requests wait for a worker.
      ...(to === 'accepted' ? {} : { dueAt: null, leaseOwner: null }),
    },
  );
  if (!moved) return null;
  await tx.requests.addHistory({
    id: newId('evt', now),
    brokerId: moved.brokerId,
    requestId: moved.id,
    status: to,
    at: now,
    actor,
    note,
  });
  return moved;
}

/** The open requests of a service, sorted by what they are; `except` leaves one out of account. */
export async function openRequestsOf(tx: Reads | Tx, service: ServiceRow, except?: string) {
  const open = (await tx.requests.listOpen(service.brokerId, service.number)).filter((row) => row.id !== except);
  const find = (...types: RequestRow['type'][]) => open.find((row) => types.includes(row.type)) ?? null;
  return {
    cancellation: find('cancellation') as (RequestRow & { status: 'pending' | 'accepted' }) | null,
    planChange: find('plan-upgrade', 'plan-downgrade'),
    creation: find('service-creation'),
  };
}

/** What stands on a service that was going to be cancelled and now is not. */
export const NO_CANCELLATION = {
  cancellationType: null,
  cancellationEffectiveAt: null,
  cancellationRequestId: null,
} as const;

/**
 * What accepting a cancellation does beside the request itself: the service shows it, and an open plan change
 * or creation is closed, since it could never be completed (contract, section 6, "Cancel").
 */
export async function scheduleCancellation(
  tx: Tx,
  ids: Ids,
  service: ServiceRow,
  request: RequestRow,
  now: number,
): Promise<void> {
  await tx.services.update(service.brokerId, service.number, {
    cancellationType: request.cancellationType,
    cancellationEffectiveAt: request.effectiveAt,
    cancellationRequestId: request.id,
    updatedAt: now,
  });
  const { planChange, creation } = await openRequestsOf(tx, service);
  for (const superseded of [planChange, creation]) {
    if (!superseded) continue;
    const note = 'service_cancelled';
    if (superseded.status === 'accepted') {
      await moveRequest(tx, ids, superseded, 'failed', {
        now,
        actor: 'system',
        note,
        failureReason: 'service_cancelled',
        failureMessage: 'The service was cancelled before the work was done',
        failureServiceUsable: service.status === 'active',
        failureRetryable: false,
      });
    } else {
      await moveRequest(tx, ids, superseded, 'denied', {
        now,
        actor: 'system',
        note,
        decisionAction: 'deny',
        decidedBy: 'broker',
        decisionReason: 'service_cancelled',
        decidedAt: now,
      });
    }
  }
}
