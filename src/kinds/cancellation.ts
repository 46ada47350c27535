import { type ApiError, fail, refuseIf } from '../errors.ts';
import { renewalAsOf } from '../rules/renewals.ts';
import { isoTimestampOrNull } from '../rules/timestamps.ts';
import {
  ALL_BUT_WARNINGS,
  type BillingType,
  type CancellationType,
  isEnded,
  type ServiceStatus,
} from '../rules/words.ts';
import { type Kind, refusalOfEnded, type ServiceFacts } from './kind.ts';

/** The columns of a service that is not going to be cancelled. */
export const NO_CANCELLATION = {
  cancellationType: null,
  cancellationEffectiveAt: null,
  cancellationRequestId: null,
} as const;

/** What a clean-up finds: it terminates the service, and leaves one terminated that was so before. */
const NEVER_BUILT: readonly ServiceStatus[] = ['pending', 'terminated'];

/** The machine of that number is the one of another service, which the provisioner left alone. */
export const NOT_THIS_SERVICE = 'not_this_service';

/** Reasons of a provisioner that has no machine of the service (contract, sections 12.6 and 15.3). */
const NO_MACHINE = ['service_not_found', NOT_THIS_SERVICE];

const NEVER_DELIVERED = { ...NO_CANCELLATION, status: 'terminated' } as const;

/** The end of a service, when its term ends or at once (contract, section 6, "Cancel"). */
export const cancellation = {
  component: 'CancellationRequest',
  fields: ['cancellation_type', 'effective_date', 'reason'],
  statuses: ALL_BUT_WARNINGS,
  excludes: 'cancellation',
  stops: true,
  precedence: 0,
  clientField: 'cancellation_type',
  action: 'service.cancel',
  template: 'cancellation-completed',
  // These could not be completed any more.
  closesOthers: { reason: 'service_cancelled', message: 'The service was cancelled before the work was done' },
  assess({ service, currentPlan, open, cleansUp }, { cancellationType: given, reason = null }, now) {
    // A cancellation always has its type.
    const cancellationType = given as CancellationType;
    const { billingType } = currentPlan;
    refuseIf(
      refusalOfCancellation({ service, openCancellation: open.cancellation, cancellationType, billingType, cleansUp }),
    );
    return {
      currentPlan: null,
      newPlan: null,
      fields: { cancellationType, cancellationReason: reason, ...(cleansUp && { cleansUp }) },
      note: cleansUp ? 'cleans_up' : null,
      needsReview: false,
      // What was never delivered has no term.
      effectiveAt: cleansUp
        ? now
        : effectiveAtOfCancellation({ cancellationType, renewalAt: renewalAsOf(service, now), now }),
    };
  },
  audited: ({ request: { cancellationType, effectiveAt } }) => ({
    after: { cancellation_type: cancellationType, effective_date: isoTimestampOrNull(effectiveAt) },
  }),
  accept: ({ id, cancellationType, effectiveAt }) => ({
    cancellationType,
    cancellationEffectiveAt: effectiveAt,
    cancellationRequestId: id,
  }),
  // An operator may have ended the service meanwhile; its status stays. What was never delivered was not cancelled.
  complete({ status }, { cleansUp }, now) {
    if (cleansUp && NEVER_BUILT.includes(status)) return NEVER_DELIVERED;
    return isEnded(status) ? {} : { status: 'cancelled', cancelledAt: now };
  },
  // A pending service whose creation was closed would otherwise stay pending for ever.
  revert: ({ status }, { cleansUp }, { reason, closedCreation }) =>
    status === 'pending' && (closedCreation || (cleansUp && NO_MACHINE.includes(reason)))
      ? NEVER_DELIVERED
      : NO_CANCELLATION,
  refusalOfWithdrawal: (closed) =>
    closed.creation
      ? fail.invalidState(
          'creation_closed',
          'The cancellation closed the creation of its service, which cannot be taken up again',
        )
      : undefined,
} as const satisfies Kind;

/** Why a cancellation is refused, in the contract's order; undefined where it is allowed. */
export function refusalOfCancellation({
  service,
  openCancellation,
  cancellationType,
  billingType,
  cleansUp = false,
}: {
  service: Pick<ServiceFacts, 'status'>;
  /** A cancellation that is pending or accepted, if there is one. */
  openCancellation: { id: string } | undefined;
  cancellationType: CancellationType;
  billingType: BillingType;
  /** Whether it removes what a creation that failed has left. */
  cleansUp?: boolean;
}): ApiError | undefined {
  const ended = cleansUp ? undefined : refusalOfEnded(service, 'it cannot be cancelled any more');
  if (ended) return ended;
  if (openCancellation) {
    return fail.invalidState('cancellation_scheduled', 'A cancellation of this service is open already', {
      request_id: openCancellation.id,
    });
  }
  if (cancellationType === 'end_of_term' && billingType === 'hourly') {
    return fail.invalidParameter(
      'end_of_term_not_available',
      'A service billed hourly has no term to wait for: it can be cancelled immediately only',
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
