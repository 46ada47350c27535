import type { Change } from '../context/context.ts';
import type { Caller } from '../context/outcome.ts';
import { findRequest, lockService } from '../context/owned-records.ts';
import type { Decider, DecisionAction } from '../rules/words.ts';
import type { RequestRow } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import { KINDS } from './kinds/index.ts';
import { loadForChange } from './load-for-change.ts';
import { moveRequest } from './move-request.ts';
import { due } from './submit.ts';

/** Who decides, and what they say of it. */
export interface Decision {
  by: Decider;
  reason: string | null;
}

const decided = (action: DecisionAction, { by, reason }: Decision, now: number) => ({
  actor: by,
  note: reason,
  decisionAction: action,
  decidedBy: by,
  decisionReason: reason,
  decidedAt: now,
});

/**
 * Moves a request to accepted, or from the broker's hands into the operator's where a review is due. Applies the
 * rules of its kind anew; the request itself does not count as open.
 */
export async function accept(change: Change, { request, service }: Locked, decision: Decision): Promise<void> {
  const kind = KINDS[request.type];
  const asked = { ...request, newPlan: request.newPlanId ?? undefined };
  // The service is locked already: to lock it once more costs no wait.
  const standing = await loadForChange(change.tx, service, service.number, asked);
  const { now } = change;
  const { currentPlan, needsReview, effectiveAt } = kind.assess(standing, asked, now);
  const action = decision.by === 'broker' ? 'approve' : 'accept';
  const changes = { ...decided(action, decision, now), ...(currentPlan && { currentPlanId: currentPlan.id }) };
  if (needsReview && decision.by === 'broker') {
    await moved(moveRequest(change, request, 'operator_review', changes));
  } else {
    const accepted = await moved(moveRequest(change, request, 'accepted', { ...changes, ...due(effectiveAt, now) }));
    await kind.accepted?.(change, service, accepted);
  }
}

/** Moves a request to denied, with who decided and why; `note` is what the history says, where that is something else. */
export const deny = (
  change: Change,
  { request }: Locked,
  decision: Decision,
  note: string | null = decision.reason,
): Promise<RequestRow> =>
  moved(moveRequest(change, request, 'denied', { ...decided('deny', decision, change.now), note }));

/** A request whose service is locked: decisions about one service take turns. */
export interface Locked {
  request: RequestRow;
  service: ServiceRow;
}

/** Locks the caller's own request. Throws `not_found`. */
export async function lockRequest({ tx }: Change, caller: Caller, requestId: string): Promise<Locked> {
  const { request } = await findRequest(tx, caller, requestId);
  const service = await lockService(tx, caller, request.serviceNumber);
  // Read again: who held the lock before may have decided meanwhile.
  return { request: (await findRequest(tx, caller, requestId)).request, service };
}

/** Under the service's lock nobody else can have moved the request; if so, something is broken. */
async function moved(move: Promise<RequestRow | null>): Promise<RequestRow> {
  const request = await move;
  if (!request) throw new Error('a locked request was moved by somebody else');
  return request;
}
