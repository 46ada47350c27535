import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import { createPostmarkMailer } from '../../src/mail/postmark.ts';
import { type Mailer, MailFailure, type MailMessage } from '../../src/ports.ts';
import { type Behaviour, startPostmarkServer } from '../support/postmark-server.ts';

const TOKEN = 'token-of-the-test';

const MESSAGE: MailMessage = {
  id: 'eml_1',
  from: 'broker@example.com',
  fromName: 'Zoë "Acme", Ltd',
  to: 'ada@example.net',
  subject: 'About your service',
  html: '<p>Grüße</p>',
  text: 'Grüße',
};

async function setUp(t: Test, timeoutMs = 5_000) {
  const server = await startPostmarkServer();
  t.teardown(() => server.close());
  return { server, mailer: createPostmarkMailer({ serverToken: TOKEN, apiUrl: server.url, timeoutMs }) };
}

async function failureOf(mailer: Mailer, message = MESSAGE): Promise<MailFailure> {
  const error = await mailer.send(message).then(
    () => new Error('the message was taken as accepted'),
    (error: unknown) => error,
  );
  if (error instanceof MailFailure) return error;
  throw error;
}

t.test('an accepted message carries all of its parts, and the receipt is the id of the provider', async (t) => {
  const { server, mailer } = await setUp(t);
  const attachments = [{ name: 'report.csv', contentType: 'text/csv', content: Buffer.from('a,b\r\nä,2\r\n') }];

  t.same(await mailer.send({ ...MESSAGE, attachments }), { messageId: 'pm-000001' });

  const [call] = server.received;
  t.equal(call?.path, '/email');
  t.equal(call?.headers['x-postmark-server-token'], TOKEN);
  t.equal(call?.headers.connection, 'close', 'no connection stays open that could hold up the end of the process');
  t.same(call?.message, {
    From: '"Zoë \\"Acme\\", Ltd" <broker@example.com>',
    To: 'ada@example.net',
    Subject: 'About your service',
    HtmlBody: '<p>Grüße</p>',
    TextBody: 'Grüße',
    Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
    Metadata: { id: 'eml_1' },
    Attachments: [
      {
        Name: 'report.csv',
        ContentType: 'text/csv',
        Content: Buffer.from('a,b\r\nä,2\r\n').toString('base64'),
        ContentID: null,
      },
    ],
  });
});

t.test('a message without HTML or attachments is sent without those fields', async (t) => {
  const { server, mailer } = await setUp(t);
  const { html: _, ...plain } = MESSAGE;
  await mailer.send(plain);
  t.notMatch(Object.keys(server.received[0]?.message ?? {}), /HtmlBody|Attachments/);
});

t.test('neither a subject nor a name can begin another header', async (t) => {
  const { server, mailer } = await setUp(t);
  await mailer.send({
    ...MESSAGE,
    subject: ' About\r\nBcc: eve@example.com\u0000\u2028 you\t',
    fromName: 'A\r\nBcc: b',
  });
  t.match(server.received[0]?.message, {
    Subject: 'About Bcc: eve@example.com  you',
    From: '"A Bcc: b" <broker@example.com>',
  });
});

t.test('a sender or recipient that is not exactly one mailbox is refused before any call', async (t) => {
  const { server, mailer } = await setUp(t);
  for (const wrong of [{ to: 'ada@example.net,eve@example.net' }, { from: 'Broker <broker@example.com>' }]) {
    const failure = await failureOf(mailer, { ...MESSAGE, ...wrong });
    t.match(failure, { reason: 'rejected', retryable: false, providerCode: null });
    t.notMatch(failure.message, /example/);
  }
  t.equal(server.attempts, 0);
});

