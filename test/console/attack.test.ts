import t, { type Test } from 'tap';
import { allowAddress } from '../../src/operator/access/firewall.ts';
import { createKey } from '../../src/operator/access/keys.ts';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { setTemplate } from '../../src/operator/mail/templates.ts';
import { addOperator, mayAct, type ROLES } from '../../src/operator/people/operators.ts';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { pageRequests } from '../../src/operator/requests/views.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { BROKER, file } from '../support/operator-context.ts';
import { aRequest } from '../support/rows.ts';

async function open(t: Test, records: { demo?: boolean } = {}) {
  const console = await createTestConsole({ config: { trustedProxies: ['127.0.0.0/8'] }, ...records });
  t.teardown(() => console.close());
  return console;
}

/** A route's pattern as an address that could be. */
const addressOf = (url: string): string =>
  url.replaceAll(/:(\w+)(?:\(([^)]*)\))?/g, (_whole, name, pattern) =>
    pattern ? (pattern.split('|')[0] as string) : name === 'slug' ? 'acme' : 'x',
  );

const policiesOf = ({ app }: TestConsole) =>
  app.routePolicies.map((policy) => ({ ...policy, path: addressOf(policy.url) }));

const UPLOADS = ['/imports'];

/** Sends whatever form the route takes, with nothing in it but what is given. */
const submit = (
  browser: Awaited<ReturnType<TestConsole['signedIn']>>,
  path: string,
  fields: Record<string, string> = {},
  headers?: Record<string, string>,
) => (UPLOADS.includes(path) ? browser.upload(path, fields, null, headers) : browser.post(path, fields, headers));

const trailLength = async ({ context }: TestConsole) =>
  (await listAudit(context)).filter(({ action }) => !action.startsWith('operator.')).length;

t.test('no role goes past what its routes say: every route, every role', async (t) => {
  const console = await open(t);
  await createBroker.run(console.context, BROKER);
  // One admin stays, whatever the others' clicks do.
  await console.person('admin');
  const before = await trailLength(console);
  const routePolicies = policiesOf(console);
  t.ok(routePolicies.length > 40, `${routePolicies.length} routes`);
  const wrong: string[] = [];
  for (const { method, path, role } of routePolicies) {
    if (role === 'public') continue;
    const stranger = console.browser();
    const unknown = method === 'GET' ? await stranger.get(path) : await stranger.post(path);
    const refused = method === 'GET' ? unknown.status === 303 && unknown.to === '/sign-in' : unknown.status === 401;
    if (!refused) wrong.push(`a visitor at ${method} ${path}: ${unknown.status}`);
    for (const held of ['viewer', 'support', 'admin'] as const satisfies typeof ROLES) {
      const person = await console.signedIn(held);
      await person.get('/sessions');
      const { status } = method === 'GET' ? await person.get(path) : await submit(person, path);
      const right = mayAct(held, role) ? status !== 403 && status < 500 : status === 403;
      if (!right) wrong.push(`${held} at ${method} ${path}: ${status}`);
    }
  }
  t.strictSame(wrong, []);
  t.ok((await trailLength(console)) >= before);
  const open_ = routePolicies.filter(({ role, method }) => role === 'public' && method !== 'GET').map(({ url }) => url);
  t.strictSame(open_, ['/sign-in', '/sign-in/:token'], 'only the sign-in is open to visitors');
  const own = routePolicies.filter(({ role, method }) => role === 'viewer' && method !== 'GET').map(({ url }) => url);
  t.strictSame(own.sort(), ['/sessions/:sessionId/end', '/sign-out'], 'a viewer changes nothing but the own sessions');
});

