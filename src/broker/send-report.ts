import { fail } from '../errors.ts';
import { emailSendError, type LoggedMail, type SettledMail, sendLogged } from '../mail/send-logged.ts';
import type { Context } from '../ports.ts';
import { type Mailer, MailFailure } from '../ports.ts';
import { lostMark } from '../rules/lost-spans.ts';
import { fold } from '../rules/search-text.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { ReportType } from '../rules/words.ts';
import { type Change, transact } from '../store/change.ts';
import type { InvoiceRow } from '../store/queries/invoices.ts';
import type { CsvQuery } from '../store/session/csv.ts';
import type { Reads } from '../store/store.ts';
import { type ServiceQuery, serviceFilterOf } from './list-services.ts';
import {
  actorOf,
  type Claim,
  findTaken,
  type MailingCaller,
  type Outcome,
  ok,
  type StoredAnswer,
  settleKey,
  slotOwner,
  type Taken,
  takeKey,
} from './operation.ts';

/** What every report takes. The period includes its start and not its end; epoch milliseconds. */
export interface ReportInput {
  /** The broker's contact by default. */
  recipientEmail?: string | undefined;
  periodFrom?: number | undefined;
  periodTo?: number | undefined;
}

export type ServicesReportInput = ReportInput & Omit<ServiceQuery, 'createdFrom' | 'createdTo' | 'afterNumber'>;

export interface InvoicesReportInput extends ReportInput {
  serviceNumber?: number | undefined;
  invoiceStatus?: InvoiceRow['status'] | undefined;
}

interface Report {
  type: ReportType;
  /** What the email calls it. */
  title: string;
  /** What stands in it. */
  query: CsvQuery;
}

/** The record of a report that was sent. */
interface SentReport {
  report_id: string;
  type: ReportType;
  report_status: 'sent';
  recipient_email: string;
  row_count: number;
  period_from: string | null;
  period_to: string | null;
  submitted_date: string;
  processed_date: string;
  /** Only where records of the period were lost. */
  records_lost?: true;
}

/**
 * Emails the broker's services as CSV, newest first (contract, section 6, "Reports"), once for each idempotency key.
 *
 * Throws `invalid_parameter` with `recipient_not_verified` or `report_too_large`, `email_send_error`, and
 * `server_error` with `Retry-After` where too many reports wait already, this one waited for too long, or an earlier call
 * under the key is being done. Where it is not known whether the earlier call sent the email, `email_send_error` with
 * `outcome_unknown`: nothing is sent again.
 */
export async function sendServicesReport(
  context: Context,
  caller: MailingCaller,
  { recipientEmail, periodFrom, periodTo, ...filters }: ServicesReportInput,
  claim?: Claim,
): Promise<Outcome<SentReport> | StoredAnswer> {
  const earlier = await earlierAnswer(context, claim);
  if (earlier) return earlier;
  const { read } = context.store;
  const maxServices = Math.floor(largestCsv(context.mailer) / MIN_SERVICE_BYTES);
  const input = { ...filters, createdFrom: periodFrom, createdTo: periodTo };
  const filter = await serviceFilterOf(read, caller, input);
  const query = await read.services.report(caller.brokerId, filter, { limit: maxServices + 1 });
  const report: Report = { type: 'services-report', title: 'Services report', query };
  return sendReport(context, caller, { recipientEmail, periodFrom, periodTo }, report, claim);
}

/** The same of its invoices, oldest first. */
export async function sendInvoicesReport(
  context: Context,
  caller: MailingCaller,
  { recipientEmail, periodFrom, periodTo, serviceNumber, invoiceStatus }: InvoicesReportInput,
  claim?: Claim,
): Promise<Outcome<SentReport> | StoredAnswer> {
  const earlier = await earlierAnswer(context, claim);
  if (earlier) return earlier;
  const filter = { serviceNumber, status: invoiceStatus, issuedFrom: periodFrom, issuedTo: periodTo };
  const query = await context.store.read.invoices.report(caller.brokerId, filter);
  const report: Report = { type: 'invoices-report', title: 'Invoices report', query };
  return sendReport(context, caller, { recipientEmail, periodFrom, periodTo }, report, claim);
}

/**
 * The answer of an earlier call under the key; null where there is none so far. What has begun is waited for behind it, in
 * the queue of the broker's reports.
 */
async function earlierAnswer(context: Context, claim: Claim | undefined): Promise<StoredAnswer | null> {
  if (!claim) return null;
  const taken = await transact(context, ({ tx, now }) => findTaken(tx, claim, now));
  return taken === null || taken === 'begun' ? null : answered(taken);
}

/** Another process sends it, for as long as a mail server may take. */
const RETRY_AFTER_SECONDS = 5;

function answered(taken: Taken): StoredAnswer {
  if (taken === 'begun') throw fail.overloaded(RETRY_AFTER_SECONDS);
  // As the first call was answered, or would have been if its process had not ended.
  if (taken === 'unknown')
    throw emailSendError(new MailFailure('outcome_unknown', 'an earlier call with the same key'));
  return taken;
}

/** Thrown out of a transaction that finds the answer of a call which was ahead of this one. */
class AnsweredMeanwhile {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    this.answer = answer;
  }
}

