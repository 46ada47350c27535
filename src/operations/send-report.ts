import { fail } from '../errors.ts';
import { isoMoment } from '../rules/moments.ts';
import { fold } from '../rules/search-text.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { InvoiceFilter, InvoiceRow } from '../store/invoices.ts';
import type { ServiceView } from '../store/services.ts';
import type { Reads } from '../store/store.ts';
import type { Context } from './context.ts';
import { type Columns, writeCsv } from './csv-report.ts';
import { type ServiceQuery, serviceFilterOf } from './lists.ts';
import { type Caller, type Outcome, ok } from './outcome.ts';
import { MailFailure } from './ports.ts';
import { emailSendError, sendLogged } from './send-logged.ts';

/** What every report takes. The period includes its first moment and not its last; epoch milliseconds. */
export interface ReportInput {
  /** The broker's contact unless told otherwise. */
  recipientEmail?: string | undefined;
  periodFrom?: number | undefined;
  periodTo?: number | undefined;
}

export type ServicesReportInput = ReportInput & Omit<ServiceQuery, 'createdFrom' | 'createdTo'>;

export interface InvoicesReportInput extends ReportInput {
  serviceNumber?: number | undefined;
  invoiceStatus?: InvoiceRow['status'] | undefined;
}

interface Report<Row> {
  type: 'services-report' | 'invoices-report';
  /** What the email calls it. */
  title: string;
  columns: Columns<Row>;
  rows: AsyncIterable<Row[]>;
}

interface InvoiceView {
  invoice: InvoiceRow;
  clientName: string;
}

/**
 * Emails the broker's services as CSV, newest first (contract, section 6, "Reports").
 *
 * Throws `invalid_parameter` with `recipient_not_verified` or `report_too_large`, and `email_send_error`.
 */
export function sendServicesReport(
  context: Context,
  caller: Caller,
  { recipientEmail, periodFrom, periodTo, ...query }: ServicesReportInput,
): Promise<Outcome<object>> {
  const filters = { ...query, createdFrom: periodFrom, createdTo: periodTo };
  return sendReport(
    context,
    caller,
    { recipientEmail, periodFrom, periodTo },
    {
      type: 'services-report',
      title: 'Services report',
      columns: SERVICE_COLUMNS,
      rows: serviceRows(context.store.read, caller, filters),
    },
  );
}

/** The same of its invoices, oldest first. */
export function sendInvoicesReport(
  context: Context,
  caller: Caller,
  { recipientEmail, periodFrom, periodTo, serviceNumber, invoiceStatus }: InvoicesReportInput,
): Promise<Outcome<object>> {
  const filter = { serviceNumber, status: invoiceStatus, issuedFrom: periodFrom, issuedTo: periodTo };
  return sendReport(
    context,
    caller,
    { recipientEmail, periodFrom, periodTo },
    {
      type: 'invoices-report',
      title: 'Invoices report',
      columns: INVOICE_COLUMNS,
      rows: invoiceRows(context.store.read, caller, filter),
    },
  );
}

const moment = (ms: number | null): string | null => (ms === null ? null : isoMoment(ms));

/** A service's record, flattened. */
const SERVICE_COLUMNS: Columns<ServiceView> = {
  service_number: ({ service }) => service.number,
  service_status: ({ service }) => service.status,
  label: ({ service }) => service.label,
  external_reference: ({ service }) => service.externalReference,
  client_name: ({ service }) => service.clientName,
  client_email: ({ service }) => service.clientEmail,
  plan_slug: ({ plan }) => plan.slug,
  plan_display_name: ({ plan }) => plan.displayName,
  billing_type: ({ plan }) => plan.billingType,
  price_amount: ({ plan }) => plan.priceAmount,
  price_currency: ({ plan }) => plan.priceCurrency,
  created_date: ({ service }) => isoMoment(service.createdAt),
  renewal_date: ({ service }) => moment(service.renewalAt),
  cancelled_date: ({ service }) => moment(service.cancelledAt),
  cancellation_type: ({ service }) => service.cancellationType,
  cancellation_effective_date: ({ service }) => moment(service.cancellationEffectiveAt),
};

/** The columns of the contract. */
const INVOICE_COLUMNS: Columns<InvoiceView> = {
  invoice_number: ({ invoice }) => invoice.invoiceNumber,
  service_number: ({ invoice }) => invoice.serviceNumber,
  client: ({ clientName }) => clientName,
  amount: ({ invoice }) => invoice.amount,
  currency: ({ invoice }) => invoice.currency,
  invoice_status: ({ invoice }) => invoice.status,
  issued_date: ({ invoice }) => isoMoment(invoice.issuedAt),
  due_date: ({ invoice }) => moment(invoice.dueAt),
  paid_date: ({ invoice }) => moment(invoice.paidAt),
};

