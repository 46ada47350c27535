import { isoMoment } from '../rules/moments.ts';
import type { EmailRow } from '../store/emails.ts';
import { refused, unknown } from './errors.ts';
import { type Given, read, text } from './fields.ts';
import { type Listed, readWindow } from './lists.ts';
import { type ChangeParts, note, type OperatorParts, requireBroker } from './parts.ts';

/**
 * The email log, newest first: of one broker or of all. `unknown` narrows it to the mails of which nobody knows
 * whether they were sent; a crash left them open, or the provider gave no clear answer. Contract, section 6.
 */
export async function listEmails(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: { broker?: string | undefined; unknown?: boolean | undefined; limit?: Given<number> | undefined } = {},
): Promise<Listed<EmailRecord>> {
  const { limit } = readWindow(input);
  const brokerId = input.broker === undefined ? undefined : (await requireBroker(store.read, input.broker)).id;
  const slugs = new Map((await store.read.brokers.list()).map(({ id, slug }) => [id, slug]));
  const filter = { brokerId, unknown: input.unknown, now: clock.now() };
  const [rows, total] = await Promise.all([
    store.read.emails.list({ ...filter, limit }),
    store.read.emails.countMatches(filter),
  ]);
  return { total, records: rows.map((row) => emailRecord(row, slugs.get(row.brokerId))) };
}

const NOTE = text(1000);

/**
 * Says what became of an email of unknown outcome: it arrived, or was lost. `note` tells how that was found out.
 * Nothing is sent again. Throws an `OperatorError` for any other email. Contract, section 9.
 */
export async function settleEmail(
  parts: ChangeParts,
  { emailId, arrived, ...input }: { emailId: string; arrived: boolean; note: string },
): Promise<EmailRecord> {
  const { store, clock } = parts;
  const settledNote = read('note', NOTE, input.note);
  const now = clock.now();
  return store.tx(async (tx) => {
    const email = await tx.emails.find(emailId);
    if (!email) throw unknown(`There is no email "${emailId}"`);
    const outcome = arrived
      ? { status: 'sent' as const, failureReason: null }
      : { status: 'failed' as const, failureReason: email.failureReason };
    const settled = await tx.emails.settle(email.brokerId, emailId, now, { ...outcome, settledAt: now, settledNote });
    if (!settled) throw refused(`The email is ${email.status}; only one of unknown outcome can be settled`);
    await note(parts, tx, {
      action: 'email.settle',
      brokerId: email.brokerId,
      subject: `email/${emailId}`,
      before: { email_status: email.status },
      after: { email_status: settled.status },
    });
    return emailRecord(settled, (await tx.brokers.find(email.brokerId))?.slug);
  });
}

/** An entry of the email log, without the bodies. */
export type EmailRecord = ReturnType<typeof emailRecord>;

const emailRecord = (row: EmailRow, broker: string | undefined) => ({
  email_id: row.id,
  broker,
  kind: row.kind,
  email_status: row.status,
  recipient: row.recipient,
  subject: row.subject,
  service_number: row.serviceNumber,
  request_id: row.requestId,
  failure_reason: row.failureReason,
  provider_code: row.providerCode,
  provider_message_id: row.providerMessageId,
  created_date: isoMoment(row.createdAt),
  completed_date: row.completedAt === null ? null : isoMoment(row.completedAt),
  settled_date: row.settledAt === null ? null : isoMoment(row.settledAt),
  settled_note: row.settledNote,
});
