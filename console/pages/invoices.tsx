import { INVOICE_STATUSES, listInvoices } from '../../src/operator/billing/invoices.ts';
import { sentence } from '../components/badge.tsx';
import { SHOWN_INVOICE_COLUMNS, type ShownInvoice } from '../components/invoices.tsx';
import type { Routes } from '../http/section.ts';
import { addList, brokerFilter, type List } from '../lists/list-page.tsx';

export const INVOICES_PATH = '/invoices';

/** Invoices of a broker, or of one of its services. They are imported; nothing is billed here. */
const LIST: List<ShownInvoice, 'broker' | 'service' | 'status'> = {
  title: 'Invoices',
  path: INVOICES_PATH,
  section: '/services',
  noun: 'invoices',
  chips: true,
  filters: {
    broker: brokerFilter,
    service: { type: 'text', label: 'Service number', digits: true, field: 'service_number' },
    status: {
      type: 'select',
      label: 'Status',
      choices: new Map(INVOICE_STATUSES.map((status) => [status, sentence(status)])),
    },
  },
  columns: SHOWN_INVOICE_COLUMNS,
  csv: 'columns',
  async load(context, { broker, service: service_number, status: invoice_status }, { page, perPage = 50 }) {
    if (broker === undefined) return { items: [], pagination: nothing(perPage), empty: 'Choose a broker.' };
    const window = { limit: perPage, offset: (page - 1) * perPage };
    const found = await listInvoices.run(context, { broker, service_number, invoice_status, ...window });
    const total = found.total ?? 0;
    const pagination = { page, perPage, total, totalPages: Math.ceil(total / perPage) };
    return { items: found.records, pagination };
  },
  empty: 'There are no invoices yet: an import brings them.',
};

const nothing = (perPage: number) => ({ page: 1, perPage, total: 0, totalPages: 0 });

export const invoices: Routes = async (app, options) => {
  addList(app, options, LIST);
};
