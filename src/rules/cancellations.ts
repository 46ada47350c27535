import { type ApiError, fail } from '../errors.ts';
import { type BillingType, type CancellationType, isEnded, type ServiceStatus } from './words.ts';

/**
 * The rules for cancelling a service, for warning about a cancellation, and for what an ended service no longer allows
 * (contract, section 6). Timestamps are epoch milliseconds.
 */
interface ServiceFacts {
  status: ServiceStatus;
}

/** Why a cancellation is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfCancellation({
  service,
  openCancellation,
  cancellationType,
  billingType,
}: {
  service: ServiceFacts;
  /** A cancellation that is pending or accepted, if there is one. */
  openCancellation: { id: string } | undefined;
  cancellationType: CancellationType;
  billingType: BillingType;
}): ApiError | undefined {
  const ended = refusalOfEnded(service, 'it cannot be cancelled any more');
  if (ended) return ended;
  if (openCancellation) {
    return fail.invalidState('cancellation_scheduled', 'A cancellation of this service is open already', {
      request_id: openCancellation.id,
    });
  }
  if (cancellationType === 'end_of_term' && billingType === 'hourly') {
    return fail.invalidParameter(
      'end_of_term_not_available',
      'A service billed hourly has no term to wait for; send cancellation_type "immediate"',
    );
  }
  return undefined;
}

/** When a cancellation accepted at `now` takes effect: at the renewal date, or at once if immediate or that has passed. */
export function effectiveAtOfCancellation({
  cancellationType,
  renewalAt,
  now,
}: {
  cancellationType: CancellationType;
  renewalAt: number | null;
  now: number;
}): number {
  return cancellationType === 'immediate' ? now : Math.max(renewalAt ?? now, now);
}

/** Why the service's state refuses a cancellation warning; undefined where it may be sent. */
export function refusalOfWarning(service: ServiceFacts): ApiError | undefined {
  return refusalOfEnded(service, 'there is nothing left to warn about');
}

/** Why the service's state refuses a change of its description; undefined where it is allowed. */
export function refusalOfUpdate(service: ServiceFacts): ApiError | undefined {
  return refusalOfEnded(service, 'it can no longer be changed');
}

/** Why an ended service allows no change; undefined for a living one. */
export function refusalOfEnded({ status }: ServiceFacts, consequence: string): ApiError | undefined {
  if (!isEnded(status)) return undefined;
  return fail.invalidState(`service_${status}`, `The service is ${status}; ${consequence}`);
}
