import { and, asc, desc, eq, gt, inArray, lt, lte, or } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, type Session } from './session.ts';

export type OperatorRow = Tables['operators']['$inferSelect'];
export type OperatorRole = OperatorRow['role'];
export type ConsoleLinkRow = Tables['consoleLinks']['$inferSelect'];
export type ConsoleSessionRow = Tables['consoleSessions']['$inferSelect'];

export function operatorReads({ db, tables: { operators, consoleSessions }, statement }: Session) {
  const visit = statement('console_sessions.visit', () =>
    db
      .select({ session: consoleSessions, operator: operators })
      .from(consoleSessions)
      .innerJoin(operators, eq(operators.id, consoleSessions.operatorId))
      .where(eq(consoleSessions.tokenHash, param('tokenHash'))),
  );
  return {
    async find(operatorId: string): Promise<OperatorRow | null> {
      return (await db.select().from(operators).where(eq(operators.id, operatorId)))[0] ?? null;
    },
    async findByEmail(emailFolded: string): Promise<OperatorRow | null> {
      return (await db.select().from(operators).where(eq(operators.emailFolded, emailFolded)))[0] ?? null;
    },
    /** By email; few enough to be shown at once. */
    async list(): Promise<OperatorRow[]> {
      return db.select().from(operators).orderBy(asc(operators.emailFolded));
    },
    /** A session with the person as they are now: what was taken from them meanwhile is gone at once. */
    async findVisit(tokenHash: string): Promise<{ session: ConsoleSessionRow; operator: OperatorRow } | null> {
      return (await visit({ tokenHash }))[0] ?? null;
    },
    /** Newest first. */
    async listSessions(operatorId: string): Promise<ConsoleSessionRow[]> {
      return db
        .select()
        .from(consoleSessions)
        .where(eq(consoleSessions.operatorId, operatorId))
        .orderBy(desc(consoleSessions.createdAt), desc(consoleSessions.id));
    },
  };
}

export function operatorWrites({ db, tables: { operators, consoleLinks, consoleSessions } }: Session) {
  return {
    async insert(row: OperatorRow): Promise<void> {
      await db.insert(operators).values(row);
    },
    async update(operatorId: string, changes: Partial<Omit<OperatorRow, 'id'>>): Promise<OperatorRow | null> {
      return (await db.update(operators).set(changes).where(eq(operators.id, operatorId)).returning())[0] ?? null;
    },
    /** Deletes the person with all sessions and links. */
    async remove(operatorId: string): Promise<void> {
      await db.delete(consoleLinks).where(eq(consoleLinks.operatorId, operatorId));
      await db.delete(consoleSessions).where(eq(consoleSessions.operatorId, operatorId));
      await db.delete(operators).where(eq(operators.id, operatorId));
    },
    async insertLink(row: ConsoleLinkRow): Promise<void> {
      await db.insert(consoleLinks).values(row);
    },
    /** Takes a link that has not expired, for good: of several that try at once, one gets it. */
    async takeLink(tokenHash: string, now: number): Promise<ConsoleLinkRow | null> {
      const taken = await db
        .delete(consoleLinks)
        .where(and(eq(consoleLinks.tokenHash, tokenHash), gt(consoleLinks.expiresAt, now)))
        .returning();
      return taken[0] ?? null;
    },
    /** Removes everybody's links that have expired. */
    async sweepLinks(now: number): Promise<void> {
      await db.delete(consoleLinks).where(lte(consoleLinks.expiresAt, now));
    },
    /** Removes this person's links but for the newest few. */
    async trimLinks(operatorId: string, keep: number): Promise<void> {
      const rows = await db
        .select({ tokenHash: consoleLinks.tokenHash })
        .from(consoleLinks)
        .where(eq(consoleLinks.operatorId, operatorId))
        .orderBy(desc(consoleLinks.createdAt), desc(consoleLinks.tokenHash));
      const surplus = rows.slice(keep).map((row) => row.tokenHash);
      if (surplus.length > 0) await db.delete(consoleLinks).where(inArray(consoleLinks.tokenHash, surplus));
    },
    async insertSession(row: ConsoleSessionRow): Promise<void> {
      await db.insert(consoleSessions).values(row);
    },
    async touchSession(sessionId: string, changes: Pick<ConsoleSessionRow, 'lastSeenAt' | 'ip'>): Promise<void> {
      await db.update(consoleSessions).set(changes).where(eq(consoleSessions.id, sessionId));
    },
    /** Ends one session of this person; false when they have none of that name. */
    async removeSession(operatorId: string, sessionId: string): Promise<boolean> {
      const removed = await db
        .delete(consoleSessions)
        .where(and(eq(consoleSessions.operatorId, operatorId), eq(consoleSessions.id, sessionId)))
        .returning();
      return removed.length > 0;
    },
    async removeSessions(sessionIds: string[]): Promise<void> {
      if (sessionIds.length > 0) await db.delete(consoleSessions).where(inArray(consoleSessions.id, sessionIds));
    },
    /** Removes everybody's sessions that are over: past their end, or not seen since `idleSince`. */
    async sweepSessions(now: number, idleSince: number): Promise<void> {
      await db
        .delete(consoleSessions)
        .where(or(lte(consoleSessions.expiresAt, now), lt(consoleSessions.lastSeenAt, idleSince)));
    },
  };
}
