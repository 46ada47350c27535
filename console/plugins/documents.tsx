import { readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { packageFile } from '../../src/paths.ts';
import { htmlOf } from '../../src/reference/guides.ts';
import { Page } from '../components/layout.tsx';

/** What the pages refer operators to, and what these refer to; the guides of callers stand beside their APIs. */
const NAMES = ['operate', 'parts', 'recipes', 'provisioner', 'imports'] as const;

export type DocumentName = (typeof NAMES)[number];

/** A link in Markdown to a file that is no page here. */
const ELSEWHERE = new RegExp(`\\[([^\\]]+)\\]\\((?!https?:|#|(?:${NAMES.join('|')})\\.md)[^)]*\\)`, 'g');

/** Documents of the package. */
export default fp(
  async (app) => {
    for (const name of NAMES) {
      const markdown = readFileSync(packageFile(`docs/${name}.md`), 'utf8');
      const [, title = name, text = ''] = /^# (.*)\n([\s\S]*)$/.exec(markdown) ?? [];
      const html = htmlOf(text.replace(ELSEWHERE, '$1'));
      app.get(`/docs/${name}.md`, { config: { role: 'viewer' } }, async (_request, reply) =>
        reply.view(
          <Page title={title} section="/system" crumbs={[{ label: 'System', to: '/system' }]}>
            <article class="card guide">{html}</article>
          </Page>,
        ),
      );
    }
  },
  { name: 'console-documents', dependencies: ['console-sessions'], fastify: '5.x' },
);
