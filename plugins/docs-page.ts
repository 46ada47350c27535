import { readdirSync, readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { serveStatic, staticFile, zippedFile } from '../src/http/static-files.ts';
import { packageFile } from '../src/paths.ts';
import { addressOf, plainGuides, SAMPLES_BASE_URL, shownGuides } from '../src/reference/guides.ts';
import { guidesPages } from '../src/reference/guides-page.ts';
import { operationsOf } from '../src/reference/operations.ts';
import { referenceDocument } from '../src/reference/reference-document.ts';

export interface DocsPageOptions {
  /** The public demo key of the sandbox, where it is active; it fills the samples and the form for trying calls. */
  demoKey?: string | undefined;
  /** The server's address for callers, where it is set. */
  publicUrl?: string | undefined;
}

const PAGE = '/api/docs';
const FOLDER = `${PAGE}/static`;

/**
 * Scripts, files and requests of this origin only. Inline styles are allowed: the renderer writes so many that a list of
 * hashes cannot be maintained.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The guides have no script and no inline styles. */
const GUIDES_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const REFERENCE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Broker API reference</title>
<link rel="icon" type="image/svg+xml" href="${FOLDER}/icon.svg">
<link rel="stylesheet" href="${FOLDER}/page.css">
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The <a href="${PAGE}">guides</a> do not; the description for tools is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="${FOLDER}/renderer.js"></script>
<script src="${FOLDER}/start.js"></script>
</body>
</html>
`;

const here = (name: string): string => packageFile(`plugins/docs-page/${name}`);
const GUIDES = packageFile('docs/integrate.md');
const ICON = packageFile('console/assets/icon.svg');

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * The documentation below /api/docs, which loads nothing from other hosts (contract, section 1): guides that need no
 * script, with a search; the same for language models; and the reference with samples and a form for trying calls. Each
 * part is made on the first request for it and then kept in memory.
 */
export default fp<DocsPageOptions>(
  async (app, { demoKey, publicUrl }) => {
    const operations = async () => operationsOf(await app.openapiDocument());
    const guides = once(async () =>
      shownGuides(readFileSync(GUIDES, 'utf8'), {
        operations: await operations(),
        baseUrl: publicUrl && `${publicUrl}/api`,
        demo: demoKey !== undefined,
      }),
    );
    const pages = once(async () =>
      guidesPages({ markdown: await guides(), operations: await operations(), addressOf }),
    );
    const reference = async () => {
      const settings = { baseUrl: SAMPLES_BASE_URL, apiKey: demoKey ?? 'sk_test_YOUR_KEY' };
      const document = referenceDocument(await app.openapiDocument(), settings);
      return staticFile('application/json; charset=utf-8', JSON.stringify({ document, apiKey: demoKey }));
    };
    const html = (text: string, policy: string) => staticFile(HTML, text, { 'content-security-policy': policy });
    const plain = (text: string, type = 'plain') => staticFile(`text/${type}; charset=utf-8`, text);
    serveStatic(app, {
      [PAGE]: once(async () => html((await pages()).guides, GUIDES_POLICY)),
      [`${PAGE}/guides.md`]: once(async () => plain(await guides(), 'markdown')),
      [`${PAGE}/llms.txt`]: once(async () => plain(plainGuides(await guides(), await operations()))),
      [`${PAGE}/reference`]: once(() => html(REFERENCE, POLICY)),
      [`${FOLDER}/guides.css`]: once(() => staticFile(CSS, readFileSync(here('guides.css')))),
      [`${FOLDER}/renderer.js`]: once(() => zippedFile(SCRIPT, readFileSync(findRenderer()))),
      [`${FOLDER}/start.js`]: once(() => staticFile(SCRIPT, readFileSync(here('start.js')))),
      [`${FOLDER}/page.css`]: once(() => staticFile(CSS, readFileSync(here('page.css')))),
      [`${FOLDER}/icon.svg`]: once(() => staticFile('image/svg+xml', readFileSync(ICON))),
      [`${FOLDER}/reference.json`]: once(reference),
    });
    app.get<{ Querystring: { q?: unknown } }>(`${PAGE}/search`, async ({ query: { q } }, reply) =>
      reply
        .header('content-security-policy', GUIDES_POLICY)
        .cacheControl('no-store')
        .type(HTML)
        .send((await pages()).search(typeof q === 'string' ? q : '')),
    );
  },
  {
    name: 'docs-page',
    dependencies: ['@fastify/sensible', 'openapi'],
    fastify: '5.x',
  },
);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The file's name contains its version: see tools/renderer.mjs. */
const findRenderer = (): string => here(String(readdirSync(here('.')).find((name) => name.startsWith('renderer-'))));
