import { and, asc, eq, getTableColumns, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { IS_LIVING, type Tables } from '../../../drizzle/tables.ts';
import { anchorOf, nextRenewal } from '../../rules/renewals.ts';
import { count } from '../session/counters.ts';
import { changeOf, param, replacement, type Session } from '../session/session.ts';
import { first, rowsOf } from '../session/statements.ts';
import type { PlanRow } from './plans.ts';
import type { RequestRow } from './requests.ts';

export type ServiceRow = Tables['services']['$inferSelect'];
/** An open request as far as its service's record shows it, and what will be of the service. */
export type OpenRequest = Pick<
  RequestRow,
  | 'id'
  | 'type'
  | 'status'
  | 'origin'
  | 'submittedAt'
  | 'updatedAt'
  | 'effectiveAt'
  | 'newPlanId'
  | 'cleansUp'
  | 'retryOf'
>;

/** The columns of a service that its record is made of. */
export const shownColumns = (services: Tables['services']) => {
  const { brokerId, clientEmailFolded, searchText, importId, uid, keptConfiguration, ...shown } =
    getTableColumns(services);
  return shown;
};
export type ShownService = Pick<ServiceRow, keyof ReturnType<typeof shownColumns>>;

/** A service with its plan, its open requests by precedence, and the plans that they lead to: as a list shows it. */
export interface ListedService {
  service: ShownService;
  plan: PlanRow;
  openRequests: OpenRequest[];
  newPlans: ReadonlyMap<string | null, PlanRow>;
}

/** The whole of it. */
export interface ServiceView extends ListedService {
  service: ServiceRow;
  /** The request that created it, for `serviceUid`; null where its uid needs none. */
  creationId: string | null;
}

/** The statement for the broker's service by its number, shared by reads and writes. */
export function serviceById(session: Session) {
  const { services } = session.tables;
  const named = and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')));
  return session.statement('services.find', () => rowsOf(session, services)(named));
}

/**
 * Whether the renewal date of a living service has passed. One whose term ends by that date is left to the worker that
 * ends it: at an equal date the end of term comes first (contract, section 6, "Renewal").
 */
export const isDue = (services: Tables['services']): SQL | undefined =>
  and(lte(services.renewalAt, param('now')), renews(services));

/** Whether the renewal date of a service will move. */
export const renews = ({ renewalAt, cancellationEffectiveAt }: Tables['services']): SQL | undefined =>
  and(
    sql.raw(`renewal_at is not null and ${IS_LIVING}`),
    or(isNull(cancellationEffectiveAt), sql`${cancellationEffectiveAt} > ${renewalAt}`),
  );

export function serviceWrites(session: Session) {
  const { db, dialect, tables, statement } = session;
  const { services } = tables;
  const rowsWhere = rowsOf(session, services);
  const one = serviceById(session);
  const change = changeOf(session, 'services.update', services);
  const byNumber = and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')));
  const locked = statement('services.lock', () => session.locking(rowsWhere(byNumber)));

  const tally = (row: Pick<ServiceRow, 'brokerId' | 'planId' | 'status'>, by: number) =>
    count(session, { brokerId: row.brokerId, subject: 'services', kind: row.planId, status: row.status, by });

  /** The rule of src/rules/timestamps.ts in SQL. */
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');
  const lastChangeAt = (now: SQL | number) => sql<number>`${later}(${services.updatedAt} + 1, cast(${now} as bigint))`;

  const touched = session.statement('services.touch', () =>
    db
      .update(services)
      .set({ updatedAt: lastChangeAt(param('now')) })
      .where(byNumber),
  );
  const { number, renewalAt, renewalAnchor } = services;
  const dueColumns = { number, renewalAt, renewalAnchor };
  const dueOf = (name: string, where: SQL | undefined) =>
    statement(name, () =>
      session.locking(
        db.select(dueColumns).from(services).where(where).orderBy(asc(services.renewalAt)).limit(param('limit')),
        {
          skipLocked: true,
        },
      ),
    );
  const due = dueOf('services.due', isDue(services));
  const dueOfBroker = dueOf('services.dueOfBroker', and(eq(services.brokerId, param('brokerId')), isDue(services)));
  // Of rows that this transaction has locked, of whichever brokers.
  const renewed = statement('services.renew', () =>
    db
      .update(services)
      .set({ renewalAt: sql`moved.renews_at`, updatedAt: lastChangeAt(param('changedAt')) })
      .from(pairsOf(session, param('moved')))
      .where(sql`${services.number} = moved.service_number`),
  );

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
    /** @param locked the row as it is, where it was locked; it is read unless given */
    async update(
      brokerId: string,
      number: number,
      changes: Partial<Omit<ServiceRow, 'number' | 'brokerId'>>,
      locked?: ServiceRow,
    ): Promise<ServiceRow | null> {
      const counted = changes.planId !== undefined || changes.status !== undefined;
      const [before] = locked ? [locked] : counted ? await one({ brokerId, number }) : [];
      const [after] = await change(changes, { shape: '', where: byNumber, params: { brokerId, number } });
      if (!after) return null;
      // Not changed in between: it is locked, or SQLite has this one writer.
      if (before && (before.planId !== after.planId || before.status !== after.status)) {
        tally(before, -1);
        tally(after, 1);
      }
      return after;
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
     * Moves the renewal dates that have passed at `now` to the first one after it, oldest first; resolves with their
     * number. Services that another transaction has locked are left for the next time.
     * @param of a broker; all of them unless given
     */
    async renew({ now, limit, of }: { now: number; limit: number; of?: string }): Promise<number> {
      const found = await (of === undefined ? due({ now, limit }) : dueOfBroker({ now, limit, brokerId: of }));
      if (found.length === 0) return 0;
      const moved = found.map(({ number, renewalAt, renewalAnchor }) => [
        number,
        nextRenewal(renewalAnchor ?? anchorOf(Number(renewalAt)), now),
      ]);
      await renewed({ moved: JSON.stringify(moved), changedAt: now });
      return found.length;
    },
  };
}

/** Services with their next renewal dates, as JSON pairs in one parameter: a step is one statement, however many dates it has. */
const pairsOf = ({ dialect }: Session, json: unknown): SQL =>
  dialect === 'sqlite'
    ? sql`(select value ->> 0 as service_number, value ->> 1 as renews_at from json_each(${json})) as moved`
    : sql`(select (value ->> 0)::bigint as service_number, (value ->> 1)::bigint as renews_at
        from json_array_elements(${json}::json)) as moved`;
