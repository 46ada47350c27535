import { and, asc, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { IS_OPEN } from '../../../drizzle/tables.ts';
import type { BillingType, ServiceStatus } from '../../rules/words.ts';
import { containsText, type PageWindow, type Session } from '../session/session.ts';
import { countOf, first, given, rowsOf, type Sorting, sortedBy, sumOf } from '../session/statements.ts';
import type { BrokerRow } from './brokers.ts';
import type { PlanRow } from './plans.ts';

/** A plan with its broker. */
export interface OwnedPlan {
  plan: PlanRow;
  broker: Pick<BrokerRow, 'id' | 'slug' | 'name'>;
}

/** The operator's filters. */
export interface AllPlansFilter {
  brokerId?: string | undefined;
  active?: boolean | undefined;
  billingType?: BillingType | undefined;
  /** Folded: part of the slug or the display name; or the whole id. */
  search?: string | undefined;
}

export type PlanOrder = 'broker' | 'name' | 'rank' | 'changed';

/** An active plan whose display name is the slug of another active plan of the broker. */
export interface SharedNameRow {
  broker: string;
  slug: string;
  displayName: string;
  /** The slug of the other one. */
  other: string;
}

/** How many services of a status a plan has. */
export interface PlanUse {
  planId: string;
  status: ServiceStatus;
  services: number;
}

/** Plans of all brokers, for operators only, read in the slow-query pool. */
export function allPlanReads(session: Session) {
  const { db, tables } = session;
  const { brokers, counters, plans, requests } = tables;
  const rows = rowsOf(session, plans);
  const orders: Record<PlanOrder, Sorting> = {
    broker: [
      ['asc', brokers.slug],
      ['asc', plans.upgradeRank],
      ['asc', plans.id],
    ],
    name: [
      ['asc', plans.displayNameFolded],
      ['asc', plans.id],
    ],
    rank: [
      ['asc', plans.upgradeRank],
      ['asc', plans.id],
    ],
    changed: [
      ['desc', plans.updatedAt],
      ['desc', plans.id],
    ],
  };
  const containing = (search: string): SQL | undefined => {
    const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    return or(
      sql`${plans.slugFolded} like ${part} escape '\\'`,
      sql`${plans.displayNameFolded} like ${part} escape '\\'`,
      sql`lower(${plans.id}) = ${search}`,
    );
  };
  const matching = ({ brokerId, active, billingType, search }: AllPlansFilter): SQL | undefined =>
    and(
      given(eq, plans.brokerId, brokerId),
      given(eq, plans.active, active),
      given(eq, plans.billingType, billingType),
      search === undefined ? undefined : containing(search),
    );
  const owned = () =>
    db
      .select({ plan: plans, broker: { id: brokers.id, slug: brokers.slug, name: brokers.name } })
      .from(plans)
      .innerJoin(brokers, eq(brokers.id, plans.brokerId));
  return {
    page: async (
      filter: AllPlansFilter,
      order: PlanOrder,
      { limit, offset, reverse }: PageWindow,
    ): Promise<OwnedPlan[]> =>
      owned()
        .where(matching(filter))
        .orderBy(...sortedBy(orders[order], reverse))
        .limit(limit)
        .offset(offset),
    /** How many match, counted no further than `limit`. */
    countUpTo: async (filter: AllPlansFilter, limit: number): Promise<number> =>
      sumOf(await countOf(session, plans, matching(filter), limit)),
    listSharedNames: async (limit: number): Promise<SharedNameRow[]> => {
      // Both slugs and display names are unique for a broker: there is one at most, found by its index.
      const other = sql<string>`(
        select other.slug from ${plans} as other
        where other.broker_id = ${plans.brokerId} and other.slug_folded = ${plans.displayNameFolded}
          and other.active = ${plans.active} and other.id <> ${plans.id})`;
      return db
        .select({ broker: brokers.slug, slug: plans.slug, displayName: plans.displayName, other })
        .from(plans)
        .innerJoin(brokers, eq(brokers.id, plans.brokerId))
        .where(and(eq(plans.active, true), sql`${other} is not null`))
        .orderBy(asc(brokers.slug), asc(plans.id))
        .limit(limit);
    },
    /** Plans of all brokers with this part of a name, folded as their columns are. */
    findNamed: (folded: string, limit: number): Promise<PlanRow[]> =>
      rows(or(containsText(plans.slugFolded, folded), containsText(plans.displayNameFolded, folded)), {
        orderBy: [desc(plans.active), asc(plans.slugFolded), asc(plans.id)],
        limit,
      }),
    find: (planId: string): Promise<OwnedPlan | null> => first(owned().where(eq(plans.id, planId))),
    /** How many services these plans have, by status, from the counters. */
    async countServices(planIds: string[]): Promise<PlanUse[]> {
      if (planIds.length === 0) return [];
      const rows = await db
        .select({
          planId: counters.kind,
          status: counters.status,
          services: sql<number>`sum(${counters.value})`.mapWith(Number),
        })
        .from(counters)
        .where(and(eq(counters.subject, 'services'), inArray(counters.kind, planIds)))
        .groupBy(counters.kind, counters.status);
      return rows as PlanUse[];
    },
    /** How many open requests of the broker lead to this plan. */
    countOpenRequests: async (brokerId: string, planId: string): Promise<number> =>
      sumOf(
        await countOf(
          session,
          requests,
          and(eq(requests.brokerId, brokerId), eq(requests.newPlanId, planId), sql.raw(IS_OPEN)),
        ),
      ),
  };
}
