import { readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { archiveFile, type StaticFile, serveStatic, staticFile } from '../src/http/static-files.ts';
import { packageFile } from '../src/paths.ts';
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
        const at = packageFile(file);
        made ??= type === 'application/gzip' ? archiveFile(type, readFileSync(at)) : staticFile(type, readFileSync(at));
        return made;
      };
      return [`/api/docs${path}`, find] as const;
    });
    serveStatic(app, Object.fromEntries(files));
  },
  { name: 'docs-downloads', dependencies: ['@fastify/sensible'], fastify: '5.x' },
);
