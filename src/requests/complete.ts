import type { Change } from '../context/context.ts';
import type { WorkFailure } from '../ports.ts';
import { lastChangeAt } from '../rules/last-change.ts';
import { renewalAsOf } from '../rules/renewals.ts';
import { type Decider, isEnded } from '../rules/words.ts';
import type { LeasedRequest, RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { closedCreation } from './accept.ts';
import { KINDS } from './kinds/index.ts';
import { historyLine, moveRequest } from './move-request.ts';

/** By whom an accepted request is closed. */
export interface Closing {
  actor: 'system' | Decider;
  /** The lease under which it is closed; null: only while there is none. */
  leasedBy: string | null;
  /** The history's note, where that is not the reason of a failure. */
  note?: string | null;
}

/** Marks a request completed and writes its changes of the service. Returns null when the lease was lost. */
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

/** A leased request with its service, which is locked. */
export interface DoneWork {
  request: LeasedRequest;
  service: ServiceRow;
}

/**
 * Completes many requests of as many services, each as `complete` would by the system; resolves with the ids of those
 * whose lease was not lost.
 */
export async function completeTogether(change: Change, works: readonly DoneWork[]): Promise<Set<string>> {
  const { tx, now, newId } = change;
  const requests = works.map(({ request }) => request);
  const completed = await tx.requests.completeLeased(requests, now);
  const done = works.filter(({ request }) => completed.has(request.id));
  if (done.length === 0) return completed;
  await tx.requests.addHistories(
    done.map(({ request }) => historyLine(newId, { ...request, status: 'completed', updatedAt: now }, 'system', null)),
  );
  await tx.services.updateEach(
    done.map(({ service, request }) => ({
      service,
      to: written(service, now, KINDS[request.type].complete?.(service, request, now)),
    })),
  );
  return completed;
}

/**
 * Fails an accepted request and reverts what its acceptance wrote on the service, which is locked. Returns null when the
 * request has been moved meanwhile.
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

const write = ({ tx, now }: Change, service: ServiceRow, changes?: Partial<ServiceRow>) =>
  tx.services.update(service.brokerId, service.number, written(service, now, changes));

/** The changes with what goes along with any. */
function written(service: ServiceRow, now: number, changes: Partial<ServiceRow> = {}): Partial<ServiceRow> {
  const { status = service.status } = changes;
  // Of the row as it was locked, so that the request's move and its effect give the service one date.
  const updatedAt = lastChangeAt(service.updatedAt, now);
  // What has ended renews no more: the last date that readers saw stays.
  const ended = isEnded(status) && { renewalAt: renewalAsOf(service, now) };
  return Object.assign({}, changes, ended, { updatedAt });
}
