import { parse } from 'csv-parse/sync';
import type { InvoiceFilter, InvoiceRow } from '../../src/store/queries/invoices.ts';
import type { ServiceFilter } from '../../src/store/queries/service-reads.ts';
import type { CsvQuery } from '../../src/store/session/csv.ts';
import type { Store } from '../../src/store/store.ts';

/** Room for whatever a test writes. */
const ROOM = 10_000_000;

type Line = Record<string, string>;

async function linesOf(store: Store, brokerId: string, query: CsvQuery): Promise<Line[]> {
  const file = await store.report({ key: brokerId }, (csv) => csv(query, ROOM));
  return parse(file?.content ?? '', { columns: true, bom: true });
}

/** A broker's invoices as a report shows them, in its order. */
export const invoiceLines = async (store: Store, brokerId: string, filter: InvoiceFilter = {}): Promise<Line[]> =>
  linesOf(store, brokerId, await store.read.invoices.report(brokerId, filter));

/** The numbers of a broker's services as a report shows them, in its order. */
export async function reportedNumbers(store: Store, brokerId: string, filter: ServiceFilter = {}): Promise<number[]> {
  const lines = await linesOf(store, brokerId, await store.read.services.report(brokerId, filter, { limit: ROOM }));
  return lines.map((line) => Number(line.service_number));
}

const isoOrEmpty = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

/** How an invoice stands in a report. */
export const invoiceLine = (row: InvoiceRow, clientName = 'Ada Example'): Line => ({
  invoice_number: row.invoiceNumber,
  service_number: String(row.serviceNumber),
  client: clientName,
  amount: row.amount,
  currency: row.currency,
  invoice_status: row.status,
  issued_date: isoOrEmpty(row.issuedAt),
  due_date: isoOrEmpty(row.dueAt),
  paid_date: isoOrEmpty(row.paidAt),
});
