import type { Actor } from '../audit/audit.ts';
import { fail, refuseIf } from '../errors.ts';
import { KINDS } from '../kinds/index.ts';
import type { RequestInput } from '../kinds/kind.ts';
import type { OperatorsWord } from '../kinds/suspension.ts';
import { configurationOf } from '../rules/options.ts';
import type { Change } from '../store/change.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { findOpenRequests } from './load-for-change.ts';
import { type SubmittedRequest, submit } from './submit.ts';
import { bringToMachine } from './suspend-machine.ts';

/**
 * Submits a failed request of a locked service once more, with its own input: of origin operator, accepted at once, and
 * named as its retry (contract, section 14.4). The rules of its type apply as they are today: throws their refusals.
 */
export async function submitAgain(
  change: Change,
  service: ServiceRow,
  request: RequestRow,
  actor: Actor,
): Promise<SubmittedRequest> {
  const { id: retryOf, type, origin, brokerId, serviceNumber } = request;
  const word = KINDS[type].excludes;
  if (word === 'suspend' || word === 'unsuspend') {
    const open = await findOpenRequests(change.tx, service);
    refuseIf(open[word] && inProgress(open[word]));
    // The operator's own changed the record first; a broker's is done by the rules of brokers.
    if (origin === 'operator')
      return again(change, service, word, { request, actor, wasAsked: open.suspend !== undefined });
  }
  const submission = { type, origin: 'operator', actor, retryOf } as const;
  return submit(change, { brokerId }, { ...inputOf(request), serviceNumber }, submission);
}

/** What a request was submitted with. */
function inputOf(request: RequestRow): RequestInput {
  return {
    newPlan: request.newPlanId ?? undefined,
    cancellationType: request.cancellationType,
    reason: request.cancellationReason,
    action: request.actionName ?? undefined,
    configuration: configurationOf(request.actionConfiguration),
  };
}

async function again(
  change: Change,
  service: ServiceRow,
  word: OperatorsWord,
  { request, actor, wasAsked }: { request: RequestRow; actor: Actor; wasAsked: boolean },
): Promise<SubmittedRequest> {
  if (service.status !== 'suspended' && !wasAsked) {
    throw fail.invalidState('service_not_suspended', `The service is ${service.status}, not suspended`);
  }
  const { id: retryOf, cancellationReason: reason } = request;
  const submitted = await bringToMachine(change, service, { word, reason, actor, retryOf });
  if (!submitted) throw inProgress(request);
  return submitted;
}

const inProgress = ({ id, type }: RequestRow) =>
  fail.invalidState(
    'suspension_in_progress',
    'A suspension of this service, or its end, is still open; wait until it is final',
    { request_id: id, type },
  );
