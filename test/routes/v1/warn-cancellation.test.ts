import t, { type Test } from 'tap';
import { createPostmarkMailer } from '../../../src/mail/postmark.ts';
import { type Mailer, MailFailure } from '../../../src/ports.ts';
import { openSqlite } from '../../../src/store/drivers/sqlite.ts';
import type { Store, Tx } from '../../../src/store/store.ts';
import { type Behaviour, startPostmarkServer } from '../../support/postmark-server.ts';
import { until } from '../../support/until.ts';
import {
  addRequest,
  emailsOf,
  iso,
  keysOf,
  momentsAreIso,
  NO_SERVICE,
  REQUEST_KEYS,
  refused,
  requestsOf,
} from '../../support/v1.ts';
import { createWorld, type TestClock, type World, type WorldOptions } from '../../support/world.ts';

const REASON = { warningReason: 'The invoice is overdue.' };

async function setup(t: Test, options: WorldOptions = {}, withTemplate = true) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const broker = await world.addBroker({ name: 'Example & Sons', senderEmail: 'hello@broker.example' });
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker, { displayName: 'Business <L>' });
  if (withTemplate) await world.addTemplate(broker);
  const warn = (number: number | string, body: unknown = REASON, headers: Record<string, string> = {}) =>
    world.call(key, 'POST', `/services/${number}/cancellation-warning`, {
      ...(body !== null && { body }),
      headers,
    });
  return { world, broker, key, plan, warn };
}

/** Opens a real database whose transactions meet a fault. */
const faulty =
  (spoil: (tx: Tx, count: number) => Tx): NonNullable<WorldOptions['openStore']> =>
  async (clock: TestClock): Promise<Store> => {
    const file = `${t.testdir()}/${faultyCount++}.db`;
    // The broker's own view of the store (`for`) would not be spoiled.
    const { for: _, ...store }: Store = await openSqlite({ file, monotonic: clock.monotonic });
    let count = 0;
    return { ...store, read: store.read, tx: (work) => store.tx((tx) => work(spoil(tx, count++))) };
  };
let faultyCount = 0;

t.test('A warning is one message to the client, one entry of the log and one approved request', async (t) => {
  const { world, broker, key, plan, warn } = await setup(t);
  const service = await world.addService(broker, plan);
  const answer = await warn(service.number, { warningReason: ' \u00a0\ufeff The invoice is overdue.\n' });

  t.equal(answer.status, 200);
  const { data } = answer.json;
  const now = iso(world.clock.now());
  t.strictSame(answer.json, {
    success: true,
    data: {
      request_id: data.request_id,
      type: 'cancellation-warning',
      request_status: 'approved',
      service_number: service.number,
      warning_reason: 'The invoice is overdue.',
      submitted_date: now,
      processed_date: now,
    },
  });
  t.match(data.request_id, /^req_/);
  t.notOk('idempotent-replayed' in answer.headers);

  const [message, ...others] = world.mailer.sent;
  t.strictSame(others, []);
  t.match(message, {
    from: 'hello@broker.example',
    to: 'ada@example.com',
    subject: `About service ${service.number}`,
    html: '<p>Ada Example: The invoice is overdue.</p>',
    text: 'Ada Example: The invoice is overdue.',
  });
  const log = await emailsOf(world, broker);
  t.match(log, [
    {
      id: message?.id,
      status: 'sent',
      requestId: data.request_id,
      providerMessageId: 'message-1',
      recipient: 'ada@example.com',
    },
  ]);
  t.equal(log.length, 1);

  const request = await world.call(key, 'GET', `/requests/${data.request_id}`);
  const { history, ...record } = request.json.data;
  t.strictSame(keysOf(record), REQUEST_KEYS['cancellation-warning']);
  t.strictSame(record, {
    request_id: data.request_id,
    type: 'cancellation-warning',
    request_status: 'approved',
    operator_review: false,
    service_number: service.number,
    origin: 'broker',
    submitted_date: now,
    updated_date: now,
    processed_date: now,
    decision: null,
    failure: null,
    retry_of: null,
    is_final: true,
    next_check_seconds: null,
    warning_reason: 'The invoice is overdue.',
  });
  t.strictSame(
    history.map((entry: object) => ({ ...entry, note: null })),
    [{ request_status: 'approved', date: now, actor: 'broker', note: null }],
  );
  momentsAreIso(t, request.json);

  const after = await world.call(key, 'GET', `/services/${service.number}`);
  t.match(
    after.json.data,
    { service_status: 'active', cancellation: null, open_request: null },
    'the service is as it was',
  );
});

