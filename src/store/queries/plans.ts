import { and, asc, eq, getTableColumns, inArray, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { offerColumns, offerOf, type PlanOffer } from '../../rules/offers.ts';
import type { BillingType } from '../../rules/words.ts';
import { jsonRowsOf } from '../session/json-rows.ts';
import { type PageWindow, param, replacement, type Session } from '../session/session.ts';
import { countOf, first, given, hasAny, rowsOf, sumOf } from '../session/statements.ts';

export type PlanRow = Tables['plans']['$inferSelect'];
export type PlanOfferRow = Tables['planOffers']['$inferSelect'];

/** What plans offer, by their ids. */
export const offersById = (rows: PlanOfferRow[]): Map<string, PlanOffer> =>
  new Map(rows.map((row) => [row.planId, offerOf(row)]));

/** Finds plans by their ids, each once: the many records of a page share few plans. */
export function plansByIdOf({ db, dialect, tables: { plans }, statement }: Session) {
  const packing = jsonRowsOf(dialect, getTableColumns(plans));
  // One parameter for any number of ids.
  const ids =
    dialect === 'sqlite'
      ? sql`select value from json_each(${param('planIds')})`
      : sql`select json_array_elements_text(${param('planIds')})`;
  const isNamed = sql`${plans.id} in (${ids})`;
  const named = statement('plans.named', () =>
    db
      .select({ rows: packing.rows })
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), isNamed)),
  );
  return async (brokerId: string, planIds: Iterable<string | null>): Promise<Map<string | null, PlanRow>> => {
    const given = { planIds: JSON.stringify([...new Set(planIds)]) };
    const rows = packing.unpack(await named({ brokerId, ...given }));
    return new Map(rows.map(({ row }) => [row.id, row]));
  };
}

export function planReads(session: Session) {
  const { db, statement } = session;
  const { plans, planOffers, services } = session.tables;
  const rows = rowsOf(session, plans);
  const byRank = { orderBy: [asc(plans.upgradeRank), asc(plans.id)] };
  const active = statement('plans.active', () =>
    rows(and(eq(plans.brokerId, param('brokerId')), eq(plans.active, true)), byRank),
  );
  const where = (...conditions: SQL[]) =>
    db
      .select()
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), ...conditions));
  // Three index look-ups. For one condition with two "or" SQLite builds a temporary table in each call: 35 µs, the most
  // expensive statement of an upgrade.
  const activeNamed = () =>
    where(eq(plans.active, true), eq(plans.id, param('id')))
      .unionAll(where(eq(plans.active, true), eq(plans.slugFolded, param('folded'))))
      .unionAll(where(eq(plans.active, true), eq(plans.displayNameFolded, param('folded'))));
  const target = statement('plans.target', activeNamed);
  const ofService = db
    .select({ planId: services.planId })
    .from(services)
    .where(and(eq(services.brokerId, param('brokerId')), eq(services.number, param('number'))));
  const change = statement('plans.change', () => activeNamed().unionAll(where(eq(plans.id, ofService))));
  const byId = statement('plans.find', () => where(eq(plans.id, param('planId'))));
  const offer = statement('plans.offer', () =>
    rowsOf(
      session,
      planOffers,
    )(and(eq(planOffers.brokerId, param('brokerId')), eq(planOffers.planId, param('planId')))),
  );
  return {
    find: (brokerId: string, planId: string): Promise<PlanRow | null> => first(byId({ brokerId, planId })),
    /** What services of the plan can be given and can do. */
    findOffer: async (brokerId: string, planId: string): Promise<PlanOffer> =>
      offerOf(await first<PlanOfferRow>(offer({ brokerId, planId }))),
    /** The same of all plans of the broker, by their ids; those that offer nothing are left out. */
    async listAllOffers(brokerId: string): Promise<Map<string, PlanOffer>> {
      return offersById(await rowsOf(session, planOffers)(eq(planOffers.brokerId, brokerId)));
    },
    /** The same of some plans, by their ids; those that offer nothing are left out. */
    async listOffers(brokerId: string, planIds: string[]): Promise<Map<string, PlanOffer>> {
      if (planIds.length === 0) return new Map();
      const which = and(eq(planOffers.brokerId, brokerId), inArray(planOffers.planId, [...new Set(planIds)]));
      return offersById(await rowsOf(session, planOffers)(which));
    },
    /** The active plans in catalog order: by rank, then id. */
    listActive: (brokerId: string): Promise<PlanRow[]> => active({ brokerId }),
    /** Active plans with this id, slug or display name: at most one of each; the same plan may be there several times. */
    listActiveNamed: (brokerId: string, id: string, folded: string): Promise<PlanRow[]> =>
      target({ brokerId, id, folded }),
    /** The same, and the service's current plan, active or not. */
    listForChange: (brokerId: string, number: number, id: string, folded: string): Promise<PlanRow[]> =>
      change({ brokerId, number, id, folded }),
    /** Plans of these brokers with one of these folded slugs, active or not. */
    listNamed: (brokerIds: string[], slugs: string[]): Promise<PlanRow[]> =>
      brokerIds.length === 0 || slugs.length === 0
        ? Promise.resolve([])
        : rows(and(inArray(plans.brokerId, brokerIds), inArray(plans.slugFolded, slugs))),
    /** All plans, inactive ones included. */
    list: (brokerId: string): Promise<PlanRow[]> => rows(eq(plans.brokerId, brokerId), byRank),
    /** One page of the active plans, and their number. */
    async page(
      brokerId: string,
      filter: { billingType?: BillingType | undefined },
      page: PageWindow,
    ): Promise<{ rows: PlanRow[]; total: number }> {
      const which = and(
        eq(plans.brokerId, brokerId),
        eq(plans.active, true),
        given(eq, plans.billingType, filter.billingType),
      );
      // One after the other: a call has one connection.
      const found = await rows(which, { ...byRank, ...page });
      return { rows: found, total: sumOf(await countOf(session, plans, which)) };
    },
    /** The ids of plans that a list filter names: by exact id or slug, and by billing type. */
    async listIds(
      brokerId: string,
      filter: { idOrSlug?: { id: string; folded: string } | undefined; billingType?: BillingType | undefined },
    ): Promise<string[]> {
      const { idOrSlug, billingType } = filter;
      const which = and(
        eq(plans.brokerId, brokerId),
        idOrSlug && or(eq(plans.id, idOrSlug.id), eq(plans.slugFolded, idOrSlug.folded)),
        given(eq, plans.billingType, billingType),
      );
      return (await db.select({ id: plans.id }).from(plans).where(which)).map(({ id }) => id);
    },
    /** Plans, active or not, whose slug or display name is one of these folded names. */
    listColliding: (brokerId: string, folded: string[]): Promise<PlanRow[]> =>
      rows(
        and(
          eq(plans.brokerId, brokerId),
          or(inArray(plans.slugFolded, folded), inArray(plans.displayNameFolded, folded)),
        ),
      ),
    countActive: async (brokerId: string): Promise<number> =>
      sumOf(await countOf(session, plans, and(eq(plans.brokerId, brokerId), eq(plans.active, true)))),
    listBySlug: (brokerId: string, slugsFolded: string[]): Promise<PlanRow[]> =>
      rows(and(eq(plans.brokerId, brokerId), inArray(plans.slugFolded, slugsFolded))),
  };
}

