import { type ParsedUrlQueryInput, stringify } from 'node:querystring';
import t, { type Test } from 'tap';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import type { EmailRow } from '../../src/store/queries/emails.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';
import { stock } from '../support/rows.ts';

/** A text that would run if anything forgot to escape it. */
const HOSTILE = `"><script>alert(1)</script>`;

async function open(t: Test) {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context, clock, store } = console;
  const { broker_id: brokerId } = await createBroker.run(context, BROKER);
  /** An entry of the log, a second after the one before. */
  async function write(fields: Partial<EmailRow> = {}): Promise<string> {
    clock.advance(1000);
    const now = clock.now();
    const row: EmailRow = {
      id: context.newId('eml', now),
      brokerId,
      kind: 'cancellation-warning',
      serviceNumber: null,
      requestId: null,
      status: 'sent',
      recipient: 'ada@example.com',
      subject: 'About your service',
      html: '<p>Hello</p>',
      text: 'Hello',
      failureReason: null,
      providerCode: null,
      providerMessageId: null,
      createdAt: now,
      completedAt: now,
      settledAt: null,
      settledNote: null,
      erasedAt: null,
      ...fields,
    };
    await store.tx((tx) => tx.emails.insert(row));
    return row.id;
  }
  return { ...console, brokerId, write };
}

t.test('an empty log says what will stand there', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/emails')).text, /No email has been sent yet/);
  t.match((await viewer.get('/emails?status=unknown')).text, /No email is of unknown outcome/);
});

t.test(
  'emails of unknown outcome stand first, and in the navigation; the rest is filtered by the address',
  async (t) => {
    const console = await open(t);
    await createBroker.run(console.context, { ...BROKER, slug: 'other', name: 'Other' });
    const unknown = await console.write({ status: 'unknown', subject: 'Lost?', completedAt: null });
    await console.write({ kind: 'service-created', recipient: 'Bob@example.com', subject: 'Ready', serviceNumber: 77 });
    await console.write({
      status: 'failed',
      failureReason: 'rejected',
      recipient: 'eve@example.com',
      subject: 'Refused',
    });
    const viewer = await console.signedIn('viewer');
    const { text, body } = await viewer.get('/emails');
    t.match(text, /Emails 1 waiting/);
    t.match(text, /One email of unknown outcome.*Lost\?.*Refused.*Ready.*3 emails/);
    t.equal(text.split('Lost?').length, 2, 'it does not stand among the others again');
    t.equal(body.split('<table').length, 2, 'all stand in one table, whose columns line up');
    t.match(body, new RegExp(`href="/emails/${unknown}"`));

    const found = async (query: string) => {
      const page = await viewer.get(`/emails?${query}`);
      t.equal(page.status, 200, query);
      return ['Lost?', 'Ready', 'Refused'].filter((subject) => page.text.includes(subject));
    };
    t.strictSame(await found('status=unknown'), ['Lost?']);
    t.strictSame(await found('status=failed'), ['Refused']);
    t.strictSame(await found('kind=service-created'), ['Ready']);
    t.strictSame(await found('recipient=bob%40'), ['Ready']);
    t.strictSame(await found('broker=acme&status=sent'), ['Ready']);
    t.strictSame(await found('broker=other'), []);
    t.strictSame(await found('broker=nobody'), []);
    const { broker, service } = await stock(console.store);
    await console.write({ brokerId: broker.id, subject: 'Ours', serviceNumber: service.number });
    const about = async (query: string) =>
      /Ours/.test((await viewer.get(`/emails?service=${service.number}${query}`)).text);
    t.equal(await about(''), true);
    t.equal(await about(`&broker=${broker.slug}`), true);
    t.equal(await about('&broker=other'), false);
    t.strictSame(await found('service=999'), []);
    t.strictSame(await found('since=2030-01-16'), []);
    t.strictSame(await found('since=1h&until=2030-01-16'), ['Lost?', 'Ready', 'Refused']);
    t.match((await viewer.get('/emails?broker=other')).text, /No email matches\. Show all/);
    const faulty = await viewer.get('/emails?since=soon');
    t.match([faulty.status, faulty.text], [422, /From: must be a date, or a time before now such as 30m/]);
  },
);

