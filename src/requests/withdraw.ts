import type { Change } from '../context/context.ts';
import { refuseIf } from '../context/outcome.ts';
import { refusalOfWithdrawal, workHasBegun } from '../rules/request-states.ts';
import { failAccepted } from './close.ts';
import { type Decision, deny, type Locked } from './decide.ts';
import { KINDS } from './kinds/index.ts';
import { decisionRecord } from './record.ts';

const WITHDRAWN = 'withdrawn';

/**
 * Takes back what was asked for while nobody has begun with it (contract, section 6, "Requests"): what is accepted
 * fails, what is under review is denied. `reason` is the history's note.
 *
 * Throws `already_processed` and `invalid_state` `awaiting_decision`, `work_has_begun`, `creation_closed`.
 */
export async function withdraw(change: Change, locked: Locked, { by, reason }: Decision): Promise<void> {
  const { request, service } = locked;
  refuseIf(refusalOfWithdrawal({ ...request, decision: decisionRecord(request) }));
  if (request.status === 'operator_review') {
    await deny(change, locked, { by, reason: WITHDRAWN }, reason);
    return;
  }
  refuseIf(await KINDS[request.type].refusalOfWithdrawal?.(change, request));
  const failure = {
    reason: WITHDRAWN,
    message: `The ${by} withdrew the request before its work began`,
    serviceUsable: service.status === 'active',
    retryable: true,
  };
  // A worker's claim does not wait for the service's lock: whichever of the two moves the request first has it.
  if (!(await failAccepted(change, service, request, failure, { actor: by, leasedBy: null, note: reason }))) {
    throw workHasBegun();
  }
}
