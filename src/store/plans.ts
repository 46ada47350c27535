import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import type { BillingType } from '../rules/words.ts';
import { sumOf } from './counters.ts';
import { jsonRowsOf } from './json-rows.ts';
import { param, replacement, type Session } from './session.ts';

export type PlanRow = Tables['plans']['$inferSelect'];

/** Plans of a page's records by their ids, each of them once: a page has many records, and its broker few plans. */
export function plansByIdOf({ db, dialect, tables: { plans }, statement }: Session) {
  const packing = jsonRowsOf(dialect, plans);
  // One parameter for all ids, so that there is one statement for any number of them.
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
  const namedByAny = statement('plans.namedByAny', () => db.select({ rows: packing.rows }).from(plans).where(isNamed));
  /** @param brokerId whose plans; null: of any broker, for the worker */
  return async (brokerId: string | null, planIds: Iterable<string | null>): Promise<Map<string | null, PlanRow>> => {
    const given = { planIds: JSON.stringify([...new Set(planIds)]) };
    const rows = packing.unpack(await (brokerId === null ? namedByAny(given) : named({ brokerId, ...given })));
    return new Map(rows.map(({ row }) => [row.id, row]));
  };
}

export function planReads({ db, tables: { plans, services }, statement }: Session) {
  const active = statement('plans.active', () =>
    db
      .select()
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), eq(plans.active, true)))
      .orderBy(asc(plans.upgradeRank), asc(plans.id)),
  );
  const where = (...conditions: SQL[]) =>
    db
      .select()
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), ...conditions));
  // Three looks into three indexes. For one condition with two "or" SQLite makes a table of its own, at each call:
  // 35 µs, the most expensive statement of an upgrade.
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
  const byId = statement('plans.find', () =>
    db
      .select()
      .from(plans)
      .where(and(eq(plans.brokerId, param('brokerId')), eq(plans.id, param('planId')))),
  );
  return {
    async find(brokerId: string, planId: string): Promise<PlanRow | null> {
      return (await byId({ brokerId, planId }))[0] ?? null;
    },
    /** The active plans in catalog order: by rank, then id. */
    listActive: (brokerId: string): Promise<PlanRow[]> => active({ brokerId }),
    /** Active plans that answer to a text by id, slug or display name: at most one of each, and perhaps one plan by two of them. */
    listActiveNamed: (brokerId: string, id: string, folded: string): Promise<PlanRow[]> =>
      target({ brokerId, id, folded }),
    /** The same, and the plan that a service is on, active or not: what a change from one to the other looks at. */
    listForChange: (brokerId: string, number: number, id: string, folded: string): Promise<PlanRow[]> =>
      change({ brokerId, number, id, folded }),
    /** All plans, inactive ones included. */
    async list(brokerId: string): Promise<PlanRow[]> {
      return db.select().from(plans).where(eq(plans.brokerId, brokerId)).orderBy(asc(plans.upgradeRank), asc(plans.id));
    },
    /** One page of the active plans, and how many there are in all. */
    async page(
      brokerId: string,
      filter: { billingType?: BillingType | undefined },
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ rows: PlanRow[]; total: number }> {
      const which = and(
        eq(plans.brokerId, brokerId),
        eq(plans.active, true),
        filter.billingType && eq(plans.billingType, filter.billingType),
      );
      const [rows, counted] = await Promise.all([
        db.select().from(plans).where(which).orderBy(asc(plans.upgradeRank), asc(plans.id)).limit(limit).offset(offset),
        db
          .select({ total: sql<number>`count(*)`.mapWith(Number) })
          .from(plans)
          .where(which),
      ]);
      return { rows, total: sumOf(counted) };
    },
    /** The ids of plans that a list filter names: by exact id or slug, and by billing type. */
    async listIds(
      brokerId: string,
      filter: { idOrSlug?: { id: string; folded: string } | undefined; billingType?: BillingType | undefined },
    ): Promise<string[]> {
      const rows = await db
        .select({ id: plans.id })
        .from(plans)
        .where(
          and(
            eq(plans.brokerId, brokerId),
            filter.idOrSlug && or(eq(plans.id, filter.idOrSlug.id), eq(plans.slugFolded, filter.idOrSlug.folded)),
            filter.billingType && eq(plans.billingType, filter.billingType),
          ),
        );
      return rows.map((row) => row.id);
    },
    async listBySlug(brokerId: string, slugsFolded: string[]): Promise<PlanRow[]> {
      return db
        .select()
        .from(plans)
        .where(and(eq(plans.brokerId, brokerId), inArray(plans.slugFolded, slugsFolded)));
    },
  };
}

export function planWrites({ db, tables: { plans } }: Session) {
  return {
    async insert(row: PlanRow): Promise<void> {
      await db.insert(plans).values(row);
    },
    /** Writes plans as a whole, whether the broker had them (by their ids) or not. */
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
    async update(
      brokerId: string,
      planId: string,
      changes: Partial<Omit<PlanRow, 'id' | 'brokerId'>>,
    ): Promise<PlanRow | null> {
      const rows = await db
        .update(plans)
        .set(changes)
        .where(and(eq(plans.brokerId, brokerId), eq(plans.id, planId)))
        .returning();
      return rows[0] ?? null;
    },
  };
}
