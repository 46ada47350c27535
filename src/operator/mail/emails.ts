import { type Static, Type } from '@sinclair/typebox';
import { Id, MAX_INT32, Nullable, OneOf, ServiceNumber, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { TEMPLATE_KINDS } from '../../kinds/index.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { omit } from '../../rules/omit.ts';
import { isoTimestampOrNull } from '../../rules/timestamps.ts';
import { EMAIL_STATUSES, REPORT_TYPES } from '../../rules/words.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { EmailFilter, EmailLine } from '../../store/queries/emails.ts';
import { listAudit } from '../audit/audit.ts';
import {
  BROKER,
  brokerOf,
  type ChangeDeps,
  findOwner,
  type ReadDeps,
  requireBroker,
} from '../use-case/dependencies.ts';
import { invalid, refused, unknown } from '../use-case/errors.ts';
import { readPages, recordsOf } from '../use-case/exports.ts';
import { flag, line, named, oneOf, readAll, serviceNumber, text } from '../use-case/fields.ts';
import { COUNTED_MOST, countedPage, listed, type PageInput, WINDOW, windowOf } from '../use-case/pages.ts';
import { answerSchema, recordOf, recordWith } from '../use-case/record.ts';
import { decideEach, MAX_DECIDED } from '../use-case/several.ts';
import { namesOf, readRange, TIME_RANGE } from '../use-case/time-range.ts';
import { type GivenOf, useCase } from '../use-case/use-case.ts';
import { TEST_MAIL } from './templates.ts';

export { EMAIL_STATUSES };

/** What an email can be: a template's kind, a report, or an operator's test. */
export const EMAIL_KINDS = [...TEMPLATE_KINDS, ...REPORT_TYPES, TEST_MAIL] as const;

/** An entry of the email log, without the bodies and the broker. */
const EMAIL_LINE = recordOf<EmailLine>()('EmailLine', (field) => ({
  email_id: field(Id('eml', 'The email’s id'), 'id'),
  kind: field(Shown(64, 'A template’s kind, a report, or a test', { examples: ['cancellation-warning'] }), 'kind'),
  email_status: field(OneOf(EMAIL_STATUSES, { description: 'What became of it' }), 'status'),
  recipient: field(Nullable(Shown(254, 'Null where it was erased')), 'recipient'),
  subject: field(Nullable(Shown(2_000, 'Null where it was erased')), 'subject'),
  service_number: field(Nullable(ServiceNumber), 'serviceNumber'),
  request_id: field(Nullable(Id('req', 'The request that it is about')), 'requestId'),
  failure_reason: field(Nullable(Shown(1_000, 'Why it was not sent'), { examples: [null] }), 'failureReason'),
  provider_code: field(Nullable(Shown(64, 'The provider’s own code'), { examples: [null] }), 'providerCode'),
  provider_message_id: field(Nullable(Shown(MAX_INT32, 'The provider’s id of it')), 'providerMessageId'),
  created_date: field(Timestamp('When it was handed to the provider.'), 'createdAt'),
  completed_date: field(Nullable(Timestamp('When its outcome was known.')), 'completedAt'),
  settled_date: field(Nullable(Timestamp('When an operator settled it.'), { examples: [null] }), 'settledAt'),
  settled_note: field(Nullable(Shown(1_000, 'How they knew'), { examples: [null] }), 'settledNote'),
}));

const EMAIL = recordWith('Email', EMAIL_LINE.schema, {
  broker: Type.Optional(Shown(64, 'The broker’s slug', { examples: ['acme'] })),
});

const EMAIL_DETAIL = recordWith('EmailDetail', EMAIL, {
  sender_email: Shown(254, 'Where mail of the broker comes from today; what it was then is not kept'),
  html: Nullable(Shown(MAX_INT32, 'The HTML part, as it went out; null where it was erased')),
  text: Nullable(Shown(MAX_INT32, 'The text part; null where it was erased')),
  erased_date: Nullable(Timestamp('When its contents were erased.'), { examples: [null] }),
});

const FILTER = Type.Object({
  broker: Type.Optional(BROKER.broker),
  email_status: Type.Optional(oneOf(EMAIL_STATUSES, { title: 'Outcome', option: 'status' })),
  kind: Type.Optional(oneOf(EMAIL_KINDS, { title: 'Kind' })),
  recipient: Type.Optional(line(254, { title: 'Part of the address' })),
  service_number: Type.Optional(serviceNumber({ title: 'Of one service', option: 'service' })),
  ...TIME_RANGE,
});

/**
 * The email log page by page, newest first; none where no broker has that slug. A slow query, for rare rows may be far
 * back.
 */
export async function pageEmails({ store, clock }: ReadDeps, input: PageInput & GivenOf<typeof FILTER> = {}) {
  const window = windowOf(input);
  const owned = await filterOf({ store, clock }, readAll(FILTER, input));
  if (owned === null) return { items: [], ...countedPage(window, 0) };
  const [rows, total] = await store.slow(
    operatorOwner(),
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

/** Null where no email can match. */
async function filterOf(
  { store, clock }: ReadDeps,
  { email_status: status, kind, recipient, ...given }: Static<typeof FILTER>,
): Promise<EmailFilter | null> {
  const now = clock.now();
  const brokerId = await findOwner(store.read, given);
  if (brokerId === null) return null;
  return { now, status, kind, recipient, serviceNumber: given.service_number, brokerId, ...readRange(now, given) };
}

/** One email as it went out. */
export const showEmail = useCase({
  name: 'emails show',
  title: 'Email',
  summary: 'Read an email',
  description: 'Show one email as it went out',
  example: 'emails show eml_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  input: Type.Object({ email_id: named('email-id', 'The email’s id') }),
  on: ['email_id'],
  argument: 'email_id',
  path: 'GET /emails/:email_id',
  answer: EMAIL_DETAIL,
  async run(deps: ReadDeps, { email_id: emailId }) {
    const { broker, ...email } = await readEmail(deps, { emailId });
    return { ...omit(email, 'service_exists', 'request_exists'), broker: broker.slug };
  },
});

/** The same for its page, with who settled it: undefined where the audit trail has it no more. */
export async function showEmailPage(deps: ReadDeps, { emailId }: { emailId: string }) {
  const email = await readEmail(deps, { emailId });
  const settled = { subject: `email/${emailId}`, action: 'email.settle', limit: 1 };
  const [settlement] = email.settled_date === null ? [] : await listAudit(deps, settled);
  return { ...email, settled_by: settlement?.actor };
}

/** An email with what of it there is now. Throws an `OperatorError` where there is none. */
async function readEmail({ store, clock }: ReadDeps, { emailId }: { emailId: string }) {
  const row = await store.read.emails.find(emailId, clock.now());
  if (!row) throw unknown(`There is no email "${emailId}"`);
  const broker = await brokerOf(store.read, row.brokerId);
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
    erased_date: isoTimestampOrNull(row.erasedAt),
  };
}

/**
 * The email log, newest first: of one broker or of all. Of unknown outcome are those that a crash left open, or that the
 * provider gave no clear answer for. Contract, section 6.
 */
export const listEmails = useCase({
  name: 'emails list',
  title: 'Emails',
  summary: 'List emails',
  description: 'List emails, newest first',
  example: 'emails list --unknown',
  input: Type.Object({
    ...FILTER.properties,
    unknown: Type.Optional(flag({ title: 'Only those of unknown outcome' })),
    ...WINDOW,
  }),
  path: 'GET /emails',
  answer: EMAIL,
  columns: [
    'email_id',
    'broker',
    'kind',
    'email_status',
    'recipient',
    'service_number',
    'failure_reason',
    'created_date',
  ],
  async pages(deps: ReadDeps, { offset, ...input }) {
    const filter = await filterOf(deps, await narrowed(deps, input));
    const rows = readPages<EmailLine>(deps, async ({ emails }, limit, last) =>
      filter ? emails.page(filter, { limit, offset: last ? 0 : offset }, last) : [],
    );
    return recordsOf(rows, async (page) => {
      const names = await namesOf(deps.store.read, []);
      return page.map((row) => emailRecord(row, names.broker(row.brokerId) ?? undefined));
    });
  },
  async run(deps: ReadDeps, { limit, offset, ...input }) {
    const filter = await narrowed(deps, input);
    const { items, pagination } = await pageEmails(deps, { ...filter, perPage: limit + 1, offset });
    const records = items.map(({ broker, ...record }) => ({ ...omit(record, 'service_exists'), broker: broker.slug }));
    return listed(limit, records, pagination);
  },
});

async function narrowed(
  { store }: ReadDeps,
  { unknown: isUnknown, ...input }: Static<typeof FILTER> & { unknown?: boolean },
): Promise<Static<typeof FILTER>> {
  if (input.broker !== undefined) await requireBroker(store.read, input.broker);
  if (isUnknown && input.email_status) throw invalid({ field: 'unknown', message: 'is a status: give one of both' });
  return isUnknown ? { ...input, email_status: 'unknown' } : input;
}

/**
 * Records what became of an email of unknown outcome: it arrived, or was lost. `note` says how that was found out.
 * Nothing is sent again. Refused for any other email. Contract, section 9.
 */
export const settleEmail = useCase({
  name: 'emails settle',
  role: 'support',
  action: 'email.settle',
  title: 'Did it arrive?',
  summary: 'Settle an email of unknown outcome',
  description: 'Say what became of an email of unknown outcome; nothing is sent again',
  example: 'emails settle eml_01J9ZQ8V3M4N5P6Q7R8S9TABCD --arrived --note "the client confirmed it"',
  input: Type.Object({
    email_id: named('email-id', 'The email’s id'),
    arrived: flag({ title: 'Outcome', negative: 'lost', description: 'It reached the mailbox' }),
    note: text(1000, { title: 'How you know', description: 'Kept with the email', multiline: true }),
  }),
  on: ['email_id'],
  argument: 'email_id',
  path: 'POST /emails/:email_id/settle',
  answer: EMAIL,
  done: ({ email_status }: EmailRecord) =>
    email_status === 'sent'
      ? 'Settled: it arrived.'
      : 'Settled: it did not arrive. It is not sent again automatically.',
  async change(tx, { clock }: ChangeDeps, { email_id: emailId, arrived, note: settledNote }) {
    const now = clock.now();
    const email = await tx.emails.find(emailId, now);
    if (!email) throw unknown(`There is no email "${emailId}"`);
    const outcome = arrived
      ? { status: 'sent' as const, failureReason: null }
      : { status: 'failed' as const, failureReason: email.failureReason };
    const settled = await tx.emails.settle(email.brokerId, emailId, now, { ...outcome, settledAt: now, settledNote });
    if (!settled) throw refused(`The email is ${email.status}; only one of unknown outcome can be settled`);
    return {
      record: emailRecord(settled, (await tx.brokers.find(email.brokerId))?.slug),
      about: { brokerId: email.brokerId, subject: `email/${emailId}` },
      before: { email_status: email.status },
      after: { email_status: settled.status },
    };
  },
});

const INCIDENT = Type.Pick(FILTER, ['broker', 'since', 'until']);

/** The emails of unknown outcome of a broker or a time, newest first, as many as one command decides. */
async function unknownEmails(deps: ReadDeps, input: Static<typeof INCIDENT>) {
  if (input.broker !== undefined) await requireBroker(deps.store.read, input.broker);
  const { items, pagination } = await pageEmails(deps, { ...input, email_status: 'unknown', perPage: MAX_DECIDED });
  return { emailIds: items.map(({ email_id }) => email_id), total: pagination.total };
}

/** The same for all emails of one incident, such as an hour in which the provider was away. */
export const settleUnknownEmails = useCase({
  name: 'emails settle-unknown',
  role: 'support',
  audits: ['email.settle'],
  title: 'Settle unknown emails',
  summary: 'Settle all emails of unknown outcome',
  description: 'Say what became of all emails of unknown outcome, of a broker or a time; nothing is sent again',
  example: 'emails settle-unknown --since 2h --arrived --note "the log of the provider has them"',
  input: Type.Object({
    ...INCIDENT.properties,
    arrived: flag({ title: 'Outcome', negative: 'lost', description: 'They reached the mailboxes' }),
    note: text(1000, { title: 'How you know', description: 'Kept with each email', multiline: true }),
  }),
  path: 'POST /emails/settle',
  answer: answerSchema('SettledEmails', {
    settled: Whole(0, MAX_DECIDED, 'Emails that were settled'),
    failed: Type.Array(Type.Object({ id: Id('eml', 'Its entry in the email log'), message: Shown(1000, 'Why not') }), {
      maxItems: MAX_DECIDED,
      description: 'Those that could not be, such as one that was settled meanwhile',
      examples: [[]],
    }),
  }),
  show: unknownEmails,
  confirm: ({ emailIds, total }, { arrived }) =>
    `${emailIds.length} of ${total} emails of unknown outcome are recorded as ${arrived ? 'arrived' : 'lost'}.`,
  async run(deps: ChangeDeps, { arrived, note, ...incident }) {
    const { emailIds } = await unknownEmails(deps, incident);
    const { decided, failed } = await settleEmails(deps, { emailIds, arrived, note });
    return { settled: decided.length, failed };
  },
});

/** Records what became of several emails, found out in the same way; see `decideEach`. */
export const settleEmails = (
  deps: ChangeDeps,
  { emailIds, arrived, note }: { emailIds: readonly string[]; arrived: boolean; note: string },
) => decideEach('email_id', emailIds, (email_id) => settleEmail.run(deps, { email_id, arrived, note }));

/** Whether the email was written to the outbox folder, for no provider was set: its id is the file's name. */
export const isOutboxFile = ({ provider_message_id: id }: Pick<EmailRecord, 'provider_message_id'>): boolean =>
  id?.endsWith('.eml') === true;

/** An entry of the email log, without the bodies. */
export type EmailRecord = ReturnType<typeof emailRecord>;

const emailRecord = (row: EmailLine, broker: string | undefined) => ({
  ...EMAIL_LINE.of(row),
  ...(broker !== undefined && { broker }),
});

const ownedRecord = (row: EmailLine, { slug, name }: BrokerRow) => ({
  ...emailRecord(row, slug),
  broker: { slug, name },
});

export type EmailPage = Awaited<ReturnType<typeof pageEmails>>;
export type EmailDetail = Awaited<ReturnType<typeof showEmailPage>>;
