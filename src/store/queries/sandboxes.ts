import { and, asc, desc, eq, getTableColumns, lt, lte, sql } from 'drizzle-orm';
import { SHARED_TABLES, sandboxesOf } from '../../../drizzle/sandbox.ts';
import { param, type Session } from '../session/session.ts';
import { first, rowsOf, sumOf, TOTAL } from '../session/statements.ts';
import type { RequestRow } from './requests.ts';
import { renews } from './services.ts';

export type SandboxRow = (typeof sandboxesOf)['sqlite']['$inferSelect'];

/** A sandbox, and when its next step and its next renewal are due by its own clock; null where none is planned. */
export type SandboxState = SandboxRow & { nextDueAt: number | null; nextRenewalAt: number | null };

/** What is only in the database of the sandboxes (contract, section 8). */
export function sandboxReads({ db, dialect, tables: { requests, services }, statement }: Session) {
  const sandboxes = sandboxesOf[dialect];
  const isNamed = eq(sandboxes.brokerId, param('brokerId'));
  const nextDueAt = sql<number | null>`(select min(${requests.dueAt}) from ${requests}
    where ${requests.brokerId} = ${param('brokerId')} and due_at is not null)`.mapWith(requests.dueAt);
  const nextRenewalAt = sql<number | null>`(select min(${services.renewalAt}) from ${services}
    where ${services.brokerId} = ${param('brokerId')} and ${renews(services)})`.mapWith(services.renewalAt);
  const state = statement('sandboxes.find', () =>
    db
      .select({ ...getTableColumns(sandboxes), nextDueAt, nextRenewalAt })
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
  const { requests, idempotencyRecords } = tables;
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
      for (const name of SHARED_TABLES) await db.delete(tables[name]).where(eq(tables[name].brokerId, brokerId));
      await db.delete(sandboxes).where(eq(sandboxes.brokerId, brokerId));
    },
  };
}
