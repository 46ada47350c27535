import type { FastifyInstance } from 'fastify';
import { EMAIL_KINDS, EMAIL_STATUSES, type EmailPage, pageEmails } from '../../src/operator/emails.ts';
import { countPendingWork } from '../../src/operator/pending-work.ts';
import { attempt } from '../act.ts';
import { Badge, sentence } from '../components/badge.tsx';
import { BrokerChoice, brokerChoices } from '../components/broker-choice.tsx';
import { Card, number } from '../components/card.tsx';
import { DateFilter, Filters, Tabs } from '../components/filters.tsx';
import { type Choice, Refusal, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, EmailLink, ServiceLink } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { Failure } from '../failures.ts';
import { oneOf, queryOf } from '../query.ts';
import type { ConsoleOptions, Section } from '../section.ts';
import { email } from './email.tsx';

/** Every email that was handed to the provider: first those of which nobody knows whether they went out. */
export const emails: Section = {
  label: 'Emails',
  path: '/emails',
  badge: ({ unknown_emails }) => unknown_emails,
  async routes(app, options) {
    await list(app, options);
    await email(app, options);
  },
};

/** Of what waits for somebody the list of all emails shows so many first. */
const SHOWN_FIRST = 10;

async function list(app: FastifyInstance, { context }: ConsoleOptions) {
  app.get('/emails', { config: { role: 'viewer' } }, async (request, reply) => {
    const query = queryOf(request);
    const filter = {
      status: oneOf(query.get('status'), EMAIL_STATUSES),
      broker: query.get('broker'),
      kind: oneOf(query.get('kind'), EMAIL_KINDS),
      recipient: query.get('recipient'),
      since: query.get('since'),
      until: query.get('until'),
    };
    const isWhole = Object.values(filter).every((value) => value === undefined) && query.page() === 1;
    const [found, brokers, waiting] = await Promise.all([
      attempt(() => pageEmails(context, { ...filter, page: query.page() })),
      brokerChoices(context),
      countPendingWork(context),
    ]);
    const first =
      isWhole && waiting.unknown_emails > 0
        ? (await pageEmails(context, { status: 'unknown', perPage: SHOWN_FIRST })).items
        : [];
    const { value: page, failure } = found;
    const props = { page, first, filter, brokers, unknown: waiting.unknown_emails, failure };
    return reply.view(<List {...props} />, failure?.status);
  });
}

type Line = EmailPage['items'][number];

const COLUMNS: Array<Column<Line>> = [
  { title: 'Subject', cell: ({ email_id, subject }) => <EmailLink id={email_id} subject={subject} /> },
  { title: 'Outcome', cell: ({ email_status }) => <Badge state={email_status} /> },
  {
    title: 'To',
    cell: ({ recipient }) => (
      <span class="cut" dir="auto" title={recipient ?? undefined}>
        {recipient ?? <span class="quiet">erased</span>}
      </span>
    ),
  },
  { title: 'Kind', wide: true, cell: ({ kind }) => <span class="line">{sentence(kind)}</span> },
  {
    title: 'Service',
    wide: true,
    cell: ({ service_number }) => (service_number === null ? null : <ServiceLink number={service_number} />),
  },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
  { title: 'Written', cell: ({ created_date }) => <Timestamp at={created_date} /> },
];

interface ListProps {
  /** Null where the filters mean nothing. */
  page: EmailPage | undefined;
  first: Line[];
  filter: Partial<Record<'status' | 'broker' | 'kind' | 'recipient' | 'since' | 'until', string | undefined>>;
  brokers: Choice[] | null;
  unknown: number;
  failure: Failure | undefined;
}

function List({ page, first, filter, brokers, unknown, failure }: ListProps) {
  return (
    <Page title="Emails" section="/emails">
      <div class="bar">
        <Tabs
          label="Which emails"
          name="status"
          value={filter.status ?? ''}
          choices={[
            { value: '', label: 'All' },
            { value: 'unknown', label: 'Unknown', count: unknown },
            { value: 'failed', label: 'Failed' },
            { value: 'sent', label: 'Sent' },
            { value: 'open', label: 'Under way' },
          ]}
        />
        <Filters action="/emails" of="emails">
          {filter.status ? <input type="hidden" name="status" value={filter.status} /> : null}
          <BrokerChoice brokers={brokers} value={filter.broker} />
          <Select
            label="Kind"
            name="kind"
            quietLabel
            value={filter.kind}
            choices={[
              { value: '', label: 'Any kind' },
              ...EMAIL_KINDS.map((kind) => ({ value: kind, label: sentence(kind) })),
            ]}
          />
          <input
            type="search"
            name="recipient"
            value={filter.recipient ?? ''}
            maxlength={254}
            placeholder="Part of the address"
            aria-label="Part of the address"
            autocomplete="off"
          />
          <DateFilter label="From" name="since" value={filter.since} />
          <DateFilter label="Before" name="until" value={filter.until} />
        </Filters>
      </div>
      <div id="emails">
        <Refusal failure={failure} />
        {first.length > 0 ? (
          <Card
            title={unknown === 1 ? 'One email of unknown outcome' : `${number(unknown)} emails of unknown outcome`}
            aside={unknown > first.length ? <a href="/emails?status=unknown">All of them</a> : null}
          >
            <p class="quiet">
              The provider gave no clear answer, so nothing is sent again by itself. Find out whether they arrived, and
              say so.
            </p>
            <Table label="Emails of unknown outcome" columns={COLUMNS} rows={first} empty={null} />
          </Card>
        ) : null}
        {page ? (
          <div class="card flush">
            <Table label="Emails" columns={COLUMNS} rows={page.items} empty={<Nothing filter={filter} />} />
            <Pager pagination={page.pagination} noun="emails" />
          </div>
        ) : null}
      </div>
    </Page>
  );
}

function Nothing({ filter: { status, ...narrower } }: Pick<ListProps, 'filter'>) {
  const isNarrowed = Object.values(narrower).some((value) => value !== undefined);
  if (status === 'unknown' && !isNarrowed) return <p>Of every email it is known whether it went out.</p>;
  if (status !== undefined || isNarrowed) {
    return (
      <p>
        No email matches. <a href="/emails">Show all</a>
      </p>
    );
  }
  return <p>No email has been sent yet. Warnings, reports and notices of finished work stand here once they are.</p>;
}
