import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { BROKER_ORDERS, type BrokerPage, pageBrokers } from '../../src/operator/brokers/views.ts';
import { Badge } from '../components/badge.tsx';
import { number } from '../components/card.tsx';
import { BrokerLink, pathOf, Truncated } from '../components/links.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { ActionForm } from '../forms/action-form.tsx';
import { addAction } from '../forms/actions.tsx';
import type { Section } from '../http/section.ts';
import { addList, type List } from '../lists/list-page.tsx';
import { broker } from './broker.tsx';

/** All brokers, and a form that adds one. */
export const brokers: Section = {
  label: 'Brokers',
  path: '/brokers',
  async routes(app, options) {
    const show = addList(app, options, LIST);
    addAction(app, createBroker, { path: '/brokers', show, to: ({ slug }) => pathOf.broker(slug) });
    await broker(app, options);
  },
};

type Row = BrokerPage['items'][number];

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Name',
    order: 'name',
    value: ({ name }) => name,
    cell: ({ slug, name }) => <BrokerLink slug={slug} name={name} />,
  },
  { title: 'Slug', order: 'slug', value: ({ slug }) => slug, cell: ({ slug }) => <span class="mono">{slug}</span> },
  {
    title: 'Status',
    value: ({ broker_status }) => broker_status,
    cell: ({ broker_status }) => <Badge state={broker_status} />,
  },
  {
    title: 'Services',
    order: 'services',
    descending: true,
    figure: true,
    value: ({ services }) => services,
    cell: ({ services }) => number(services),
  },
  {
    title: 'Open requests',
    order: 'open_requests',
    descending: true,
    figure: true,
    value: ({ open_requests }) => open_requests,
    cell: ({ slug, open_requests, reviews_waiting }) => (
      <>
        {number(open_requests)}
        {reviews_waiting > 0 ? (
          <>
            {', '}
            <a href={`/requests?broker=${slug}&status=operator_review`} class="warn">
              {number(reviews_waiting)} to review
            </a>
          </>
        ) : null}
      </>
    ),
  },
  {
    title: 'Calls, 24 h',
    figure: true,
    value: ({ calls }) => calls,
    cell: ({ slug, calls }) => (
      <a href={`/calls?${new URLSearchParams({ broker: slug, since: '24h' })}`}>{number(calls)}</a>
    ),
  },
  {
    title: 'Failed',
    figure: true,
    value: ({ failed_calls }) => failed_calls,
    cell: ({ calls, failed_calls }) => (
      <span
        class={failed_calls * 4 > calls ? 'warn' : undefined}
        title={`${number(failed_calls)} of ${number(calls)} calls were refused or failed`}
      >
        {number(failed_calls)}
      </span>
    ),
  },
  {
    title: 'Keys',
    figure: true,
    wide: true,
    value: ({ active_keys }) => active_keys,
    cell: ({ active_keys }) => number(active_keys),
  },
  {
    title: 'Firewall',
    wide: true,
    value: ({ ip_restriction_enabled }) => (ip_restriction_enabled ? 'on' : 'off'),
    cell: (row) => (row.ip_restriction_enabled ? 'on' : <span class="quiet">off</span>),
  },
  {
    title: 'Contact',
    wide: true,
    value: ({ contact_email }) => contact_email,
    cell: ({ contact_email }) => <Truncated text={contact_email} />,
  },
  {
    title: 'Since',
    order: 'newest',
    descending: true,
    wide: true,
    value: ({ created_date }) => created_date,
    cell: ({ created_date }) => <Time at={created_date} />,
  },
];

const LIST: List<Row, 'q' | 'status'> = {
  title: 'Brokers',
  path: '/brokers',
  noun: 'brokers',
  filters: {
    q: { type: 'text', label: 'Name, slug or contact', size: 30 },
    status: { type: 'select', label: 'Status', choices: { active: 'Active', suspended: 'Suspended' } },
  },
  columns: COLUMNS,
  orders: BROKER_ORDERS,
  csv: 'columns',
  load: (context, { q, status }, at) => pageBrokers(context, { search: q, status, ...at }),
  empty: 'There are no brokers yet. A broker needs a slug, a name, an address for its reports and a sender address.',
  Actions: () => <ActionForm useCase={createBroker} at="/brokers" tone="main" />,
};
