import type { Change } from '../context/context.ts';
import type { WorkFailure } from '../ports.ts';
import { lastChangeAt } from '../rules/last-change.ts';
import { renewalAsOf } from '../rules/renewals.ts';
import { type Decider, isEnded } from '../rules/words.ts';
import type { LeasedRequest, RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { KINDS } from './kinds/index.ts';
import { historyLine, moveRequest } from './move-request.ts';
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

/** A leased request with its locked service. */
export interface DoneWork {
  request: LeasedRequest;
  service: ServiceRow;
}

/**
 * Completes several requests, each of another service, as `complete` does for the system. Resolves with the ids of the
 * completed requests; a request whose lease was lost is not among them.
 */
export async function completeTogether(change: Change, jobs: readonly DoneWork[]): Promise<Set<string>> {
  const { tx, now, asOf, newId } = change;
  const requests = jobs.map(({ request }) => request);
  const completed = await tx.requests.completeLeased(requests, now);
  const done = jobs.filter(({ request }) => completed.has(request.id));
  if (done.length === 0) return completed;
  await tx.requests.addHistories(
    done.map(({ request }) => {
      const updatedAt = lastChangeAt(request.updatedAt, now);
      return historyLine(newId, { ...request, status: 'completed', updatedAt }, 'system', null);
    }),
  );
  const changes = done.map(({ service, request }) => ({
    service,
    to: written(service, { now, asOf }, KINDS[request.type].complete?.(service, request, now)),
  }));
  await tx.services.updateEach(changes);
  for (const { service, to } of changes) await closeWithService(change, { ...service, ...to });
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
  const to = written(service, change, changes);
  await change.tx.services.update(service.brokerId, service.number, to);
  await closeWithService(change, { ...service, ...to });
}

/** Adds what every change includes: `updatedAt`, and the last renewal date of an ended service. */
function written(
  service: ServiceRow,
  { now, asOf }: Pick<Change, 'now' | 'asOf'>,
  changes: Partial<ServiceRow> = {},
): Partial<ServiceRow> {
  const { status = service.status } = changes;
  // Of the row as it was locked, so that the request's move and its effect give the service one date.
  const updatedAt = lastChangeAt(service.updatedAt, now);
  // An ended service does not renew; it keeps the last date that readers saw.
  const ended = isEnded(status) && { renewalAt: renewalAsOf(service, asOf) };
  return Object.assign({}, changes, ended, { updatedAt });
}
