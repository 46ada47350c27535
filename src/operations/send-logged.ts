import { ApiError } from '../errors.ts';
import type { Context } from './context.ts';
import { MailFailure, type MailMessage, type MailReceipt } from './ports.ts';

export interface LoggedMail extends Omit<MailMessage, 'id'> {
  brokerId: string;
  /** What the mail is: a template's kind, or the type of a report. */
  kind: string;
  serviceNumber: number | null;
  requestId: string | null;
}

/**
 * Sends one email with a line in the email log: committed before the provider is called, completed after
 * (contract, section 6). A crash in between leaves an open line, which nobody sends again.
 *
 * Returns the log's id and the receipt; throws the mailer's `MailFailure`.
 */
export async function sendLogged(
  { store, mailer, clock, newId, log }: Pick<Context, 'store' | 'mailer' | 'clock' | 'newId' | 'log'>,
  { brokerId, kind, serviceNumber, requestId, ...mail }: LoggedMail,
): Promise<{ emailId: string; receipt: MailReceipt }> {
  const createdAt = clock.now();
  const emailId = newId('eml', createdAt);
  await store.tx((tx) =>
    tx.emails.insert({
      id: emailId,
      brokerId,
      kind,
      serviceNumber,
      requestId,
      status: 'open',
      recipient: mail.to,
      subject: mail.subject,
      html: mail.html ?? null,
      text: mail.text,
      failureReason: null,
      providerCode: null,
      providerMessageId: null,
      createdAt,
      completedAt: null,
      erasedAt: null,
    }),
  );

  const complete = (outcome: {
    status: 'sent' | 'failed' | 'unknown';
    failureReason?: string;
    providerCode?: number | null;
    providerMessageId?: string;
  }) =>
    store
      .tx((tx) => tx.emails.complete(brokerId, emailId, { ...outcome, completedAt: clock.now() }))
      // The mail is out, or is not: that this line stays open changes nothing about it.
      .catch((error: unknown) => log.error({ err: error, email_id: emailId }, 'the email log could not be completed'));

  try {
    const receipt = await mailer.send({ id: emailId, ...mail });
    await complete({ status: 'sent', providerMessageId: receipt.messageId });
    return { emailId, receipt };
  } catch (error) {
    const failure = error instanceof MailFailure ? error : new MailFailure('outcome_unknown', 'the mailer broke');
    log.warn({ err: error, email_id: emailId, reason: failure.reason }, 'an email was not sent');
    await complete({
      status: failure.reason === 'outcome_unknown' ? 'unknown' : 'failed',
      failureReason: failure.reason,
      providerCode: failure.providerCode,
    });
    throw failure;
  }
}

/** A mail failure as the error that callers see. */
export const emailSendError = (failure: MailFailure): ApiError =>
  new ApiError('email_send_error', 'The email could not be sent', {
    details: { reason: failure.reason, provider_code: failure.providerCode, retryable: failure.retryable },
    cause: failure,
  });
