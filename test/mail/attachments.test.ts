import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createOutboxMailer } from '../../src/mail/outbox.ts';
import { createPostmarkMailer } from '../../src/mail/postmark.ts';
import { createSmtpMailer } from '../../src/mail/smtp.ts';
import type { MailMessage } from '../../src/ports.ts';
import { startPostmarkServer } from '../support/postmark-server.ts';
import { startScriptedSmtp } from '../support/smtp-script.ts';

const clock = { now: () => Date.UTC(2030, 0, 31, 12), monotonic: () => 0 };

/** Every kind of line end inside of cells, and what mail treats in a way of its own. */
const CSV = Buffer.from(`\ufeffname,note\r\n"Ä\nda","a\rb\r\nc \n.\n..\nFrom me"\r\n${'x'.repeat(1200)}= ,\t \r\n`);

const MESSAGE: MailMessage = {
  id: 'eml_1',
  from: 'broker@example.com',
  fromName: 'Zoë "Acme", Ltd',
  to: 'ada@example.net',
  subject: 'Report',
  text: 'A report.\n',
  attachments: [{ name: 'report.csv', contentType: 'text/csv', content: CSV }],
};

/** The bytes of the attachment, as a mail program saves them. */
function attachmentIn(mail: string): Buffer {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(mail) ?? [];
  const part = mail.split(`--${boundary}`).find((text) => text.includes('filename=report.csv')) ?? '';
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end);
  if (!/^content-transfer-encoding: base64\r?$/im.test(head)) throw new Error(`not in base64: ${head}`);
  return Buffer.from(part.slice(end), 'base64');
}

/** Sends the message by a transport; resolves with the attachment that arrives. */
const TRANSPORTS: Record<string, (t: Test) => Promise<Buffer>> = {
  async outbox(t) {
    const directory = t.testdir({});
    const { messageId } = await createOutboxMailer({ directory, clock }).send(MESSAGE);
    return attachmentIn(await readFile(join(directory, messageId), 'latin1'));
  },
  async smtp(t) {
    const server = await startScriptedSmtp(t);
    const options = { host: '127.0.0.1', port: server.port, secure: false, requireTls: false };
    await createSmtpMailer({ ...options, timeoutMs: 10_000, clock }).send(MESSAGE);
    return attachmentIn(server.messages[0] ?? '');
  },
  async postmark(t) {
    const server = await startPostmarkServer();
    t.teardown(() => server.close());
    await createPostmarkMailer({ serverToken: 'token', apiUrl: server.url, timeoutMs: 10_000 }).send(MESSAGE);
    const sent = server.received[0]?.message as { Attachments: [{ Content: string }] } | undefined;
    return Buffer.from(sent?.Attachments[0].Content ?? '', 'base64');
  },
};

for (const [name, arrivesBy] of Object.entries(TRANSPORTS)) {
  t.test(`an attached file arrives byte for byte: ${name}`, async (t) => {
    t.strictSame(await arrivesBy(t), CSV);
  });
}
