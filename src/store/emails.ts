import { and, asc, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import type { Session } from './session.ts';

export type EmailRow = Tables['emailLog']['$inferSelect'];

/** What becomes known of an email after the provider was called. */
export type EmailOutcome = Pick<
  EmailRow,
  'status' | 'failureReason' | 'providerCode' | 'providerMessageId' | 'completedAt' | 'requestId'
>;

/** An entry that is still open this long after it was written was left by a crash: its outcome is unknown. */
export const ABANDONED_AFTER_MS = 120_000;

export function emailReads({ db, tables: { emailLog } }: Session) {
  /** Marked as unknown, or left open by a crash. */
  const outcomeUnknown = (now: number) =>
    or(
      eq(emailLog.status, 'unknown'),
      and(eq(emailLog.status, 'open'), lt(emailLog.createdAt, now - ABANDONED_AFTER_MS)),
    );
  return {
    /** How many emails of all brokers have an outcome that nobody knows. */
    async countUnknown(now: number): Promise<number> {
      const rows = await db
        .select({ total: sql<number>`count(*)`.mapWith(Number) })
        .from(emailLog)
        .where(outcomeUnknown(now));
      return (rows as [{ total: number }])[0].total;
    },
    /** Newest first. `unknown` narrows to entries whose outcome nobody knows: marked so, or left open by a crash. */
    async list(filter: {
      brokerId?: string | undefined;
      unknown?: boolean | undefined;
      now: number;
      limit: number;
    }): Promise<EmailRow[]> {
      const rows = await db
        .select()
        .from(emailLog)
        .where(
          and(
            filter.brokerId === undefined ? undefined : eq(emailLog.brokerId, filter.brokerId),
            filter.unknown ? outcomeUnknown(filter.now) : undefined,
          ),
        )
        .orderBy(desc(emailLog.createdAt), desc(emailLog.id))
        .limit(filter.limit);
      return rows.map((row) => {
        const abandoned = row.status === 'open' && row.createdAt < filter.now - ABANDONED_AFTER_MS;
        return abandoned ? { ...row, status: 'unknown' } : row;
      });
    },
  };
}

export function emailWrites({ db, tables: { emailLog } }: Session) {
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
