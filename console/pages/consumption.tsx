import { CONSUMPTION_ORDERS, type ConsumptionPage, pageConsumption } from '../../src/operator/billing/consumption.ts';
import { sizeOf } from '../components/amounts.ts';
import { BrokerLink, PlanLink, ServiceLink, Truncated } from '../components/links.tsx';
import { type Column, withQuery } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import type { Routes } from '../http/section.ts';
import { addList, brokerFilter, type List } from '../lists/list-page.tsx';

/** What services consumed, as measured last: another view of the services. */
export const consumption: Routes = async (app, options) => {
  addList(app, options, LIST);
};

type Row = ConsumptionPage['items'][number];

/** More than the plan includes. */
const isOver = ({ transfer_gb_used: used, plan: { transfer_gb: included } }: Row): boolean =>
  used !== null && included !== null && Number(used) > included;

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Service',
    value: ({ service_number }) => service_number,
    cell: ({ service_number }) => <ServiceLink number={service_number} />,
  },
  {
    title: 'Label or client',
    rest: true,
    value: ({ label, client }) => label ?? client,
    cell: ({ label, client }) => <Truncated text={label ?? client} />,
  },
  {
    title: 'Plan',
    wide: true,
    value: ({ plan }) => plan.display_name,
    cell: ({ plan }) => <PlanLink id={plan.id} name={plan.display_name} />,
  },
  { title: 'Broker', value: ({ broker }) => broker.slug, cell: ({ broker }) => <BrokerLink {...broker} /> },
  {
    title: 'Transfer',
    order: 'transfer',
    descending: true,
    figure: true,
    value: ({ transfer_gb_used }) => transfer_gb_used,
    cell: (row) => <span class={isOver(row) ? 'warn' : undefined}>{sizeOf(row.transfer_gb_used, 'GB')}</span>,
  },
  {
    title: 'Included',
    figure: true,
    value: ({ plan }) => plan.transfer_gb,
    cell: ({ plan }) => <span class="quiet">{sizeOf(plan.transfer_gb, 'GB')}</span>,
  },
  {
    title: 'Disk',
    order: 'disk',
    descending: true,
    figure: true,
    value: ({ disk_gb_used }) => disk_gb_used,
    cell: ({ disk_gb_used }) => sizeOf(disk_gb_used, 'GB'),
  },
  {
    title: 'Since',
    wide: true,
    value: ({ period_from }) => period_from,
    cell: ({ period_from }) => <Time at={period_from} />,
  },
  {
    title: 'Measured',
    wide: true,
    value: ({ measured_date }) => measured_date,
    cell: ({ measured_date }) => <Time at={measured_date} />,
  },
];

const LIST: List<Row, 'broker' | 'transfer' | 'disk'> = {
  title: 'Consumption',
  section: '/services',
  path: '/services/consumption',
  noun: 'services',
  filters: {
    broker: brokerFilter,
    transfer: { type: 'text', label: 'Transfer over, GB', size: 12, decimal: true },
    disk: { type: 'text', label: 'Disk over, GB', size: 12, decimal: true },
  },
  columns: COLUMNS,
  orders: CONSUMPTION_ORDERS,
  csv: 'columns',
  load: (context, values, at) => pageConsumption(context, { ...values, ...at }),
  Actions: ServiceViews,
  empty: (
    <>
      Nothing was measured yet. What services consumed is <a href="/imports?kind=consumption">imported</a>, or sent by
      the provisioner.
    </>
  ),
};

/** The services themselves, or what they consumed; the broker is kept. */
export function ServiceViews() {
  const { url } = useView();
  const isConsumption = url.startsWith(LIST.path);
  const dropped = Object.fromEntries(
    [...new URL(url, 'http://console').searchParams.keys()]
      .filter((name) => name !== 'broker')
      .map((name) => [name, undefined]),
  );
  const to = (path: string) => withQuery(url.replace(/^[^?]*/, path), dropped);
  return (
    <nav class="tabs" aria-label="View">
      <a href={to('/services')} aria-current={isConsumption ? undefined : 'true'}>
        Services
      </a>
      <a href={to(LIST.path)} aria-current={isConsumption ? 'true' : undefined}>
        Consumption
      </a>
    </nav>
  );
}
