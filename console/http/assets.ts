import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fp from 'fastify-plugin';
import { sendFile, staticFile } from '../../src/http/static-files.ts';
import { packageFile, smallerFile } from '../../src/runtime/paths.ts';

const packaged = createRequire(import.meta.url).resolve;

const minified = (name: string): string => smallerFile(`console/assets/${name}`);

/** The files that browsers load: the console's own, and those of packages. */
const FILES = {
  'console.css': {
    type: 'text/css; charset=utf-8',
    paths: [minified('palette.css'), minified('console.css')],
  },
  'console.js': { type: 'text/javascript; charset=utf-8', paths: [minified('console.js')] },
  // For lists with bars of calls.
  'bars.js': { type: 'text/javascript; charset=utf-8', paths: [minified('bars.js')] },
  'icon.svg': { type: 'image/svg+xml', paths: [packageFile('console/assets/icon.svg')] },
  'htmx.js': {
    type: 'text/javascript; charset=utf-8',
    paths: [packaged('htmx.org/dist/htmx.min.js')],
  },
  // For pages with plots alone.
  'plots.js': {
    type: 'text/javascript; charset=utf-8',
    paths: [packaged('uplot/dist/uPlot.iife.min.js'), minified('plots.js')],
  },
  'plots.css': {
    type: 'text/css; charset=utf-8',
    paths: [packaged('uplot/dist/uPlot.min.css'), minified('plots.css')],
  },
} as const;

export type AssetName = keyof typeof FILES;

declare module 'fastify' {
  interface FastifyInstance {
    /** A file's path, which changes with its content. */
    asset(name: AssetName): string;
  }
}

/** A file whose content changes gets another path. */
const KEPT = { 'cache-control': 'public, max-age=31536000, immutable' };

export default fp(
  async (app) => {
    const loaded = Object.entries(FILES).map(([name, { type, paths }]) => {
      const file = staticFile(type, Buffer.from(paths.map((path) => readFileSync(path, 'utf8')).join('\n')), KEPT);
      return { name, file, url: `/assets/${file.plain.etag.slice(1, 11)}/${name}` };
    });
    const urls = new Map<string, string>(loaded.map(({ name, url }) => [name, url]));
    app.decorate('asset', (name: AssetName) => urls.get(name) as string);
    for (const { url, file } of loaded) {
      app.get(url, { config: { role: 'public' } }, async (request, reply) => sendFile(request, reply, file));
    }
  },
  { name: 'console-assets', dependencies: ['@fastify/sensible', 'console-sessions'], fastify: '5.x' },
);
