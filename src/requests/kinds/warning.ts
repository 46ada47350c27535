import { refuseIf } from '../../context/outcome.ts';
import { ApiError } from '../../errors.ts';
import { refusalOfWarning } from '../../rules/cancellations.ts';
import { isMailbox } from '../../rules/mailbox.ts';
import type { Kind, ServiceForChange } from './kind.ts';

/** A mail that a cancellation may come (contract, section 6, "Cancellation warning"): it is sent, and that is all of it. */
export const warning = {
  /** Whom the mail goes to, beside what the rules say. Throws `invalid_state` and `missing_customer_email`. */
  assess({ service }: Pick<ServiceForChange, 'service'>) {
    refuseIf(refusalOfWarning(service));
    const recipient = service.clientEmail;
    if (recipient === null || !isMailbox(recipient)) {
      throw new ApiError('missing_customer_email', 'The service has no valid client email address');
    }
    return { currentPlan: null, newPlan: null, needsReview: false, effectiveAt: null, recipient };
  },
  serviceRemains: true,
  // None is entered without the reason that its client was told.
  record: ({ request }) => ({ warning_reason: request.warningReason as string }),
  template: 'cancellation-warning',
} satisfies Kind;
