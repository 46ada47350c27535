import { type CancellationType, effectiveAtOfCancellation, refusalOfCancellation } from '../rules/cancellations.ts';
import type { ServiceRow } from '../store/services.ts';
import type { Tx } from '../store/store.ts';
import type { Context } from './context.ts';
import { lockService, planOf } from './find-service.ts';
import { type Caller, type Claim, type Outcome, ok, refuseIf, type StoredAnswer } from './outcome.ts';
import { requestRecord } from './records.ts';
import { newRequest, openRequestsOf, scheduleCancellation, submitRequest } from './request-lifecycle.ts';

export interface CancellationInput {
  serviceNumber: bigint;
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
  { serviceNumber, cancellationType, reason }: CancellationInput,
  claim?: Claim,
): Promise<Outcome<object> | StoredAnswer> {
  return context.change(claim, async (tx) => {
    const service = await lockService(tx, caller, serviceNumber);
    const now = context.clock.now();
    const effectiveAt = await assessCancellation(tx, service, cancellationType, now);
    const request = newRequest(context.newId('req', now), service, now, {
      type: 'cancellation',
      status: 'accepted',
      origin: 'broker',
      cancellationType,
      cancellationReason: reason,
      effectiveAt,
      dueAt: effectiveAt,
    });
    await submitRequest(tx, context, request);
    await scheduleCancellation(tx, context, service, request, now);
    return ok(requestRecord({ request, currentPlan: null, newPlan: null }, now));
  });
}

/** Applies the rules to one cancellation and returns when it takes effect; throws their refusal. */
export async function assessCancellation(
  tx: Tx,
  service: ServiceRow,
  cancellationType: CancellationType,
  now: number,
  except?: string,
): Promise<number> {
  const plan = await planOf(tx, service);
  const open = await openRequestsOf(tx, service, except);
  refuseIf(
    refusalOfCancellation({
      service,
      openCancellation: open.cancellation,
      cancellationType,
      billingType: plan.billingType,
    }),
  );
  return effectiveAtOfCancellation({ cancellationType, renewalAt: service.renewalAt, now });
}
