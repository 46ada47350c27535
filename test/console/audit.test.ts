import t, { type Test } from 'tap';
import { createKey } from '../../src/operator/access/keys.ts';
import { createBroker, setBroker, suspendBroker } from '../../src/operator/brokers/brokers.ts';
import { createPlan } from '../../src/operator/plans/plans.ts';
import type { AuditRow } from '../../src/store/queries/audit.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';

async function open(t: Test) {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context, clock, store } = console;
  return {
    ...console,
    /** A row of the trail, a second after the one before. */
    async write(fields: Partial<AuditRow> = {}) {
      clock.advance(1000);
      const at = clock.now();
      const row: AuditRow = {
        id: context.newId('aud', at),
        at,
        actorKind: 'command',
        actor: 'root',
        clientIp: null,
        action: 'plan.set',
        brokerId: null,
        subject: 'plan/start',
        before: null,
        after: null,
        ...fields,
      };
      await store.tx((tx) => tx.audit.insert(row));
    },
  };
}

t.test('every change stands there with who made it, from where, and the values before and after', async (t) => {
  const console = await open(t);
  const { context } = console;
  await createBroker.run(context, BROKER);
  await setBroker.run(context, { broker: 'acme', name: 'Acme & Daughters' });
  const key = await createKey.run(context, { broker: 'acme', name: 'Panel', mode: 'live', scopes: 'plans:read' });
  await suspendBroker.run(
    { ...context, actor: { kind: 'api_key', name: key.key_id, clientIp: '192.0.2.7' } },
    { broker: 'acme' },
  );
  const viewer = await console.signedIn('viewer');
  const { text, body } = await viewer.get('/audit');
  t.match(
    text,
    new RegExp(`${key.key_prefix} broker\\.suspend broker/acme broker_status active → suspended 192\\.0\\.2\\.7`),
  );
  t.match(text, /ada command broker\.set broker\/acme name Acme Hosting → Acme &amp; Daughters/);
  t.match(text, /viewer-1@example\.com operator\.sign_in operator\/viewer-1@example\.com 127\.0\.0\.1/);
  t.match(body, /href="\/brokers\/acme"/);
  t.match(body, new RegExp(`href="/brokers/acme/keys/${key.key_id}"`));
  t.match(body, new RegExp(`href="/audit\\?actor=${key.key_id}"`));
  t.match(body, /href="\/audit\.csv"/);
  t.notMatch(body, new RegExp(key.key));

  const found = async (query: string) =>
    (await viewer.get(`/audit?${query}`)).text.split('When Who Action')[1]?.match(/\bbroker\.\w+/g) ?? [];
  t.strictSame(await found('subject=acme'), ['broker.suspend', 'broker.set', 'broker.create']);
  t.strictSame(await found(`actor=${key.key_prefix}`), ['broker.suspend']);
  t.strictSame(await found('actor=ada&action=broker.set'), ['broker.set']);
  t.strictSame(await found('broker=acme&since=1h&until=2030-01-16&action=broker.create'), ['broker.create']);
  t.strictSame(await found('until=2030-01-15'), []);
  t.match((await viewer.get('/audit?broker=nobody')).text, /No change matches/);
  t.match(await viewer.get('/audit?since=never'), { status: 422, text: /From: must be/ });
});

t.test('things have their page, their values are cut, and nothing that is written there runs', async (t) => {
  const console = await open(t);
  const hostile = '"><script>alert(1)</script>';
  const { broker_id: brokerId } = await createBroker.run(console.context, BROKER);
  const subjects = ['service/77', 'request/req_1', 'email/eml_1', 'report/rpt_1', 'service/x', 'demo', 'plan/start'];
  for (const subject of subjects) await console.write({ subject, brokerId });
  await console.write({ subject: 'template/service-created', brokerId });
  await console.write({ subject: 'template/service-created' });
  await console.write({ subject: `operator/${hostile}`, actor: hostile, action: hostile });
  await console.write({
    before: JSON.stringify({ gone: 'G', list: [1, 2], [hostile]: hostile }),
    after: JSON.stringify({ list: [1], long: 'x'.repeat(10_000), more: null, most: true }),
  });
  await console.write({ actorKind: 'api_key', actor: 'key_of_a_broker_that_is_no_more', brokerId: 'brk_gone' });
  const viewer = await console.signedIn('viewer');
  const { body, text } = await viewer.get('/audit');
  t.notMatch(body, /<script>alert/);
  t.notMatch(body, /x{501}/);
  t.match(text, /gone G, list \[1,2\] → \[1\],.* gone G list \[1,2\] → \[1\]/);
  t.match(text, /key_of_a_broker_that_is_no_more.* of brk_gone/);
  t.notMatch(body, 'href="/services/77"', 'a service that has been removed stands as text');
  t.notMatch(body, 'href="/brokers/brk_gone"');
  for (const path of ['/requests/req_1', '/emails/eml_1', '/templates/acme/service-created']) {
    t.ok(body.includes(`href="${path}"`), path);
  }
});

