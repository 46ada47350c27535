import { and, asc, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import type { CsvQuery } from '../session/csv.ts';
import { csvQueryOf, type PageWindow, replacement, type Session } from '../session/session.ts';
import { behindDescending, countOf, first, given, rowsOf, sumOf } from '../session/statements.ts';

export type InvoiceRow = Tables['invoices']['$inferSelect'];

export interface InvoiceFilter {
  serviceNumber?: number | undefined;
  status?: InvoiceRow['status'] | undefined;
  issuedFrom?: number | undefined;
  issuedTo?: number | undefined;
}

export function invoiceReads(session: Session) {
  const { db, tables } = session;
  const { brokers, invoices, services } = tables;
  const rows = rowsOf(session, invoices);
  const order = [invoices.issuedAt, invoices.invoiceNumber];
  const ofBroker = (brokerId: string, { serviceNumber, status, issuedFrom, issuedTo }: InvoiceFilter) =>
    and(
      eq(invoices.brokerId, brokerId),
      given(eq, invoices.serviceNumber, serviceNumber),
      given(eq, invoices.status, status),
      given(gte, invoices.issuedAt, issuedFrom),
      given(lt, invoices.issuedAt, issuedTo),
    );
  return {
    /** The broker's invoices, the latest first; of those behind `last` where it is given. */
    page: (brokerId: string, filter: InvoiceFilter, page: PageWindow, last?: InvoiceRow): Promise<InvoiceRow[]> =>
      rows(and(ofBroker(brokerId, filter), last && behindDescending(order, [last.issuedAt, last.invoiceNumber])), {
        orderBy: order.map((column) => desc(column)),
        ...page,
      }),
    countMatches: async (brokerId: string, filter: InvoiceFilter): Promise<number> =>
      sumOf(await countOf(session, invoices, ofBroker(brokerId, filter))),
    find: (brokerId: string, invoiceNumber: string): Promise<InvoiceRow | null> =>
      first(rows(and(eq(invoices.brokerId, brokerId), eq(invoices.invoiceNumber, invoiceNumber)))),
    /** Those of all brokers with this number. */
    findNumbered: (invoiceNumber: string, limit: number): Promise<InvoiceRow[]> =>
      rows(
        and(
          inArray(invoices.brokerId, db.select({ id: brokers.id }).from(brokers)),
          eq(invoices.invoiceNumber, invoiceNumber),
        ),
        { orderBy: [asc(invoices.brokerId)], limit },
      ),
    /** The latest invoices of these services of a broker; a few hundred at most. */
    listOfServices: (brokerId: string, serviceNumbers: readonly number[], limit: number): Promise<InvoiceRow[]> =>
      rows(and(eq(invoices.brokerId, brokerId), inArray(invoices.serviceNumber, [...serviceNumbers])), {
        orderBy: order.map((column) => desc(column)),
        limit,
      }),
    /** The broker's invoices among these numbers; a few hundred at most. */
    listMany: (brokerId: string, invoiceNumbers: string[]): Promise<InvoiceRow[]> =>
      rows(and(eq(invoices.brokerId, brokerId), inArray(invoices.invoiceNumber, invoiceNumbers))),
    /** All matches as CSV rows, oldest first. */
    async report(brokerId: string, filter: InvoiceFilter): Promise<CsvQuery> {
      const columns = {
        invoice_number: invoices.invoiceNumber,
        service_number: invoices.serviceNumber,
        client: services.clientName,
        amount: invoices.amount,
        currency: invoices.currency,
        invoice_status: invoices.status,
        issued_date: invoices.issuedAt,
        due_date: invoices.dueAt,
        paid_date: invoices.paidAt,
      };
      const query = db
        .select(columns)
        .from(invoices)
        .innerJoin(services, and(eq(services.brokerId, invoices.brokerId), eq(services.number, invoices.serviceNumber)))
        .where(ofBroker(brokerId, filter))
        .orderBy(asc(invoices.issuedAt), asc(invoices.invoiceNumber));
      return csvQueryOf(columns, query.toSQL());
    },
  };
}

export function invoiceWrites({ db, tables: { invoices } }: Session) {
  return {
    /** Inserts the broker's invoices or replaces them by their numbers. */
    async upsert(rows: InvoiceRow[]): Promise<void> {
      const target = [invoices.brokerId, invoices.invoiceNumber];
      const set = replacement(invoices, ['brokerId', 'invoiceNumber']);
      await db.insert(invoices).values(rows).onConflictDoUpdate({ target, set });
    },
  };
}
