import { createRetries } from '../../mail/retries.ts';
import { MailFailure } from '../../ports.ts';
import { HOUR_MS } from '../../rules/durations.ts';
import type { Reads, Tx } from '../../store/store.ts';
import type { OperatorContext } from '../use-case/dependencies.ts';
import { minuteOf, NOTICES, type Noticed, type NoticeKind, type NoticeName, type NoticeReads } from './kinds.ts';
import { listRecipients } from './recipients.ts';

/** What sends notices: as sign-in links are sent, by the mail provider and without an entry in the email log. */
export type NoticeDeps = NoticeReads &
  Pick<OperatorContext, 'newId' | 'mailer' | 'log'> & {
    /** What links begin with, without a slash at the end; undefined: notices have no links. */
    consoleUrl: string | undefined;
    /** Where they come from; undefined: the recipient's own address. */
    noticeSender: string | undefined;
  };

/** What was last notified of a kind, as it is stored. Epoch milliseconds. */
interface Notified {
  /** Whether people were notified that it began, or that it is over. */
  notified: 'begun' | 'over';
  notifiedAt: number;
  begunAt: number;
  /** Since when it was not found any more, while people believe that it lasts. */
  endedAt: number | null;
}

/** A line of an email. */
export interface Notice {
  what: string;
  text: string;
  path: string;
}

/** Of each kind at most one email in this time. */
const MIN_BETWEEN_MS = HOUR_MS;

const SETTING = 'notice.kind ';
const MAX_KINDS = 100;

/** Provider's outages: the last try comes after some twenty minutes. */
const retries = createRetries({ firstPauseMs: 5_000, attempts: 8, maxWaiting: 100 });

/**
 * Looks at all kinds, and mails what has begun, what is over and what is notified again, all in one email to each recipient.
 * May run in any number of processes: what is mailed is claimed in a transaction, so one of them does, and the email goes
 * out after it. A process that is killed between the two loses the email. Contract, section 14.6.
 * @returns how many notices were mailed
 */
export async function checkNotices(deps: NoticeDeps): Promise<number> {
  const { store, clock, log } = deps;
  if ((await listRecipients(store.read)).length === 0) return 0;
  const found = new Map<NoticeName, Noticed | null>();
  for (const name of NAMES) {
    // One that cannot be read holds up no other one; nothing is known of it then.
    try {
      found.set(name, await NOTICES[name].find(deps));
    } catch (error) {
      log.warn({ err: error, notice: name }, 'it could not be found out whether people have to be notified');
    }
  }
  const stored = await readNotified(store.read);
  const now = clock.now();
  if ([...found].every(([name, noticed]) => stepOf(NOTICES[name], noticed, stored.get(name), now) === null)) return 0;
  const { notices, recipients } = await store.tx(async (tx) => {
    await tx.settings.lock(SETTING);
    return { notices: await claim(tx, found, now), recipients: await listRecipients(tx) };
  });
  if (notices.length === 0) return 0;
  for (const { email } of recipients) await mailNotices(deps, email, notices);
  return notices.length;
}

const NAMES = Object.keys(NOTICES) as NoticeName[];

/** Writes what is notified now, and returns it. */
async function claim(tx: Tx, found: ReadonlyMap<NoticeName, Noticed | null>, now: number): Promise<Notice[]> {
  const stored = await readNotified(tx);
  const notices: Notice[] = [];
  for (const [name, noticed] of found) {
    const step = stepOf(NOTICES[name], noticed, stored.get(name), now);
    if (!step) continue;
    await tx.settings.put({ name: SETTING + name, value: JSON.stringify(step.notified) });
    if (step.notice) notices.push(step.notice);
  }
  return notices;
}

/** What is stored next of a kind, and what is mailed of it; null where all stays as it is. */
function stepOf(
  { begun, over, path, repeatMs }: NoticeKind,
  noticed: Noticed | null,
  last: Notified | undefined,
  now: number,
): { notified: Notified; notice?: Notice } | null {
  const mayNotify = last === undefined || now - last.notifiedAt >= MIN_BETWEEN_MS;
  if (noticed) {
    const begunAt = noticed.since ?? now;
    const since = last?.notified === 'begun' ? last.begunAt : begunAt;
    const isNotifiedAgain = last !== undefined && repeatMs !== undefined && now - last.notifiedAt >= repeatMs;
    if (last?.notified === 'begun' && !isNotifiedAgain) {
      return last.endedAt === null ? null : { notified: { ...last, endedAt: null } };
    }
    if (!mayNotify) return null;
    const notice = { what: begun, text: `Since ${minuteOf(since)}. ${noticed.text}`, path };
    return { notified: { notified: 'begun', notifiedAt: now, begunAt: since, endedAt: null }, notice };
  }
  if (last?.notified !== 'begun') return null;
  const notified = { ...last, endedAt: last.endedAt ?? now };
  if (!mayNotify) return last.endedAt === null ? { notified } : null;
  const notice = { what: over, text: `From ${minuteOf(last.begunAt)} to ${minuteOf(notified.endedAt)}.`, path };
  return { notified: { ...notified, notified: 'over', notifiedAt: now }, notice };
}

async function readNotified({ settings }: Pick<Reads, 'settings'>): Promise<Map<string, Notified>> {
  const rows = await settings.list(SETTING, MAX_KINDS);
  return new Map(rows.map(({ name, value }) => [name.slice(SETTING.length), JSON.parse(value) as Notified]));
}

/** What people were notified last, of each kind that they were ever notified of. */
export const listNotified = async (reads: Pick<Reads, 'settings'>): Promise<Map<string, Notified>> =>
  readNotified(reads);

/** Mails notices to one person; tries again where the provider surely did not take it. Throws nothing. */
async function mailNotices(deps: NoticeDeps, to: string, notices: readonly Notice[]): Promise<void> {
  const send = () => sendNotices(deps, to, notices);
  await send().catch((error: unknown) => {
    const isRepeated = error instanceof MailFailure && error.retryable;
    deps.log.error({ err: error }, `a notice was not mailed${isRepeated ? '; it is tried again' : ''}`);
    if (isRepeated) retries.add(send, (last) => deps.log.error({ err: last }, 'a notice was given up'));
  });
}

/** Sends one email. Throws the mailer's failure. */
export async function sendNotices(
  { mailer, clock, newId, consoleUrl, noticeSender }: Omit<NoticeDeps, 'store' | 'log'>,
  to: string,
  notices: readonly Notice[],
): Promise<void> {
  const [first, ...others] = notices;
  await mailer.send({
    id: newId('eml', clock.machine()),
    from: noticeSender ?? to,
    fromName: 'Broker console',
    to,
    subject: `${first?.what}${others.length > 0 ? `, and ${others.length} more` : ''}`,
    text: [
      ...notices.map(({ what, text, path }) =>
        [`${what}.`, text, ...(consoleUrl === undefined ? [] : [`${consoleUrl}${path}`]), ''].join('\n'),
      ),
      `This went to ${to} because an admin of the broker service asked for it; "broker notices remove ${to}" ends it.`,
      '',
    ].join('\n'),
  });
}