t.test('The conditions are asked in the order of the seed', async (t) => {
  const { world, broker, plan, warn } = await setup(t, {}, false);
  const other = await world.addBroker();
  const foreign = await world.addService(other, await world.addPlan(other), { status: 'cancelled', clientEmail: null });
  const gone = await world.addService(broker, plan, { status: 'cancelled', clientEmail: null });
  const ended = await world.addService(broker, plan, { status: 'terminated', clientEmail: null });
  const silent = await world.addService(broker, plan, { clientEmail: null });
  const plain = await world.addService(broker, plan);

  refused(t, await warn(foreign.number), NO_SERVICE, 'a service of another broker, before its state');
  refused(t, await warn(1), NO_SERVICE, 'no service');
  refused(t, await warn(gone.number), { status: 400, code: 'invalid_state', reason: 'service_cancelled' });
  refused(t, await warn(ended.number), { status: 400, code: 'invalid_state', reason: 'service_terminated' });
  refused(t, await warn(silent.number), { status: 400, code: 'missing_customer_email' });
  refused(t, await warn(plain.number), { status: 400, code: 'template_not_found' });
  await world.addTemplate(broker, 'cancellation-warning', false);
  await world.addTemplate(broker, 'cancellation-completed', true);
  await world.addTemplate(other);
  refused(t, await warn(plain.number), { status: 400, code: 'template_not_found' }, 'an inactive template is none');
  await world.addTemplate(broker);
  refused(t, await warn(silent.number), { status: 400, code: 'missing_customer_email' }, 'no address still');
  t.equal((await warn(plain.number)).status, 200);

  t.equal(world.mailer.sent.length, 1);
  t.equal((await emailsOf(world, broker)).length, 1);
  t.equal((await requestsOf(world, broker)).length, 1);
});

t.test('Pending, suspended and cancellation-scheduled services can be warned', async (t) => {
  const { world, broker, key, plan, warn } = await setup(t);
  for (const status of ['pending', 'suspended'] as const) {
    const { number } = await world.addService(broker, plan, { status });
    t.equal((await warn(number)).status, 200, status);
  }
  const { number } = await world.addService(broker, plan, { renewalAt: world.clock.now() + 86_400_000 });
  t.equal((await world.call(key, 'POST', `/services/${number}/cancel`)).status, 200);
  t.equal((await warn(number)).status, 200, 'cancellation scheduled');
});

t.test('An address that is not exactly one mailbox is none', async (t) => {
  const { world, broker, plan, warn } = await setup(t);
  for (const clientEmail of [
    'Ada <ada@example.com>',
    'ada@example.com, eve@example.net',
    'ada@example.com;eve@example.net',
    'ada@example.com\r\nBcc: eve@example.net',
    'ada@example.com\n',
    'ada @example.com',
    '@example.com',
    'ada@',
    '',
    ' ',
  ]) {
    const { number } = await world.addService(broker, plan, { clientEmail });
    refused(t, await warn(number), { status: 400, code: 'missing_customer_email' }, JSON.stringify(clientEmail));
  }
  t.equal(world.mailer.sent.length, 0);
});

