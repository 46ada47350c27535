import type { InvoiceRow } from '../store/invoices.ts';
import { amount, currency, line, moment, oneOf, serviceNumber } from './fields.ts';
import { type ImportSource, inBatches, type OnProgress, optional, readImportFile, required } from './import-file.ts';
import { type OperatorParts, requireBroker } from './parts.ts';

/** An invoice in a file. Contract, section 9. Credit notes have a negative amount. */
const INVOICE = {
  invoice_number: required(line(128)),
  service_number: required(serviceNumber),
  amount: required(amount({ negative: true })),
  currency: required(currency),
  invoice_status: required(oneOf<InvoiceRow['status']>(['open', 'paid', 'void'])),
  issued_date: required(moment),
  due_date: optional(moment, null),
  paid_date: optional(moment, null),
};

/**
 * Sets the invoices of a file, all or nothing: an invoice number that the broker has is updated as a whole. A
 * service that is not the broker's is a fault. Throws an `ImportError` that names every faulty record.
 */
export async function importInvoices(
  { store, clock }: Pick<OperatorParts, 'store' | 'clock'>,
  input: { broker: string; file: ImportSource; onProgress?: OnProgress | undefined },
) {
  const file = readImportFile(input.file, INVOICE);
  const updatedAt = clock.now();
  return store.tx(async (tx) => {
    const broker = await requireBroker(tx, input.broker);
    const owners = new Map<number, string>();
    for (const batch of inBatches([...new Set(file.records.map(({ values }) => values.service_number))])) {
      for (const [number, owner] of await tx.services.owners(batch)) owners.set(number, owner);
    }

    const seen = new Set<string>();
    const rows: InvoiceRow[] = [];
    for (const { values, fault } of file.records) {
      const { invoice_number: invoiceNumber, service_number: serviceNumber } = values;
      if (seen.has(invoiceNumber)) fault('invoice_number', `"${invoiceNumber}" stands in the file twice`);
      if (owners.get(serviceNumber) !== broker.id) {
        fault('service_number', `"${broker.slug}" has no service ${serviceNumber}`);
      }
      seen.add(invoiceNumber);
      rows.push({
        brokerId: broker.id,
        invoiceNumber,
        serviceNumber,
        amount: values.amount,
        currency: values.currency,
        status: values.invoice_status,
        issuedAt: values.issued_date,
        dueAt: values.due_date,
        paidAt: values.paid_date,
        updatedAt,
      });
    }
    file.refuseFaulty();

    let done = 0;
    let updated = 0;
    for (const batch of inBatches(rows)) {
      const numbers = batch.map((row) => row.invoiceNumber);
      updated += (await tx.invoices.listStanding(broker.id, numbers)).length;
      await tx.invoices.upsert(batch);
      done += batch.length;
      input.onProgress?.(done, rows.length);
    }
    return { broker: broker.slug, imported: rows.length, created: rows.length - updated, updated };
  });
}