/**
 * The largest file whose email the provider takes. Postmark refuses a message above 10 MB, counted with its
 * attachment in base64, where 57 bytes become a line of 78. What else is in the message is far below 50 kB.
 */
export const MAX_CSV_BYTES = Math.floor((10_000_000 - 50_000) / 78) * 57;

/** No service's line is shorter: what must stand in it and its commas alone are more. */
const LEAST_SERVICE_BYTES = 50;

/** Few enough that reading and writing them holds up nobody for long. */
const BATCH_ROWS = 1000;

const tooLarge = () =>
  fail.invalidParameter(
    'report_too_large',
    'The report is too large to be sent by email; narrow it with a shorter period or a filter',
  );

async function* serviceRows(read: Reads, caller: Caller, query: ServiceQuery): AsyncGenerator<ServiceView[]> {
  const { brokerId } = caller;
  const filter = await serviceFilterOf(read, caller, query);
  if (!filter) return;
  // Each batch of a search sorts all its matches again; counting them once refuses early what cannot be sent.
  const count = await read.services.countMatches(brokerId, filter);
  if (count > MAX_CSV_BYTES / LEAST_SERVICE_BYTES) throw tooLarge();
  yield* inBatches((last) => read.services.walk(brokerId, filter, last?.service ?? null, BATCH_ROWS));
}

const invoiceRows = (read: Reads, { brokerId }: Caller, filter: InvoiceFilter): AsyncGenerator<InvoiceView[]> =>
  inBatches((last) => read.invoices.walk(brokerId, filter, last?.invoice ?? null, BATCH_ROWS));

/** Walks on from the last row seen, each batch a read of its own: a long report holds no transaction open. */
async function* inBatches<Row>(next: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  do {
    rows = await next(rows.at(-1));
    yield rows;
  } while (rows.length === BATCH_ROWS);
}

async function sendReport<Row>(
  context: Context,
  { brokerId }: Caller,
  { recipientEmail, periodFrom, periodTo }: ReportInput,
  { type, title, columns, rows }: Report<Row>,
): Promise<Outcome<object>> {
  const { store, clock, newId } = context;
  const submittedAt = clock.now();
  const broker = await store.read.brokers.find(brokerId);
  if (!broker) throw fail.internal(new Error('the caller has no broker'));
  const recipient = await recipientOf(store.read, broker, recipientEmail);

  const csv = await writeCsv(columns, rows, MAX_CSV_BYTES);
  if (!csv) throw tooLarge();
  const reportId = newId('rpt', submittedAt);
  const from = periodFrom === undefined ? null : isoMoment(periodFrom);
  const to = periodTo === undefined ? null : isoMoment(periodTo);
  await sendLogged(context, {
    brokerId,
    kind: type,
    serviceNumber: null,
    requestId: null,
    from: broker.senderEmail,
    to: recipient,
    subject: `${title} of ${broker.name}`,
    text: [
      `${title} of ${broker.name}: ${csv.rowCount} ${csv.rowCount === 1 ? 'row' : 'rows'} in the attached file.`,
      '',
      `From: ${from ?? 'no limit'}`,
      `To: ${to ?? 'no limit'}`,
      `Report: ${reportId}`,
      '',
    ].join('\n'),
    attachments: [
      { name: `${type}-${isoMoment(submittedAt).slice(0, 10)}.csv`, contentType: 'text/csv', content: csv.content },
    ],
  }).catch((error: unknown) => {
    throw error instanceof MailFailure ? emailSendError(error) : error;
  });

  return ok({
    report_id: reportId,
    type,
    report_status: 'sent',
    recipient_email: recipient,
    row_count: csv.rowCount,
    period_from: from,
    period_to: to,
    submitted_date: isoMoment(submittedAt),
    processed_date: isoMoment(clock.now()),
  });
}

/** The contact or a verified address, spelled as the operator entered it: that spelling is the one known to arrive. */
async function recipientOf(read: Reads, { id, contactEmail }: BrokerRow, asked: string | undefined): Promise<string> {
  if (asked === undefined) return contactEmail;
  const verified = [contactEmail, ...(await read.brokers.listRecipients(id)).map(({ email }) => email)];
  const recipient = verified.find((email) => fold(email) === fold(asked));
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
