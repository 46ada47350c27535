import { readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { htmlOf, sectionsOf } from '../../src/reference/guides.ts';
import { packageFile } from '../../src/runtime/paths.ts';
import { Page } from '../components/layout.tsx';
import { DOCUMENTS } from '../http/documents.ts';

/** A link in Markdown to a file that is no page here. */
const ELSEWHERE = new RegExp(`\\[([^\\]]+)\\]\\((?!https?:|#|(?:${DOCUMENTS.join('|')})\\.md)([^)#]*)[^)]*\\)`, 'g');

/** Such a link as text: with the file, unless it is called like that. */
const asText = (_link: string, text: string, path: string): string => {
  const file = path.replace(/^(\.\.\/)?/, (up) => (up === '' ? 'docs/' : ''));
  return file.endsWith(text) ? file : `${text} (${file})`;
};

/** Documents of the package. */
export default fp(
  async (app) => {
    for (const name of DOCUMENTS) {
      const markdown = readFileSync(packageFile(`docs/${name}.md`), 'utf8');
      const [, title = name, text = ''] = /^# (.*)\n([\s\S]*)$/.exec(markdown) ?? [];
      const html = htmlOf(text.replace(ELSEWHERE, asText));
      const sections = sectionsOf({ guides: `/docs/${name}.md` }, text);
      app.get(`/docs/${name}.md`, { config: { role: 'viewer' } }, async (_request, reply) =>
        reply.view(
          <Page title={title} section="/system" crumbs={[{ label: 'System', to: '/system' }]}>
            <nav class="card" aria-label="Contents">
              {sections.map(({ title: section, href }, index) => (
                <>
                  {index === 0 ? null : ' · '}
                  <a href={href}>{section}</a>
                </>
              ))}
            </nav>
            <article class="card guide">{html}</article>
          </Page>,
        ),
      );
    }
  },
  { name: 'console-documents', dependencies: ['console-sessions'], fastify: '5.x' },
);
