import type { FastifyInstance } from 'fastify';
import { countPendingWork } from '../../src/operator/pending-work.ts';
import { pageRequests, REQUEST_STATUSES, REQUEST_TYPES, type RequestPage } from '../../src/operator/request-views.ts';
import { Badge, words } from '../components/badge.tsx';
import { BrokerChoice, brokerChoices } from '../components/broker-choice.tsx';
import { Filters, Tabs } from '../components/filters.tsx';
import { type Choice, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, RequestLink, requestTitle, ServiceLink } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { oneOf, queryOf } from '../query.ts';
import type { ConsoleOptions, Section } from '../section.ts';
import { request } from './request.tsx';

/** What clients, brokers and the operator asked for: first what waits for an operator, the oldest of it on top. */
export const requests: Section = {
  label: 'Requests',
  path: '/requests',
  badge: ({ reviews }) => reviews,
  async routes(app, options) {
    await list(app, options);
    await request(app, options);
  },
};

async function list(app: FastifyInstance, { context }: ConsoleOptions) {
  app.get('/requests', { config: { role: 'viewer' } }, async (request, reply) => {
    const query = queryOf(request);
    const chosen = query.get('status');
    const service = query.get('service');
    const filter = {
      broker: query.get('broker'),
      status: oneOf(chosen, REQUEST_STATUSES),
      type: oneOf(query.get('type'), REQUEST_TYPES),
      service: service !== undefined && /^\d{1,16}$/.test(service) ? service : undefined,
      page: query.page(),
    };
    const order = filter.status === 'operator_review' || filter.status === 'pending' ? 'oldest' : 'newest';
    const [page, brokers, waiting] = await Promise.all([
      pageRequests(context, { ...filter, order }),
      brokerChoices(context),
      countPendingWork(context),
    ]);
    return reply.view(<List page={page} filter={filter} brokers={brokers} reviews={waiting.reviews} />);
  });
}

type Line = RequestPage['items'][number];

const COLUMNS: Array<Column<Line>> = [
  {
    title: 'Request',
    cell: (row) => (
      <span class="line">
        <RequestLink id={row.request_id} label={requestTitle(row.type)} /> <span class="quiet">{what(row)}</span>
      </span>
    ),
  },
  { title: 'Status', cell: ({ request_status }) => <Badge state={request_status} /> },
  { title: 'Service', cell: ({ service_number }) => <ServiceLink number={service_number} /> },
  {
    title: 'Client',
    wide: true,
    rest: true,
    cell: ({ client }) => <span dir="auto">{client.label ?? client.name}</span>,
  },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
  { title: 'Asked', cell: ({ submitted_date }) => <Timestamp at={submitted_date} /> },
  {
    title: 'What happened',
    wide: true,
    rest: true,
    cell: ({ failure, decision }) => {
      const said = failure?.message ?? decision?.reason ?? '';
      return (
        <span class="quiet" dir="auto" title={said || undefined}>
          {said}
        </span>
      );
    },
  },
];

/** In a few words, from what to what. */
function what({ current_plan, new_plan, cancellation_type }: Line): string {
  const names = [current_plan, new_plan].flatMap((plan) => plan?.display_name ?? []);
  return names.join(' → ') || words(cancellation_type ?? '');
}

interface ListProps {
  page: RequestPage;
  filter: {
    broker?: string | undefined;
    status?: string | undefined;
    type?: string | undefined;
    service?: string | undefined;
  };
  /** To choose from; null where there are too many. */
  brokers: Choice[] | null;
  reviews: number;
}

function List({ page, filter, brokers, reviews }: ListProps) {
  return (
    <Page title={filter.service ? `Requests of service ${filter.service}` : 'Requests'} section="/requests">
      <div class="bar">
        <Tabs
          label="Which requests"
          name="status"
          value={filter.status ?? ''}
          choices={[
            { value: '', label: 'All' },
            { value: 'operator_review', label: 'To review', count: reviews },
            { value: 'pending', label: 'With brokers' },
            { value: 'accepted', label: 'Queued' },
            { value: 'failed', label: 'Failed' },
            { value: 'completed', label: 'Completed' },
            { value: 'denied', label: 'Denied' },
          ]}
        />
        <Filters action="/requests" of="requests">
          {filter.status ? <input type="hidden" name="status" value={filter.status} /> : null}
          <BrokerChoice brokers={brokers} value={filter.broker} />
          <Select
            label="Kind"
            name="type"
            quietLabel
            value={filter.type}
            choices={[
              { value: '', label: 'Any kind' },
              ...REQUEST_TYPES.map((type) => ({ value: type, label: requestTitle(type) })),
            ]}
          />
          <input
            type="search"
            name="service"
            value={filter.service ?? ''}
            inputmode="numeric"
            maxlength={16}
            placeholder="Service number"
            aria-label="Service number"
            autocomplete="off"
          />
        </Filters>
      </div>
      <div id="requests" class="card flush">
        <Table label="Requests" columns={COLUMNS} rows={page.items} empty={<Nothing filter={filter} />} />
        <Pager pagination={page.pagination} noun="requests" />
      </div>
    </Page>
  );
}

function Nothing({ filter }: Pick<ListProps, 'filter'>) {
  if (filter.status === 'operator_review' && !filter.broker && !filter.type && !filter.service) {
    return (
      <p>
        Nothing waits for a review. Plan changes come here when a plan or a service asks for it, or a disk would shrink.
      </p>
    );
  }
  if (Object.values(filter).some((value) => typeof value === 'string')) {
    return (
      <p>
        No request matches. <a href="/requests">Show all</a>
      </p>
    );
  }
  return <p>Nobody has asked for anything yet. Requests come in through the API, and by “broker requests submit”.</p>;
}
