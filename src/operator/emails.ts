import { TEMPLATE_KINDS } from '../lifecycle/kinds/index.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { EMAIL_STATUSES, REPORT_TYPES } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { EmailLine } from '../store/emails.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import { type ChangeDeps, note, type ReadDeps, requireBroker } from './dependencies.ts';
import { refused, unknown } from './errors.ts';
import { type Given, line, oneOf, read, type Texts, text } from './fields.ts';
import { COUNTED_MOST, countedPage, type Listed, type PageInput, readWindow, windowOf } from './pages.ts';
import { TEST_MAIL } from './templates.ts';
import { readSince } from './time-range.ts';

export { EMAIL_STATUSES };

/** What an email can be: a template's kind, a report, or an operator's test. */
export const EMAIL_KINDS = [...TEMPLATE_KINDS, ...REPORT_TYPES, TEST_MAIL] as const;

const KIND = oneOf(EMAIL_KINDS);
const STATUS = oneOf(EMAIL_STATUSES);
const RECIPIENT = line(254);

/**
 * The email log, newest first: of one broker or of all. `unknown` narrows it to the mails of unknown outcome:
 * a crash left them open, or the provider gave no clear answer. Contract, section 6.
 */
export async function listEmails(
  { store, clock }: ReadDeps,
  input: { broker?: string | undefined; unknown?: boolean | undefined; limit?: Given<number> | undefined } = {},
): Promise<Listed<EmailRecord>> {
  const { limit } = readWindow(input);
  const brokerId = input.broker === undefined ? undefined : (await requireBroker(store.read, input.broker)).id;
  const slugs = new Map((await store.read.brokers.list()).map(({ id, slug }) => [id, slug]));
  const filter = { brokerId, now: clock.now(), ...(input.unknown && { status: 'unknown' as const }) };
  const [rows, total] = await Promise.all([
    store.read.emails.list({ ...filter, limit }),
    store.read.emails.countMatches(filter),
  ]);
  return { total, records: rows.map((row) => emailRecord(row, slugs.get(row.brokerId))) };
}

/**
 * The email log page by page, newest first; none where no broker has that slug. A slow query, for rare rows may be far
 * back.
 * @param input `recipient`: part of the address; `since` (included) and `until` (excluded): a length of time such as `24h`,
 * or a date
 */
export async function pageEmails(
  { store, clock }: ReadDeps,
  input: PageInput & Texts<'broker' | 'status' | 'kind' | 'recipient' | 'since' | 'until'> = {},
) {
  const window = windowOf(input);
  const now = clock.now();
  const filter = {
    now,
    status: input.status === undefined ? undefined : read('email_status', STATUS, input.status),
    kind: input.kind === undefined ? undefined : read('kind', KIND, input.kind),
    recipient: input.recipient === undefined ? undefined : read('recipient', RECIPIENT, input.recipient),
    since: input.since === undefined ? undefined : readSince(now, input.since),
    until: input.until === undefined ? undefined : readSince(now, input.until, 'until'),
  };
  const named = input.broker === undefined ? undefined : await store.read.brokers.findBySlug(input.broker);
  if (named === null) return { items: [], ...countedPage(window, 0) };
  const owned = { ...filter, brokerId: named?.id };
  const [rows, total] = await store.slow(
    OPERATOR,
    async ({ emails }) => [await emails.page(owned, window), await emails.countUpTo(owned, COUNTED_MOST + 1)] as const,
  );
  // After the emails: so there is a broker for each of them, but for one that was removed since, with its emails.
  const names = new Map((await store.read.brokers.list()).map((broker) => [broker.id, broker]));
  const numbers = new Set(rows.flatMap(({ serviceNumber }) => serviceNumber ?? []));
  const owners = await store.read.services.owners([...numbers]);
  const items = rows.flatMap((row) => {
    const broker = names.get(row.brokerId);
    const service_exists = owners.get(row.serviceNumber as number) === row.brokerId;
    return broker ? [{ ...ownedRecord(row, broker), service_exists }] : [];
  });
  return { items, ...countedPage(window, total) };
}

/** One email as it went out. Throws an `OperatorError` where there is none. */
export async function showEmail({ store, clock }: ReadDeps, { emailId }: { emailId: string }) {
  const row = await store.read.emails.find(emailId, clock.now());
  if (!row) throw unknown(`There is no email "${emailId}"`);
  // A foreign key says that there is one.
  const broker = (await store.read.brokers.find(row.brokerId)) as BrokerRow;
  const { brokerId, serviceNumber, requestId } = row;
  const [service, requestOwner] = await Promise.all([
    serviceNumber === null ? null : store.read.services.find(brokerId, serviceNumber),
    requestId === null ? null : store.read.requests.findOwner(requestId),
  ]);
  return {
    ...ownedRecord(row, broker),
    service_exists: service !== null,
    request_exists: requestOwner === brokerId,
    /** Where mail of the broker comes from today; what it was then is not kept. */
    sender_email: broker.senderEmail,
    html: row.html,
    text: row.text,
    erased_date: row.erasedAt === null ? null : isoTimestamp(row.erasedAt),
  };
}

const NOTE = text(1000);

/**
 * Records what became of an email of unknown outcome: it arrived, or was lost. `note` says how that was found out.
 * Nothing is sent again. Throws an `OperatorError` for any other email. Contract, section 9.
 */
export async function settleEmail(
  parts: ChangeDeps,
  { emailId, arrived, ...input }: { emailId: string; arrived: boolean; note: string },
): Promise<EmailRecord> {
  const { store, clock } = parts;
  const settledNote = read('note', NOTE, input.note);
  const now = clock.now();
  return store.tx(async (tx) => {
    const email = await tx.emails.find(emailId, now);
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

const emailRecord = (row: EmailLine, broker: string | undefined) => ({
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
  created_date: isoTimestamp(row.createdAt),
  completed_date: row.completedAt === null ? null : isoTimestamp(row.completedAt),
  settled_date: row.settledAt === null ? null : isoTimestamp(row.settledAt),
  settled_note: row.settledNote,
});

const ownedRecord = (row: EmailLine, { slug, name }: BrokerRow) => ({
  ...emailRecord(row, slug),
  broker: { slug, name },
});

export type EmailPage = Awaited<ReturnType<typeof pageEmails>>;
export type EmailDetail = Awaited<ReturnType<typeof showEmail>>;