/** Far more than what is in a report's message beside the file. */
const MESSAGE_BYTES = 50_000;

/** The largest file whose email the provider takes: in base64 57 bytes become a line of 78. */
const largestCsv = ({ maxMessageBytes }: Mailer): number => Math.floor((maxMessageBytes - MESSAGE_BYTES) / 78) * 57;

/** No service's line is shorter: what must stand in it and its commas alone are more. */
const MIN_SERVICE_BYTES = 50;

async function sendReport(
  context: Context,
  caller: MailingCaller,
  input: ReportInput,
  { type, title, query }: Report,
  claim: Claim | undefined,
): Promise<Outcome<SentReport> | StoredAnswer> {
  const { store, clock, newId } = context;
  const { brokerId, broker } = caller;
  const submittedAt = clock.now();
  const recipient = await recipientOf(store.read, caller, input.recipientEmail);
  const reportId = newId('rpt', submittedAt);
  const from = input.periodFrom === undefined ? null : isoTimestamp(input.periodFrom);
  const to = input.periodTo === undefined ? null : isoTimestamp(input.periodTo);
  const lost = lostMark(await store.read.history.list(), input.periodFrom ?? null, input.periodTo ?? null);
  const answerOf = (rowCount: number, completedAt: number): Outcome<SentReport> =>
    ok({
      report_id: reportId,
      type,
      report_status: 'sent',
      recipient_email: recipient,
      row_count: rowCount,
      period_from: from,
      period_to: to,
      submitted_date: isoTimestamp(submittedAt),
      processed_date: isoTimestamp(completedAt),
      ...lost,
    });

  // The slot is held until the email is out: up to then the file is held in memory.
  return store.report(slotOwner(caller), async (csv) => {
    const file = await csv(query, largestCsv(context.mailer));
    if (!file) {
      throw fail.invalidParameter(
        'report_too_large',
        'The report is too large to be sent by email; narrow it with a shorter period or a filter',
      );
    }
    const { rowCount } = file;
    const mail: LoggedMail = {
      brokerId,
      kind: type,
      serviceNumber: null,
      requestId: null,
      from: broker.senderEmail,
      fromName: broker.name,
      to: recipient,
      audited: {
        actor: actorOf(caller),
        action: 'report.send',
        subject: `report/${reportId}`,
        after: { type, row_count: rowCount },
      },
      subject: `${title} of ${broker.name}`,
      text: [
        `${title} of ${broker.name}: ${rowCount} ${rowCount === 1 ? 'row' : 'rows'} in the attached file.`,
        '',
        `From: ${from ?? 'no limit'}`,
        `To: ${to ?? 'no limit'}`,
        `Report: ${reportId}`,
        ...(lost.records_lost ? ['Records of this period were lost: what is in this file may not be all.'] : []),
        '',
      ].join('\n'),
      attachments: [
        {
          name: `${type}-${isoTimestamp(submittedAt).slice(0, 10)}.csv`,
          contentType: 'text/csv',
          content: file.content,
        },
      ],
    };
    const stored = (completedAt: number, { encode }: Claim): StoredAnswer => {
      const outcome = answerOf(rowCount, completedAt);
      return { statusCode: outcome.statusCode, body: encode(outcome), replayed: false };
    };
    try {
      const { completedAt } = await sendLogged(context, mail, claim && underKey(claim, stored));
      return claim ? stored(completedAt, claim) : answerOf(rowCount, completedAt);
    } catch (error) {
      if (error instanceof AnsweredMeanwhile) return error.answer;
      throw error instanceof MailFailure ? emailSendError(error) : error;
    }
  });
}

/** Takes the key in the transaction that writes the email's line, and settles it in the one that completes the line. */
const underKey = (claim: Claim, stored: (completedAt: number, claim: Claim) => StoredAnswer) => ({
  async admit({ tx, now }: Change) {
    const taken = await findTaken(tx, claim, now);
    if (taken) throw new AnsweredMeanwhile(answered(taken));
    await takeKey(tx, claim, now);
  },
  async settle({ tx }: Change, { status, completedAt }: SettledMail) {
    if (status === 'sent') await settleKey(tx, claim, stored(completedAt, claim));
    else await settleKey(tx, claim, status === 'failed' ? 'not_done' : 'unknown');
  },
});

/** The contact or a verified address, spelled as the operator entered it: that spelling is the one known to arrive. */
async function recipientOf(
  read: Reads,
  { brokerId, broker: { contactEmail } }: MailingCaller,
  email: string | undefined,
): Promise<string> {
  if (email === undefined) return contactEmail;
  const verified = [contactEmail, ...(await read.brokers.listRecipients(brokerId)).map(({ email }) => email)];
  const recipient = verified.find((one) => fold(one) === fold(email));
  if (recipient === undefined) {
    throw fail.invalidParameter(
      'recipient_not_verified',
      "Reports go only to the broker's contact and the addresses on its verified list",
      {
        fields: [{ path: 'body.recipient_email', rule: 'enum', message: 'is not a verified address of the broker' }],
      },
    );
  }
  return recipient;
}
