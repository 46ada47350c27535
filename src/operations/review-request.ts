import type { Actor } from '../audit/audit.ts';
import { fail } from '../errors.ts';
import { changeAsOperator } from '../lifecycle/change-request.ts';
import { accept, deny, withdraw } from '../lifecycle/decide.ts';
import type { RequestRecord } from '../lifecycle/record.ts';
import type { Context } from '../ports.ts';

/**
 * The operator's decision on a request under review (contract, section 9). Accepting applies the operation's rules
 * again. Throws `not_found`, `invalid_state` `not_under_review`, and the operation's refusals, which leave the request
 * as it is.
 */
export function reviewRequest(
  context: Context & { actor: Actor },
  { requestId, accept: accepts, reason }: { requestId: string; accept: boolean; reason: string | null },
): Promise<RequestRecord> {
  return changeAsOperator(context, accepts ? 'request.accept' : 'request.deny', requestId, async (change, locked) => {
    const { status } = locked.request;
    if (status !== 'operator_review') {
      throw fail.invalidState('not_under_review', `The request is ${status}, not under review`);
    }
    await (accepts ? accept : deny)(change, locked, { by: 'operator', reason });
  });
}

/**
 * The operator takes back a request of any broker before its work begins (contract, section 9), by the broker's rules; one
 * of origin operator as well.
 * Throws `not_found`, `already_processed` and `invalid_state` `awaiting_decision`, `work_has_begun`, `creation_closed`.
 */
export const withdrawForOperator = (
  context: Context & { actor: Actor },
  { requestId, reason }: { requestId: string; reason: string | null },
): Promise<RequestRecord> =>
  changeAsOperator(context, 'request.withdraw', requestId, (change, locked) =>
    withdraw(change, locked, { by: 'operator', reason }),
  );
