import { fail } from '../errors.ts';
import type { CancellationType } from '../rules/cancellations.ts';
import type { RequestRow, RequestView } from '../store/requests.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Tx } from '../store/store.ts';
import { assessCancellation } from './cancel-service.ts';
import type { Context } from './context.ts';
import { accept, deny, lockRequest } from './decide-request.ts';
import { lockService } from './find-service.ts';
import { failAccepted } from './fulfil-request.ts';
import { assessPlanChange } from './plan-changes.ts';
import { type RequestRecord, requestRecord } from './records.ts';
import { newRequest, submitRequest } from './request-lifecycle.ts';

/** What the operator does with requests (contract, section 9). All of them return the request's record. */

export type ClientRequest = {
  brokerId: string;
  serviceNumber: bigint;
  reason: string | null;
} & (
  | { type: 'cancellation'; cancellationType: CancellationType }
  | {
      type: 'plan-upgrade' | 'plan-downgrade';
      /** Id, slug or display name of an active plan. */
      newPlan: string;
    }
);

/**
 * Hands in what a client asked for; it waits for the broker's decision. Refused like the operation that it asks for:
 * throws `not_found` and the refusals of plan changes and cancellations.
 */
export function submitForClient(context: Context, asked: ClientRequest): Promise<RequestRecord> {
  return context.store.tx(async (tx) => {
    const service = await lockService(tx, asked, asked.serviceNumber);
    const now = context.clock.now();
    const fields = await fieldsOf(tx, service, asked, now);
    const request = newRequest(context.newId('req', now), service, now, {
      type: asked.type,
      status: 'pending',
      origin: 'client',
      ...fields,
    });
    // A cancellation's record has a place for the reason; that of a plan change stands in its history.
    await submitRequest(tx, context, request, asked.type === 'cancellation' ? null : asked.reason);
    return recordOf(tx, request.brokerId, request.id, now);
  });
}

async function fieldsOf(tx: Tx, service: ServiceRow, asked: ClientRequest, now: number): Promise<Partial<RequestRow>> {
  if (asked.type === 'cancellation') {
    await assessCancellation(tx, service, asked.cancellationType, now);
    return { cancellationType: asked.cancellationType, cancellationReason: asked.reason };
  }
  const direction = asked.type === 'plan-upgrade' ? 'upgrade' : 'downgrade';
  const { currentPlan, newPlan } = await assessPlanChange(tx, service, direction, asked.newPlan, now);
  return { currentPlanId: currentPlan.id, newPlanId: newPlan.id };
}

/**
 * The operator's decision on a request under review. Accepting applies the operation's rules again. Throws
 * `not_found`, `invalid_state` `not_under_review`, and the operation's refusals, which leave the request as it is.
 */
export function reviewRequest(
  context: Context,
  { requestId, accept: accepts, reason }: { requestId: string; accept: boolean; reason: string | null },
): Promise<RequestRecord> {
  return ownRequest(context, requestId, async (tx, caller, now) => {
    const { request } = await lockRequest(tx, caller, requestId);
    if (request.status !== 'operator_review') {
      throw fail.invalidState('not_under_review', `The request is ${request.status}, not under review`);
    }
    if (!accepts) {
      await deny(tx, context, request, now, 'operator', reason);
      return;
    }
    await accept(tx, context, request, now, 'operator', {
      decisionAction: 'accept',
      decidedBy: 'operator',
      decisionReason: reason,
      decidedAt: now,
    });
  });
}

/**
 * Takes back an accepted request whose work nobody has begun: it fails, reason `withdrawn`. Throws `not_found`,
 * `invalid_state` `not_accepted`, `work_begun`.
 */
export function withdrawRequest(context: Context, { requestId }: { requestId: string }): Promise<RequestRecord> {
  return ownRequest(context, requestId, async (tx, caller, now) => {
    const { request } = await lockRequest(tx, caller, requestId);
    if (request.status !== 'accepted') {
      throw fail.invalidState(
        'not_accepted',
        `The request is ${request.status}; only an accepted one can be withdrawn`,
      );
    }
    const service = await lockService(tx, caller, BigInt(request.serviceNumber));
    const failure = {
      reason: 'withdrawn',
      message: 'The operator withdrew the request before its work began',
      serviceUsable: service.status === 'active',
      retryable: true,
    };
    const by = { now, actor: 'operator', leasedBy: null } as const;
    if (!(await failAccepted(tx, context, request, service, failure, by))) {
      throw fail.invalidState('work_begun', 'The work on the request has begun, so it can no longer be withdrawn');
    }
  });
}

async function ownRequest(
  { store, clock }: Context,
  requestId: string,
  decide: (tx: Tx, caller: { brokerId: string }, now: number) => Promise<void>,
): Promise<RequestRecord> {
  const brokerId = await store.read.requests.findOwner(requestId);
  if (brokerId === null) throw fail.requestNotFound();
  return store.tx(async (tx) => {
    const now = clock.now();
    await decide(tx, { brokerId }, now);
    return recordOf(tx, brokerId, requestId, now);
  });
}

/** The record of a request that this transaction wrote. */
async function recordOf(tx: Tx, brokerId: string, requestId: string, now: number): Promise<RequestRecord> {
  return requestRecord((await tx.requests.findView(brokerId, requestId)) as RequestView, now);
}
