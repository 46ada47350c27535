import { type Actor, type Audited, audit } from '../audit/audit.ts';
import { ApiError, fail } from '../errors.ts';
import { type Context, MailFailure, type MailMessage, type MailReceipt } from '../ports.ts';
import { type Change, transact } from '../store/change.ts';
import type { EmailOutcome } from '../store/queries/emails.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import { createRetries } from './retries.ts';

/** Lines of the log that could not be completed: about seven minutes each. */
const retries = createRetries({ firstPauseMs: 100, attempts: 12, maxWaiting: 1_000 });

/** Nothing is mailed of records that went back, before someone says so (contract, section 15.5). */
const HELD = 'the records went back, and no operator has said that emails go out';
const HELD_RETRY_SECONDS = 60;

export interface LoggedMail extends Omit<MailMessage, 'id'> {
  brokerId: string;
  /** What the mail is: a template's kind, or the type of a report. */
  kind: string;
  serviceNumber: number | null;
  requestId: string | null;
  /** Who sends it, for the audit trail. */
  audited?: { actor: Actor } & Pick<Audited, 'action' | 'subject' | 'after'>;
}

/** What became of an email, and when that was known; epoch milliseconds. */
export interface SettledMail {
  status: 'sent' | 'failed' | 'unknown';
  completedAt: number;
}

/**
 * Sends one email with a line in the email log: committed before the provider is called, completed after
 * (contract, section 6). A crash in between leaves an open line, which is never sent again.
 * @param admit may refuse the mail, in the transaction that writes the line; nothing is sent then
 * @param settle writes what else depends on the outcome, in the transaction that completes the line
 * @param insertRequest writes the request that stands for the mail once it is out, in the transaction that completes the line.
 * The mail is sent whether or not that can be written
 *
 * Returns the log's id, the receipt and the request; throws the mailer's `MailFailure`.
 */
export async function sendLogged(
  context: Pick<Context, 'store' | 'mailer' | 'clock' | 'newId' | 'log'>,
  { brokerId, kind, serviceNumber, requestId, audited, ...mail }: LoggedMail,
  {
    admit,
    settle,
    insertRequest,
  }: {
    admit?: (change: Change) => Promise<void>;
    settle?: (change: Change, outcome: SettledMail) => Promise<void>;
    insertRequest?: (change: Change) => Promise<RequestRow>;
  } = {},
): Promise<{ emailId: string; receipt: MailReceipt; completedAt: number; request: RequestRow | null }> {
  const { mailer, clock, log } = context;
  const emailId = await transact(context, async (change) => {
    if ((await change.tx.history.findHolding()) !== null) throw fail.unavailable(HELD_RETRY_SECONDS, HELD);
    await admit?.(change);
    const { tx, newId, now: createdAt } = change;
    const id = newId('eml', createdAt);
    await tx.emails.insert({
      id,
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
      settledAt: null,
      settledNote: null,
      erasedAt: null,
    });
    if (audited) {
      const { actor, action, subject, after } = audited;
      await audit(change, actor, { action, brokerId, subject, after: { email_id: id, ...after } });
    }
    return id;
  });

  type Completed = SettledMail & Partial<EmailOutcome>;
  const write = (outcome: Completed, insertFirst?: typeof insertRequest): Promise<RequestRow | null> =>
    transact(context, async (change) => {
      const request = (await insertFirst?.(change)) ?? null;
      const named = request && { requestId: request.id };
      await change.tx.emails.complete(brokerId, emailId, { ...outcome, ...named });
      await settle?.(change, outcome);
      return request;
    });
  const complete = async (outcome: Completed): Promise<null> => {
    await write(outcome).catch((error: unknown) => {
      // The mail is out, or is not: the caller need not wait for this line.
      log.error({ err: error, email_id: emailId }, 'the email log could not be completed; it is tried again');
      retries.add(
        () => write(outcome),
        (last) => log.error({ err: last, email_id: emailId }, 'the email log was given up: this line stays open'),
      );
    });
    return null;
  };

  try {
    const receipt = await mailer.send({ id: emailId, ...mail });
    const completedAt = clock.now();
    const outcome = { status: 'sent', providerMessageId: receipt.messageId, completedAt } as const;
    const request = await write(outcome, insertRequest).catch((error: unknown) => {
      log.error({ err: error, email_id: emailId }, 'a sent email has no request in the history');
      return complete(outcome);
    });
    return { emailId, receipt, completedAt, request };
  } catch (error) {
    const failure = error instanceof MailFailure ? error : new MailFailure('outcome_unknown', 'the mailer broke');
    log.warn({ err: error, email_id: emailId, reason: failure.reason }, 'an email was not sent');
    await complete({
      status: failure.reason === 'outcome_unknown' ? 'unknown' : 'failed',
      failureReason: failure.reason,
      providerCode: failure.providerCode,
      completedAt: clock.now(),
    });
    throw failure;
  }
}

/** A mail failure as the error that callers see. */
export const emailSendError = (failure: MailFailure): ApiError =>
  new ApiError('email_send_error', 'The email could not be sent', {
    gate: 'work',
    details: { reason: failure.reason, provider_code: failure.providerCode, retryable: failure.retryable },
    cause: failure,
  });
