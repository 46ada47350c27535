import { and, eq, inArray, sql } from 'drizzle-orm';
import { type CounterChange, param, type Session } from './session.ts';
import { given, sumOf } from './statements.ts';
import { together } from './together.ts';

interface CounterFilter {
  /** Plan ids or request types. */
  kinds?: readonly string[] | undefined;
  status?: string | undefined;
}

/** The query for how many rows a list has: of one broker, or of all where `brokerId` is undefined. */
export function counterTotal(
  { db, tables: { counters } }: Session,
  brokerId: string | undefined,
  subject: CounterChange['subject'],
  { kinds, status }: CounterFilter = {},
) {
  return db
    .select({ total: sql<number>`coalesce(sum(${counters.value}), 0)`.mapWith(Number) })
    .from(counters)
    .where(
      and(
        given(eq, counters.brokerId, brokerId),
        eq(counters.subject, subject),
        kinds && inArray(counters.kind, [...kinds]),
        given(eq, counters.status, status),
      ),
    );
}

/** How many services of a plan and status, or requests of a type and status, a broker has. */
export interface BrokerTally {
  brokerId: string;
  subject: 'services' | 'requests';
  kind: string;
  status: string;
  total: number;
}

export function counterReads(session: Session) {
  const { counters } = session.tables;
  const whole = session.statement('counters.total', () => counterTotal(session, param('brokerId'), param('subject')));
  return {
    /** How many rows a broker's list has. */
    async total(brokerId: string, subject: CounterChange['subject'], filter: CounterFilter = {}): Promise<number> {
      const isWhole = filter.kinds === undefined && filter.status === undefined;
      return sumOf(await (isWhole ? whole({ brokerId, subject }) : counterTotal(session, brokerId, subject, filter)));
    },
    /** The counters of these brokers. */
    async listTallies(brokerIds: string[]): Promise<BrokerTally[]> {
      return session.db
        .select({
          brokerId: counters.brokerId,
          subject: counters.subject,
          kind: counters.kind,
          status: counters.status,
          total: sql<number>`sum(${counters.value})`.mapWith(Number),
        })
        .from(counters)
        .where(inArray(counters.brokerId, brokerIds))
        .groupBy(counters.brokerId, counters.subject, counters.kind, counters.status);
    },
  };
}

/** Notes a change of a list's length; `flush` writes all notes of a transaction just before it commits. */
export function count(session: Session, change: CounterChange): void {
  const name = `${change.brokerId} ${change.subject} ${change.kind} ${change.status}`;
  const noted = session.counterChanges.get(name);
  if (noted) noted.by += change.by;
  else session.counterChanges.set(name, { ...change });
}

/** More than the connections that write concurrently; two that share a slot wait for each other. */
const SLOTS = 64;

/** A request changes two to four counters; an import may change hundreds and writes them in steps. */
const ADDED_AT_ONCE = 8;

/** Writes the noted changes in a fixed order, so that concurrent transactions cannot deadlock. */
export function counterWrites(session: Session) {
  const { db, dialect, tables, statement, counterChanges } = session;
  const { counters } = tables;
  // SQLite has one writer. On PostgreSQL each connection has a slot: a row shared by all writers of a broker would stay
  // locked until the commit ends, so they would run one after the other.
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
    const run = statement(`counters.add ${changes.length}`, () =>
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
    /** Sends all statements before it waits for an answer. */
    async flush(): Promise<void> {
      const changes = [...counterChanges]
        .filter(([, { by }]) => by !== 0)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, change]) => change);
      counterChanges.clear();
      const steps: Array<Promise<unknown>> = [];
      for (let first = 0; first < changes.length; first += ADDED_AT_ONCE) {
        steps.push(add(changes.slice(first, first + ADDED_AT_ONCE)));
      }
      await together(steps);
    },
  };
}