t.test('every answer short of a full acceptance is a failure of the right kind, after one attempt', async (t) => {
  const cases: [Behaviour, Partial<MailFailure>][] = [
    [
      { status: 422, errorCode: 300 },
      { reason: 'rejected', providerCode: '300', retryable: false },
    ],
    [
      { status: 401, errorCode: 10 },
      { reason: 'rejected', providerCode: '10', retryable: false },
    ],
    [
      { status: 429, errorCode: 429 },
      { reason: 'rejected', providerCode: '429', retryable: true },
    ],
    [
      { status: 429, errorCode: null },
      { reason: 'rejected', providerCode: null, retryable: true },
    ],
    [
      { status: 413, errorCode: null },
      { reason: 'rejected', providerCode: null, retryable: false },
    ],
    [
      { status: 421, errorCode: null },
      { reason: 'rejected', providerCode: null, retryable: false },
    ],
    ['error-in-200', { reason: 'rejected', providerCode: '406', retryable: false }],
    ['redirect', { reason: 'rejected', providerCode: null, retryable: false }],
    [
      { status: 304, errorCode: null },
      { reason: 'rejected', providerCode: null, retryable: false },
    ],
    [
      { status: 503, errorCode: 100 },
      { reason: 'rejected', providerCode: '100', retryable: true },
    ],
    [
      { status: 500, errorCode: 12 },
      { reason: 'outcome_unknown', providerCode: '12', retryable: false },
    ],
    [
      { status: 502, errorCode: null },
      { reason: 'outcome_unknown', providerCode: null, retryable: false },
    ],
    [
      { status: 204, errorCode: null },
      { reason: 'outcome_unknown', providerCode: null, retryable: false },
    ],
    ['html', { reason: 'outcome_unknown', providerCode: null, retryable: false }],
    ['empty', { reason: 'outcome_unknown', providerCode: null, retryable: false }],
    ['no-id', { reason: 'outcome_unknown', providerCode: null, retryable: false }],
    ['cut', { reason: 'outcome_unknown', providerCode: null, retryable: false }],
    ['reset', { reason: 'outcome_unknown', providerCode: null, retryable: false }],
  ];
  for (const [behaviour, expected] of cases) {
    const { server, mailer } = await setUp(t);
    server.next(behaviour);
    const failure = await failureOf(mailer);
    const { reason, providerCode, retryable } = failure;
    t.same({ reason, providerCode, retryable }, expected, JSON.stringify(behaviour));
    t.equal(server.attempts, 1, 'one attempt');
    t.notMatch(`${failure.stack} ${(failure.cause as Error | undefined)?.stack}`, TOKEN, 'without the token');
  }
});

t.test('a provider that stalls before or inside its answer is given up, and delays no other', async (t) => {
  const { server, mailer } = await setUp(t, 150);
  server.next('stall', 'stall-body');
  const stalled = [failureOf(mailer), failureOf(mailer)];
  await server.arrived(2);
  t.same(await mailer.send({ ...MESSAGE, id: 'eml_2' }), { messageId: 'pm-000003' });
  for (const failure of await Promise.all(stalled)) {
    t.match(failure, { reason: 'outcome_unknown', providerCode: null, retryable: false });
  }
  t.equal(server.attempts, 3);
});

t.test('a provider that takes the connection and then stalls its handshake is given up the same way', async (t) => {
  const silent = createServer((socket) => t.teardown(() => socket.destroy())).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const apiUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const failure = await failureOf(createPostmarkMailer({ serverToken: TOKEN, apiUrl, timeoutMs: 150 }));
  t.match(failure, { reason: 'outcome_unknown', retryable: false });
});

t.test('where no connection came about nothing was sent, and the send may be repeated', async (t) => {
  const closed = await startPostmarkServer();
  await closed.close();
  // It takes connections and speaks no TLS.
  const plain = createServer((socket) => socket.on('error', () => {}).end('no TLS here')).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  t.teardown(() => plain.close());

  for (const apiUrl of [
    closed.url,
    `https://127.0.0.1:${(plain.address() as AddressInfo).port}`,
    'http://no-such-host.invalid',
  ]) {
    const failure = await failureOf(createPostmarkMailer({ serverToken: TOKEN, apiUrl, timeoutMs: 10_000 }));
    t.match(failure, { reason: 'unreachable', providerCode: null, retryable: true }, apiUrl);
    t.ok(failure.cause, 'the operator can see why');
  }
});

t.test('the mailer talks to Postmark itself by default', async (t) => {
  // Only made, not used: nothing may leave the machine.
  t.ok(createPostmarkMailer({ serverToken: TOKEN, timeoutMs: 1_000 }));
});
