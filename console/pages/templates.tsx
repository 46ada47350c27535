import { pageTemplates, TEMPLATE_KINDS, type TemplatePage } from '../../src/operator/mail/templates.ts';
import { Badge, sentence, Tag } from '../components/badge.tsx';
import { BrokerLink, pathOf } from '../components/links.tsx';
import type { Section } from '../http/section.ts';
import { addList, type List } from '../lists/list-page.tsx';
import { template } from './template.tsx';

/** Which broker has which email templates, and their editor. */
export const templates: Section = {
  label: 'Templates',
  path: '/templates',
  async routes(app, options) {
    addList(app, options, LIST);
    await template(app, options);
  },
};

/** Without it no warning can be sent; any other kind is optional. */
const REQUIRED = 'cancellation-warning';

function State({ kind, state }: { kind: string; state: string | null }) {
  if (state !== null && (kind !== REQUIRED || state === 'active')) return <Badge state={state} />;
  return kind === REQUIRED ? <Tag tone="bad">{state ?? 'missing'}</Tag> : <span class="quiet">none</span>;
}

type Row = TemplatePage['items'][number];

const stateOf = ({ templates }: Row, kind: string) => templates.find((each) => each.kind === kind)?.state ?? null;

const LIST: List<Row, 'q'> = {
  title: 'Templates',
  path: '/templates',
  noun: 'brokers',
  filters: { q: { type: 'text', label: 'Broker’s name or slug', size: 30 } },
  columns: [
    { title: 'Broker', value: ({ slug }) => slug, cell: ({ slug, name }) => <BrokerLink slug={slug} name={name} /> },
    ...[REQUIRED, ...TEMPLATE_KINDS.filter((kind) => kind !== REQUIRED)].map((kind) => ({
      title: kind === REQUIRED ? `${sentence(kind)} (required)` : sentence(kind),
      named: true,
      value: (row: Row) => stateOf(row, kind),
      cell: (row: Row) => {
        const { slug, name } = row;
        return (
          <a href={pathOf.template(slug, kind)}>
            <span class="visually-hidden">
              {sentence(kind)} of {name}:{' '}
            </span>
            <State kind={kind} state={stateOf(row, kind)} />
          </a>
        );
      },
    })),
  ],
  csv: 'columns',
  load: (context, { q }, { page, perPage }) => pageTemplates(context, { search: q, page, perPage }),
  empty: (
    <>
      There are no brokers yet. <a href="/brokers">Add one</a> first: every broker has its own templates.
    </>
  ),
};
