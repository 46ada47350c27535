import { readdirSync, readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { type StaticFile, serveStatic, staticFile, zippedFile } from '../src/http/static-files.ts';
import { pageDocument } from '../src/reference/page-document.ts';

export interface DocsPageOptions {
  /** The public demo key of the sandbox, where it is active; it fills the samples and the form for trying calls. */
  demoKey?: string | undefined;
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

const HTML = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Broker API</title>
<link rel="icon" type="image/svg+xml" href="${FOLDER}/icon.svg">
<link rel="stylesheet" href="${FOLDER}/page.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The interface description for tools is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="${FOLDER}/renderer.js"></script>
<script src="${FOLDER}/start.js"></script>
</body>
</html>
`;

/** The address and keys in the guide's samples: those of the demo server, so that the samples run as pasted. */
const SAMPLES_BASE_URL = 'http://127.0.0.1:3000/api';
const KEY_IN_GUIDE = /\bsk_(live|test)_Demo\w+/g;

const here = (name: string): URL => new URL(`./docs-page/${name}`, import.meta.url);
const GUIDE = new URL('../docs/integrate.md', import.meta.url);
const ICON = new URL('../console/assets/icon.svg', import.meta.url);

/**
 * The reference page at /api/docs, which loads nothing from other hosts (contract, section 1): guides, every operation
 * with samples, search and a form for trying calls. Most processes never serve it, so each part is built on the first
 * request for it and then kept in memory.
 */
export default fp<DocsPageOptions>(
  async (app, { demoKey }) => {
    const reference = async () => {
      const guide = readFileSync(GUIDE, 'utf8');
      const apiKey = demoKey ?? 'sk_test_YOUR_KEY';
      const keys = [...new Set(guide.match(KEY_IN_GUIDE))].map((inGuide) => ({
        inGuide,
        shown: demoKey ? inGuide : inGuide.replace(/_Demo\w+$/, '_YOUR_KEY'),
      }));
      const document = pageDocument(await app.openapiDocument(), { guide, baseUrl: SAMPLES_BASE_URL, keys, apiKey });
      return staticFile('application/json; charset=utf-8', JSON.stringify({ document, apiKey: demoKey }));
    };
    serveStatic(app, {
      [PAGE]: once(() => staticFile('text/html; charset=utf-8', HTML, { 'content-security-policy': POLICY })),
      [`${FOLDER}/renderer.js`]: once(() => zippedFile('text/javascript; charset=utf-8', readFileSync(findRenderer()))),
      [`${FOLDER}/start.js`]: once(() => staticFile('text/javascript; charset=utf-8', readFileSync(here('start.js')))),
      [`${FOLDER}/page.css`]: once(() => staticFile('text/css; charset=utf-8', readFileSync(here('page.css')))),
      [`${FOLDER}/icon.svg`]: once(() => staticFile('image/svg+xml', readFileSync(ICON))),
      [`${FOLDER}/reference.json`]: once(reference),
    });
  },
  {
    name: 'docs-page',
    dependencies: ['@fastify/sensible', 'openapi'],
    fastify: '5.x',
  },
);

function once(make: () => StaticFile | Promise<StaticFile>) {
  let made: StaticFile | Promise<StaticFile> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The file's name contains its version: see tools/renderer.mjs. */
const findRenderer = (): URL => here(String(readdirSync(here('.')).find((name) => name.startsWith('renderer-'))));