t.test('more than ten unknown emails are behind a link, and a long log has pages', async (t) => {
  const console = await open(t);
  for (let times = 0; times < 11; times += 1) await console.write({ status: 'unknown' });
  for (let times = 0; times < 45; times += 1) await console.write();
  const viewer = await console.signedIn('viewer');
  const { text, body } = await viewer.get('/emails');
  t.match(text, /11 emails of unknown outcome All of them/);
  t.match(text, /1 to 50 of 56 emails/);
  t.match(body, /href="\/emails\?page=2" rel="next"/);
  const second = await viewer.get('/emails?page=2');
  t.match(second.text, /51 to 56 of 56/);
  t.notMatch(second.text, /11 emails of unknown outcome/);
});

t.test('where all emails are of unknown outcome, nothing says that none was sent, and none is left out', async (t) => {
  const console = await open(t);
  for (let times = 1; times <= 10; times += 1) await console.write({ status: 'unknown', subject: `Lost ${times}.` });
  const viewer = await console.signedIn('viewer');
  const { text } = await viewer.get('/emails');
  t.notMatch(text, /No email has been sent yet/);
  for (let times = 1; times <= 10; times += 1) t.equal(text.split(`Lost ${times}.`).length, 2, `${times} stands once`);
  await console.write({ status: 'unknown', subject: 'Lost 11.' });
  const more = (await viewer.get('/emails')).text;
  for (let times = 1; times <= 11; times += 1) t.equal(more.split(`Lost ${times}.`).length, 2, `${times} stands once`);
});

t.test('one email stands as it went out, its HTML in a frame that may do nothing', async (t) => {
  const console = await open(t);
  const id = await console.write({
    subject: HOSTILE,
    html: `<h1>Hello</h1><script>alert(1)</script>`,
    text: `Hello ${HOSTILE}`,
    serviceNumber: 77,
    requestId: 'req_1',
    providerMessageId: 'message-7',
    providerCode: '250',
  });
  const viewer = await console.signedIn('viewer');
  const { body, text } = await viewer.get(`/emails/${id}`);
  t.notMatch(body, /<script>alert/);
  t.notMatch(body, /<h1>Hello/);
  t.match(body, new RegExp(`<iframe class="mail" sandbox="" src="/emails/${id}/html"`));
  t.match(text, /To ada@example\.com From support@acme\.example\.com.*Service 77 Request req_1/);
  t.match(text, /Provider’s id message-7.*History.*The provider accepted it now · 250 Written/);
  const frame = await viewer.get(`/emails/${id}/html`);
  t.equal(frame.body, `<h1>Hello</h1><script>alert(1)</script>`);
  const policy = String(frame.headers['content-security-policy']);
  for (const part of ['sandbox;', "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"]) {
    t.ok(policy.includes(part), part);
  }
  t.notMatch(policy, /allow|script|https?:|\*/);
  t.match(frame.headers, { 'x-frame-options': 'SAMEORIGIN', 'x-content-type-options': 'nosniff' });
  t.equal((await viewer.get('/emails/eml_none')).status, 404);
  t.equal((await viewer.get('/emails/eml_none/html')).status, 404);
  t.equal((await console.browser().get(`/emails/${id}/html`)).to, '/sign-in');
});

t.test('an erased email says so; a report says that its file is not kept; one without HTML has no frame', async (t) => {
  const console = await open(t);
  const erased = await console.write({ recipient: null, subject: null, html: null, text: null, erasedAt: 1 });
  const report = await console.write({ kind: 'services-report', html: null });
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get(`/emails/${erased}`)).text, /Cancellation warning.*were erased/);
  t.equal((await viewer.get(`/emails/${erased}/html`)).body, '');
  const { text, body } = await viewer.get(`/emails/${report}`);
  t.match(text, /the report as CSV, which is not stored/);
  t.notMatch(body, /iframe/);
  t.match((await viewer.get('/emails')).text, /erased/);
});

