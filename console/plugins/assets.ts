import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fp from 'fastify-plugin';
import { sendFile, staticFile } from '../../src/http/static-files.ts';
import { packageFile } from '../../src/paths.ts';

const packaged = createRequire(import.meta.url).resolve;

/** The files that browsers load: the console's own, and those of packages. */
const FILES = {
  'console.css': {
    type: 'text/css; charset=utf-8',
    paths: [packageFile('console/assets/palette.css'), packageFile('console/assets/console.css')],
  },
  'console.js': { type: 'text/javascript; charset=utf-8', paths: [packageFile('console/assets/console.js')] },
  // For lists with bars of calls.
  'bars.js': { type: 'text/javascript; charset=utf-8', paths: [packageFile('console/assets/bars.js')] },
  'icon.svg': { type: 'image/svg+xml', paths: [packageFile('console/assets/icon.svg')] },
  'htmx.js': {
    type: 'text/javascript; charset=utf-8',
    paths: [packaged('htmx.org/dist/htmx.min.js')],
  },
  // For pages with plots alone.
  'plots.js': {
    type: 'text/javascript; charset=utf-8',
    paths: [packaged('uplot/dist/uPlot.iife.min.js'), packageFile('console/assets/plots.js')],
  },
  'plots.css': {
    type: 'text/css; charset=utf-8',
    paths: [packaged('uplot/dist/uPlot.min.css'), packageFile('console/assets/plots.css')],
  },
} as const;

export type AssetName = keyof typeof FILES;

declare module 'fastify' {
  interface FastifyInstance {
    /** A file's path, which changes with its content. */
    asset(name: AssetName): string;
  }
}

/** A file without what only people read: comments on lines of their own, and blanks. Notices of licences stay. */
function lightened(path: string): string {
  const text = readFileSync(path, 'utf8').replace(/^\s*(\/\*(?!!).*\*\/|\/\/.*)?\n/gm, '');
  if (path.endsWith('.css'))
    return text
      .replace(/\s*([{};,])\s*/g, '$1')
      .replaceAll(';}', '}')
      .replace(/(?<=[{;][\w-]+:) /g, '');
  return text.replace(/^\s+/gm, '');
}

/** A file whose content changes gets another path. */
const KEPT = { 'cache-control': 'public, max-age=31536000, immutable' };

export default fp(
  async (app) => {
    const loaded = Object.entries(FILES).map(([name, { type, paths }]) => {
      const file = staticFile(type, Buffer.from(paths.map((path) => lightened(path)).join('\n')), KEPT);
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
