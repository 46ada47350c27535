import { CALL_CODES, type CallPage, pageCalls } from '../../src/operator/calls.ts';
import { Tag } from '../components/badge.tsx';
import { BrokerLink, CallLink, NamedService, pathOf, Truncated } from '../components/links.tsx';
import { addList, brokerFilter, type List } from '../components/list.tsx';
import { milliseconds } from '../components/plot.tsx';
import type { Column } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { Section } from '../section.ts';
import { call } from './call.tsx';

/** Single calls of all brokers: those that were to change something, and those that were refused. */
export const calls: Section = {
  label: 'Calls',
  path: '/calls',
  async routes(app, options) {
    addList(app, options, LIST);
    await call(app, options);
  },
};

type Row = CallPage['items'][number];

const COLUMNS: Array<Column<Row>> = [
  { title: 'When', cell: ({ date }) => <Timestamp at={date} /> },
  { title: 'Operation', cell: ({ request_id, operation }) => <CallLink id={request_id} label={operation} /> },
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
  { title: 'Service', cell: (row) => <NamedService of={row} /> },
  {
    title: 'Broker',
    cell: ({ broker, broker_id }) =>
      broker === null ? <Truncated text={broker_id} /> : <BrokerLink slug={broker} name={broker} />,
  },
  {
    title: 'Key',
    wide: true,
    cell: ({ broker, key_id, key_prefix }) =>
      broker === null || key_prefix === null ? null : (
        <a href={pathOf.keyUse(broker, key_id)} class="mono">
          {key_prefix}
        </a>
      ),
  },
  { title: 'Address', wide: true, cell: ({ client_ip }) => <span class="mono quiet">{client_ip}</span> },
  { title: 'Took', wide: true, figure: true, cell: ({ duration_ms }) => milliseconds(duration_ms) },
];

const LIST: List<
  Row,
  'broker' | 'key' | 'operation' | 'status' | 'code' | 'reason' | 'service' | 'address' | 'since' | 'until'
> = {
  title: 'Calls',
  path: '/calls',
  noun: 'calls',
  live: true,
  filters: {
    broker: brokerFilter,
    key: { type: 'text', label: 'Key', size: 16 },
    operation: { type: 'text', label: 'Operation', size: 16 },
    status: { type: 'text', label: 'Status or 4xx', size: 12 },
    code: { type: 'select', label: 'Error', choices: new Map(CALL_CODES.map((code) => [code, code])) },
    reason: { type: 'text', label: 'Reason', size: 14 },
    service: { type: 'text', label: 'Service number', digits: true, size: 14 },
    address: { type: 'text', label: 'Address', size: 14 },
    since: { type: 'date', label: 'From' },
    until: { type: 'date', label: 'Before' },
  },
  columns: COLUMNS,
  async load(context, values, { before }) {
    const { items, next, looked_through } = await pageCalls(context, { ...values, before });
    return { items, pagination: { next, lookedThrough: looked_through } };
  },
  rowId: ({ request_id }) => `call-${request_id}`,
  empty: 'No calls yet. Calls that change something and calls that are refused appear here within seconds.',
};
