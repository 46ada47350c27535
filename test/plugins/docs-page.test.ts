import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { DEMO_KEYS } from '../../src/demo/demo.ts';
import { REASONS } from '../../src/errors.ts';
import { served } from '../support/served.ts';
import { isRefusal } from '../support/wire.ts';

const ORIGIN = 'http://localhost:80';

/** All pages of a server, by address. */
async function pagesOf(t: Test, options: Parameters<typeof served>[1] = {}) {
  const { app } = await served(t, options);
  const document = app.openapiDocument();
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const addresses = ['', '/reference', '/errors', '/search?q=plan', ...operations.map(pathOf)];
  const pages = new Map<string, string>();
  for (const address of addresses) pages.set(`/api/docs${address}`, (await app.inject(`/api/docs${address}`)).body);
  return { app, document, operations, pages };
}

interface Operation {
  operationId: string;
  summary: string;
  parameters: Array<{ name: string }>;
  'x-required-scopes': string[];
  'x-reasons': Record<string, string[]>;
}

const pathOf = ({ operationId }: Operation) => `/reference/${operationId}`;

t.test('every page is small, works without scripts under a strict policy, and is kept by its ETag', async (t) => {
  const { app, pages } = await pagesOf(t);
  const faults: string[] = [];
  for (const [url, body] of pages) {
    const { headers } = await app.inject(url);
    if (!headers['content-type']?.toString().startsWith('text/html')) faults.push(`${url} is no page`);
    if (body.length >= 100_000) faults.push(`${url}: ${body.length} bytes`);
    if (/<script(?![^>]* src="\/api\/docs\/static\/docs\.js")|\son\w+=|style=/.test(body))
      faults.push(`${url} has a script`);
    const policy = String(headers['content-security-policy']);
    if (
      !policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';") ||
      /https?:|\*|unsafe/.test(policy)
    )
      faults.push(`${url}: ${policy}`);
    if (url.includes('/search')) continue;
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
    if (again.statusCode !== 304 || again.body !== '') faults.push(`${url} is not kept: ${again.statusCode}`);
  }
  t.strictSame(faults, []);
});

