import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { firstIdOf } from '../../runtime/ids.ts';
import { containsText, type PageWindow, type Session } from '../session/session.ts';
import { behindDescending, given, TOTAL } from '../session/statements.ts';

export type EmailRow = Tables['emailLog']['$inferSelect'];

/** An entry without the bodies, which a list does not read. */
export type EmailLine = Omit<EmailRow, 'html' | 'text'>;

/** What becomes known of an email after the provider was called. */
export type EmailOutcome = Pick<
  EmailRow,
  'status' | 'failureReason' | 'providerCode' | 'providerMessageId' | 'completedAt' | 'requestId'
>;

/** The place of an email in the list. */
type EmailPosition = Pick<EmailRow, 'createdAt' | 'id'>;

/** Of one broker or of all; an entry is `unknown` when its outcome is not known at `now`. */
export interface EmailFilter {
  brokerId?: string | undefined;
  status?: EmailRow['status'] | undefined;
  kind?: string | undefined;
  /** Part of the address, without case. */
  recipient?: string | undefined;
  serviceNumber?: number | undefined;
  /** Epoch milliseconds: included, and excluded. */
  since?: number | undefined;
  until?: number | undefined;
  now: number;
}

/** An entry that is still open this long after it was written was left by a crash: its outcome is unknown. */
export const ABANDONED_AFTER_MS = 120_000;

/** Marked as unknown, or left open by a crash. The index over these few serves conditions in the same words. */
const outcomeUnknown = ({ emailLog }: Tables, now: number) =>
  and(
    sql`${emailLog.status} in ('open', 'unknown')`,
    or(eq(emailLog.status, 'unknown'), lt(emailLog.createdAt, now - ABANDONED_AFTER_MS)),
  );

const stillOpen = ({ emailLog }: Tables, now: number) =>
  and(eq(emailLog.status, 'open'), gte(emailLog.createdAt, now - ABANDONED_AFTER_MS));

