import type { Change } from '../context/context.ts';
import type { Origin, RequestType } from '../rules/words.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { addToHistory } from './history.ts';
import { KINDS } from './kinds/index.ts';
import type { Assessment } from './kinds/kind.ts';
import { newRequest } from './new-request.ts';

/**
 * Hands in what the rules have let pass: what a client asks for waits for the broker; what a broker asks for is
 * accepted, unless the operator has to look at it first.
 */
export async function submit<A extends Assessment>(
  change: Change,
  service: ServiceRow,
  { type, origin }: { type: RequestType; origin: Origin },
  { currentPlan, newPlan, fields, note, needsReview, effectiveAt }: A,
): Promise<{ request: RequestRow; currentPlan: A['currentPlan']; newPlan: A['newPlan'] }> {
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
  await enter(change, request, note);
  if (status === 'accepted') await KINDS[type].accepted?.(change, service, request);
  return { request, currentPlan, newPlan };
}

/** When accepted work takes effect, and from when on a worker takes it up. */
export const due = (effectiveAt: number | null, now: number) => ({ effectiveAt, dueAt: effectiveAt ?? now });

/**
 * Writes a new request and the first line of its history. The service's row stays as it is: readers take the moment of
 * its change from the request (src/store/service-changes.ts).
 */
export async function enter(change: Pick<Change, 'tx' | 'newId'>, request: RequestRow, note: string | null = null) {
  await change.tx.requests.insert(request);
  await addToHistory(change, request, request.origin, note);
}
