import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm';
import { sandboxesOf } from '../../drizzle/sandbox.ts';
import { IS_ENDED, IS_FINAL } from '../../drizzle/tables.ts';
import { count } from './counters.ts';
import { first, rowsOf, sumOf, TOTAL } from './queries.ts';
import type { RequestRow } from './requests.ts';
import { param, type Session } from './session.ts';

export type SandboxRow = (typeof sandboxesOf)['sqlite']['$inferSelect'];

/** A sandbox, and when its next step is due by its own clock; null where none is planned. */
export type SandboxState = SandboxRow & { nextDueAt: number | null };

/** What is only in the database of the sandboxes (contract, section 8). */
export function sandboxReads({ db, dialect, tables: { requests }, statement }: Session) {
  const sandboxes = sandboxesOf[dialect];
  const isNamed = eq(sandboxes.brokerId, param('brokerId'));
  const nextDueAt = sql<number | null>`(select min(${requests.dueAt}) from ${requests}
    where ${requests.brokerId} = ${param('brokerId')} and due_at is not null)`.mapWith(requests.dueAt);
  const state = statement('sandboxes.find', () =>
    db
      .select({ ...getTableColumns(sandboxes), nextDueAt })
      .from(sandboxes)
      .where(isNamed),
  );
  return {
    find: (brokerId: string): Promise<SandboxState | null> => first(state({ brokerId })),
    /** A sandbox that has not been called since `before` (the real clock). */
    async findForgotten(before: number): Promise<string | null> {
      const which = db.select().from(sandboxes).where(lt(sandboxes.calledAt, before));
      const row = await first<SandboxRow>(which.orderBy(asc(sandboxes.calledAt)).limit(1));
      return row?.brokerId ?? null;
    },
    /** How many there are. */
    count: async (): Promise<number> => sumOf(await db.select(TOTAL).from(sandboxes)),
  };
}

export function sandboxWrites(session: Session) {
  const { find } = sandboxReads(session);
  const { db, dialect, tables, statement } = session;
  const { plans, services, requests, requestHistory, templates, idempotencyRecords, counters } = tables;
  const sandboxes = sandboxesOf[dialect];
  const isNamed = eq(sandboxes.brokerId, param('brokerId'));
  const issue = statement('sandboxes.issue', () =>
    db
      .update(sandboxes)
      .set({ nextNumber: sql`${sandboxes.nextNumber} + 1` })
      .where(isNamed)
      .returning({ next: sandboxes.nextNumber }),
  );
  const due = statement('sandboxes.due', () =>
    rowsOf(session, requests)(
      and(eq(requests.brokerId, param('brokerId')), lte(requests.dueAt, param('now')), sql`due_at is not null`),
      { orderBy: [asc(requests.dueAt), asc(requests.id)], limit: 1 },
    ),
  );

  /** Removes requests with their histories. */
  async function removeRequests(brokerId: string, which: SQL | undefined, limit: number): Promise<number> {
    const found = await rowsOf(session, requests)(and(eq(requests.brokerId, brokerId), which), {
      orderBy: [asc(requests.submittedAt), asc(requests.id)],
      limit,
    });
    const ids = found.map(({ id }) => id);
    await db
      .delete(requestHistory)
      .where(and(eq(requestHistory.brokerId, brokerId), inArray(requestHistory.requestId, ids)));
    await db.delete(requests).where(and(eq(requests.brokerId, brokerId), inArray(requests.id, ids)));
    for (const { type, status } of found) count(session, { brokerId, subject: 'requests', kind: type, status, by: -1 });
    return found.length;
  }

  return {
    /**
     * The sandbox, locked until the transaction ends, whether it is there or not: every change of its records takes this
     * lock first.
     */
    async lock(brokerId: string): Promise<SandboxState | null> {
      await session.lockName(`sandbox ${brokerId}`);
      return find(brokerId);
    },
    /** The first step that is due, by its date. */
    findDue: (brokerId: string, now: number): Promise<RequestRow | null> => first(due({ brokerId, now })),
    async insert(row: SandboxRow): Promise<void> {
      await db.insert(sandboxes).values(row);
    },
    async update(brokerId: string, changes: Partial<SandboxRow>): Promise<void> {
      await db.update(sandboxes).set(changes).where(eq(sandboxes.brokerId, brokerId));
    },
    /** Issues the number of a new service. */
    async nextNumber(brokerId: string): Promise<number> {
      const [row] = await issue({ brokerId });
      // It is locked.
      return Number(row?.next) - 1;
    },
    /** Removes the oldest ended service with a number from `from` on, with its requests; how many requests, null: there is none. */
    async removeEnded(brokerId: string, from: number): Promise<number | null> {
      const [oldest] = await rowsOf(session, services)(
        and(eq(services.brokerId, brokerId), gte(services.number, from), sql.raw(IS_ENDED)),
        { orderBy: [asc(services.number)], limit: 1 },
      );
      if (!oldest) return null;
      const { number, planId, status } = oldest;
      const removed = await removeRequests(brokerId, eq(requests.serviceNumber, number), 10_000);
      await db.delete(services).where(and(eq(services.brokerId, brokerId), eq(services.number, number)));
      count(session, { brokerId, subject: 'services', kind: planId, status, by: -1 });
      return removed;
    },
    /** Removes the oldest final requests; returns how many. */
    removeFinal: (brokerId: string, limit: number): Promise<number> =>
      removeRequests(brokerId, sql.raw(IS_FINAL), limit),
    /** Removes all idempotency records but the newest. */
    async trimIdempotency(brokerId: string, kept: number): Promise<void> {
      const [oldest] = await db
        .select({ createdAt: idempotencyRecords.createdAt })
        .from(idempotencyRecords)
        .where(eq(idempotencyRecords.brokerId, brokerId))
        .orderBy(desc(idempotencyRecords.createdAt))
        .offset(kept)
        .limit(1);
      if (!oldest) return;
      const { createdAt } = oldest;
      await db
        .delete(idempotencyRecords)
        .where(and(eq(idempotencyRecords.brokerId, brokerId), lte(idempotencyRecords.createdAt, createdAt)));
    },
    /** Removes a sandbox with all its records. */
    async remove(brokerId: string): Promise<void> {
      for (const table of [requestHistory, requests, services, plans, templates, idempotencyRecords, counters]) {
        await db.delete(table).where(eq(table.brokerId, brokerId));
      }
      await db.delete(sandboxes).where(eq(sandboxes.brokerId, brokerId));
    },
  };
}
