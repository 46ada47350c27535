import { ApiError, fail } from '../errors.ts';
import { warning } from '../kinds/warning.ts';
import { findServiceView, lockService } from '../lifecycle/owned-records.ts';
import { insertRequest, newRequest } from '../lifecycle/submit.ts';
import { templateValues } from '../lifecycle/template-values.ts';
import { emailSendError, sendLogged } from '../mail/send-logged.ts';
import { renderTemplate } from '../mail/templates.ts';
import type { Context } from '../ports.ts';
import { MailFailure } from '../ports.ts';
import { DAY_MS } from '../rules/durations.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { Change } from '../store/change.ts';
import { actorOf, type MailingCaller, ok } from './operation.ts';

export interface WarningInput {
  serviceNumber: number;
  warningReason: string;
}

const type = 'cancellation-warning';

const WINDOW_MS = DAY_MS;

/**
 * Emails the service's client that a cancellation may come (contract, section 6, "Cancellation warning"). The
 * service itself stays as it is.
 *
 * Throws, in this order, `not_found`, `invalid_state`, `missing_customer_email`, `template_not_found`;
 * `server_error` when the template cannot be rendered; `rate_limit_exceeded` with `warning_limit` when the service has
 * had too many; `email_send_error` when the provider did not accept.
 */
export async function warnCancellation(
  context: Context,
  caller: MailingCaller,
  { serviceNumber, warningReason }: WarningInput,
) {
  const { store, clock } = context;
  const submittedAt = clock.now();
  const view = await findServiceView(store.read, caller, serviceNumber);
  const { service } = view;
  const { recipient } = warning.assess(view);
  const template = await store.read.templates.findActive(caller.brokerId, warning.template);
  if (!template)
    throw new ApiError('template_not_found', 'There is no active cancellation-warning template', { gate: 'rules' });
  const mail = renderTemplate(template, templateValues(view, { broker: caller.broker, warningReason }));
  const { request } = await sendLogged(
    context,
    {
      brokerId: caller.brokerId,
      kind: warning.template,
      serviceNumber: service.number,
      requestId: null,
      from: caller.broker.senderEmail,
      fromName: caller.broker.name,
      to: recipient,
      audited: { actor: actorOf(caller), action: warning.action, subject: `service/${service.number}` },
      ...mail,
    },
    {
      async admit(change) {
        // The service may have ended, or lost its client's address, while the call waited for the lock.
        warning.assess({ service: await lockService(change.tx, caller, service.number) });
        await requireFewWarnings(change, caller, service.number, context.warningsPerService);
      },
      async insertRequest(change) {
        // The mail took a while, in which the clock of another process may have been behind.
        const processedAt = Math.max(submittedAt, change.now);
        const sent = newRequest(change.newId('req', submittedAt), service, submittedAt, {
          type,
          status: 'approved',
          origin: 'broker',
          warningReason,
          updatedAt: processedAt,
          processedAt,
        });
        await insertRequest(change, sent);
        return sent;
      },
    },
  ).catch((error: unknown) => {
    throw error instanceof MailFailure ? emailSendError(error) : error;
  });
  return ok({
    // The email is out: whatever happened to its entry in the history, the call has succeeded.
    request_id: request?.id ?? null,
    type,
    request_status: 'approved',
    service_number: service.number,
    warning_reason: warningReason,
    submitted_date: isoTimestamp(submittedAt),
    processed_date: isoTimestamp(request?.processedAt ?? clock.now()),
  });
}

/** Counts behind the service's lock, so that parallel calls cannot exceed the limit. Throws `rate_limit_exceeded`. */
async function requireFewWarnings(change: Change, caller: MailingCaller, number: number, limit = 0): Promise<void> {
  if (limit === 0) return;
  const of = { brokerId: caller.brokerId, serviceNumber: number, kind: warning.template };
  const leavesNext = await change.tx.emails.findNthNewest(of, change.now - WINDOW_MS, limit);
  if (leavesNext === null) return;
  // Never longer than the window, should the clock have been ahead.
  const waitMs = Math.min(leavesNext + WINDOW_MS - change.now, WINDOW_MS);
  throw fail.rateLimited('rules', limit, WINDOW_MS / 1000, Math.ceil(waitMs / 1000), 'warning_limit');
}
