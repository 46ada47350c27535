import { stringify } from 'node:querystring';
import { jsx } from 'hono/jsx';
import t, { type Test } from 'tap';
import { Page } from '../../console/components/layout.tsx';
import { newFormName, SentForms } from '../../console/http/sent-forms.ts';
import { SECTIONS } from '../../console/pages/index.ts';
import { createKey, listKeys } from '../../src/operator/access/keys.ts';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { setTemplate } from '../../src/operator/mail/templates.ts';
import { addOperator } from '../../src/operator/people/operators.ts';
import { importPlans, setPlan } from '../../src/operator/plans/plans.ts';
import { submitClientRequest } from '../../src/operator/requests/decisions.ts';
import { pageRequests } from '../../src/operator/requests/views.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { setService } from '../../src/operator/services/services.ts';
import { OperatorError } from '../../src/operator/use-case/errors.ts';
import { newCorrelationId } from '../../src/runtime/ids.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { CallRow } from '../../src/store/queries/calls.ts';
import type { KeyRow } from '../../src/store/queries/keys.ts';
import { createTestConsole, formAgain, type TestConsole } from '../support/console.ts';
import { BROKER, file } from '../support/operator-context.ts';
import { aCall, anEmail, aUsageRow } from '../support/rows.ts';

/** A text that would run if anything forgot to escape it. */
const HOSTILE = `"><script>alert(1)</script>'&`;
const ESCAPED = /&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;&#39;&amp;/;

async function open(t: Test, records: { demo?: boolean } = {}) {
  const console = await createTestConsole(records);
  t.teardown(() => console.close());
  return console;
}

/** A call that was refused with a key of "acme", kept a second ago. */
async function aCallOf({ store, clock }: TestConsole, keyId: string, fields: Partial<CallRow> = {}): Promise<CallRow> {
  const [broker, key] = [await store.read.brokers.findBySlug('acme'), await store.read.keys.find(keyId)];
  const call = { requestId: newCorrelationId(), at: clock.now() - 1000, status: 404, code: 'not_found', ...fields };
  const row = aCall(broker as BrokerRow, key as KeyRow, { serviceNumber: null, ...call });
  await store.tx((tx) => tx.calls.insert([row]));
  return row;
}

const PLANS = [
  {
    slug: 'small',
    display_name: 'Small',
    upgrade_rank: 10,
    billing_type: 'monthly',
    specifications: { vcpu: 1, memory_mb: 1500, disk_gb: 40, transfer_gb: null },
    price: { amount: '6.00', currency: 'EUR' },
  },
  {
    slug: 'large',
    display_name: 'Large',
    upgrade_rank: 20,
    billing_type: 'monthly',
    requires_operator_review: true,
    specifications: { vcpu: 4, memory_mb: 8192, disk_gb: 40, transfer_gb: 1000 },
    price: { amount: '18.5', currency: 'EUR' },
  },
  {
    slug: 'bare',
    display_name: 'Bare',
    upgrade_rank: 30,
    billing_type: 'monthly',
    price: { amount: '20.00', currency: 'USD' },
  },
];

/** A broker with two plans and some services. */
async function stock({ context }: TestConsole, broker = BROKER, count = 2) {
  await createBroker.run(context, broker);
  await importPlans(context, { broker: broker.slug, file: file('plans.json', PLANS) });
  const records = Array.from({ length: count }, (_, index) => ({
    client: { name: `Client ${index}`, email: `client${index}@example.com` },
    plan: 'small',
    renewal_date: '2030-02-01',
  }));
  const { issued_service_numbers: numbers } = await importServices(context, {
    broker: broker.slug,
    file: file('services.json', records),
  });
  return numbers.map(String);
}

/** A plan change that waits for the operator, by way of a broker's decision. */
async function review(
  console: TestConsole,
  service: string,
  newPlan = 'large',
  broker = BROKER.slug,
  type = 'plan-upgrade',
) {
  const { request_id } = await submitClientRequest.run(console.context, {
    broker,
    service_number: service,
    type,
    new_plan: newPlan,
  });
  await console.store.tx((tx) =>
    tx.brokers
      .findBySlug(broker)
      .then((row) =>
        tx.requests.move(row?.id as string, request_id, { status: 'pending' }, { status: 'operator_review' }),
      ),
  );
  return request_id;
}

t.test('the navigation names the pages that are there, and the first one is where one comes in', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  t.equal(SECTIONS[0]?.path, '/');
  const { body } = await viewer.get('/brokers');
  const navigation = /<nav aria-label="Main"[^>]*>(.*?)<\/nav>/s.exec(body)?.[1] as string;
  t.strictSame(
    [...navigation.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
    SECTIONS.filter(({ role }) => role === undefined).map(({ path }) => path),
  );
  for (const { path, role } of SECTIONS) t.equal((await viewer.get(path)).status, role ? 403 : 200, path);
  const admin = await console.signedIn('admin');
  t.match((await admin.get('/operators')).body, /<a href="\/operators" aria-current="page">People/);
  t.match(await viewer.get('/nowhere'), { status: 404, text: /Page not found/, body: /<nav aria-label="Main"/ });
  const stranger = await console.browser().get('/nowhere');
  t.match([stranger.status, stranger.body.includes('<nav')], [404, false]);
  t.match(await viewer.get('/plans/none'), { status: 404, body: /<nav aria-label="Main"/ });
  t.match(await viewer.get('/brokers/nobody'), { status: 404, text: /There is no broker/ });
  t.match(await viewer.get('/requests/req_none'), { status: 404, text: /There is no request/ });
  t.match(await viewer.get(`/brokers/${'x'.repeat(300)}`), { status: 400, text: /A segment of the path is too long/ });
  t.match(await viewer.get('/brokers/%zz'), { status: 400, text: /The URL cannot be decoded/ });
});

t.test('a thousand brokers are searched, filtered, sorted and paged by the address', async (t) => {
  const console = await open(t);
  const { context } = console;
  await console.store.tx(async (tx) => {
    for (let index = 0; index < 1000; index += 1) {
      await createBroker.run(
        { ...context, store: { ...context.store, tx: (work) => work(tx) } },
        {
          slug: `b${String(index).padStart(4, '0')}`,
          name: `Broker ${index}`,
          contact_email: 'c@example.com',
          sender_email: 's@example.com',
        },
      );
    }
  });
  await createBroker.run(context, {
    slug: 'zz',
    name: 'Ünal Straße',
    contact_email: 'find-me@example.com',
    sender_email: 's@example.com',
  });
  const viewer = await console.signedIn('viewer');
  const slugs = async (url: string) =>
    [...(await viewer.get(url)).body.matchAll(/<td><a href="\/brokers\/([^"]+)"/g)].map(([, slug]) => slug);
  t.strictSame([(await slugs('/brokers')).length, (await slugs('/brokers'))[0]], [50, 'b0000']);
  t.match((await viewer.get('/brokers')).text, /1 to 50 of 1,001 brokers/);
  t.strictSame(await slugs('/brokers?page=21'), ['zz']);
  t.match((await viewer.get('/brokers?page=99999')).text, /Nothing here: there are 1,001 brokers/);
  for (const search of ['ÜNAL', 'STRASSE', 'find-me', 'zz'])
    t.strictSame(await slugs(`/brokers?q=${search}`), ['zz'], search);
  t.strictSame((await slugs('/brokers?order=name&page=21')).length, 1);
  t.equal((await slugs('/brokers?order=newest'))[0], 'b0000');
  t.equal((await slugs('/brokers?order=services')).length, 50);
  t.equal((await slugs('/brokers?order=nonsense&page=x&status=nonsense')).length, 50);
  t.match((await viewer.get('/brokers?status=suspended')).text, /No broker matches/);
  const { body } = await viewer.get('/brokers?q=broker&order=newest&page=2');
  t.match(body, /href="\/brokers\?q=broker&amp;order=newest"[^>]*rel="prev"/);
  t.match(body, /href="\/brokers\?q=broker&amp;order=newest&amp;page=3"[^>]*rel="next"/);
  t.match((await viewer.get('/requests')).body, /Broker’s slug<\/label><input/, 'too many to choose from');
  t.match((await viewer.get('/services')).body, /Broker’s slug<\/label><input/);
  t.match((await (await console.signedIn('admin')).get('/imports')).text, /Broker’s slug/);
});

