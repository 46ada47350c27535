import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type AuditInput, type AuditPage, EXPORTED_MOST, exportAudit, pageAudit } from '../../src/operator/audit.ts';
import { attempt } from '../act.ts';
import { Tag } from '../components/badge.tsx';
import { BrokerChoice, brokerChoices } from '../components/broker-choice.tsx';
import { number } from '../components/card.tsx';
import { DateFilter, Filters } from '../components/filters.tsx';
import { type Choice, Refusal } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table, withQuery } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import type { Failure } from '../failures.ts';
import { Problem } from '../problem.ts';
import { queryOf } from '../query.ts';
import type { ConsoleOptions, Section } from '../section.ts';

/** Who did what to what, when and from where, with the values before and after. */
export const audit: Section = { label: 'Audit', path: '/audit', routes };

/** Exports at the same time, over all people; one of each. Each reads a hundred thousand rows. */
const EXPORTS_AT_ONCE = 2;

async function routes(app: FastifyInstance, { context }: ConsoleOptions) {
  const exporting = new Set<string>();

  const filterOf = (query: ReturnType<typeof queryOf>): AuditInput => ({
    broker: query.get('broker'),
    actor: query.get('actor'),
    action: query.get('action'),
    thing: query.get('thing'),
    since: query.get('since'),
    until: query.get('until'),
  });

  app.get('/audit', { config: { role: 'viewer' } }, async (request, reply) => {
    const query = queryOf(request);
    const filter = filterOf(query);
    const [{ value: page, failure }, brokers] = await Promise.all([
      attempt(() => pageAudit(context, { ...filter, page: query.page() })),
      brokerChoices(context),
    ]);
    return reply.view(<Audit page={page} filter={filter} brokers={brokers} failure={failure} />, failure?.status);
  });

  app.get('/audit.csv', { config: { role: 'viewer' } }, async (request, reply) => {
    const person = request.signedIn.operator.operator_id;
    if (exporting.has(person) || exporting.size >= EXPORTS_AT_ONCE) throw BUSY;
    exporting.add(person);
    const release = () => void exporting.delete(person);
    const pieces = await exportAudit(context, filterOf(queryOf(request))).catch((error: unknown) => {
      release();
      throw error;
    });
    const file = Readable.from(released(pieces, release));
    // Where its reader leaves before the first piece, nothing else says so.
    file.once('close', release);
    const day = new Date(context.clock.now()).toISOString().slice(0, 10);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-${day}.csv"`)
      .send(file);
  });
}

async function* released(pieces: AsyncGenerator<Buffer>, release: () => void): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } finally {
    release();
  }
}

const BUSY = new Problem(
  429,
  'An export is being made',
  'One at a time for each person, and two in all: wait until it is there.',
  { to: '/audit', label: 'Back to the audit trail' },
  10,
);

type Line = AuditPage['items'][number];

const COLUMNS: Array<Column<Line>> = [
  { title: 'When', cell: ({ date }) => <Timestamp at={date} /> },
  { title: 'Who', cell: (row) => <Who row={row} /> },
  { title: 'What', cell: ({ action }) => <Narrow name="action" value={action} label={action} /> },
  { title: 'To what', cell: (row) => <Thing row={row} /> },
  { title: 'Values', cell: (row) => <Values row={row} /> },
  {
    title: 'From',
    wide: true,
    cell: ({ client_ip }) => <span class="mono quiet">{client_ip}</span>,
  },
];

/** A value that narrows the list to itself. */
function Narrow({ name, value, label }: { name: string; value: string; label: string }) {
  const { url } = useView();
  return (
    <a href={withQuery(url, { [name]: value, page: undefined })} class="cut" dir="auto" title={label}>
      {label}
    </a>
  );
}

function Who({ row: { actor, actor_kind, key_prefix } }: { row: Line }) {
  if (actor_kind === 'api_key') {
    return (
      <span class="line mono">
        <Narrow name="actor" value={actor} label={key_prefix ?? actor} />
      </span>
    );
  }
  return (
    <span class="line">
      <Narrow name="actor" value={actor} label={actor} />{' '}
      {actor_kind === 'command' ? <Tag tone="none">command</Tag> : null}
    </span>
  );
}

