import { stringify } from 'node:querystring';
import t, { type Test } from 'tap';
import { listCalls } from '../../src/operator/calls/calls.ts';
import { findPlan, listPlans, setPlan } from '../../src/operator/plans/plans.ts';
import { pageRequests } from '../../src/operator/requests/views.ts';
import { MAX_OPTIONS } from '../../src/rules/options.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import { createTestConsole } from '../support/console.ts';
import { anEmail } from '../support/rows.ts';

async function open(t: Test) {
  const console = await createTestConsole({ demo: true });
  t.teardown(() => console.close());
  return console;
}

const headingsOf = (body: string) =>
  [...body.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)].map(([, html]) => String(html).replace(/<[^>]+>/g, ''));

const numbersOf = (body: string) =>
  [...body.matchAll(/href="\/services\/(\d+)" class="figure"/g)].map(([, number]) => Number(number));

t.test('an order is reversed by its heading', async (t) => {
  const viewer = await (await open(t)).signedIn('viewer');
  const [shown, reversed] = [await viewer.get('/services'), await viewer.get('/services?order=number&reverse=yes')];
  t.match(shown.body, /aria-sort="descending"><a href="\/services\?order=number&amp;reverse=yes">Number/);
  t.match(reversed.body, /aria-sort="ascending"><a href="\/services\?order=number">Number/);
  t.strictSame(numbersOf(reversed.body), numbersOf(shown.body).toReversed());
  for (const [list, order] of [
    ['plans', 'name'],
    ['brokers', 'slug'],
  ] as const) {
    const rowsOf = async (query: string) =>
      [
        ...(await viewer.get(`/${list}?order=${order}${query}`)).body.matchAll(/<tr>(?!<th)<td.*?<a href="([^"]+)"/gs),
      ].map(([, link]) => link);
    t.strictSame(await rowsOf('&reverse=yes'), (await rowsOf('')).toReversed(), list);
  }
});