t.test('an empty installation says what to do first', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  t.match((await admin.get('/brokers')).text, /There are no brokers yet/);
  t.match((await admin.get('/requests')).text, /There are no requests yet/);
  t.match((await admin.get('/requests?status=operator_review')).text, /No request waits for a review/);
  t.match((await admin.get('/requests?broker=nobody')).text, /No request matches/);
  await admin.get('/brokers');
  const made = await admin.post('/brokers/create', {
    slug: 'acme',
    name: 'Acme',
    contact_email: 'a@example.com',
    sender_email: 'b@example.com',
  });
  t.equal(made.to, '/brokers/acme');
  const page = await admin.get('/brokers/acme');
  t.match(page.text, /Acme was added/);
  t.match(page.text, /No key yet/);
  t.notMatch((await admin.get('/brokers/acme')).text, /Acme was added/, 'said once');
  const again = await admin.post('/brokers/create', {
    slug: 'acme',
    name: 'Another',
    contact_email: 'a@example.com',
    sender_email: 'b@example.com',
  });
  t.match([again.status, again.text], [422, /There is a broker &quot;acme&quot; already/]);
});

t.test('the page of a broker counts what is in its sandbox', async (t) => {
  const found = {
    services: 1_022,
    requests: 9,
    sandbox_date: '2027-08-01T00:00:00.000Z',
    called_date: '2026-07-01T00:00:00.000Z',
  };
  const console = await createTestConsole({
    processInfo: { sandboxes: { find: async () => found, remove: async () => undefined, count: async () => 0 } },
  });
  t.teardown(() => console.close());
  await stock(console);
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/brokers/acme')).text, /Sandbox 1,022 services, 9 requests; its date is 2027-08-01/);
});

t.test('what is chosen with a plan change is written as JSON, and stands beside what the service has', async (t) => {
  const console = await open(t);
  const [number = ''] = await stock(console);
  const options = [
    { name: 'os', display_name: 'System', type: 'choice', choices: [{ value: 'deb', display_name: 'Debian' }] },
    { name: 'backups', display_name: 'Backups', type: 'boolean' },
  ];
  await setPlan.run(console.context, { broker: 'acme', slug: 'large', options: JSON.stringify(options) });
  const { id: brokerId } = (await console.store.read.brokers.findBySlug('acme')) as BrokerRow;
  const stored = { configuration: '{"backups":false}' };
  await console.store.tx((tx) => tx.services.update(brokerId, Number(number), stored));
  const support = await console.signedIn('support');
  const page = `/services/${number}`;
  const submit = (configuration: string) =>
    support.edit(page, `${page}/submit`, { type: 'plan-upgrade', new_plan: 'large', configuration });
  const refused = await submit('{"os":"bsd"}');
  t.match(refused, { status: 422, text: /configuration\.os: must be one of deb/ });
  t.match(formAgain(refused.body, `${page}/submit`), { configuration: '{"os":"bsd"}' }, 'what was typed stays');
  const { to } = await submit('{"os":"deb","backups":true}');
  const [id] = /req_\w+/.exec(String(to)) as [string];
  const [from, waits] = [{ status: 'pending' }, { status: 'operator_review' }] as const;
  await console.store.tx((tx) => tx.requests.move(brokerId, id, from, waits));
  const pages = [`/requests/${id}`, `/requests/reviews?request_id=${id}`];
  for (const path of pages) t.match((await support.get(path)).text, /Now Then .*System – Debian Backups no yes /, path);
  await support.edit(`/requests/${id}`, `/requests/${id}/review`, { accept: 'false' });
  t.match((await support.get(`/requests/${id}`)).text, /System Debian Backups yes /, 'what it had then is not known');
});

t.test('a broker is changed, suspended and resumed', async (t) => {
  const console = await open(t);
  await stock(console);
  const admin = await console.signedIn('admin');
  const find = () => console.store.read.brokers.findBySlug('acme');
  const edit = (fields: Record<string, string>) => admin.edit('/brokers/acme', '/brokers/acme/set', fields);
  await edit({ name: 'Other', contact_email: 'n@example.com', sender_email: 'm@example.com' });
  t.match(await find(), { name: 'Other', contactEmail: 'n@example.com', senderEmail: 'm@example.com' });
  t.match(await edit({ name: '', contact_email: 'x', sender_email: '' }), {
    status: 422,
    text: /must not be blank/,
  });
  const suspend = '/brokers/acme/suspend';
  const asked = await admin.post(suspend);
  t.match(asked, { status: 200, text: /its 0 active keys are refused within a second, until it is resumed/ });
  t.equal((await find())?.status, 'active', 'it asks first');
  await admin.post(suspend, formAgain(asked.body, suspend));
  t.match(
    (await admin.get('/brokers/acme')).text,
    /is suspended\. Suspended now by \S+ : its keys are refused.* Keys all are refused/,
  );
  t.equal((await find())?.status, 'suspended');
  await admin.post('/brokers/acme/resume');
  t.equal((await find())?.status, 'active');
  await admin.post('/brokers/acme/recipients/add', { email: 'books@example.com' });
  t.match((await admin.get('/brokers/acme')).text, /books@example\.com/);
  const twice = await admin.post('/brokers/acme/recipients/add', { email: 'Books@example.com' });
  t.match(twice, { status: 422, body: /role="alert"[^>]*>[^<]*is on the list already/ });
  t.match(formAgain(twice.body, '/brokers/acme/recipients/add'), { email: 'Books@example.com' });
  await admin.post('/brokers/acme/recipients/remove', { email: 'books@example.com' });
  t.equal((await console.store.read.brokers.listRecipients((await find())?.id as string)).length, 0);
  t.match(await admin.post('/brokers/nobody/suspend'), { status: 404, text: /There is no broker/ });
});

t.test(
  'a broker is removed by an admin who types its name, a day after its suspension, with its sandbox',
  async (t) => {
    const removed: string[] = [];
    const sandboxes = {
      find: async () => null,
      remove: async (id: string) => void removed.push(id),
      count: async () => 0,
    };
    const console = await createTestConsole({ processInfo: { sandboxes } });
    t.teardown(() => console.close());
    await stock(console);
    const admin = await console.signedIn('admin');
    const id = (await console.store.read.brokers.findBySlug('acme'))?.id;
    t.notMatch((await admin.get('/brokers/acme')).text, /for good/);
    await admin.edit('/brokers/acme', '/brokers/acme/suspend');
    const suspended = (await admin.get('/brokers/acme')).text;
    t.match(suspended, /Remove: from 2030-01-16 12:00 UTC on/, 'with the date, before one tries');
    t.notMatch(suspended, /for good\?/);
    const early = await admin.post('/brokers/acme/remove', { slug: 'acme' });
    t.match(early, { status: 422, text: /once it has been suspended for a day/ });
    console.clock.advance(86_400_000);
    const again = await console.signedIn('admin');
    t.match((await again.get('/brokers/acme')).text, /Remove Acme Hosting for good\?/);
    t.match(await again.post('/brokers/acme/remove', { slug: 'acm' }), { status: 422, text: /must be acme/ });
    t.match(await again.post('/brokers/acme/remove', { slug: ' acme ' }), {
      status: 303,
      to: '/brokers',
    });
    t.match((await again.get('/brokers')).text, /acme is removed with all its records/);
    t.equal(await console.store.read.brokers.findBySlug('acme'), null);
    t.strictSame(removed, [id]);
  },
);

t.test('a form whose answer shows a key makes one, however often it is sent', async (t) => {
  const console = await open(t);
  await stock(console);
  const admin = await console.signedIn('admin');
  const formName = async () =>
    /name="form_name" value="([^"]+)"/.exec((await admin.get('/brokers/acme')).body)?.[1] as string;
  const form = { form_name: await formName(), name: 'Shop', mode: 'live' };
  t.equal((await admin.post('/brokers/acme/keys/create', form)).status, 201);
  const again = await admin.post('/brokers/acme/keys/create', form);
  t.match(again, { status: 409, text: /This form was sent before, and what it created was shown then/ });
  t.equal((await listKeys.run(console.context, { broker: 'acme' })).records.length, 1);
  const other = { ...form, form_name: await formName() };
  t.equal((await admin.post('/brokers/acme/keys/create', { ...other, expires_date: 'tomorrow' })).status, 422);
  t.equal(
    (await admin.post('/brokers/acme/keys/create', other)).status,
    201,
    'who goes back after a refusal has made none yet',
  );
});

