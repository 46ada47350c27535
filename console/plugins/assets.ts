import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import fp from 'fastify-plugin';
import { packageFile } from '../../src/paths.ts';

const packaged = createRequire(import.meta.url).resolve;

/** The files that browsers load: the console's own, and those of packages. */
const FILES = {
  'console.css': { type: 'text/css; charset=utf-8', path: packageFile('console/assets/console.css') },
  'console.js': { type: 'text/javascript; charset=utf-8', path: packageFile('console/assets/console.js') },
  'icon.svg': { type: 'image/svg+xml', path: packageFile('console/assets/icon.svg') },
  'htmx.js': {
    type: 'text/javascript; charset=utf-8',
    path: packaged('htmx.org/dist/htmx.min.js'),
  },
  'uplot.js': { type: 'text/javascript; charset=utf-8', path: packaged('uplot/dist/uPlot.iife.min.js') },
  'uplot.css': { type: 'text/css; charset=utf-8', path: packaged('uplot/dist/uPlot.min.css') },
} as const;

export type AssetName = keyof typeof FILES;

declare module 'fastify' {
  interface FastifyInstance {
    /** A file's path, which changes with its content. */
    asset(name: AssetName): string;
  }
}

/** Serves a few dozen kilobytes from memory. */
export default fp(
  async (app) => {
    const loaded = Object.entries(FILES).map(([name, { type, path }]) => {
      const body = readFileSync(path);
      const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10);
      return { name, type, body, zipped: gzipSync(body), url: `/assets/${hash}/${name}` };
    });
    const urls = new Map<string, string>(loaded.map(({ name, url }) => [name, url]));
    app.decorate('asset', (name: AssetName) => urls.get(name) as string);
    for (const { url, type, body, zipped } of loaded) {
      app.get(url, { config: { role: 'public' } }, async (request, reply) => {
        const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']));
        reply.type(type).staticCache('365d').vary('accept-encoding');
        if (zips) reply.header('content-encoding', 'gzip');
        return reply.send(zips ? zipped : body);
      });
    }
  },
  { name: 'console-assets', dependencies: ['@fastify/sensible', 'console-sessions'], fastify: '5.x' },
);
