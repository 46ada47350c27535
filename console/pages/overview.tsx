import type { Child } from 'hono/jsx';
import { type Onboarding, showOnboarding } from '../../src/operator/brokers/onboarding.ts';
import { SPANS, type SpanName } from '../../src/operator/calls/traffic.ts';
import { mayAct } from '../../src/operator/people/operators.ts';
import { type Overview, showOverview } from '../../src/operator/system/overview.ts';
import { type Health, showHealth } from '../../src/operator/system/system.ts';
import { GATE_LABELS } from '../components/badge.tsx';
import { Card, Figure, number } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, ChangeLink, pathOf, ServiceLink, shortenSubject, Truncated } from '../components/links.tsx';
import { Live } from '../components/live.tsx';
import { Bar, milliseconds, Spark, short } from '../components/plot.tsx';
import { type Column, Table } from '../components/table.tsx';
import { age, Minute, Time, span as time } from '../components/timestamp.tsx';
import { Calls, Gates, SPAN_LABELS, SpanTabs, Trend } from '../components/traffic.tsx';
import { useOperator, useView } from '../components/view.ts';
import { Checklist } from '../forms/checklist.tsx';
import { readChoice, readQuery } from '../http/query.ts';
import type { Section } from '../http/section.ts';
import { nameOfPart } from './system.tsx';

/** The first page: what needs an operator, traffic, queue and emails. */
export const overview: Section = {
  label: 'Overview',
  path: '/',
  async routes(app, { context, processInfo }) {
    app.get('/', { config: { role: 'viewer' } }, async (request, reply) => {
      const span = readChoice(readQuery(request).get('span'), SPANS) ?? '24h';
      const [overview, health, onboarding] = await Promise.all([
        showOverview(context, { span }),
        showHealth(context, processInfo),
        showOnboarding(context),
      ]);
      const { apiUrl } = processInfo;
      return reply.view(
        <Show overview={overview} health={health} onboarding={onboarding} apiUrl={apiUrl} span={span} />,
      );
    });
  },
};

interface ShowProps {
  overview: Overview;
  health: Health;
  onboarding: Onboarding | null;
  apiUrl: string;
  span: SpanName;
}

function Show({ overview, health, onboarding, apiUrl, span }: ShowProps) {
  return (
    <Page title="Overview" section="/" plots actions={<SpanTabs span={span} />}>
      <Live>
        <Attention
          attention={overview.attention}
          since={overview.work.since_date}
          queue={overview.queue}
          health={health}
          span={span}
        />
        <Checklist onboarding={onboarding} apiUrl={apiUrl} />
        <Figures overview={overview} span={span} />
        <div class="glance">
          <div class="stack">
            <Calls traffic={overview.traffic} of="/calls" />
            <div class="pair">
              <BusiestBrokers brokers={overview.busiest_brokers} />
              <BusiestKeys keys={overview.busiest_keys} />
            </div>
          </div>
          <div class="stack">
            <Work work={overview.work} cleanUps={overview.attention} span={span} />
            <Gates traffic={overview.traffic} />
            <Changes changes={overview.changes} />
          </div>
        </div>
      </Live>
      <label class="setting scripted quiet">
        <input type="checkbox" data-setting="live" checked /> Update the figures automatically
      </label>
    </Page>
  );
}

type Attentive = Overview['attention'];

interface AttentionProps {
  attention: Attentive;
  /** Since when failed requests are counted. */
  since: string;
  queue: Overview['queue'];
  health: Health;
  span: SpanName;
}

