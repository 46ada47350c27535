import { type Actor, audit } from '../audit/audit.ts';
import { fail, refuseIf } from '../errors.ts';
import type { RequestType } from '../kinds/index.ts';
import { type OperatorsWord, operatorsWord } from '../kinds/suspension.ts';
import type { Change } from '../store/change.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { close, supersededBy } from './close.ts';
import { findOpenRequests } from './load-for-change.ts';
import { type SubmittedRequest, submitAssessed } from './submit.ts';

const TYPES = { suspend: 'service-suspension', unsuspend: 'service-unsuspension' } as const satisfies Record<
  OperatorsWord,
  RequestType
>;

/**
 * Brings the operator's suspension of a locked service, or its end, to the machine (contract, section 12.6): takes back
 * the open requests that it replaces, and submits one of origin operator unless an open one does it already.
 * @param service as it is now: a suspension has changed its record already
 * @returns the request that was submitted; null where none was
 * Throws `invalid_state` `suspension_in_progress` for an end while one is open that does not wait.
 */
export async function bringToMachine(
  change: Change,
  service: ServiceRow,
  {
    word,
    reason,
    actor,
    retryOf,
  }: { word: OperatorsWord; reason: string | null; actor: Actor; retryOf?: string | undefined },
): Promise<SubmittedRequest | null> {
  const open = await findOpenRequests(change.tx, service);
  const { closes, submits, waits } = operatorsWord(open, word);
  for (const request of closes) {
    const isClosed = await takeBack(change, service, request, actor);
    // A worker's claim does not take the service's lock, so it can come first: then it is at work.
    if (isClosed || request !== open[word]) continue;
    if (word === 'suspend') return null;
    throw inProgress(request);
  }
  if (word === 'unsuspend') refuseIf(submits || closes.length > 0 ? undefined : inProgress(open[word]));
  if (!submits) return null;
  const fields = word === 'suspend' ? { cancellationReason: reason } : {};
  const assessment = { currentPlan: null, newPlan: null, needsReview: false, effectiveAt: null, fields, waits };
  return submitAssessed(change, service, assessment, { type: TYPES[word], origin: 'operator', actor, retryOf });
}

async function takeBack(change: Change, service: ServiceRow, request: RequestRow, actor: Actor): Promise<boolean> {
  const ending = { status: 'failed', failure: supersededBy(service) } as const;
  const closed = await close(change, service, request, ending, { actor: 'operator', leasedBy: null });
  if (!closed) return false;
  await audit(change, actor, {
    action: 'request.close',
    brokerId: service.brokerId,
    subject: `request/${request.id}`,
    before: { request_status: request.status },
    after: { request_status: closed.status },
  });
  return true;
}

const inProgress = (request: RequestRow | undefined) =>
  fail.invalidState(
    'suspension_in_progress',
    'The end of the suspension is open already; wait until it is final',
    request && { request_id: request.id, type: request.type },
  );
