import { and, asc, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import type { Session } from './session.ts';

export type CallRow = Tables['calls']['$inferSelect'];

export interface CallFilter {
  brokerId?: string | undefined;
  keyId?: string | undefined;
  code?: string | undefined;
  /** Epoch milliseconds; included. */
  since?: number | undefined;
}

/** Rows of one statement: times 12 columns far below the 32766 parameters that SQLite takes. */
const ROWS_A_STATEMENT = 100;

export function callReads({ db, tables: { calls } }: Session) {
  return {
    /** The operator's look-up, over all brokers. */
    async find(requestId: string): Promise<CallRow | null> {
      return (await db.select().from(calls).where(eq(calls.requestId, requestId)))[0] ?? null;
    },
    /** Newest first: of one broker or of all. */
    async list({ brokerId, keyId, code, since }: CallFilter, limit: number): Promise<CallRow[]> {
      return db
        .select()
        .from(calls)
        .where(
          and(
            brokerId === undefined ? undefined : eq(calls.brokerId, brokerId),
            keyId === undefined ? undefined : eq(calls.keyId, keyId),
            code === undefined ? undefined : eq(calls.code, code),
            since === undefined ? undefined : gte(calls.at, since),
          ),
        )
        .orderBy(desc(calls.at), desc(calls.requestId))
        .limit(limit);
    },
  };
}

export function callWrites({ db, tables: { calls } }: Session) {
  return {
    /** Writes what is not there yet: a process whose write got no answer does it again. */
    async insert(rows: readonly CallRow[]): Promise<void> {
      for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
        await db
          .insert(calls)
          .values(rows.slice(at, at + ROWS_A_STATEMENT))
          .onConflictDoNothing();
      }
    },
    /** Removes at most `limit` calls from before a moment; returns how many. */
    async remove(before: number, limit: number): Promise<number> {
      const old = db
        .select({ requestId: calls.requestId })
        .from(calls)
        .where(lt(calls.at, before))
        .orderBy(asc(calls.at))
        .limit(limit);
      const removed = await db.delete(calls).where(inArray(calls.requestId, old)).returning({ at: calls.at });
      return removed.length;
    },
  };
}
