import { Type } from '@sinclair/typebox';
import { Nullable, OneOf, ServiceNumber, Shown, Timestamp } from '../../../schemas/atoms.ts';
import { omit } from '../../rules/omit.ts';
import { INVOICE_STATUSES } from '../../rules/words.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { InvoiceRow } from '../../store/queries/invoices.ts';
import type { Reads } from '../../store/store.ts';
import {
  batchWriter,
  columnsOf,
  type ImportFile,
  type ImportInput,
  inBatches,
  optional,
  readImportFile,
  refuseAhead,
  required,
  type ValuesOf,
} from '../files/read-file.ts';
import { BROKER, type ChangeDeps, type ReadDeps, recordImport, requireBroker } from '../use-case/dependencies.ts';
import { unknown } from '../use-case/errors.ts';
import { readPages, recordsOf } from '../use-case/exports.ts';
import { amount, currency, line, named, oneOf, serviceNumber, timestamp } from '../use-case/fields.ts';
import type { ImportReport } from '../use-case/import-task.ts';
import { WINDOW } from '../use-case/pages.ts';
import { recordOf } from '../use-case/record.ts';
import { isAlready } from '../use-case/stale.ts';
import { useCase } from '../use-case/use-case.ts';

export { INVOICE_STATUSES };

/** An invoice in a file. Contract, section 9. */
const INVOICE = {
  invoice_number: required(line(128, { description: 'Unique for the broker' })),
  service_number: required(serviceNumber({ description: 'A service of the broker' })),
  amount: required(amount({ negative: true }, { description: 'Negative for a credit note' })),
  currency: required(currency()),
  invoice_status: required(oneOf(INVOICE_STATUSES)),
  issued_date: required(timestamp()),
  due_date: optional(timestamp(), null),
  paid_date: optional(timestamp(), null),
};

/** An invoice, with the names of an import. */
const INVOICE_RECORD = recordOf<InvoiceRow>()('Invoice', (field) => ({
  invoice_number: field(Shown(128, 'Unique for the broker', { examples: ['A-1'] }), 'invoiceNumber'),
  service_number: field(ServiceNumber, 'serviceNumber'),
  amount: field(
    Shown(23, 'Negative for a credit note', { pattern: '^-?\\d{1,15}(\\.\\d{1,6})?$', examples: ['9.90'] }),
    'amount',
  ),
  currency: field(Shown(3, 'ISO 4217', { pattern: '^[A-Z]{3}$', examples: ['EUR'] }), 'currency'),
  invoice_status: field(OneOf(INVOICE_STATUSES, { description: 'Whether it is paid' }), 'status'),
  issued_date: field(Timestamp('When it was issued.'), 'issuedAt'),
  due_date: field(Nullable(Timestamp('When it is due.')), 'dueAt'),
  paid_date: field(Nullable(Timestamp('When it was paid.'), { examples: [null] }), 'paidAt'),
}));

export const invoiceRecord = INVOICE_RECORD.of;

export const INVOICE_COLUMNS = columnsOf(INVOICE);

/**
 * Sets the invoices of a file, all or nothing: an invoice number that the broker has is updated, and what
 * the file lacks of it stays. An invoice that is as the file says is left as it is. A service that is not the broker's is
 * a fault. Throws an `ImportError` that names every faulty record. Contract, sections 9 and 12.9.
 */
export async function importInvoices(parts: ChangeDeps, input: ImportInput): Promise<ImportReport> {
  const { store, clock } = parts;
  const file = readImportFile(input.file, INVOICE, 'invoice_number');
  return store.tx(async (tx) => {
    const { broker, rows, known } = await checkInvoices(tx, clock, input.broker, file);
    file.refuseFaulty();
    await batchWriter(rows.length, input.onProgress)(rows, async (batch) => {
      const differing = batch.filter((row) => !isAlready(known.get(row.invoiceNumber), omit(row, 'updatedAt')));
      if (differing.length > 0) await tx.invoices.upsert(differing);
    });
    const counts = { imported: rows.length, updated: known.size };
    return { ...(await recordImport(parts, tx, 'invoice.import', broker, input.file, counts)), ...file.warnings() };
  });
}

/** What that import would do; nothing is written. */
export async function previewInvoices({ store, clock }: ReadDeps, input: ImportInput) {
  const file = readImportFile(input.file, INVOICE, 'invoice_number');
  const { broker, rows, known } = await checkInvoices(store.read, clock, input.broker, file);
  return file.preview(broker.slug, rows, {
    summary: ['service_number', 'amount', 'currency'],
    replaced(row) {
      const existing = known.get(row.invoiceNumber);
      return existing ? { before: invoiceRecord(existing), after: invoiceRecord(row) } : null;
    },
  });
}

