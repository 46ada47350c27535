import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { count } from './counters.ts';
import { rowParametersOf } from './json-rows.ts';
import type { PlanRow } from './plans.ts';
import { first, rowsOf } from './queries.ts';
import { isDue, nextOf, renewalValues } from './renewals.ts';
import type { RequestRow } from './requests.ts';
import { changeOf, param, replacement, type Session, shortName } from './session.ts';

export type ServiceRow = Tables['services']['$inferSelect'];
export type OpenRequest = Pick<RequestRow, 'id' | 'type' | 'status'>;

/** A service with its plan and the open request that its record shows. */
export interface ServiceView {
  service: ServiceRow;
  plan: PlanRow;
  openRequest: OpenRequest | null;
}

/** The statement for the broker's service by its number, shared by reads and writes. */
export function serviceById(session: Session) {
  const { services } = session.tables;
  const named = and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')));
  return session.statement('services.find', () => rowsOf(session, services)(named));
}

export function serviceWrites(session: Session) {
  const { db, dialect, tables, statement } = session;
  const { services } = tables;
  const rowsWhere = rowsOf(session, services);
  const one = serviceById(session);
  const change = changeOf(session, 'services.update', services);
  const byNumber = and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')));
  const locked = statement('services.lock', () => session.locking(rowsWhere(byNumber)));

  const numbered = rowParametersOf(dialect, { number: services.number });
  const free = statement('services.free', () => {
    const which = sql`${services.number} in (select ${numbered.fields.number} from ${numbered.from})`;
    return session.locking(rowsWhere(which), { skipLocked: true });
  });

  const tally = (row: Pick<ServiceRow, 'brokerId' | 'planId' | 'status'>, by: number) =>
    count(session, { brokerId: row.brokerId, subject: 'services', kind: row.planId, status: row.status, by });

  const { number: ownNumber, ...columns } = getTableColumns(services);
  /** As in `changeOf`, one statement for each set of columns. */
  const changeEach = (names: ReadonlyArray<keyof typeof columns>) => {
    const changed = Object.fromEntries(names.map((name) => [name, columns[name]]));
    const given = rowParametersOf(dialect, { number: ownNumber, ...changed });
    const { number, ...values } = given.fields;
    const run = session.statement(shortName('services.updateEach', names.join()), () =>
      db.update(services).set(values).from(given.from).where(eq(services.number, number)),
    );
    return (rows: ServiceRow[]) => run(given.pack(rows));
  };

  /** The rule of src/rules/last-change.ts in SQL. */
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');
  const lastChangeAt = (now: SQL | number) => sql<number>`${later}(${services.updatedAt} + 1, cast(${now} as bigint))`;

  const touched = session.statement('services.touch', () =>
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
      .set({ renewalAt: nextOf(services), updatedAt: lastChangeAt(param('changedAt')) })
      .where(sql`${services.number} in (${unlocked})`)
      .returning({ number: services.number });
  });

  return {
    /**
     * The service, locked until the transaction ends. Every change of a service or of its requests takes this lock
     * first, so that each change sees the result of the one before.
     */
    lock: (brokerId: string, number: number): Promise<ServiceRow | null> => first(locked({ brokerId, number })),
    /** The broker's services with these numbers (a few hundred at most), locked like `lock` does. */
    async lockMany(brokerId: string, numbers: number[]): Promise<ServiceRow[]> {
      const which = and(eq(services.brokerId, brokerId), inArray(services.number, numbers));
      // In a fixed order, so that two imports of the same services cannot deadlock.
      return session.locking(rowsWhere(which, { orderBy: [asc(services.number)] }));
    },
    /** Those of these services, of any broker, that no other transaction has locked; locked like `lock` does. */
    lockFree: (numbers: number[]): Promise<ServiceRow[]> => free(numbered.pack(numbers.map((number) => ({ number })))),
    /** Services of a plan by creation, starting after the service `after`; locked like `lock` does. */
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
      const found = await rowsWhere(which, { orderBy: [asc(services.createdAt), asc(services.number)], limit });
      const rows = await this.lockMany(
        brokerId,
        Array.from(found, ({ number }) => number),
      );
      return rows.sort((a, b) => a.createdAt - b.createdAt || a.number - b.number);
    },
    async insert(rows: ServiceRow[]): Promise<void> {
      await db.insert(services).values(rows);
      for (const row of rows) tally(row, 1);
    },
    /** Replaces services; `before` holds each of them as `lockMany` returned it. */
    async replace(rows: ServiceRow[], before: ReadonlyMap<number, ServiceRow>): Promise<void> {
      const replaced = rows.map((row) => {
        const found = before.get(row.number);
        // Without the lock the row could be another broker's, or be counted twice.
        if (found?.brokerId !== row.brokerId) throw new Error(`service ${row.number} was not locked before its change`);
        return found;
      });
      await db
        .insert(services)
        .values(rows)
        .onConflictDoUpdate({ target: services.number, set: replacement(services, ['number', 'brokerId']) });
      for (const row of replaced) tally(row, -1);
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
      // Not changed in between: it is locked, or SQLite has this one writer.
      if (before && (before.planId !== after.planId || before.status !== after.status)) {
        tally(before, -1);
        tally(after, 1);
      }
      return after;
    },
    /** Changes several services, each locked and as last read, to values of its own. */
    async updateEach(
      changes: ReadonlyArray<{ service: ServiceRow; to: Partial<Omit<ServiceRow, 'number' | 'brokerId'>> }>,
    ): Promise<void> {
      const names = [...new Set(changes.flatMap(({ to }) => Object.keys(to)))] as Array<keyof typeof columns>;
      const rows = changes.map(({ service, to }) => Object.assign({}, service, to));
      await changeEach(names.sort())(rows);
      for (const { service } of changes) tally(service, -1);
      for (const row of rows) tally(row, 1);
    },
    /** Updates `updatedAt` for a change that the service's record shows and its row does not have: its open request. */
    async touch(brokerId: string, number: number, now: number): Promise<void> {
      await touched({ brokerId, number, now });
    },
    /** The same for a few hundred services. */
    async touchMany(brokerId: string, numbers: number[], now: number): Promise<void> {
      await db
        .update(services)
        .set({ updatedAt: lastChangeAt(now) })
        .where(and(eq(services.brokerId, brokerId), inArray(services.number, numbers)));
    },
    /**
     * Renews services of all brokers whose renewal date has passed at `asOf`, oldest date first; resolves with their number. On
     * PostgreSQL locked services are skipped until the next run.
     */
    async renew({ now, asOf = now, limit }: { now: number; asOf?: number; limit: number }): Promise<number> {
      return (await renewal({ ...renewalValues(asOf), changedAt: now, limit })).length;
    },
  };
}
