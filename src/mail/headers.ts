import { MailFailure, type MailMessage } from '../operations/ports.ts';
import { isMailbox } from '../rules/mailbox.ts';

/**
 * Makes a text fit for one header line: every run of control characters and line separators becomes one space, and
 * the ends are trimmed. A line break in a subject would otherwise begin a header of the sender's choosing.
 */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/**
 * Refuses a message whose sender or recipient is not exactly one mailbox: a comma would address a second person.
 * Throws `MailFailure` `rejected`; the address stays out of the text, for logs outlive the email log's erasure.
 */
export function requireMailboxes(message: MailMessage): void {
  for (const side of ['from', 'to'] as const) {
    if (!isMailbox(message[side])) {
      throw new MailFailure('rejected', `The message's "${side}" is not exactly one mailbox`);
    }
  }
}
