import { type Actor, audit } from '../audit/audit.ts';
import { type RequestRecord, requestRecord } from '../records.ts';
import type { Change } from '../store/change.ts';
import { type LockedRequest, lockRequest } from './load-for-change.ts';
import { findRequest, type Owner } from './owned-records.ts';

/**
 * Changes a request while its service is locked, writes a row of the audit trail, and returns the request's record.
 * @param action the name of the change in the audit trail
 * Throws `not_found`.
 */
export async function changeRequest(
  change: Change,
  { brokerId }: Owner,
  { requestId, action, actor }: { requestId: string; action: string; actor: Actor },
  apply: (locked: LockedRequest) => Promise<unknown>,
): Promise<RequestRecord> {
  const locked = await lockRequest(change, { brokerId }, requestId);
  await apply(locked);
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
