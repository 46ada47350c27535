import type { FastifyInstance } from 'fastify';
import { pageTemplates, TEMPLATE_KINDS, type TemplatePage } from '../../src/operator/templates.ts';
import { Badge, sentence } from '../components/badge.tsx';
import { Filters } from '../components/filters.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, pathOf } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table } from '../components/table.tsx';
import { queryOf } from '../query.ts';
import type { ConsoleOptions, Section } from '../section.ts';
import { template } from './template.tsx';

/** The brokers' mails to their clients: who has which, and each of them with its editor. */
export const templates: Section = {
  label: 'Templates',
  path: '/templates',
  async routes(app, options) {
    await list(app, options);
    await template(app, options);
  },
};

async function list(app: FastifyInstance, { context }: ConsoleOptions) {
  app.get('/templates', { config: { role: 'viewer' } }, async (request, reply) => {
    const query = queryOf(request);
    const search = query.get('q');
    const page = await pageTemplates(context, { search, page: query.page() });
    return reply.view(<List page={page} search={search} />);
  });
}

type Line = TemplatePage['items'][number];

const COLUMNS: Array<Column<Line>> = [
  { title: 'Broker', cell: ({ slug, name }) => <BrokerLink slug={slug} name={name} /> },
  ...TEMPLATE_KINDS.map((kind) => ({
    title: sentence(kind),
    named: true,
    cell: ({ slug, name, templates }: Line) => {
      const standing = templates.find((each) => each.kind === kind);
      return (
        <a href={pathOf.template(slug, kind)}>
          <span class="unseen">
            {sentence(kind)} of {name}:{' '}
          </span>
          <Badge state={standing ? (standing.active ? 'active' : 'inactive') : 'none'} />
        </a>
      );
    },
  })),
];

function List({ page, search }: { page: TemplatePage; search: string | undefined }) {
  return (
    <Page title="Templates" section="/templates">
      <Filters
        action="/templates"
        of="templates"
        search={{ name: 'q', label: 'Broker’s name or slug', value: search }}
      />
      <div id="templates" class="card flush">
        <Table
          label="Templates"
          columns={COLUMNS}
          rows={page.items}
          empty={
            search === undefined ? (
              <p>
                There is no broker yet. <a href="/brokers">Add one</a> first: templates are each broker’s own.
              </p>
            ) : (
              <p>
                No broker matches. <a href="/templates">Show all</a>
              </p>
            )
          }
        />
        <Pager pagination={page.pagination} noun="brokers" />
      </div>
    </Page>
  );
}