t.test('a key’s form that was refused is shown with what had been entered, and why', async (t) => {
  const console = await open(t);
  await stock(console);
  const admin = await console.signedIn('admin');
  await admin.get('/brokers/acme');
  const entry = { name: 'Shop <1>', mode: 'test', scopes: 'plans:read', rate_limit: '70', expires_date: 'tomorrow' };
  const { status, body } = await admin.post('/brokers/acme/keys/create', entry);
  t.equal(status, 422);
  const [form] = body.match(/<h2>Create a key<\/h2>.*?<\/form>/s) as [string];
  for (const kept of [
    /role="alert"[^>]*>Ends: must be a date/,
    /<input name="expires_date"[^>]* aria-describedby="([^"]+)" aria-invalid="true".*<small id="\1" class="fault"[^>]*>Must be/,
    /value="Shop &lt;1&gt;"/,
    /value="test" selected/,
    /value="plans:read" checked/,
    /value="70"/,
    /value="tomorrow"/,
  ])
    t.match(form, kept);
  t.equal(form.match(/ checked=/g)?.length, 1);
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  t.equal(new Set(ids).size, ids.length, 'no two things on the page have one id');
});

t.test('a thousand sent forms are remembered, the latest of them', async (t) => {
  const sent = new SentForms();
  const names = Array.from({ length: 1_001 }, newFormName);
  t.ok(names.every((name) => sent.begin(name)));
  t.notOk(sent.begin(names.at(-1) as string));
  t.notOk(sent.begin(names[1] as string));
  t.ok(sent.begin(names[0] as string), 'the oldest made room');
  t.ok(sent.begin(`${'x'.repeat(16)}1`));
  t.notOk(sent.begin(`${'x'.repeat(16)}2`), 'and none of a name longer than ours');
});

t.test('a key is shown once, changed, rotated and revoked', async (t) => {
  const console = await open(t);
  await stock(console);
  const admin = await console.signedIn('admin');
  const keys = async () => (await listKeys.run(console.context, { broker: 'acme' })).records;
  await admin.get('/brokers/acme');
  const made = await admin.post('/brokers/acme/keys/create', {
    name: 'Shop',
    mode: 'live',
    scopes: ['plans:read', 'services:read'],
    rate_limit: '600',
    expires_date: '2031-01-31',
  });
  t.equal(made.status, 201);
  t.match(made.text, /New key “Shop” of Acme Hosting.*Give it to the broker.*first call.*curl .*\/api\/v1\/auth-check/);
  t.match(made.body, /<h1 dir="auto" tabindex="-1" autofocus="">/, 'read from its title on');
  t.match(made.body, /href="\/brokers" aria-current="page"/, 'the navigation keeps its place');
  const key = /<code id="shown-once">(sk_live_[^<]+)</.exec(made.body)?.[1] as string;
  t.match((await keys())[0], { name: 'Shop', scopes: ['plans:read', 'services:read'], rate_limit: 600 });
  const page = await admin.get('/brokers/acme');
  t.notOk(page.body.includes(key), 'and nowhere again');
  t.ok(page.text.includes(key.slice(0, 16)));
  t.match(await admin.edit('/brokers/acme', '/brokers/acme/keys/create', { name: '', mode: 'live' }), {
    status: 422,
    text: /Name: is required/,
  });

  const id = (await keys())[0]?.key_id as string;
  const path = `/brokers/acme/keys/${id}`;
  const changed = { scopes: ['admin:full'], rate_limit: '', expires_date: '' };
  t.equal((await admin.edit('/brokers/acme', `${path}/set`, changed)).to, path);
  t.match((await keys())[0], { scopes: ['admin:full'], rate_limit: null, expires_date: null });
  const atOnce = await admin.edit(path, `${path}/rotate`, { overlap: '0' });
  t.match(atOnce, { status: 200, text: /ends for good: its calls are refused within a second/ });
  t.match(formAgain(atOnce.body, `${path}/rotate`), { overlap: '0', confirmed: /ends for good/ });
  t.equal((await keys()).length, 1, 'it asks first');
  const rotated = await admin.edit(path, `${path}/rotate`, { overlap: '1h' });
  t.match([rotated.status, rotated.body], [201, /<code id="shown-once">sk_live_/]);
  t.match((await admin.get(path)).text, /It was rotated: its new key takes its place/);
  const twice = await admin.post(`${path}/rotate`, { reason: 'planned' });
  t.match(twice, { status: 422, text: /was rotated already/ });
  await admin.edit(path, `${path}/revoke`);
  t.match(
    (await keys()).map(({ key_status }) => key_status),
    ['revoked', 'active'],
  );
  t.match((await admin.get('/brokers/acme')).text, /was revoked: it is refused from now on/);
  console.clock.advance(2 * 3_600_000);
  await createKey.run(console.context, {
    broker: 'acme',
    name: 'Late',
    mode: 'test',
    scopes: '',
    expires_date: '2031-01-01',
  });
  console.clock.advance(400 * 86_400_000);
  t.match((await (await console.signedIn('viewer')).get('/brokers/acme')).text, /Late expired/);
});

t.test('a key is reached by way of its own broker alone', async (t) => {
  const console = await open(t);
  await stock(console);
  await createBroker.run(console.context, { ...BROKER, slug: 'other' });
  const { key_id } = await createKey.run(console.context, { broker: 'acme', name: 'Shop', mode: 'live', scopes: '' });
  const admin = await console.signedIn('admin');
  await admin.get('/brokers/other');
  for (const act of ['revoke', 'rotate', 'set']) {
    t.equal((await admin.post(`/brokers/other/keys/${key_id}/${act}`, { seen: '{}' })).status, 404, act);
  }
  t.match((await listKeys.run(console.context, { broker: 'acme' })).records, [{ key_status: 'active' }]);
});

t.test('the firewall is kept, and shows whom it would let in and by which rule', async (t) => {
  const console = await open(t);
  await stock(console);
  const admin = await console.signedIn('admin');
  await admin.get('/brokers/acme');
  await admin.post('/brokers/acme/firewall/allow', { rule: ' 203.0.113.0/28 ', note: 'office' });
  const check = async (address: string) =>
    (await admin.get(`/brokers/acme?address=${encodeURIComponent(address)}`)).text;
  t.match(await check('198.51.100.1'), /allowed: the firewall is off/);
  await admin.post('/brokers/acme/firewall/enable');
  t.match(await check('::ffff:203.0.113.9'), /allowed by 203\.0\.113\.0\/28/);
  t.match(await check('198.51.100.1'), /refused: no rule covers it/);
  t.match(await check('not an address'), /is not an IPv4 or IPv6 address/);
  const remove = '/brokers/acme/firewall/remove';
  const last = await admin.post(remove, { rule: '203.0.113.0/28' });
  t.match(last, { status: 200, text: /would admit no address: every call is refused within a second/ });
  await admin.post(remove, formAgain(last.body, remove));
  t.match((await admin.get('/brokers/acme')).text, /every call is refused/);
  await admin.post('/brokers/acme/firewall/disable');
  t.match((await admin.get('/brokers/acme')).text, /would admit no address: every call is refused/);
});

