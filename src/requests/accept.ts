import type { Change } from '../context/context.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { KINDS } from './kinds/index.ts';
import { moveRequest } from './move-request.ts';

/** Applies an acceptance to the service: the changes of the request's type, and the end of requests that it supersedes. */
export async function applyAcceptance(change: Change, service: ServiceRow, request: RequestRow): Promise<void> {
  const { accept, closesOthers } = KINDS[request.type];
  if (accept) await change.tx.services.update(service.brokerId, service.number, accept(request));
  if (!closesOthers) return;
  for (const other of await change.tx.requests.listOpen(service.brokerId, service.number)) {
    if (other.id !== request.id) await closeSuperseded(change, service, other, closesOthers);
  }
}

const closeSuperseded = (
  change: Change,
  service: ServiceRow,
  superseded: RequestRow,
  { reason, message }: { reason: string; message: string },
): Promise<RequestRow | null> =>
  superseded.status === 'accepted'
    ? moveRequest(change, superseded, 'failed', {
        actor: 'system',
        note: reason,
        failureReason: reason,
        failureMessage: message,
        failureServiceUsable: service.status === 'active',
        failureRetryable: false,
      })
    : moveRequest(change, superseded, 'denied', {
        actor: 'system',
        note: reason,
        decisionAction: 'deny',
        decidedBy: 'broker',
        decisionReason: reason,
        decidedAt: change.now,
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
