import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BrokerPage, pageBrokers } from '../../src/operator/broker-views.ts';
import { createBroker } from '../../src/operator/brokers.ts';
import { act } from '../act.ts';
import { Badge } from '../components/badge.tsx';
import { number } from '../components/card.tsx';
import { Filters } from '../components/filters.tsx';
import { Dialog, Field, PostForm, Refusal, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, pathOf } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import type { Failure } from '../failures.ts';
import { oneOf, queryOf } from '../query.ts';
import type { ConsoleOptions, Section } from '../section.ts';
import { broker } from './broker.tsx';

const ORDERS = ['slug', 'name', 'newest', 'services', 'open_requests'] as const;
const STATUSES = ['active', 'suspended'] as const;

/** All brokers, and each of them with its keys, firewall and recipients. */
export const brokers: Section = {
  label: 'Brokers',
  path: '/brokers',
  async routes(app, options) {
    await list(app, options);
    await broker(app, options);
  },
};

async function list(app: FastifyInstance, { context }: ConsoleOptions) {
  async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
    const query = queryOf(request);
    const filter = {
      search: query.get('q'),
      status: oneOf(query.get('status'), STATUSES),
      order: oneOf(query.get('order'), ORDERS) ?? 'slug',
      page: query.page(),
    };
    const page = await pageBrokers(context, filter);
    return reply.view(<List page={page} filter={filter} failure={failure} />, failure?.status);
  }

  app.get('/brokers', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.post('/brokers', { config: { role: 'admin' } }, (request, reply) => {
    const { form } = request;
    const given = {
      slug: form.get('slug'),
      name: form.get('name'),
      contact: form.get('contact'),
      sender: form.get('sender'),
    };
    return act(
      reply,
      async () => {
        const { slug, name } = await createBroker(request.context, given);
        return { to: pathOf.broker(slug), done: `${name} is there. It needs plans and a key next.` };
      },
      (failure) => show(request, reply, failure),
    );
  });
}

type Line = BrokerPage['items'][number];

const COLUMNS: Array<Column<Line>> = [
  { title: 'Name', order: 'name', cell: ({ slug, name }) => <BrokerLink slug={slug} name={name} /> },
  { title: 'Slug', order: 'slug', cell: ({ slug }) => <span class="mono">{slug}</span> },
  { title: 'Status', cell: ({ broker_status }) => <Badge state={broker_status} /> },
  { title: 'Services', order: 'services', figure: true, cell: ({ services }) => number(services) },
  {
    title: 'Open requests',
    order: 'open_requests',
    figure: true,
    cell: ({ slug, open_requests, reviews_waiting }) => (
      <>
        {reviews_waiting > 0 ? (
          <a href={`/requests?broker=${slug}&status=operator_review`} class="warn">
            {number(reviews_waiting)} to review
          </a>
        ) : null}{' '}
        {number(open_requests)}
      </>
    ),
  },
  { title: 'Keys', figure: true, wide: true, cell: ({ active_keys }) => number(active_keys) },
  {
    title: 'Firewall',
    wide: true,
    cell: (row) => (row.ip_restriction_enabled ? 'on' : <span class="quiet">off</span>),
  },
  { title: 'Contact', wide: true, cell: ({ contact_email }) => <span class="cut">{contact_email}</span> },
  { title: 'Since', order: 'newest', wide: true, cell: ({ created_date }) => <Timestamp at={created_date} /> },
];

interface ListProps {
  page: BrokerPage;
  filter: { search: string | undefined; status: string | undefined; order: string };
  failure: Failure | undefined;
}

function List({ page, filter, failure }: ListProps) {
  const narrowed = filter.search !== undefined || filter.status !== undefined;
  const { role } = useOperator();
  return (
    <Page title="Brokers" section="/brokers" actions={role === 'admin' ? <Add /> : null}>
      <Refusal failure={failure} />
      <Filters
        action="/brokers"
        of="brokers"
        search={{ name: 'q', label: 'Name, slug or contact', value: filter.search }}
      >
        <Select
          label="Status"
          name="status"
          quietLabel
          value={filter.status}
          choices={[
            { value: '', label: 'Any status' },
            { value: 'active', label: 'Active' },
            { value: 'suspended', label: 'Suspended' },
          ]}
        />
        {filter.order === 'slug' ? null : <input type="hidden" name="order" value={filter.order} />}
      </Filters>
      <div id="brokers" class="card flush">
        <Table
          label="Brokers"
          columns={COLUMNS}
          rows={page.items}
          order={filter.order}
          empty={
            narrowed ? (
              <p>
                No broker matches. <a href="/brokers">Show all</a>
              </p>
            ) : (
              <p>
                There is no broker yet. A broker needs a short name, and the addresses that its mail comes from and its
                reports go to.
              </p>
            )
          }
        />
        <Pager pagination={page.pagination} noun="brokers" />
      </div>
    </Page>
  );
}

function Add() {
  return (
    <Dialog id="add" label="Add a broker…" title="Add a broker">
      <PostForm action="/brokers">
        <Field
          label="Slug"
          name="slug"
          required
          maxlength={64}
          hint="Short name: small letters, digits, “-” and “_”. It stays."
        />
        <Field label="Name" name="name" required maxlength={200} hint="What clients read in their mail" />
        <Field label="Contact" name="contact" type="email" required maxlength={254} hint="Where its reports go" />
        <Field
          label="Sender"
          name="sender"
          type="email"
          required
          maxlength={254}
          hint="Where its mail to clients comes from"
        />
        <button type="submit" class="main">
          Add
        </button>
      </PostForm>
    </Dialog>
  );
}