t.test(
  'a review shows plan, sizes and price side by side, why it is looked at, and when it would take effect',
  async (t) => {
    const console = await open(t);
    const [service = ''] = await stock(console);
    const id = await review(console, service);
    const viewer = await console.signedIn('viewer');
    t.match((await viewer.get('/brokers')).text, /Requests 1 waiting/);
    const page = await viewer.get(`/requests/${id}`);
    t.match(page.text, /Upgrade of service \d+: review/);
    t.match(page.text, /Plan Small Large/);
    t.match(page.text, /vCPU 1 4 \+3/);
    t.match(page.text, /Memory 1,500 MB 8 GB \+6,692 MB/);
    t.match(page.text, /Disk 40 GB 40 GB Transfer – 1,000 GB/);
    t.match(page.text, /Price a month 6\.00 EUR 18\.5 EUR \+12\.50/);
    t.match(page.text, /Takes effect as soon as it is accepted/);
    t.match(page.text, /Reviewed because the plan requires it/);
    t.match(page.text, /The role support or admin/);
    t.notMatch(page.body, /value="accept"/);
    const support = await console.signedIn('support');
    await support.get(`/requests/${id}`);
    t.match(await support.post(`/requests/${id}/review`), { status: 422 }, 'neither accepted nor denied');
    const done = await support.post(`/requests/${id}/review`, { accept: 'true', reason: ' Fine.\r\nGo on. ' });
    t.equal(done.to, `/requests/${id}`);
    const after = await support.get(`/requests/${id}`);
    t.match(
      after.text,
      /Accepted: the request of service \d+ is queued.*accepted by support-\d@example\.com, now Fine\. Go on\./,
    );
    t.match(await support.post(`/requests/${id}/review`, { accept: 'false', reason: 'late' }), {
      status: 422,
      text: /not under review/,
    });
    const withdrawn = await support.post(`/requests/${id}/withdraw`);
    t.equal(withdrawn.status, 303);
    t.match((await support.get(`/requests/${id}`)).text, /Failure/);
    t.equal((await support.post(`/requests/${id}/withdraw`)).status, 422);
    t.equal((await support.post('/requests/req_none/withdraw')).status, 404);
  },
);

t.test('a refused decision keeps what was written; a denied one shows the reason', async (t) => {
  const console = await open(t);
  const [first = '', second = ''] = await stock(console);
  const id = await review(console, first);
  const support = await console.signedIn('support');
  await setService.run(console.context, { broker: 'acme', service_number: first, service_status: 'suspended' });
  const waiting = await support.get(`/requests/${id}`);
  t.match(waiting.text, /The service is suspended: the change can be accepted once/);
  t.match(waiting.body, /data-key="a" disabled/);
  const refused = await support.post(`/requests/${id}/review`, { accept: 'true', reason: 'A long thought' });
  t.match([refused.status, refused.body], [422, /<textarea[^>]*>\s*A long thought<\/textarea>/]);
  const other = await review(console, second, 'bare');
  const page = await support.get(`/requests/${other}`);
  t.match(page.text, /Price a month 6\.00 EUR 20\.00 USD Takes/);
  t.match(page.text, /Disk 40 GB –/);
  await support.post(`/requests/${other}/review`, { accept: 'false', reason: 'No room' });
  t.match((await support.get('/requests?status=denied')).text, /No room/);
  t.match((await support.get(`/requests?service=${second}`)).text, / 1 request /);
});

t.test(
  'a completed request leads to the emails about its service, and says what stands in the way of one today',
  async (t) => {
    const console = await open(t, { demo: true });
    const { context } = console;
    const completed = { request_status: 'completed', type: 'plan-upgrade' };
    const [done] = (await pageRequests(context, { broker: 'demo', ...completed })).items;
    const { request_id: id = '', service_number = 0 } = done ?? {};
    const viewer = await console.signedIn('viewer');
    const template = { broker: 'demo', kind: 'plan-change-completed', subject: 'S', html: 'H', text: 'T' };
    await setTemplate(context, { ...template, active: true });
    t.match(await viewer.get(`/requests/${id}`), { body: `href="/emails?service=${service_number}"` });
    await setTemplate(context, { ...template, active: false });
    t.match(await viewer.get(`/requests/${id}`), {
      text: /Email to the client emails about the service · the template is not in use/,
    });
    await setTemplate(context, { ...template, active: true });
    await setService.run(context, { service_number, 'client.email': null });
    t.match(await viewer.get(`/requests/${id}`), {
      text: /Email to the client emails about the service · the client has no address/,
    });
  },
);

t.test('requests are listed by broker, kind, status and service, the oldest review first', async (t) => {
  const console = await open(t);
  const numbers = await stock(console, BROKER, 4);
  const other = { ...BROKER, slug: 'other', name: 'Other' };
  const [theirs = ''] = await stock(console, other, 1);
  const ids: string[] = [];
  for (const number of numbers.slice(0, 3)) {
    ids.push(await review(console, number));
    console.clock.advance(60_000);
  }
  const foreign = await review(console, theirs, 'large', 'other');
  const viewer = await console.signedIn('viewer');
  const listed = async (query: string) =>
    [...(await viewer.get(`/requests?${query}`)).body.matchAll(/<a href="\/requests\/(req_[^"?]+)/g)].map(
      ([, id]) => id,
    );
  t.strictSame(await listed(''), [foreign, ...ids.toReversed()]);
  t.strictSame(await listed('status=operator_review'), [...ids, foreign]);
  t.strictSame(await listed('broker=other'), [foreign]);
  t.strictSame(await listed('broker=other&status=operator_review&type=plan-upgrade'), [foreign]);
  t.strictSame(await listed(`service=${numbers[0]}`), [ids[0]]);
  t.strictSame(await listed(`service=${numbers[0]}&broker=other`), []);
  t.strictSame(await listed('service=999'), []);
  t.strictSame(await listed('service=x&type=nonsense'), [foreign, ...ids.toReversed()]);
  for (const status of ['failed', 'completed', 'accepted']) t.strictSame(await listed(`status=${status}`), [], status);
  t.match((await viewer.get(`/requests/${ids[0]}`)).text, /History Audit trail pending/);
});

t.test('after a decision the next review stands there; several are decided at once, each by itself', async (t) => {
  const console = await open(t);
  const [one = '', two = '', three = ''] = await stock(console, BROKER, 3);
  const ids = [await review(console, one), await review(console, two), await review(console, three)];
  const viewer = await console.signedIn('viewer');
  t.notMatch((await viewer.get('/requests')).body, 'Decide the chosen ones');
  const support = await console.signedIn('support');
  const list = await support.get('/requests?status=operator_review');
  for (const id of ids) t.match(list.body, `value="${id}" form="reviews"`);
  const decided = await support.post(`/requests/${ids[0]}/review`, { accept: 'false' });
  t.equal(decided.to, `/requests/${ids[1]}`);
  t.match((await support.get(`/requests/${ids[1]}`)).text, /Denied: .* This is the next review/);

  const form = (path: string, fields: Record<string, string>) => support.post(path, { ...fields, request_id: ids });
  const page = `/requests/reviews?${stringify({ request_id: ids })}`;
  const asked = await support.get(page);
  t.match(asked.text, /Decide 2 reviews.*1 of those chosen no longer wait.*Plan Small Large.*Accept 2 reviews/);
  const filtered = '/requests?broker=acme';
  const none = await support.get(`/requests/reviews?${stringify({ back: filtered })}`);
  t.match(none, { status: 303, to: filtered });
  t.match((await support.get(filtered)).text, /Choose reviews in the list/);
  const elsewhere = await support.get(`/requests/reviews?${stringify({ back: '/requests?\nx' })}`);
  t.match(elsewhere, { status: 303, to: '/requests?status=operator_review' }, 'what no header can name is not named');
  t.match(await support.post('/requests/reviews/decide'), { status: 422, text: /Nothing chosen/ });
  t.match(await form('/requests/reviews/decide', {}), { status: 422, text: /Accept or deny the reviews/ });
  t.match(
    (await form('/requests/reviews/decide', { decision: 'accept' })).text,
    /2 reviews accepted.*not under review/,
  );
  t.match((await support.get(page)).text, /3 of those chosen no longer wait.*Back to the reviews/);
  t.match(await support.get('/requests/reviews?request_id=req_none'), { status: 404 });
});

