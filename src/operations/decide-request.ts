import { fail } from '../errors.ts';
import { isRequestId } from '../ids.ts';
import type { CancellationType } from '../rules/cancellations.ts';
import { refusalOfDecision } from '../rules/request-states.ts';
import type { RequestRow, RequestView } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Tx } from '../store/store.ts';
import { assessCancellation } from './cancel-service.ts';
import type { Context } from './context.ts';
import { type Caller, type Claim, type Outcome, ok, refuseIf, type StoredAnswer } from './outcome.ts';
import { assessPlanChange } from './plan-changes.ts';
import { decisionRecord, requestRecord } from './records.ts';
import { moveRequest, scheduleCancellation } from './request-lifecycle.ts';

export interface DecisionInput {
  requestId: string;
  reason: string | null;
}

/**
 * Approves what a client asked for (contract, section 6, "Requests"): the operation's rules apply again, and
 * where they call for a review the request goes on to the operator.
 *
 * Throws `not_found`, `already_processed`, `invalid_state` `awaiting_operator`, and the operation's refusals.
 */
export function approveRequest(
  context: Context,
  caller: Caller,
  { requestId, reason }: DecisionInput,
  claim?: Claim,
): Promise<Outcome<object> | StoredAnswer> {
  return context.change(claim, async (tx) => {
    const { request } = await lockRequest(tx, caller, requestId);
    refuseIf(refusalOfDecision({ ...request, decision: decisionRecord(request) }));
    const now = context.clock.now();
    const decision = {
      decisionAction: 'approve',
      decidedBy: 'broker',
      decisionReason: reason,
      decidedAt: now,
    } as const;
    await accept(tx, context, request, now, 'broker', decision);
    return ok(requestRecord(await viewOf(tx, caller, requestId), now));
  });
}

/** Denies what a client asked for. Throws as `approveRequest`, without the operation's refusals. */
export function denyRequest(
  context: Context,
  caller: Caller,
  { requestId, reason }: DecisionInput,
): Promise<Outcome<object> | StoredAnswer> {
  return context.change(undefined, async (tx) => {
    const { request } = await lockRequest(tx, caller, requestId);
    refuseIf(refusalOfDecision({ ...request, decision: decisionRecord(request) }));
    const now = context.clock.now();
    await deny(tx, context, request, now, 'broker', reason);
    return ok(requestRecord(await viewOf(tx, caller, requestId), now));
  });
}

type Decision = Pick<RequestRow, 'decisionAction' | 'decidedBy' | 'decisionReason' | 'decidedAt'>;

/**
 * Moves a request to accepted, or from the broker's hands into the operator's where a review is due. Applies
 * the rules of its operation; the request itself does not count as open.
 */
export async function accept(
  tx: Tx,
  context: Context,
  request: RequestRow,
  now: number,
  actor: 'broker' | 'operator',
  decision: Decision,
): Promise<RequestRow> {
  // A foreign key says that there is one.
  const service = (await tx.services.find(request.brokerId, request.serviceNumber)) as ServiceRow;
  const move = (to: 'accepted' | 'operator_review', changes: Partial<RequestRow>) =>
    moved(
      moveRequest(tx, context, request, to, { now, actor, note: decision.decisionReason, ...decision, ...changes }),
    );

  if (request.type === 'cancellation') {
    const type = request.cancellationType as CancellationType;
    const effectiveAt = await assessCancellation(tx, service, type, now, request.id);
    const accepted = await move('accepted', { effectiveAt, dueAt: effectiveAt });
    await scheduleCancellation(tx, context, service, accepted, now);
    return accepted;
  }
  const direction = request.type === 'plan-upgrade' ? 'upgrade' : 'downgrade';
  const change = await assessPlanChange(tx, service, direction, request.newPlanId as string, now, request.id);
  const changes = { currentPlanId: change.currentPlan.id };
  if (change.needsReview && actor === 'broker') return move('operator_review', changes);
  return move('accepted', { ...changes, effectiveAt: change.effectiveAt, dueAt: change.effectiveAt });
}

/** Moves a request to denied, with who decided and why. */
export function deny(
  tx: Tx,
  context: Context,
  request: RequestRow,
  now: number,
  decidedBy: 'broker' | 'operator',
  reason: string | null,
): Promise<RequestRow> {
  return moved(
    moveRequest(tx, context, request, 'denied', {
      now,
      actor: decidedBy,
      note: reason,
      decisionAction: 'deny',
      decidedBy,
      decisionReason: reason,
      decidedAt: now,
    }),
  );
}

/** The caller's own request, with its service locked: decisions about one service take turns. */
export async function lockRequest(tx: Tx, caller: Caller, requestId: string): Promise<RequestView> {
  const view = await viewOf(tx, caller, requestId);
  await tx.services.lock(caller.brokerId, view.request.serviceNumber);
  // Read again: who held the lock before may have decided meanwhile.
  return viewOf(tx, caller, requestId);
}

async function viewOf(tx: Tx, caller: Caller, requestId: string): Promise<RequestView> {
  const view = isRequestId(requestId) ? await tx.requests.findView(caller.brokerId, requestId) : null;
  if (!view) throw fail.requestNotFound();
  return view;
}

/** Under the service's lock nobody else can have moved the request; if so, something is broken. */
async function moved(move: Promise<RequestRow | null>): Promise<RequestRow> {
  const request = await move;
  if (!request) throw new Error('a locked request was moved by somebody else');
  return request;
}