t.test('a person chooses columns; the file has the same rows and columns, defused, and no more', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  const query = '?status=active&column=Label&column=Plan';
  const page = await viewer.get(`/services${query}`);
  t.strictSame(
    headingsOf(page.body),
    ['Number ', 'Label', 'Plan'].map((title) => title.trim()),
  );
  t.match(page.body, /<input type="hidden" name="column" value="Plan"\/?>/, 'a filter keeps them');
  const csv = (await viewer.get(`/services.csv${query}`)).body.replace('\uFEFF', '').trimEnd().split('\r\n');
  t.equal(csv[0], 'Number,Label,Plan');
  t.strictSame(
    csv.slice(1).map((line) => Number(line.split(',')[0])),
    numbersOf(page.body),
  );
  for (const path of [
    '/plans.csv?billing=hourly',
    '/requests.csv?status=operator_review',
    '/brokers.csv',
    '/emails.csv',
    '/services/consumption.csv',
    '/templates.csv',
    '/calls.csv',
    '/calls/failures.csv',
  ]) {
    const [list = ''] = path.split('.csv');
    t.match((await viewer.get(list)).body, `href="${list}.csv`, `${list} offers it`);
    t.match(
      await viewer.get(path),
      {
        status: 200,
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${list.slice(1).replace('/', '-')}-`,
        },
      },
      path,
    );
  }
});

t.test('a file of calls has every one that matches, and a file of people is for those who may see them', async (t) => {
  const console = await open(t);
  const linesOf = async (path: string, browser: Awaited<ReturnType<typeof console.signedIn>>) =>
    (await browser.get(path)).body.replace('\uFEFF', '').trimEnd().split('\r\n');
  const viewer = await console.signedIn('viewer');
  const [head, ...calls] = await linesOf('/calls.csv?status=4xx', viewer);
  t.equal(head, 'date,request_id,broker,key_prefix,client_ip,operation,service_number,status,code,reason,duration_ms');
  const { records } = await listCalls.run(console.context, { status: '4xx', since: '90d', limit: '1000000' });
  t.ok(records.length > 500, 'more than are read at once');
  t.strictSame(
    calls.map((line) => line.split(',')[1]),
    records.map(({ request_id }) => request_id),
  );
  t.equal((await viewer.get('/calls.csv?status=teapot')).status, 422);
  t.equal((await viewer.get('/operators.csv')).status, 403);
  const admin = await console.signedIn('admin');
  t.match((await admin.get('/operators')).body, 'href="/operators.csv"');
  const [columns, ...people] = await linesOf('/operators.csv', admin);
  t.equal(columns, 'email,name,role,active,last_sign_in_date,operator_id');
  t.ok(people.some((line) => line.startsWith(`${admin.email},`)));
  t.match((await linesOf('/templates.csv', viewer))[0], /^Broker,"Cancellation warning \(required\)",/);
});

t.test('one of several reviews is decided by itself; the others stay, and the next one has the focus', async (t) => {
  const console = await open(t);
  const support = await console.signedIn('support');
  const waiting = async () => (await pageRequests(console.context, { request_status: 'operator_review' })).items;
  const ids = (await waiting()).map(({ request_id }) => request_id);
  const [first = '', second = ''] = ids;
  const back = '/requests?status=operator_review';
  await support.get(back);
  const decided = { request_id: ids, back, one: `deny ${first}`, [`reason ${first}`]: 'Too early', reason: 'for all' };
  const { status, to } = await support.post('/requests/reviews/decide-one', decided);
  t.equal(status, 303);
  const rest = await support.get(to as string);
  t.match(rest.text, /Decide 3 reviews .* of service \d+: denied\./);
  t.match(rest.body, new RegExp(`autofocus=""[^>]*><a href="/requests/${second}`));
  t.strictSame((await waiting()).map(({ request_id }) => request_id).sort(), ids.filter((id) => id !== first).sort());
  const denied = await support.get(`/requests/${first}`);
  t.match(denied.text, /denied by support-1@example\.com, now Too early/);
  t.match(await support.post('/requests/reviews/decide-one', { ...decided, one: 'deny req_none' }), { status: 422 });
});

t.test('a downgrade to less disk than the service uses is warned of, and says when it takes effect', async (t) => {
  const console = await open(t);
  const support = await console.signedIn('support');
  const items = (await pageRequests(console.context, { type: 'plan-downgrade' })).items;
  const { request_id: id } = items.find(({ service_number }) => service_number === 1_000_003) ?? {};
  const warning = /uses 123\.0 GB of disk \(measured \d+ h ago \), more than the 120 GB that it would have/;
  for (const path of [`/requests/${id}`, `/requests/reviews?request_id=${id}`]) {
    const { text } = await support.get(path);
    t.match(text, warning, path);
    t.match(text, /Takes effect \d{4}-\d\d-\d\d in/, path);
  }
  await support.post(`/requests/${id}/review`, { accept: 'true' });
  t.match((await support.get(`/requests/${id}`)).text, warning, 'as long as it is open');
  t.match((await support.get('/requests?status=accepted')).text, /takes effect in \d+ days/);
  await support.post(`/requests/${id}/withdraw`);
  t.notMatch((await support.get(`/requests/${id}`)).text, /uses 123|Takes effect/);
});

t.test('an email that became a file is not called sent, in its list, its file and its service’s history', async (t) => {
  const console = await open(t);
  const { store, context, clock } = console;
  const broker = (await store.read.brokers.findBySlug('demo')) as BrokerRow;
  const id = context.newId('eml', clock.now());
  const file = { status: 'sent', providerMessageId: `${id}.eml`, serviceNumber: 1_000_001 } as const;
  await store.tx((tx) =>
    tx.emails.insert(anEmail(broker, { id, createdAt: clock.now(), subject: 'Written', ...file })),
  );
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/emails')).text, /Written not sent: a file/);
  t.match((await viewer.get('/emails.csv')).body, /Written,"not sent: a file",/);
  t.match((await viewer.get('/brokers/demo')).text, /Written not sent: a file/);
  t.match((await viewer.get('/services/1000001')).text, /Email cancellation warning : not sent: a file/);
  t.match((await viewer.get(`/emails/${id}`)).text, /Written to a file: no mail provider was set/);
});

t.test('what services consumed is a view of them, most first, narrowed by an amount', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/services')).body, /href="\/services\/consumption"/);
  t.strictSame(numbersOf((await viewer.get('/services/consumption?transfer=2000')).body), [1_000_003, 1_000_020]);
  t.strictSame(numbersOf((await viewer.get('/services/consumption?broker=demo-other&transfer=2000')).body), []);
  const least = numbersOf((await viewer.get('/services/consumption?disk=100&order=disk&reverse=yes')).body);
  t.strictSame(least, [1_000_003, 1_000_020]);
  t.strictSame(numbersOf((await viewer.get('/services/consumption?transfer=2000.5')).body), [1_000_003, 1_000_020]);
  const refused = await viewer.get('/services/consumption?transfer=2000,5&disk=1');
  t.match(refused, { status: 422, text: /Transfer over: must be a decimal number of at most three places/ });
  t.match(refused.body, /name="transfer" value="2000,5"[^>]*aria-invalid="true"/);
  t.match(refused.body, /<small id="h-transfer" class="fault">Must be a decimal number[^<]*<\/small>/);
  t.match(refused.body, /<small id="h-disk" class="fault"><\/small>/);
  const date = await viewer.get('/calls?since=soon');
  t.match(date, { status: 422, body: /<details class="adding" open=""/ });
  t.match(date.body, /<small id="h-since" class="fault">Must be a date[^<]*<\/small>/);
  const service = await viewer.get('/calls?service=0');
  t.match(service, { status: 422, text: /Service number: must be/ });
  t.match(service.body, /name="service" value="0"[^>]*aria-invalid="true"/);
});

t.test(
  'an option is added to the chosen plans together; one that has it already is named, a faulty one changes none',
  async (t) => {
    const console = await open(t);
    const admin = await console.signedIn('admin');
    const list = await admin.get('/plans');
    const ids = [...list.body.matchAll(/name="plan_id" value="([^"]+)"/g)].map(([, id]) => String(id));
    const page = `/plans/option?${stringify({ plan_id: ids })}`;
    t.match((await admin.get(page)).text, /Add an option to 9 plans/);
    const option = {
      plan_id: ids,
      back: '/plans?q=',
      type: 'boolean',
      name: 'backups',
      display_name: 'Backups',
      choices: '',
    };
    const faulty = await admin.post('/plans/option/add', { ...option, name: 'Back ups', default: 'no' });
    t.match(faulty, { status: 422, text: /Name in calls: must be small letters, digits and/ });
    t.match(faulty.body, /name="name"[^>]*aria-invalid="true"/, 'at its field');
    t.equal(faulty.body.match(/ autofocus=""/g)?.length, 1, 'and the focus with it');
    const unsure = await admin.post('/plans/option/add', { ...option, default: 'perhaps' });
    t.match(unsure.body, /name="default"[^>]*aria-invalid="true"/);
    const some = await admin.post('/plans/option/add', { ...option, default: 'no' });
    t.match(some.text, /5 plans not changed Backups was added to 4 plans/);
    t.match(some.text, /The name backups is that of another option of the plan/);
    t.notMatch(some.text, /options\.\d/, 'no path is shown');
    const none = await admin.post('/plans/option/add', {
      ...option,
      plan_id: [...ids.slice(0, 2), ...ids.slice(0, 2)],
      default: 'No',
    });
    t.match(none.text, /2 plans not changed Not changed/, 'each is named once, and nothing is called added');
    const other = await admin.post('/plans/option/add', { ...option, name: 'weekly', default: '' });
    t.match(other, { status: 303, to: '/plans?q=' });
    const { records } = await listPlans.run(console.context, { broker: 'demo-other' });
    t.ok(records.length > 0);
    for (const { options } of records)
      t.match(options, [
        { name: 'backups', default: false },
        { name: 'weekly', default: null },
      ]);
  },
);

t.test('a plan that can take no further option keeps none of the others from it', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  const list = await admin.get('/plans?broker=demo-other');
  const ids = [...list.body.matchAll(/name="plan_id" value="([^"]+)"/g)].map(([, id]) => String(id));
  const full = await findPlan(console.context, { planId: ids[0] as string });
  const options = Array.from({ length: MAX_OPTIONS }, (_, at) => ({ name: `o${at}`, display_name: 'O', type: 'text' }));
  await setPlan.run(console.context, { broker: 'demo-other', slug: full.slug, options: JSON.stringify(options) });
  await admin.get('/plans');
  const fields = {
    plan_id: ids,
    back: '/plans?q=',
    type: 'boolean',
    display_name: 'Backups',
    choices: '',
    default: '',
  };
  const faulty = await admin.post('/plans/option/add', { ...fields, name: 'Back ups' });
  t.match(faulty.body, /name="name"[^>]*aria-invalid="true"/, 'what is wrong with the option is found at another one');
  const some = await admin.post('/plans/option/add', { ...fields, name: 'backups' });
  t.match(some.text, new RegExp(`1 plan not changed Backups was added to ${ids.length - 1} plan`));
});
