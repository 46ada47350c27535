import { isoMoment } from '../rules/moments.ts';
import type { EmailRow } from '../store/emails.ts';
import { integer, read } from './fields.ts';
import { type OperatorParts, requireBroker } from './parts.ts';

/**
 * The email log, newest first: of one broker or of all. `unknown` narrows it to the mails of which nobody knows
 * whether they were sent; a crash left them open, or the provider gave no clear answer. Contract, section 6.
 */
export async function listEmails(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: { broker?: string | undefined; unknown?: boolean | undefined; limit?: string | undefined } = {},
) {
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '100');
  const brokerId = input.broker === undefined ? undefined : (await requireBroker(store.read, input.broker)).id;
  const slugs = new Map((await store.read.brokers.list()).map(({ id, slug }) => [id, slug]));
  const rows = await store.read.emails.list({ brokerId, unknown: input.unknown, now: clock.now(), limit });
  return rows.map((row) => emailRecord(row, slugs.get(row.brokerId)));
}

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
});
