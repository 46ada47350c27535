import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createOutboxMailer, tightenOutbox } from '../../src/mail/outbox.ts';
import type { MailMessage } from '../../src/ports.ts';

const clock = { now: () => Date.UTC(2030, 0, 31, 12, 30, 15, 7), monotonic: () => 0 };

const MESSAGE: MailMessage = {
  id: 'eml_1',
  from: 'broker@example.com',
  fromName: 'Zoë "Acme", Ltd',
  to: 'ada@example.net',
  subject: 'Notice\r\nBcc: eve@example.com',
  html: `<p>Grüße, ${'long '.repeat(40)}</p>`,
  text: 'Dear Ada,\nall is well.\n',
};

/** Undoes quoted-printable, for UTF-8. */
const decode = (encoded: string) =>
  Buffer.from(
    encoded.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

t.test('a message becomes one complete file that can be read by eye', async (t) => {
  const directory = join(t.testdir(), 'not', 'there', 'yet');
  const mailer = createOutboxMailer({ directory, clock });

  const { messageId } = await mailer.send(MESSAGE);

  t.equal(messageId, '20300131T123015.007Z-eml_1.eml');
  t.same(await readdir(directory), [messageId], 'and no half-written file beside it');
  const file = await readFile(join(directory, messageId), 'latin1');
  t.match(file, /^From: =\?UTF-8\?Q\?Zo=C3=AB_=22Acme=22=2C_Ltd\?=\r?\n? <broker@example\.com>\r$/m);
  t.match(file, /^Auto-Submitted: auto-generated\r$/m, 'no absence notice answers it');
  t.match(file, /^To: ada@example\.net\r$/m);
  t.match(file, /^Subject: Notice Bcc: eve@example\.com\r$/m, 'no header can be smuggled in');
  t.notMatch(file, /^Bcc:/m);
  t.match(file, /^Message-ID: <eml_1@example\.com>\r$/m);
  t.match(file, /^Date: Thu, 31 Jan 2030 12:30:15 \+0000\r$/m, 'the date is the injected clock’s');
  t.match(file, 'Dear Ada,\r\nall is well.\r\n');
  t.match(decode(file), MESSAGE.html ?? '');
  t.notMatch(file, /base64/i);
  t.notMatch(file, /[^\r]\n/, 'every line ends as mail lines do');
});

t.test('text that needs an encoding stays readable', async (t) => {
  const directory = t.testdir();
  const { html: _, ...plain } = MESSAGE;
  const { messageId } = await createOutboxMailer({ directory, clock }).send({
    ...plain,
    subject: 'Ünïcödé',
    text: 'Ключ, ключ, ключ',
  });
  const file = await readFile(join(directory, messageId), 'latin1');
  t.match(decode(file), 'Ключ, ключ, ключ');
  t.match(file, /^Subject: =\?UTF-8\?Q\?/m);
  t.notMatch(file, /base64/i);
});

t.test('a folder that cannot be written is a failure that may pass', async (t) => {
  const directory = join(t.testdir({ occupied: 'a file' }), 'occupied');
  await t.rejects(createOutboxMailer({ directory, clock }).send(MESSAGE), {
    name: 'MailFailure',
    reason: 'unreachable',
    retryable: true,
  });
});

t.test('a file that cannot be finished leaves nothing behind', async (t) => {
  const directory = t.testdir({ '20300131T123015.007Z-eml_1.eml': { 'in-the-way': '' } });
  await t.rejects(createOutboxMailer({ directory, clock }).send(MESSAGE), {
    name: 'MailFailure',
    reason: 'unreachable',
  });
  t.same(await readdir(directory), ['20300131T123015.007Z-eml_1.eml']);
});

t.test('addresses are held to the same rule as with the real provider', async (t) => {
  const directory = t.testdir();
  const mailer = createOutboxMailer({ directory, clock });
  await t.rejects(mailer.send({ ...MESSAGE, to: 'ada@example.net,eve@example.net' }), {
    name: 'MailFailure',
    reason: 'rejected',
  });
  t.same(await readdir(directory), []);
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;

t.test('folder and messages are their owner’s alone, whatever the umask', async (t) => {
  const umask = process.umask(0);
  t.teardown(() => process.umask(umask));
  const directory = join(t.testdir(), 'outbox');
  const { messageId } = await createOutboxMailer({ directory, clock }).send(MESSAGE);
  t.equal(await modeOf(directory), 0o700);
  t.equal(await modeOf(join(directory, messageId)), 0o600);
});

t.test('an outbox that others can read is taken from them, and nothing else in it is touched', async (t) => {
  const directory = join(t.testdir(), 'outbox');
  await t.resolves(tightenOutbox(directory), 'one that is not there yet');
  await mkdir(directory);
  for (const name of ['a.eml', 'b.eml', 'notes.txt']) {
    await writeFile(join(directory, name), '');
    await chmod(join(directory, name), name === 'b.eml' ? 0o400 : 0o644);
  }
  await chmod(directory, 0o755);
  await tightenOutbox(directory);
  t.equal(await modeOf(directory), 0o700);
  t.equal(await modeOf(join(directory, 'a.eml')), 0o600);
  t.equal(await modeOf(join(directory, 'b.eml')), 0o400, 'what is tighter stays so');
  t.equal(await modeOf(join(directory, 'notes.txt')), 0o644);
  await chmod(directory, 0o1777);
  await tightenOutbox(directory);
  t.equal(await modeOf(directory), 0o1777, 'a folder that everybody shares');
  await t.rejects(tightenOutbox(join(directory, 'notes.txt')), { code: 'ENOTDIR' });
});

t.test('messages that are forgotten are gone, and no other file', async (t) => {
  const directory = join(t.testdir(), 'outbox');
  const mailer = createOutboxMailer({ directory, clock });
  await mailer.forget?.(['eml_1']);
  for (const id of ['eml_1', 'eml_2', 'eml_11']) await mailer.send({ ...MESSAGE, id });
  await writeFile(join(directory, 'notes.txt'), '');
  await mailer.forget?.(['eml_1', 'eml_3']);
  t.strictSame((await readdir(directory)).map((name) => name.split('-').at(-1)).sort(), [
    'eml_11.eml',
    'eml_2.eml',
    'notes.txt',
  ]);
});
