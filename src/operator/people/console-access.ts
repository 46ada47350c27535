import { createHash, randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { runAsOperator } from '../../limits/operator-slot.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts';
import { fold } from '../../rules/search-text.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { ConsoleSessionRow, OperatorRow } from '../../store/queries/operators.ts';
import type { Tx } from '../../store/store.ts';
import { type ChangeDeps, type OperatorDeps, type ReadDeps, recordChange } from '../use-case/dependencies.ts';
import { refused, unknown } from '../use-case/errors.ts';
import { named } from '../use-case/fields.ts';
import { type UseCaseDeps, useCase } from '../use-case/use-case.ts';
import { aboutOperator, type OperatorRecord, operatorRecord, PERSON, requireOperator } from './operators.ts';

type Access = Pick<OperatorDeps, 'store' | 'clock' | 'newId'>;

/** How long a link waits to be used: as long as a mail may take. */
const LINK_LIFE_MS = 15 * MINUTE_MS;

/** A session ends after so long without a click, and in any case after a week. */
export const IDLE_MS = 12 * HOUR_MS;
export const SESSION_LIFE_MS = 7 * DAY_MS;

/** Links of one person that can be used; no more are made then. */
const MAX_LINKS = 20;

/** No link is mailed to a person who had so many within the life of a link: the mailbox is not for others to fill. */
const MAX_MAILED_LINKS = 3;

/** Sessions of one person: several machines and browsers, and no table that grows with every sign-in of a script. */
const MAX_SESSIONS = 20;

/** A click moves the end of a session on; written down this often at most. */
const TOUCH_EVERY_MS = MINUTE_MS;

const MAX_USER_AGENT = 200;

/** Bytes of a link's token and of a session's: 256 bits cannot be guessed, so the hash needs no salt. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text can be the token of a link or a session. */
export const isToken = (text: string): boolean => TOKEN.test(text);

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Makes a sign-in link for an operator; it works once, for 15 minutes. Contract, section 11. */
export const createConsoleLink = useCase({
  name: 'console link',
  role: 'admin',
  action: 'operator.link',
  title: 'Create a link',
  description: 'Print a sign-in link for an operator; it works once, for 15 minutes',
  example: 'console link --operator ada@example.com',
  input: Type.Object({ email: named('operator', 'The operator’s address') }),
  on: ['email'],
  secret: 'url',
  done: 'It signs them in once, within 15 minutes.',
  async change(tx, { clock, consoleUrl }: ChangeDeps & Pick<UseCaseDeps, 'consoleUrl'>, { email }) {
    if (consoleUrl === undefined) {
      throw refused('The console is off: set CONSOLE_PORT (and CONSOLE_URL) as its server has it');
    }
    await tx.operators.lock();
    const operator = await requireOperator(tx, email);
    if (!operator.active) throw refused(`The operator "${operator.email}" is not active`);
    await tx.operators.sweepLinks(clock.machine());
    if ((await tx.operators.countLinks(operator.id)).unused >= MAX_LINKS) {
      throw refused(`"${operator.email}" has ${MAX_LINKS} unused links; each ends after 15 minutes`);
    }
    return { record: await issueLink({ clock }, tx, operator, consoleUrl), about: aboutOperator(operator) };
  },
});

async function issueLink({ clock }: Pick<Access, 'clock'>, tx: Tx, operator: OperatorRow, consoleUrl: string) {
  const token = newToken();
  const now = clock.machine();
  const expiresAt = now + LINK_LIFE_MS;
  await tx.operators.insertLink({ tokenHash: hashToken(token), operatorId: operator.id, createdAt: now, expiresAt });
  return { url: `${consoleUrl}/sign-in/${token}`, expires_date: isoTimestamp(expiresAt) };
}

/**
 * Makes a sign-in link to be mailed to an operator; null for any other address, and for a person who has been mailed
 * three within 15 minutes. All addresses cost the same reads.
 */
export const createMailedLink = (
  parts: Access,
  input: { email: string; consoleUrl: string },
): Promise<{ email: string; url: string } | null> =>
  parts.store.tx(async (tx) => {
    await tx.operators.lock();
    await tx.operators.sweepLinks(parts.clock.machine());
    const operator = await tx.operators.findByEmail(fold(input.email.trim()));
    const { made } = await tx.operators.countLinks(operator?.id ?? '');
    if (!operator?.active || made >= MAX_MAILED_LINKS) return null;
    return { email: operator.email, url: (await issueLink(parts, tx, operator, input.consoleUrl)).url };
  });

/**
 * Mails a sign-in link. Throws the mailer's failure.
 * @param link.sender where the mail comes from; the operator's own address by default
 */
export async function mailConsoleLink(
  parts: Pick<OperatorDeps, 'mailer' | 'clock' | 'newId'>,
  { email, url, sender }: { email: string; url: string; sender: string | undefined },
): Promise<void> {
  await parts.mailer.send({
    id: parts.newId('eml', parts.clock.machine()),
    from: sender ?? email,
    fromName: 'Broker console',
    to: email,
    subject: 'Sign in to the broker console',
    text: [
      'Open this link to sign in to the broker console:',
      '',
      url,
      '',
      'It works once, for 15 minutes. Did you not ask for it? Then nothing needs to be done.',
      '',
    ].join('\n'),
  });
}

/** A person at work in the console. */
/** Runs the rest of a request: what it reads slowly waits behind the same operator's queries, not behind others'. */
export const runFor = ({ operator }: ConsoleAuth, work: () => void): void => runAsOperator(operator.operator_id, work);

export interface ConsoleAuth {
  session: SessionRecord;
  operator: OperatorRecord;
}

/** Whether a link can be used; null where it cannot. Costs a read. */
export const findConsoleLink = async ({ store, clock }: ReadDeps, linkToken: string): Promise<true | null> =>
  (await store.read.operators.findLink(hashToken(linkToken), clock.machine())) ? true : null;

/**
 * Turns a link into a session, once: of several that try, one gets in. Returns null for a link that is used up,
 * expired or unknown, or whose operator is inactive.
 * @param input.before the session of the same browser, which ends
 */
export async function openSession(
  { store, clock, newId }: Access,
  input: {
    linkToken: string;
    ip: string | null;
    userAgent: string | null | undefined;
    before?: ConsoleAuth | null;
  },
): Promise<(ConsoleAuth & { token: string }) | null> {
  const now = clock.machine();
  return store.tx(async (tx) => {
    // No operator is switched off between this read and the new session.
    await tx.operators.lock();
    const link = await tx.operators.takeLink(hashToken(input.linkToken), now);
    const operator = link && (await tx.operators.find(link.operatorId));
    if (!operator?.active) return null;
    const token = newToken();
    const session: ConsoleSessionRow = {
      id: newId('ses', now),
      tokenHash: hashToken(token),
      operatorId: operator.id,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + SESSION_LIFE_MS,
      ip: input.ip,
      userAgent: input.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    };
    const recordSession = ({ email }: { email: string }, action: string) => {
      const actor = { kind: 'operator', name: email, clientIp: input.ip } as const;
      return recordChange({ clock, newId, actor }, tx, { action, ...aboutOperator({ email }) });
    };
    await tx.operators.sweepSessions(now, now - IDLE_MS);
    const { before } = input;
    if (before && (await tx.operators.removeSession(before.operator.operator_id, before.session.session_id))) {
      await recordSession(before.operator, 'operator.sign_out');
    }
    await tx.operators.insertSession(session);
    await trimSessions(tx, operator);
    await tx.operators.update(operator.id, { lastSignInAt: now });
    await recordSession(operator, 'operator.sign_in');
    return { token, session: sessionRecord(session), operator: operatorRecord({ ...operator, lastSignInAt: now }) };
  });
}

async function trimSessions(tx: Tx, operator: OperatorRow): Promise<void> {
  const surplus = (await tx.operators.listSessions(operator.id)).slice(MAX_SESSIONS);
  await tx.operators.removeSessions(surplus.map(({ id }) => id));
}

/**
 * Whose session a token belongs to, as the person is now; null when it is over, was ended, or the person is no longer
 * let in. Moves the session's idle end on.
 */
export async function resumeSession(
  { store, clock }: ReadDeps,
  input: { token: string; ip: string | null },
): Promise<ConsoleAuth | null> {
  const found = await store.read.operators.findVisit(hashToken(input.token));
  if (!found?.operator.active) return null;
  const now = clock.machine();
  const { session, operator } = found;
  if (now >= session.expiresAt || now >= session.lastSeenAt + IDLE_MS) return null;
  if (now >= session.lastSeenAt + TOUCH_EVERY_MS) {
    const seen = { lastSeenAt: now, ip: input.ip };
    await store.tx((tx) => tx.operators.touchSession(session.id, seen));
    Object.assign(session, seen);
  }
  return { session: sessionRecord(session), operator: operatorRecord(operator) };
}

/** A person's sessions that are not over, newest first. */
export const listSessions = useCase({
  name: 'operators sessions',
  title: 'Sessions',
  description: "List a person's sessions in the console",
  example: 'operators sessions ada@example.com',
  input: Type.Object(PERSON),
  argument: 'email',
  columns: ['session_id', 'ip', 'user_agent', 'created_date', 'last_seen_date', 'expires_date'],
  async run({ store, clock }: ReadDeps, { email }) {
    const operator = await requireOperator(store.read, email);
    const now = clock.machine();
    const rows = await store.read.operators.listSessions(operator.id);
    return rows.filter((row) => now < row.expiresAt && now < row.lastSeenAt + IDLE_MS).map(sessionRecord);
  },
});

/** Ends one of a person's sessions. Throws an `OperatorError` when there is none of that name. */
export const endSession = (parts: ChangeDeps, input: { email: string; sessionId: string }): Promise<void> =>
  parts.store.tx(async (tx) => {
    const operator = await requireOperator(tx, input.email);
    if (!(await tx.operators.removeSession(operator.id, input.sessionId))) {
      throw unknown('This session has ended already');
    }
    await recordChange(parts, tx, { action: 'operator.sign_out', ...aboutOperator(operator) });
  });

/** Ends all of a person's sessions. */
export const endSessions = useCase({
  name: 'operators sign-out',
  role: 'admin',
  action: 'operator.sign_out',
  title: 'Sign out everywhere',
  description: "End all of a person's sessions in the console",
  example: 'operators sign-out ada@example.com',
  input: Type.Object(PERSON),
  on: ['email'],
  argument: 'email',
  done: ({ email }: { email: string }) =>
    `${email} was signed out everywhere. A sign-in link that is not used yet still works until it is over.`,
  async change(tx, _deps: ChangeDeps, input) {
    const operator = await requireOperator(tx, input.email);
    const ended = await tx.operators.removeSessionsOf(operator.id);
    return {
      record: { email: operator.email, sessions_ended: ended },
      about: aboutOperator(operator),
      after: { sessions: ended },
    };
  },
});

const sessionRecord = (row: ConsoleSessionRow) => ({
  session_id: row.id,
  created_date: isoTimestamp(row.createdAt),
  last_seen_date: isoTimestamp(row.lastSeenAt),
  expires_date: isoTimestamp(Math.min(row.expiresAt, row.lastSeenAt + IDLE_MS)),
  ip: row.ip,
  user_agent: row.userAgent,
});

export type SessionRecord = ReturnType<typeof sessionRecord>;
