import { decideReview } from '../../src/operator/requests/decisions.ts';
import { retryRequests } from '../../src/operator/requests/retry.ts';
import { pageRequests, type RequestPage } from '../../src/operator/requests/views.ts';
import { Badge, words } from '../components/badge.tsx';
import { BrokerLink, RequestLink, ServiceLink, titleOf } from '../components/links.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import { allows } from '../forms/action-form.tsx';
import { addAction } from '../forms/actions.tsx';
import type { Section } from '../http/section.ts';
import { Choose, ChosenForm } from '../lists/chosen.tsx';
import { addList, type List } from '../lists/list-page.tsx';
import { FAILED_COLUMNS, loadReasons, mayRetry, RETRY_FORM, Reasons } from './failures.tsx';
import { request } from './request.tsx';
import { filtersIn, REQUEST_FILTERS, REQUESTS_PATH } from './request-filters.ts';
import { retries } from './retries.tsx';
import { reviews } from './reviews.tsx';

/** Requests of all brokers. Those that wait for an operator or a broker are listed oldest first. */
export const requestsPage: Section = {
  label: 'Requests',
  path: REQUESTS_PATH,
  badge: ({ reviews }) => reviews,
  async routes(app, options) {
    const show = addList(app, options, LIST);
    addAction(app, retryRequests, { path: REQUESTS_PATH, show, back: () => `${REQUESTS_PATH}?status=failed` });
    await reviews(app, options);
    await retries(app, options);
    await request(app, options);
  },
};

type Row = RequestPage['items'][number];

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Request',
    value: ({ type }) => type,
    cell: (row) => (
      <span class="line">
        <ChooseReview row={row} /> <Opened row={row} />{' '}
        <span class="quiet cut" title={summary(row)}>
          {summary(row)}
        </span>
      </span>
    ),
  },
  {
    title: 'Status',
    value: ({ request_status }) => request_status,
    cell: ({ request_status }) => <Badge state={request_status} />,
  },
  {
    title: 'Service',
    value: ({ service_number }) => service_number,
    cell: ({ service_number }) => <ServiceLink number={service_number} />,
  },
  {
    title: 'Label or client',
    wide: true,
    rest: true,
    value: ({ client }) => client.label ?? client.name,
    cell: ({ client }) => <bdi>{client.label ?? client.name}</bdi>,
  },
  { title: 'Broker', value: ({ broker }) => broker.slug, cell: ({ broker }) => <BrokerLink {...broker} /> },
  {
    title: 'Submitted',
    value: ({ submitted_date }) => submitted_date,
    cell: ({ submitted_date }) => <Time at={submitted_date} />,
  },
  {
    title: 'Result',
    value: ({ failure, decision }) => failure?.message ?? decision?.reason ?? null,
    wide: true,
    rest: true,
    cell: ({ failure, decision, request_status, effective_date: date }) => {
      if (request_status === 'accepted' && date)
        return (
          <span class="quiet">
            takes effect <Time at={date} />
          </span>
        );
      const text = failure?.message ?? decision?.reason;
      return text ? (
        <span class="quiet" dir="auto" title={text}>
          {text}
        </span>
      ) : null;
    },
  },
];

/** A review knows the list that it is opened from: the next one is of the same list. */
function Opened({ row }: { row: Row }) {
  const { url } = useView();
  const query = row.request_status === 'operator_review' ? filtersIn(url) : '';
  return <RequestLink id={row.request_id} label={titleOf(row)} query={query} />;
}

const FORM = 'reviews';

const mayDecide = (): boolean => allows(decideReview);

function ChooseReview({ row }: { row: Row }) {
  const { request_id, service_number, request_status } = row;
  if (request_status !== 'operator_review' || !mayDecide()) return null;
  const label = `Choose ${titleOf(row)} of service ${service_number}`;
  return <Choose form={FORM} name="request_id" id={request_id} label={label} />;
}

/** Decides the chosen reviews of the list, or does chosen failed requests once more. */
function DecideChosen({ rows }: { rows: readonly Row[] }) {
  if (rows.some(({ can_retry }) => can_retry) && mayRetry())
    return <ChosenForm id={RETRY_FORM} action="/requests/retries" verb="Try the chosen ones again…" />;
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

const LIST: List<Row, keyof typeof REQUEST_FILTERS> = {
  title: 'Requests',
  path: REQUESTS_PATH,
  noun: 'requests',
  filters: REQUEST_FILTERS,
  chips: true,
  columns: COLUMNS,
  columnsOf: ({ status }) => (status === 'failed' ? FAILED_COLUMNS : undefined),
  csv: 'columns',
  async load(context, values, { page, perPage }) {
    const { status, service: service_number, since: ended_since, until: ended_until, broker, type, reason } = values;
    const order = status === 'operator_review' || status === 'pending' ? 'oldest' : 'newest';
    const filter = { broker, type, reason, service_number, ended_since, ended_until };
    const found = await pageRequests(context, { ...filter, request_status: status, page, perPage, order });
    if (status !== 'failed') return found;
    return { ...found, summary: <Reasons reasons={await loadReasons(context, values)} values={values} /> };
  },
  Choosing: DecideChosen,
  titleOf: ({ service }) => service && `Requests of service ${service}`,
  empty: 'There are no requests yet. They are submitted through the API, or with “broker requests submit”.',
};