function Attention({ attention, since, queue, health, span }: AttentionProps) {
  const { now } = useView();
  const decides = mayAct(useOperator().role, 'support');
  const { reviews, unknown_emails, failed_requests, failed_clean_ups, failing, is_stuck } = attention;
  // Not null where something waits or is due.
  const ago = (date: string | null) => age(Date.parse(date as string), now).replace(/ ago$/, '');
  const first: Child[] = [];
  const items: Child[] = [];
  const { holding, lost_from, lost_until } = attention.records;
  if (holding !== null)
    first.push(
      <Item
        what={holding === 'copy' ? 'This is a copy for trying' : 'The records went back'}
        more={
          lost_from && lost_until ? (
            <>
              lost may be what was changed from <Minute at={lost_from} /> to <Minute at={lost_until} />; nothing goes
              out
            </>
          ) : (
            'nothing goes out'
          )
        }
      >
        <a href="/system">Records</a>
      </Item>,
    );
  if (attention.provisioner?.state === 'not_answering') {
    const { since_date, waiting, message } = attention.provisioner;
    first.push(
      <Item
        what={
          <>
            The provisioner has not answered since <Minute at={since_date as string} />
          </>
        }
        more={`${number(waiting)} ${waiting === 1 ? 'request waits' : 'requests wait'}. ${message}.`}
      >
        <a href="/system">State</a>
      </Item>,
    );
  }
  for (const { name, is_away } of health.parts)
    if (is_away)
      items.push(
        <Item what={`${nameOfPart(name)} is unavailable`} more="">
          <a href="/system">Details</a>
        </Item>,
      );
  if (health.workers.every(({ is_away }) => is_away))
    items.push(
      <Item what="No worker is running" more="accepted requests wait">
        <a href="/system">Workers</a>
      </Item>,
    );
  if (is_stuck)
    items.push(
      <Item what="No worker takes due requests" more={`the oldest is due for ${ago(queue.oldest_due_date)}`}>
        <a href="/system">Workers</a>
      </Item>,
    );
  if (reviews.total > 0)
    items.push(
      <Item
        what={`${number(reviews.total)} ${reviews.total === 1 ? 'review waits' : 'reviews wait'}`}
        more={
          <>
            the oldest for {ago(reviews.oldest_date)}:{' '}
            {reviews.brokers.map(({ slug, name, total }, index) => (
              <>
                {index > 0 ? ', ' : null}
                <a href={`/requests?status=operator_review&broker=${slug}`}>
                  <bdi>{name}</bdi>
                </a>{' '}
                ({number(total)})
              </>
            ))}
            {reviews.more_brokers ? ' and others' : null}
          </>
        }
      >
        <a href="/requests?status=operator_review">{decides ? 'Decide' : 'Show'}</a>
      </Item>,
    );
  if (unknown_emails > 0)
    items.push(
      <Item what={`${number(unknown_emails)} ${unknown_emails === 1 ? 'email' : 'emails'} of unknown outcome`} more="">
        <a href="/emails?status=unknown">{decides ? 'Settle' : 'Show'}</a>
      </Item>,
    );
  if (failing.calls_without_key > 0)
    items.push(<Item what={`${number(failing.calls_without_key)} calls within the hour`} more="without a valid key" />);
  if (failed_clean_ups.length > 0)
    items.push(
      <Item
        what="A clean-up failed"
        more={
          <>
            the service stays pending, and a machine may be there:{' '}
            {failed_clean_ups.map(({ service_number }, index) => (
              <>
                {index > 0 ? ', ' : null}
                <ServiceLink number={service_number} />
              </>
            ))}
            {attention.more_failed_clean_ups ? ' and others' : null}
          </>
        }
      />,
    );
  if (failed_requests > 0)
    items.push(
      <Item
        what={`${number(failed_requests)} ${failed_requests === 1 ? 'request' : 'requests'} failed`}
        more={`in ${SPAN_LABELS[span].label}`}
      >
        <a href={listOfRequests('failed', since)}>By reason</a>
      </Item>,
    );
  const isCalm = first.length + items.length + failing.brokers.length === 0;
  return (
    <section class={isCalm ? 'card attention calm' : 'card attention'} aria-label="Attention">
      {isCalm ? <p>Nothing needs attention.</p> : null}
      {isCalm ? null : (
        <ul>
          {first}
          {failing.brokers.map((failure) => (
            <Failing failure={failure} />
          ))}
          {items}
        </ul>
      )}
    </section>
  );
}

