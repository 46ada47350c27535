import { parse } from 'csv-parse/sync';
import t, { type Test } from 'tap';
import { type MailAttachment, MailFailure } from '../../../src/ports.ts';
import { createLog } from '../../../src/process/log.ts';
import { fold } from '../../../src/rules/search-text.ts';
import type { BrokerRow } from '../../../src/store/queries/brokers.ts';
import type { InvoiceRow } from '../../../src/store/queries/invoices.ts';
import { until } from '../../support/until.ts';
import { createWorld, type World, type WorldOptions } from '../../support/world.ts';

/** A broker with a key, a plan and a verified address, beside a stranger who has the like. */
async function setUp(t: Test, options?: WorldOptions) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker, { slug: 'business', displayName: 'Business' });
  const { key } = await world.addKey(broker, ['reports:send']);
  await addRecipient(world, broker, 'Finance@broker.example');

  const stranger = await world.addBroker({ contactEmail: 'contact@stranger.example' });
  const foreignPlan = await world.addPlan(stranger, { slug: 'business' });
  const foreign = await world.addService(stranger, foreignPlan, { clientName: 'A stranger' });
  await addRecipient(world, stranger, 'finance@stranger.example');
  await addInvoice(world, stranger, foreign.number, 'INV-1');

  const send = (what: 'services' | 'invoices', body?: object) =>
    world.call(key, 'POST', `/reports/${what}`, { ...(body && { body }) });
  const sendOnce = (idempotencyKey: string, body: object = {}, what = 'services') =>
    world.call(key, 'POST', `/reports/${what}`, { body, headers: { 'x-idempotency-key': idempotencyKey } });
  return { world, broker, plan, foreign, send, sendOnce };
}

const addRecipient = (world: World, broker: BrokerRow, email: string) =>
  world.store.tx((tx) =>
    tx.brokers.addRecipient({ brokerId: broker.id, email, emailFolded: fold(email), createdAt: world.clock.now() }),
  );

const anInvoice = (
  world: World,
  broker: BrokerRow,
  serviceNumber: number,
  invoiceNumber: string,
  fields: Partial<InvoiceRow> = {},
): InvoiceRow => ({
  brokerId: broker.id,
  invoiceNumber,
  serviceNumber,
  amount: '24.90',
  currency: 'EUR',
  status: 'open',
  issuedAt: world.clock.now(),
  dueAt: null,
  paidAt: null,
  updatedAt: world.clock.now(),
  ...fields,
});

const addInvoice = (...[world, ...rest]: Parameters<typeof anInvoice>) =>
  world.store.tx((tx) => tx.invoices.upsert([anInvoice(world, ...rest)]));

/** The attachment of the email sent last, and its lines as a reader sees them. */
function lastReport(world: World) {
  const mail = world.mailer.sent.at(-1);
  const attachment = mail?.attachments?.[0] as MailAttachment;
  const lines = parse(attachment.content, { bom: true, columns: true }) as Array<Record<string, string>>;
  return { mail, attachment, lines, text: attachment.content.toString() };
}

const column = (world: World, name: string) => lastReport(world).lines.map((line) => line[name]);

const SERVICES_HEADER =
  'service_number,service_status,label,external_reference,client_name,client_email,plan_slug,plan_display_name,' +
  'billing_type,price_amount,price_currency,created_date,renewal_date,cancelled_date,cancellation_type,' +
  'cancellation_effective_date\r\n';
const INVOICES_HEADER =
  'invoice_number,service_number,client,amount,currency,invoice_status,issued_date,due_date,paid_date\r\n';

