import { ApiError, refuseIf } from '../errors.ts';
import { isMailbox } from '../rules/mailbox.ts';
import { type Kind, type Loaded, refusalOfEnded } from './kind.ts';

/** An email that announces a cancellation (contract, section 6, "Cancellation warning"). Sending it is the whole work. */
export const warning = {
  component: 'CancellationWarningRequest',
  fields: ['warning_reason'],
  statuses: ['approved'],
  precedence: 4,
  action: 'service.warn',
  template: 'cancellation-warning',
  /** Also returns the recipient's address. Throws `invalid_state` and `missing_customer_email`. */
  assess({ service }: Pick<Loaded, 'service'>) {
    refuseIf(refusalOfEnded(service, 'there is nothing left to warn about'));
    const recipient = service.clientEmail;
    if (recipient === null || !isMailbox(recipient)) {
      throw new ApiError('missing_customer_email', 'The service has no valid client email address', { gate: 'rules' });
    }
    return { currentPlan: null, newPlan: null, needsReview: false, effectiveAt: null, recipient };
  },
} as const satisfies Kind;
