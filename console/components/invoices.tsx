import { Tag } from './badge.tsx';
import { Card, number } from './card.tsx';
import { ServiceLink } from './links.tsx';
import { type Column, Table } from './table.tsx';
import { Day } from './timestamp.tsx';
import { useView } from './view.ts';

export interface ShownInvoice {
  invoice_number: string;
  service_number: number;
  amount: string;
  currency: string;
  invoice_status: string;
  issued_date: string;
  due_date: string | null;
  paid_date: string | null;
}

/** Coloured while it is open, and more so once it is due. */
export function InvoiceState({ of: { invoice_status: status, due_date: due } }: { of: ShownInvoice }) {
  const { now } = useView();
  const isLate = status === 'open' && due !== null && Date.parse(due) < now;
  return <Tag tone={isLate ? 'bad' : status === 'open' ? 'warn' : 'none'}>{isLate ? 'overdue' : status}</Tag>;
}

export const SHOWN_INVOICE_COLUMNS: Array<Column<ShownInvoice>> = [
  {
    title: 'Invoice',
    value: ({ invoice_number }) => invoice_number,
    cell: ({ invoice_number }) => <span class="mono">{invoice_number}</span>,
  },
  {
    title: 'Status',
    value: ({ invoice_status }) => invoice_status,
    cell: (row) => <InvoiceState of={row} />,
  },
  {
    title: 'Amount',
    figure: true,
    value: ({ amount }) => amount,
    cell: ({ amount, currency }) => `${amount} ${currency}`,
  },
  { title: 'Currency', fileOnly: true, value: ({ currency }) => currency, cell: () => null },
  {
    title: 'Service',
    value: ({ service_number }) => service_number,
    cell: ({ service_number }) => <ServiceLink number={service_number} />,
  },
  { title: 'Issued', value: ({ issued_date }) => issued_date, cell: ({ issued_date }) => <Day at={issued_date} /> },
  { title: 'Due', wide: true, value: ({ due_date }) => due_date, cell: ({ due_date }) => <Day at={due_date} /> },
  { title: 'Paid', wide: true, value: ({ paid_date }) => paid_date, cell: ({ paid_date }) => <Day at={paid_date} /> },
];

interface InvoicesProps {
  rows: readonly ShownInvoice[];
  /** Columns that would say the same in each row. */
  leftOut?: readonly string[];
  /** The list that has all of them. */
  all: string;
  /** What that list is of. */
  allOf?: string;
}

/** The latest invoices of a record, and where all of them are; nothing where there is none. */
export function Invoices({ rows, leftOut = [], all, allOf = 'All' }: InvoicesProps) {
  if (rows.length === 0) return null;
  const open = rows.filter(({ invoice_status }) => invoice_status === 'open').length;
  return (
    <div id="invoices">
      <Card title="Invoices" aside={<a href={all}>{allOf}</a>}>
        <Table
          label="Invoices"
          columns={SHOWN_INVOICE_COLUMNS.filter(({ title }) => !leftOut.includes(title))}
          rows={rows}
          empty={null}
        />
        <p class="quiet">
          {open === 0 ? 'None of these is open.' : `${number(open)} of these ${open === 1 ? 'is' : 'are'} open.`}
        </p>
      </Card>
    </div>
  );
}
