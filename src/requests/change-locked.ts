import { type Actor, audit } from '../audit/audit.ts';
import type { Change } from '../context/context.ts';
import { findRequest } from '../context/own.ts';
import type { Locked } from './decide.ts';
import { type RequestRecord, requestRecord } from './record.ts';

/**
 * Changes a locked request, with a row of the audit trail, and returns its record.
 * @param action what the audit trail calls the change
 */
export async function changeLocked(
  change: Change,
  { request }: Locked,
  { action, actor }: { action: string; actor: Actor },
  work: () => Promise<unknown>,
): Promise<RequestRecord> {
  const { id: requestId, brokerId } = request;
  await work();
  const record = requestRecord(await findRequest(change.tx, { brokerId }, requestId), change.now);
  await audit(change, actor, {
    action,
    brokerId,
    subject: `request/${requestId}`,
    before: { request_status: request.status },
    after: { request_status: record.request_status },
  });
  return record;
}
