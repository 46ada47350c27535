import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import {
  archiveFile,
  type StaticFile,
  sendFile,
  serveStatic,
  staticFile,
  templateFile,
} from '../src/http/static-files.ts';
import { baseUrlOf, splitAtBaseUrl } from '../src/reference/address.ts';
import type { Api } from '../src/reference/api.ts';
import { docsOf } from '../src/reference/docs.ts';
import { operationPage, pagesBelow } from '../src/reference/guides.ts';
import { INTEGRATIONS, integrationArchive } from '../src/reference/integrations.ts';
import type { DescribedApi } from '../src/reference/operations.ts';
import { pagesOf } from '../src/reference/pages.tsx';
import { plainText } from '../src/reference/plain-text.ts';
import { packageFile } from '../src/runtime/paths.ts';
import { VERSION } from '../src/runtime/version.ts';

export interface DocsPageOptions {
  /** The public demo key of the sandbox, where it is active; it fills the samples. */
  demoKey?: string | undefined;
  /** The server's address for callers, where it is set. */
  publicUrl?: string | undefined;
  api: Api;
  /** The guides: Markdown whose links stay on this server. */
  guides(): string;
  /** Clients to download, and what has changed. */
  downloads: boolean;
}

/** The pages need no script; the only one adds buttons that copy a sample. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';
/** Clients of one file, which name the caller's base address. */
const EXAMPLES = ['broker.php', 'broker.py'];

const file = (path: string) => readFileSync(packageFile(path));

const V1_PAGE = '/api/docs';
const CHANGELOG = `${V1_PAGE}/changelog.md`;

/** What integrators read, in this order: the first one whole, of the others what follows their introductions. */
const GUIDES = ['integrate', 'panels', 'sandbox', 'guarantees'];
const LINKS_TO_GUIDES = new RegExp(`\\]\\((?:${GUIDES.join('|')})\\.md`, 'g');

/** The guides that integrators need, as one text whose links stay on this server. */
export const integratorGuides = (): string =>
  GUIDES.map((name) => file(`docs/${name}.md`).toString())
    .map((guide, index) => (index === 0 ? guide : guide.replace(/^# [^#]*/, '')))
    .join('\n')
    .replaceAll(LINKS_TO_GUIDES, `](${V1_PAGE}`)
    .replaceAll('](../CHANGELOG.md', `](${CHANGELOG}`)
    .replaceAll(/\[([^\]]*)\]\([\w-]+\.md[^)]*\)/g, '$1');

/** The guide of the operator's API. */
export const operatorGuide = (): string =>
  String(file('docs/operator-api.md')).replaceAll(/\[([^\]]*)\]\([\w-]+\.md[^)]*\)/g, '$1');

/**
 * The documentation below `docs` and the OpenAPI document (contract, section 1): guides, a page for each operation, errors and a search, all of
 * it as plain text, and clients to download. Each text is made and compressed once, on the first request for it, and sent with the
 * address that the caller uses.
 */
export default fp<DocsPageOptions>(
  async (app, { demoKey, publicUrl, api, guides, downloads }) => {
    // Its routes may stand in a scope with the API's prefix.
    const at = pagesBelow(api.prefix);
    const page = at.guides;
    const below = (path: string) => path.slice(app.prefix.length);
    const makeSite = async () => {
      const document = app.openapiDocument();
      const docs = docsOf(api, document as DescribedApi, guides(), demoKey);
      const pages = pagesOf(docs);
      const texts: Array<[path: string, make: () => string]> = [
        [page, pages.guides],
        [at.reference, pages.reference],
        [at.errors, pages.errors],
        [`${page}/llms.txt`, () => plainText(docs)],
        [at.openapi, () => JSON.stringify(document)],
        [CHANGELOG, () => file('CHANGELOG.md').toString()],
        ...EXAMPLES.map((name): [string, () => string] => [
          `${page}/examples/${name}`,
          () => file(`docs/examples/${name}`).toString(),
        ]),
        ...docs.operations.map((operation): [string, () => string] => [
          operationPage(at, operation),
          () => pages.operation(operation),
        ]),
      ];
      const files = new Map(texts.map(([path, make]) => [path, once(() => fileOf(api, path, make()))]));
      return { files, search: pages.search() };
    };
    const site = once(makeSite);

    /** The file with the caller's base address; undefined where there is none of this path. */
    async function find(request: FastifyRequest, path: string): Promise<StaticFile | undefined> {
      return (await site()).files.get(path)?.()(baseUrlOf(api, request, publicUrl));
    }
    const examples = EXAMPLES.map((name) => `${page}/examples/${name}`);
    const plain = [at.openapi, `${page}/llms.txt`, ...(downloads ? [CHANGELOG, ...examples] : [])];
    for (const route of [page, at.reference, at.errors, `${at.reference}/:operation`, ...plain]) {
      app.get<{ Params: { operation?: string } }>(below(route), async (request, reply) => {
        const { operation } = request.params;
        const found = await find(request, operation === undefined ? route : `${at.reference}/${operation}`);
        return found === undefined ? reply.callNotFound() : sendFile(request, reply, found);
      });
    }
    app.get<{ Querystring: { q?: unknown } }>(below(`${page}/search`), async (request, reply) => {
      const { q } = request.query;
      const found = (await site()).search(typeof q === 'string' ? q : '');
      return reply
        .headers(HEADERS)
        .cacheControl('no-store')
        .type(HTML)
        .send(splitAtBaseUrl(api, found).join(baseUrlOf(api, request, publicUrl)));
    });
    for (const name of downloads ? Object.keys(INTEGRATIONS) : []) {
      const archive = once(() => integrationArchive(api, name));
      app.get(below(`${page}/integrations/${name}.tar.gz`), async (request, reply) =>
        sendFile(request, reply, archiveFile('application/gzip', archive()(baseUrlOf(api, request, publicUrl)))),
      );
    }
    serveStatic(app, {
      ...(downloads && {
        [below(`${page}/client.tgz`)]: once(() =>
          archiveFile('application/gzip', file(`dist/broker-api-client-${VERSION}.tgz`)),
        ),
      }),
      [below(`${page}/static/docs.css`)]: once(() =>
        staticFile(
          'text/css; charset=utf-8',
          Buffer.concat([file('console/assets/palette.css'), file('plugins/docs-page/docs.css')]),
        ),
      ),
      [below(`${page}/static/docs.js`)]: once(() =>
        staticFile('text/javascript; charset=utf-8', file('plugins/docs-page/docs.js')),
      ),
      [below(`${page}/static/icon.svg`)]: once(() => staticFile('image/svg+xml', file('console/assets/icon.svg'))),
    });
  },
  {
    name: 'docs-page',
    dependencies: ['@fastify/sensible', 'openapi'],
    fastify: '5.x',
  },
);

const HEADERS = { 'content-security-policy': POLICY };

/** Makes a text's file for any base address. */
function fileOf(api: Api, path: string, text: string): (baseUrl: string) => StaticFile {
  const isHtml = text.startsWith('<!doctype');
  const plain = path.endsWith('.json') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  return templateFile(isHtml ? HTML : plain, splitAtBaseUrl(api, text), isHtml ? HEADERS : {});
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