function Thing({ row: { subject, broker } }: { row: Line }) {
  const path = pageOf(subject, broker);
  const isOfBroker = broker !== null && subject !== `broker/${broker}`;
  return (
    <>
      {path === null ? (
        <span class="cut" dir="auto" title={subject}>
          {subject}
        </span>
      ) : (
        <a href={path} class="cut" dir="auto" title={subject}>
          {subject}
        </a>
      )}{' '}
      {isOfBroker ? (
        <span class="quiet">
          of <a href={pathOf.broker(broker)}>{broker}</a>
        </span>
      ) : null}
    </>
  );
}

/** The page of what the trail names, where it has one. */
function pageOf(subject: string, broker: string | null): string | null {
  const [, kind, name = ''] = /^([a-z]+)\/(.*)$/s.exec(subject) ?? [];
  if (kind === 'broker') return pathOf.broker(name);
  if (kind === 'service' && /^\d{1,16}$/.test(name)) return pathOf.service(Number(name));
  if (kind === 'request') return pathOf.request(name);
  if (kind === 'email') return pathOf.email(name);
  if (broker === null) return null;
  if (kind === 'key') return pathOf.keyUse(broker, name);
  if (kind === 'template') return pathOf.template(broker, name);
  return null;
}

/** What fits on one line beside the rest; what is longer opens with a click. */
const SHORT = 60;
const LONGEST_VALUE = 500;

function Values({ row: { before, after } }: { row: Line }) {
  const [was, is] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const lines = names.map((name) => (
    <li>
      <span class="quiet">{name}</span> {was.has(name) ? <del>{said(was.get(name))}</del> : null}
      {was.has(name) && is.has(name) ? ' → ' : null}
      {is.has(name) ? <ins>{said(is.get(name))}</ins> : null}
    </li>
  ));
  const inShort = names.map((name) => {
    const sides = [was, is].filter((side) => side.has(name)).map((side) => said(side.get(name)));
    return `${name} ${sides.join(' → ')}`;
  });
  if (lines.length === 0) return null;
  if (lines.length === 1 && inShort.join().length <= SHORT) return <ul class="values">{lines}</ul>;
  return (
    <details class="values">
      <summary>{inShort.join(', ').slice(0, LONGEST_VALUE)}</summary>
      <ul>{lines}</ul>
    </details>
  );
}

function said(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

interface AuditProps {
  /** Undefined where the filters mean nothing. */
  page: AuditPage | undefined;
  filter: AuditInput;
  brokers: Choice[] | null;
  failure: Failure | undefined;
}

function Audit({ page, filter, brokers, failure }: AuditProps) {
  const { url } = useView();
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  const search = (name: 'actor' | 'action' | 'thing', label: string) => (
    <input
      type="search"
      name={name}
      value={filter[name] ?? ''}
      maxlength={200}
      placeholder={label}
      aria-label={label}
      autocomplete="off"
    />
  );
  return (
    <Page title="Audit" section="/audit">
      <div class="bar">
        <Filters action="/audit" of="audit">
          {search('actor', 'Who: a person, a key')}
          {search('action', 'What, such as key.revoke')}
          {search('thing', 'To what: a number, an id')}
          <BrokerChoice brokers={brokers} value={filter.broker} />
          <DateFilter label="From" name="since" value={filter.since} />
          <DateFilter label="Before" name="until" value={filter.until} />
        </Filters>
      </div>
      <div id="audit">
        <Refusal failure={failure} />
        {page ? (
          <div class="card flush">
            <Table
              label="Changes"
              columns={COLUMNS}
              rows={page.items}
              rowId={({ audit_id }) => audit_id}
              empty={
                isNarrowed ? (
                  <p>
                    Nothing was done that matches. <a href="/audit">Show all</a>
                  </p>
                ) : (
                  <p>Nothing has been changed yet. Every change will stand here, and who made it.</p>
                )
              }
            />
            <Pager pagination={page.pagination} noun="changes" />
            {page.items.length > 0 ? (
              <p class="more">
                <a
                  href={withQuery(url.replace(/^\/audit(?=$|\?)/, '/audit.csv'), { page: undefined })}
                  hx-boost="false"
                >
                  Download as CSV
                </a>{' '}
                <span class="quiet">up to {number(EXPORTED_MOST)} rows</span>
              </p>
            ) : null}
          </div>
        ) : null}
      </div>
    </Page>
  );
}
