import { CONSUMPTION_COLUMNS, importConsumption, previewConsumption } from '../billing/consumption.ts';
import { INVOICE_COLUMNS, importInvoices, previewInvoices } from '../billing/invoices.ts';
import type { ImportColumn, ImportInput } from '../files/read-file.ts';
import { importPlans, previewPlans } from '../plans/plans.ts';
import { PLAN_COLUMNS } from '../plans/record.ts';
import { importServices, previewServices, SERVICE_IMPORT_COLUMNS } from '../services/import.ts';
import type { ChangeDeps } from '../use-case/dependencies.ts';
import type { ImportKind, ImportPreview, ImportReport } from '../use-case/import-task.ts';

interface DeclaredImport {
  /** What a CSV file may name in its first line. */
  columns: ImportColumn[];
  run(parts: ChangeDeps, input: ImportInput): Promise<ImportReport>;
  /** What that import would do; nothing is written. */
  preview(parts: ChangeDeps, input: ImportInput): Promise<ImportPreview>;
  /** What the audit trail calls the import. */
  action: string;
  /** What it calls changes of single records, where those have rows too. */
  furtherActions?: readonly string[];
  /** The page of the console that lists the records; invoices stand at their services. */
  list?: string;
}

/** What files can bring, each kind declared once: for the thread, the commands, the operator's API and the page. */
export const IMPORTS: Readonly<Record<ImportKind, DeclaredImport>> = {
  plans: {
    columns: PLAN_COLUMNS,
    run: importPlans,
    preview: previewPlans,
    action: 'plan.import',
    furtherActions: ['plan.create', 'plan.set'],
    list: '/plans',
  },
  services: {
    columns: SERVICE_IMPORT_COLUMNS,
    run: importServices,
    preview: previewServices,
    action: 'service.import',
    list: '/services',
  },
  invoices: {
    columns: INVOICE_COLUMNS,
    run: importInvoices,
    preview: previewInvoices,
    action: 'invoice.import',
  },
  consumption: {
    columns: CONSUMPTION_COLUMNS,
    run: importConsumption,
    preview: previewConsumption,
    action: 'consumption.import',
    list: '/services/consumption',
  },
};
