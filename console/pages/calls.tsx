import {
  CALL_CODES,
  CALL_REASONS,
  type CallLine,
  countCallSteps,
  exportCalls,
  type FailureGroups,
  groupFailures,
  pageCallLines,
} from '../../src/operator/calls/calls.ts';
import type { ReadDeps } from '../../src/operator/use-case/dependencies.ts';
import { GATE_LABELS, Tag } from '../components/badge.tsx';
import { CallBars } from '../components/call-bars.tsx';
import { number } from '../components/card.tsx';
import { BrokerLink, CallLink, NamedService, pathOf, Truncated } from '../components/links.tsx';
import { milliseconds } from '../components/plot.tsx';
import { type Column, withQuery } from '../components/table.tsx';
import { exact, Minute, Time } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import type { Section } from '../http/section.ts';
import { addList, brokerFilter, csvFile, type Filter, filterValues, isSet, type List } from '../lists/list-page.tsx';
import { call } from './call.tsx';

/** Single calls of all brokers: those that were to change something, and those that were refused. */
export const calls: Section = {
  label: 'Calls',
  path: '/calls',
  async routes(app, options) {
    addList(app, options, LIST);
    addList(app, options, FAILURES);
    const { context } = options;
    app.get(`${LIST.path}.csv`, { config: { role: 'viewer' } }, (request, reply) =>
      reply.sendExport({
        ...csvFile(LIST.path, context.clock.now()),
        make: () => exportCalls(context, filterOf(filterValues(LIST.filters, request))),
      }),
    );
    await call(app, options);
  },
};

const COLUMNS: Array<Column<CallLine>> = [
  { title: 'When', cell: (line) => <When line={line} /> },
  { title: 'Operation', cell: (line) => <OperationCell line={line} /> },
  {
    title: 'Status',
    cell: ({ status, code }) => <Tag tone={code === null ? 'good' : 'bad'}>{String(status)}</Tag>,
  },
  {
    title: 'Error',
    rest: true,
    cell: ({ code, reason }) => (
      <span class="quiet cut" title={[code, reason].filter(Boolean).join(': ')}>
        {[code, reason].filter(Boolean).join(': ')}
      </span>
    ),
  },
  { title: 'Service', cell: (line) => <NamedService of={line} /> },
  { title: 'Broker', cell: (line) => <BrokerOf of={line} /> },
  { title: 'Key', wide: true, cell: (line) => <KeyOf of={line} /> },
  { title: 'Address', wide: true, cell: ({ client_ip }) => <span class="mono quiet">{client_ip}</span> },
  { title: 'Took', wide: true, figure: true, cell: ({ duration_ms }) => milliseconds(duration_ms) },
];

interface Folded extends Pick<CallLine, 'date' | 'first_date' | 'request_id' | 'operation' | 'goes_on'> {
  calls: ReadonlyArray<Pick<CallLine, 'date' | 'request_id' | 'duration_ms'>>;
}

/** Of several calls the first and the last. */
export function When({ line: { date, first_date, calls } }: { line: Folded }) {
  return calls.length === 1 ? (
    <Time at={date} />
  ) : (
    <span class="line">
      <Time at={date} />{' '}
      <span class="quiet">
        – <Time at={first_date} />
      </span>
    </span>
  );
}

