import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { type PageWindow, replacement, type Session } from '../session/session.ts';
import { countOf, first, given, rowsOf, sumOf } from '../session/statements.ts';

export type ConsumptionRow = Tables['consumption']['$inferSelect'];

export interface ConsumptionFilter {
  serviceNumber?: number | undefined;
}

export function consumptionReads(session: Session) {
  const { consumption } = session.tables;
  const rows = rowsOf(session, consumption);
  const ofBroker = (brokerId: string, { serviceNumber }: ConsumptionFilter) =>
    and(eq(consumption.brokerId, brokerId), given(eq, consumption.serviceNumber, serviceNumber));
  return {
    /** By service number; of those behind `last` where it is given. */
    page: (
      brokerId: string,
      filter: ConsumptionFilter,
      page: PageWindow,
      last?: ConsumptionRow,
    ): Promise<ConsumptionRow[]> =>
      rows(and(ofBroker(brokerId, filter), last && gt(consumption.serviceNumber, last.serviceNumber)), {
        orderBy: [asc(consumption.serviceNumber)],
        ...page,
      }),
    countMatches: async (brokerId: string, filter: ConsumptionFilter): Promise<number> =>
      sumOf(await countOf(session, consumption, ofBroker(brokerId, filter))),
    find: (brokerId: string, serviceNumber: number): Promise<ConsumptionRow | null> =>
      first(rows(ofBroker(brokerId, { serviceNumber }))),
    /** That of some services, a few hundred at most. */
    listMany: (brokerId: string, serviceNumbers: number[]): Promise<ConsumptionRow[]> =>
      rows(and(eq(consumption.brokerId, brokerId), inArray(consumption.serviceNumber, serviceNumbers))),
  };
}

export function consumptionWrites({ db, tables: { consumption } }: Session) {
  return {
    async insert(rows: ConsumptionRow[]): Promise<void> {
      await db.insert(consumption).values(rows);
    },
    /** Inserts or replaces what services of the broker consumed; what was measured later stays. */
    async upsert(rows: ConsumptionRow[]): Promise<void> {
      await db
        .insert(consumption)
        .values(rows)
        .onConflictDoUpdate({
          target: consumption.serviceNumber,
          set: replacement(consumption, ['serviceNumber', 'brokerId']),
          setWhere: sql`${consumption.brokerId} = excluded.broker_id and ${consumption.measuredAt} <= excluded.measured_at`,
        });
    },
    /** Removes that of some services, a few hundred at most. */
    async remove(brokerId: string, serviceNumbers: number[]): Promise<void> {
      await db
        .delete(consumption)
        .where(and(eq(consumption.brokerId, brokerId), inArray(consumption.serviceNumber, serviceNumbers)));
    },
  };
}
