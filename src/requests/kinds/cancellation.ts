import type { Change } from '../../context/context.ts';
import { refuseIf } from '../../context/outcome.ts';
import { fail } from '../../errors.ts';
import { moment } from '../../records.ts';
import { effectiveAtOfCancellation, refusalOfCancellation } from '../../rules/cancellations.ts';
import { renewalAsOf } from '../../rules/renewals.ts';
import { type CancellationType, isEnded } from '../../rules/words.ts';
import type { RequestRow } from '../../store/requests.ts';
import { moveRequest } from '../move-request.ts';
import { openRequestsOf } from '../open-requests.ts';
import type { Kind } from './kind.ts';

/** Why an accepted cancellation closes the other open requests of its service. */
const CLOSED = 'service_cancelled';

/** What stands on a service that was going to be cancelled and now is not. */
export const NO_CANCELLATION = {
  cancellationType: null,
  cancellationEffectiveAt: null,
  cancellationRequestId: null,
} as const;

/** Whether this cancellation closed the creation of its service, of which there is one at most. */
async function closedCreation({ tx }: Change, { brokerId, serviceNumber, submittedAt }: RequestRow): Promise<boolean> {
  const filter = { type: 'service-creation', status: 'failed', serviceNumber } as const;
  const [creation] = await tx.requests.page(brokerId, filter, { limit: 1, offset: 0 });
  // One that an earlier cancellation closed was final before this one was asked for.
  return creation?.request.failureReason === CLOSED && Number(creation.request.processedAt) >= submittedAt;
}

/** The end of a service, when its term ends or at once (contract, section 6, "Cancel"). */
export const cancellation = {
  assess({ service, currentPlan: { billingType }, open }, { cancellationType: asked, reason = null }, now) {
    // Nobody asks for a cancellation without its type.
    const cancellationType = asked as CancellationType;
    refuseIf(refusalOfCancellation({ service, openCancellation: open.cancellation, cancellationType, billingType }));
    return {
      currentPlan: null,
      newPlan: null,
      fields: { cancellationType, cancellationReason: reason },
      needsReview: false,
      effectiveAt: effectiveAtOfCancellation({ cancellationType, renewalAt: renewalAsOf(service, now), now }),
    };
  },
  /**
   * The service shows it, as it does the request, whose moment is that of the change; whatever else is open is closed,
   * since it could never be completed.
   */
  async accepted(change, service, { id, cancellationType, effectiveAt }) {
    await change.tx.services.update(service.brokerId, service.number, {
      cancellationType,
      cancellationEffectiveAt: effectiveAt,
      cancellationRequestId: id,
    });
    const { all } = await openRequestsOf(change.tx, service, id);
    for (const superseded of all) {
      const by = { actor: 'system', note: CLOSED } as const;
      if (superseded.status === 'accepted') {
        await moveRequest(change, superseded, 'failed', {
          ...by,
          failureReason: CLOSED,
          failureMessage: 'The service was cancelled before the work was done',
          failureServiceUsable: service.status === 'active',
          failureRetryable: false,
        });
      } else {
        await moveRequest(change, superseded, 'denied', {
          ...by,
          decisionAction: 'deny',
          decidedBy: 'broker',
          decisionReason: CLOSED,
          decidedAt: change.now,
        });
      }
    }
  },
  // An operator may have ended the service meanwhile; what is written of that stays.
  effect: ({ status }, _request, now) => (isEnded(status) ? {} : { status: 'cancelled', cancelledAt: now }),
  // A pending service whose creation it closed has nobody left to make it: it would be pending for good.
  undo: async (change, { status }, request) => ({
    ...NO_CANCELLATION,
    ...(status === 'pending' && (await closedCreation(change, request)) && { status: 'terminated' }),
  }),
  async refusalOfWithdrawal(change, request) {
    if (!(await closedCreation(change, request))) return undefined;
    return fail.invalidState(
      'creation_closed',
      'The cancellation closed the creation of its service, which cannot be taken up again',
    );
  },
  serviceRemains: true,
  record: ({ request }) => ({
    // No cancellation is submitted without its type.
    cancellation_type: request.cancellationType as CancellationType,
    effective_date: moment(request.effectiveAt),
    reason: request.cancellationReason,
  }),
  template: 'cancellation-completed',
} satisfies Kind;
