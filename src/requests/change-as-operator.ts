import type { Actor } from '../audit/audit.ts';
import { type Change, type Context, transact } from '../context/context.ts';
import { fail } from '../errors.ts';
import { changeRequest } from './change-request.ts';
import type { Locked } from './decide.ts';
import type { RequestRecord } from './record.ts';

/**
 * Changes a request that the operator names by its id alone, with its service locked, and returns its record.
 * @param action what the audit trail calls the change
 * Throws `not_found`.
 */
export async function changeAsOperator(
  context: Pick<Context, 'store' | 'clock' | 'newId'> & { actor: Actor },
  action: string,
  requestId: string,
  work: (change: Change, locked: Locked) => Promise<void>,
): Promise<RequestRecord> {
  const brokerId = await context.store.read.requests.findOwner(requestId);
  if (brokerId === null) throw fail.requestNotFound();
  const { actor } = context;
  return transact(context, (change) =>
    changeRequest(change, { brokerId }, { requestId, action, actor }, (locked) => work(change, locked)),
  );
}
