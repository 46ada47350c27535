import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fp from 'fastify-plugin';
import { type StaticFile, serveStatic, staticFile } from '../src/http/static-files.ts';

const PAGE = '/api/docs';
const FOLDER = `${PAGE}/static`;

/** Only what comes from here runs and loads; styles that the renderer writes into its elements are allowed. */
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
<title>Broker API</title>
<link rel="stylesheet" href="${FOLDER}/swagger-ui.css">
<link rel="icon" type="image/png" sizes="32x32" href="${FOLDER}/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="${FOLDER}/swagger-ui-bundle.js"></script>
<script src="${FOLDER}/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
});
`;

const TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** The reference page at /api/docs, which needs nothing from outside (contract, section 1). */
export default fp(
  async (app) => {
    const renderer = createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json');
    const page = staticFile('text/html; charset=utf-8', HTML, { 'content-security-policy': POLICY });
    const start = staticFile('text/javascript; charset=utf-8', START);
    const assets = Object.entries(TYPES).map(([name, type]) => {
      // Read when it is asked for, and then kept: they are two megabytes that most processes never send.
      let file: StaticFile | undefined;
      const read = () => {
        file ??= staticFile(type, readFileSync(join(renderer, '..', 'static', name)));
        return file;
      };
      return [`${FOLDER}/${name}`, read] as const;
    });
    serveStatic(app, { [PAGE]: () => page, [`${FOLDER}/start.js`]: () => start, ...Object.fromEntries(assets) });
  },
  { name: 'docs-page', dependencies: ['@fastify/sensible'], fastify: '5.x' },
);
