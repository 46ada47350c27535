import { type CallDetail, showCallDetail } from '../../src/operator/calls.ts';
import { Tag } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, CalledService, pathOf } from '../components/links.tsx';
import { milliseconds } from '../components/plot.tsx';
import { exact, Timestamp } from '../components/timestamp.tsx';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

/** One call of the API, by its `X-Request-Id`. */
export const call: Routes = async (app, { context }) => {
  app.get('/calls/:requestId', { config: { role: 'viewer' } }, async (request, reply) =>
    reply.view(<Call detail={await showCallDetail(context, { requestId: param(request, 'requestId') })} />),
  );
};

function Call({ detail }: { detail: CallDetail }) {
  const { request_id, date, broker, key_id, key_prefix, client_ip, method, operation, service_number } = detail;
  const { status, code, reason, duration_ms } = detail;
  return (
    <Page
      title={operation}
      section="/brokers"
      crumbs={[
        { label: 'Brokers', to: '/brokers' },
        ...(broker ? [{ label: broker.slug, to: pathOf.broker(broker.slug) }] : []),
        ...(broker && key_prefix ? [{ label: key_prefix, to: pathOf.keyUse(broker.slug, key_id) }] : []),
      ]}
      here={<span class="mono">{request_id}</span>}
      actions={<Tag tone={code === null ? 'good' : 'bad'}>{String(status)}</Tag>}
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
                    <Timestamp at={date} />
                  </span>
                </>,
              ],
              broker ? ['Broker', <BrokerLink {...broker} />] : null,
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
              service_number === null ? null : ['Service', <CalledService call={detail} />],
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
          <p class="quiet">The bodies of request and response are not kept.</p>
        </Card>
      </div>
    </Page>
  );
}
