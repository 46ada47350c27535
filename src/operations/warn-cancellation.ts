import { ApiError, fail } from '../errors.ts';
import { refusalOfWarning } from '../rules/cancellations.ts';
import { isMailbox } from '../rules/mailbox.ts';
import { isoMoment } from '../rules/moments.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { ServiceView } from '../store/services.ts';
import type { Context } from './context.ts';
import { findServiceView } from './find-service.ts';
import { type Caller, type Outcome, ok, refuseIf } from './outcome.ts';
import { MailFailure, type TemplateValues } from './ports.ts';
import { newRequest, submitRequest } from './request-lifecycle.ts';
import { emailSendError, sendLogged } from './send-logged.ts';

export const WARNING_TEMPLATE = 'cancellation-warning';

export interface WarningInput {
  serviceNumber: bigint;
  warningReason: string;
}

/**
 * Emails the service's client that a cancellation may come (contract, section 6, "Cancellation warning"). The
 * service itself stays as it is.
 *
 * Throws, in this order, `not_found`, `invalid_state`, `missing_customer_email`, `template_not_found`;
 * `server_error` when the template cannot be rendered; `email_send_error` when the provider did not accept.
 */
export async function warnCancellation(
  context: Context,
  caller: Caller,
  { serviceNumber, warningReason }: WarningInput,
): Promise<Outcome<object>> {
  const { store, templates, clock, log } = context;
  const submittedAt = clock.now();
  const view = await findServiceView(store.read, caller, serviceNumber);
  const { service } = view;
  refuseIf(refusalOfWarning(service));
  if (service.clientEmail === null || !isMailbox(service.clientEmail)) {
    throw new ApiError('missing_customer_email', 'The service has no valid client email address');
  }
  const template = await store.read.templates.findActive(caller.brokerId, WARNING_TEMPLATE);
  if (!template) throw new ApiError('template_not_found', 'There is no active cancellation-warning template');
  // The service's foreign key says that there is one.
  const broker = (await store.read.brokers.find(caller.brokerId)) as BrokerRow;

  const mail = await templates
    .render(template, valuesOf(view, broker.name, warningReason))
    .catch((cause: unknown) => Promise.reject(fail.internal(cause)));
  const { emailId } = await sendLogged(context, {
    brokerId: broker.id,
    kind: WARNING_TEMPLATE,
    serviceNumber: service.number,
    requestId: null,
    from: broker.senderEmail,
    to: service.clientEmail,
    ...mail,
  }).catch((error: unknown) => {
    throw error instanceof MailFailure ? emailSendError(error) : error;
  });

  const processedAt = clock.now();
  // The email is out: whatever happens to its entry in the history, the call has succeeded.
  const requestId = await saveHistory().catch((error: unknown) => {
    log.error({ err: error, email_id: emailId }, 'a sent warning could not be entered into the history');
    return null;
  });
  return ok({
    request_id: requestId,
    type: 'cancellation-warning',
    request_status: 'approved',
    service_number: service.number,
    warning_reason: warningReason,
    submitted_date: isoMoment(submittedAt),
    processed_date: isoMoment(processedAt),
  });

  async function saveHistory(): Promise<string> {
    const request = newRequest(context.newId('req', submittedAt), service, submittedAt, {
      type: 'cancellation-warning',
      status: 'approved',
      origin: 'broker',
      warningReason,
      updatedAt: processedAt,
      processedAt,
    });
    await store.tx(async (tx) => {
      await submitRequest(tx, context, request);
      await tx.emails.complete(caller.brokerId, emailId, { requestId: request.id });
    });
    return request.id;
  }
}

/** What a template may name, of one service; an empty text where there is nothing to say. */
export const valuesOf = ({ service, plan }: ServiceView, brokerName: string, warningReason = ''): TemplateValues => ({
  client_name: service.clientName,
  // Nobody is mailed without an address.
  client_email: service.clientEmail as string,
  service_number: String(service.number),
  service_label: service.label ?? '',
  plan_name: plan.displayName,
  warning_reason: warningReason,
  broker_name: brokerName,
  renewal_date: service.renewalAt === null ? '' : isoMoment(service.renewalAt).slice(0, 10),
});
