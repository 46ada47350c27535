import { and, eq, inArray, sql } from 'drizzle-orm';
import { type CounterChange, param, type Session } from './session.ts';

export function counterReads({ db, tables: { counters }, statement }: Session) {
  const whole = statement('counters.total', () =>
    db
      .select({ total: sql<number>`coalesce(sum(${counters.value}), 0)`.mapWith(Number) })
      .from(counters)
      .where(and(eq(counters.brokerId, param('brokerId')), eq(counters.subject, param('subject')))),
  );
  return {
    /** How many rows a broker's list has, narrowed by kinds (plan ids, request types) and status. */
    async total(
      brokerId: string,
      subject: CounterChange['subject'],
      filter: { kinds?: readonly string[] | undefined; status?: string | undefined } = {},
    ): Promise<number> {
      const { kinds, status } = filter;
      if (kinds === undefined && status === undefined) return sumOf(await whole({ brokerId, subject }));
      const rows = await db
        .select({ total: sql<number>`coalesce(sum(${counters.value}), 0)`.mapWith(Number) })
        .from(counters)
        .where(
          and(
            eq(counters.brokerId, brokerId),
            eq(counters.subject, subject),
            kinds && inArray(counters.kind, [...kinds]),
            status === undefined ? undefined : eq(counters.status, status),
          ),
        );
      return sumOf(rows);
    },
  };
}

/** An aggregate without groups answers with one row, always. */
export const sumOf = ([row]: Array<{ total: number }>): number => Number(row?.total);

/** Notes a change of a list's length; the session writes all notes of a transaction just before it commits. */
export function count(session: Session, change: CounterChange): void {
  const name = `${change.brokerId} ${change.subject} ${change.kind} ${change.status}`;
  const noted = session.counterChanges.get(name);
  if (noted) noted.by += change.by;
  else session.counterChanges.set(name, { ...change });
}

/**
 * Writes the noted changes, in one order for everybody: two transactions that both count the same lists
 * then queue up for the rows and never wait for one another in a circle.
 */
export function counterWrites(session: Session) {
  const { db, tables, statement, counterChanges } = session;
  const { counters } = tables;
  const add = statement('counters.add', () =>
    db
      .insert(counters)
      .values({
        brokerId: param('brokerId'),
        subject: param('subject'),
        kind: param('kind'),
        status: param('status'),
        value: param('by'),
      })
      .onConflictDoUpdate({
        target: [counters.brokerId, counters.subject, counters.kind, counters.status],
        set: { value: sql`${counters.value} + excluded.value` },
      }),
  );
  return {
    async flush(): Promise<void> {
      const names = [...counterChanges.keys()].sort();
      for (const name of names) {
        const change = counterChanges.get(name);
        if (change && change.by !== 0) await add({ ...change });
      }
      counterChanges.clear();
    },
  };
}
