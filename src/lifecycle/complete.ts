import { KINDS } from '../kinds/index.ts';
import type { WorkFailure } from '../ports.ts';
import { lastChangeAt } from '../rules/last-change.ts';
import { type Decider, isEnded } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { moveRequest } from './move-request.ts';
import { closedCreation, closeWithService } from './submit.ts';

/** Who closes an accepted request, and under which lease. */
export interface Closing {
  actor: 'system' | Decider;
  /** The lease that must be held; null: the request must have no lease. */
  leasedBy: string | null;
  /** The note in the history; by default the reason of a failure. */
  note?: string | null;
}

/** Marks a request completed and writes its changes of the service. Returns null where the lease was lost. */
export async function complete(
  change: Change,
  service: ServiceRow,
  request: RequestRow,
  by: Closing,
): Promise<RequestRow | null> {
  const completed = await moveRequest(change, request, 'completed', by);
  if (completed) await write(change, service, KINDS[request.type].complete?.(service, request, change.now));
  return completed;
}

/**
 * Fails an accepted request and reverts what its acceptance wrote to the locked service. Returns null where the request
 * has been moved meanwhile.
 */
export async function failAccepted(
  change: Change,
  service: ServiceRow,
  request: RequestRow,
  { reason, message, serviceUsable, retryable }: WorkFailure,
  by: Closing,
): Promise<RequestRow | null> {
  const { revert, createsService } = KINDS[request.type];
  const reverted = revert?.(service, { creation: await closedCreation(change, request) });
  const remains = !createsService && !isEnded(reverted?.status ?? service.status);
  const failed = await moveRequest(change, request, 'failed', {
    note: reason,
    ...by,
    failureReason: reason,
    failureMessage: message,
    failureServiceUsable: serviceUsable && remains,
    failureRetryable: retryable,
  });
  if (failed) await write(change, service, reverted);
  return failed;
}

async function write(change: Change, service: ServiceRow, changes?: Partial<ServiceRow>): Promise<void> {
  // Of the row as it was locked, so that the request's move and its effect give the service one date.
  const to = { ...changes, updatedAt: lastChangeAt(service.updatedAt, change.now) };
  await change.tx.services.update(service.brokerId, service.number, to);
  await closeWithService(change, { ...service, ...to });
}
