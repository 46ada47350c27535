import { MailFailure, type MailMessage } from '../ports.ts';
import { isMailbox } from '../rules/mailbox.ts';

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
