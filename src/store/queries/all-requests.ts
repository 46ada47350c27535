import {
  and,
  asc,
  between,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { IS_OPEN } from '../../../drizzle/tables.ts';
import { RETRIED_TYPES, type RequestType } from '../../kinds/index.ts';
import { isOpen, LIVING_STATUSES, type RequestStatus } from '../../rules/words.ts';
import { counterTotal } from '../session/counters.ts';
import type { PageWindow, Session } from '../session/session.ts';
import { countOf, given, listedIn, rowsOf, sumOf } from '../session/statements.ts';
import type { BrokerRow } from './brokers.ts';
import type { HistoryRow, RequestRow, RequestView } from './requests.ts';
import type { ServiceRow } from './services.ts';

/** A request with its broker and client. */
export interface OwnedRequest extends RequestView {
  broker: Pick<BrokerRow, 'id' | 'slug' | 'name'>;
  client: { name: string; label: string | null };
  service: Pick<ServiceRow, 'status' | 'reference'>;
  /** The request that does this one once more; null: none. */
  retriedAs: string | null;
}

/** Requests that failed for the same reason. Epoch milliseconds. */
export interface FailureSum {
  reason: string;
  total: number;
  brokers: number;
  /** Of them those that can be done once more. */
  retryable: number;
  latestAt: number;
}

/** A service that its clean-up left pending, and the request that failed last. */
export interface FailedCleanUp {
  broker: string;
  service_number: number;
  request_id: string;
}

export interface RequestsFilter {
  brokerId?: string | undefined;
  /** Of this broker. */
  serviceNumber?: number | undefined;
  status?: RequestStatus | undefined;
  type?: RequestType | undefined;
  /** Why it failed. */
  reason?: string | undefined;
  /** When it ended: included, and excluded. */
  endedSince?: number | undefined;
  endedUntil?: number | undefined;
  /** Reasons that are left out. */
  reasonsLeftOut?: readonly string[] | undefined;
  /** Whether it failed and can be done once more (contract, section 14.4). */
  canRetry?: boolean | undefined;
  /** Submitted after this one: ids sort by the time at which they were made. */
  after?: string | undefined;
}

export type WorkRow = Pick<RequestRow, 'status' | 'submittedAt' | 'decidedAt' | 'effectiveAt' | 'processedAt'>;

export type RequestOrder = 'newest' | 'oldest';

/** Requests of all brokers, for operators only. */
export function allRequestReads(session: Session) {
  const { db, dialect, tables } = session;
  const { brokers, counters, plans, requestHistory, requests, services } = tables;
  const [history, ownRequests] = [rowsOf(session, requestHistory), rowsOf(session, requests)];
  const currentPlan = alias(plans, 'current_plan');
  const newPlan = alias(plans, 'new_plan');
  const retry = alias(requests, 'retry');
  const retriedAs = sql<string | null>`(select ${retry.id} from ${requests} ${sql.raw('"retry"')}
    where ${retry.retryOf} = ${requests.id})`;
  const isRetryable = and(
    eq(requests.status, 'failed'),
    inArray(requests.type, RETRIED_TYPES),
    sql`${retriedAs} is null`,
    sql`(select ${services.status} from ${services} where ${services.number} = ${requests.serviceNumber})
      in (${sql.raw(LIVING_STATUSES.map((word) => `'${word}'`).join())})`,
  );

  // Literals, not parameters, so that the planner can use the partial indexes.
  const narrowed = ({ brokerId, serviceNumber, status, type, after, ...ended }: RequestsFilter): SQL | undefined =>
    and(
      given(eq, requests.brokerId, brokerId),
      given(eq, requests.serviceNumber, serviceNumber),
      status && sql`${requests.status} = ${sql.raw(`'${status}'`)}`,
      partOf(status),
      given(eq, requests.type, type),
      given(gt, requests.id, after),
      endedAs(brokerId, status, ended),
    );

  /** Failed ones are few and have an index; of all others each broker's changes are read, which an end is one of. */
  function endedAs(
    brokerId: string | undefined,
    status: RequestStatus | undefined,
    { reason, reasonsLeftOut, endedSince, endedUntil, canRetry }: RequestsFilter,
  ): SQL | undefined {
    const isFailed = status === 'failed' || reason !== undefined || canRetry === true;
    const changes =
      endedSince === undefined || isFailed
        ? undefined
        : and(
            brokerId === undefined
              ? inArray(requests.brokerId, db.select({ id: brokers.id }).from(brokers))
              : undefined,
            gte(requests.updatedAt, endedSince),
          );
    return and(
      given(eq, requests.failureReason, reason),
      reasonsLeftOut && notInArray(requests.failureReason, [...reasonsLeftOut]),
      isFailed ? and(sql`${requests.status} = 'failed'`, partOf('failed')) : undefined,
      changes,
      given(gte, requests.processedAt, endedSince),
      given(lt, requests.processedAt, endedUntil),
      canRetry ? isRetryable : undefined,
    );
  }

  function partOf(status: RequestStatus | undefined): SQL | undefined {
    if (status === 'failed' || status === 'denied') return sql`${requests.status} in ('failed', 'denied')`;
    if (status !== undefined && isOpen(status))
      return sql`${requests.status} in ('pending', 'operator_review', 'accepted')`;
    return undefined;
  }

  function ordered({ brokerId, status }: RequestsFilter, order: RequestOrder): SQL[] {
    const [forward, back] = order === 'newest' ? [desc, asc] : [asc, desc];
    // The order of a broker's indexes.
    if (brokerId !== undefined) return [forward(requests.submittedAt), back(requests.id)];
    // Open requests are few and have no index in this order: the unary plus keeps SQLite from reading all requests.
    return [forward(status && isOpen(status) && dialect === 'sqlite' ? sql`+${requests.id}` : requests.id)];
  }

  function behind({ brokerId }: RequestsFilter, order: RequestOrder, { submittedAt, id }: RequestRow): SQL | undefined {
    const [later, before] = order === 'newest' ? [lt, gt] : [gt, lt];
    if (brokerId === undefined) return later(requests.id, id);
    return or(
      later(requests.submittedAt, submittedAt),
      and(eq(requests.submittedAt, submittedAt), before(requests.id, id)),
    );
  }

  /** A query within the other one, so that only the page's rows are read whole. */
  const idsOf = (
    filter: RequestsFilter,
    order: RequestOrder,
    { limit, offset }: PageWindow,
    last: RequestRow | undefined,
  ) =>
    db
      .select({ id: requests.id })
      .from(requests)
      .where(and(narrowed(filter), last && behind(filter, order, last)))
      .orderBy(...ordered(filter, order))
      .limit(limit)
      .offset(offset);

  const { status, submittedAt, decidedAt, effectiveAt, processedAt } = requests;
  const WORK = { status, submittedAt, decidedAt, effectiveAt, processedAt };

  /** Each broker's part of its index of changes: what was submitted long before is found too, and no other is read. */
  const finishedSince = (since: number, ends: RequestStatus[]): SQL | undefined =>
    and(
      inArray(requests.brokerId, db.select({ id: brokers.id }).from(brokers)),
      gte(requests.updatedAt, since),
      gte(requests.processedAt, since),
      inArray(status, ends),
    );

  return {
    /** Which of these services, a thousand at most, have work that is due or under way. */
    async listAtWork(numbers: number[], now: number): Promise<Set<number>> {
      const isDue = or(isNull(requests.effectiveAt), lte(requests.effectiveAt, now));
      const isOfThem = sql`${requests.serviceNumber} in ${listedIn(session, numbers)}`;
      const rows = await db
        .select({ number: requests.serviceNumber })
        .from(requests)
        .where(and(isOfThem, eq(requests.status, 'accepted'), sql.raw(IS_OPEN), isDue));
      return new Set(rows.map(({ number }) => number));
    },
    /**
     * One page of the requests of a broker or of all, of those behind `last` where it is given. Ids sort by the time at
     * which they were made, so the primary key has the order of the list of all; rare statuses (open, failed, denied)
     * have an index of their own.
     */
    page: (filter: RequestsFilter, order: RequestOrder, page: PageWindow, last?: RequestRow): Promise<OwnedRequest[]> =>
      db
        .select({
          request: requests,
          currentPlan,
          newPlan,
          broker: { id: brokers.id, slug: brokers.slug, name: brokers.name },
          client: { name: services.clientName, label: services.label },
          service: { status: services.status, reference: services.reference },
          retriedAs,
        })
        .from(requests)
        .innerJoin(brokers, eq(brokers.id, requests.brokerId))
        .innerJoin(services, and(eq(services.brokerId, requests.brokerId), eq(services.number, requests.serviceNumber)))
        .leftJoin(
          currentPlan,
          and(eq(currentPlan.brokerId, requests.brokerId), eq(currentPlan.id, requests.currentPlanId)),
        )
        .leftJoin(newPlan, and(eq(newPlan.brokerId, requests.brokerId), eq(newPlan.id, requests.newPlanId)))
        .where(inArray(requests.id, idsOf(filter, order, page, last)))
        .orderBy(...ordered(filter, order)),
    /** The brokers with most open requests of a status, and how many there are. */
    listMostOf: (status: RequestStatus, limit: number): Promise<Array<{ slug: string; name: string; total: number }>> =>
      db
        .select({ slug: brokers.slug, name: brokers.name, total: sql<number>`sum(${counters.value})`.mapWith(Number) })
        .from(counters)
        .innerJoin(brokers, eq(brokers.id, counters.brokerId))
        .where(and(eq(counters.subject, 'requests'), eq(counters.status, status)))
        .groupBy(brokers.slug, brokers.name)
        .having(sql`sum(${counters.value}) > 0`)
        .orderBy(desc(sql`sum(${counters.value})`), asc(brokers.slug))
        .limit(limit),
    /** The ids of the oldest of them, in the order of ids. */
    async listOldest(filter: RequestsFilter, limit: number): Promise<string[]> {
      const { status } = filter;
      const oldest = db
        .select({ id: requests.id })
        .from(requests)
        .where(narrowed(filter))
        .orderBy(...ordered({ status }, 'oldest'))
        .limit(limit);
      return (await oldest).map(({ id }) => id);
    },
    /** How many requests match; from the counters but for those of one service, of a reason or of a time of their end. */
    count: async (filter: RequestsFilter): Promise<number> => {
      const { brokerId, serviceNumber, status, type, reason, endedSince, endedUntil, canRetry } = filter;
      if (reason !== undefined || endedSince !== undefined || endedUntil !== undefined || canRetry)
        return sumOf(await countOf(session, requests, narrowed(filter)));
      if (serviceNumber !== undefined) return sumOf(await countOf(session, requests, narrowed(filter)));
      return sumOf(await counterTotal(session, brokerId, 'requests', { kinds: type && [type], status }));
    },
    /** The failed ones that match by reason, the most frequent first. */
    tallyFailures: (filter: RequestsFilter, limit: number): Promise<FailureSum[]> =>
      db
        .select({
          reason: sql<string>`coalesce(${requests.failureReason}, 'unknown')`,
          total: sql<number>`count(*)`.mapWith(Number),
          brokers: sql<number>`count(distinct ${requests.brokerId})`.mapWith(Number),
          retryable: sql<number>`sum(case when ${isRetryable} then 1 else 0 end)`.mapWith(Number),
          latestAt: sql<number>`max(${requests.processedAt})`.mapWith(Number),
        })
        .from(requests)
        .where(narrowed({ ...filter, status: 'failed' }))
        .groupBy(requests.failureReason)
        .orderBy(desc(sql`count(*)`), asc(requests.failureReason))
        .limit(limit),
    /** The request that does this one once more; null: none. */
    async findRetry(requestId: string): Promise<string | null> {
      const rows = await db.select({ id: requests.id }).from(requests).where(eq(requests.retryOf, requestId));
      return rows[0]?.id ?? null;
    },
    /** A service's requests, newest first; of those that were submitted in this time, both ends included. */
    listOfService: (
      brokerId: string,
      number: number,
      limit: number,
      time?: readonly [from: number, to: number],
    ): Promise<RequestRow[]> =>
      ownRequests(
        and(
          eq(requests.brokerId, brokerId),
          eq(requests.serviceNumber, number),
          time && between(requests.submittedAt, ...time),
        ),
        { orderBy: [desc(requests.submittedAt), asc(requests.id)], limit },
      ),
    /** The numbers of the services that these requests are of. */
    async listServicesOf(requestIds: readonly string[]): Promise<Map<string, number>> {
      if (requestIds.length === 0) return new Map();
      const rows = await db
        .select({ id: requests.id, number: requests.serviceNumber })
        .from(requests)
        .where(inArray(requests.id, [...requestIds]));
      return new Map(rows.map(({ id, number }) => [id, number]));
    },
    /** The history of these requests, newest first. */
    listHistoryOf: (brokerId: string, requestIds: string[], limit: number): Promise<HistoryRow[]> =>
      history(and(eq(requestHistory.brokerId, brokerId), inArray(requestHistory.requestId, requestIds)), {
        orderBy: [desc(requestHistory.at), desc(requestHistory.id)],
        limit,
      }),
    /** How many requests were completed and how many failed since a date, each counted no further than `limit`. */
    async countFinished(since: number, limit: number): Promise<{ completed: number; failed: number }> {
      const count = async (end: RequestStatus) =>
        sumOf(await countOf(session, requests, finishedSince(since, [end]), limit));
      return { completed: await count('completed'), failed: await count('failed') };
    },
    /** The dates of so many of them, the latest first. */
    listFinished: (since: number, limit: number): Promise<WorkRow[]> =>
      db
        .select(WORK)
        .from(requests)
        .where(finishedSince(since, ['completed', 'failed']))
        .orderBy(desc(requests.processedAt))
        .limit(limit),
    /** How much open work the provisioner reported as in progress, counted no further than `limit`. */
    async countInProgress(limit: number): Promise<number> {
      const begun = and(narrowed({ status: 'accepted' }), isNotNull(requests.workBegunAt));
      return sumOf(await countOf(session, requests, begun, limit));
    },
    /** How many requests of a status were submitted before a date, counted no further than `limit`. */
    async countOlder(status: RequestStatus, before: number, limit: number): Promise<number> {
      const older = and(narrowed({ status }), lt(requests.submittedAt, before));
      return sumOf(await countOf(session, requests, older, limit));
    },
    /** How many requests have due work, or work that is tried again, counted no further than `limit`. */
    async countWaiting(now: number, limit: number): Promise<number> {
      const isLate = or(lte(requests.dueAt, now), isNotNull(requests.failingSince));
      const waiting = and(sql`${requests.dueAt} is not null`, isLate);
      return sumOf(await countOf(session, requests, waiting, limit));
    },
    /** Services that stay pending, for the clean-up after their creation failed: each with its last one, latest first. */
    async listFailedCleanUps(limit: number): Promise<FailedCleanUp[]> {
      const isOfService = and(
        eq(requests.brokerId, services.brokerId),
        eq(requests.serviceNumber, services.number),
        eq(requests.status, 'failed'),
        eq(requests.cleansUp, true),
      );
      const request_id = sql<string>`max(${requests.id})`;
      return db
        .select({ broker: brokers.slug, service_number: services.number, request_id })
        .from(brokers)
        .innerJoin(services, and(eq(services.brokerId, brokers.id), eq(services.status, 'pending')))
        .innerJoin(requests, isOfService)
        .where(isNull(services.cancellationRequestId))
        .groupBy(brokers.slug, services.number)
        .orderBy(desc(request_id))
        .limit(limit);
    },
    /** How many requests are due, counted no further than `limit`, and since when the oldest is. */
    async countDue(now: number, limit: number): Promise<{ due: number; oldestDueAt: number | null }> {
      const due = and(sql`${requests.dueAt} is not null`, lte(requests.dueAt, now));
      const some = db
        .select({ dueAt: requests.dueAt })
        .from(requests)
        .where(due)
        .orderBy(asc(requests.dueAt))
        .limit(limit);
      const [row] = await db
        .select({
          due: sql<number>`count(*)`.mapWith(Number),
          oldestDueAt: sql<number | null>`min(due_at)`.mapWith(Number),
        })
        .from(some.as('some'));
      return row as { due: number; oldestDueAt: number | null };
    },
  };
}
