import type { Change } from '../context/context.ts';
import { canMove } from '../rules/request-states.ts';
import { type Actor, isFinal, type RequestStatus } from '../rules/words.ts';
import type { RequestRow } from '../store/requests.ts';
import { addToHistory } from './history.ts';

/**
 * Moves a request into another state, compare-and-set, with a line in its history; null when somebody else
 * moved it first. Its service shows the new state, or no request any more, and so has changed. The table of allowed
 * moves is held here, for every caller. `leasedBy` also asks for this lease; null asks that no worker has begun.
 */
export async function moveRequest(
  change: Change,
  request: RequestRow,
  to: RequestStatus,
  {
    actor,
    note = null,
    leasedBy,
    ...changes
  }: { actor: Actor; note?: string | null; leasedBy?: string | null } & Partial<RequestRow>,
): Promise<RequestRow | null> {
  if (!canMove(request.status, to)) throw new Error(`a request cannot move from ${request.status} to ${to}`);
  const moved = await change.tx.requests.move(
    request.brokerId,
    request.id,
    { status: request.status, ...(leasedBy !== undefined && { leaseOwner: leasedBy }) },
    Object.assign(changes, {
      status: to,
      updatedAt: change.now,
      processedAt: isFinal(to) ? change.now : null,
      // Only accepted requests wait for a worker.
      ...(to === 'accepted' ? {} : { dueAt: null, leaseOwner: null, workToken: null }),
    }),
  );
  if (!moved) return null;
  await addToHistory(change, moved, actor, note);
  // Readers saw the service at the moment of its request, by the clock of another server perhaps.
  await change.tx.services.touch(moved.brokerId, moved.serviceNumber, Math.max(change.now, moved.submittedAt));
  return moved;
}