t.test('without a body, all services of the broker go to its contact, newest first', async (t) => {
  const { world, plan, broker, send } = await setUp(t);
  await world.addService(broker, plan, {
    number: 41,
    label: 'Shop',
    externalReference: '=CRM',
    renewalAt: Date.UTC(2030, 1, 1),
    createdAt: Date.UTC(2029, 0, 1),
  });
  await world.addService(broker, plan, {
    number: 42,
    status: 'cancelled',
    clientName: 'Müller, Söhne',
    clientEmail: null,
    createdAt: Date.UTC(2029, 5, 1),
    cancelledAt: Date.UTC(2029, 8, 1),
    cancellationType: 'immediate',
    cancellationEffectiveAt: Date.UTC(2029, 8, 1),
    cancellationRequestId: 'req_x',
  });

  const { status, json } = await send('services');
  t.equal(status, 200);
  t.match(json.data.report_id, /^rpt_[0-9A-HJKMNP-TV-Z]{26}$/);
  t.same(json, {
    success: true,
    data: {
      report_id: json.data.report_id,
      type: 'services-report',
      report_status: 'sent',
      recipient_email: 'contact@broker.example',
      row_count: 2,
      period_from: null,
      period_to: null,
      submitted_date: '2030-01-15T12:00:00.000Z',
      processed_date: '2030-01-15T12:00:00.000Z',
    },
  });

  const { mail, attachment, text } = lastReport(world);
  t.equal(world.mailer.sent.length, 1);
  t.match(mail, {
    from: 'sender@broker.example',
    to: 'contact@broker.example',
    subject: 'Services report of Example Hosting',
  });
  t.match(mail?.text, json.data.report_id);
  t.match(mail?.text, '2 rows');
  t.match(attachment, { name: 'services-report-2030-01-15.csv', contentType: 'text/csv' });
  t.equal(
    text,
    `\uFEFF${SERVICES_HEADER}` +
      '42,cancelled,,,"Müller, Söhne",,business,Business,monthly,9.90,EUR,2029-06-01T00:00:00.000Z,,' +
      '2029-09-01T00:00:00.000Z,immediate,2029-09-01T00:00:00.000Z\r\n' +
      `41,active,Shop,"'=CRM","Ada Example",ada@example.com,business,Business,monthly,9.90,EUR,` +
      '2029-01-01T00:00:00.000Z,2030-02-01T00:00:00.000Z,,,\r\n',
  );
});

t.test('an invoices report has the columns of the contract, oldest first', async (t) => {
  const { world, broker, plan, send } = await setUp(t);
  const { number } = await world.addService(broker, plan, { clientName: '+Plus "GmbH"' });
  await addInvoice(world, broker, number, 'INV-2', {
    status: 'paid',
    issuedAt: Date.UTC(2029, 2, 1),
    dueAt: Date.UTC(2029, 2, 15),
    paidAt: Date.UTC(2029, 2, 14),
  });
  await addInvoice(world, broker, number, 'INV-1', { amount: '-5.00', issuedAt: Date.UTC(2029, 3, 1) });

  const { json } = await send('invoices', {});
  t.match(json.data, { type: 'invoices-report', row_count: 2 });
  t.equal(
    lastReport(world).text,
    `${INVOICES_HEADER}INV-2,${number},"'+Plus ""GmbH""",24.90,EUR,paid,2029-03-01T00:00:00.000Z,` +
      '2029-03-15T00:00:00.000Z,2029-03-14T00:00:00.000Z\r\n' +
      `INV-1,${number},"'+Plus ""GmbH""","-5.00",EUR,open,2029-04-01T00:00:00.000Z,,\r\n`,
  );
});

t.test('reports go to the contact and to verified addresses alone, whatever their case', async (t) => {
  const { world, send } = await setUp(t);
  for (const [asked, recipient] of [
    ['CONTACT@Broker.Example', 'contact@broker.example'],
    [' finance@broker.example ', 'Finance@broker.example'],
  ]) {
    const { json } = await send('invoices', { recipient_email: asked });
    t.equal(json.data.recipient_email, recipient);
    t.equal(lastReport(world).mail?.to, recipient);
  }
  for (const asked of ['contact@stranger.example', 'finance@stranger.example', 'contact@broker.example.net']) {
    const { status, json } = await send('services', { recipient_email: asked });
    t.equal(status, 400);
    t.match(json.error, {
      code: 'invalid_parameter',
      details: {
        reason: 'recipient_not_verified',
        fields: [{ path: 'body.recipient_email', rule: 'enum', message: String }],
      },
    });
  }
  t.equal(world.mailer.sent.length, 2, 'nothing was sent to others');
});

