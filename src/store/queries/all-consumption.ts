import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PageWindow, Session } from '../session/session.ts';
import { countOf, given, sumOf } from '../session/statements.ts';
import type { BrokerRow } from './brokers.ts';
import type { ConsumptionRow } from './consumption.ts';
import type { PlanRow } from './plans.ts';
import type { ServiceRow } from './services.ts';

/** What a service consumed, with the service, its plan and its broker. */
export interface OwnedConsumption {
  consumption: ConsumptionRow;
  service: Pick<ServiceRow, 'number' | 'label' | 'clientName'>;
  plan: Pick<PlanRow, 'id' | 'displayName' | 'transferGb'>;
  broker: Pick<BrokerRow, 'slug' | 'name'>;
}

/** The operator's filters. */
export interface AllConsumptionFilter {
  brokerId?: string | undefined;
  /** More transfer than so many GB. */
  transferAbove?: number | undefined;
  /** More disk than so many GB. */
  diskAbove?: number | undefined;
}

/** What consumed most comes first. */
export type ConsumptionOrder = 'transfer' | 'disk';

/** Consumption of the services of all brokers, for operators only. */
export function allConsumptionReads(session: Session) {
  const { db, tables } = session;
  const { brokers, consumption, plans, services } = tables;
  // The columns hold decimal numbers as text. `real` would be four bytes on PostgreSQL.
  const transfer = sql<number>`cast(${consumption.transferGbUsed} as double precision)`;
  const disk = sql<number>`cast(${consumption.diskGbUsed} as double precision)`;
  const matching = ({ brokerId, transferAbove, diskAbove }: AllConsumptionFilter): SQL | undefined =>
    and(
      given(eq, consumption.brokerId, brokerId),
      transferAbove === undefined ? undefined : sql`${transfer} > ${transferAbove}`,
      diskAbove === undefined ? undefined : sql`${disk} > ${diskAbove}`,
    );
  return {
    /** One page, what consumed most first. */
    pageOfAll: (
      filter: AllConsumptionFilter,
      order: ConsumptionOrder,
      { limit, offset, reverse }: PageWindow,
    ): Promise<OwnedConsumption[]> => {
      const sorted = sql`coalesce(${order === 'disk' ? disk : transfer}, -1)`;
      return db
        .select({
          consumption,
          service: { number: services.number, label: services.label, clientName: services.clientName },
          plan: { id: plans.id, displayName: plans.displayName, transferGb: plans.transferGb },
          broker: { slug: brokers.slug, name: brokers.name },
        })
        .from(consumption)
        .innerJoin(
          services,
          and(eq(services.brokerId, consumption.brokerId), eq(services.number, consumption.serviceNumber)),
        )
        .innerJoin(plans, and(eq(plans.brokerId, services.brokerId), eq(plans.id, services.planId)))
        .innerJoin(brokers, eq(brokers.id, services.brokerId))
        .where(matching(filter))
        .orderBy(
          reverse ? sql`${sorted} asc` : sql`${sorted} desc`,
          reverse ? sql`${services.number} desc` : sql`${services.number} asc`,
        )
        .limit(limit)
        .offset(offset);
    },
    /** How many match, counted no further than `limit`. */
    countOfAll: async (filter: AllConsumptionFilter, limit: number): Promise<number> =>
      sumOf(await countOf(session, consumption, matching(filter), limit)),
  };
}
