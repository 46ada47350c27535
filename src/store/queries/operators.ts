import { and, asc, desc, eq, gt, inArray, lt, lte, or } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { param, type Session } from '../session/session.ts';

export type OperatorRow = Tables['operators']['$inferSelect'];
export type OperatorRole = OperatorRow['role'];
export type ConsoleLinkRow = Tables['consoleLinks']['$inferSelect'];
export type ConsoleSessionRow = Tables['consoleSessions']['$inferSelect'];

/** No token's hash begins like this. */
const USED = 'used ';

export function operatorReads({ db, tables: { operators, consoleLinks, consoleSessions }, statement }: Session) {
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
    /** A link that can still be used. */
    async findLink(tokenHash: string, now: number): Promise<ConsoleLinkRow | null> {
      const isOpen = and(eq(consoleLinks.tokenHash, tokenHash), gt(consoleLinks.expiresAt, now));
      return (await db.select().from(consoleLinks).where(isOpen))[0] ?? null;
    },
    /** A person's links that were not swept: how many were made, and how many of them are unused. */
    async countLinks(operatorId: string): Promise<{ made: number; unused: number }> {
      const rows = await db.select().from(consoleLinks).where(eq(consoleLinks.operatorId, operatorId));
      return { made: rows.length, unused: rows.filter(({ tokenHash }) => !tokenHash.startsWith(USED)).length };
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

export function operatorWrites({ db, tables: { operators, consoleLinks, consoleSessions }, lockName }: Session) {
  const removeSessionsOf = async (operatorId: string): Promise<number> =>
    (await db.delete(consoleSessions).where(eq(consoleSessions.operatorId, operatorId)).returning()).length;
  const removeAccess = async (operatorId: string): Promise<void> => {
    await db.delete(consoleLinks).where(eq(consoleLinks.operatorId, operatorId));
    await removeSessionsOf(operatorId);
  };
  return {
    /** Of everybody: all links and sessions. */
    async endAllAccess(): Promise<void> {
      await db.delete(consoleLinks);
      await db.delete(consoleSessions);
    },
    /** Until the transaction ends, no other one that locks it changes who may sign in. */
    lock: (): Promise<void> => lockName('operators'),
    async insert(row: OperatorRow): Promise<void> {
      await db.insert(operators).values(row);
    },
    async update(operatorId: string, changes: Partial<Omit<OperatorRow, 'id'>>): Promise<OperatorRow | null> {
      return (await db.update(operators).set(changes).where(eq(operators.id, operatorId)).returning())[0] ?? null;
    },
    /** Deletes the person with all sessions and links. */
    async remove(operatorId: string): Promise<void> {
      await removeAccess(operatorId);
      await db.delete(operators).where(eq(operators.id, operatorId));
    },
    /** Deletes the person's sessions and links. */
    removeAccess,
    /** Ends all sessions of this person; returns how many. */
    removeSessionsOf,
    async insertLink(row: ConsoleLinkRow): Promise<void> {
      await db.insert(consoleLinks).values(row);
    },
    /**
     * Takes a link that has not expired, for good: of several that try at once, one gets it. Its row stays until it
     * would have expired, because it counts among the links of its person.
     */
    async takeLink(tokenHash: string, now: number): Promise<ConsoleLinkRow | null> {
      const taken = await db
        .update(consoleLinks)
        .set({ tokenHash: USED + tokenHash })
        .where(and(eq(consoleLinks.tokenHash, tokenHash), gt(consoleLinks.expiresAt, now)))
        .returning();
      return taken[0] ?? null;
    },
    /** Removes everybody's links that have expired. */
    async sweepLinks(now: number): Promise<void> {
      await db.delete(consoleLinks).where(lte(consoleLinks.expiresAt, now));
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
