import { readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { packageFile } from '../../src/paths.ts';

/** What the pages refer operators to; the guides of callers stand beside their APIs. */
const NAMES = ['operate', 'parts'] as const;

export type DocumentName = (typeof NAMES)[number];

/** Documents of the package as plain text, which a browser shows as it is. */
export default fp(
  async (app) => {
    for (const name of NAMES) {
      const text = readFileSync(packageFile(`docs/${name}.md`), 'utf8');
      app.get(`/docs/${name}.md`, { config: { role: 'viewer' } }, async (_request, reply) =>
        reply.type('text/plain; charset=utf-8').send(text),
      );
    }
  },
  { name: 'console-documents', dependencies: ['console-sessions'], fastify: '5.x' },
);