t.test('the period takes in its first moment and leaves out its last', async (t) => {
  const { world, broker, plan, send } = await setUp(t);
  const days = [1, 2, 3, 4].map((day) => Date.UTC(2029, 4, day));
  for (const [index, at] of days.entries()) {
    await world.addService(broker, plan, { number: 10 + index, createdAt: at });
    await addInvoice(world, broker, 10 + index, `INV-${10 + index}`, { issuedAt: at });
  }
  const period = { period_from: '2029-05-02', period_to: '2029-05-04T02:00:00+02:00' };
  for (const what of ['services', 'invoices'] as const) {
    const { json } = await send(what, period);
    t.match(json.data, {
      row_count: 2,
      period_from: '2029-05-02T00:00:00.000Z',
      period_to: '2029-05-04T00:00:00.000Z',
    });
    t.same(column(world, 'service_number').sort(), ['11', '12']);
    t.match(lastReport(world).mail?.text, 'From: 2029-05-02T00:00:00.000Z\nTo: 2029-05-04T00:00:00.000Z');
  }
});

t.test('a services report takes the filters of the list, and all must hold', async (t) => {
  const { world, broker, plan, send } = await setUp(t);
  const hourly = await world.addPlan(broker, { slug: 'flex', billingType: 'hourly' });
  await world.addService(broker, plan, { number: 1, label: '100% Größe', renewalAt: Date.UTC(2030, 1, 1) });
  await world.addService(broker, plan, { number: 2, status: 'suspended', clientEmail: 'Bob@example.com' });
  await world.addService(broker, hourly, { number: 3, label: '100 percent' });
  for (const [filter, numbers] of [
    [{ service_status: 'suspended' }, ['2']],
    [{ billing_type: 'hourly' }, ['3']],
    [{ plan: 'BUSINESS' }, ['2', '1']],
    [{ plan: hourly.id }, ['3']],
    [{ client_email: 'bob@EXAMPLE.com' }, ['2']],
    [{ search: '100_' }, []],
    [{ search: '100% GRÖSSE' }, ['1']],
    [{ search: '100' }, ['3', '1']],
    [{ search: '100', billing_type: 'monthly' }, ['1']],
    [{ renewal_before: '2030-03-01' }, ['1']],
  ] as Array<[object, string[]]>) {
    const { json } = await send('services', filter);
    t.equal(json.data?.row_count, numbers.length, JSON.stringify(filter));
    t.same(column(world, 'service_number'), numbers);
  }
});

t.test('an invoices report can be narrowed to a service and a status', async (t) => {
  const { world, broker, plan, foreign, send } = await setUp(t);
  await world.addService(broker, plan, { number: 1 });
  await world.addService(broker, plan, { number: 2 });
  await addInvoice(world, broker, 1, 'A');
  await addInvoice(world, broker, 2, 'B');
  await addInvoice(world, broker, 2, 'C', { status: 'void' });
  for (const [filter, numbers] of [
    [{ service_number: 2 }, ['B', 'C']],
    [{ invoice_status: 'void' }, ['C']],
    [{ service_number: 1, invoice_status: 'void' }, []],
    [{ service_number: Number.MAX_SAFE_INTEGER }, []],
    [{ service_number: foreign.number }, []],
  ] as Array<[object, string[]]>) {
    const { status, json } = await send('invoices', filter);
    t.equal(status, 200);
    t.equal(json.data.row_count, numbers.length, JSON.stringify(filter));
    t.same(column(world, 'invoice_number'), numbers);
  }
});

t.test('where nothing matches, the header line is sent alone', async (t) => {
  const { world, broker, plan, send } = await setUp(t);
  await world.addService(broker, plan);
  for (const [what, filter, header] of [
    ['services', { plan: 'no-such-plan' }, SERVICES_HEADER],
    ['services', { search: 'nowhere' }, SERVICES_HEADER],
    ['invoices', {}, INVOICES_HEADER],
  ] as const) {
    const { status, json } = await send(what, filter);
    t.equal(status, 200);
    t.equal(json.data.row_count, 0);
    t.equal(lastReport(world).text, header);
  }
});