/** A broker whose calls fail: how many, since when, why, and what was changed before. */
function Failing({ failure }: { failure: Attentive['failing']['brokers'][number] }) {
  const { broker, calls, failed, since_date, code, gate, key_id, key_prefix, change, change_since } = failure;
  const failures = `/calls/failures?${new URLSearchParams({ broker: broker.slug, since: since_date })}`;
  return (
    <li>
      <strong>
        <BrokerLink {...broker} />
      </strong>{' '}
      <span>
        <a href={failures}>{`${number(failed)} of ${number(calls)} calls (${Math.round((failed / calls) * 100)} %)`}</a>{' '}
        were refused or failed since <Minute at={since_date} />
        <span class="quiet">
          {' '}
          · most: {GATE_LABELS[gate]}, <span class="mono">{code}</span> ·{' '}
          <a href={pathOf.keyUse(broker.slug, key_id)} class="mono">
            {key_prefix}
          </a>
          <br />
          {change ? 'Last change before: ' : 'Before it no change of its keys, firewall, limit or status is on record.'}
          {change ? <ChangeLink change={change} slug={broker.slug} /> : null}
          {change_since ? ' · since then: ' : null}
          {change_since ? <ChangeLink change={change_since} slug={broker.slug} /> : null}
        </span>
      </span>{' '}
      <span class="to">
        <a href={failures}>Reasons</a>
      </span>
    </li>
  );
}

/** What it is, more of it, and what leads to it. */
function Item({ what, more, children }: { what: Child; more: Child; children?: Child }) {
  return (
    <li>
      <strong>{what}</strong> <span class="quiet">{more}</span> <span class="to">{children}</span>
    </li>
  );
}

function Figures({ overview, span }: { overview: Overview; span: SpanName }) {
  const { traffic, queue, emails } = overview;
  return (
    <div class="figures">
      <Figure title={`Calls, ${SPAN_LABELS[span].label}`} value={number(traffic.calls)}>
        <Trend traffic={traffic} span={span} />
      </Figure>
      <Figure
        title="Answered in"
        value={
          <>
            {milliseconds(traffic.p50_ms)} <small>50th</small>
          </>
        }
      >
        {milliseconds(traffic.p95_ms)} 95th · {milliseconds(traffic.p99_ms)} 99th
      </Figure>
      <Figure title="Queue" value={number(queue.due)} warn={overview.attention.is_stuck}>
        {queue.oldest_due_date === null ? (
          'nothing is due'
        ) : (
          <>
            oldest <Time at={queue.oldest_due_date} />
          </>
        )}
        {queue.accepted > queue.due ? ` · ${number(queue.accepted - queue.due)} for later` : null}
      </Figure>
      <Figure
        title={`Emails, ${SPAN_LABELS[span].label}`}
        value={<a href={`/emails?since=${span}`}>{number(emails.total)}</a>}
      >
        {emails.failed > 0 ? (
          <a href={`/emails?status=failed&since=${span}`}>{number(emails.failed)} failed</a>
        ) : (
          'none failed'
        )}
        {emails.unknown > 0 ? (
          <>
            {' · '}
            <a href={`/emails?status=unknown&since=${span}`}>{number(emails.unknown)} unknown</a>
          </>
        ) : null}
      </Figure>
    </div>
  );
}

type KeyLine = Overview['busiest_keys'][number];

const KEY_COLUMNS: Array<Column<KeyLine>> = [
  {
    title: 'Key',
    cell: ({ key_id, key_prefix, name, broker }) => (
      <a href={pathOf.keyUse(broker.slug, key_id)} class="mono" title={name}>
        {key_prefix}
      </a>
    ),
  },
  { title: 'Broker', rest: true, cell: ({ broker }) => <BrokerLink slug={broker.slug} name={broker.name} /> },
  { title: 'Calls', figure: true, cell: ({ calls }) => <span title={number(calls)}>{short(calls)}</span> },
  {
    title: 'Refused',
    figure: true,
    cell: ({ refused }) =>
      refused === 0 ? <span class="quiet">0</span> : <span title={number(refused)}>{short(refused)}</span>,
  },
  {
    title: 'Over time',
    untitled: true,
    wide: true,
    cell: ({ calls, refused, points }) => <Spark points={points} warn={refused * 4 > calls} />,
  },
];