export function planWrites({ db, lockName, tables: { plans, planOffers, requests, services } }: Session) {
  const one = { one: sql`1` };
  return {
    /** Until the transaction ends, no other one that asks for it changes the broker's plans. */
    lockCatalog: (brokerId: string): Promise<void> => lockName(`plans ${brokerId}`),
    async insert(row: PlanRow): Promise<void> {
      await db.insert(plans).values(row);
    },
    /** Inserts the broker's plans or replaces them by their ids. */
    async upsert(rows: PlanRow[]): Promise<void> {
      await db
        .insert(plans)
        .values(rows)
        .onConflictDoUpdate({
          target: plans.id,
          set: replacement(plans, ['id', 'brokerId']),
          setWhere: sql`${plans.brokerId} = excluded.broker_id`,
        });
    },
    /** Replaces what plans of the broker offer. */
    async putOffers(brokerId: string, offers: ReadonlyMap<string, PlanOffer>): Promise<void> {
      if (offers.size === 0) return;
      const rows = [...offers].map(([planId, offer]) => ({ planId, brokerId, ...offerColumns(offer) }));
      // Not an upsert: in the sandbox the key has the broker in it.
      await db
        .delete(planOffers)
        .where(and(eq(planOffers.brokerId, brokerId), inArray(planOffers.planId, [...offers.keys()])));
      await db.insert(planOffers).values(rows);
    },
    update(brokerId: string, planId: string, changes: Partial<Omit<PlanRow, 'id' | 'brokerId'>>) {
      const named = and(eq(plans.brokerId, brokerId), eq(plans.id, planId));
      return first<PlanRow>(db.update(plans).set(changes).where(named).returning());
    },
    /** Deletes a plan that no service and no request names; returns false where one does. */
    removeUnused(brokerId: string, planId: string): Promise<boolean> {
      const ofService = and(eq(services.brokerId, brokerId), eq(services.planId, planId));
      const named = or(eq(requests.newPlanId, planId), eq(requests.currentPlanId, planId));
      const which = and(
        eq(plans.brokerId, brokerId),
        eq(plans.id, planId),
        notExists(db.select(one).from(services).where(ofService)),
        notExists(
          db
            .select(one)
            .from(requests)
            .where(and(eq(requests.brokerId, brokerId), named)),
        ),
      );
      return hasAny(db.delete(plans).where(which).returning({ id: plans.id }));
    },
  };
}
