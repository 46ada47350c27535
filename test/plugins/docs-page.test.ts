import t from 'tap';
import { DEMO_KEYS } from '../../src/demo/demo.ts';
import { served } from '../support/served.ts';

const REFERENCE = '/api/docs/static/reference.json';
const READABLE = ['/api/docs', '/api/docs/guides.md', '/api/docs/llms.txt'];

t.test('the guides are pages of text: small, without scripts, and kept by their ETag', async (t) => {
  const { app } = await served(t);
  for (const path of READABLE) {
    const answer = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
    t.equal(answer.statusCode, 200, path);
    t.ok(answer.rawPayload.length < 30_000, `${path}: ${answer.rawPayload.length} bytes`);
    const again = await app.inject({
      url: path,
      headers: { 'accept-encoding': 'gzip', 'if-none-match': String(answer.headers.etag) },
    });
    t.strictSame([again.statusCode, again.body], [304, '']);
  }
  const page = await app.inject('/api/docs');
  t.match(page.headers['content-type'], 'text/html');
  t.notMatch(page.body, /<script|\son\w+=|style=/);
  t.match(page.body, '<a href="/api/docs/reference">Reference</a>');
  t.match((await app.inject('/api/docs/guides.md')).headers['content-type'], 'text/markdown');
  const plain = (await app.inject('/api/docs/llms.txt')).body;
  t.match(plain, /^# Broker API\n\n> /);
  t.match(plain, '## Idempotency');
  t.match(plain, '- [POST /v1/services/{service_number}/upgrade](/api/docs/reference#');
});

t.test('the search answers without a script, whatever is asked', async (t) => {
  const { app } = await served(t);
  const ask = async (query: string) => (await app.inject(`/api/docs/search${query}`)).body;
  t.match(await ask('?q=outcome_unknown'), '/api/docs#reason-outcome_unknown');
  t.match(await ask('?q=withdraw'), '/api/docs/reference#tag/requests/POST/v1/requests/{request_id}/withdraw');
  for (const query of ['', '?q=', '?q=a&q=b']) t.match(await ask(query), '<h1>Search</h1>', query);
});

t.test('the reference shows the document as it is published, with samples in it', async (t) => {
  const { app } = await served(t);
  const published = (await app.inject('/api/openapi.json')).json();
  const { document } = (await app.inject(REFERENCE)).json();
  t.strictSame(Object.keys(document.paths), Object.keys(published.paths));
  t.strictSame(document.components, published.components);
  t.strictSame(document.tags, published.tags);
  t.match(JSON.stringify(document.paths), 'x-codeSamples');
  t.notMatch(JSON.stringify(published), /x-codeSamples/, 'what tools read stays as it was');
});

t.test('a key that works is shown only where it is a demo key in force', async (t) => {
  const { app } = await served(t);
  const { document, apiKey } = (await app.inject(REFERENCE)).json();
  t.equal(apiKey, undefined);
  const texts = [
    JSON.stringify(document),
    ...(await Promise.all(READABLE.map(async (path) => (await app.inject(path)).body))),
  ];
  for (const text of texts) {
    t.notMatch(text, /sk_(live|test)_Demo/);
    t.match(text, 'Bearer sk_test_YOUR_KEY');
  }

  const demo = await served(t, { demoKey: DEMO_KEYS.test });
  const shown = (await demo.app.inject(REFERENCE)).json();
  t.equal(shown.apiKey, DEMO_KEYS.test);
  t.match(JSON.stringify(shown.document), `Bearer ${DEMO_KEYS.test}`);
  t.notMatch(JSON.stringify(shown.document), 'YOUR_KEY');
  t.match((await demo.app.inject('/api/docs')).body, `Bearer ${DEMO_KEYS.test}`);
});

t.test('everything that the pages load comes from here and runs under their policies', async (t) => {
  const { app } = await served(t);
  const guides = await app.inject('/api/docs');
  t.match(guides.headers['content-security-policy'], /^default-src 'none'; style-src 'self';(?!.*script)/);
  const page = await app.inject('/api/docs/reference');
  t.notMatch(page.body, /<script(?![^>]*\bsrc=)|\son\w+=|style=|https?:/, 'nothing is written into the page itself');
  const policy = String(page.headers['content-security-policy']);
  t.match(policy, "default-src 'none'; script-src 'self';");
  t.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  const renderer = await app.inject('/api/docs/static/renderer.js');
  t.match(renderer.body, /^\/\*! Scalar API Reference [\d.]+\n\nMIT License/, 'with its licence');
  t.notMatch(renderer.body.slice(-200), 'sourceMappingURL', 'a map is not asked for');
});
