import type { MailMessage } from '../ports.ts';
import { oneLine } from '../rules/text.ts';

/** A whole message, attachments in base64 included: what Postmark takes at most, and SMTP servers such as Postfix by default. */
export const MAX_MESSAGE_BYTES = 10_000_000;

/** No program answers what a program wrote (RFC 3834): no absence notice comes back. */
export const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };

/** The `Message-ID`: the email log's own id, so that both sides can be compared. */
export const messageIdOf = ({ id, from }: MailMessage): string => `<${id}@${from.slice(from.indexOf('@') + 1)}>`;

/** A message as bytes for the wire or a file: MIME, CRLF, 7 bit, no line too long; one sender and one recipient. */
export async function compose(message: MailMessage, date: Date): Promise<Buffer> {
  // Loaded with the first message.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    from: { name: oneLine(message.fromName), address: message.from },
    to: message.to,
    subject: oneLine(message.subject),
    date,
    messageId: messageIdOf(message),
    headers: AUTOMATIC,
    text: message.text,
    html: message.html,
    // Readable by eye.
    textEncoding: 'quoted-printable',
    attachments: (message.attachments ?? []).map(({ name, contentType, content }) => ({
      filename: name,
      contentType,
      content,
      // Byte for byte: in quoted-printable text a line feed inside a cell of a CSV would become CR LF.
      contentTransferEncoding: 'base64',
    })),
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
