import type { Actor } from '../audit/audit.ts';
import { fail, refuseIf } from '../errors.ts';
import type { ClientRequestType } from '../kinds/index.ts';
import type { Context } from '../ports.ts';
import { decisionRecord, type RequestRecord, requestRecord } from '../records.ts';
import { refusalOfReview } from '../rules/request-states.ts';
import type { CancellationType } from '../rules/words.ts';
import { type Change, transact } from '../store/change.ts';
import { changeRequest } from './change-request.ts';
import { accept, deny, withdraw } from './decide.ts';
import type { LockedRequest } from './load-for-change.ts';
import { submit } from './submit.ts';

/** What the operator does to requests of any broker: for the operator's use cases, and for the simulated operator. */
export type ActingContext = Pick<Context, 'store' | 'clock' | 'newId'> & { actor: Actor };

export interface ClientRequest {
  brokerId: string;
  serviceNumber: number;
  type: ClientRequestType;
  reason: string | null;
  /** For a plan change: id, slug or display name of an active plan. */
  newPlan?: string;
  /** For a plan change: what is chosen for the service on its new plan. */
  configuration?: Readonly<Record<string, unknown>>;
  /** For a cancellation. */
  cancellationType?: CancellationType;
}

/**
 * Submits a client's request (contract, section 9), which waits for the broker's decision. Throws `not_found`, the
 * refusals of plan changes and cancellations, and faults of the configuration (section 14.1).
 */
export const submitForClient = (
  context: ActingContext,
  { brokerId, type, ...input }: ClientRequest,
): Promise<RequestRecord> =>
  transact(context, async (change) => {
    const { actor } = context;
    return requestRecord(await submit(change, { brokerId }, input, { type, origin: 'client', actor }), change.now);
  });

/**
 * The operator's decision on a request under review (contract, section 9). Accepting applies the operation's rules
 * again. Throws `not_found`, `already_processed`, `invalid_state` `not_under_review`, and the operation's refusals, which leave the request
 * as it is.
 */
export const reviewRequest = (
  context: ActingContext,
  { requestId, accept: accepts, reason }: { requestId: string; accept: boolean; reason: string | null },
): Promise<RequestRecord> =>
  changeAnyRequest(context, accepts ? 'request.accept' : 'request.deny', requestId, async (change, locked) => {
    const { request } = locked;
    refuseIf(refusalOfReview({ ...request, decision: decisionRecord(request) }));
    await (accepts ? accept : deny)(change, locked, { by: 'operator', reason });
  });

/**
 * The operator takes back a request of any broker before its work begins (contract, section 9), by the broker's rules; one
 * of origin operator as well.
 * Throws `not_found`, `already_processed` and `invalid_state` `awaiting_decision`, `work_has_begun`, `creation_closed`.
 */
export const withdrawForOperator = (
  context: ActingContext,
  { requestId, reason }: { requestId: string; reason: string | null },
): Promise<RequestRecord> =>
  changeAnyRequest(context, 'request.withdraw', requestId, (change, locked) =>
    withdraw(change, locked, { by: 'operator', reason }),
  );

/** Changes a request of any broker, in its own transaction. Throws `not_found`. */
async function changeAnyRequest(
  context: ActingContext,
  action: string,
  requestId: string,
  apply: (change: Change, locked: LockedRequest) => Promise<unknown>,
): Promise<RequestRecord> {
  const brokerId = await context.store.read.requests.findOwner(requestId);
  if (brokerId === null) throw fail.requestNotFound();
  const { actor } = context;
  return transact(context, (change) =>
    changeRequest(change, { brokerId }, { requestId, action, actor }, (locked) => apply(change, locked)),
  );
}
