import { and, asc, desc, eq, getTableColumns, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { IS_OPEN, type Tables, WORK_OWNER } from '../../../drizzle/tables.ts';
import type { RequestType } from '../../kinds/index.ts';
import type { PlanOffer } from '../../rules/offers.ts';
import { byProgress } from '../../rules/request-states.ts';
import type { RequestStatus } from '../../rules/words.ts';
import { count } from '../session/counters.ts';
import { jsonRowsOf } from '../session/json-rows.ts';
import { changeOf, insertionInto, type PageWindow, param, type Session } from '../session/session.ts';
import { countOf, first, MAX_COUNTED, rowsOf, sumOf, TOTAL } from '../session/statements.ts';
import { together } from '../session/together.ts';
import { offersById, type PlanRow, plansByIdOf } from './plans.ts';

export type RequestRow = Tables['requests']['$inferSelect'];
export type HistoryRow = Tables['requestHistory']['$inferSelect'];

/** A request that a worker may work on until `dueAt`. */
export interface LeasedRequest extends RequestRow {
  leaseOwner: string;
  /** Whether an earlier lease was not released, so that the work may have been started or even done. */
  takenOver: boolean;
}

/** Who the work of a request is done for, as its turns are counted: the broker's id, or `operator` (contract, section 14.4). */
export const workOwner = ({ origin, brokerId }: Pick<RequestRow, 'origin' | 'brokerId'>): string =>
  origin === 'operator' ? origin : brokerId;

/** The places of a process that work on requests, as a claim finds them. */
export interface Places {
  /** How many owners have, without those that have none. */
  taken: ReadonlyMap<string, number>;
  /** The owner that was given the last one. */
  last: string;
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
  /** The broker's slug. */
  broker: string;
  /** The number of history; 0 before the records ever went back. */
  history: number;
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
  const { brokers, losses, plans, planOffers, requests, requestHistory, services } = tables;
  const currentPlan = alias(plans, 'current_plan');
  const newPlan = alias(plans, 'new_plan');

  const isPlan = (plan: Record<'brokerId' | 'id', SQLiteColumn>, id: SQLiteColumn) =>
    and(eq(plan.brokerId, requests.brokerId), eq(plan.id, id));
  const packing = jsonRowsOf(session.dialect, getTableColumns(requests));
  const plansById = plansByIdOf(session);

  const rows = rowsOf(session, requests);
  const historyRows = rowsOf(session, requestHistory);
  const viewWith = <T extends Record<string, SQL<string | number>>>(more: T) =>
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
  const broker = sql<string>`(select ${brokers.slug} from ${brokers} where ${brokers.id} = ${requests.brokerId})`;
  const history = sql<number>`(select coalesce(max(${losses.history}), 0) from ${losses})`.mapWith(Number);
  const work = statement('requests.work', () => viewWith({ offers, broker, history }));
  const simulatedWork = statement('requests.simulatedWork', () => viewWith({ offers }));
  const withOffers = <R extends { offers: string }>(row: R) => ({
    ...row,
    offers: offersById(packedOffers.unpack([{ rows: row.offers }]).map(({ row }) => row)),
  });
  const anyDue = statement('requests.anyDue', () =>
    db
      .select({ id: requests.id })
      .from(requests)
      .where(sql`due_at <= ${param('now')}`)
      .limit(1),
  );
  const open = statement('requests.open', () =>
    rows(
      and(
        eq(requests.brokerId, param('brokerId')),
        eq(requests.serviceNumber, param('serviceNumber')),
        sql.raw(IS_OPEN),
      ),
    ),
  );
  const steps = statement('requests.history', () =>
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
      return found && withOffers(found);
    },
    /** The same in a sandbox, which has neither brokers nor a history of its own. */
    async findSimulatedWork(brokerId: string, requestId: string): Promise<WorkView | null> {
      const found = await first(simulatedWork({ brokerId, requestId }));
      return found && { ...withOffers(found), broker: '', history: 0 };
    },
    /** The open requests of a service: at most one plan change and one cancellation among them. */
    listOpen: (brokerId: string, serviceNumber: number): Promise<RequestRow[]> => open({ brokerId, serviceNumber }),
    /** The same for a few hundred services at once. */
    listOpenOf: (brokerId: string, serviceNumbers: number[]): Promise<RequestRow[]> =>
      rows(and(eq(requests.brokerId, brokerId), inArray(requests.serviceNumber, serviceNumbers), sql.raw(IS_OPEN))),
    /** Oldest first. */
    listHistory: async (brokerId: string, requestId: string): Promise<HistoryRow[]> =>
      (await steps({ brokerId, requestId })).sort(byProgress),
    /** One page, newest first or in the order of changes. */
    async page(brokerId: string, filter: RequestFilter, page: PageWindow): Promise<RequestView[]> {
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
    /** The id of a request that is due at `now` (epoch milliseconds); null where none is. */
    findAnyDue: async (now: number): Promise<string | null> => (await anyDue({ now }))[0]?.id ?? null,
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
  const owner = sql.raw(WORK_OWNER);
  /**
   * Of one owner and due, by the index of both. PostgreSQL keeps to its order for pairs alone, and for a status that it
   * takes for half of all; else it sorts whatever is due where it has not analysed the table yet.
   */
  const isDueOf = (one: SQL) =>
    session.dialect === 'postgres'
      ? sql`(${owner}, due_at) >= (${one}, 0) and (${owner}, due_at) <= (${one}, ${param('now')}) and due_at is not null`
      : sql`${owner} = ${one} and due_at <= ${param('now')}`;
  const byDate = session.dialect === 'postgres' ? sql`${owner}, due_at` : sql`due_at`;
  const isAccepted = sql`coalesce(${requests.status} = 'accepted', false)`;
  /** From one owner to the next in the index, however much of each there is. */
  const ownersOf = (is: SQL | undefined) => {
    const next = (before: SQL) => sql`(select ${owner} from ${requests}
      where due_at is not null and ${owner} > ${before} order by ${owner} limit 1)`;
    // Mostly nothing is due, however many owners have work of later.
    const firstDue = sql`(select due_at from ${requests} where due_at <= ${param('now')} order by due_at limit 1)`;
    const owners = sql`(with recursive owners(owner) as (select ${next(sql`${param('after')}`)} where ${firstDue} is not null
        union all select ${next(sql`owners.owner`)} from owners where owner is not null)
      select owner from owners where owner is not null) owners`;
    const which = and(isDueOf(sql`owners.owner`), is);
    return db
      .select({ owner: sql<string>`owners.owner` })
      .from(owners)
      .where(sql`(select due_at from ${requests} where ${which} order by ${byDate} limit 1) is not null`)
      .limit(param('limit'));
  };
  /** What is due: who has any, and the oldest of one owner. */
  const dueWhere = (name: string, is: SQL | undefined) => ({
    owners: session.statement(`requests.${name}Owners`, () => ownersOf(is)),
    of: session.statement(`requests.${name}`, () =>
      // No further key: many requests that are due at the same time, as on the first of a month, would all be sorted.
      session.locking(
        rowsOf(session, requests)(and(isDueOf(sql`${param('owner')}`), is), {
          orderBy: [byDate],
          limit: param('limit'),
        }),
        { skipLocked: true },
      ),
    ),
  });
  const due = { any: dueWhere('due', isAccepted), atOnce: dueWhere('dueAtOnce', and(isAccepted, isAtOnce)) };
  const lease = session.statement('requests.lease', () =>
    db
      .update(requests)
      .set({
        dueAt: param('leaseUntil'),
        leaseOwner: param('leaseOwner'),
        attempts: sql`${requests.attempts} + 1`,
        calledAt: sql`coalesce(${requests.calledAt}, ${param('now')})`,
      })
      .where(and(eq(requests.brokerId, param('brokerId')), eq(requests.id, param('requestId'))))
      .returning(),
  );

  const noteDue = ({ dueAt, leaseOwner }: Pick<RequestRow, 'dueAt' | 'leaseOwner'>): void => {
    if (dueAt !== null && leaseOwner === null) session.dueAt = Math.min(dueAt, session.dueAt ?? dueAt);
  };

  return {
    async insert(row: RequestRow): Promise<void> {
      await insertion(row);
      tally(row, 1);
      noteDue(row);
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
      if (typeof changes.dueAt === 'number') noteDue({ dueAt: changes.dueAt, leaseOwner: null });
      if (moved.status !== from.status) {
        tally({ brokerId, type: moved.type, status: from.status }, -1);
        tally(moved, 1);
      }
      return moved;
    },
    /**
     * Leases due requests, of their owners in turn and of each owner the oldest first (contract, section 14.4). `dueAt` moves
     * to the lease's end, so the request of a worker that dies becomes due again. Of concurrent workers only one gets a
     * request: it holds the row's lock, or is the one writer. While several owners have due work, none gets more than half of all
     * places; a further claim gives away what is left then.
     * @param claim.limit the places that are free
     */
    async claimDue({
      limit,
      atOnce = false,
      places: { taken, last } = { taken: new Map(), last: '' },
      ...claim
    }: {
      now: number;
      leaseUntil: number;
      leaseOwner: string;
      limit: number;
      /** Leaves out what was to wait for a date, such as an end of term. */
      atOnce?: boolean;
      places?: Places;
    }): Promise<LeasedRequest[]> {
      const { owners: ownersBehind, of } = due[atOnce ? 'atOnce' : 'any'];
      // From the one behind the last on; as many more as have all that they may.
      const most = limit + taken.size + 1;
      const [behind, before] = await together([
        ownersBehind({ now: claim.now, after: last, limit: most }),
        last === '' ? [] : ownersBehind({ now: claim.now, after: '', limit: most }),
      ]);
      const owners = [...new Set([...behind, ...before].map((row) => row.owner))];
      const shares = sharesOf(owners, limit, taken);
      const found = await together([...shares].map(([owner, count]) => of({ now: claim.now, owner, limit: count })));
      const leases = inTurn(found.map((rows) => rows.sort(byDueDate))).map(async ({ brokerId, id, leaseOwner }) => {
        const rows = await lease({ ...claim, brokerId, requestId: id });
        return rows.map(
          (row): LeasedRequest => ({
            ...row,
            leaseOwner: claim.leaseOwner,
            takenOver: leaseOwner !== null,
          }),
        );
      });
      return (await together(leases)).flat();
    },
  };
}

/** How many of the free places each owner gets, in their order; without those that get none. */
function sharesOf(owners: readonly string[], free: number, taken: ReadonlyMap<string, number>): Map<string, number> {
  const all = [...taken.values()].reduce((sum, count) => sum + count, free);
  const most = owners.length > 1 ? Math.max(Math.floor(all / 2), 1) : all;
  const shares = new Map<string, number>();
  for (let left = free; left > 0; ) {
    const before = left;
    for (const owner of owners) {
      const share = shares.get(owner) ?? 0;
      if (left === 0 || share + (taken.get(owner) ?? 0) >= most) continue;
      shares.set(owner, share + 1);
      left -= 1;
    }
    if (left === before) break;
  }
  return shares;
}

/** The first of each list, then the second of each. */
function inTurn<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
