import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { IS_LIVING } from '../../drizzle/tables.ts';
import type { ServiceStatus } from '../rules/words.ts';
import type { BrokerRow } from './brokers.ts';
import { sumOf } from './counters.ts';
import type { PlanRow } from './plans.ts';
import type { ServiceRow } from './services.ts';
import type { Page, Session } from './session.ts';

/** A service of a list over all brokers, with whose it is. */
export interface OwnedService {
  service: ServiceRow;
  plan: PlanRow;
  broker: Pick<BrokerRow, 'id' | 'slug' | 'name'>;
}

/** What an operator narrows the list by; a text is looked for in one way or the other. */
export interface AllServicesFilter {
  brokerId?: string | undefined;
  status?: ServiceStatus | undefined;
  planIds?: readonly string[] | undefined;
  review?: boolean | undefined;
  /** Folded text of at least three characters, somewhere in label, client's name or reference. */
  search?: string | undefined;
  /** Or the service's number. */
  number?: number | undefined;
  /** Whole and folded. */
  clientEmail?: string | undefined;
}

/** The highest number first; the newest; the last change first; what renews next, of those that renew. */
export type AllServicesOrder = 'number' | 'newest' | 'changed' | 'renewal';

/** Services of all brokers, for operators alone; no broker's call leads here. They are read in the slow-query pool. */
export function allServiceReads({ db, dialect, tables }: Session) {
  const { brokers, counters, plans, services } = tables;
  const orders: Record<AllServicesOrder, SQL[]> = {
    number: [desc(services.number)],
    newest: [desc(services.createdAt), desc(services.number)],
    changed: [desc(services.updatedAt), desc(services.number)],
    renewal: [asc(services.renewalAt), asc(services.number)],
  };

  const containing = (search: string): SQL =>
    dialect === 'sqlite'
      ? sql`${services.number} in (select rowid from service_search where service_search match ${`"${search.replaceAll('"', '""')}"`})`
      : sql`${services.searchText} like ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`;

  function matching(filter: AllServicesFilter, order: AllServicesOrder): SQL | undefined {
    const { brokerId, status, planIds, review, search, number, clientEmail } = filter;
    const found = search === undefined ? undefined : containing(search);
    // Where the text index leads, the unary plus keeps SQLite from walking the broker's whole list instead.
    const owner = found && dialect === 'sqlite' ? sql`+${services.brokerId}` : sql`${services.brokerId}`;
    return and(
      brokerId === undefined ? undefined : eq(owner, brokerId),
      status && eq(services.status, status),
      planIds && inArray(services.planId, [...planIds]),
      review === undefined ? undefined : eq(services.requiresOperatorReview, review),
      number === undefined ? found : sql`(${services.number} = ${number} or ${found ?? sql`1 = 0`})`,
      clientEmail === undefined ? undefined : eq(services.clientEmailFolded, clientEmail),
      order === 'renewal' ? sql.raw(`renewal_at is not null and ${IS_LIVING}`) : undefined,
    );
  }

  return {
    async page(filter: AllServicesFilter, order: AllServicesOrder, page: Page): Promise<OwnedService[]> {
      const numbers = await db
        .select({ number: services.number })
        .from(services)
        .where(matching(filter, order))
        .orderBy(...orders[order])
        .limit(page.limit)
        .offset(page.offset);
      // A query of its own: only the page's rows are read whole.
      return db
        .select({
          service: services,
          plan: plans,
          broker: { id: brokers.id, slug: brokers.slug, name: brokers.name },
        })
        .from(services)
        .innerJoin(plans, eq(plans.id, services.planId))
        .innerJoin(brokers, eq(brokers.id, services.brokerId))
        .where(
          inArray(
            services.number,
            numbers.map(({ number }) => number),
          ),
        )
        .orderBy(...orders[order]);
    },
    /** How many match, counted no further than `limit`. */
    async countUpTo(filter: AllServicesFilter, order: AllServicesOrder, limit: number): Promise<number> {
      const some = db
        .select({ number: services.number })
        .from(services)
        .where(matching(filter, order))
        .limit(limit)
        .as('some');
      return sumOf(await db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(some));
    },
    /** How many there are, out of the counters. */
    async total({
      brokerId,
      status,
      planIds,
    }: Pick<AllServicesFilter, 'brokerId' | 'status' | 'planIds'>): Promise<number> {
      return sumOf(
        await db
          .select({ total: sql<number>`coalesce(sum(${counters.value}), 0)`.mapWith(Number) })
          .from(counters)
          .where(
            and(
              eq(counters.subject, 'services'),
              brokerId === undefined ? undefined : eq(counters.brokerId, brokerId),
              planIds && inArray(counters.kind, [...planIds]),
              status && eq(counters.status, status),
            ),
          ),
      );
    },
    /** The plans of this slug, of one broker or of all. */
    async findPlans(slugFolded: string, brokerId: string | undefined, limit: number): Promise<string[]> {
      const rows = await db
        .select({ id: plans.id })
        .from(plans)
        .where(and(eq(plans.slugFolded, slugFolded), brokerId === undefined ? undefined : eq(plans.brokerId, brokerId)))
        .limit(limit);
      return rows.map(({ id }) => id);
    },
  };
}