t.test('an email of unknown outcome is settled with a note, once, by a person with the role', async (t) => {
  const console = await open(t);
  const id = await console.write({ status: 'unknown' });
  const other = await console.write({ status: 'unknown', failureReason: 'outcome_unknown' });
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get(`/emails/${id}`)).text, /The role support or admin can settle it/);
  t.equal((await viewer.post(`/emails/${id}/settle`, { arrived: 'true', note: 'so' })).status, 403);

  const support = await console.signedIn('support');
  await support.get(`/emails/${id}`);
  const blank = await support.post(`/emails/${id}/settle`, { arrived: 'true', note: ' ' });
  t.match([blank.status, blank.text], [422, /How you know: is required/]);
  const undecided = await support.post(`/emails/${id}/settle`, { note: 'The client called' });
  t.match([undecided.status, undecided.text, undecided.body], [422, /Outcome: is required/, />\s*The client called</]);
  t.match(await support.post(`/emails/${id}/settle`, { arrived: 'true', note: 'The client called' }), {
    status: 303,
    to: `/emails/${id}`,
  });
  const settled = await support.get(`/emails/${id}`);
  t.match(
    settled.text,
    /Settled: it arrived\..*It arrived now · recorded by support-\d@example\.com The client called/,
  );
  t.notMatch(settled.text, /Did it arrive\?/);
  t.match(
    (await support.post(`/emails/${id}/settle`, { arrived: 'false', note: 'again' })).text,
    /only one of unknown/,
  );
  t.equal((await support.post(`/emails/${other}/settle`, { arrived: 'false', note: 'Bounced' })).status, 303);
  t.match((await support.get(`/emails/${other}`)).text, /failed.*It did not arrive now · recorded by support-/);
  t.match(await listAudit(console.context, { action: 'email.settle', subject: `email/${id}` }), [
    { actor: support.email, actor_kind: 'operator', client_ip: '127.0.0.1', after: { email_status: 'sent' } },
  ]);
  t.equal((await support.post('/emails/eml_none/settle', { arrived: 'false', note: 'x' })).status, 404);
});

t.test(
  'several emails of unknown outcome are settled at once with one note, and the list is where it was',
  async (t) => {
    const console = await open(t);
    const ids = [];
    for (const subject of ['One', 'Two', 'Three']) ids.push(await console.write({ status: 'unknown', subject }));
    const [one, two] = ids as [string, string, string];
    const support = await console.signedIn('support');
    const list = '/emails?status=unknown&broker=acme';
    t.match((await support.get(list)).text, /Settle the chosen ones/);
    const chosen = { email_id: [one, two], back: list };
    const page = (query: ParsedUrlQueryInput) => `/emails/settlements?${stringify(query)}`;
    t.match(await support.get(page({ back: list })), { status: 303, to: list });
    t.match((await support.get(page(chosen))).text, /Settle 2 emails/);
    const settle = (fields: object) => support.post('/emails/settlements/settle', { ...chosen, ...fields });
    const blank = await settle({ arrived: 'true', note: ' ' });
    t.match(blank, { status: 422, text: /How you know: must not be blank/ });
    t.match(blank.body, /<textarea name="note"[^>]*aria-invalid="true" autofocus=""/, 'the fault stands at its field');
    t.match(await settle({ arrived: 'false', note: 'The mailbox is full' }), { status: 303, to: list });
    t.match((await support.get(list)).text, /Settled: 2 emails did not arrive\..*Three/);
    t.match(await support.get(page(chosen)), { status: 303, to: list }, 'those are settled');
    t.match(await settle({ arrived: 'true', note: 'x', back: 'https://elsewhere.example' }), {
      status: 200,
      text: /2 emails not settled.*only one of unknown outcome/,
      body: /href="\/emails\?status=unknown">Back/,
    });
    t.equal((await listAudit(console.context, { action: 'email.settle' })).length, 2);
    const viewer = await console.signedIn('viewer');
    t.notMatch((await viewer.get(list)).body, 'Settle the chosen ones');
    t.equal((await viewer.get(page(chosen))).status, 403);
  },
);
