import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type KeyUse, showKeyUse } from '../../src/operator/access/key-use.ts';
import { revokeKey, rotateKey, setKey, showKey } from '../../src/operator/access/keys.ts';
import { SPANS, type SpanName } from '../../src/operator/calls/traffic.ts';
import { Badge, Tag } from '../components/badge.tsx';
import { Card, Facts, Figure, number } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, CopiedId, NamedService, pathOf } from '../components/links.tsx';
import { Live } from '../components/live.tsx';
import { milliseconds } from '../components/plot.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { Calls, Gates, SpanTabs } from '../components/traffic.tsx';
import { Again, factsOf } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import { BrokersFirstCall } from '../forms/checklist.tsx';
import { Problem } from '../http/problem.ts';
import { readChoice, readParam, readQuery } from '../http/query.ts';
import type { ConsoleOptions } from '../http/section.ts';
import { KeyActions, limitHint } from './broker-keys.tsx';
import { OperationCell, When } from './calls.tsx';
import { ShownOnce } from './shown-once.tsx';

/** One key, its traffic and its latest calls, and the forms that change it. */
export async function key(app: FastifyInstance, { context, processInfo }: ConsoleOptions) {
  const path = '/brokers/:broker/keys/:key_id';
  const show: Show = async (request, reply, refused) => {
    const span = readChoice(readQuery(request).get('span'), SPANS) ?? '24h';
    const names = { broker: readParam(request, 'broker'), keyId: readParam(request, 'key_id') };
    const use = await showKeyUse(context, { ...names, span });
    return reply.view(<KeyDetail use={use} span={span} refused={refused} />, refusedStatus(refused));
  };
  app.get(path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  /** The key of the path; throws unless it is this broker's. */
  const record = async (request: FastifyRequest) => {
    const key = await showKey.run(context, { key_id: readParam(request, 'key_id') });
    if (key.broker.slug !== readParam(request, 'broker'))
      throw new Problem(404, 'Not found', 'The broker has no such key.');
    return key;
  };
  const named = async (request: FastifyRequest) => ({ key_id: (await record(request)).key_id });
  for (const each of [setKey, revokeKey]) addAction(app, each, { path, show, named, record });
  const to = ({ key_id }: { key_id: string }, request: FastifyRequest) =>
    pathOf.keyUse(readParam(request, 'broker'), key_id);
  const answer = newKeyAnswer(processInfo, to);
  addAction(app, rotateKey, { path, show, named, record, answer });
}

/** Shows a new key: whose it is, and what the broker does with it. `to`: where the page leads then. */
export const newKeyAnswer =
  (
    { apiUrl }: Pick<ConsoleOptions['processInfo'], 'apiUrl'>,
    to: (key: { key_id: string }, request: FastifyRequest) => string,
  ) =>
  async (
    { record, text }: { record: { key_id: string; key: string }; text: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const { name, broker } = await showKey.run(request.context, { key_id: record.key_id });
    const page = {
      title: `New key “${name}” of ${broker.name}`,
      section: '/brokers',
      crumbs: crumbsOf(broker),
      here: 'New key',
      secret: record.key,
      text,
      next: to(record, request),
    };
    return reply.view(
      <ShownOnce {...page}>
        <p>The broker’s first call, with the key in place of KEY, shows whether it works:</p>
        <BrokersFirstCall apiUrl={apiUrl} />
      </ShownOnce>,
      201,
    );
  };

const crumbsOf = ({ slug, name }: { slug: string; name: string }) => [
  { label: 'Brokers', to: '/brokers' },
  { label: name, to: pathOf.broker(slug) },
];

function KeyDetail({ use, span, refused }: { use: KeyUse; span: SpanName; refused: Refused | undefined }) {
  const { key, traffic, kinds, calls } = use;
  const { broker } = key;
  const turnedAway = traffic.calls - traffic.ends.answered;
  return (
    <Page
      title={key.key_prefix}
      section="/brokers"
      plots
      crumbs={crumbsOf(broker)}
      here={<bdi>{key.name}</bdi>}
      state={<Badge state={key.key_state} />}
      actions={
        <>
          <AuditLink subject={`key/${key.key_id}`} />
          <KeyActions slug={broker.slug} line={key} />
          <SpanTabs span={span} />
        </>
      }
    >
      <Again refused={refused} hints={limitHint(key)} />
      {key.key_state === 'active' ? null : (
        <p class="notice bad">The key is {key.key_state}: calls with it get 401, and are not counted for any key.</p>
      )}
      {key.rotated_to_id === null ? null : (
        <p class="notice">
          It was rotated: <a href={pathOf.keyUse(broker.slug, key.rotated_to_id)}>its new key</a> takes its place
          {key.key_state === 'active' ? (
            <>
              , and this one ends <Time at={key.expires_date} />
            </>
          ) : null}
          .
        </p>
      )}
      <Live>
        <div class="figures">
          <Figure title="Calls" value={number(traffic.calls)}>
            {number(traffic.calls_before)} in the period before
            {use.busiest_minute === null ? null : (
              <>
                {' '}
                · most in a minute: {number(use.busiest_minute.calls)}, <Time at={use.busiest_minute.date} />
              </>
            )}
          </Figure>
          <Figure title="Refused or failed" value={number(turnedAway)} warn={turnedAway * 4 > traffic.calls}>
            {number(traffic.ends.limited)} by the rate limit
          </Figure>
          <Figure title="Answered in" value={milliseconds(traffic.p50_ms)}>
            {milliseconds(traffic.p95_ms)} 95th · {milliseconds(traffic.p99_ms)} 99th
          </Figure>
          <Figure title="Last used" value={<Time at={key.last_used_date} never="never" />}>
            {key.last_used_ip ? `from ${key.last_used_ip}` : null}
          </Figure>
        </div>
        <div class="columns record">
          <div class="stack">
            <Calls traffic={traffic} of={`/calls?${new URLSearchParams({ key: key.key_prefix })}`} />
            <Card
              title="Latest single calls"
              aside={<a href={`/calls?${new URLSearchParams({ key: key.key_prefix, since: span })}`}>All of them</a>}
            >
              <Table
                label="Latest single calls"
                columns={CALL_COLUMNS}
                rows={calls}
                empty={<p>None in this period. Changes and refused calls are recorded one by one.</p>}
              />
            </Card>
          </div>
          <div class="stack">
            <Card title="About">
              <Facts
                rows={[
                  ...factsOf(setKey, key).map(([name, value]): [string, string] => [
                    name,
                    value === 'default' ? `${value}: ${number(key.limit_in_force)}` : value,
                  ]),
                  ['Id', <CopiedId id={key.key_id} />],
                  key.rotated_from_id === null
                    ? null
                    : ['Replaces', <a href={pathOf.keyUse(broker.slug, key.rotated_from_id)}>the key before it</a>],
                ]}
              />
            </Card>
            <Gates traffic={traffic} />
            <Card title="By operation">
              <Table
                label="By operation"
                columns={KIND_COLUMNS}
                rows={kinds}
                empty={<p>The key was not used in this period.</p>}
              />
            </Card>
          </div>
        </div>
      </Live>
    </Page>
  );
}

const KIND_COLUMNS: Array<Column<KeyUse['kinds'][number]>> = [
  {
    title: 'Operation and outcome',
    cell: ({ operation, outcome, end }) => (
      <>
        <span class="mono">{operation}</span> <span class={end === 'answered' ? 'quiet' : undefined}>{outcome}</span>
      </>
    ),
  },
  { title: 'Calls', figure: true, cell: ({ calls }) => number(calls) },
];

const CALL_COLUMNS: Array<Column<KeyUse['calls'][number]>> = [
  { title: 'When', cell: (line) => <When line={line} /> },
  {
    title: 'Operation',
    cell: ({ code, ...line }) => (
      <>
        <OperationCell line={line} /> {code ? <span class="quiet">{code}</span> : null}
      </>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, code }) => <Tag tone={code === null ? 'good' : 'bad'}>{String(status)}</Tag>,
  },
  { title: 'Service', cell: (call) => <NamedService of={call} /> },
  { title: 'From', wide: true, cell: ({ client_ip }) => <span class="mono">{client_ip}</span> },
];
