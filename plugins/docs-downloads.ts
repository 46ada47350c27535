import { readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { archiveFile, type StaticFile, serveStatic, staticFile } from '../src/http/static-files.ts';
import { DOWNLOADS } from '../src/reference/downloads.ts';

/**
 * The typed client and the other build products below /api/docs (contract, section 1), from the table in
 * src/reference/downloads.ts. Each file is read on its first request and then kept in memory.
 */
export default fp(
  async (app) => {
    const files = DOWNLOADS.map(({ path, type, file }) => {
      let made: StaticFile | undefined;
      const find = () => {
        const at = new URL(`./docs-downloads/${file}`, import.meta.url);
        made ??= /^application\/(gzip|zip)$/.test(type)
          ? archiveFile(type, readFileSync(at))
          : staticFile(type, readFileSync(at));
        return made;
      };
      return [`/api/docs${path}`, find] as const;
    });
    serveStatic(app, Object.fromEntries(files));
  },
  { name: 'docs-downloads', dependencies: ['@fastify/sensible'], fastify: '5.x' },
);
