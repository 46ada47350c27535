import t, { type Test } from 'tap';
import { pageRequests } from '../../src/operator/request-views.ts';
import { createTestConsole } from '../support/console.ts';

async function open(t: Test) {
  const console = await createTestConsole({}, undefined, {}, { demo: true });
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
  for (const path of ['/plans.csv?billing=hourly', '/requests.csv?status=operator_review']) {
    t.match(await viewer.get(path), { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' } }, path);
  }
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
  const rest = await support.post('/requests/reviews/decide-one', decided);
  t.match(rest, { status: 200, text: /1 review denied\./ });
  t.match(rest.body, new RegExp(`autofocus=""[^>]*><a href="/requests/${second}`));
  t.strictSame((await waiting()).map(({ request_id }) => request_id).sort(), ids.filter((id) => id !== first).sort());
  const denied = await support.get(`/requests/${first}`);
  t.match(denied.text, /denied by the operator.*Too early/);
  t.match(await support.post('/requests/reviews/decide-one', { ...decided, one: 'deny req_none' }), { status: 422 });
});
