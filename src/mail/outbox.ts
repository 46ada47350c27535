import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Clock } from '../clock.ts';
import { type Mailer, MailFailure, type MailMessage } from '../operations/ports.ts';
import { oneLine } from '../rules/one-line.ts';
import { requireMailboxes } from './headers.ts';

/**
 * The mailer port for machines without a mail provider (contract, section 10): every message becomes one `.eml` file
 * that a mail program opens and a person can read. Files sort by time, appear complete or not at all, and the
 * receipt's `messageId` is the file's name. Rejects with `MailFailure` `unreachable` when the folder cannot be
 * written, `rejected` when an address is not one mailbox.
 */
export function createOutboxMailer({ directory, clock }: { directory: string; clock: Clock }): Mailer {
  return {
    async send(message) {
      requireMailboxes(message);
      const date = new Date(clock.now());
      const name = `${date.toISOString().replace(/[-:]/g, '')}-${message.id}.eml`;
      const mail = await compose(message, date);

      const unfinished = join(directory, `.${name}.part`);
      try {
        await mkdir(directory, { recursive: true });
        await writeFile(unfinished, mail);
        await rename(unfinished, join(directory, name));
      } catch (cause) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw new MailFailure('unreachable', 'The outbox folder cannot be written', { retryable: true, cause });
      }
      return { messageId: name };
    },
  };
}

function compose(message: MailMessage, date: Date): Promise<Buffer> {
  return new MailComposer({
    from: message.from,
    to: message.to,
    subject: oneLine(message.subject),
    date,
    messageId: `<${message.id}@${message.from.slice(message.from.indexOf('@') + 1)}>`,
    text: message.text,
    html: message.html,
    // Readable by eye: never base64 where the content is text.
    textEncoding: 'quoted-printable',
    attachments: (message.attachments ?? []).map(({ name, contentType, content }) => ({
      filename: name,
      contentType,
      content,
      contentTransferEncoding: contentType.startsWith('text/') ? 'quoted-printable' : 'base64',
    })),
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
