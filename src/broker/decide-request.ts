import { ApiError, refuseIf } from '../errors.ts';
import type { RequestType } from '../kinds/index.ts';
import { changeRequest } from '../lifecycle/change-request.ts';
import { accept, type Decided, deny, withdraw } from '../lifecycle/decide.ts';
import type { LockedRequest } from '../lifecycle/load-for-change.ts';
import type { Context } from '../ports.ts';
import { decisionRecord, type RequestRecord } from '../records.ts';
import { refusalOfDecision } from '../rules/request-states.ts';
import { grants } from '../rules/scopes.ts';
import type { Change } from '../store/change.ts';
import { actorOf, type Caller, type Claim, type Outcome, ok, type StoredAnswer, transactOnce } from './operation.ts';

export interface DecisionInput {
  requestId: string;
  reason: string | null;
}

/**
 * Approves a client's request (contract, section 6, "Requests"): the operation's rules apply again, and
 * where they call for a review the request goes on to the operator.
 *
 * Throws `not_found`, `already_processed`, `invalid_state` `awaiting_operator`, and the operation's refusals.
 */
export const approveRequest = (context: Context, caller: Caller, input: DecisionInput, claim?: Claim) =>
  decideRequest(context, caller, input, ['request.approve', whilePending(accept)], claim);

/** Denies a client's request. Throws as `approveRequest`, without the operation's refusals. */
export const denyRequest = (context: Context, caller: Caller, input: DecisionInput) =>
  decideRequest(context, caller, input, ['request.deny', whilePending(deny)]);

/**
 * Takes back a request before its work begins.
 * Throws `not_found`, `already_processed` and `invalid_state` `awaiting_decision`, `asked_by_operator`, `work_has_begun`,
 * `creation_closed`; `missing_scope` where the key may take back actions alone.
 */
export const withdrawRequest = (context: Context, caller: Caller, input: DecisionInput, claim?: Claim) =>
  decideRequest(
    context,
    caller,
    input,
    [
      'request.withdraw',
      (change, locked, decision) => {
        refuseIf(refusalOfOperating(caller, locked.request.type));
        return withdraw(change, locked, decision);
      },
    ],
    claim,
  );

/** Who may operate services takes back nothing but actions (contract, section 12.4). */
function refusalOfOperating({ scopes = ['admin:full'] }: Caller, type: RequestType): ApiError | undefined {
  if (type === 'service-action' || grants(scopes, ['admin:full'])) return undefined;
  return new ApiError('insufficient_permissions', 'Missing required scope', {
    gate: 'scope',
    details: { reason: 'missing_scope', required_scopes: ['admin:full'], granted_scopes: scopes },
  });
}

type Decide = (change: Change, locked: LockedRequest, decision: Decided) => Promise<unknown>;

const whilePending =
  (decide: Decide): Decide =>
  (change, locked, decision) => {
    refuseIf(refusalOfDecision({ ...locked.request, decision: decisionRecord(locked.request) }));
    return decide(change, locked, decision);
  };

function decideRequest(
  context: Context,
  caller: Caller,
  { requestId, reason }: DecisionInput,
  [action, decide]: [action: string, decide: Decide],
  claim?: Claim,
): Promise<Outcome<RequestRecord> | StoredAnswer> {
  return transactOnce(context, claim, async (change) =>
    ok(
      await changeRequest(change, caller, { requestId, action, actor: actorOf(caller) }, (locked) =>
        decide(change, locked, { by: 'broker', reason }),
      ),
    ),
  );
}
