import { refuseIf } from '../errors.ts';
import { KINDS } from '../kinds/index.ts';
import { decisionRecord } from '../records.ts';
import { refusalOfWithdrawal, workHasBegun } from '../rules/request-states.ts';
import type { Decider, DecisionAction } from '../rules/words.ts';
import type { Change } from '../store/change.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import { close, closedCreation } from './close.ts';
import { type LockedRequest, loadForChange } from './load-for-change.ts';
import { moveRequest } from './move-request.ts';
import { applyAcceptance, due } from './submit.ts';

/** Who decides, and the reason given. */
export interface Decided {
  by: Decider;
  reason: string | null;
}

/** `moveRequest` adds when. */
const decided = (action: DecisionAction, { by, reason }: Decided) => ({
  actor: by,
  note: reason,
  decisionAction: action,
  decidedBy: by,
  decisionReason: reason,
});

/**
 * Accepts a request; where a review is required, the broker's decision passes it to the operator. Applies the rules of
 * its type again; the request itself does not count as open. Throws the operation's refusals.
 */
export async function accept(change: Change, { request, service }: LockedRequest, decision: Decided): Promise<void> {
  const input = { ...request, newPlan: request.newPlanId ?? undefined, action: request.actionName ?? undefined };
  // The service is locked already: locking it again does not wait.
  const loaded = await loadForChange(change, service, service.number, request.type, input, request.origin);
  const { now } = change;
  const { currentPlan, needsReview, effectiveAt } = KINDS[request.type].assess(loaded, input, now);
  const action = decision.by === 'broker' ? 'approve' : 'accept';
  // The service may have moved to another plan since the request was submitted.
  const changes = { ...decided(action, decision), ...(currentPlan && { currentPlanId: currentPlan.id }) };
  if (needsReview && decision.by === 'broker') {
    await moved(moveRequest(change, request, 'operator_review', changes));
  } else {
    const accepted = await moved(moveRequest(change, request, 'accepted', { ...changes, ...due(effectiveAt, now) }));
    await applyAcceptance(change, service, accepted);
  }
}

/** Denies a request; `note` is the note in the history, by default the reason. */
export const deny = (
  change: Change,
  { request, service }: LockedRequest,
  { by, reason }: Decided,
  note: string | null = reason,
): Promise<RequestRow> => moved(close(change, service, request, { status: 'denied', by, reason }, { actor: by, note }));

export const WITHDRAWN = 'withdrawn';

/**
 * Withdraws a request whose work has not begun (contract, section 6, "Requests"): an accepted request becomes failed, a
 * request under review denied. `reason` is the note in the history.
 *
 * Throws `already_processed` and `invalid_state` `awaiting_decision`, `asked_by_operator` (to a broker), `work_has_begun`,
 * `creation_closed`.
 */
export async function withdraw(change: Change, locked: LockedRequest, { by, reason }: Decided): Promise<void> {
  const { request, service } = locked;
  refuseIf(refusalOfWithdrawal({ ...request, decision: decisionRecord(request) }, by));
  if (request.status === 'operator_review') {
    await deny(change, locked, { by, reason: WITHDRAWN }, reason);
    return;
  }
  refuseIf(KINDS[request.type].refusalOfWithdrawal?.({ creation: await closedCreation(change, request) }));
  const failure = {
    reason: WITHDRAWN,
    message: `The ${by} withdrew the request before its work began`,
    serviceUsable: service.status === 'active',
    retryable: true,
  };
  // A worker's claim does not take the service's lock, so it can come first; then the request is not moved here.
  const leasedBy = request.withheldBy === null ? null : request.leaseOwner;
  const withdrawn = { actor: by, leasedBy, note: reason };
  if (!(await close(change, service, request, { status: 'failed', failure }, withdrawn))) throw workHasBegun();
}

/** Awaits a move that cannot fail: the service's lock keeps other transactions from moving the request. */
async function moved(move: Promise<RequestRow | null>): Promise<RequestRow> {
  const request = await move;
  if (!request) throw new Error('a request was moved while its service was locked');
  return request;
}