function BusiestKeys({ keys }: { keys: KeyLine[] }) {
  return (
    <Card title="Busiest keys">
      <Table label="Busiest keys" columns={KEY_COLUMNS} rows={keys} empty={<p>No key was used in this period.</p>} />
    </Card>
  );
}

/** A time, of a second at least. */
const secondsOf = (ms: number): string => (ms < 1000 ? 'a second' : time(ms / 1000));

/** The list of what is counted: of those that ended since a date, where it is given. */
const listOfRequests = (status: string, since?: string): string =>
  `/requests?${new URLSearchParams({ status, ...(since !== undefined && { since }) })}`;

/** Requests: what was finished within a span, and what waits now. */
function Work({
  work,
  cleanUps: { failed_clean_ups, more_failed_clean_ups },
  span,
}: {
  work: Overview['work'];
  cleanUps: Attentive;
  span: SpanName;
}) {
  const { since_date, completed, failed, to_review, with_brokers, due, in_progress, median_ms, longest_ms, compared } =
    work;
  const row = (what: string, value: number, status: string, since?: string) => (
    <li>
      <span>{what}</span>
      <span class="figure">
        {value === 0 ? <span class="quiet">0</span> : <a href={listOfRequests(status, since)}>{number(value)}</a>}
      </span>
    </li>
  );
  return (
    <>
      <Card title={`Requests finished, ${SPAN_LABELS[span].label}`} aside={<a href="/requests">All</a>}>
        <ul class="rows counts">
          {row('Completed', completed, 'completed', since_date)}
          {row('Failed', failed, 'failed', since_date)}
        </ul>
        {median_ms === null ? null : (
          <p class="quiet">
            {compared === null ? 'Half of them' : `Of ${number(compared)} of them half`} took {secondsOf(median_ms)} or
            less, the slowest {secondsOf(longest_ms ?? 0)}.
          </p>
        )}
      </Card>
      <Card title="Requests that wait">
        <ul class="rows counts">
          {row('For your decision', to_review, 'operator_review')}
          {row('For the broker’s decision', with_brokers, 'pending')}
          {row('To be done', due, 'accepted')}
          {row('In progress at the provisioner', in_progress, 'accepted')}
          {failed_clean_ups.length > 0 ? (
            <li>
              <span>Clean-ups that failed</span>
              <span class="figure">{`${failed_clean_ups.length}${more_failed_clean_ups ? ' or more' : ''}`}</span>
            </li>
          ) : null}
        </ul>
      </Card>
    </>
  );
}

function BusiestBrokers({ brokers }: { brokers: Overview['busiest_brokers'] }) {
  const most = Math.max(...brokers.map(({ calls }) => calls), 0);
  return (
    <Card title="Busiest brokers">
      {brokers.length === 0 ? (
        <p class="quiet">
          No broker made calls in this period. <a href="/brokers">All brokers</a>
        </p>
      ) : (
        <ul class="rows shares">
          {brokers.map(({ slug, name, calls, refused }) => (
            <li>
              <BrokerLink slug={slug} name={name} />
              <Bar value={calls} of={most} />
              <span class="figure" title={`${number(calls)} calls, ${number(refused)} refused`}>
                {short(calls)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Changes({ changes }: { changes: Overview['changes'] }) {
  return (
    <Card title="Latest changes" aside={<a href="/audit">All</a>}>
      {/* Never empty: the operator's own sign-in is among them. */}
      <ul class="rows changes">
        {changes.map(({ date, action, actor, subject }) => {
          // A person who signs in is both.
          const about = subject === `operator/${actor}` ? [actor] : [actor, subject];
          return (
            <li>
              <a href={`/audit?${new URLSearchParams({ action })}`} class="mono" title={subject}>
                {action}
              </a>
              <span class="quiet">
                <Time at={date} />
              </span>
              <span class="quiet by">
                <Truncated text={about.join(' · ')} shown={about.map(shortenSubject).join(' · ')} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