t.test('a review that is opened from a filtered list leads to the next one of that list', async (t) => {
  const console = await open(t);
  const [one = '', two = '', three = ''] = await stock(console, BROKER, 3);
  const [theirs = ''] = await stock(console, { ...BROKER, slug: 'other', name: 'Other' }, 1);
  const foreign = await review(console, theirs, 'large', 'other');
  const ids: string[] = [];
  for (const number of [one, two, three]) {
    console.clock.advance(60_000);
    ids.push(await review(console, number));
  }
  const [first = '', second = '', third = ''] = ids;
  const support = await console.signedIn('support');
  const query = '?status=operator_review&broker=acme';
  const list = await support.get(`/requests${query}&page=1&type=`);
  const address = (id: string) => `/requests/${id}${query}`;
  const link = (id: string) => ` href="${address(id).replaceAll('&', '&amp;')}"`;
  for (const id of ids) t.match(list.body, link(id));
  const skips = async (id: string, to: string) =>
    t.match((await support.get(address(id))).body, `${link(to)} data-key="s"`);
  await skips(first, second);
  await skips(second, third);
  await skips(third, first);
  t.match((await support.get(`/requests/${foreign}`)).body, ' href="/requests"', 'without a list it is of all');

  const decide = (id: string) => {
    const action = `/requests/${id}/review${query}`;
    return support.edit(address(id), action, { accept: 'false' });
  };
  t.match(await decide(first), { status: 303, to: address(second) });
  t.match((await support.get(address(second))).text, /Denied: .* This is the next review/);
  const decided = await support.get(address(first));
  t.match(decided.body, link(second), 'one that was decided meanwhile leads on too');
  t.match(await decide(second), { to: address(third) });
  t.match(await decide(third), { to: address(third) });
  const last = await support.get(address(third));
  t.match(last.text, /Denied: .* No more reviews wait in this list\. Back to the list · All reviews/);
  t.match(last.body, `href="/requests${query.replaceAll('&', '&amp;')}">Back to the list`);
  t.equal((await support.post(`/requests/${foreign}/review${query}`, { accept: 'false' })).to, address(foreign));
  t.notMatch((await support.get(address(third))).text, 'All reviews', 'none waits elsewhere');
});