export function emailReads({ db, dialect, tables }: Session) {
  const { emailLog } = tables;
  const { html: _html, text: _text, ...columns } = getTableColumns(emailLog);

  function withStatus({ status, now }: EmailFilter): SQL | undefined {
    if (status === 'unknown') return outcomeUnknown(tables, now);
    if (status === 'open') return stillOpen(tables, now);
    return given(eq, emailLog.status, status);
  }

  // Ids sort by the time at which they were made: of all brokers' emails they are the order, and its index.
  const matching = (filter: EmailFilter) =>
    and(
      given(eq, emailLog.brokerId, filter.brokerId),
      withStatus(filter),
      given(eq, emailLog.kind, filter.kind),
      given(containsText, emailLog.recipient, filter.recipient),
      given(eq, emailLog.serviceNumber, filter.serviceNumber),
      filter.since === undefined ? undefined : gte(emailLog.id, firstIdOf('eml', filter.since)),
      filter.until === undefined ? undefined : lt(emailLog.id, firstIdOf('eml', filter.until)),
    );
  // A service has few emails: the unary plus keeps SQLite from reading all of the broker's in their order.
  const byDate = ({ serviceNumber }: EmailFilter): SQL[] => [
    desc(serviceNumber !== undefined && dialect === 'sqlite' ? sql`+${emailLog.createdAt}` : emailLog.createdAt),
    desc(emailLog.id),
  ];
  const before = ({ createdAt, id }: EmailPosition): SQL =>
    behindDescending([emailLog.createdAt, emailLog.id], [createdAt, id]);
  const asKnown = <T extends Pick<EmailRow, 'status' | 'createdAt'>>(row: T, now: number): T =>
    row.status === 'open' && row.createdAt < now - ABANDONED_AFTER_MS ? { ...row, status: 'unknown' } : row;

  return {
    /** For the operator, who names an email by its id alone. */
    async find(emailId: string, now: number): Promise<EmailRow | null> {
      const [row] = await db.select().from(emailLog).where(eq(emailLog.id, emailId));
      return row ? asKnown(row, now) : null;
    },
    /** The same, counted no further than `limit`. */
    async countUpTo(filter: EmailFilter, limit: number): Promise<number> {
      const some = db.select({ id: emailLog.id }).from(emailLog).where(matching(filter)).limit(limit).as('some');
      const rows = await db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(some);
      return (rows as [{ total: number }])[0].total;
    },
    /** How many entries of the log the list below would have without its limit. */
    async countMatches(filter: EmailFilter): Promise<number> {
      const rows = await db
        .select({ total: sql<number>`count(*)`.mapWith(Number) })
        .from(emailLog)
        .where(matching(filter));
      return (rows as [{ total: number }])[0].total;
    },
    /**
     * When the `count`-th newest email of this kind of a service was written, in epoch milliseconds; null where there
     * are fewer after `since`. Those that were certainly not sent do not count.
     */
    async findNthNewest(
      { brokerId, serviceNumber, kind }: { brokerId: string; serviceNumber: number; kind: string },
      since: number,
      count: number,
    ): Promise<number | null> {
      const rows = await db
        .select({ createdAt: emailLog.createdAt })
        .from(emailLog)
        .where(
          and(
            eq(emailLog.brokerId, brokerId),
            eq(emailLog.serviceNumber, serviceNumber),
            gt(emailLog.createdAt, since),
            eq(emailLog.kind, kind),
            ne(emailLog.status, 'failed'),
          ),
        )
        .orderBy(desc(emailLog.createdAt))
        .limit(1)
        .offset(count - 1);
      return rows[0]?.createdAt ?? null;
    },
    /**
     * Newest first, of those behind `last` where it is given. Entries that a crash left open show as of unknown outcome.
     */
    async list({ limit, ...filter }: EmailFilter & { limit: number }, last?: EmailPosition): Promise<EmailRow[]> {
      const rows = await db
        .select()
        .from(emailLog)
        .where(and(matching(filter), last && before(last)))
        .orderBy(...byDate(filter))
        .limit(limit);
      return rows.map((row) => asKnown(row, filter.now));
    },
    /** One page of the log, newest first, without the bodies; of those behind `last` where it is given. */
    async page(filter: EmailFilter, { limit, offset }: PageWindow, last?: EmailPosition): Promise<EmailLine[]> {
      const isOfAll = filter.brokerId === undefined;
      const rows = await db
        .select(columns)
        .from(emailLog)
        .where(and(matching(filter), last && (isOfAll ? lt(emailLog.id, last.id) : before(last))))
        .orderBy(...(isOfAll ? [desc(emailLog.id)] : byDate(filter)))
        .limit(limit)
        .offset(offset);
      return rows.map((row) => asKnown(row, filter.now));
    },
    /** The statuses of the emails since a date, of the latest `limit` ones. */
    async countByStatus(since: number, limit: number): Promise<Array<{ status: EmailRow['status']; total: number }>> {
      const latest = db
        .select({ status: emailLog.status })
        .from(emailLog)
        .where(gte(emailLog.id, firstIdOf('eml', since)))
        .orderBy(desc(emailLog.id))
        .limit(limit)
        .as('latest');
      return db
        .select({ status: latest.status, ...TOTAL })
        .from(latest)
        .groupBy(latest.status);
    },
  };
}

export function emailWrites({ db, tables }: Session) {
  const { emailLog } = tables;
  return {
    async insert(row: EmailRow): Promise<void> {
      await db.insert(emailLog).values(row);
    },
    async complete(brokerId: string, emailId: string, outcome: Partial<EmailOutcome>): Promise<void> {
      await db
        .update(emailLog)
        .set(outcome)
        .where(and(eq(emailLog.brokerId, brokerId), eq(emailLog.id, emailId)));
    },
    /** Compare-and-set: only while the outcome is not known at `now`. Null when it is known. */
    async settle(
      brokerId: string,
      emailId: string,
      now: number,
      changes: Pick<EmailRow, 'status' | 'failureReason' | 'settledAt' | 'settledNote'>,
    ): Promise<EmailRow | null> {
      const settled = await db
        .update(emailLog)
        .set(changes)
        .where(and(eq(emailLog.brokerId, brokerId), eq(emailLog.id, emailId), outcomeUnknown(tables, now)))
        .returning();
      return settled[0] ?? null;
    },
    /** Erases addresses and bodies of at most `limit` entries written before a date; returns how many. */
    async erase(before: number, now: number, limit: number): Promise<number> {
      const old = db
        .select({ id: emailLog.id })
        .from(emailLog)
        .where(and(lt(emailLog.createdAt, before), isNull(emailLog.erasedAt)))
        .orderBy(asc(emailLog.createdAt))
        .limit(limit);
      const erased = await db
        .update(emailLog)
        .set({ recipient: null, subject: null, html: null, text: null, erasedAt: now })
        .where(inArray(emailLog.id, old))
        .returning({ id: emailLog.id });
      return erased.length;
    },
  };
}
