import { readFileSync } from 'node:fs';
import t from 'tap';
import { REASONS } from '../../src/errors.ts';
import { anchorOf, shownGuides } from '../../src/reference/guides.ts';
import { guidesPages } from '../../src/reference/guides-page.ts';
import type { Operation } from '../../src/reference/operations.ts';
import { referenceDocument } from '../../src/reference/reference-document.ts';

const GUIDE = `# All of it

Begin [here](#first-call), see \`GET /v1/things\` or [elsewhere](https://example.com).

## First call

Ask \`GET /v1/none\` of https://your-host/api with sk_live_DemoKnown.

\`\`\`sh
# a comment
## no heading
curl -H 'Bearer sk_live_DemoKnown' 'http://127.0.0.1:3000/api/v1/x' # \`GET /v1/things\` <b> & "c"
\`\`\`

| reason | what to do |
|---|---|
| \`made_up\` | nothing & never |

## What's next?

Go [back](#first-call).
`;

const operation: Operation = {
  name: 'List things',
  folder: 'All things',
  method: 'GET',
  path: '/v1/things',
  description: 'Those of the broker & its clients',
  pathParameters: [],
  query: [],
  takesIdempotencyKey: false,
  body: undefined,
};

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1', description: 'as it was' },
  tags: [{ name: 'All things' }],
  paths: {
    '/v1/things': { get: { tags: ['All things'], responses: {} }, post: { tags: ['All things'], responses: {} } },
  },
};

t.test('the guides name the server that shows them, and no key that does not work there', async (t) => {
  const shown = (baseUrl: string | undefined, demo: boolean) =>
    shownGuides(GUIDE, { operations: [operation], baseUrl, demo });
  const there = shown('https://api.example.com/api', false);
  t.match(there, "curl -H 'Bearer sk_live_YOUR_KEY' 'https://api.example.com/api/v1/x'");
  t.match(there, 'of https://api.example.com/api with');
  t.notMatch(there, /Demo|127\.0\.0\.1/);
  t.match(shown(undefined, false), "'https://your-host/api/v1/x'");
  t.match(
    shown(undefined, true),
    "curl -H 'Bearer sk_live_DemoKnown' 'http://127.0.0.1:3000/api/v1/x' # `GET /v1/things`",
  );
  t.match(there, 'see [`GET /v1/things`](/api/docs/reference#tag/all-things/GET/v1/things) or [elsewhere]');
  t.match(there, 'Ask `GET /v1/none` of', 'what the document does not have is no link');
});

t.test(
  'the page has each section, table row and operation at an address of its own, and all text as text',
  async (t) => {
    const { guides } = guidesPages({ markdown: GUIDE, operations: [operation], addressOf: () => '/there' });
    for (const part of [
      '<li><a href="/api/docs#first-call">First call</a></li>',
      '<h2 id="whats-next">What&#39;s next?</h2>',
      '<tr id="reason-made_up">',
      '<a href="/there"><span class="GET">GET</span> /v1/things</a>',
      '&lt;b&gt; &amp; &quot;c&quot;',
    ])
      t.ok(guides.includes(part), part);
    t.notMatch(guides, /<h2[^>]*>no heading|<script|style=/);
    t.equal(anchorOf("What's next?"), 'whats-next');
  },
);

t.test('a search finds sections, reasons and operations by all of its words, titles first', async (t) => {
  const { search } = guidesPages({ markdown: GUIDE, operations: [operation], addressOf: () => '/there' });
  const found = (question: string) =>
    [...search(question).matchAll(/<li><a href="([^"]+)">[^<]*<\/a><p>/g)].map(([, href]) => href);
  t.strictSame(found('made_up'), ['/api/docs#reason-made_up', '/api/docs#first-call']);
  t.strictSame(found('NEVER nothing'), ['/api/docs#reason-made_up', '/api/docs#first-call']);
  t.strictSame(found('clients broker'), ['/there']);
  t.match(search('made_up'), 'nothing &amp; never');
  t.match(search('no such thing'), 'Nothing has all of these words.');
  t.match(search(' '), '<h1>Search</h1></main>');
  const hostile = search(`"><script>${'x'.repeat(200)}`);
  t.match(hostile, /value="&quot;&gt;&lt;script&gt;x+"/);
  t.notMatch(hostile, /<script|x{100}/);
});

t.test('every reason stands in the guides, under its code', async (t) => {
  const rows = [
    ...readFileSync('docs/integrate.md', 'utf8').matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| `([a-z_]+)` \| \S/gm),
  ];
  const told = rows.flatMap(([, reasons = '', code]) =>
    [...reasons.matchAll(/`(\w+)`/g)].map(([, reason]) => `${code} ${reason}`),
  );
  const all = Object.entries(REASONS).flatMap(([code, reasons]) => reasons.map((reason) => `${code} ${reason}`));
  t.strictSame(told.sort(), all.sort());
});

t.test('a bound that a browser could only show rounded is left to the format', async (t) => {
  const schema = { type: 'integer', format: 'int64', minimum: -(2 ** 63), maximum: 2 ** 63 };
  const small = { type: 'integer', minimum: 1, maximum: 100 };
  const parameters = [
    { name: 'n', in: 'query', schema },
    { name: 'limit', in: 'query', schema: small },
  ];
  const page = referenceDocument({ ...DOCUMENT, paths: { '/v1/things': { get: { parameters } } } } as never, settings);
  t.strictSame(
    page.paths['/v1/things']?.get?.parameters?.map((parameter) => 'schema' in parameter && parameter.schema),
    [{ type: 'integer', format: 'int64' }, small],
  );
});

t.test('the document itself is not touched, and one without paths is no failure', async (t) => {
  const before = structuredClone(DOCUMENT);
  const page = referenceDocument(DOCUMENT, settings);
  t.strictSame(DOCUMENT, before);
  t.match(page.info.description, /^as it was\n\n\[Guides\]\(\/api\/docs\)/);
  t.match(page.paths, {
    '/v1/things': { get: { 'x-codeSamples': { length: 4 } }, post: { 'x-codeSamples': { length: 4 } } },
  });
  const { paths, ...bare } = DOCUMENT;
  t.match(referenceDocument(bare as never, settings), { paths: {} });
});

const settings = { baseUrl: 'http://x/api', apiKey: 'sk_test_YOURS' };
