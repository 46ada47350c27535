import type { KeyPage } from '../../src/operator/access/key-use.ts';
import { createKey, type OwnedKey, revokeKey, rotateKey, setKey } from '../../src/operator/access/keys.ts';
import { Badge } from '../components/badge.tsx';
import { Card, number } from '../components/card.tsx';
import { pathOf, Truncated } from '../components/links.tsx';
import { More } from '../components/menu.tsx';
import { Pager } from '../components/pager.tsx';
import { Spark, short } from '../components/plot.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { ActionForm } from '../forms/action-form.tsx';

type KeyItem = KeyPage['items'][number];

/** A broker's keys, page by page. */
export function Keys({
  slug,
  keys,
  active,
  isSuspended,
  defaultLimit,
}: {
  slug: string;
  keys: KeyPage;
  /** Those that can be used once the broker is not suspended. */
  active: number;
  isSuspended: boolean;
  defaultLimit: number;
}) {
  const admin = useOperator().role === 'admin';
  return (
    <Card
      title="Keys"
      id="keys"
      aside={
        <>
          <span class="quiet">
            {isSuspended ? 'all are refused' : `${number(active)} of ${number(keys.pagination.total)} active`}
          </span>
          <ActionForm useCase={createKey} at={`${pathOf.broker(slug)}/keys`} hints={newLimitHint(defaultLimit)} />
        </>
      }
    >
      <Table
        label="Keys"
        columns={admin ? [...columnsOf(slug), actions(slug)] : columnsOf(slug)}
        rows={keys.items}
        rowId={({ key_id }) => key_id}
        empty={
          <p>No key yet. {admin ? 'Create one: it is shown once, for the broker.' : 'An admin can create one.'}</p>
        }
      />
      {keys.pagination.totalPages > 1 ? <Pager pagination={keys.pagination} noun="keys" name="keys" /> : null}
    </Card>
  );
}

const columnsOf = (slug: string): Array<Column<KeyItem>> => [
  {
    title: 'Key',
    cell: ({ key_id, key_prefix }) => (
      <a href={pathOf.keyUse(slug, key_id)} class="mono">
        {key_prefix}
      </a>
    ),
  },
  {
    title: 'Name',
    cell: ({ name, key_state, expires_date }) => (
      <>
        <Truncated text={name} /> {key_state === 'active' ? null : <Badge state={key_state} />}
        {key_state === 'active' && expires_date !== null ? (
          <span class="quiet">
            ends <Time at={expires_date} />
          </span>
        ) : null}
      </>
    ),
  },
  { title: 'Scopes', wide: true, cell: ({ scopes }) => <span class="quiet">{scopes.join(' ') || 'none'}</span> },
  {
    title: 'Limit',
    figure: true,
    wide: true,
    cell: ({ rate_limit, limit_in_force }) =>
      rate_limit === null ? (
        <span class="quiet" title="The server’s default">
          default: {number(limit_in_force)}
        </span>
      ) : (
        number(rate_limit)
      ),
  },
  {
    title: 'Last used',
    named: true,
    cell: ({ last_used_date, last_used_ip }) => (
      <span class="quiet">
        <Time at={last_used_date} never="never" />{' '}
        {last_used_ip ? (
          <span class="wide-only cut" title={last_used_ip}>
            · {last_used_ip}
          </span>
        ) : null}
      </span>
    ),
  },
  {
    title: 'Calls, 24 h',
    figure: true,
    cell: ({ use: { calls, refused } }) => (
      <span
        title={`${number(calls)} calls, ${number(refused)} refused`}
        class={isBad(calls, refused) ? 'warn' : undefined}
      >
        {short(calls)}
      </span>
    ),
  },
  {
    title: 'Over time',
    untitled: true,
    wide: true,
    cell: ({ use: { calls, refused, points } }) => <Spark points={points} warn={isBad(calls, refused)} />,
  },
];

/** A quarter or more refused calls point to a broken integration. */
const isBad = (calls: number, refused: number): boolean => refused * 4 > calls;

const actions = (slug: string): Column<KeyItem> => ({
  title: 'What can be done',
  untitled: true,
  cell: (key) =>
    key.key_state === 'revoked' ? null : (
      <More of={key.name}>
        <KeyActions slug={slug} line={key} />
      </More>
    ),
});

/** What can be done with a key: nothing with one that is revoked, and one that was replaced is not extended. */
export function KeyActions({ slug, line }: { slug: string; line: OwnedKey }) {
  const { key_id: id, key_state: state, rotated_to_id: successor } = line;
  if (state === 'revoked') return null;
  const common = { at: pathOf.keyUse(slug, id), record: line, of: line.name, row: id };
  return (
    <>
      {state === 'active' && successor === null ? <ActionForm {...common} useCase={rotateKey} /> : null}
      {state === 'active' || successor === null ? (
        <ActionForm
          {...common}
          useCase={setKey}
          hints={limitHint(line)}
          label={state === 'expired' ? 'Extend or edit' : undefined}
        />
      ) : null}
      <ActionForm {...common} useCase={revokeKey} />
    </>
  );
}

/** The same for a key that is not made yet. */
export const newLimitHint = (defaultLimit: number) => ({
  rate_limit: `Empty: the server’s default, ${number(defaultLimit)}`,
});

/** The form of a limit says which number it begins with. */
export const limitHint = ({ rate_limit, limit_in_force }: Pick<OwnedKey, 'rate_limit' | 'limit_in_force'>) => ({
  rate_limit:
    rate_limit === null ? `Empty: the server’s default, ${number(limit_in_force)}` : 'Empty: the server’s default',
});