t.test('what a new installation and a new broker need is listed with links until it is done', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  const stepsOf = async (path: string) => {
    const { body } = await admin.get(path);
    const list = /<ol class="checklist">(.*?)<\/ol>/s.exec(body)?.[1];
    return list && [...list.matchAll(/(○|✓)<\/span> (?:<a href="([^"]+)")?/g)].map(([, mark, to]) => to ?? mark);
  };
  t.strictSame(await stepsOf('/'), [...Array(4).fill('/brokers#o-brokers-create'), '○']);
  await createBroker.run(console.context, BROKER);
  const openSteps = [
    '/plans?broker=acme#o-plans-create',
    '/brokers/acme#o-keys-create',
    '/templates/acme/cancellation-warning',
    '○',
  ];
  t.strictSame(await stepsOf('/'), ['✓', ...openSteps]);
  t.strictSame(await stepsOf('/brokers/acme'), openSteps);
  const viewer = await console.signedIn('viewer');
  t.notMatch(
    (await viewer.get('/brokers/acme')).body,
    /<ol class="checklist">(?:(?!<\/ol>).)*<a /s,
    'its steps are an admin’s',
  );
  await importPlans(console.context, { broker: 'acme', file: file('plans.json', PLANS) });
  const { key_id } = await createKey.run(console.context, { broker: 'acme', name: 'Shop', mode: 'live', scopes: '' });
  t.strictSame(await stepsOf('/brokers/acme'), ['✓', '✓', ...openSteps.slice(2)]);
  const call = /curl -H "Authorization: Bearer KEY" https:\/\/api\.example\/api\/v1\/auth-check/;
  t.match((await admin.get('/')).text.replaceAll('&quot;', '"'), call, 'a call is not made here: it shows how');
  const template = { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  await setTemplate(console.context, { broker: 'acme', kind: 'cancellation-warning', ...template });
  await console.store.tx((tx) => tx.keys.update(key_id, { lastUsedAt: console.clock.now() }));
  const { id } = (await console.store.read.brokers.findBySlug('acme')) as BrokerRow;
  const minute = console.clock.now() - (console.clock.now() % 60_000);
  const first = aUsageRow(id, minute, { keyId: key_id, operation: 'checkAccess' });
  const refused = { ...first, outcome: 'insufficient_permissions', gate: 2 };
  await console.store.tx((tx) => tx.usage.count([refused]));
  t.equal((await stepsOf('/'))?.at(-1), '○', 'a refused call is no first call');
  t.match((await admin.get('/brokers/acme')).text, /insufficient_permissions with sk_live_.* Why it was refused/);
  await console.store.tx((tx) => tx.usage.count([{ ...first, fromAt: minute - 60_000 }]));
  for (const path of ['/', '/brokers/acme']) {
    t.match(
      (await admin.get(path)).text,
      /Make a first call with the key : done : answered with sk_live_\w+ (?!\d+ (s|min) ago)/,
      'auth-check too, without an age: it is counted by the minute',
    );
  }
  console.clock.advance(3 * 3_600_000);
  t.equal(await stepsOf('/'), undefined, 'it is news for an hour');
});

t.test('the search of every page leads to what was meant', async (t) => {
  const console = await open(t);
  const [service = ''] = await stock(console);
  await createBroker.run(console.context, { ...BROKER, slug: 'acme-two', name: 'Acme Two' });
  const id = await review(console, service);
  const { key, key_id } = await createKey.run(console.context, {
    broker: 'acme',
    name: 'Shop',
    mode: 'live',
    scopes: '',
  });
  const asked = { broker: 'acme', mode: 'live', scopes: '' };
  const turkish = await createKey.run(console.context, { ...asked, name: 'İZMİR CAFE\u0301' });
  const viewer = await console.signedIn('viewer');
  const find = async (text: string) => (await viewer.get(`/search?q=${encodeURIComponent(text)}`)).to;
  t.equal(await find('izmir café'), `/brokers/acme/keys/${turkish.key_id}`, 'folded as other names are');
  t.equal(await find(id), `/requests/${id}`);
  t.equal(await find(service), `/services/${service}`);
  t.equal(await find(key.slice(0, 16)), `/brokers/acme/keys/${key_id}`);
  t.equal(await find(key_id), `/brokers/acme/keys/${key_id}`);
  const [support, admin] = [await console.signedIn('support'), await console.signedIn('admin')];
  const acts = async (text: string) => (await admin.get(`/search?q=${encodeURIComponent(text)}`)).to;
  t.equal(await acts(`suspend ${service}`), `/services/${service}#o-services-suspend`);
  t.equal(await acts(`Edit service ${service}`), `/services/${service}#o-services-set`);
  t.equal(await acts('suspend acme-two'), '/brokers/acme-two#o-brokers-suspend');
  t.equal(await acts(`rotate key ${key.slice(0, 16)}`), `/brokers/acme/keys/${key_id}#o-keys-rotate-${key_id}`);
  t.equal(await acts('revoke shop'), `/brokers/acme/keys/${key_id}#o-keys-revoke-${key_id}`);
  t.equal(await acts('new plan for acme two'), '/plans?broker=acme-two#o-plans-create');
  t.equal(await acts('new key for acme-two'), '/brokers/acme-two#o-keys-create');
  const offered = (await admin.get('/search/options?q=new+plan+for+acme')).text;
  t.match(offered, /action Add a plan of acme .*action Add a plan of acme-two/);
  t.equal((await support.get(`/search?q=suspend+${service}`)).to, `/services/${service}#o-services-suspend`);
  t.equal(await find(`suspend ${service}`), `/services/${service}`, 'who may not act is led to the record');
  t.equal((await support.get('/search?q=new+key+for+acme-two')).to, '/brokers/acme-two');
  t.equal(await find('shop'), `/brokers/acme/keys/${key_id}`);
  t.equal(await find('client 1'), `/services/${Number(service) + 1}`);
  t.equal(await find('Client1@Example.com'), `/services/${Number(service) + 1}`);
  t.equal(await find(' ACME TWO '), '/brokers/acme-two');
  await setService.run(console.context, {
    service_number: service,
    'access.hostname': 'vps1.example.net',
    'access.ip_addresses': '198.51.100.7, 2001:db8::f',
  });
  t.equal(await find('2001:0DB8:0::000f'), `/services/${service}`, 'however it is written');
  t.equal(await find('198.51.100.7'), `/services/${service}`, 'whose address it is');
  t.equal(await find('vps1.example'), `/services/${service}`);
  t.equal(await find('client1@exam'), `/services/${Number(service) + 1}`, 'a part of an email');
  t.equal(await acts('limit of acme-two'), '/brokers/acme-two#o-brokers-set');
  t.equal(await find('limit of acme-two'), '/brokers/acme-two');
  t.equal(await find('calls of acme-two'), '/calls?broker=acme-two');
  const [plan, dialog] = (await acts('price of larg'))?.split('#') ?? [];
  t.match((await admin.get(String(plan))).body, `id="${dialog}"`, 'the form that it names is on the page');
  for (const [text, page] of [
    ['settings', 'System'],
    ['move to another database', 'System'],
    ['bill', 'Usage'],
  ] as const)
    t.match((await viewer.get(`/search?q=${encodeURIComponent(text)}`)).text, `page ${page}`, text);
  const { requestId } = await aCallOf(console, key_id);
  for (const quoted of [` ${requestId} `, `"${requestId}"`, `X-Request-Id: ${requestId}`])
    t.equal(await find(quoted), `/calls/${requestId}`, quoted);
  await createBroker.run(console.context, { ...BROKER, slug: 'namesake', name: requestId });
  t.equal(await find(requestId), `/calls/${requestId}`, 'a whole id leads to its page');
  t.match((await viewer.get(`/search?q=${newCorrelationId()}`)).text, /not kept are reads that went well/);
  const { id: emailId } = anEmail((await console.store.read.brokers.findBySlug('acme')) as BrokerRow);
  t.match(await viewer.get(`/search?q=${emailId}`), { status: 200, text: /Nothing matches/ });
  await console.store.tx(async (tx) => {
    const broker = (await tx.brokers.findBySlug('acme')) as BrokerRow;
    await tx.emails.insert(anEmail(broker, { id: emailId }));
  });
  t.equal(await find(`${emailId}\0`), `/emails/${emailId}`, 'without what no text in a database may hold');
  t.match((await viewer.get('/search?q=acme')).text, /broker Acme Hosting acme broker Acme Two/);
  await createBroker.run(console.context, { ...BROKER, slug: `b-${service}`, name: 'Numbered' });
  t.equal(await find(service), `/services/${service}`, 'a number is meant as one');
  const acme = await console.store.read.brokers.findBySlug('acme');
  const large = (await console.store.read.plans.list(acme?.id ?? '')).find(({ slug }) => slug.startsWith('larg'));
  t.equal(await find('larg'), `/plans/${large?.id}`);
  t.match((await viewer.get('/search?q=serv')).text, /page Services/);
  t.match((await viewer.get('/search?q=nothing')).text, /Nothing matches “nothing”/);
  t.notMatch((await viewer.get('/search?q=acme')).body, 'href="/services?q=acme"', 'no service matches');
  for (const text of ['client 1', 'client1@exam', 'ient1@']) {
    const list = `/services?q=${encodeURIComponent(text)}`;
    t.match((await viewer.get(list)).text, String(Number(service) + 1), `the list finds the same: ${text}`);
  }
  const several = await viewer.get('/search?q=@example.com');
  t.match(several.body, 'href="/services?q=%40example.com"');
  t.match(several.text, /client1@example\.com, of Acme Hosting/, 'what has the text, and the broker’s name');
  t.match((await viewer.get('/services?q=@example.com')).text, String(Number(service) + 1));
  await setService.run(console.context, { service_number: service, 'client.name': 'of client1@ex' });
  t.match((await viewer.get('/services?q=client1@ex')).text, /of client1@ex/);
  t.match((await viewer.get('/services?q=client1@ex&broker=acme-two')).text, /No service matches/);
  const options = await viewer.get('/search/options?q=acme');
  t.match(options.text, /broker Acme Hosting acme broker Acme Two acme-two All results/);
  t.match((await viewer.get('/search/options?q=nothing')).text, /Nothing matches/);
  t.equal((await viewer.get('/search/options')).text.trim(), '');
  t.match((await viewer.get('/search')).text, /Enter what to search for/);
});

t.test('a call is found by its X-Request-Id, with all that is kept of it', async (t) => {
  const console = await open(t);
  const [service = ''] = await stock(console);
  const create = (mode: string) => createKey.run(console.context, { broker: 'acme', name: 'Shop', mode, scopes: '' });
  const [live, test] = [await create('live'), await create('test')];
  const viewer = await console.signedIn('viewer');
  const refused = { serviceNumber: Number(service), reason: 'same_plan', durationUs: 12_340 };
  const { requestId, clientIp } = await aCallOf(console, live.key_id, { code: 'invalid_parameter', ...refused });
  const { text, body } = await viewer.get(`/calls/${requestId}`);
  t.match(
    text,
    new RegExp(`Broker Acme Hosting Key ${live.key_prefix} From ${clientIp} Operation POST upgradeService`),
  );
  t.match(text, new RegExp(`Service ${service} .*Status 404 Error invalid_parameter Reason same_plan Duration 12 ms`));
  for (const path of [`/services/${service}`, '/brokers/acme', `/brokers/acme/keys/${live.key_id}`])
    t.match(body, `href="${path}"`);
  const key = await viewer.get(`/brokers/acme/keys/${live.key_id}`);
  t.match(key.body, `href="/calls/${requestId}"`);

  const simulated = await aCallOf(console, test.key_id, { serviceNumber: 900_001, code: null, reason: null });
  for (const path of [`/calls/${simulated.requestId}`, `/brokers/acme/keys/${test.key_id}`]) {
    const page = await viewer.get(path);
    t.match(page.text, /900001/);
    t.notMatch(page.body, 'href="/services/900001"');
  }
  const missing = await aCallOf(console, live.key_id, { serviceNumber: 77 });
  const page = await viewer.get(`/calls/${missing.requestId}`);
  t.match(page.text, /Service 77/);
  t.notMatch(page.body, 'href="/services/77"', 'a service that was not found has no page');
  const gone = {
    brokerId: 'brk_gone',
    keyId: 'key_gone',
    clientIp: null,
    serviceNumber: null,
    code: null,
    status: 200,
  };
  const last = await aCallOf(console, live.key_id, gone);
  t.match(
    (await viewer.get(`/calls/${last.requestId}`)).text,
    /Received .* Operation POST upgradeService The response Status 200 Duration/,
  );
  t.match(await viewer.get('/calls/none'), { status: 404, text: /There is no call/ });
});

t.test('whatever a broker or client wrote stands on the page as text', async (t) => {
  const console = await open(t);
  const broker = { ...BROKER, name: HOSTILE };
  const [service = ''] = await stock(console, broker);
  await setService.run(console.context, { broker: 'acme', service_number: service, 'client.name': HOSTILE });
  await createKey.run(console.context, { broker: 'acme', name: HOSTILE, mode: 'live', scopes: '' });
  const id = await review(console, service);
  const admin = await console.signedIn('admin');
  await admin.get('/brokers/acme');
  await admin.post('/brokers/acme/firewall/allow', { rule: '203.0.113.1', note: HOSTILE });
  await admin.post(`/requests/${id}/review`, { accept: 'false', reason: HOSTILE });
  await admin.post('/operators/add', { email: 'a@example.com', name: HOSTILE, role: 'viewer' });
  const pages = [
    '/brokers',
    '/brokers/acme',
    `/brokers?q=${encodeURIComponent(HOSTILE)}`,
    '/requests',
    `/requests/${id}`,
  ];
  for (const path of [
    ...pages,
    `/search?q=${encodeURIComponent(`${HOSTILE} nobody`)}`,
    '/operators',
    `/brokers/acme?address=${encodeURIComponent(HOSTILE.slice(0, 40))}`,
  ]) {
    const { body } = await admin.get(path);
    t.notMatch(body, /<script>alert/, path);
    if (!path.includes('address')) t.match(body, ESCAPED, path);
  }
});

t.test(
  'a key of the operator’s API is shown once, with what it may do and the call that shows whether it works',
  async (t) => {
    const console = await open(t);
    const admin = await console.signedIn('admin');
    await admin.get('/operator-keys');
    const form = { name: 'Billing', role: 'viewer', addresses: '203.0.113.4', form_name: 'one' };
    const { status, text, body } = await admin.post('/operator-keys/create', form);
    t.equal(status, 201);
    t.match(text, /New operator key “Billing”.*viewer, from 203\.0\.113\.4, ends never.*curl .*\/operator\/v1\/status/);
    const key = /<code id="shown-once">(sk_ops_[^<]+)</.exec(body)?.[1] as string;
    const list = await admin.get('/operator-keys');
    t.match(list.text, /Billing never viewer 203\.0\.113\.4/);
    t.notOk(list.body.includes(key), 'and nowhere again');
  },
);

t.test('people are let in, changed, given a link and removed by admins', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  await admin.get('/operators');
  await admin.post('/operators/add', { email: 'Ada@example.com', name: 'Ada', role: 'viewer' });
  t.match((await admin.get('/operators')).text, /Ada was added/);
  t.match(await admin.post('/operators/add', { email: 'ada@EXAMPLE.com', name: 'Ada', role: 'viewer' }), {
    status: 422,
    text: /Email: there is an operator/,
    body: /<input name="email"[^>]* aria-invalid="true"/,
  });
  const pathOf = async (email: string) =>
    `/operators/${(await console.store.read.operators.findByEmail(email))?.id as string}`;
  const ada = await pathOf('ada@example.com');
  const edit = (path: string, fields: Record<string, string>) => admin.edit('/operators', `${path}/set`, fields);
  t.equal((await edit(ada, { name: 'Ada L', role: 'support', active: 'false' })).to, '/operators');
  t.match((await admin.get('/operators')).text, /Ada L inactive/);
  t.equal((await edit(ada, {})).to, '/operators', 'also where nothing was changed');
  t.match(await admin.post(`${ada}/link`), { status: 422, text: /not active/ });
  await edit(ada, { active: 'true' });
  const link = await admin.post(`${ada}/link`, { form_name: 'one' });
  t.match([link.status, link.body], [201, /<code id="shown-once">http:\/\/console\.example\.com\/sign-in\/[\w-]{43}</]);
  t.match(link.text, /Sign-in link for Ada L .* It signs in Ada@example\.com once, within 15 minutes/);
  t.match(link.body, /href="\/operators"[^>]*>\s*Done/);
  t.match((await edit(await pathOf(admin.email), { role: 'viewer' })).text, /is the last active admin/);
  await admin.edit('/operators', `${ada}/remove`);
  t.match((await admin.get('/operators')).text, /Ada L was removed/);
});

