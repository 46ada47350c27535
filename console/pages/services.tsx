import type { FastifyInstance } from 'fastify';
import { listPlans } from '../../src/operator/plans.ts';
import { pageServices, SERVICE_ORDERS, SERVICE_STATUSES, type ServicePage } from '../../src/operator/service-views.ts';
import { Badge, Tag, words } from '../components/badge.tsx';
import { brokerChoices } from '../components/broker-choice.tsx';
import { Filters } from '../components/filters.tsx';
import { type Choice, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, ServiceLink } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { oneOf, queryOf } from '../query.ts';
import type { ConsoleOptions, Section } from '../section.ts';
import { service } from './service.tsx';

/** Services of all brokers, and each of them with its past. */
export const services: Section = {
  label: 'Services',
  path: '/services',
  async routes(app, options) {
    await list(app, options);
    await service(app, options);
  },
};

/** So many plans stand in a list to choose from; of more than that one is named by its slug. */
const MAX_CHOICES = 100;

const FLAGS = { yes: 'true', no: 'false' } as const;

async function list(app: FastifyInstance, { context }: ConsoleOptions) {
  app.get('/services', { config: { role: 'viewer' } }, async (request, reply) => {
    const query = queryOf(request);
    const review = oneOf(query.get('review'), ['yes', 'no']);
    const filter = {
      search: query.get('q'),
      broker: query.get('broker'),
      status: oneOf(query.get('status'), SERVICE_STATUSES),
      plan: query.get('plan'),
      order: oneOf(query.get('order'), SERVICE_ORDERS) ?? 'number',
    };
    const [page, brokers] = await Promise.all([
      pageServices(context, { ...filter, review: review && FLAGS[review], page: query.page() }),
      brokerChoices(context),
    ]);
    const plans = await planChoices(context, filter.broker);
    return reply.view(<List page={page} filter={{ ...filter, review }} brokers={brokers} plans={plans} />);
  });
}

/** The plans of the broker that was chosen; null where none was, or it has too many. */
async function planChoices(context: ConsoleOptions['context'], slug: string | undefined): Promise<Choice[] | null> {
  const broker = slug === undefined ? null : await context.store.read.brokers.findBySlug(slug);
  if (!broker) return null;
  const plans = await listPlans(context, { broker: broker.slug });
  return plans.length > MAX_CHOICES ? null : plans.map((plan) => ({ value: plan.slug, label: plan.display_name }));
}

type Line = ServicePage['items'][number];

const COLUMNS: Array<Column<Line>> = [
  { title: 'Number', order: 'number', cell: ({ service_number }) => <ServiceLink number={service_number} /> },
  {
    title: 'Label',
    rest: true,
    cell: ({ label }) => (
      <span dir="auto" title={label ?? undefined}>
        {label ?? <span class="quiet">–</span>}
      </span>
    ),
  },
  { title: 'Client', rest: true, cell: ({ client }) => <span dir="auto">{client.name}</span> },
  {
    title: 'Status',
    cell: ({ service_status, requires_operator_review }) => (
      <span class="line">
        <Badge state={service_status} />
        {requires_operator_review ? (
          <>
            {' '}
            <Tag tone="warn">reviewed</Tag>
          </>
        ) : null}
      </span>
    ),
  },
  {
    title: 'Plan',
    wide: true,
    cell: ({ plan }) => (
      <span class="cut" dir="auto">
        {plan.display_name}
      </span>
    ),
  },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
  { title: 'Renews', order: 'renewal', wide: true, cell: ({ renewal_date }) => <Timestamp at={renewal_date} /> },
  { title: 'Since', order: 'newest', wide: true, cell: ({ created_date }) => <Timestamp at={created_date} /> },
  { title: 'Changed', order: 'changed', wide: true, cell: ({ updated_date }) => <Timestamp at={updated_date} /> },
];

interface ListProps {
  page: ServicePage;
  filter: {
    search: string | undefined;
    broker: string | undefined;
    status: string | undefined;
    plan: string | undefined;
    review: string | undefined;
    order: string;
  };
  brokers: Choice[] | null;
  plans: Choice[] | null;
}

function List({ page, filter, brokers, plans }: ListProps) {
  const { search, broker, status, plan, review, order } = filter;
  const narrowed = [search, broker, status, plan, review].some((value) => value !== undefined);
  return (
    <Page title="Services" section="/services">
      <Filters
        action="/services"
        of="services"
        search={{ name: 'q', label: 'Label, client, number or email', value: search }}
      >
        <OneOf label="Broker" name="broker" none="Any broker" value={broker} choices={brokers} />
        <Select
          label="Status"
          name="status"
          quietLabel
          value={status}
          choices={[
            { value: '', label: 'Any status' },
            ...SERVICE_STATUSES.map((value) => ({ value, label: words(value).replace(/^./, (l) => l.toUpperCase()) })),
          ]}
        />
        <OneOf label="Plan" name="plan" none="Any plan" value={plan} choices={plans} />
        <Select
          label="Review"
          name="review"
          quietLabel
          value={review}
          choices={[
            { value: '', label: 'Reviewed or not' },
            { value: 'yes', label: 'Changes are reviewed' },
            { value: 'no', label: 'Not reviewed' },
          ]}
        />
        {order === 'number' ? null : <input type="hidden" name="order" value={order} />}
      </Filters>
      <div id="services" class="card flush">
        <Table
          label="Services"
          columns={COLUMNS}
          rows={page.items}
          order={order}
          empty={
            narrowed ? (
              <p>
                No service matches. <a href="/services">Show all</a>
              </p>
            ) : (
              <p>
                There is no service yet. Brokers create them through the API; those that they have already come in by an
                import.
              </p>
            )
          }
        />
        <Pager pagination={page.pagination} noun="services" />
      </div>
    </Page>
  );
}

/** A list to choose from, or a field for a slug where there are too many for one. */
export function OneOf({
  label,
  name,
  none,
  value,
  choices,
}: {
  label: string;
  name: string;
  none: string;
  value: string | undefined;
  choices: Choice[] | null;
}) {
  if (choices) {
    return (
      <Select label={label} name={name} quietLabel value={value} choices={[{ value: '', label: none }, ...choices]} />
    );
  }
  const hint = `${label}’s slug`;
  return (
    <input
      type="search"
      name={name}
      value={value ?? ''}
      maxlength={64}
      placeholder={hint}
      aria-label={hint}
      autocomplete="off"
      class="slug"
    />
  );
}
