import type { Child } from 'hono/jsx';
import { type CallDetail, showCallDetail } from '../../src/operator/calls/calls.ts';
import { Badge, EmailState, GATE_LABELS, sentence, Tag } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import {
  BrokerLink,
  CallLink,
  ChangeLink,
  CopiedId,
  EmailLink,
  NamedService,
  pathOf,
  RequestLink,
  requestTitle,
} from '../components/links.tsx';
import { milliseconds } from '../components/plot.tsx';
import { type Column, Table } from '../components/table.tsx';
import { exact, Time } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';

/** One call of the API, by its `X-Request-Id`. */
export const call: Routes = async (app, { context, processInfo }) => {
  app.get('/calls/:requestId', { config: { role: 'viewer' } }, async (request, reply) => {
    const detail = await showCallDetail(context, { requestId: readParam(request, 'requestId') });
    return reply.view(<Call detail={detail} scopes={processInfo.scopesOf(detail.operation)} />);
  });
};

interface CallProps {
  detail: CallDetail;
  /** Of which the key needed one. */
  scopes: readonly string[];
}

function Call({ detail, scopes }: CallProps) {
  const { request_id, date, broker, broker_id, key_id, key_prefix, client_ip, method, operation, service_number } =
    detail;
  const { status, code, reason, duration_ms } = detail;
  return (
    <Page
      title={operation}
      section="/calls"
      crumbs={[{ label: 'Calls', to: '/calls' }]}
      here={<CopiedId id={request_id} />}
      state={<Tag tone={code === null ? 'good' : 'bad'}>{String(status)}</Tag>}
    >
      <div class="columns">
        <Card title="The call">
          <Facts
            rows={[
              [
                'Received',
                <>
                  {exact(date)}{' '}
                  <span class="quiet">
                    <Time at={date} />
                  </span>
                </>,
              ],
              ['Broker', broker ? <BrokerLink {...broker} /> : <span class="mono">{broker_id}</span>],
              broker && key_prefix
                ? [
                    'Key',
                    <a href={pathOf.keyUse(broker.slug, key_id)} class="mono">
                      {key_prefix}
                    </a>,
                  ]
                : null,
              client_ip === null ? null : ['From', <span class="mono">{client_ip}</span>],
              ['Operation', <span class="mono">{`${method} ${operation}`}</span>],
              service_number === null ? null : ['Service', <NamedService of={detail} />],
            ]}
          />
        </Card>
        <Card title="The response">
          <Facts
            rows={[
              ['Status', String(status)],
              code === null ? null : ['Error', <span class="mono">{code}</span>],
              reason === null ? null : ['Reason', <span class="mono">{reason}</span>],
              ['Duration', milliseconds(duration_ms)],
            ]}
          />
          <Refusal detail={detail} scopes={scopes} />
          <p class="quiet">The bodies of request and response are not kept.</p>
          <Made detail={detail} />
        </Card>
      </div>
      <Card
        title="Calls of this key around it"
        aside={key_prefix ? <a href={`/calls?${new URLSearchParams({ key: key_prefix })}`}>All</a> : null}
      >
        <Table label="Calls of this key around it" columns={AROUND} rows={detail.around} empty={null} />
      </Card>
    </Page>
  );
}

/** The rule that refused the call, and its last change before. */
function Refusal({
  detail: { refusal, reason, broker, key_id, client_ip, service_number, service_exists },
  scopes,
}: CallProps) {
  if (!refusal || !broker) return null;
  const { gate, change, has_rule } = refusal;
  const address = new URLSearchParams(client_ip === null ? {} : { address: client_ip });
  const rules: Partial<Record<typeof gate, Child>> = {
    firewall: <a href={`${pathOf.broker(broker.slug)}?${address}#firewall`}>The broker’s firewall</a>,
    scope: <a href={pathOf.key(broker.slug, key_id)}>The key’s scopes</a>,
    rate_limit: <a href={pathOf.key(broker.slug, key_id)}>The key’s limit</a>,
    rules:
      service_exists && service_number !== null ? (
        <a href={pathOf.service(service_number)}>The service’s state</a>
      ) : null,
  };
  return (
    <Facts
      rows={[
        ['Refused by', rules[gate] ?? GATE_LABELS[gate]],
        reason === 'missing_scope' && scopes.length > 0
          ? ['Missing scope', scopes.map((scope, index) => [index > 0 ? ' or ' : null, <code>{scope}</code>])]
          : null,
        has_rule
          ? [
              'Last change before',
              change ? <ChangeLink change={change} slug={broker.slug} /> : <span class="quiet">none is kept</span>,
            ]
          : null,
      ]}
    />
  );
}

/** What the call left behind: requests and emails of its service from the time of the call. */
function Made({ detail: { requests, emails } }: { detail: CallDetail }) {
  if (requests.length + emails.length === 0) return null;
  return (
    <ul class="rows" aria-label="Made by the call">
      {requests.map(({ request_id, type, request_status }) => (
        <li>
          <span class="quiet">request</span> <RequestLink id={request_id} label={requestTitle(type)} />{' '}
          <Badge state={request_status} />
        </li>
      ))}
      {emails.map((email) => (
        <li>
          <span class="quiet">email</span> <EmailLink id={email.email_id} subject={sentence(email.kind)} />{' '}
          <EmailState {...email} />
        </li>
      ))}
    </ul>
  );
}

/** The call itself stands among them, without a link. */
const AROUND: Array<Column<CallDetail['around'][number]>> = [
  { title: 'When', cell: ({ date }) => <Time at={date} /> },
  { title: 'Operation', cell: ({ request_id, operation }) => <Neighbour id={request_id} operation={operation} /> },
  { title: 'Status', cell: ({ status, code }) => <Tag tone={code === null ? 'good' : 'bad'}>{String(status)}</Tag> },
  { title: 'Error', rest: true, cell: ({ code }) => <span class="quiet">{code}</span> },
  { title: 'Service', cell: (row) => <NamedService of={row} /> },
];

function Neighbour({ id, operation }: { id: string; operation: string }) {
  const { url } = useView();
  if (url.split('?')[0] !== pathOf.call(id)) return <CallLink id={id} label={operation} />;
  return (
    <>
      <span class="mono">{operation}</span> <span class="quiet">this call</span>
    </>
  );
}
