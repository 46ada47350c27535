import { type AuditPage, exportAudit, pageAudit } from '../../src/operator/audit/audit.ts';
import { Tag } from '../components/badge.tsx';
import { pathOf, ServiceLink, shortenSubject, Truncated } from '../components/links.tsx';
import { type Column, withQuery } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { useOperator, useView } from '../components/view.ts';
import type { Routes, Section } from '../http/section.ts';
import { addList, brokerFilter, csvFile, filterValues, type List } from '../lists/list-page.tsx';

const routes: Routes = async (app, options) => {
  addList(app, options, LIST);
  const { context } = options;
  app.get('/audit.csv', { config: { role: 'viewer' } }, (request, reply) =>
    reply.sendExport({
      ...csvFile(LIST.path, context.clock.now()),
      make: () => exportAudit(context, filterValues(LIST.filters, request)),
    }),
  );
};

/** Who changed what, when and from where, with the values before and after. */
export const auditPage: Section = { label: 'Audit', path: '/audit', routes };

type Row = AuditPage['items'][number];

const COLUMNS: Array<Column<Row>> = [
  { title: 'When', cell: ({ date }) => <Time at={date} /> },
  { title: 'Who', cell: (row) => <Actor row={row} /> },
  { title: 'Action', cell: ({ action }) => <FilterLink name="action" value={action} label={action} /> },
  { title: 'Subject', cell: (row) => <Subject row={row} /> },
  { title: 'Values', cell: (row) => <Values row={row} /> },
  { title: 'From', wide: true, cell: ({ client_ip }) => <span class="mono quiet">{client_ip}</span> },
];

const LIST: List<Row, 'actor' | 'action' | 'subject' | 'broker' | 'since' | 'until'> = {
  title: 'Audit',
  path: '/audit',
  noun: 'changes',
  chips: true,
  filters: {
    actor: { type: 'text', label: 'Who: an operator, a key' },
    action: { type: 'text', label: 'Action, such as key.revoke' },
    subject: { type: 'text', label: 'Subject: a number, an id' },
    broker: brokerFilter,
    since: { type: 'date', label: 'From' },
    until: { type: 'date', label: 'Before' },
  },
  columns: COLUMNS,
  load: (context, values, { page }) => pageAudit(context, { ...values, page }),
  rowId: ({ audit_id }) => audit_id,
  empty: 'Nothing has been changed yet. Every change will be listed here, with who made it.',
  csv: 'own',
};

/** A value that filters the list by itself. */
function FilterLink({ name, value, label }: { name: string; value: string; label: string }) {
  const { url } = useView();
  return <Truncated text={label} href={withQuery(url, { [name]: value, page: undefined })} />;
}

function Actor({ row: { actor, actor_kind, key_prefix } }: { row: Row }) {
  const isKey = actor_kind === 'api_key';
  return (
    <span class={isKey ? 'line mono' : 'line'}>
      <FilterLink name="actor" value={actor} label={(isKey && key_prefix) || actor} />{' '}
      {actor_kind === 'command' ? <Tag tone="none">command</Tag> : null}
    </span>
  );
}

/** What has been removed stands as text, and what this operator may not open. */
function Subject({ row }: { row: Row }) {
  const { subject, broker, broker_exists, subject_exists, service_number } = row;
  const { role } = useOperator();
  const opens = subject_exists && (role === 'admin' || !subject.startsWith('operator/'));
  return (
    <span class="audited">
      <Truncated text={subject} shown={shortenSubject(subject)} href={opens ? pathOf.subject(row) : undefined} />{' '}
      {service_number === null ? null : (
        <span class="quiet line">
          service <ServiceLink number={service_number} />{' '}
        </span>
      )}
      {broker !== null && subject !== `broker/${broker}` ? (
        <span class="quiet">of {broker_exists ? <a href={pathOf.broker(broker)}>{broker}</a> : broker}</span>
      ) : null}
    </span>
  );
}

/** What fits on one line beside the rest; what is longer opens with a click. */
const MAX_INLINE = 60;
const MAX_VALUE = 500;

function Values({ row: { before, after } }: { row: Row }) {
  const [was, is] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const lines = names.map((name) => (
    <li>
      <span class="quiet">{name}</span> {was.has(name) ? <del>{textOf(was.get(name))}</del> : null}
      {was.has(name) && is.has(name) ? ' → ' : null}
      {is.has(name) ? <ins>{textOf(is.get(name))}</ins> : null}
    </li>
  ));
  const summary = names
    .map((name) => {
      const values = [was, is].filter((side) => side.has(name)).map((side) => textOf(side.get(name)));
      return `${name} ${values.join(' → ')}`;
    })
    .join(', ');
  if (lines.length === 0) return null;
  if (lines.length === 1 && summary.length <= MAX_INLINE) return <ul class="values">{lines}</ul>;
  return (
    <details class="values">
      <summary>{summary.slice(0, MAX_VALUE)}</summary>
      <ul>{lines}</ul>
    </details>
  );
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
