import { type FailureReasonRecord, listFailureReasons, retryRequests } from '../../src/operator/requests/retry.ts';
import type { RequestPage } from '../../src/operator/requests/views.ts';
import { Card, number } from '../components/card.tsx';
import { BrokerLink, RequestLink, ServiceLink, titleOf } from '../components/links.tsx';
import { reasonInWords } from '../components/reasons.ts';
import { type Column, Table, withQuery } from '../components/table.tsx';
import { Minute, Time } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import { ActionForm, allows } from '../forms/action-form.tsx';
import type { ConsoleOptions } from '../http/section.ts';
import { Choose } from '../lists/chosen.tsx';
import { REQUESTS_PATH } from './request-filters.ts';

/* What the list of requests shows of failed ones: why, when, where, and what can be done once more. */

type Row = RequestPage['items'][number];

export const RETRY_FORM = 'retries';

export const mayRetry = (): boolean => allows(retryRequests);

export const FAILED_COLUMNS: Array<Column<Row>> = [
  {
    title: 'Request',
    value: ({ type }) => type,
    cell: (row) => (
      <span class="line">
        {row.can_retry && mayRetry() ? (
          <Choose
            form={RETRY_FORM}
            name="request_id"
            id={row.request_id}
            label={`Choose ${titleOf(row)} of service ${row.service_number}`}
          />
        ) : null}{' '}
        <RequestLink id={row.request_id} label={titleOf(row)} />
      </span>
    ),
  },
  {
    title: 'Failed',
    value: ({ processed_date }) => processed_date,
    cell: ({ processed_date: date }) => (date === null ? null : <Minute at={date} />),
  },
  {
    title: 'Reason',
    rest: true,
    value: ({ failure }) => failure?.reason ?? null,
    cell: ({ failure }) =>
      failure ? (
        <span title={failure.message} dir="auto">
          {reasonInWords(failure.reason)} <span class="quiet">{failure.message}</span>
        </span>
      ) : null,
  },
  {
    title: 'Service',
    value: ({ service_number }) => service_number,
    cell: ({ service_number }) => <ServiceLink number={service_number} />,
  },
  {
    title: 'Client',
    wide: true,
    value: ({ client }) => client.name,
    cell: ({ client }) => <bdi>{client.name}</bdi>,
  },
  {
    title: 'Machine',
    wide: true,
    value: ({ service }) => service.reference,
    cell: ({ service: { reference } }) => (reference === null ? null : <span class="mono">{reference}</span>),
  },
  { title: 'Broker', value: ({ broker }) => broker.slug, cell: ({ broker }) => <BrokerLink {...broker} /> },
  {
    title: 'Once more',
    value: ({ retried_as }) => retried_as,
    cell: ({ retried_as, can_retry }) =>
      retried_as !== null ? (
        <RequestLink id={retried_as} label="tried again" />
      ) : can_retry ? null : (
        <span class="quiet">not possible</span>
      ),
  },
];

/** The failed requests that the filters keep, by reason; every number leads to its list. */
export async function loadReasons(
  context: ConsoleOptions['context'],
  { broker, type, since, until }: Record<'broker' | 'type' | 'since' | 'until', string | undefined>,
) {
  const filter = { broker, type, ended_since: since, ended_until: until };
  return (await listFailureReasons.run(context, filter)).records;
}

interface ReasonsProps {
  reasons: readonly FailureReasonRecord[];
  values: Record<'broker' | 'type' | 'since' | 'until' | 'service' | 'reason', string | undefined>;
}

/** Reasons that stand above the list; the others are a click away. */
const SHOWN = 6;

export function Reasons({ reasons, values }: ReasonsProps) {
  if (reasons.length === 0 || values.service !== undefined) return null;
  const rest = reasons.slice(SHOWN);
  const table = (rows: readonly FailureReasonRecord[], label: string) => (
    <Table label={label} columns={columnsOf(values)} rows={rows} empty={null} />
  );
  return (
    <Card title="By reason">
      {table(reasons.slice(0, SHOWN), 'Reasons')}
      {rest.length > 0 ? (
        <details>
          <summary>{number(rest.length)} more reasons</summary>
          {table(rest, 'More reasons')}
        </details>
      ) : null}
    </Card>
  );
}

const columnsOf = (values: ReasonsProps['values']): Array<Column<FailureReasonRecord>> => [
  {
    title: 'Reason',
    rest: true,
    cell: ({ reason }) => (
      <>
        {reasonInWords(reason)} <span class="quiet mono wide-only">{reason}</span>
      </>
    ),
  },
  {
    title: 'Requests',
    figure: true,
    cell: ({ reason, requests }) => <ListLink reason={reason} text={number(requests)} />,
  },
  { title: 'Brokers', figure: true, wide: true, cell: ({ brokers }) => number(brokers) },
  { title: 'Latest', wide: true, cell: ({ latest_date }) => <Time at={latest_date} /> },
  {
    title: 'What can be done',
    untitled: true,
    cell: ({ reason, to_retry }) =>
      to_retry === 0 ? null : (
        <ActionForm
          useCase={retryRequests}
          at={REQUESTS_PATH}
          fixed={{ reason, since: values.since ?? '', broker: values.broker ?? '', type: values.type ?? '' }}
          label={`Try ${number(to_retry)} again`}
          tone="small"
        />
      ),
  },
];

/** The list of one reason, or of all where it is that of this one. */
function ListLink({ reason, text }: { reason: string; text: string }) {
  const { url } = useView();
  return <a href={withQuery(url, { status: 'failed', reason, page: undefined })}>{text}</a>;
}
