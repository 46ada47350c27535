import t from 'tap';
import { anchorOf, guideOf } from '../../src/reference/guides.ts';
import { pageDocument } from '../../src/reference/page-document.ts';

const GUIDE = `# All of it

Begin [here](#first-call), see \`GET /v1/things\`, [the source](../client/README.md) or
[elsewhere](https://example.com).

## First call

Ask \`GET /v1/things\` or \`GET /v1/none\` with sk_live_Known.

\`\`\`sh
# a comment
## no heading
curl -H 'Bearer sk_live_Known' # [no](#first-call) \`GET /v1/things\`
\`\`\`

## What's next?

Go [back](#first-call).
`;

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1', description: 'as it was' },
  tags: [{ name: 'All things' }],
  paths: {
    '/v1/things': { get: { tags: ['All things'], responses: {} }, post: { tags: ['All things'], responses: {} } },
  },
};

const settings = {
  guide: GUIDE,
  baseUrl: 'http://x/api',
  keys: [{ inGuide: 'sk_live_Known', shown: 'sk_live_YOURS' }],
  apiKey: 'sk_test_YOURS',
};

t.test('a guide is taken apart at its headings and not at what looks like one in code', async (t) => {
  const { introduction, sections } = guideOf(GUIDE);
  t.match(introduction, /^Begin \[here\]/);
  t.strictSame(
    sections.map(({ title }) => title),
    ['First call', "What's next?"],
  );
  t.match(sections[0]?.text, /# a comment\n## no heading\n/);
  t.equal(anchorOf("What's next?"), 'whats-next');
});

t.test('guides come first, linked to one another and to the operations that they name', async (t) => {
  const page = pageDocument(DOCUMENT, settings);
  t.match(page.info.description, /^Begin \[here\]\(#tag\/first-call\)/);
  t.match(page.info.description, ', the source or\n[elsewhere](https://example.com)');
  t.match(page.info.description, /\(\/api\/openapi\.json\)$/);
  t.strictSame(
    page.tags.map(({ name }) => name),
    ['First call', "What's next?", 'All things'],
  );
  const first = page.tags[0] as { description?: string };
  t.match(first.description, 'Ask [`GET /v1/things`](#tag/all-things/GET/v1/things) or `GET /v1/none`');
  t.match(first.description, "curl -H 'Bearer sk_live_YOURS' # [no](#first-call) `GET /v1/things`\n", 'code stays');
  t.notMatch(JSON.stringify(page), 'sk_live_Known');
  t.strictSame(page['x-tagGroups'], [
    { name: 'Guides', tags: ['First call', "What's next?"] },
    { name: 'Reference', tags: ['All things'] },
  ]);
});

t.test('a bound that a browser could only show rounded is left to the format', async (t) => {
  const schema = { type: 'integer', format: 'int64', minimum: -(2 ** 63), maximum: 2 ** 63 };
  const small = { type: 'integer', minimum: 1, maximum: 100 };
  const parameters = [
    { name: 'n', in: 'query', schema },
    { name: 'limit', in: 'query', schema: small },
  ];
  const page = pageDocument({ ...DOCUMENT, paths: { '/v1/things': { get: { parameters } } } } as never, settings);
  t.strictSame(
    page.paths['/v1/things']?.get?.parameters?.map((parameter) => 'schema' in parameter && parameter.schema),
    [{ type: 'integer', format: 'int64' }, small],
  );
});

t.test('the document itself is not touched, and one without paths or tags is no failure', async (t) => {
  const before = structuredClone(DOCUMENT);
  const page = pageDocument(DOCUMENT, settings);
  t.strictSame(DOCUMENT, before);
  t.match(page.paths, {
    '/v1/things': { get: { 'x-codeSamples': { length: 4 } }, post: { 'x-codeSamples': { length: 4 } } },
  });
  const { paths, tags, ...bare } = DOCUMENT;
  t.match(pageDocument(bare as never, settings), { paths: {}, tags: [{}, {}] });
});
