import type { ServicePage } from '../../src/operator/services/views.ts';
import { isEnded } from '../../src/rules/words.ts';
import { Badge, Tag } from '../components/badge.tsx';
import { BrokerLink, PlanLink, pathOf, ServiceLink, Truncated } from '../components/links.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';

export type ServiceItem = ServicePage['items'][number];

/** When it renews: not once it has ended, though its record keeps the date. */
export const shownRenewal = ({ service_status, renewal_date }: Pick<ServiceItem, 'service_status' | 'renewal_date'>) =>
  isEnded(service_status) ? null : renewal_date;

/** In every file; on the page where a machine is looked for. */
const MACHINE = 'Machine';

/** The columns of services, in the same order on all pages. */
export const LISTED_SERVICE_COLUMNS: Array<Column<ServiceItem>> = [
  {
    title: 'Number',
    order: 'number',
    descending: true,
    value: ({ service_number }) => service_number,
    cell: ({ service_number }) => <ServiceLink number={service_number} />,
  },
  {
    title: 'Label',
    rest: true,
    value: ({ label }) => label,
    cell: ({ label, service_number }) => <Truncated text={label} href={pathOf.service(service_number)} />,
  },
  { title: 'Client', rest: true, value: ({ client }) => client.name, cell: ({ client }) => <bdi>{client.name}</bdi> },
  {
    title: 'Status',
    value: ({ service_status }) => service_status,
    cell: ({ service_status, requires_operator_review }) => (
      <span class="line">
        <Badge state={service_status} /> {requires_operator_review ? <Tag tone="warn">reviewed</Tag> : null}
      </span>
    ),
  },
  {
    title: 'Plan',
    wide: true,
    value: ({ plan }) => plan.slug,
    cell: ({ plan }) => <PlanLink id={plan.id} name={plan.display_name} />,
  },
  {
    title: MACHINE,
    wide: true,
    fileOnly: true,
    value: ({ reference }) => reference,
    cell: ({ reference }) => (reference === null ? null : <span class="mono cut">{reference}</span>),
  },
  { title: 'Broker’s contact', fileOnly: true, value: ({ broker }) => broker.contact_email, cell: () => null },
  { title: 'Broker', value: ({ broker }) => broker.slug, cell: ({ broker }) => <BrokerLink {...broker} /> },
  {
    title: 'Renews',
    order: 'renewal',
    wide: true,
    value: ({ renewal_date }) => renewal_date,
    cell: (row) => <Time at={shownRenewal(row)} />,
  },
  {
    title: 'Since',
    order: 'newest',
    descending: true,
    wide: true,
    value: ({ created_date }) => created_date,
    cell: ({ created_date }) => <Time at={created_date} />,
  },
  {
    title: 'Changed',
    order: 'changed',
    descending: true,
    wide: true,
    value: ({ updated_date }) => updated_date,
    cell: ({ updated_date }) => <Time at={updated_date} />,
  },
];

/** The same with the machine. */
export const MACHINE_COLUMNS: Array<Column<ServiceItem>> = LISTED_SERVICE_COLUMNS.map((column) =>
  column.title === MACHINE ? { ...column, fileOnly: false, wide: false } : column,
);
