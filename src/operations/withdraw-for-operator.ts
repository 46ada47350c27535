import type { Actor } from '../audit/audit.ts';
import type { Context } from '../context/context.ts';
import { changeAsOperator } from '../requests/change-request.ts';
import { withdraw } from '../requests/decide.ts';
import type { RequestRecord } from '../requests/record.ts';

/**
 * The operator takes back a request of any broker before its work begins (contract, section 9), by the broker's rules.
 * Throws `not_found`, `already_processed` and `invalid_state` `awaiting_decision`, `work_has_begun`, `creation_closed`.
 */
export const withdrawForOperator = (
  context: Context & { actor: Actor },
  { requestId, reason }: { requestId: string; reason: string | null },
): Promise<RequestRecord> =>
  changeAsOperator(context, 'request.withdraw', requestId, (change, locked) =>
    withdraw(change, locked, { by: 'operator', reason }),
  );
