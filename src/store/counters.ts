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

/** More than the connections that write to one database at a time; two that meet in one only wait as before. */
const SLOTS = 64;

/** A request changes two to four counters; an import, which may change hundreds, takes them in steps. */
const ADDED_AT_ONCE = 8;

/**
 * Writes the noted changes, in one order for everybody: two transactions that both count the same lists
 * then queue up for the rows and never wait for one another in a circle.
 */
export function counterWrites(session: Session) {
  const { db, dialect, tables, write, counterChanges } = session;
  const { counters } = tables;
  // SQLite has one writer. On PostgreSQL each connection has a slot: a row that all writers of a broker shared would be
  // held from here to the end of the commit, one writer after the other.
  const slot = dialect === 'postgres' ? sql<number>`pg_backend_pid() % ${sql.raw(String(SLOTS))}` : 0;
  const one = (index: number) => ({
    brokerId: param<string>(`brokerId${index}`),
    subject: param<CounterChange['subject']>(`subject${index}`),
    kind: param<string>(`kind${index}`),
    status: param<string>(`status${index}`),
    slot,
    value: param<number>(`by${index}`),
  });
  /** All changes of a transaction are one statement. */
  const add = (changes: readonly CounterChange[]) => {
    const run = write(`counters.add ${changes.length}`, () =>
      db
        .insert(counters)
        .values(changes.map((_, index) => one(index)))
        .onConflictDoUpdate({
          target: [counters.brokerId, counters.subject, counters.kind, counters.status, counters.slot],
          set: { value: sql`${counters.value} + excluded.value` },
        }),
    );
    const values = changes.flatMap((change, index) =>
      Object.entries(change).map(([name, value]) => [`${name}${index}`, value]),
    );
    return run(Object.fromEntries(values));
  };
  return {
    async flush(): Promise<void> {
      const changes = [...counterChanges]
        .filter(([, { by }]) => by !== 0)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, change]) => change);
      counterChanges.clear();
      for (let first = 0; first < changes.length; first += ADDED_AT_ONCE) {
        await add(changes.slice(first, first + ADDED_AT_ONCE));
      }
    },
  };
}
