import { audit } from '../audit/audit.ts';
import { cancellation } from '../kinds/cancellation.ts';
import { loadForChange } from '../lifecycle/load-for-change.ts';
import { type RequestRecord, requestRecord } from '../lifecycle/record.ts';
import { submit } from '../lifecycle/submit.ts';
import type { Context } from '../ports.ts';
import type { CancellationType } from '../rules/words.ts';
import { actorOf, type Caller, type Claim, type Outcome, ok, type StoredAnswer, transactOnce } from './operation.ts';

export interface CancellationInput {
  serviceNumber: number;
  cancellationType: CancellationType;
  reason: string | null;
}

/**
 * Accepts a cancellation at the end of the term or at once (contract, section 6, "Cancel"). The service becomes
 * cancelled when the work is done.
 */
export function cancelService(
  context: Context,
  caller: Caller,
  { serviceNumber, ...asked }: CancellationInput,
  claim?: Claim,
): Promise<Outcome<RequestRecord> | StoredAnswer> {
  return transactOnce(context, claim, async (change) => {
    const type = 'cancellation';
    const loaded = await loadForChange(change.tx, caller, serviceNumber);
    const assessment = cancellation.assess(loaded, asked, change.now);
    const view = await submit(change, loaded.service, { type, origin: 'broker' }, assessment);
    const record = requestRecord(view, change.now);
    await audit(change, actorOf(caller), {
      action: 'service.cancel',
      brokerId: caller.brokerId,
      subject: `service/${serviceNumber}`,
      after: {
        request_id: record.request_id,
        cancellation_type: asked.cancellationType,
        effective_date: record.effective_date,
      },
    });
    return ok(record);
  });
}