export function OperationCell({ line: { request_id, operation, calls, goes_on } }: { line: Folded }) {
  if (calls.length === 1) return <CallLink id={request_id} label={operation} />;
  return (
    <details class="values">
      <summary>
        <span class="mono">{operation}</span> <strong>{`× ${number(calls.length)}${goes_on ? ' or more' : ''}`}</strong>
      </summary>
      <ul>
        {calls.map(({ request_id: id, date, duration_ms }) => (
          <li>
            <CallLink id={id} label={exact(date)} /> <span class="quiet">{milliseconds(duration_ms)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface Owned {
  broker: string | null;
  broker_id: string;
  broker_name: string | null;
  key_id: string;
  key_prefix: string | null;
}

/** Of no broker: calls whose key was refused. */
function BrokerOf({ of: { broker, broker_id, broker_name } }: { of: Owned }) {
  if (broker_id === '') return <span class="quiet">without a valid key</span>;
  return broker === null ? <Truncated text={broker_id} /> : <BrokerLink slug={broker} name={broker_name ?? broker} />;
}

function KeyOf({ of: { broker, key_id, key_prefix } }: { of: Owned }) {
  return broker === null || key_prefix === null ? null : (
    <a href={pathOf.keyUse(broker, key_id)} class="mono">
      {key_prefix}
    </a>
  );
}

/** The bars above a list, with the labels of those of its filters that usage does not have. */
async function barsOf(context: ReadDeps, values: Record<string, string | undefined>, filters: Record<string, Filter>) {
  const { broker, key, operation, code, since, until, ...others } = values;
  // Bars of all calls say nothing of one service or address.
  if (isSet({ service: others.service, address: others.address })) return null;
  const shown = await countCallSteps(context, { broker, key, operation, code: code as never, since, until });
  const unknown = Object.keys(others).flatMap((name) =>
    others[name] === undefined ? [] : [filters[name]?.label.toLowerCase() ?? name],
  );
  return shown && <CallBars shown={shown} unknown={unknown} />;
}

type Filters =
  | 'broker'
  | 'key'
  | 'operation'
  | 'status'
  | 'code'
  | 'reason'
  | 'service'
  | 'address'
  | 'since'
  | 'until';

/** The filters by the names of the record's fields. */
const filterOf = ({ service, address, ...others }: Record<Filters, string | undefined>) => ({
  ...others,
  service_number: service,
  client_ip: address,
});

const LIST: List<CallLine, Filters> = {
  title: 'Calls',
  path: '/calls',
  noun: 'calls',
  chips: true,
  live: true,
  filters: {
    broker: brokerFilter,
    key: { type: 'text', label: 'Key', size: 16 },
    operation: { type: 'text', label: 'Operation', size: 16 },
    status: { type: 'text', label: 'Status or 4xx', size: 12 },
    code: { type: 'select', label: 'Error', choices: new Map(CALL_CODES.map((code) => [code, code])) },
    reason: { type: 'select', label: 'Reason', choices: new Map(CALL_REASONS.map((reason) => [reason, reason])) },
    service: { type: 'text', label: 'Service number', digits: true, size: 14, field: 'service_number' },
    address: { type: 'text', label: 'Address', size: 14, field: 'client_ip' },
    since: { type: 'date', label: 'From' },
    until: { type: 'date', label: 'Before' },
  },
  columns: COLUMNS,
  async load(context, values, { before }) {
    const { items, next, looked_through } = await pageCallLines(context, { ...filterOf(values), before });
    const plot = await barsOf(context, values, LIST.filters);
    return {
      items,
      plot,
      // The bars show calls where the list has none.
      empty:
        plot && isSet(values) ? (
          <>
            No single call matches. <a href={LIST.path}>Show all</a>
            <br />
            {KEPT} The bars count all.
          </>
        ) : undefined,
      summary: items.length > 0 ? <p class="quiet">{plot ? `${KEPT} The bars count all.` : KEPT}</p> : null,
      pagination: { next, lookedThrough: looked_through },
    };
  },
  csv: 'own',
  rowId: ({ request_id }) => `call-${request_id}`,
  Actions: Views,
  empty:
    'No single call yet. Calls that change something and calls that are refused appear here within seconds; others are counted.',
};

/** The list has fewer calls than the bars. */
const KEPT =
  'Single calls: those that were to change something and those that were refused, of a key 20 a second at most.';

type Group = FailureGroups['groups'][number];

/** The single calls of a group, over the same time. */
function GroupLink({ group: { code, reason, key_id, key_prefix, is_rest, kept } }: { group: Group }) {
  const { url } = useView();
  if (kept === 0)
    return (
      <>
        <span class="mono">{code}</span>{' '}
        <span class="quiet">{is_rest ? 'not kept one by one: one of its reasons' : null}</span>
      </>
    );
  const key = key_prefix ?? key_id;
  const since = new URL(url, 'http://console').searchParams.get('since') || '24h';
  const calls = withQuery(url.replace(/^[^?]*/, '/calls'), { key, code, reason: reason ?? undefined, since });
  return (
    <a href={calls} class="mono">
      {reason ?? code}
    </a>
  );
}

const GROUP_COLUMNS: Array<Column<Group>> = [
  { title: 'Reason', value: ({ reason }) => reason, cell: (group) => <GroupLink group={group} /> },
  {
    title: 'Refused by',
    value: ({ gate }) => gate && GATE_LABELS[gate],
    cell: ({ gate }) => gate && GATE_LABELS[gate],
  },
  {
    title: 'Error',
    wide: true,
    value: ({ code }) => code,
    cell: ({ code }) => <span class="mono quiet">{code}</span>,
  },
  { title: 'Broker', value: ({ broker }) => broker, cell: (group) => <BrokerOf of={group} /> },
  { title: 'Key', value: ({ key_prefix }) => key_prefix, cell: (group) => <KeyOf of={group} /> },
  {
    title: 'First',
    named: true,
    wide: true,
    value: ({ first_date }) => first_date,
    cell: ({ first_date }) => <Time at={first_date} />,
  },
  {
    title: 'Last',
    named: true,
    value: ({ last_date }) => last_date,
    cell: ({ last_date }) => <Time at={last_date} />,
  },
  {
    title: 'Kept',
    named: true,
    wide: true,
    figure: true,
    value: ({ kept }) => kept,
    cell: ({ kept }) => number(kept),
  },
  {
    title: 'Calls',
    named: true,
    figure: true,
    value: ({ calls }) => calls,
    cell: ({ calls }) => number(calls),
  },
];

/** All calls of the time and the failed ones, as usage has them; and how many of these have rows. */
function Counted({
  found,
  values,
}: {
  found: FailureGroups;
  values: { since?: string | undefined; code?: string | undefined };
}) {
  const { calls, failed, kept, since_date } = found;
  const share = calls === 0 ? '' : ` (${Math.round((failed / calls) * 100)} %)`;
  const named = values.code === undefined ? 'failed' : `failed with ${values.code}`;
  return (
    <p class="quiet">
      {`${number(failed)} of ${number(calls)} calls${share} ${named} `}
      {since_date !== null && values.since ? (
        <>
          since <Minute at={since_date} />
        </>
      ) : (
        'in the last 24 hours'
      )}
      {kept < failed ? `. Of these ${number(kept)} are kept as single calls.` : '.'}
    </p>
  );
}

/** Failed calls by reason and key; the reason leads to the single calls. */
const FAILURES: List<Group, 'broker' | 'key' | 'code' | 'since' | 'until'> = {
  title: 'Failed calls',
  section: '/calls',
  path: '/calls/failures',
  noun: 'reasons',
  chips: true,
  live: true,
  filters: {
    broker: brokerFilter,
    key: { type: 'text', label: 'Key', size: 16 },
    code: { type: 'select', label: 'Error', choices: new Map(CALL_CODES.map((code) => [code, code])) },
    since: { type: 'date', label: 'From' },
    until: { type: 'date', label: 'Before' },
  },
  columns: GROUP_COLUMNS,
  csv: 'columns',
  async load(context, values) {
    const found = await groupFailures(context, values);
    const { groups } = found;
    return {
      items: groups,
      plot: await barsOf(context, values, FAILURES.filters),
      summary: groups.length > 0 ? <Counted found={found} values={values} /> : null,
      pagination: { page: 1, perPage: groups.length, total: groups.length, totalPages: 1, isMore: found.truncated },
    };
  },
  Actions: Views,
  empty: 'No call failed within the last 24 hours.',
};

/** Single calls, or failed ones in groups; what both filter by is kept. */
function Views() {
  const { url } = useView();
  const isGrouped = url.startsWith(FAILURES.path);
  const dropped = Object.fromEntries(
    [...Object.keys(LIST.filters).filter((name) => !(name in FAILURES.filters)), 'before', 'page'].map((name) => [
      name,
      undefined,
    ]),
  );
  const to = (path: string) => withQuery(url.replace(/^[^?]*/, path), dropped);
  return (
    <nav class="tabs" aria-label="View">
      <a href={to(LIST.path)} aria-current={isGrouped ? undefined : 'true'}>
        All calls
      </a>
      <a href={to(FAILURES.path)} aria-current={isGrouped ? 'true' : undefined}>
        Failures by reason
      </a>
    </nav>
  );
}
