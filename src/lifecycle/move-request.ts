import { canMove } from '../rules/request-states.ts';
import { lastChangeAt } from '../rules/timestamps.ts';
import { isFinal, type RequestActor, type RequestStatus } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import { together } from '../store/session/together.ts';

/** What a move needs of a change. */
export type ChangeContext = Pick<Change, 'tx' | 'newId' | 'now'>;

/**
 * Moves a request into another state by compare-and-set and adds a history entry. Every state change goes through this
 * function, which enforces the allowed transitions (src/rules/request-states.ts).
 * @param change.leasedBy also requires this lease; null requires that no worker has begun
 * @param change.onMoved writes to the service what the move does to it; by default only that it was changed
 * Returns null when the request has been moved meanwhile.
 */
export async function moveRequest(
  change: ChangeContext,
  request: RequestRow,
  to: RequestStatus,
  {
    actor,
    note = null,
    leasedBy,
    onMoved = () => change.tx.services.touch(request.brokerId, request.serviceNumber, change.now),
    ...changes
  }: {
    actor: RequestActor;
    note?: string | null;
    leasedBy?: string | null;
    onMoved?: () => Promise<unknown>;
  } & Partial<RequestRow>,
): Promise<RequestRow | null> {
  if (!canMove(request.status, to)) throw new Error(`a request cannot move from ${request.status} to ${to}`);
  const at = lastChangeAt(request.updatedAt, change.now);
  const moved = await change.tx.requests.move(
    request.brokerId,
    request.id,
    { status: request.status, ...(leasedBy !== undefined && { leaseOwner: leasedBy }) },
    Object.assign(changes, {
      status: to,
      updatedAt: at,
      processedAt: isFinal(to) ? at : null,
      ...(changes.decisionAction && { decidedAt: at }),
      // Only accepted requests wait for a worker.
      ...(to === 'accepted' ? {} : { dueAt: null, leaseOwner: null, workToken: null }),
    }),
  );
  if (!moved) return null;
  await together([addToHistory(change, moved, actor, note), onMoved()]);
  return moved;
}

/** Adds the history entry for a request's current state. */
export const addToHistory = (
  { tx, newId }: Pick<Change, 'tx' | 'newId'>,
  { id, brokerId, status, updatedAt }: RequestRow,
  actor: RequestActor,
  note: string | null,
): Promise<void> =>
  tx.requests.addHistory({ id: newId('evt', updatedAt), brokerId, requestId: id, status, at: updatedAt, actor, note });
