import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../../drizzle/tables.ts';
import { count, sumOf } from './counters.ts';
import type { BillingType, PlanRow } from './plans.ts';
import type { RequestRow } from './requests.ts';
import { type Page, param, replacement, type Session } from './session.ts';

export type ServiceRow = Tables['services']['$inferSelect'];
export type ServiceStatus = ServiceRow['status'];
export type OpenRequest = Pick<RequestRow, 'id' | 'type' | 'status'>;

/** A service with what its record shows beside it. */
export interface ServiceView {
  service: ServiceRow;
  plan: PlanRow;
  openRequest: OpenRequest | null;
}

export interface ServiceFilter {
  status?: ServiceStatus | undefined;
  planId?: string | undefined;
  billingType?: BillingType | undefined;
  clientEmailFolded?: string | undefined;
  /** Folded text, taken literally. */
  search?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  renewalBefore?: number | undefined;
}

const OPEN = sql.raw(`('pending', 'operator_review', 'accepted')`);

/** The broker's own service by its number: the statement that reads and writes have in common. */
const serviceById = ({ db, tables: { services }, statement }: Session) =>
  statement('services.find', () =>
    db
      .select()
      .from(services)
      .where(and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')))),
  );

export function serviceReads(session: Session) {
  const { db, dialect, tables, statement } = session;
  const { services, plans, requests } = tables;
  const open = alias(requests, 'open_request');

  /** The one open request that a record shows: a cancellation before a plan change before a creation. */
  const shownRequest = sql`(select r.id from requests r where r.service_number = ${services.number} and r.status in ${OPEN}
    order by case r.type when 'cancellation' then 0 when 'service-creation' then 2 else 1 end limit 1)`;

  const views = () =>
    db
      .select({
        service: services,
        plan: plans,
        openRequest: { id: open.id, type: open.type, status: open.status },
      })
      .from(services)
      .innerJoin(plans, eq(plans.id, services.planId))
      .leftJoin(open, eq(open.id, shownRequest));

  const view = statement('services.view', () =>
    views().where(and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number')))),
  );
  const one = serviceById(session);

  /** Conditions on top of the broker's id, as placeholders, and a short name of which of them are there. */
  function narrow(filter: ServiceFilter): { shape: string; where: SQL | undefined } {
    const parts: Array<[string, SQL]> = [];
    if (filter.status !== undefined) parts.push(['status', eq(services.status, param('status'))]);
    if (filter.planId !== undefined) parts.push(['plan', eq(services.planId, param('planId'))]);
    if (filter.billingType !== undefined) parts.push(['billing', inArray(services.planId, plansBilled())]);
    if (filter.clientEmailFolded !== undefined)
      parts.push(['email', eq(services.clientEmailFolded, param('clientEmailFolded'))]);
    if (filter.search !== undefined) parts.push(['search', contains()]);
    if (filter.createdFrom !== undefined) parts.push(['from', gte(services.createdAt, param('createdFrom'))]);
    if (filter.createdTo !== undefined) parts.push(['to', lt(services.createdAt, param('createdTo'))]);
    if (filter.renewalBefore !== undefined) parts.push(['renewal', lt(services.renewalAt, param('renewalBefore'))]);
    // With a search the text index leads; the unary plus keeps SQLite from walking the broker's whole list instead.
    const broker =
      filter.search !== undefined && dialect === 'sqlite'
        ? sql`+${services.brokerId} = ${param('brokerId')}`
        : eq(services.brokerId, param('brokerId'));
    return { shape: parts.map(([name]) => name).join(' '), where: and(broker, ...parts.map(([, sqlPart]) => sqlPart)) };
  }

  const plansBilled = () =>
    db
      .select({ id: plans.id })
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), eq(plans.billingType, param('billingType'))));

  function contains(): SQL {
    return dialect === 'sqlite'
      ? sql`${services.number} in (select rowid from service_search where service_search match ${param('searchPhrase')})`
      : sql`${services.searchText} like ${param('searchPattern')}`;
  }

  function values(brokerId: string, { search, ...filter }: ServiceFilter): Record<string, unknown> {
    if (search === undefined) return { brokerId, ...filter };
    return {
      brokerId,
      ...filter,
      searchPhrase: `"${search.replaceAll('"', '""')}"`,
      searchPattern: `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    };
  }

  const newest = () => [desc(services.createdAt), desc(services.number)];

  return {
    async find(brokerId: string, number: number): Promise<ServiceRow | null> {
      return (await one({ brokerId, number }))[0] ?? null;
    },
    async findView(brokerId: string, number: number): Promise<ServiceView | null> {
      return (await view({ brokerId, number }))[0] ?? null;
    },
    /** One page, newest first. The page's numbers come from an index alone; only its own rows are then read. */
    async page(brokerId: string, filter: ServiceFilter, page: Page): Promise<ServiceView[]> {
      const { shape, where } = narrow(filter);
      const rows = statement(`services.page ${shape}`, () => {
        const numbers = db
          .select({ number: services.number })
          .from(services)
          .where(where)
          .orderBy(...newest())
          .limit(param('limit'))
          .offset(param('offset'))
          .as('page');
        return views()
          .innerJoin(numbers, eq(numbers.number, services.number))
          .orderBy(...newest());
      });
      return rows({ ...values(brokerId, filter), ...page });
    },
    /** How many services match. What the counters cannot tell is counted inside one index. */
    async countMatches(brokerId: string, filter: ServiceFilter): Promise<number> {
      const { shape, where } = narrow(filter);
      const matches = statement(`services.count ${shape}`, () =>
        db
          .select({ total: sql<number>`count(*)`.mapWith(Number) })
          .from(services)
          .where(where),
      );
      return sumOf(await matches(values(brokerId, filter)));
    },
    /** The next rows of a walk over all matches, newest first, from behind the row that was last. */
    async walk(
      brokerId: string,
      filter: ServiceFilter,
      after: { createdAt: number; number: number } | null,
      limit: number,
    ): Promise<ServiceView[]> {
      const { shape, where } = narrow(filter);
      const next = statement(`services.${after ? 'next' : 'walk'} ${shape}`, () =>
        views()
          .where(
            and(
              where,
              after
                ? sql`(${services.createdAt}, ${services.number}) < (${param('afterCreatedAt')}, ${param('afterNumber')})`
                : undefined,
            ),
          )
          .orderBy(...newest())
          .limit(param('limit')),
      );
      return next({
        ...values(brokerId, filter),
        afterCreatedAt: after?.createdAt,
        afterNumber: after?.number,
        limit,
      });
    },
    /** Which of these numbers stand already, and whose they are: numbers are unique over all brokers. */
    async owners(numbers: number[]): Promise<Map<number, string>> {
      const rows = await db
        .select({ number: services.number, brokerId: services.brokerId })
        .from(services)
        .where(inArray(services.number, numbers));
      return new Map(rows.map((row) => [row.number, row.brokerId]));
    },
  };
}

export function serviceWrites(session: Session) {
  const { db, tables } = session;
  const { services } = tables;
  const one = serviceById(session);

  const tally = (row: Pick<ServiceRow, 'brokerId' | 'planId' | 'status'>, by: number) =>
    count(session, { brokerId: row.brokerId, subject: 'services', kind: row.planId, status: row.status, by });

  return {
    /**
     * The service as it stands, locked until the transaction ends. Whatever changes a service or one of its
     * requests takes this lock first, so that on every engine one change sees the other's outcome.
     */
    async lock(brokerId: string, number: number): Promise<ServiceRow | null> {
      await session.lock(
        sql`select 1 from ${services} where ${services.number} = ${number} and ${services.brokerId} = ${brokerId}`,
      );
      return (await one({ brokerId, number }))[0] ?? null;
    },
    /** Those of these services that the broker has, locked like `lock` does; a few hundred numbers at most. */
    async lockMany(brokerId: string, numbers: number[]): Promise<ServiceRow[]> {
      const which = and(eq(services.brokerId, brokerId), inArray(services.number, numbers));
      // In one order for everybody: two imports of the same services then queue up.
      await session.lock(sql`select 1 from ${services} where ${which} order by ${services.number}`);
      return db.select().from(services).where(which);
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
      const [before] = await one({ brokerId, number });
      const [after] = await db
        .update(services)
        .set(changes)
        .where(and(eq(services.brokerId, brokerId), eq(services.number, number)))
        .returning();
      if (!before || !after) return null;
      if (before.planId !== after.planId || before.status !== after.status) {
        tally(before, -1);
        tally(after, 1);
      }
      return after;
    },
  };
}
