import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import t, { type Test } from 'tap';
import { createSmtpMailer, type SmtpOptions } from '../../src/mail/smtp.ts';
import { type Mailer, MailFailure, type MailMessage } from '../../src/ports.ts';
import { freePort } from '../support/redis.ts';
import { type Script, startScriptedSmtp } from '../support/smtp-script.ts';
import { makeCertificate } from '../support/tls.ts';
import { createTestClock } from '../support/world.ts';

const AUTH = { user: 'broker@example.com', password: 'pass:word@ü' };

const MESSAGE: MailMessage = {
  id: 'eml_1',
  from: 'broker@example.com',
  fromName: 'Zoë "Acme", Ltd',
  to: 'ada@example.net',
  subject: 'About your service',
  html: '<p>Grüße</p>',
  text: 'Grüße\n.\nEnde',
};

const LARGE = {
  ...MESSAGE,
  attachments: [{ name: 'a.bin', contentType: 'application/octet-stream', content: Buffer.alloc(7_000_000, 'x') }],
};

/** Long enough that every stage before is reached, however busy the machine is. */
const PATIENCE_MS = 3_000;

const mailerOf = (options: Partial<SmtpOptions>): Mailer =>
  createSmtpMailer({
    host: '127.0.0.1',
    port: 0,
    secure: false,
    requireTls: false,
    timeoutMs: 20_000,
    clock: createTestClock(),
    ...options,
  });

async function failureOf(mailer: Mailer, message = MESSAGE): Promise<MailFailure> {
  const error = await mailer.send(message).then(
    () => new Error('the message was taken as accepted'),
    (error: unknown) => error,
  );
  if (error instanceof MailFailure) return error;
  throw error;
}

const outcomeOf = ({ reason, providerCode, retryable }: MailFailure) => [reason, providerCode, retryable];

/** That nothing which a log could show names a person or a secret, however chatty the server was. */
const keepsSilent = (t: Test, failure: MailFailure, title: string) => {
  const { stack, message } = (failure.cause ?? {}) as Error;
  t.notMatch(`${failure.stack} ${stack} ${message}`, /ada@|broker@|pass:word/, `${title}: nothing personal`);
};

/** A whole server, which keeps what it accepted. */
async function startServer(t: Test, options: SMTPServerOptions = {}) {
  const received: Array<{ from: unknown; to: string[]; user: unknown; secure: boolean; mail: string }> = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    async onData(stream, { envelope, user, secure }, done) {
      const mail = await text(stream);
      const { address: from } = envelope.mailFrom || { address: null };
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), user, secure, mail });
      done(null, 'queued as 1');
    },
    onAuth({ username, password }, _session, done) {
      if (username === AUTH.user && password === AUTH.password) done(null, { user: 'the broker' });
      else done(Object.assign(new Error(`no such user ${username}`), { responseCode: 535 }));
    },
    ...options,
  });
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)));
  return { server, received, port: (server.server.address() as AddressInfo).port };
}