t.test('a long report holds every row once, in order', async (t) => {
  const { world, broker, plan, send } = await setUp(t);
  const first = await world.addService(broker, plan, { number: 100_000 });
  // A thousand rows are a batch; many at one time lie across the border between two of them.
  const at = (index: number) => first.createdAt - Math.floor(index / 600) * 1000;
  const numbers = Array.from({ length: 1999 }, (_, index) => 100_001 + index);
  for (let from = 0; from < numbers.length; from += 500) {
    const part = numbers.slice(from, from + 500);
    await world.store.tx((tx) =>
      tx.services.insert(part.map((number) => ({ ...first, number, createdAt: at(number - 100_001) }))),
    );
    await world.store.tx((tx) =>
      tx.invoices.upsert(
        part.map((number) => ({
          brokerId: broker.id,
          invoiceNumber: String(number),
          serviceNumber: number,
          amount: '1',
          currency: 'EUR',
          status: 'open' as const,
          issuedAt: at(number - 100_001),
          dueAt: null,
          paidAt: null,
          updatedAt: 0,
        })),
      ),
    );
  }
  const services = await send('services', { period_from: '2000-01-01' });
  t.equal(services.json.data.row_count, 2000);
  t.equal(new Set(column(world, 'service_number')).size, 2000);
  const keys = lastReport(world).lines.map((line) => `${line.created_date} ${line.service_number}`);
  t.same(keys, [...keys].sort().reverse());

  const invoices = await send('invoices');
  t.equal(invoices.json.data.row_count, 1999);
  t.equal(new Set(column(world, 'invoice_number')).size, 1999);
  const dates = column(world, 'issued_date');
  t.same(dates, [...dates].sort());
});

t.test('a report is refused when the whole message would pass 10 MB, and sent when it is just below', async (t) => {
  // Should it fail, it says why.
  const logger = createLog('error', { write: (line) => t.comment(line) });
  const { world, broker, plan, send } = await setUp(t, { logger });
  await world.addService(broker, plan, { number: 7, clientName: 'x'.repeat(10_000) });
  const add = (from: number, count: number) => {
    const rows = Array.from({ length: count }, (_, index) => anInvoice(world, broker, 7, String(from + index)));
    return world.store.tx((tx) => tx.invoices.upsert(rows));
  };
  await add(0, 700);
  const below = await send('invoices');
  t.match(below, { status: 200, json: { success: true } });
  t.strictSame(world.logged, []);
  const { attachment } = lastReport(world);
  t.ok(attachment.content.length > 7_000_000);
  t.ok(Math.ceil(attachment.content.length / 57) * 78 < 10_000_000, 'in base64, with its line breaks');

  await add(700, 100);
  const above = await send('invoices');
  t.equal(above.status, 400);
  t.match(above.json.error, { code: 'invalid_parameter', details: { reason: 'report_too_large' } });
  t.equal(world.mailer.sent.length, 1);
  const logged = await world.store.read.emails.list({ now: world.clock.now(), limit: 10 });
  t.equal(logged.length, 1, 'the email log knows nothing of the refused one');
});

t.test('the email log records a report without keeping its attachment', async (t) => {
  const { world, broker, plan, send } = await setUp(t);
  await world.addService(broker, plan, { clientName: 'A secret name' });
  await send('services');
  const [entry] = await world.store.read.emails.list({ now: world.clock.now(), limit: 10 });
  t.match(entry, {
    brokerId: broker.id,
    kind: 'services-report',
    status: 'sent',
    recipient: 'contact@broker.example',
    serviceNumber: null,
    requestId: null,
  });
  t.notMatch(JSON.stringify(entry), 'A secret name');
});

t.test('a report that the provider does not accept is an email_send_error', async (t) => {
  const { world, send } = await setUp(t);
  world.mailer.failWith = new MailFailure('rejected', 'refused', { providerCode: '406' });
  const { status, json } = await send('invoices');
  t.equal(status, 500);
  t.match(json.error, {
    code: 'email_send_error',
    details: { reason: 'rejected', provider_code: '406', retryable: false },
  });
  const [entry] = await world.store.read.emails.list({ now: world.clock.now(), limit: 10 });
  t.match(entry, { kind: 'invoices-report', status: 'failed' });
});

