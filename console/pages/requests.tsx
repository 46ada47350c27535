import { decideReview } from '../../src/operator/decisions.ts';
import { pageRequests, REQUEST_STATUSES, REQUEST_TYPES, type RequestPage } from '../../src/operator/request-views.ts';
import { allows } from '../components/action.tsx';
import { Badge, words } from '../components/badge.tsx';
import { Choose, ChosenForm } from '../components/chosen.tsx';
import { BrokerLink, RequestLink, requestTitle, ServiceLink } from '../components/links.tsx';
import { addList, brokerFilter, type List } from '../components/list.tsx';
import type { Column } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { Section } from '../section.ts';
import { request } from './request.tsx';
import { reviews } from './reviews.tsx';

/** Requests of all brokers. Those that wait for an operator or a broker are listed oldest first. */
export const requests: Section = {
  label: 'Requests',
  path: '/requests',
  badge: ({ reviews }) => reviews,
  async routes(app, options) {
    addList(app, options, LIST);
    await reviews(app, options);
    await request(app, options);
  },
};

type Row = RequestPage['items'][number];

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Request',
    cell: (row) => (
      <span class="line">
        <ChooseReview row={row} /> <RequestLink id={row.request_id} label={requestTitle(row.type)} />{' '}
        <span class="quiet">{summary(row)}</span>
      </span>
    ),
  },
  { title: 'Status', cell: ({ request_status }) => <Badge state={request_status} /> },
  { title: 'Service', cell: ({ service_number }) => <ServiceLink number={service_number} /> },
  { title: 'Client', wide: true, rest: true, cell: ({ client }) => <bdi>{client.label ?? client.name}</bdi> },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
  { title: 'Submitted', cell: ({ submitted_date }) => <Timestamp at={submitted_date} /> },
  {
    title: 'Result',
    wide: true,
    rest: true,
    cell: ({ failure, decision }) => {
      const text = failure?.message ?? decision?.reason;
      return text ? (
        <span class="quiet" dir="auto" title={text}>
          {text}
        </span>
      ) : null;
    },
  },
];

const FORM = 'reviews';

const mayDecide = (): boolean => allows(decideReview);

function ChooseReview({ row: { request_id, type, service_number, request_status } }: { row: Row }) {
  if (request_status !== 'operator_review' || !mayDecide()) return null;
  const label = `Choose ${requestTitle(type)} of service ${service_number}`;
  return <Choose form={FORM} name="request_id" id={request_id} label={label} />;
}

/** Decides the chosen reviews of the list. */
function DecideChosen({ rows }: { rows: readonly Row[] }) {
  const waits = rows.some(({ request_status }) => request_status === 'operator_review');
  return waits && mayDecide() ? (
    <ChosenForm id={FORM} action="/requests/reviews" verb="Decide the chosen ones…" />
  ) : null;
}

/** "Small → Large", or the type of a cancellation. */
function summary({ current_plan, new_plan, cancellation_type }: Row): string {
  const names = [current_plan, new_plan].flatMap((plan) => plan?.display_name ?? []);
  return names.join(' → ') || words(cancellation_type ?? '');
}

const LIST: List<Row, 'status' | 'broker' | 'type' | 'service'> = {
  title: 'Requests',
  path: '/requests',
  noun: 'requests',
  filters: {
    status: {
      type: 'tabs',
      label: 'Which requests',
      choices: {
        '': 'All',
        operator_review: 'To review',
        pending: 'With brokers',
        accepted: 'Queued',
        failed: 'Failed',
        completed: 'Completed',
        denied: 'Denied',
      },
      values: REQUEST_STATUSES,
      counted: 'operator_review',
      empty:
        'No request waits for a review. Plan changes are reviewed where a plan or a service requires it, or a disk would shrink.',
    },
    broker: brokerFilter,
    type: { type: 'select', label: 'Kind', choices: new Map(REQUEST_TYPES.map((type) => [type, requestTitle(type)])) },
    service: { type: 'text', label: 'Service number', digits: true },
  },
  columns: COLUMNS,
  load(context, { status, service: service_number, ...values }, { page }) {
    const order = status === 'operator_review' || status === 'pending' ? 'oldest' : 'newest';
    return pageRequests(context, { ...values, request_status: status, service_number, page, order });
  },
  Footer: DecideChosen,
  titleOf: ({ service }) => service && `Requests of service ${service}`,
  empty: 'There are no requests yet. They are submitted through the API, or with “broker requests submit”.',
};