t.test('Values are escaped in the HTML part and plain in subject and text', async (t) => {
  const { world, broker, plan, warn } = await setup(t);
  const all =
    '{{ client_name }}|{{ client_email }}|{{ service_number }}|{{ service_label }}|{{ plan_name }}|{{ warning_reason }}|{{ broker_name }}|{{ renewal_date }}';
  await world.store.tx((tx) =>
    tx.templates.upsert({
      brokerId: broker.id,
      kind: 'cancellation-warning',
      subject: '{{ client_name }}: {{ warning_reason }}',
      html: all,
      text: all,
      active: true,
      updatedAt: 0,
    }),
  );
  const service = await world.addService(broker, plan, {
    clientName: '<b>"Ada" & Co\'s</b>',
    label: null,
    renewalAt: Date.UTC(2030, 1, 1),
  });
  t.equal((await warn(service.number, { warningReason: 'a < b\r\nBcc: eve@example.net' })).status, 200);
  const [message] = world.mailer.sent;
  t.equal(
    message?.text,
    `<b>"Ada" & Co's</b>|ada@example.com|${service.number}||Business <L>|a < b\r\nBcc: eve@example.net|Example & Sons|2030-02-01`,
  );
  t.equal(
    message?.html?.replaceAll('&#39;', "'").replaceAll('&#34;', '"').replaceAll('&quot;', '"'),
    `&lt;b&gt;"Ada" &amp; Co's&lt;/b&gt;|ada@example.com|${service.number}||Business &lt;L&gt;|a &lt; b\r\nBcc: eve@example.net|Example &amp; Sons|2030-02-01`,
  );
  t.match(message?.subject, /^<b>"Ada" & Co's<\/b>: a < b/);
  t.notMatch(message?.subject, /[\r\n]/, 'a subject is one line whatever the reason holds');
});

const storeTemplate = (world: World, brokerId: string, html: string) =>
  world.store.tx((tx) =>
    tx.templates.upsert({
      brokerId,
      kind: 'cancellation-warning',
      subject: 's',
      html,
      text: 't',
      active: true,
      updatedAt: 0,
    }),
  );

t.test('A template that fails to render is a server error and nothing is sent', async (t) => {
  const { world, broker, plan, warn } = await setup(t);
  const { number } = await world.addService(broker, plan);
  await storeTemplate(world, broker.id, '{{ warning_reason }}'.repeat(4_000));
  const answer = await warn(number, { warningReason: 'a'.repeat(1_000) });
  refused(t, answer, { status: 500, code: 'server_error', message: 'Internal server error' });
  t.notOk(answer.json.error.details);
  t.notMatch(answer.raw, /limit|alloc|liquid/);
  t.strictSame([world.mailer.sent, await emailsOf(world, broker), await requestsOf(world, broker)], [[], [], []]);
});

t.test('The entry of the log is committed before the provider is called and completed after it', async (t) => {
  let world: World | undefined;
  const seen: unknown[] = [];
  const mailer: Mailer = {
    maxMessageBytes: 10_000_000,
    async send(message) {
      const rows = await (world as World).store.read.emails.list({ now: 0, limit: 10 });
      seen.push(
        rows.map(({ id, status, recipient, completedAt }) => ({
          same: id === message.id,
          status,
          recipient,
          completedAt,
        })),
      );
      return { messageId: 'provider-1' };
    },
  };
  const made = await setup(t, { mailer });
  world = made.world;
  const { number } = await world.addService(made.broker, made.plan);
  t.equal((await made.warn(number)).status, 200);
  t.strictSame(seen, [[{ same: true, status: 'open', recipient: 'ada@example.com', completedAt: null }]]);
  const [entry] = await emailsOf(world, made.broker);
  t.match(entry, {
    kind: 'cancellation-warning',
    serviceNumber: number,
    status: 'sent',
    providerMessageId: 'provider-1',
    completedAt: world.clock.now(),
  });
});

t.test('The idempotency header is ignored: a repeated call sends another email', async (t) => {
  const { world, broker, plan, warn } = await setup(t);
  const { number } = await world.addService(broker, plan);
  const ids = new Set<string>();
  for (const value of ['same', 'same', '', 'x'.repeat(300), 'ü']) {
    const answer = await warn(number, REASON, { 'x-idempotency-key': value });
    t.equal(answer.status, 200);
    t.notOk('idempotent-replayed' in answer.headers);
    ids.add(answer.json.data.request_id);
  }
  t.equal(ids.size, 5);
  t.equal(world.mailer.sent.length, 5);
});

const LIMIT = { status: 429, code: 'rate_limit_exceeded', message: 'Rate limit exceeded', reason: 'warning_limit' };
const limitOf = (limit: number, retry: number) => ({
  ...LIMIT,
  details: { limit, window_seconds: 86_400, retry_after_seconds: retry },
});

t.test('One service gets at most so many warnings in any 24 hours, those of unknown outcome included', async (t) => {
  const { world, broker, plan, warn } = await setup(t, { warningsPerService: 3 });
  const { number } = await world.addService(broker, plan);
  const failing = async (failure: MailFailure) => {
    world.mailer.failWith = failure;
    t.equal((await warn(number)).json.error.code, 'email_send_error');
    world.mailer.failWith = undefined;
  };
  for (let count = 0; count < 3; count += 1) await failing(new MailFailure('rejected', 'no'));
  t.equal((await warn(number)).status, 200, 'what was certainly not sent does not count');
  world.clock.advance(3_600_000);
  await failing(new MailFailure('outcome_unknown', 'who knows'));
  t.equal((await warn(number)).status, 200);
  world.clock.advance(1_500);

  const before = await emailsOf(world, broker);
  const answer = await warn(number);
  refused(t, answer, limitOf(3, 82_799));
  t.equal(answer.headers['retry-after'], '82799', 'when the oldest one leaves the window');
  t.equal(answer.headers['x-ratelimit-limit'], '1000000', "the fields of the key's own limit stay");
  t.equal(answer.headers['ratelimit-policy'], '"default";q=1000000;w=60');
  t.strictSame(await emailsOf(world, broker), before, 'and leaves no entry');

  t.equal((await warn((await world.addService(broker, plan)).number)).status, 200, 'another service has its own');
  const silent = await world.addService(broker, plan, { clientEmail: null });
  refused(t, await warn(silent.number), { status: 400, code: 'missing_customer_email' });

  world.clock.advance(82_798_499);
  refused(t, await warn(number), limitOf(3, 1), 'a millisecond before');
  world.clock.advance(1);
  t.equal((await warn(number)).status, 200, 'after 24 hours');
  refused(t, await warn(number), limitOf(3, 3_600), 'and the next one after an hour');
});

t.test('Without an active template the warning limit is not reached', async (t) => {
  const { world, broker, plan, warn } = await setup(t, { warningsPerService: 1 });
  const { number } = await world.addService(broker, plan);
  t.equal((await warn(number)).status, 200);
  await world.addTemplate(broker, 'cancellation-warning', false);
  refused(t, await warn(number), { status: 400, code: 'template_not_found' });
});

t.test('Parallel warnings cannot exceed the limit', async (t) => {
  const { world, broker, plan, warn } = await setup(t, { warningsPerService: 5 });
  const { number } = await world.addService(broker, plan);
  const answers = await Promise.all(Array.from({ length: 12 }, () => warn(number)));
  t.equal(answers.filter(({ status }) => status === 200).length, 5);
  for (const answer of answers.filter(({ status }) => status !== 200)) refused(t, answer, limitOf(5, 86_400));
  t.equal(world.mailer.sent.length, 5);
});

t.test('A limit of 0 is none', async (t) => {
  const { world, broker, plan, warn } = await setup(t, { warningsPerService: 0 });
  const { number } = await world.addService(broker, plan);
  for (let count = 0; count < 25; count += 1) t.equal((await warn(number)).status, 200);
});

t.test('The limit holds when the clock has been ahead: no wait is longer than the window', async (t) => {
  const { world, broker, plan, warn } = await setup(t, { warningsPerService: 1 });
  const { number } = await world.addService(broker, plan);
  t.equal((await warn(number)).status, 200);
  world.clock.advance(-600_000);
  refused(t, await warn(number), limitOf(1, 86_400));
});

t.test('The sandbox has no limit of warnings', async (t) => {
  const { world, broker } = await setup(t, { warningsPerService: 1 });
  const { key } = await world.addKey(broker, ['admin:full'], { mode: 'test' });
  for (let count = 0; count < 3; count += 1) {
    const answer = await world.call(key, 'POST', '/services/900001/cancellation-warning', { body: REASON });
    t.equal(answer.status, 200);
  }
});

t.test('A warning leaves open requests alone', async (t) => {
  const { world, broker, plan, warn, key } = await setup(t);
  const service = await world.addService(broker, plan);
  const open = await addRequest(world, service, { type: 'cancellation' });
  t.equal((await warn(service.number)).status, 200);
  t.equal((await world.call(key, 'GET', `/requests/${open.id}`)).json.data.request_status, 'pending');
});

t.test('A history that cannot be saved leaves a sent warning a success without an id', async (t) => {
  const broken = () => Promise.reject(new Error('the disk is full'));
  const cases: Record<string, { spoil: (tx: Tx, count: number) => Tx; logged: string }> = {
    'the request': { spoil: (tx) => ({ ...tx, requests: { ...tx.requests, insert: broken } }), logged: 'sent' },
    'its history': { spoil: (tx) => ({ ...tx, requests: { ...tx.requests, addHistory: broken } }), logged: 'sent' },
    'the log': { spoil: (tx) => ({ ...tx, emails: { ...tx.emails, complete: broken } }), logged: 'open' },
  };
  for (const [name, { spoil, logged }] of Object.entries(cases)) {
    const { world, broker, plan, warn } = await setup(t, { openStore: faulty(spoil) });
    const { number } = await world.addService(broker, plan);
    const answer = await warn(number);
    t.equal(answer.status, 200, name);
    t.match(answer.json.data, { type: 'cancellation-warning', request_status: 'approved', service_number: number });
    t.equal(world.mailer.sent.length, 1);
    const [entry] = await emailsOf(world, broker);
    if (logged === 'sent') {
      t.equal(answer.json.data.request_id, null, 'the answer has no id');
      t.match(entry, { status: 'sent', providerMessageId: 'message-1', requestId: null }, 'the log is completed still');
      t.strictSame(await requestsOf(world, broker), [], 'and no half of a history stands');
    } else {
      t.equal(entry?.status, 'open');
      world.clock.advance(600_000);
      t.equal((await emailsOf(world, broker))[0]?.status, 'unknown', 'an entry left open shows as unknown');
    }
    t.ok(world.logged.length > 0, 'the operator finds it in the log');
    t.notMatch(JSON.stringify(world.logged), /ada@example|overdue/);
    t.equal(world.mailer.sent.length, 1, 'and it is never sent again by itself');
  }
});

t.test('A log that cannot be completed at first is completed later, while the call has its answer', async (t) => {
  let failures = 0;
  const { world, broker, plan, warn } = await setup(t, {
    openStore: faulty((tx) => {
      const complete: Tx['emails']['complete'] = async (...args) => {
        failures += 1;
        if (failures <= 3) throw new Error('the disk is full');
        return tx.emails.complete(...args);
      };
      return { ...tx, emails: { ...tx.emails, complete } };
    }),
  });
  const { number } = await world.addService(broker, plan);
  const { status, json } = await warn(number);
  t.match({ status, id: json.data.request_id }, { status: 200, id: null });
  t.match(await emailsOf(world, broker), [{ status: 'open' }]);
  await until('the log is completed', async () => (await emailsOf(world, broker))[0]?.status === 'sent');
  t.match(await emailsOf(world, broker), [{ providerMessageId: 'message-1', requestId: null }]);
  t.strictSame(await requestsOf(world, broker), []);
});

t.test('A log that cannot be written before the call sends nothing', async (t) => {
  const insert = () => Promise.reject(new Error('the disk is full'));
  const { world, broker, plan, warn } = await setup(t, {
    openStore: faulty((tx) => ({ ...tx, emails: { ...tx.emails, insert } })),
  });
  const { number } = await world.addService(broker, plan);
  refused(t, await warn(number), { status: 500, code: 'server_error' });
  t.strictSame(world.mailer.sent, []);
});

t.test('A failed send stays a failed send when its outcome cannot be logged', async (t) => {
  const complete = () => Promise.reject(new Error('the disk is full'));
  const { world, broker, plan, warn } = await setup(t, {
    openStore: faulty((tx) => ({ ...tx, emails: { ...tx.emails, complete } })),
  });
  world.mailer.failWith = new MailFailure('rejected', 'refused', { providerCode: '406' });
  const { number } = await world.addService(broker, plan);
  refused(t, await warn(number), {
    status: 500,
    code: 'email_send_error',
    reason: 'rejected',
    details: { provider_code: '406', retryable: false },
  });
});

t.test('A mailer that breaks in an unforeseen way leaves the outcome unknown', async (t) => {
  const { world, broker, plan, warn } = await setup(t);
  world.mailer.failWith = new TypeError('internals');
  const { number } = await world.addService(broker, plan);
  const answer = await warn(number);
  t.equal(answer.status, 500);
  t.notMatch(answer.raw, /internals/);
  t.not((await emailsOf(world, broker))[0]?.status, 'sent');
  t.strictSame(await requestsOf(world, broker), []);
});

t.test('Whatever the provider does wrong is an email error after exactly one attempt', async (t) => {
  const server = await startPostmarkServer();
  const apiUrl = server.url;
  const TOKEN = 'test-server-token';
  const { world, broker, plan, warn, key } = await setup(t, {
    mailer: createPostmarkMailer({ serverToken: TOKEN, apiUrl, timeoutMs: 1000 }),
  });
  const { number } = await world.addService(broker, plan);
  const unknown = { reason: 'outcome_unknown', code: null, retryable: false };
  const rejected = (code: string | null, retryable = false) => ({ reason: 'rejected', code, retryable });
  const cases: [Behaviour, { reason: string; code: string | null; retryable: boolean }][] = [
    [{ status: 422, errorCode: 300 }, rejected('300')],
    [{ status: 422, errorCode: 406 }, rejected('406')],
    [{ status: 401, errorCode: 10 }, rejected('10')],
    [{ status: 429, errorCode: null }, rejected(null, true)],
    [{ status: 503, errorCode: 100 }, rejected('100', true)],
    [{ status: 500, errorCode: null }, unknown],
    ['error-in-200', rejected('406')],
    ['redirect', rejected(null)],
    ['html', unknown],
    ['empty', unknown],
    ['no-id', unknown],
    ['stall', unknown],
    ['stall-body', unknown],
    ['cut', unknown],
    ['reset', unknown],
  ];
  const fails = async (name: string, expected: { reason: string; code: string | null; retryable: boolean }) => {
    const answer = await warn(number);
    refused(
      t,
      answer,
      {
        status: 500,
        code: 'email_send_error',
        reason: expected.reason,
        details: { provider_code: expected.code, retryable: expected.retryable },
      },
      name,
    );
    t.notMatch(answer.raw + JSON.stringify(world.logged), new RegExp(`${TOKEN}|ada@example`), 'no secrets leak');
    const [entry] = await emailsOf(world, broker);
    t.match(entry, {
      status: expected.reason === 'outcome_unknown' ? 'unknown' : 'failed',
      failureReason: expected.reason,
      providerCode: expected.code,
      requestId: null,
      completedAt: world.clock.now(),
    });
    world.clock.advance(1);
  };
  for (const [behaviour, expected] of cases) {
    server.next(behaviour);
    const before = server.attempts;
    await fails(JSON.stringify(behaviour), expected);
    t.equal(server.attempts, before + 1, 'one attempt');
  }
  t.strictSame(await requestsOf(world, broker), [], 'no warning is recorded');

  server.next('stall');
  const arrived = server.arrived(server.attempts + 1);
  const stalled = warn(number);
  await arrived;
  t.equal((await world.call(key, 'GET', '/auth-check')).status, 200, 'another request is served while one stalls');
  t.equal((await stalled).status, 500);

  t.equal((await warn(number)).status, 200, 'and the next one succeeds');
  t.match(server.received.at(-1)?.message, { To: 'ada@example.com', From: 'hello@broker.example' });
  t.ok(server.received.at(-1)?.message.HtmlBody);

  world.clock.advance(1);
  await server.close();
  await fails('a provider that is away', { reason: 'unreachable', code: null, retryable: true });
});

t.test('A provider that takes its time keeps neither readers nor writers waiting', async (t) => {
  let release = () => {};
  let begun = () => {};
  const calling = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const mailer: Mailer = {
    maxMessageBytes: 10_000_000,
    send: () =>
      new Promise((resolve) => {
        release = () => resolve({ messageId: 'late' });
        begun();
      }),
  };
  const { world, broker, plan, warn, key } = await setup(t, { mailer });
  const service = await world.addService(broker, plan);
  const warning = warn(service.number);
  await calling;
  t.equal((await world.call(key, 'GET', '/auth-check')).status, 200);
  t.equal((await world.call(key, 'GET', '/services')).status, 200);
  t.equal(
    (await world.call(key, 'POST', `/services/${service.number}/cancel`)).status,
    200,
    'even to the same service',
  );
  world.clock.advance(3_000);
  release();
  const { json } = await warning;
  t.equal(json.data.processed_date, iso(world.clock.now()), 'processed when the provider had answered');
  t.equal(json.data.submitted_date, iso(world.clock.now() - 3_000));
  const { history, ...record } = (await world.call(key, 'GET', `/requests/${json.data.request_id}`)).json.data;
  t.match(record, { submitted_date: json.data.submitted_date, processed_date: json.data.processed_date });
  t.equal(
    history[0].date,
    json.data.processed_date,
    'it was approved when the email was out, not when it was asked for',
  );
});