t.test('under an idempotency key a report is sent once, and its first answer is repeated', async (t) => {
  const { world, sendOnce } = await setUp(t);
  const first = await sendOnce('night-1');
  t.match([first.status, first.headers['idempotent-replayed']], [200, undefined]);
  world.clock.advance(60_000);
  // What would be refused today is repeated all the same.
  world.mailer.failWith = new MailFailure('unreachable', 'away', { retryable: true });
  const again = await sendOnce('night-1');
  t.strictSame([again.status, again.raw, again.headers['idempotent-replayed']], [200, first.raw, 'true']);
  t.match((await sendOnce('night-1', { service_status: 'active' })).json.error, {
    code: 'already_processed',
    details: { reason: 'idempotency_key_reused' },
  });
  t.equal((await sendOnce('night-1', {}, 'invoices')).status, 409, 'the key is that of one operation');
  t.equal(world.mailer.sent.length, 1);
});

t.test('of equal reports at the same time under one key one is sent, and all get its answer', async (t) => {
  const { world, sendOnce } = await setUp(t);
  const answers = await Promise.all([sendOnce('night-1'), sendOnce('night-1'), sendOnce('night-1')]);
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.equal(new Set(answers.map(({ raw }) => raw)).size, 1);
  t.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 2);
  t.equal(world.mailer.sent.length, 1);
});

t.test(
  'a report that was certainly not sent leaves its key free; one of unknown outcome is never sent again',
  async (t) => {
    const { world, sendOnce } = await setUp(t);
    for (const failure of [
      new MailFailure('rejected', 'refused', { providerCode: '406' }),
      new MailFailure('unreachable', 'away', { retryable: true }),
    ]) {
      world.mailer.failWith = failure;
      t.match((await sendOnce('night-1')).json.error.details, { reason: failure.reason });
    }
    t.equal((await sendOnce('x'.repeat(300))).status, 400);
    t.equal((await sendOnce('night-1', { recipient_email: 'nobody@broker.example' })).status, 400);
    world.mailer.failWith = undefined;
    t.match(await sendOnce('night-1'), { status: 200, json: { data: { report_status: 'sent' } } });

    world.mailer.failWith = new MailFailure('outcome_unknown', 'no answer');
    const unknown = {
      status: 500,
      json: { error: { code: 'email_send_error', details: { reason: 'outcome_unknown' } } },
    };
    t.match(await sendOnce('night-2'), unknown);
    world.mailer.failWith = undefined;
    for (const wait of [0, 120_001, 29 * 86_400_000]) {
      world.clock.advance(wait);
      t.match(await sendOnce('night-2'), unknown);
    }
    t.equal(world.mailer.sent.length, 1);
  },
);

t.test('an answer whose record could not be written at once is repeated once it is', async (t) => {
  const { world, sendOnce } = await setUp(t);
  const { tx } = world.store;
  world.mailer.send = async () => {
    world.store.tx = async () => {
      world.store.tx = tx;
      throw new Error('the database is away');
    };
    return { messageId: '1' };
  };
  const first = await sendOnce('night-1');
  t.equal(first.status, 200);
  await until('the record is written', async () => (await sendOnce('night-1')).status === 200);
  t.equal((await sendOnce('night-1')).raw, first.raw);
});

t.test('in a sandbox a key counts as it does live, and nothing of the report is kept beside it', async (t) => {
  const { world, broker } = await setUp(t);
  const { key } = await world.addKey(broker, ['admin:full'], { mode: 'test' });
  const send = (body: object = {}) =>
    world.call(key, 'POST', '/reports/services', { body, headers: { 'x-idempotency-key': 'night-1' } });
  const first = await send();
  t.match(first, { status: 200, json: { data: { simulated: true } } });
  t.match(await send(), { status: 200, raw: first.raw, headers: { 'idempotent-replayed': 'true' } });
  t.equal((await send({ service_status: 'active' })).status, 409);
  t.equal(world.mailer.sent.length, 0);
});
