import { and, desc, eq, gte, lt } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { first, removeFirst, rowsOf } from './queries.ts';
import type { Session } from './session.ts';

export type CallRow = Tables['calls']['$inferSelect'];

export interface CallFilter {
  brokerId?: string | undefined;
  keyId?: string | undefined;
  code?: string | undefined;
  /** Epoch milliseconds, inclusive. */
  since?: number | undefined;
}

/** Rows per statement: times 12 columns far below SQLite's limit of 32766 parameters. */
const ROWS_A_STATEMENT = 100;

export function callReads(session: Session) {
  const { calls } = session.tables;
  const rows = rowsOf(session, calls);
  return {
    /** Of any broker, for the operator. */
    find: (requestId: string): Promise<CallRow | null> => first(rows(eq(calls.requestId, requestId))),
    /** Newest first, of one broker or of all. */
    list: ({ brokerId, keyId, code, since }: CallFilter, limit: number): Promise<CallRow[]> =>
      rows(
        and(
          brokerId === undefined ? undefined : eq(calls.brokerId, brokerId),
          keyId === undefined ? undefined : eq(calls.keyId, keyId),
          code === undefined ? undefined : eq(calls.code, code),
          since === undefined ? undefined : gte(calls.at, since),
        ),
        { orderBy: [desc(calls.at), desc(calls.requestId)], limit },
      ),
  };
}

export function callWrites(session: Session) {
  const { calls } = session.tables;
  return {
    /** Skips rows that exist already: a process repeats a write whose result it did not get. */
    async insert(rows: readonly CallRow[]): Promise<void> {
      for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
        const some = rows.slice(at, at + ROWS_A_STATEMENT);
        await session.db.insert(calls).values(some).onConflictDoNothing();
      }
    },
    /** Removes at most `limit` calls from before a date; returns how many. */
    remove: (before: number, limit: number): Promise<number> =>
      removeFirst(session, { key: calls.requestId, order: calls.at }, lt(calls.at, before), limit),
  };
}
