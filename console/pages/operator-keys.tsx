import {
  createOperatorKey,
  listOperatorKeys,
  type OperatorKeyRecord,
  revokeOperatorKey,
  showOperatorKey,
} from '../../src/operator/people/operator-keys.ts';
import { Badge } from '../components/badge.tsx';
import { FirstCall } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf, Truncated } from '../components/links.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { ActionForm, Again } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import { readParam } from '../http/query.ts';
import type { Section } from '../http/section.ts';
import { ShownOnce } from './shown-once.tsx';

const PATH = '/operator-keys';

/** The keys of the operator's API, for the operator's own systems. */
export const operatorKeys: Section = {
  label: 'Operator keys',
  path: PATH,
  role: 'admin',
  async routes(app, { context, consoleUrl, operatorApi }) {
    const show: Show = async (_request, reply, refused) => {
      const { records } = await listOperatorKeys.run(context, {});
      return reply.view(<Keys rows={records} operatorApi={operatorApi} refused={refused} />, refusedStatus(refused));
    };
    app.get(PATH, { config: { role: 'admin' } }, (request, reply) => show(request, reply));
    addAction(app, createOperatorKey, {
      path: PATH,
      show,
      answer: async ({ record: key, text }, _request, reply) => {
        const page = { secret: key.key, text, next: pathOf.operatorKey(key.key_id), section: PATH };
        return reply.view(
          <ShownOnce {...page} title={`New operator key “${key.name}”`}>
            <p>A first call, with the key in place of KEY, shows whether it works:</p>
            <FirstCall url={`${consoleUrl}/operator/v1/status`} />
          </ShownOnce>,
          201,
        );
      },
    });
    addAction(app, revokeOperatorKey, {
      path: `${PATH}/:key_id`,
      show,
      record: (request) => showOperatorKey(context, { key_id: readParam(request, 'key_id') }),
      back: () => PATH,
    });
  },
};

interface KeysProps {
  rows: OperatorKeyRecord[];
  operatorApi: boolean;
  refused: Refused | undefined;
}

const Keys = ({ rows, operatorApi, refused }: KeysProps) => (
  <Page title="Operator keys" actions={<ActionForm useCase={createOperatorKey} at={PATH} tone="main" />}>
    <Again refused={refused} />
    {operatorApi ? (
      <p class="quiet">
        Billing, provisioning and other systems of yours do with such a key what its role may do here: the{' '}
        <a href="/operator/docs" target="_blank" rel="noopener">
          guide and reference
        </a>{' '}
        (a new tab). Brokers get their own keys, on their pages.
      </p>
    ) : (
      <p class="notice warn">The operator’s API is off (OPERATOR_API): no key is accepted.</p>
    )}
    <div class="card flush">
      <Table
        label="Operator keys"
        columns={COLUMNS}
        rows={rows}
        rowId={({ key_id }) => key_id}
        empty={<p>No key yet. Create one for each system: its name, its role, and the addresses that it calls from.</p>}
      />
    </div>
  </Page>
);

const COLUMNS: Array<Column<OperatorKeyRecord>> = [
  { title: 'Key', cell: ({ key_prefix }) => <span class="mono">{key_prefix}</span> },
  {
    title: 'Name',
    cell: ({ name, key_status }) => (
      <>
        <Truncated text={name} /> {key_status === 'active' ? null : <Badge state={key_status} />}
      </>
    ),
  },
  { title: 'Ends', named: true, cell: ({ expires_date }) => <Time at={expires_date} never="never" /> },
  { title: 'Role', cell: ({ role }) => role },
  {
    title: 'Addresses',
    wide: true,
    cell: ({ addresses }) => <span class="quiet">{addresses.join(', ') || 'everywhere'}</span>,
  },
  {
    title: 'Changes',
    wide: true,
    cell: ({ name, key_prefix }) => <a href={pathOf.auditOf(`${name} (${key_prefix})`)}>Audit trail</a>,
  },
  {
    title: 'Last used',
    wide: true,
    cell: ({ last_used_date, last_used_ip }) => (
      <>
        <Time at={last_used_date} never="never" />{' '}
        {last_used_ip ? <span class="quiet mono">{last_used_ip}</span> : null}
      </>
    ),
  },
  {
    title: 'What can be done',
    untitled: true,
    cell: (key) =>
      key.key_status === 'active' ? (
        <ActionForm
          useCase={revokeOperatorKey}
          at={`${PATH}/${encodeURIComponent(key.key_id)}`}
          record={key}
          of={key.name}
          row={key.key_id}
        />
      ) : null,
  },
];
