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
import { packageFile } from '../src/paths.ts';
import { baseUrlOf, splitAtBaseUrl } from '../src/reference/address.ts';
import { docsOf } from '../src/reference/docs.ts';
import { addressOf, ERRORS, PAGE, REFERENCE } from '../src/reference/guides.ts';
import { INTEGRATIONS, integrationArchive } from '../src/reference/integrations.ts';
import { pagesOf } from '../src/reference/pages.tsx';
import { plainText } from '../src/reference/plain-text.ts';
import { VERSION } from '../src/version.ts';

export interface DocsPageOptions {
  /** The public demo key of the sandbox, where it is active; it fills the samples. */
  demoKey?: string | undefined;
  /** The server's address for callers, where it is set. */
  publicUrl?: string | undefined;
}

/** The pages need no script; the only one adds buttons that copy a sample. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';
const OPENAPI = '/api/openapi.json';
/** Clients of one file, which name the caller's base address. */
const EXAMPLES = ['broker.php', 'broker.py'];

const file = (path: string) => readFileSync(packageFile(path));

const CHANGELOG = `${PAGE}/changelog.md`;

/** The guides that integrators need, as one text whose links stay on this server. */
const guides = (): string =>
  `${file('docs/integrate.md')}\n${String(file('docs/guarantees.md')).replace(/^# [^#]*/, '')}`
    .replaceAll(/\]\((?:integrate|guarantees)\.md/g, `](${PAGE}`)
    .replaceAll('](../CHANGELOG.md', `](${CHANGELOG}`)
    .replaceAll(/\[([^\]]*)\]\([\w-]+\.md[^)]*\)/g, '$1');

/**
 * The documentation below /api/docs and the OpenAPI document (contract, section 1): guides, a page for each operation, errors and a search, all of
 * it as plain text, and clients to download. Each text is made and compressed once, on the first request for it, and sent with the
 * address that the caller uses.
 */
export default fp<DocsPageOptions>(
  async (app, { demoKey, publicUrl }) => {
    const makeSite = async () => {
      const document = app.openapiDocument();
      const docs = docsOf(document, guides(), demoKey);
      const pages = pagesOf(docs);
      const texts: Array<[path: string, make: () => string]> = [
        [PAGE, pages.guides],
        [REFERENCE, pages.reference],
        [ERRORS, pages.errors],
        [`${PAGE}/llms.txt`, () => plainText(docs)],
        [OPENAPI, () => JSON.stringify(document)],
        [CHANGELOG, () => file('CHANGELOG.md').toString()],
        ...EXAMPLES.map((name): [string, () => string] => [
          `${PAGE}/examples/${name}`,
          () => file(`docs/examples/${name}`).toString(),
        ]),
        ...docs.operations.map((operation): [string, () => string] => [
          addressOf(operation),
          () => pages.operation(operation),
        ]),
      ];
      const files = new Map(texts.map(([path, make]) => [path, once(() => fileOf(path, make()))]));
      return { files, search: pages.search() };
    };
    const site = once(makeSite);

    /** The file with the caller's base address; undefined where there is none of this path. */
    async function find(request: FastifyRequest, path: string): Promise<StaticFile | undefined> {
      return (await site()).files.get(path)?.()(baseUrlOf(request, publicUrl));
    }
    const examples = EXAMPLES.map((name) => `${PAGE}/examples/${name}`);
    const plain = [OPENAPI, `${PAGE}/llms.txt`, CHANGELOG, ...examples];
    for (const route of [PAGE, REFERENCE, ERRORS, `${REFERENCE}/:operation`, ...plain]) {
      app.get<{ Params: { operation?: string } }>(route, async (request, reply) => {
        const { operation } = request.params;
        const found = await find(request, operation === undefined ? route : `${REFERENCE}/${operation}`);
        return found === undefined ? reply.callNotFound() : sendFile(request, reply, found);
      });
    }
    app.get<{ Querystring: { q?: unknown } }>(`${PAGE}/search`, async (request, reply) => {
      const { q } = request.query;
      const page = (await site()).search(typeof q === 'string' ? q : '');
      return reply
        .headers(HEADERS)
        .cacheControl('no-store')
        .type(HTML)
        .send(splitAtBaseUrl(page).join(baseUrlOf(request, publicUrl)));
    });
    for (const name of Object.keys(INTEGRATIONS)) {
      const archive = once(() => integrationArchive(name));
      app.get(`${PAGE}/integrations/${name}.tar.gz`, async (request, reply) =>
        sendFile(request, reply, archiveFile('application/gzip', archive()(baseUrlOf(request, publicUrl)))),
      );
    }
    serveStatic(app, {
      [`${PAGE}/client.tgz`]: once(() =>
        archiveFile('application/gzip', file(`dist/broker-api-client-${VERSION}.tgz`)),
      ),
      [`${PAGE}/static/docs.css`]: once(() =>
        staticFile('text/css; charset=utf-8', file('plugins/docs-page/docs.css')),
      ),
      [`${PAGE}/static/docs.js`]: once(() =>
        staticFile('text/javascript; charset=utf-8', file('plugins/docs-page/docs.js')),
      ),
      [`${PAGE}/static/icon.svg`]: once(() => staticFile('image/svg+xml', file('console/assets/icon.svg'))),
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
function fileOf(path: string, text: string): (baseUrl: string) => StaticFile {
  const isHtml = text.startsWith('<!doctype');
  const plain = path === OPENAPI ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  return templateFile(isHtml ? HTML : plain, splitAtBaseUrl(text), isHtml ? HEADERS : {});
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
