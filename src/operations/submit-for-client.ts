import { type Actor, audit } from '../audit/audit.ts';
import { type ClientRequestType, KINDS } from '../kinds/index.ts';
import { loadForChange } from '../lifecycle/load-for-change.ts';
import { type RequestRecord, requestRecord } from '../lifecycle/record.ts';
import { submit } from '../lifecycle/submit.ts';
import type { Context } from '../ports.ts';
import type { CancellationType } from '../rules/words.ts';
import { transact } from '../store/change.ts';

export interface ClientRequest {
  brokerId: string;
  serviceNumber: number;
  type: ClientRequestType;
  reason: string | null;
  /** For a plan change: id, slug or display name of an active plan. */
  newPlan?: string;
  /** For a cancellation. */
  cancellationType?: CancellationType;
}

/**
 * Submits a client's request (contract, section 9), which waits for the broker's decision. Throws `not_found` and the
 * refusals of plan changes and cancellations.
 */
export function submitForClient(context: Context & { actor: Actor }, asked: ClientRequest): Promise<RequestRecord> {
  return transact(context, async (change) => {
    const loaded = await loadForChange(change.tx, asked, asked.serviceNumber, asked);
    const { service } = loaded;
    const assessment = KINDS[asked.type].assess(loaded, asked, change.now);
    const view = await submit(change, service, { type: asked.type, origin: 'client' }, assessment);
    await audit(change, context.actor, {
      action: 'request.submit',
      brokerId: service.brokerId,
      subject: `request/${view.request.id}`,
      after: { type: asked.type, service_number: service.number, request_status: view.request.status },
    });
    return requestRecord(view, change.now);
  });
}
