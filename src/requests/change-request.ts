import { type Actor, audit } from '../audit/audit.ts';
import type { Change } from '../context/context.ts';
import type { Caller } from '../context/outcome.ts';
import { findRequest } from '../context/owned-records.ts';
import { type Locked, lockRequest } from './decide.ts';
import { type RequestRecord, requestRecord } from './record.ts';

/**
 * Changes a request with its service locked, with a row of the audit trail, and returns its record.
 * @param action what the audit trail calls the change
 * Throws `not_found`.
 */
export async function changeRequest(
  change: Change,
  { brokerId }: Caller,
  { requestId, action, actor }: { requestId: string; action: string; actor: Actor },
  work: (locked: Locked) => Promise<unknown>,
): Promise<RequestRecord> {
  const locked = await lockRequest(change, { brokerId }, requestId);
  await work(locked);
  const record = requestRecord(await findRequest(change.tx, { brokerId }, requestId), change.now);
  await audit(change, actor, {
    action,
    brokerId,
    subject: `request/${requestId}`,
    before: { request_status: locked.request.status },
    after: { request_status: record.request_status },
  });
  return record;
}