t.test('an accepted message arrives whole, for one recipient, and the receipt is its Message-ID', async (t) => {
  const { received, port } = await startServer(t, { disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  const attachments = [{ name: 'report.csv', contentType: 'text/csv', content: Buffer.from('a,b\r\nä,2\r\n') }];
  const subject = ' About\r\nBcc: eve@example.com\u0000 you';
  t.same(await mailerOf({ port, auth: AUTH }).send({ ...MESSAGE, subject, attachments }), {
    messageId: '<eml_1@example.com>',
  });
  t.equal(received.length, 1);
  const [{ mail = '', ...envelope } = {}] = received;
  t.same(envelope, { from: 'broker@example.com', to: ['ada@example.net'], user: 'the broker', secure: false });
  t.match(
    mail,
    /^From: =\?UTF-8\?Q\?\S+\?= <broker@example.com>\r\nTo: ada@example.net\r\nSubject: About Bcc: eve@example.com {1,2}you\r\n/m,
  );
  t.notMatch(mail, /^Bcc:/m);
  t.match(mail, /^Auto-Submitted: auto-generated\r\n/m);
  t.match(mail, /^Message-ID: <eml_1@example.com>\r\n/m);
  t.match(mail, /^Date: Tue, 15 Jan 2030 12:00:00 \+0000\r\n/m);
  t.match(mail, 'Gr=C3=BC=C3=9Fe\r\n.\r\nEnde');
  t.match(mail, '<p>Gr=C3=BC=C3=9Fe</p>');
  t.match(mail, Buffer.from('a,b\r\nä,2\r\n').toString('base64'));
  t.equal(mail, Buffer.from(mail).toString('ascii'), 'pure ASCII');
});

t.test('the machine is named by a host name that others can look up', async (t) => {
  const server = await startScriptedSmtp(t);
  await mailerOf({ port: server.port }).send(MESSAGE);
  const own = hostname();
  t.equal(server.commands[0], `EHLO ${own.includes('.') ? own : 'example.com'}`);
});

t.test('a message as large as the port allows is sent, and one that the server finds too large is not', async (t) => {
  const { received, port } = await startServer(t, { disabledCommands: ['STARTTLS', 'AUTH'] });
  const mailer = mailerOf({ port });
  const content = Buffer.alloc(Math.floor((mailer.maxMessageBytes - 50_000) / 78) * 57, 'x');
  const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', content }];
  await mailer.send({ ...MESSAGE, attachments });
  t.ok((received[0]?.mail.length ?? 0) > 9_900_000);

  const small = await startServer(t, { disabledCommands: ['STARTTLS', 'AUTH'], size: 10_000 });
  const failure = await failureOf(mailerOf({ port: small.port }), { ...MESSAGE, attachments });
  t.same(outcomeOf(failure), ['rejected', null, false]);
  t.equal(small.received.length, 0);
});

t.test('a sender or recipient that is not exactly one mailbox is refused before any connection', async (t) => {
  const { port, ...server } = await startScriptedSmtp(t);
  for (const wrong of [
    { to: 'ada@example.net,eve@example.net' },
    { to: 'ada@example.net>\r\nRCPT TO:<eve@example.net' },
  ]) {
    t.same(outcomeOf(await failureOf(mailerOf({ port }), { ...MESSAGE, ...wrong })), ['rejected', null, false]);
  }
  t.equal(server.connections, 0);
});

t.test('over TLS, from the first byte or by STARTTLS, with a certificate that is right', async (t) => {
  const { certFile, keyFile } = makeCertificate(t.testdir({}));
  const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
  for (const secure of [true, false]) {
    const { received, port } = await startServer(t, { secure, cert, key });
    const options = { port, secure, requireTls: true, auth: AUTH };
    t.ok(await mailerOf({ ...options, ca: String(cert) }).send(MESSAGE));
    t.match(received, [{ secure: true, user: 'the broker' }]);

    const failure = await failureOf(mailerOf(options));
    t.same(outcomeOf(failure), ['unreachable', null, true], 'a certificate without a known authority');
    t.ok(failure.cause, 'the operator can see why');
    keepsSilent(t, failure, 'certificate');
    t.equal(received.length, 1);

    t.ok(
      await mailerOf({ ...options, requireTls: false }).send(MESSAGE),
      'where plain text would do it is used all the same',
    );
    t.match(received[1], { secure: true });
  }
});

t.test('where TLS is demanded nothing is said to a server without it', async (t) => {
  for (const script of [{}, { starttls: '220 go', ehlo: '250-test\r\n250-STARTTLS\r\n250 AUTH PLAIN' }] as Script[]) {
    const server = await startScriptedSmtp(t, script);
    const failure = await failureOf(
      mailerOf({ port: server.port, requireTls: true, auth: AUTH, timeoutMs: PATIENCE_MS }),
    );
    t.same(outcomeOf(failure), ['unreachable', null, true]);
    t.notMatch(server.commands.join('\n'), /AUTH|MAIL|RCPT|DATA/);
  }
  const plain = await startScriptedSmtp(t);
  const failure = await failureOf(
    mailerOf({ port: plain.port, secure: true, requireTls: true, timeoutMs: PATIENCE_MS }),
  );
  t.same(outcomeOf(failure), ['unreachable', null, true], 'and no TLS at all');
});

const STAGES = ['greeting', 'ehlo', 'auth', 'mail', 'rcpt', 'data', 'message'] as const;

t.test('a refusal at any stage is a refusal, told by its code, after one attempt', async (t) => {
  for (const stage of STAGES) {
    for (const [reply, code, retryable] of [
      ['550 5.1.1 <ada@example.net> is unknown', '550 5.1.1', false],
      ['554-first broker@example.com\r\n554 last', '554', false],
      ['451 4.3.0 <ada@example.net> later', '451 4.3.0', true],
      ['421 ada@example.net closing', '421', true],
    ] as const) {
      // A server that does not know EHLO is greeted with HELO, and may refuse that as well.
      const server = await startScriptedSmtp(t, { [stage]: reply });
      const failure = await failureOf(mailerOf({ port: server.port, auth: AUTH }));
      const title = `${stage}: ${reply}`;
      t.same(outcomeOf(failure), ['rejected', code, retryable], title);
      keepsSilent(t, failure, title);
      t.equal(server.connections, 1, 'one attempt');
    }
  }
});

/** How a server can end a connection behind its reply. */
const HANG_UPS: Array<[name: string, hangUp: (socket: Socket, reply: string) => void]> = [
  ['closed', (socket, reply) => socket.end(`${reply}\r\n`)],
  ['reset', (socket, reply) => void socket.write(`${reply}\r\n`, () => socket.resetAndDestroy())],
  ['closed with its line unfinished', (socket, reply) => socket.end(reply)],
];

t.test('a refusal is told by its code however the server ends the connection', async (t) => {
  for (const extensions of ['250-test\r\n250-PIPELINING\r\n250 AUTH PLAIN', '250-test\r\n250 AUTH PLAIN']) {
    for (const stage of STAGES) {
      for (const [name, hangUp] of HANG_UPS) {
        for (const [reply, code, retryable] of [
          ['521 5.7.1 <ada@example.net> is not welcome', '521 5.7.1', false],
          ['451 4.3.0 <ada@example.net> later', '451 4.3.0', true],
        ] as const) {
          // Where a reset arrives with the greeting the system reports a failed connection, and no greeting.
          if (stage === 'greeting' && name === 'reset') continue;
          const leave = (socket: Socket) => hangUp(socket, reply);
          const server = await startScriptedSmtp(t, { ehlo: extensions, [stage]: leave });
          const failure = await failureOf(mailerOf({ port: server.port, auth: AUTH }));
          const title = `${extensions.includes('PIPELINING') ? 'pipelined ' : ''}${stage}: ${reply}, ${name}`;
          t.same(outcomeOf(failure), ['rejected', code, retryable], title);
          keepsSilent(t, failure, title);
          t.equal(server.connections, 1, 'one attempt');
        }
      }
    }
  }
});

t.test('of several refusals in one segment the first counts, though the connection ends with the last', async (t) => {
  const leave = (socket: Socket) => {
    socket.end('250 2.1.0 ok\r\n450 4.2.0 <ada@example.net> later\r\n503 5.5.1 no recipients\r\n');
  };
  const ehlo = '250-test\r\n250 PIPELINING';
  const { port } = await startScriptedSmtp(t, { ehlo, mail: leave });
  t.same(outcomeOf(await failureOf(mailerOf({ port }))), ['rejected', '450 4.2.0', true]);
});

t.test('a server that refuses in the middle of a message and hangs up has none', async (t) => {
  for (const [name, hangUp] of HANG_UPS.slice(0, 2)) {
    const refuse = (socket: Socket) => {
      socket.pause().write('354 go on\r\n');
      setImmediate(() => hangUp(socket, '552 5.3.4 too large'));
    };
    const { port } = await startScriptedSmtp(t, { data: refuse });
    t.same(outcomeOf(await failureOf(mailerOf({ port }), LARGE)), ['rejected', '552 5.3.4', false], name);
  }
});

t.test('silence leaves no message behind before its final dot, and an open question after it', async (t) => {
  await Promise.all(
    STAGES.map(async (stage) => {
      const server = await startScriptedSmtp(t, { [stage]: null });
      const failure = await failureOf(mailerOf({ port: server.port, auth: AUTH, timeoutMs: PATIENCE_MS }));
      const unknown = stage === 'message';
      t.same(outcomeOf(failure), unknown ? ['outcome_unknown', null, false] : ['unreachable', null, true], stage);
      t.equal(server.messages.length, unknown ? 1 : 0);
      t.equal(server.connections, 1, 'one attempt');
    }),
  );
});

t.test('a connection that is lost says the same as silence', async (t) => {
  const ways: Array<[name: string, leave: (socket: Socket) => void]> = [
    ['closed', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
    ['cut', (socket) => socket.end('25')],
    ['unfinished', (socket) => socket.end('250-2.0.0 ok ada@example.net\r\n')],
  ];
  for (const stage of STAGES) {
    for (const [name, leave] of ways) {
      const { port, messages } = await startScriptedSmtp(t, { [stage]: leave });
      const failure = await failureOf(mailerOf({ port, auth: AUTH }));
      const unknown = stage === 'message';
      t.same(
        outcomeOf(failure),
        unknown ? ['outcome_unknown', null, false] : ['unreachable', null, true],
        `${stage} ${name}`,
      );
      t.equal(messages.length, unknown ? 1 : 0);
      keepsSilent(t, failure, `${stage} ${name}`);
    }
  }
});

t.test('a reply that is no SMTP is no answer', async (t) => {
  const garbage = ['hello ada@example.net', '999 ada@example.net', '\u0000\u0001\u0002', `2${'x'.repeat(70_000)}`];
  for (const stage of ['greeting', 'message'] as const) {
    for (const reply of garbage) {
      const { port } = await startScriptedSmtp(t, { [stage]: reply });
      const failure = await failureOf(mailerOf({ port, timeoutMs: PATIENCE_MS }));
      const unknown = stage === 'message';
      const title = `${stage} ${JSON.stringify(reply.slice(0, 20))}`;
      t.same(outcomeOf(failure), unknown ? ['outcome_unknown', null, false] : ['unreachable', null, true], title);
      keepsSilent(t, failure, title);
    }
  }
});

t.test('a reply of more than 64 KiB is given up, though each of its lines is sound', async (t) => {
  const lines = (bytes: number) => `${`220-${'x'.repeat(94)}\r\n`.repeat(bytes / 100)}220 test ESMTP`;
  const { port: near } = await startScriptedSmtp(t, { greeting: lines(60_000) });
  t.ok(await mailerOf({ port: near }).send(MESSAGE));
  const { port: beyond } = await startScriptedSmtp(t, { greeting: lines(70_000) });
  t.same(outcomeOf(await failureOf(mailerOf({ port: beyond }))), ['unreachable', null, true]);
});

t.test('accepted is what was answered with 250, and nothing near it', async (t) => {
  for (const reply of ['251 will forward', '252 perhaps', '200 fine', '2500 ok', '220 test']) {
    const { port } = await startScriptedSmtp(t, { message: reply });
    t.same(outcomeOf(await failureOf(mailerOf({ port }))), ['outcome_unknown', null, false], reply);
  }
  for (const reply of ['250', '250 ok', '250-first\r\n250 last', '250 2.0.0 queued']) {
    const { port } = await startScriptedSmtp(t, { message: reply });
    t.ok(await mailerOf({ port }).send(MESSAGE), reply);
  }
});

t.test('an acceptance that comes before the message is none', async (t) => {
  const early = (socket: Socket) => void socket.write('354 go on\r\n250 2.0.0 queued\r\n');
  const { port } = await startScriptedSmtp(t, { data: early });
  t.same(outcomeOf(await failureOf(mailerOf({ port }), LARGE)), ['outcome_unknown', null, false]);
});

t.test('a server that stops reading in the middle of a message has none', async (t) => {
  const stop = (socket: Socket) => void socket.pause().write('354 go on\r\n');
  const { port, messages } = await startScriptedSmtp(t, { data: stop });
  const failure = await failureOf(mailerOf({ port, timeoutMs: PATIENCE_MS }), LARGE);
  t.same(outcomeOf(failure), ['unreachable', null, true]);
  t.equal(messages.length, 0);
});

t.test('a refusal in the middle of a message ends it', async (t) => {
  const refuse = (socket: Socket) => void socket.pause().write('354 go on\r\n552 5.3.4 too large\r\n');
  const { port, messages } = await startScriptedSmtp(t, { data: refuse });
  t.same(outcomeOf(await failureOf(mailerOf({ port }), LARGE)), ['rejected', '552 5.3.4', false]);
  t.equal(messages.length, 0);
});

t.test('a recipient that is refused ends the message, whatever the server says to DATA', async (t) => {
  const ehlo = '250-test\r\n250 PIPELINING';
  const { port, messages } = await startScriptedSmtp(t, { ehlo, rcpt: '550 5.1.1 unknown' });
  t.same(outcomeOf(await failureOf(mailerOf({ port }))), ['rejected', '550 5.1.1', false]);
  t.strictSame(messages, [''], 'at most the empty message that ends the DATA');
});

t.test('one deadline stands over the whole, however the server spreads its slowness', async (t) => {
  let timer: NodeJS.Timeout | undefined;
  t.teardown(() => clearInterval(timer));
  const trickle = (socket: Socket) => {
    timer = setInterval(() => socket.write('250-still here\r\n'), 50);
  };
  const { port } = await startScriptedSmtp(t, { mail: trickle });
  t.same(outcomeOf(await failureOf(mailerOf({ port, timeoutMs: 500 }))), ['unreachable', null, true]);
});

t.test('where no server listens, or no host is, nothing was sent', async (t) => {
  for (const where of [{ port: await freePort() }, { host: 'no-such-host.invalid', port: 25 }]) {
    const failure = await failureOf(mailerOf(where));
    t.same(outcomeOf(failure), ['unreachable', null, true]);
    t.ok(failure.cause, 'the operator can see why');
  }
});

t.test('a server that does not let go of the connection delays no email', async (t) => {
  const { port } = await startScriptedSmtp(t, { quit: null });
  t.ok(await mailerOf({ port }).send(MESSAGE));
});