t.test('no form is taken from elsewhere: every route that changes something', async (t) => {
  const console = await open(t);
  await createBroker.run(console.context, BROKER);
  const admin = await console.signedIn('admin');
  const other = await console.signedIn('admin');
  await other.get('/sessions');
  const before = await listAudit(console.context);
  const forms = policiesOf(console).filter(({ method, role }) => method === 'POST' && role !== 'public');
  t.ok(forms.length > 25, `${forms.length} forms`);
  const own = { 'sec-fetch-site': 'same-origin' };
  const taken: string[] = [];
  for (const { path } of forms) {
    await admin.get('/sessions');
    const attacks: Array<[string, Record<string, string>, Record<string, string>]> = [
      ['no token', { form_token: '' }, own],
      ['a made-up token', { form_token: 'A'.repeat(43) }, own],
      ['another session’s token', { form_token: other.token() }, own],
      ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
      ['from a neighbour', {}, { 'sec-fetch-site': 'same-site' }],
      ['by hand', {}, { 'sec-fetch-site': 'none' }],
      ['of another origin', {}, { origin: 'https://evil.example' }],
    ];
    for (const [title, fields, headers] of attacks) {
      if ((await submit(admin, path, fields, headers)).status !== 403) taken.push(`${path}: ${title}`);
    }
    const text = { method: 'POST' as const, url: path, headers: { 'content-type': 'text/plain', ...own } };
    const plain = await admin.send({ ...text, payload: `form_token=${admin.token()}` });
    if (![403, 415].includes(plain.status)) taken.push(`${path}: as plain text, ${plain.status}`);
    const json = await admin.send({ method: 'POST', url: path, payload: { form_token: admin.token() } });
    if (![403, 415].includes(json.status)) taken.push(`${path}: as JSON, ${json.status}`);
  }
  t.strictSame(taken, []);
  t.equal((await listAudit(console.context)).length, before.length, 'nothing was changed');
});

t.test('no method but the two that there are leads anywhere', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'] as const) {
    for (const url of ['/brokers', '/imports', '/audit.csv', '/sign-out']) {
      t.equal((await admin.send({ method, url })).status, 404, `${method} ${url}`);
    }
  }
});

t.test('over HTTPS a cookie without the host’s own prefix opens nothing', async (t) => {
  const console = await open(t);
  const plain = await console.signedIn('admin');
  const token = plain.cookies.get('broker_console_session') as string;
  const secure = console.browser({ 'x-forwarded-proto': 'https' });
  secure.cookies.set('broker_console_session', token);
  t.equal((await secure.get('/brokers')).to, '/sign-in');
  secure.cookies.set('__Host-broker_console_session', token);
  t.equal((await secure.get('/brokers')).status, 200);
});