t.test('every subject leads to its page, save those that are gone or that this operator may not open', async (t) => {
  const console = await open(t);
  const { context, store } = console;
  const { broker_id: brokerId } = await createBroker.run(context, BROKER);
  const plan = { broker: 'acme', slug: 'Start', display_name: 'Start', upgrade_rank: 1, billing_type: 'monthly' };
  await createPlan.run(context, plan);
  const { id } = (await store.read.plans.list(brokerId))[0] as { id: string };
  for (const subject of ['plan/START', 'plan/gone', 'import/aud_1', 'report/rpt_1', 'client']) {
    await console.write({ subject, brokerId });
  }
  for (const subject of ['counter/service_number', 'database', 'operator/gone@example.com']) {
    await console.write({ subject });
  }
  const viewer = await console.signedIn('viewer');
  const admin = await console.signedIn('admin');
  const idOf = async (email: string) => (await store.read.operators.findByEmail(email))?.id;
  const linksOf = async (browser: typeof admin) => {
    const rows = (await browser.get('/audit')).body.matchAll(
      /<td data-title="Subject">|<td>(?:<span class="audited">)?(?:<a href="([^"]*)" class="cut"|<span class="cut")[^>]* title="([^"]*)"/g,
    );
    return Object.fromEntries([...rows].map(([, to, text]) => [text, to?.replaceAll('&amp;', '&')]));
  };
  t.match(await linksOf(admin), {
    [`operator/${admin.email}`]: `/operators#${await idOf(admin.email)}`,
    [`operator/${viewer.email}`]: `/operators#${await idOf(viewer.email)}`,
    'operator/gone@example.com': undefined,
    database: '/system',
    'counter/service_number': '/system',
    client: undefined,
    'report/rpt_1': undefined,
    'import/aud_1': '/audit?subject=broker%2Facme&broker=acme&action=service.import#aud_1',
    'plan/gone': undefined,
    'plan/START': `/plans/${id}`,
    'plan/Start': `/plans/${id}`,
    'broker/acme': '/brokers/acme',
  });
  t.match((await admin.get('/operators')).body, `<tr id="${await idOf(admin.email)}"`);
  const seen = await linksOf(viewer);
  t.match(seen, { [`operator/${admin.email}`]: undefined, 'plan/Start': `/plans/${id}` });
  t.ok(`operator/${admin.email}` in seen);
});

t.test('a long trail has pages; it counts no further than they are opened', async (t) => {
  const console = await open(t);
  for (let times = 0; times < 60; times += 1) await console.write();
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/audit')).text, /1 to 50 of 63 changes/);
  t.match((await viewer.get('/audit?page=2')).text, /51 to 63 of 63 changes/);
  t.match((await viewer.get('/audit?page=9')).text, /Nothing here: there are 63 changes|Nothing has been changed yet/);
  const empty = await open(t);
  const first = await empty.signedIn('viewer');
  t.match((await first.get('/audit?actor=nobody')).text, /Show all/);
});

t.test('the trail comes as a file that no spreadsheet runs, narrowed as the page is', async (t) => {
  const console = await open(t);
  await console.write({ actor: '=HYPERLINK("https://evil.example")', after: JSON.stringify({ name: '+1' }) });
  await console.write({ actor: '@SUM(A1)', subject: '-2+3', action: '\tplan.set' });
  const viewer = await console.signedIn('viewer');
  const file = await viewer.get('/audit.csv');
  t.match(file.headers, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="audit-2030-01-15.csv"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const lines = file.body.trimEnd().split('\r\n');
  t.equal(lines.length, 6);
  for (const line of lines) t.notMatch(line, /(^|,)"?[=+@\t-]/, line);
  t.equal((await viewer.get('/audit.csv?action=operator.sign_in')).body.trimEnd().split('\r\n').length, 2);
  t.equal((await viewer.get('/audit.csv?since=never')).status, 422);
  t.equal((await viewer.get('/audit.csv')).status, 200, 'one that failed blocks no other');
  const named = await viewer.get(`/audit.csv?broker=${encodeURIComponent('a"\r\nset-cookie: x=1')}`);
  t.equal(named.headers['content-disposition'], 'attachment; filename="audit-2030-01-15.csv"');
  t.equal(named.cookies.length, 0);
  t.equal((await console.browser().get('/audit.csv')).to, '/sign-in');
});

t.test('one export of a person is made at a time, and two in all', async (t) => {
  const console = await open(t);
  const { store } = console;
  await console.write();
  const people = [await console.signedIn('viewer'), await console.signedIn('viewer'), await console.signedIn('viewer')];
  // Held up where its first rows would be read.
  const { slow } = store;
  const waiting: Array<() => void> = [];
  Object.assign(console.context.store, {
    slow: async (...args: Parameters<typeof slow>) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return slow.call(store, ...args);
    },
  });
  const [one, two, three] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
  const first = one.get('/audit.csv');
  const second = two.get('/audit.csv');
  while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
  t.match(await one.get('/audit.csv'), { status: 429, text: /Each operator can export once/ });
  t.equal((await one.get('/usage.csv')).status, 429, 'another export is one too');
  t.equal((await three.get('/audit.csv')).status, 429);
  Object.assign(console.context.store, { slow });
  for (const release of waiting) release();
  t.strictSame([(await first).status, (await second).status], [200, 200]);
  t.equal((await three.get('/audit.csv')).status, 200);
});

t.test('the page of every thing leads to what was done to it', async (t) => {
  const console = await open(t);
  await createBroker.run(console.context, BROKER);
  const key = await createKey.run(console.context, {
    broker: 'acme',
    name: 'Panel',
    mode: 'live',
    scopes: 'plans:read',
  });
  const admin = await console.signedIn('admin');
  const page = await admin.get('/brokers/acme');
  t.match(page.body, /href="\/audit\?broker=acme"/);
  const used = await admin.get(`/brokers/acme/keys/${key.key_id}`);
  t.ok(used.body.includes(`href="/audit?subject=key%2F${key.key_id}"`));
  t.match((await admin.get('/operators')).body, /href="\/audit\?actor=admin-1%40example\.com"/);
});
