import { listPlans } from '../../src/operator/plans.ts';
import { pageServices, SERVICE_ORDERS, SERVICE_STATUSES, type ServicePage } from '../../src/operator/service-views.ts';
import { Badge, sentence, Tag } from '../components/badge.tsx';
import { BrokerLink, PlanLink, ServiceLink, Truncated } from '../components/links.tsx';
import { addList, brokerFilter, choicesOf, type List } from '../components/list.tsx';
import type { Column } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { Section } from '../section.ts';
import { service } from './service.tsx';

/** Services of all brokers. */
export const services: Section = {
  label: 'Services',
  path: '/services',
  async routes(app, options) {
    addList(app, options, LIST);
    await service(app, options);
  },
};

type Row = ServicePage['items'][number];

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Number',
    order: 'number',
    descending: true,
    cell: ({ service_number }) => <ServiceLink number={service_number} />,
  },
  { title: 'Label', rest: true, cell: ({ label }) => <Truncated text={label} /> },
  { title: 'Client', rest: true, cell: ({ client }) => <bdi>{client.name}</bdi> },
  {
    title: 'Status',
    cell: ({ service_status, requires_operator_review }) => (
      <span class="line">
        <Badge state={service_status} /> {requires_operator_review ? <Tag tone="warn">reviewed</Tag> : null}
      </span>
    ),
  },
  { title: 'Plan', wide: true, cell: ({ plan }) => <PlanLink id={plan.id} name={plan.display_name} /> },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
  { title: 'Renews', order: 'renewal', wide: true, cell: ({ renewal_date }) => <Timestamp at={renewal_date} /> },
  {
    title: 'Since',
    order: 'newest',
    descending: true,
    wide: true,
    cell: ({ created_date }) => <Timestamp at={created_date} />,
  },
  {
    title: 'Changed',
    order: 'changed',
    descending: true,
    wide: true,
    cell: ({ updated_date }) => <Timestamp at={updated_date} />,
  },
];

const LIST: List<Row, 'q' | 'broker' | 'status' | 'plan' | 'review'> = {
  title: 'Services',
  path: '/services',
  noun: 'services',
  filters: {
    q: { type: 'text', label: 'Label, client, number or whole email', size: 30 },
    broker: brokerFilter,
    status: {
      type: 'select',
      label: 'Status',
      choices: new Map(SERVICE_STATUSES.map((status) => [status, sentence(status)])),
    },
    plan: {
      type: 'slug',
      label: 'Plan',
      /** The plans of the chosen broker. */
      async load(context, { broker: slug }) {
        const broker = slug === undefined ? null : await context.store.read.brokers.findBySlug(slug);
        if (!broker) return null;
        const plans = (await listPlans.run(context, { broker: broker.slug })).records;
        return choicesOf(plans.map((plan) => [plan.slug, plan.display_name]));
      },
    },
    review: { type: 'select', label: 'Review', choices: { yes: 'Changes are reviewed', no: 'Not reviewed' } },
  },
  columns: COLUMNS,
  orders: SERVICE_ORDERS,
  load: (context, { q: search, status: service_status, review: requires_operator_review, ...values }, at) =>
    pageServices(context, { ...values, ...at, search, service_status, requires_operator_review }),
  empty: 'There are no services yet. Brokers create them through the API; existing ones are added by an import.',
};
