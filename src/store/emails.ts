import { and, asc, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import type { Session } from './session.ts';

export type EmailRow = Tables['emailLog']['$inferSelect'];

/** What becomes known of an email after the provider was called. */
export type EmailOutcome = Pick<
  EmailRow,
  'status' | 'failureReason' | 'providerCode' | 'providerMessageId' | 'completedAt' | 'requestId'
>;

/** Of one broker or of all; `unknown` narrows to those whose outcome nobody knows at the moment `now`. */
export interface EmailFilter {
  brokerId?: string | undefined;
  unknown?: boolean | undefined;
  now: number;
}

/** An entry that is still open this long after it was written was left by a crash: its outcome is unknown. */
export const ABANDONED_AFTER_MS = 120_000;

/** Marked as unknown, or left open by a crash. */
const outcomeUnknown = ({ emailLog }: Tables, now: number) =>
  or(
    eq(emailLog.status, 'unknown'),
    and(eq(emailLog.status, 'open'), lt(emailLog.createdAt, now - ABANDONED_AFTER_MS)),
  );

export function emailReads({ db, tables }: Session) {
  const { emailLog } = tables;
  const matching = ({ brokerId, unknown, now }: EmailFilter) =>
    and(
      brokerId === undefined ? undefined : eq(emailLog.brokerId, brokerId),
      unknown ? outcomeUnknown(tables, now) : undefined,
    );
  return {
    /** For the operator, who names an email by its id alone. */
    async find(emailId: string): Promise<EmailRow | null> {
      return (await db.select().from(emailLog).where(eq(emailLog.id, emailId)))[0] ?? null;
    },
    /** How many entries of the log the list below would have without its limit. */
    async countMatches(filter: EmailFilter): Promise<number> {
      const rows = await db
        .select({ total: sql<number>`count(*)`.mapWith(Number) })
        .from(emailLog)
        .where(matching(filter));
      return (rows as [{ total: number }])[0].total;
    },
    /** Newest first. `unknown` narrows to entries whose outcome nobody knows: marked so, or left open by a crash. */
    async list(filter: EmailFilter & { limit: number }): Promise<EmailRow[]> {
      const rows = await db
        .select()
        .from(emailLog)
        .where(matching(filter))
        .orderBy(desc(emailLog.createdAt), desc(emailLog.id))
        .limit(filter.limit);
      return rows.map((row) => {
        const abandoned = row.status === 'open' && row.createdAt < filter.now - ABANDONED_AFTER_MS;
        return abandoned ? { ...row, status: 'unknown' } : row;
      });
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
    /** Compare-and-set: only while nobody knows the outcome at the moment `now`. Null when it is known. */
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
    /** Erases addresses and bodies of at most `limit` entries written before a moment; returns how many. */
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
