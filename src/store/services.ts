import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { count } from './counters.ts';
import { rowParametersOf } from './json-rows.ts';
import type { PlanRow } from './plans.ts';
import { isDue, nextOf, renewalValues } from './renewals.ts';
import type { RequestRow } from './requests.ts';
import { changeOf, param, replacement, type Session, shortName } from './session.ts';

export type ServiceRow = Tables['services']['$inferSelect'];
export type OpenRequest = Pick<RequestRow, 'id' | 'type' | 'status'>;

/** A service with what its record shows beside it. */
export interface ServiceView {
  service: ServiceRow;
  plan: PlanRow;
  openRequest: OpenRequest | null;
}

/** The broker's own service by its number: the statement that reads and writes have in common. */
export const serviceById = ({ db, tables: { services }, statement }: Session) =>
  statement('services.find', () =>
    db
      .select()
      .from(services)
      .where(and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')))),
  );

export function serviceWrites(session: Session) {
  const { db, dialect, tables, statement } = session;
  const { services } = tables;
  const one = serviceById(session);
  const change = changeOf(session, 'services.update', services);
  const byNumber = and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')));
  const locked = session.statement('services.lock', () => session.locking(db.select().from(services).where(byNumber)));

  const numbered = rowParametersOf(dialect, { number: services.number });
  const free = session.statement('services.free', () => {
    const which = sql`${services.number} in (select ${numbered.fields.number} from ${numbered.from})`;
    return session.locking(db.select().from(services).where(which), { skipLocked: true });
  });

  const tally = (row: Pick<ServiceRow, 'brokerId' | 'planId' | 'status'>, by: number) =>
    count(session, { brokerId: row.brokerId, subject: 'services', kind: row.planId, status: row.status, by });

  const { number: ownNumber, ...columns } = getTableColumns(services);
  /** One statement for each set of columns that are changed together, as in `changeOf`. */
  const changeEach = (names: ReadonlyArray<keyof typeof columns>) => {
    const changed = Object.fromEntries(names.map((name) => [name, columns[name]]));
    const given = rowParametersOf(dialect, { number: ownNumber, ...changed });
    const { number, ...values } = given.fields;
    const run = session.write(shortName('services.updateEach', names.join()), () =>
      db.update(services).set(values).from(given.from).where(eq(services.number, number)),
    );
    return (rows: ServiceRow[]) => run(given.pack(rows));
  };

  /** The rule of src/rules/last-change.ts in SQL. */
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');
  const lastChangeAt = (now: SQL | number) => sql<number>`${later}(${services.updatedAt} + 1, cast(${now} as bigint))`;

  const touched = session.write('services.touch', () =>
    db
      .update(services)
      .set({ updatedAt: lastChangeAt(param('now')) })
      .where(byNumber),
  );
  const renewal = statement('services.renew', () => {
    const due = db
      .select({ number: services.number })
      .from(services)
      .where(isDue(services))
      .orderBy(services.renewalAt)
      .limit(param('limit'));
    const unlocked = dialect === 'postgres' ? sql`${due} for update skip locked` : due;
    return db
      .update(services)
      .set({ renewalAt: nextOf(services), updatedAt: lastChangeAt(param('now')) })
      .where(sql`${services.number} in (${unlocked})`)
      .returning({ number: services.number });
  });

  return {
    /**
     * The service as it stands, locked until the transaction ends. Whatever changes a service or one of its
     * requests takes this lock first, so that on every engine one change sees the other's outcome.
     */
    async lock(brokerId: string, number: number): Promise<ServiceRow | null> {
      return (await locked({ brokerId, number }))[0] ?? null;
    },
    /** Those of these services that the broker has, locked like `lock` does; a few hundred numbers at most. */
    async lockMany(brokerId: string, numbers: number[]): Promise<ServiceRow[]> {
      const which = and(eq(services.brokerId, brokerId), inArray(services.number, numbers));
      // In one order for everybody: two imports of the same services then queue up.
      await session.lock(sql`select 1 from ${services} where ${which} order by ${services.number}`);
      return db.select().from(services).where(which);
    },
    /**
     * Those of these services that nobody else has locked, of any broker, locked like `lock` does: for whoever changes
     * many at once and shall neither wait for one nor hold the others meanwhile.
     */
    lockFree: (numbers: number[]): Promise<ServiceRow[]> => free(numbered.pack(numbers.map((number) => ({ number })))),
    /** Services of a plan in the order of their creation, from behind the one that was last; locked like `lock` does. */
    async lockOnPlan(
      brokerId: string,
      planId: string,
      after: Pick<ServiceRow, 'createdAt' | 'number'> | null,
      limit: number,
    ): Promise<ServiceRow[]> {
      const which = and(
        eq(services.brokerId, brokerId),
        eq(services.planId, planId),
        after ? sql`(${services.createdAt}, ${services.number}) > (${after.createdAt}, ${after.number})` : undefined,
      );
      const numbers = await db
        .select({ number: services.number })
        .from(services)
        .where(which)
        .orderBy(services.createdAt, services.number)
        .limit(limit);
      const rows = await this.lockMany(
        brokerId,
        numbers.map(({ number }) => number),
      );
      return rows.sort((a, b) => a.createdAt - b.createdAt || a.number - b.number);
    },
    async insert(rows: ServiceRow[]): Promise<void> {
      await db.insert(services).values(rows);
      for (const row of rows) tally(row, 1);
    },
    /** Writes services anew as a whole; `before` holds each of them as `lockMany` found it. */
    async replace(rows: ServiceRow[], before: ReadonlyMap<number, ServiceRow>): Promise<void> {
      const standing = rows.map((row) => {
        const found = before.get(row.number);
        // Without its lock the row could be another broker's, or be counted twice.
        if (found?.brokerId !== row.brokerId) throw new Error(`service ${row.number} was not locked before its change`);
        return found;
      });
      await db
        .insert(services)
        .values(rows)
        .onConflictDoUpdate({ target: services.number, set: replacement(services, ['number', 'brokerId']) });
      for (const row of standing) tally(row, -1);
      for (const row of rows) tally(row, 1);
    },
    async update(
      brokerId: string,
      number: number,
      changes: Partial<Omit<ServiceRow, 'number' | 'brokerId'>>,
    ): Promise<ServiceRow | null> {
      const counted = changes.planId !== undefined || changes.status !== undefined;
      const [before] = counted ? await one({ brokerId, number }) : [];
      const [after] = await change(changes, { shape: '', where: byNumber, params: { brokerId, number } });
      if (!after) return null;
      // Nobody can have taken it away in between: it is locked, or SQLite has this one writer.
      if (before && (before.planId !== after.planId || before.status !== after.status)) {
        tally(before, -1);
        tally(after, 1);
      }
      return after;
    },
    /** Changes each of these services, all of them locked and as they stand, in its own way. */
    async updateEach(
      changes: ReadonlyArray<{ service: ServiceRow; to: Partial<Omit<ServiceRow, 'number' | 'brokerId'>> }>,
    ): Promise<void> {
      const names = [...new Set(changes.flatMap(({ to }) => Object.keys(to)))] as Array<keyof typeof columns>;
      const rows = changes.map(({ service, to }) => Object.assign({}, service, to));
      await changeEach(names.sort())(rows);
      for (const { service } of changes) tally(service, -1);
      for (const row of rows) tally(row, 1);
    },
    /** Notes a change that the service's record shows and its row does not hold: that of its open request. */
    async touch(brokerId: string, number: number, now: number): Promise<void> {
      await touched({ brokerId, number, now });
    },
    /** The same of a few hundred services at once. */
    async touchMany(brokerId: string, numbers: number[], now: number): Promise<void> {
      await db
        .update(services)
        .set({ updatedAt: lastChangeAt(now) })
        .where(and(eq(services.brokerId, brokerId), inArray(services.number, numbers)));
    },
    /**
     * Moves on what has passed, over all brokers, the longest passed first; resolves with how many services that were.
     * On PostgreSQL those that somebody is changing are left for the next look, so that nobody waits for one another.
     */
    async renew({ now, limit }: { now: number; limit: number }): Promise<number> {
      return (await renewal({ ...renewalValues(now), limit })).length;
    },
  };
}