t.test('an unexpected error is logged, and shows nothing of its inside', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  const { brokers } = console.store.read;
  const { list } = brokers;
  t.teardown(() => Object.assign(brokers, { list }));
  Object.assign(brokers, { list: () => Promise.reject(new Error('select secret from inside')) });
  const page = await viewer.get('/brokers');
  t.match(page, { status: 500, text: /Something went wrong/ });
  t.match(console.logged, []);
  t.notMatch(page.body, /inside|select/);
  t.ok(page.body.includes(String(page.headers['x-request-id'])));
  const admin = await console.signedIn('admin');
  await admin.get('/sessions');
  const { tx } = console.store;
  t.teardown(() => Object.assign(console.context.store, { tx }));
  Object.assign(console.context.store, { tx: () => Promise.reject(new Error('inside')) });
  t.equal((await admin.post('/brokers/acme/resume')).status, 500);
});

t.test('a page of the console that is made wrong does not boot, or is no page', async (t) => {
  const { app: root, ...console } = await open(t);
  const app = root.pages;
  const Late = (async () => 'late') as never;
  app.get('/late', { config: { role: 'public' } }, (_request, reply) => reply.view(jsx(Late, {})));
  app.get('/nobody', { config: { role: 'public' } }, (_request, reply) => reply.view(jsx(Page, { title: 'Nobody' })));
  app.get('/visitor', { config: { role: 'public' } }, async (request) => request.signedIn.operator.name);
  app.get('/refused', { config: { role: 'public' } }, async () => {
    throw new OperatorError('refused', 'not like this');
  });
  app.get('/nothing', { config: { role: 'public' } }, () => Promise.reject(null));
  t.throws(() => app.get('/open', async () => 'anybody'), /does not say who may use it/);
  const browser = console.browser();
  for (const path of ['/late', '/nobody', '/visitor', '/nothing']) t.equal((await browser.get(path)).status, 500, path);
  t.match(await browser.get('/refused'), { status: 422, text: /Not possible not like this/ });
});

t.test('requests of every kind and state have a page that says what they are and what became of them', async (t) => {
  const console = await open(t, { demo: true });
  const support = await console.signedIn('support');
  const ids = [...(await support.get('/requests')).body.matchAll(/<a href="\/requests\/(req_[^"?]+)/g)].map(
    ([, id]) => id,
  );
  t.equal(ids.length, 18);
  const texts: string[] = [];
  for (const id of ids) texts.push((await support.get(`/requests/${id}`)).text);
  const whole = texts.join(' ');
  for (const said of [
    /Cancellation warning of service 1000009/,
    /Warning reason Two invoices are overdue/,
    /Upgrade of service 1000017: waits for the broker/,
    /Reason The project has ended/,
    /Cancellation end of term/,
    /No host had room for the larger plan.*Once more was not tried again; the provisioner says that it may succeed/,
    /denied by the operator, 7 days ago The migration is planned/,
    /Service creation of service 1000024/,
    /Service suspension of service 1000010/,
    /Service unsuspension of service 1000002/,
    /Takes effect \d{4}-\d\d-\d\d in \d+ days/,
    /Withdraw… Withdraw It fails with the reason “withdrawn”/,
  ])
    t.match(whole, said);
  t.match((await support.get('/brokers/demo')).text, /Cancellation warning active/);
  t.match((await support.get('/brokers')).text, /4 to review/);
});

t.test('a downgrade says when it would take effect, and every reason why it is looked at', async (t) => {
  const console = await open(t);
  const [service = ''] = await stock(console);
  await importServices(console.context, {
    broker: 'acme',
    file: file('services.json', [
      {
        service_number: Number(service),
        client: { name: 'Ada', email: null },
        plan: 'large',
        renewal_date: '2030-02-01',
      },
    ]),
  });
  await setService.run(console.context, { broker: 'acme', service_number: service, requires_operator_review: true });
  const id = await review(console, service, 'small', 'acme', 'plan-downgrade');
  const viewer = await console.signedIn('viewer');
  const page = await viewer.get(`/requests/${id}`);
  t.match(page.text, /Downgrade of service \d+: review/);
  t.match(page.text, /Takes effect 2030-02-01 in 16 days/);
  t.match(page.text, /Reviewed because the service is marked for review/);
  t.match(page.text, /Email none/);
  const support = await console.signedIn('support');
  await support.get(`/requests/${id}`);
  await support.post(`/requests/${id}/review`, { accept: 'false' });
  const next = await review(console, service, 'small', 'acme', 'plan-downgrade');
  t.match((await viewer.get(`/requests/${next}`)).text, /Other requests of this service Downgrade denied/);
  t.match((await viewer.get('/requests?broker=acme')).text, / 2 requests /);
  t.equal((await pageRequests(console.context)).items[0]?.request_id, next);
});

t.test('a key shows when and from where it was last used, and asks about that before it is revoked', async (t) => {
  const console = await open(t);
  await stock(console);
  const { key_id } = await createKey.run(console.context, { broker: 'acme', name: 'Shop', mode: 'live', scopes: '' });
  const admin = await console.signedIn('admin');
  const used = (lastUsedIp: string | null) =>
    console.store.tx((tx) => tx.keys.update(key_id, { lastUsedAt: console.clock.now(), lastUsedIp }));
  await used('203.0.113.9');
  t.match((await admin.get('/brokers/acme')).text, /of acme, last used on 2030-01-15, ends for good/);
  await used(null);
  t.match(
    (await admin.post('/brokers/acme/keys/create', { name: 'Bare', mode: 'test' })).text,
    /A test key: Bare \(no scopes, ends never\)/,
  );
  t.match((await admin.get('/brokers/acme')).text, /last used on 2030-01-15, ends for good/);
  for (let count = 0; count < 50; count += 1) {
    await createKey.run(console.context, { broker: 'acme', name: `Key ${count}`, mode: 'test', scopes: '' });
  }
  t.match((await admin.get('/brokers/acme?keys=2')).text, /51 to 52 of 52 keys/);
  await console.store.tx((tx) => tx.keys.update(key_id, { expiresAt: console.clock.now() }));
  t.match((await admin.get('/brokers/acme?keys=2')).text, /Shop expired/);
});

t.test('a key that goes on being used is asked about once, and then ends', async (t) => {
  const console = await open(t);
  await stock(console);
  const { key_id } = await createKey.run(console.context, { broker: 'acme', name: 'Shop', mode: 'live', scopes: '' });
  const admin = await console.signedIn('admin');
  const used = (address: string) =>
    console.store.tx((tx) => tx.keys.update(key_id, { lastUsedAt: console.clock.now(), lastUsedIp: address }));
  await used('203.0.113.9');
  const path = `/brokers/acme/keys/${key_id}`;
  const asked = await admin.edit(path, `${path}/rotate`, { reason: 'leaked', overlap: '' });
  console.clock.advance(60_000);
  await used('198.51.100.7');
  t.equal((await admin.post(`${path}/rotate`, formAgain(asked.body, `${path}/rotate`))).status, 201);
});

