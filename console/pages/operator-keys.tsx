import type { FastifyInstance } from 'fastify';
import {
  createOperatorKey,
  type OperatorKeyRecord,
  revokeOperatorKey,
  showOperatorKey,
} from '../../src/operator/operator-keys.ts';
import { addAction, type Show } from '../actions.tsx';
import { Action } from '../components/action.tsx';
import { Badge } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { pathOf, Truncated } from '../components/links.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { param } from '../query.ts';
import type { ConsoleOptions } from '../section.ts';

const PATH = '/operator-keys';

/** The forms of the keys of the operator's API, which stand on the page of the people. */
export function addOperatorKeys(app: FastifyInstance, { context }: ConsoleOptions, people: string, show: Show): void {
  addAction(app, createOperatorKey, { path: PATH, show, back: () => people });
  addAction(app, revokeOperatorKey, {
    path: `${PATH}/:key_id`,
    show,
    record: (request) => showOperatorKey(context, { key_id: param(request, 'key_id') }),
    back: () => people,
  });
}

export const OperatorKeys = ({ rows }: { rows: OperatorKeyRecord[] }) => (
  <Card title="Keys of the operator’s API" id="keys" aside={<Action useCase={createOperatorKey} at={PATH} />}>
    <Table
      label="Keys of the operator’s API"
      columns={COLUMNS}
      rows={rows}
      rowId={({ key_id }) => key_id}
      empty={
        <p>
          No key yet. Billing, provisioning and other systems of yours call <a href="/operator/docs">this API</a> with
          one.
        </p>
      }
    />
  </Card>
);

const COLUMNS: Array<Column<OperatorKeyRecord>> = [
  { title: 'Key', cell: ({ key_prefix }) => <span class="mono">{key_prefix}</span> },
  {
    title: 'Name',
    cell: ({ name, key_status, expires_date }) => (
      <>
        <Truncated text={name} /> {key_status === 'active' ? null : <Badge state={key_status} />}
        {key_status === 'active' && expires_date !== null ? (
          <span class="quiet">
            ends <Timestamp at={expires_date} />
          </span>
        ) : null}
      </>
    ),
  },
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
    cell: ({ last_used_date }) => <Timestamp at={last_used_date} never="never" />,
  },
  {
    title: 'What can be done',
    untitled: true,
    cell: (key) =>
      key.key_status === 'active' ? (
        <Action
          useCase={revokeOperatorKey}
          at={`${PATH}/${encodeURIComponent(key.key_id)}`}
          record={key}
          of={key.name}
          row={key.key_id}
        />
      ) : null,
  },
];
