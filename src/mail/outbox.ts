import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mailer, MailFailure } from '../ports.ts';
import type { Clock } from '../runtime/clock.ts';
import { compose, MAX_MESSAGE_BYTES } from './compose.ts';
import { requireMailboxes } from './headers.ts';

export interface OutboxOptions {
  directory: string;
  clock: Pick<Clock, 'now'>;
}

/**
 * The mailer port for machines without a mail provider (contract, section 10): every message becomes one `.eml` file
 * that a mail program opens and a person can read. Files sort by time, appear complete or not at all, and the
 * receipt's `messageId` is the file's name. Rejects with `MailFailure` `unreachable` when the folder cannot be
 * written, `rejected` when an address is not one mailbox.
 */
export function createOutboxMailer({ directory, clock }: OutboxOptions): Mailer {
  return {
    maxMessageBytes: MAX_MESSAGE_BYTES,
    outbox: directory,
    async send(message) {
      requireMailboxes(message);
      const date = new Date(clock.now());
      const name = `${date.toISOString().replace(/[-:]/g, '')}-${message.id}.eml`;
      const mail = await compose(message, date);

      const unfinished = join(directory, `.${name}.part`);
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeFile(unfinished, mail, { mode: OWNER_ALONE });
        await rename(unfinished, join(directory, name));
      } catch (cause) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw new MailFailure('unreachable', 'The outbox folder cannot be written', { retryable: true, cause });
      }
      return { messageId: name };
    },
    async forget(emailIds) {
      const forgotten = new Set(emailIds);
      for (const name of await namesIn(directory)) {
        const id = name.slice(name.lastIndexOf('-') + 1, -'.eml'.length);
        if (forgotten.has(id)) await rm(join(directory, name), { force: true });
      }
    },
  };
}

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/** A folder that everybody puts files into, as /tmp is, stays as it is. */
const SHARED = 0o1000;

/** The mailer, after the files of an existing outbox have been made private; see `tightenOutbox`. */
export async function openOutboxMailer(options: OutboxOptions): Promise<Mailer> {
  await tightenOutbox(options.directory);
  return createOutboxMailer(options);
}

/**
 * Takes an outbox that stands already, and the messages in it, away from everybody but their owner (contract, section
 * 10). Rejects where the file system refuses.
 */
export async function tightenOutbox(directory: string): Promise<void> {
  const names = await namesIn(directory);
  if (names.length === 0) return;
  if (((await stat(directory)).mode & SHARED) === 0) await chmod(directory, 0o700);
  for (const name of names) {
    if (!name.endsWith('.eml')) continue;
    const path = join(directory, name);
    if (((await stat(path)).mode & OTHERS) !== 0) await chmod(path, OWNER_ALONE);
  }
}

/** None where there is no such folder. */
const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
