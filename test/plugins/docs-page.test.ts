import t from 'tap';
import { DEMO_KEYS } from '../../src/demo/demo.ts';
import { served } from '../support/served.ts';

const REFERENCE = '/api/docs/static/reference.json';

t.test('the page shows the document as it is published, with guides before it and samples in it', async (t) => {
  const { app } = await served(t);
  const published = (await app.inject('/api/openapi.json')).json();
  const { document } = (await app.inject(REFERENCE)).json();
  t.strictSame(Object.keys(document.paths), Object.keys(published.paths));
  t.strictSame(document.components, published.components);
  const guides = document['x-tagGroups'][0].tags;
  t.ok(guides.length >= 9);
  t.strictSame(
    document.tags.map(({ name }: { name: string }) => name),
    [...guides, ...published.tags.map(({ name }: { name: string }) => name)],
    'and no two of a name, for they would share an address',
  );
  t.equal(new Set(document.tags.map(({ name }: { name: string }) => name)).size, document.tags.length);
  t.notMatch(JSON.stringify(published), /x-codeSamples|x-tagGroups/, 'what tools read stays as it was');
  t.notMatch(JSON.stringify(document.tags), /\]\(\.|\]\(#(?!tag\/)/, 'no link leads to the repository or nowhere');
});

t.test('a key that works stands on the page only where it is a demo key in force', async (t) => {
  const { app } = await served(t);
  const { document, apiKey } = (await app.inject(REFERENCE)).json();
  t.equal(apiKey, undefined);
  const text = JSON.stringify(document);
  for (const key of Object.values(DEMO_KEYS)) t.notMatch(text, key);
  t.notMatch(text, /sk_(live|test)_Demo/);
  t.match(text, 'Bearer sk_test_YOUR_KEY');

  const demo = await served(t, { demoKey: DEMO_KEYS.test });
  const shown = (await demo.app.inject(REFERENCE)).json();
  t.equal(shown.apiKey, DEMO_KEYS.test);
  t.match(JSON.stringify(shown.document), `Bearer ${DEMO_KEYS.test}`);
  t.notMatch(JSON.stringify(shown.document), 'YOUR_KEY');
});

t.test('everything that the page loads comes from here and runs under its policy', async (t) => {
  const { app } = await served(t);
  const page = await app.inject('/api/docs');
  t.notMatch(page.body, /<script(?![^>]*\bsrc=)|\son\w+=|style=|https?:/, 'nothing is written into the page itself');
  const policy = String(page.headers['content-security-policy']);
  t.match(policy, "default-src 'none'; script-src 'self';");
  t.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  const renderer = await app.inject('/api/docs/static/renderer.js');
  t.match(renderer.body, /^\/\*! Scalar API Reference [\d.]+\n\nMIT License/, 'with its licence');
  t.notMatch(renderer.body.slice(-200), 'sourceMappingURL', 'a map is not asked for');
});
