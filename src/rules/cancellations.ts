import { type ApiError, fail } from '../errors.ts';

/** The rules of ending a service and of warning about it (contract, section 6). Moments are epoch milliseconds. */
export type CancellationType = 'end_of_term' | 'immediate';

interface ServiceFacts {
  status: 'pending' | 'active' | 'suspended' | 'cancelled' | 'terminated';
}

/** Why a cancellation is refused, in the contract's order, or undefined when it may go ahead. */
export function refusalOfCancellation({
  service,
  openCancellation,
  cancellationType,
  billingType,
}: {
  service: ServiceFacts;
  /** A cancellation that is pending or accepted, if there is one. */
  openCancellation: { id: string } | null;
  cancellationType: CancellationType;
  billingType: 'monthly' | 'hourly';
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

/** When a cancellation accepted at `now` takes effect: the renewal date, unless it shall be now or has passed. */
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

/** Why a cancellation warning is refused for the service's state, or undefined when it may be sent. */
export function refusalOfWarning(service: ServiceFacts): ApiError | undefined {
  return refusalOfEnded(service, 'there is nothing left to warn about');
}

/** Whether a service is over for good, as far as callers can do anything about it. */
export const hasEnded = (status: ServiceFacts['status']): boolean => status === 'cancelled' || status === 'terminated';

function refusalOfEnded({ status }: ServiceFacts, consequence: string): ApiError | undefined {
  if (!hasEnded(status)) return undefined;
  return fail.invalidState(`service_${status}`, `The service is ${status}; ${consequence}`);
}
