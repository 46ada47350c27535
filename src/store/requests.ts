import { and, asc, desc, eq, getTableColumns, gte, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { IS_OPEN, type Tables } from '../../drizzle/tables.ts';
import type { RequestType } from '../kinds/index.ts';
import type { PlanOffer } from '../rules/offers.ts';
import { byProgress } from '../rules/request-states.ts';
import type { RequestStatus } from '../rules/words.ts';
import { count } from './counters.ts';
import { jsonRowsOf } from './json-rows.ts';
import { offersById, type PlanRow, plansByIdOf } from './plans.ts';
import { countOf, first, MAX_COUNTED, rowsOf, sumOf, TOTAL } from './queries.ts';
import { changeOf, insertionInto, type Page, param, type Session } from './session.ts';
import { together } from './together.ts';

export type RequestRow = Tables['requests']['$inferSelect'];
export type HistoryRow = Tables['requestHistory']['$inferSelect'];

/** A request that a worker may work on until `dueAt`. */
export interface LeasedRequest extends RequestRow {
  leaseOwner: string;
  /** Whether an earlier lease was not released, so that the work may have been started or even done. */
  takenOver: boolean;
}

/** A request with the plans that its record shows. */
export interface RequestView {
  request: RequestRow;
  currentPlan: PlanRow | null;
  newPlan: PlanRow | null;
}

/** A request with what its work needs to know of plans. */
export interface WorkView extends RequestView {
  /** What its plans and the one of its service offer, by id; those that offer nothing are left out. */
  offers: ReadonlyMap<string, PlanOffer>;
}

export interface RequestFilter {
  type?: RequestType | undefined;
  status?: RequestStatus | undefined;
  serviceNumber?: number | undefined;
  /** False: every status but `operator_review`. */
  operatorReview?: boolean | undefined;
  submittedFrom?: number | undefined;
  submittedTo?: number | undefined;
  /** With this a page has the order of changes, and a count stops at `MAX_COUNTED`. */
  updatedSince?: number | undefined;
  /** Only requests after this id in the millisecond of `updatedSince`. */
  afterRequest?: string | undefined;
}

/** The open requests of one status, over all brokers. */
export interface OpenTally {
  status: RequestStatus;
  total: number;
  /** When the oldest was submitted. */
  oldestAt: number | null;
  /** When the first is or was due. */
  dueAt: number | null;
}

/** For how many seconds due work has been waiting; more than a lease (60 s) means that no worker runs. */
export function overdueSeconds(open: readonly OpenTally[], now: number): number {
  const dueAt = open.find(({ status }) => status === 'accepted')?.dueAt ?? now;
  return Math.max(0, (now - dueAt) / 1000);
}

/** Newest first, then by id, as the engines sort; ids are ASCII. */
const bySubmission = (one: RequestRow, other: RequestRow): number =>
  other.submittedAt - one.submittedAt || Number(one.id > other.id) - Number(one.id < other.id);

const byChange = (one: RequestRow, other: RequestRow): number =>
  one.updatedAt - other.updatedAt || Number(one.id > other.id) - Number(one.id < other.id);

const byDueDate = (one: Pick<RequestRow, 'id' | 'dueAt'>, other: Pick<RequestRow, 'id' | 'dueAt'>): number =>
  Number(one.dueAt) - Number(other.dueAt) || Number(one.id > other.id) - Number(one.id < other.id);

export function requestReads(session: Session) {
  const { db, tables, statement } = session;
  const { plans, planOffers, requests, requestHistory, services } = tables;
  const currentPlan = alias(plans, 'current_plan');
  const newPlan = alias(plans, 'new_plan');

  const isPlan = (plan: Record<'brokerId' | 'id', SQLiteColumn>, id: SQLiteColumn) =>
    and(eq(plan.brokerId, requests.brokerId), eq(plan.id, id));
  const packing = jsonRowsOf(session.dialect, getTableColumns(requests));
  const plansById = plansByIdOf(session);

  const rows = rowsOf(session, requests);
  const historyRows = rowsOf(session, requestHistory);
  const viewWith = <T extends Record<string, SQL<string>>>(more: T) =>
    db
      .select({ request: requests, currentPlan, newPlan, ...more })
      .from(requests)
      .leftJoin(currentPlan, isPlan(currentPlan, requests.currentPlanId))
      .leftJoin(newPlan, isPlan(newPlan, requests.newPlanId))
      .where(and(eq(requests.brokerId, param('brokerId')), eq(requests.id, param('requestId'))));
  const view = statement('requests.view', () => viewWith({}));
  const packedOffers = jsonRowsOf(session.dialect, getTableColumns(planOffers));
  const planOfService = sql`(select ${services.planId} from ${services}
    where ${services.brokerId} = ${requests.brokerId} and ${services.number} = ${requests.serviceNumber})`;
  const offers = sql<string>`(select ${packedOffers.rows} from ${planOffers}
    where ${planOffers.brokerId} = ${requests.brokerId}
      and ${planOffers.planId} in (${requests.currentPlanId}, ${requests.newPlanId}, ${planOfService}))`;
  const work = statement('requests.work', () => viewWith({ offers }));
  const open = statement('requests.open', () =>
    rows(
      and(
        eq(requests.brokerId, param('brokerId')),
        eq(requests.serviceNumber, param('serviceNumber')),
        sql.raw(IS_OPEN),
      ),
    ),
  );
  const history = statement('requests.history', () =>
    historyRows(and(eq(requestHistory.brokerId, param('brokerId')), eq(requestHistory.requestId, param('requestId'))), {
      // Within one state; `listHistory` puts the states in order.
      orderBy: [asc(requestHistory.at), asc(requestHistory.id)],
    }),
  );

  function narrow(filter: RequestFilter): { shape: string; where: SQL | undefined } {
    const parts: Array<[string, SQL]> = [];
    if (filter.type !== undefined) parts.push(['type', eq(requests.type, param('type'))]);
    if (filter.status !== undefined) parts.push(['status', eq(requests.status, param('status'))]);
    if (filter.serviceNumber !== undefined) parts.push(['service', eq(requests.serviceNumber, param('serviceNumber'))]);
    if (filter.operatorReview === true) parts.push(['review', sql`${requests.status} = 'operator_review'`]);
    if (filter.operatorReview === false) parts.push(['other', sql`${requests.status} <> 'operator_review'`]);
    if (filter.submittedFrom !== undefined) parts.push(['from', gte(requests.submittedAt, param('submittedFrom'))]);
    if (filter.submittedTo !== undefined) parts.push(['to', lt(requests.submittedAt, param('submittedTo'))]);
    // One condition, so that PostgreSQL uses all of it for the index.
    if (filter.afterRequest !== undefined) {
      const behind = sql`(${requests.updatedAt}, ${requests.id}) > (${param('updatedSince')}, ${param('afterRequest')})`;
      parts.push(['after', behind]);
    } else if (filter.updatedSince !== undefined) {
      parts.push(['since', gte(requests.updatedAt, param('updatedSince'))]);
    }
    return {
      shape: parts.map(([name]) => name).join(' '),
      where: and(eq(requests.brokerId, param('brokerId')), ...parts.map(([, part]) => part)),
    };
  }

  return {
    findView: (brokerId: string, requestId: string): Promise<RequestView | null> =>
      first(view({ brokerId, requestId })),
    /** In one statement: a worker reads it for each request. */
    async findWork(brokerId: string, requestId: string): Promise<WorkView | null> {
      const found = await first(work({ brokerId, requestId }));
      if (!found) return null;
      const rows = packedOffers.unpack([{ rows: found.offers }]).map(({ row }) => row);
      return { ...found, offers: offersById(rows) };
    },
    /** The open requests of a service: at most one plan change and one cancellation among them. */
    listOpen: (brokerId: string, serviceNumber: number): Promise<RequestRow[]> => open({ brokerId, serviceNumber }),
    /** The same for a few hundred services at once. */
    listOpenOf: (brokerId: string, serviceNumbers: number[]): Promise<RequestRow[]> =>
      rows(and(eq(requests.brokerId, brokerId), inArray(requests.serviceNumber, serviceNumbers), sql.raw(IS_OPEN))),
    /** Oldest first. */
    listHistory: async (brokerId: string, requestId: string): Promise<HistoryRow[]> =>
      (await history({ brokerId, requestId })).sort(byProgress),
    /** One page, newest first or in the order of changes. */
    async page(brokerId: string, filter: RequestFilter, page: Page): Promise<RequestView[]> {
      const { shape, where } = narrow(filter);
      const inStep = filter.updatedSince !== undefined;
      const order = inStep
        ? [asc(requests.updatedAt), asc(requests.id)]
        : [desc(requests.submittedAt), asc(requests.id)];
      const packed = statement(`requests.page ${shape}`, () => {
        const ids = db
          .select({ id: requests.id })
          .from(requests)
          .where(where)
          .orderBy(...order)
          .limit(param('limit'))
          .offset(param('offset'))
          .as('page');
        const isListed = and(eq(requests.brokerId, param('brokerId')), eq(ids.id, requests.id));
        return db.select({ rows: packing.rows }).from(requests).innerJoin(ids, isListed);
      });
      const found = packing.unpack(await packed({ brokerId, ...filter, ...page })).map(({ row }) => row);
      const named = found.flatMap(({ currentPlanId, newPlanId }) => [currentPlanId, newPlanId]);
      const plansNamed = await plansById(brokerId, named);
      return found.sort(inStep ? byChange : bySubmission).map((request) => ({
        request,
        currentPlan: plansNamed.get(request.currentPlanId) ?? null,
        newPlan: plansNamed.get(request.newPlanId) ?? null,
      }));
    },
    /** How many requests match, counted in an index: for filters that the counters do not know. With `updatedSince` it stops at `MAX_COUNTED`. */
    async countMatches(brokerId: string, filter: RequestFilter): Promise<number> {
      const { shape, where } = narrow(filter);
      const matches = statement(`requests.count ${shape}`, () =>
        countOf(session, requests, where, filter.updatedSince === undefined ? undefined : MAX_COUNTED),
      );
      return sumOf(await matches({ brokerId, ...filter }));
    },
    /** Open requests of all brokers by status, for the operator's overview. */
    async tally(): Promise<OpenTally[]> {
      return db
        .select({
          status: requests.status,
          ...TOTAL,
          oldestAt: sql<number | null>`min(${requests.submittedAt})`.mapWith(Number),
          dueAt: sql<number | null>`min(${requests.dueAt})`.mapWith(Number),
        })
        .from(requests)
        .where(sql.raw(IS_OPEN))
        .groupBy(requests.status);
    },
    /** The broker that owns a request: for the operator's commands, which know only the request's id. */
    async findOwner(requestId: string): Promise<string | null> {
      const rows = await db.select({ brokerId: requests.brokerId }).from(requests).where(eq(requests.id, requestId));
      return rows[0]?.brokerId ?? null;
    },
  };
}

export function requestWrites(session: Session) {
  const { db, tables } = session;
  const { requests, requestHistory } = tables;

  const tally = (row: Pick<RequestRow, 'brokerId' | 'type' | 'status'>, by: number) =>
    count(session, { brokerId: row.brokerId, subject: 'requests', kind: row.type, status: row.status, by });

  const insertion = insertionInto(session, 'requests.insert', requests);
  const insertHistory = insertionInto(session, 'requests.insertHistory', requestHistory);

  const change = changeOf(session, 'requests.move', requests);
  const inStatus = and(
    eq(requests.brokerId, param('brokerId')),
    eq(requests.id, param('requestId')),
    eq(requests.status, param('from')),
  );
  /** Conditions of a move: any lease, no lease, or the given lease. */
  const LEASES = {
    any: inStatus,
    none: and(inStatus, isNull(requests.leaseOwner)),
    own: and(inStatus, eq(requests.leaseOwner, param('leasedBy'))),
  };

  const isAtOnce = sql`(${requests.effectiveAt} is null or ${requests.effectiveAt} <= ${requests.updatedAt})`;
  const isDue = and(eq(requests.status, 'accepted'), lte(requests.dueAt, param('now')));
  const dueOf = (name: string, which: SQL | undefined) =>
    session.statement(name, () =>
      // No second key: many requests that are due at the same time, as on the first of a month, would all be sorted.
      session.locking(rowsOf(session, requests)(which, { orderBy: [asc(requests.dueAt)], limit: param('limit') }), {
        skipLocked: true,
      }),
    );
  const due = { any: dueOf('requests.due', isDue), atOnce: dueOf('requests.dueAtOnce', and(isDue, isAtOnce)) };
  const lease = session.statement('requests.lease', () =>
    db
      .update(requests)
      .set({ dueAt: param('leaseUntil'), leaseOwner: param('leaseOwner'), attempts: sql`${requests.attempts} + 1` })
      .where(and(eq(requests.brokerId, param('brokerId')), eq(requests.id, param('requestId')), isDue))
      .returning(),
  );

  return {
    async insert(row: RequestRow): Promise<void> {
      await insertion(row);
      tally(row, 1);
    },
    /** Adds a history entry. */
    addHistory: (row: HistoryRow): Promise<void> => insertHistory(row),
    /**
     * Compare-and-set: changes the request only while it has the status `from.status` and, where given, the lease
     * `from.leaseOwner` (null: no lease). Returns null when another transaction was faster.
     */
    async move(
      brokerId: string,
      requestId: string,
      from: { status: RequestStatus; leaseOwner?: string | null },
      changes: Partial<Omit<RequestRow, 'id' | 'brokerId' | 'type'>>,
    ): Promise<RequestRow | null> {
      const shape = from.leaseOwner === undefined ? 'any' : from.leaseOwner === null ? 'none' : 'own';
      const [moved] = await change(changes, {
        shape,
        where: LEASES[shape],
        params: { brokerId, requestId, from: from.status, leasedBy: from.leaseOwner },
      });
      if (!moved) return null;
      if (moved.status !== from.status) {
        tally({ brokerId, type: moved.type, status: from.status }, -1);
        tally(moved, 1);
      }
      return moved;
    },
    /**
     * Leases due requests of all brokers, oldest first. `dueAt` moves to the lease's end, so the request of a worker that
     * dies becomes due again. Of concurrent workers only one gets a request: the others' updates find it changed.
     */
    async claimDue({
      limit,
      atOnce = false,
      ...claim
    }: {
      now: number;
      leaseUntil: number;
      leaseOwner: string;
      limit: number;
      /** Leaves out what was to wait for a date, such as an end of term. */
      atOnce?: boolean;
    }): Promise<LeasedRequest[]> {
      const found = await due[atOnce ? 'atOnce' : 'any']({ now: claim.now, limit });
      const leases = found.sort(byDueDate).map(async ({ brokerId, id, leaseOwner }): Promise<LeasedRequest[]> => {
        const rows = await lease({ ...claim, brokerId, requestId: id });
        return rows.map((row) => ({ ...row, leaseOwner: claim.leaseOwner, takenOver: leaseOwner !== null }));
      });
      return (await together(leases)).flat();
    },
  };
}