/** The broker's invoices, the latest first; of one service or status where that is given. */
export const listInvoices = useCase({
  name: 'invoices list',
  title: 'Invoices',
  summary: 'List invoices',
  description: 'List invoices, the latest first',
  example: 'invoices list --broker acme --status open',
  input: Type.Object({
    ...BROKER,
    service_number: Type.Optional(serviceNumber({ title: 'Of one service', option: 'service' })),
    invoice_status: Type.Optional(oneOf(INVOICE_STATUSES, { title: 'Status', option: 'status' })),
    ...WINDOW,
  }),
  path: 'GET /brokers/:broker/invoices',
  answer: INVOICE_RECORD.schema,
  columns: [
    'invoice_number',
    'service_number',
    'amount',
    'currency',
    'invoice_status',
    'issued_date',
    'due_date',
    'paid_date',
  ],
  async pages(deps: ReadDeps, { broker, service_number: serviceNumber, invoice_status: status, offset }) {
    const { id } = await requireBroker(deps.store.read, broker);
    const rows = readPages<InvoiceRow>(deps, ({ invoices }, limit, last) =>
      invoices.page(id, { serviceNumber, status }, { limit, offset: last ? 0 : offset }, last),
    );
    return recordsOf(rows, (page) => page.map(invoiceRecord));
  },
  async run({ store }: ReadDeps, { broker, service_number: serviceNumber, invoice_status: status, ...window }) {
    const filter = { serviceNumber, status };
    const { id } = await requireBroker(store.read, broker);
    const [rows, total] = await Promise.all([
      store.read.invoices.page(id, filter, window),
      store.read.invoices.countMatches(id, filter),
    ]);
    return { total, truncated: window.offset + rows.length < total, records: rows.map(invoiceRecord) };
  },
});

/** One invoice by its number. Throws an `OperatorError` where the broker has none. */
export const showInvoice = useCase({
  name: 'invoices show',
  title: 'Invoice',
  summary: 'Read an invoice',
  description: 'Show one invoice',
  example: 'invoices show A-1 --broker acme',
  input: Type.Object({ ...BROKER, invoice_number: named('number', 'The invoice’s number') }),
  on: ['broker', 'invoice_number'],
  argument: 'invoice_number',
  path: 'GET /brokers/:broker/invoices/:invoice_number',
  answer: INVOICE_RECORD.schema,
  async run({ store }: ReadDeps, { broker: slug, invoice_number: number }) {
    const broker = await requireBroker(store.read, slug);
    const row = await store.read.invoices.find(broker.id, number);
    if (!row) throw unknown(`"${broker.slug}" has no invoice "${number}"`);
    return invoiceRecord(row);
  },
});

/** A stored invoice with the values of a file. */
const valuesOf = (row: InvoiceRow): ValuesOf<typeof INVOICE> => ({
  invoice_number: row.invoiceNumber,
  service_number: row.serviceNumber,
  amount: row.amount,
  currency: row.currency,
  invoice_status: row.status,
  issued_date: row.issuedAt,
  due_date: row.dueAt,
  paid_date: row.paidAt,
});

type InvoiceFile = ImportFile<typeof INVOICE>;

/** The file's invoices as rows, and the stored ones of the same number; what is not the broker's is noted as a fault. */
async function checkInvoices(
  reads: Pick<Reads, 'brokers' | 'services' | 'invoices'>,
  clock: Clock,
  brokerSlug: string,
  file: InvoiceFile,
): Promise<{ broker: BrokerRow; rows: InvoiceRow[]; known: ReadonlyMap<string, InvoiceRow> }> {
  const broker = await requireBroker(reads, brokerSlug);
  const updatedAt = clock.now();
  const owners = new Map<number, string>();
  for (const batch of inBatches([...new Set(file.records.flatMap(({ values }) => values.service_number ?? []))])) {
    for (const [number, owner] of await reads.services.owners(batch)) owners.set(number, owner);
  }
  const known = new Map<string, InvoiceRow>();
  for (const batch of inBatches([...new Set(file.records.flatMap(({ values }) => values.invoice_number ?? []))])) {
    for (const row of await reads.invoices.listMany(broker.id, batch)) known.set(row.invoiceNumber, row);
  }

  const seen = new Set<string>();
  const rows: InvoiceRow[] = [];
  for (const [index, record] of file.records.entries()) {
    const fault: typeof record.fault = (...of) => record.fault(...of);
    const { invoice_number: invoiceNumber } = record.values;
    if (invoiceNumber === undefined) continue;
    if (seen.has(invoiceNumber)) fault('invoice_number', `"${invoiceNumber}" is in the file twice`);
    seen.add(invoiceNumber);
    const { service_number: given } = record.values;
    if (given !== undefined && owners.get(given) !== broker.id) {
      fault('service_number', `"${broker.slug}" has no service ${given}`);
    }
    refuseAhead(record, clock.machine(), 'issued_date');
    const stored = known.get(invoiceNumber);
    const values = record.completed(stored && valuesOf(stored));
    if (!values) continue;
    rows[index] = {
      brokerId: broker.id,
      invoiceNumber,
      serviceNumber: values.service_number,
      amount: values.amount,
      currency: values.currency,
      status: values.invoice_status,
      issuedAt: values.issued_date,
      dueAt: values.due_date,
      paidAt: values.paid_date,
      updatedAt,
    };
  }
  return { broker, rows, known };
}