t.test('a suspended broker and one behind a firewall show it, to viewers without buttons', async (t) => {
  const console = await open(t);
  await stock(console);
  const admin = await console.signedIn('admin');
  await admin.edit('/brokers/acme', '/brokers/acme/suspend');
  await admin.post('/brokers/acme/firewall/allow', { rule: '203.0.113.1' });
  await admin.post('/brokers/acme/firewall/allow', { rule: '203.0.113.2', note: 'second' });
  t.match(
    (await admin.get('/brokers/acme')).text,
    /off Turn on… .*address that no rule covers are refused within a second\. .* 203\.0\.113\.1/,
  );
  await admin.post('/brokers/acme/firewall/enable');
  await admin.post('/brokers/acme/recipients/add', { email: 'books@example.com' });
  await admin.post('/brokers/acme/firewall/remove', { rule: '203.0.113.2' });
  t.match((await admin.get('/brokers/acme')).body, /would admit no address: every call is refused within a second/);
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/brokers')).text, /suspended 2 0 0 0 0 on/);
  const page = await viewer.get('/brokers/acme');
  t.match(page.text, /Firewall on 203\.0\.113\.1/);
  t.notMatch(page.body, /method="post" action="(?!\/sign-out")/);
  t.match(page.text, /books@example\.com/);
});

t.test(
  'a failure says how often it was tried, whether the service can be used, and whether asking again helps',
  async (t) => {
    const console = await open(t);
    const [service = ''] = await stock(console);
    const id = await review(console, service);
    const broker = await console.store.read.brokers.findBySlug('acme');
    await console.store.tx((tx) =>
      tx.requests.move(
        broker?.id as string,
        id,
        { status: 'operator_review' },
        {
          status: 'failed',
          failureReason: 'disk_lost',
          failureMessage: 'The disk is gone',
          failureServiceUsable: false,
          failureRetryable: false,
          attempts: 3,
        },
      ),
    );
    await console.store.tx((tx) =>
      tx.templates.upsert({
        brokerId: broker?.id as string,
        kind: 'service-created',
        subject: 'x',
        html: 'x',
        text: 'x',
        active: false,
        updatedAt: 0,
      }),
    );
    const viewer = await console.signedIn('viewer');
    t.match(
      (await viewer.get(`/requests/${id}`)).text,
      /The disk is gone Reason Disk lost disk_lost .*The service is not usable Attempts 3 Once more was not tried again/,
    );
    t.match((await viewer.get('/brokers/acme')).text, /Service created inactive/);
  },
);

t.test('more things wait than are counted, and the demo says that it is one', async (t) => {
  const console = await createTestConsole({ environmentLabel: 'demo data' });
  t.teardown(() => console.close());
  const { allRequests } = console.store.read;
  const { count } = allRequests;
  t.teardown(() => Object.assign(allRequests, { count }));
  Object.assign(allRequests, { count: async () => 1000 });
  t.match(
    (await (await console.signedIn('viewer')).get('/brokers')).text,
    /Requests 999\+ waiting.*viewer · demo data/,
  );
});

t.test('there are a thousand people at most', async (t) => {
  const console = await open(t);
  await console.person('viewer');
  const now = console.clock.now();
  await console.store.tx(async (tx) => {
    for (let count = 1; count < 1000; count += 1) {
      const email = `p${count}@example.com`;
      await tx.operators.insert({
        id: `opr_${count}`,
        email,
        emailFolded: email,
        name: 'P',
        role: 'viewer',
        active: true,
        createdAt: now,
        updatedAt: now,
        lastSignInAt: null,
      });
    }
  });
  const one = { email: 'one-more@example.com', name: 'One', role: 'viewer' };
  await t.rejects(addOperator.run(console.context, one), /1000 operators at most/);
});

t.test('what is done in the console stands in the audit trail by name and address, the sign-in too', async (t) => {
  const console = await open(t);
  await stock(console);
  const admin = await console.signedIn('admin');
  await admin.edit('/brokers/acme', '/brokers/acme/suspend');
  await admin.post('/brokers/acme/keys/create', { name: 'Shop', mode: 'live', scopes: ['plans:read'] });
  await admin.post('/operators/add', { email: 'ada@example.com', name: 'Ada', role: 'viewer' });
  const ada = `/operators/${(await console.store.read.operators.findByEmail('ada@example.com'))?.id}`;
  await admin.edit('/operators', `${ada}/set`, { role: 'support' });
  await admin.post(`${ada}/link`, { form_name: 'one' });
  await admin.edit('/operators', `${ada}/remove`);
  await admin.get('/sessions');
  await admin.post('/sign-out');
  const records = await listAudit(console.context, { actor: admin.email });
  t.strictSame(records.map(({ action }) => action).reverse(), [
    'operator.sign_in',
    'broker.suspend',
    'key.create',
    'operator.add',
    'operator.set',
    'operator.link',
    'operator.remove',
    'operator.sign_out',
  ]);
  for (const record of records) t.match(record, { actor_kind: 'operator', client_ip: '127.0.0.1' });
  t.match(
    records.find(({ action }) => action === 'operator.set'),
    { before: { role: 'viewer' }, after: { role: 'support' } },
  );
});

t.test(
  'an operator suspends a service with a reason, and lifts a suspension; a broker’s stays while others edit',
  async (t) => {
    const console = await open(t);
    const [service = ''] = await stock(console);
    const path = `/services/${service}`;
    const support = await console.signedIn('support');
    const viewer = await console.signedIn('viewer');
    const row = async () => {
      const broker = await console.store.read.brokers.findBySlug('acme');
      return console.store.read.services.find(broker?.id as string, Number(service));
    };
    t.notMatch((await viewer.get(path)).body, /Suspend…/);
    t.match((await support.get(path)).body, /Suspend…/);
    const act = (what: string, fields: Record<string, string> = {}) => support.edit(path, `${path}/${what}`, fields);
    await act('suspend', { reason: 'Abuse of the network' });
    t.match(await row(), { status: 'suspended', suspendedBy: 'operator', suspensionReason: 'Abuse of the network' });
    const page = await support.get(path);
    t.match(page.text, /Suspended by the operator.*Abuse of the network/);
    t.notMatch(page.body, /Suspend…/);
    await act('resume');
    t.match(await row(), { status: 'active', suspendedBy: null, suspendedAt: null });
    t.match((await support.get(path)).text, /The suspension is lifted/);

    const { brokerId } = (await row()) as { brokerId: string };
    const suspendedAt = console.clock.now();
    const own = { status: 'suspended', suspendedBy: 'broker', suspensionReason: 'Overdue', suspendedAt } as const;
    await console.store.tx((tx) => tx.services.update(brokerId, Number(service), own));
    await act('set', { requires_operator_review: 'true', renewal_date: '2030-02-01' });
    t.match(await row(), { ...own, requiresOperatorReview: true });
    t.match((await support.get(path)).text, /Suspended by the broker.*Overdue/);
    await act('suspend');
    t.match(await row(), { suspendedBy: 'operator', suspensionReason: null });
    t.match((await support.get(path)).text, /Suspended by the operator/);
  },
);

t.test(
  'a document that a page names is a page too, whose links lead somewhere, for those who are signed in',
  async (t) => {
    const console = await open(t);
    const viewer = await console.signedIn('viewer');
    const names = [...(await viewer.get('/system')).body.matchAll(/href="(\/docs\/[^"]+)"/g)].map(([, path]) =>
      String(path),
    );
    t.ok(names.length > 0);
    const seen = new Set(names);
    for (const path of seen) {
      const { status, headers, body } = await viewer.get(path);
      t.match([status, headers['content-type']], [200, /^text\/html/], path);
      t.match(body, /<article class="card guide">.*<h2 id="/s, path);
      const [, article = ''] = /<article(.*)<\/article>/s.exec(body) ?? [];
      for (const [, link = ''] of article.matchAll(/href="([^"#]+)[^"]*"/g))
        if (!link.startsWith('https://')) seen.add(new URL(link, `http://console${path}`).pathname);
    }
    t.equal((await console.browser().get(String(names[0]))).to, '/sign-in');
  },
);