/** Texts that would run, or end an attribute, if anything forgot to escape them. */
const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)>{{7*7}}`;

/** Every page that links lead to, from the navigation on. */
async function crawl(
  console: TestConsole,
  browser: Awaited<ReturnType<TestConsole['signedIn']>>,
  first: readonly string[],
) {
  const found = new Map<string, string>();
  const waiting = [
    ...first,
    '/',
    ...policiesOf(console).flatMap(({ method, url }) => (method === 'GET' && !url.includes(':') ? [url] : [])),
  ];
  while (waiting.length > 0 && found.size < 300) {
    const path = waiting.shift() as string;
    if (found.has(path) || path.startsWith('/assets/') || path === '/sign-out') continue;
    const { body, to } = await browser.get(path);
    found.set(path, body);
    if (to) waiting.push(to);
    for (const [, href] of body.matchAll(/(?:href|src)="(\/[^"#]*)/g))
      waiting.push((href as string).replaceAll('&amp;', '&'));
  }
  return found;
}

t.test('no text that a broker, a client or a provisioner writes becomes part of a page', async (t) => {
  const console = await open(t, { demo: true });
  const { context, store } = console;
  const { broker_id: brokerId } = await createBroker.run(context, { ...BROKER, name: HOSTILE });
  const plan = {
    slug: 'evil',
    display_name: HOSTILE.slice(0, 100),
    upgrade_rank: 10,
    billing_type: 'monthly',
    description: HOSTILE,
  };
  await importPlans(context, { broker: 'acme', file: file(`${HOSTILE.slice(0, 20)}.json`, [plan]) });
  const service = {
    service_number: 5001,
    label: HOSTILE,
    external_reference: HOSTILE,
    client: { name: HOSTILE, email: HOSTILE },
    plan: 'evil',
  };
  await importServices(context, { broker: 'acme', file: file('services.json', [service]) });
  const texts = {
    subject: HOSTILE.replace('{{7*7}}', ''),
    html: '<script>alert(1)</script>',
    text: HOSTILE.replace('{{7*7}}', ''),
  };
  for (const kind of ['cancellation-warning', 'service-created'])
    await setTemplate(context, { broker: 'acme', kind, ...texts });
  await createKey.run(context, { broker: 'acme', name: HOSTILE, mode: 'live', scopes: 'plans:read' });
  await allowAddress.run(context, { broker: 'acme', rule: '192.0.2.1', note: HOSTILE });
  await addOperator.run(context, { email: 'zoe@example.com', name: HOSTILE, role: 'viewer' });
  const at = console.clock.now();
  const requestId = context.newId('req', at);
  const emailId = context.newId('eml', at);
  await store.tx(async (tx) => {
    await tx.emails.insert({
      id: emailId,
      brokerId,
      kind: 'cancellation-warning',
      serviceNumber: 5001,
      requestId,
      status: 'unknown',
      recipient: HOSTILE,
      subject: HOSTILE,
      html: '<script>alert(1)</script>',
      text: HOSTILE,
      failureReason: HOSTILE,
      providerCode: HOSTILE,
      providerMessageId: HOSTILE,
      createdAt: at,
      completedAt: at,
      settledAt: at,
      settledNote: HOSTILE,
      erasedAt: null,
    });
    const request = aRequest(
      { brokerId, number: 5001 },
      {
        id: requestId,
        type: 'cancellation',
        status: 'failed',
        origin: 'client',
        submittedAt: at,
        updatedAt: at,
        processedAt: at,
        decisionAction: 'deny',
        decidedBy: 'broker',
        decisionReason: HOSTILE,
        decidedAt: at,
        failureReason: 'provisioner_refused',
        failureMessage: HOSTILE,
        failureServiceUsable: true,
        failureRetryable: true,
        warningReason: HOSTILE,
        cancellationType: 'immediate',
        cancellationReason: HOSTILE,
        attempts: 1,
        actionName: HOSTILE,
        actionDisplayName: HOSTILE,
        actionConfiguration: JSON.stringify({ image: HOSTILE }),
      },
    );
    await tx.requests.insert(request);
    await tx.audit.insert({
      id: context.newId('aud', at),
      at,
      actorKind: 'command',
      actor: HOSTILE,
      clientIp: HOSTILE,
      action: HOSTILE,
      brokerId,
      subject: HOSTILE,
      before: JSON.stringify({ [HOSTILE]: HOSTILE }),
      after: JSON.stringify({ [HOSTILE]: [HOSTILE] }),
    });
  });
  const admin = await console.signedIn('admin');
  await admin.get('/imports');
  await admin.upload(
    '/imports',
    { kind: 'plans', broker: 'acme' },
    { name: `${HOSTILE.slice(2, 30)}.csv`, content: `slug\n${HOSTILE}\n` },
  );
  const pages = await crawl(console, admin, [
    '/brokers/acme',
    `/requests/${requestId}`,
    `/emails/${emailId}`,
    '/templates/acme/service-created',
    '/audit',
  ]);
  let shown = 0;
  const faults: string[] = [];
  for (const [path, body] of pages) {
    // What the frame shows is the mail itself, under a policy of its own; documents are the project's, with links of theirs.
    if (/\/html(\?|$)|\/drafts\/|\.csv|^\/docs\//.test(path)) continue;
    const found = [
      ['a script', /<script>alert|<img src=x/.test(body)],
      ['a handler', /<[^>]*\son\w+=/.test(body.replaceAll(/"[^"]*"/g, '""'))],
      ['a script in a link', /(?:href|src|action)="(?:javascript|data):/i.test(body)],
      ['a style', /\sstyle="/.test(body)],
      [
        'a link elsewhere',
        /(?:href|src|action)="(?:https?:)?\/\/(?!127\.0\.0\.1|console\.example|api\.example\/)/.test(body),
      ],
    ] as const;
    for (const [what, has] of found) if (has) faults.push(`${path} has ${what}`);
    if (body.includes('&lt;script&gt;alert(1)')) shown += 1;
  }
  t.strictSame(faults, []);
  t.ok(shown >= 8, `${shown} pages show the texts, as texts`);
  const search = await admin.get(`/search?q=${encodeURIComponent(HOSTILE)}`);
  t.notMatch(search.body, /<script>alert/);
});

t.test('what can be done once is done once, however many click', async (t) => {
  const console = await open(t, { demo: true });
  const { context, store, clock } = console;
  const [review] = (await pageRequests(context, { request_status: 'operator_review' })).items;
  const emailId = context.newId('eml', clock.now());
  const [broker] = await store.read.brokers.list();
  await store.tx((tx) =>
    tx.emails.insert({
      id: emailId,
      brokerId: broker?.id as string,
      kind: 'cancellation-warning',
      serviceNumber: null,
      requestId: null,
      status: 'unknown',
      recipient: 'a@example.com',
      subject: 'S',
      html: null,
      text: 'T',
      failureReason: null,
      providerCode: null,
      providerMessageId: null,
      createdAt: clock.now(),
      completedAt: null,
      settledAt: null,
      settledNote: null,
      erasedAt: null,
    }),
  );
  const people = await Promise.all(Array.from({ length: 5 }, () => console.signedIn('support')));
  for (const person of people) await person.get('/sessions');
  const decided = await Promise.all(
    people.map((person, at) =>
      person.post(`/requests/${review?.request_id}/review`, { accept: at % 2 ? 'true' : 'false' }),
    ),
  );
  t.strictSame(decided.map(({ status }) => status).sort(), [303, 422, 422, 422, 422]);
  const settled = await Promise.all(
    people.map((person, at) =>
      person.post(`/emails/${emailId}/settle`, { arrived: at % 2 ? 'true' : 'false', note: 'n' }),
    ),
  );
  t.strictSame(settled.map(({ status }) => status).sort(), [303, 422, 422, 422, 422]);
  t.equal((await listAudit(context, { action: 'email.settle', subject: `email/${emailId}` })).length, 1);
});

t.test('no address leads to a file that is not served, or into a header', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  const { body } = await admin.get('/brokers');
  const [, folder] = /"(\/assets\/[\w-]{10})\/console\.css"/.exec(body) as RegExpExecArray;
  const ways = [
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/..%5c..%5cpackage.json',
    '/console.css%00.js',
    '/console.css/',
    '//console.css',
    '/app.ts',
    '/.env',
    '/%252e%252e/package.json',
  ];
  for (const way of ways) {
    const { status, body: answer } = await admin.get(`${folder}${way}`);
    t.ok([400, 404].includes(status), `${way}: ${status}`);
    t.notMatch(answer, /"dependencies"/, way);
  }
  t.equal((await admin.get('/assets/AAAAAAAAAA/console.css')).status, 404);
  await admin.get('/sessions');
  const split = '%0d%0aset-cookie:%20evil=1';
  for (const path of [
    `/brokers/a${split}/suspend`,
    `/brokers/a${split}/recipients/add`,
    `/sessions/s${split}/end`,
    `/brokers/acme/imports/i${split}/remove`,
  ]) {
    const answer = await admin.post(path);
    t.notOk(
      answer.cookies.some(({ name }) => name === 'evil'),
      path,
    );
    t.notMatch(String(answer.to), /[\r\n]/, path);
    t.notMatch(String(answer.to), /^(https?:)?\/\//, path);
  }
});