t.test('every link leads to a page of this server, and every anchor to an element of it', async (t) => {
  const { app, pages } = await pagesOf(t);
  const known = new Map<string, string>(pages);
  let anchors = 0;
  const faults: string[] = [];
  for (const [page, body] of pages) {
    const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    if (new Set(ids).size !== ids.length) faults.push(`${page} has an id twice`);
    for (const [, link = ''] of body.matchAll(/(?:href|src|action)="([^"]+)"/g)) {
      if (!/^[/#]/.test(link)) faults.push(`${page}: ${link} leads elsewhere`);
      const { pathname, search, hash } = new URL(link, `${ORIGIN}${page}`);
      const url = pathname + search;
      if (!known.has(url)) {
        const { statusCode, body: text } = await app.inject(url);
        if (statusCode !== 200) faults.push(`${page}: ${link} answers ${statusCode}`);
        known.set(url, text);
      }
      if (hash === '') continue;
      anchors += 1;
      if (!known.get(url)?.includes(` id="${decodeURIComponent(hash.slice(1))}"`))
        faults.push(`${page}: ${link} names nothing`);
    }
  }
  t.strictSame(faults, []);
  t.ok(anchors > 500);
});

t.test('the page of an operation, and the plain text, have its scopes, parameters, fields and reasons', async (t) => {
  const { app, operations, pages } = await pagesOf(t);
  t.ok(operations.length > 20);
  const plain = (await app.inject('/api/docs/llms.txt')).body;
  t.match(plain, /^# Broker API\n\n> /);
  t.match(plain, '## Idempotency');
  const missing: string[] = [];
  for (const operation of operations) {
    const { method, path, parameters } = operation;
    const call = `${method.toUpperCase()} ${path}`;
    const page = pages.get(`/api/docs${pathOf(operation)}`) ?? '';
    const text = plain.slice(plain.indexOf(`### ${call}\n`)).split('\n### ')[0] ?? '';
    const scopes = operation['x-required-scopes'];
    const reasons = Object.entries(operation['x-reasons']).flat(2);
    const names = parameters.map(({ name }) => name);
    const onPage = [
      `<code>${path}</code>`,
      `href="/api/docs${pathOf(operation)}" aria-current="page"`,
      ...scopes,
      ...names.map((name) => `<code>${name}</code>`),
      ...reasons.map((reason) => `<a href="/api/docs/errors#${reason}">${reason}</a>`),
    ];
    const inText = [...scopes, ...names.map((name) => `- \`${name}\` (`), ...reasons];
    missing.push(...onPage.filter((each) => !page.includes(each)).map((each) => `${call}, page: ${each}`));
    missing.push(...inText.filter((each) => !text.includes(each)).map((each) => `${call}, text: ${each}`));
  }
  t.strictSame(missing, []);
  const upgrade = pages.get('/api/docs/reference/upgradeService') ?? '';
  for (const id of ['body-new_plan', 'answer-data.current_plan.upgrade_rank', 'answer-message'])
    t.match(upgrade, `<div id="${id}">`);
  t.match(upgrade, /plan_not_available.*service_not_active|service_not_active/s);
  t.match(upgrade, '<a href="/api/docs#idempotency">Idempotency</a>', 'links to the guides that call it');
});

t.test(
  'every reason stands on the page of errors, at its own anchor, with the operations that answer it',
  async (t) => {
    const { pages } = await pagesOf(t);
    const errors = pages.get('/api/docs/errors') ?? '';
    const reasons = Object.values(REASONS).flat();
    t.equal(reasons.length, 47);
    for (const reason of reasons) {
      const [, section = ''] = new RegExp(`<div id="${reason}">(.*?)</div>`, 's').exec(errors) ?? [];
      t.match(section, /Every operation|\/api\/docs\/reference\//, reason);
    }
  },
);

t.test('samples name the address that the caller uses, and nothing else that a request says', async (t) => {
  const urls = [
    '/api/openapi.json',
    '/api/docs',
    '/api/docs/reference/getService',
    '/api/docs/llms.txt',
    '/api/docs/examples/broker.py',
  ];
  const proxy = '10.0.0.9';
  const { app } = await served(t, { config: { trustedProxies: [proxy] } });
  const configured = await served(t, { config: { publicUrl: 'https://api.example.com' } });
  const shown = async (url: string, headers: Record<string, string>, remoteAddress = '10.0.0.1', server = app) =>
    (await server.inject({ url, headers, remoteAddress })).body;
  const forwarded = {
    'x-forwarded-host': 'broker.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '1.1.1.1',
  };
  for (const url of urls) {
    t.match(await shown(url, { host: 'one.example:8080' }), 'http://one.example:8080/api', url);
    t.match(await shown(url, { host: '[::1]:3000' }), 'http://[::1]:3000/api', url);
    t.match(await shown(url, { host: 'x', ...forwarded }, proxy), 'https://broker.example/api', url);
    t.notMatch(await shown(url, { host: 'x', ...forwarded }), 'broker.example', 'which a stranger cannot set');
    for (const host of ['a"b', 'a/b', 'a b', '<script>', 'a.example:123456']) {
      const page = await shown(url, { host: 'x', ...forwarded, 'x-forwarded-host': host }, proxy);
      t.match(page, 'http://127.0.0.1:3000/api', host);
      t.notMatch(page, `://${host}`, host);
    }
    const page = await shown(url, { host: 'one.example' }, undefined, configured.app);
    t.match(page, 'https://api.example.com/api', url);
    t.notMatch(page, /one\.example|your-host|127\.0\.0\.1/, url);
  }
});

t.test('one compressed text serves every address, and each address has a mark of its own', async (t) => {
  const { app } = await served(t);
  const urls = ['/api/docs', '/api/openapi.json', '/api/docs/llms.txt', '/api/docs/changelog.md'];
  for (const url of urls) {
    const marks = new Set();
    for (const host of ['a.example', `${'long.'.repeat(40)}example`, '[2001:db8::1]:8443']) {
      const get = (headers: Record<string, string>) => app.inject({ url, headers: { host, ...headers } });
      const plain = await get({});
      const zipped = await get({ 'accept-encoding': 'gzip' });
      t.ok(gunzipSync(zipped.rawPayload).equals(plain.rawPayload), `${url} of ${host}`);
      t.ok(zipped.rawPayload.length < plain.rawPayload.length / 2, 'compressed');
      for (const { headers } of [plain, zipped]) {
        marks.add(headers.etag);
        const known = {
          'accept-encoding': String(headers['content-encoding'] ?? ''),
          'if-none-match': `${headers.etag}`,
        };
        t.equal((await get(known)).statusCode, 304);
      }
    }
    t.equal(marks.size, 6, url);
  }
});

t.test(
  'an address may read 300 pages and unknown paths in a minute, and calls and health checks beyond it',
  async (t) => {
    const { app, clock, key } = await served(t);
    const get = (url: string, remoteAddress = '2001:db8::1') =>
      app.inject({ url, remoteAddress, headers: { authorization: `Bearer ${key}` } });
    const urls = ['/api/docs/static/docs.css', '/api/docs/search?q=plan', '/api/openapi.json', '/none', '/api/docs/x'];
    for (let i = 0; i < 300; i++) {
      const { statusCode } = await get(urls[i % urls.length] as string, `2001:db8::${i}`);
      if (statusCode === 429) t.fail(`refused after ${i}`);
    }
    clock.advance(20_000);
    for (const url of urls) {
      const answer = await get(url);
      isRefusal(t, { ...answer, status: answer.statusCode }, 429, 'rate_limit_exceeded', undefined, url);
      t.equal(answer.headers['retry-after'], '40');
      t.match(answer.json().error, {
        message: 'Rate limit exceeded',
        details: { limit: 300, window_seconds: 60, retry_after_seconds: 40 },
      });
    }
    t.equal((await get('/api/v1/auth-check')).statusCode, 200);
    t.equal((await get('/api/v1/none')).statusCode, 404);
    t.equal((await get('/health/live')).statusCode, 200);
    t.equal((await get('/%zz')).statusCode, 400, 'what cannot be routed is refused before any gate');
    t.equal((await get('/api/docs', '2001:db8:0:1::1')).statusCode, 200, 'another /64');
    clock.advance(40_000);
    t.equal((await get('/api/docs')).statusCode, 200);
  },
);

t.test('a key that works is shown only where it is a demo key in force', async (t) => {
  const { app } = await served(t);
  const demo = await served(t, { demoKey: DEMO_KEYS.test });
  for (const url of ['/api/docs', '/api/docs/reference/getService', '/api/docs/llms.txt']) {
    const { body } = await app.inject(url);
    t.notMatch(body, /sk_(live|test)_Demo/, url);
    t.match(body, 'Bearer sk_test_YOUR_KEY', url);
    t.match((await demo.app.inject(url)).body, `Bearer ${DEMO_KEYS.test}`, url);
  }
});

t.test('the search finds guides, operations, fields and reasons, by their names first', async (t) => {
  const { app } = await served(t);
  const ask = async (query: string) => (await app.inject(`/api/docs/search${query}`)).body;
  const found = async (question: string) =>
    [...(await ask(`?q=${encodeURIComponent(question)}`)).matchAll(/<dt><a href="([^"]+)"/g)].map(([, href]) => href);
  t.equal((await found('outcome_unknown'))[0], '/api/docs/errors#outcome_unknown');
  t.equal((await found('take back'))[0], '/api/docs/reference/withdrawRequest');
  t.equal((await found('NEW_plan'))[0], '/api/docs/reference/upgradeService#body-new_plan');
  t.equal((await found('idempotency'))[0], '/api/docs#idempotency');
  t.equal((await found('a')).length, 40);
  t.match(await ask('?q=no+such+zebra'), 'Nothing has all of these words.');
  for (const query of ['', '?q=', '?q=a&q=b']) t.match(await ask(query), '<h1>Search</h1>', query);
  const hostile = await ask(`?q=${encodeURIComponent(`"><script>${'x'.repeat(200)}`)}`);
  t.match(hostile, /value="&quot;&gt;&lt;script&gt;x+"/);
  t.notMatch(hostile, /<script>|x{100}/);
});
