import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { firstIdOf } from '../ids.ts';
import type { RequestType } from '../requests/kinds/index.ts';
import { isOpen, type RequestStatus } from '../rules/words.ts';
import type { BrokerRow } from './brokers.ts';
import { sumOf } from './counters.ts';
import type { EmailRow } from './emails.ts';
import type { KeyRow } from './keys.ts';
import type { HistoryRow, RequestRow, RequestView } from './requests.ts';
import type { Page, Session } from './session.ts';

/** A row of a list over all brokers, with whose it is. */
export interface OwnedRequest extends RequestView {
  broker: Pick<BrokerRow, 'id' | 'slug' | 'name'>;
  client: { name: string; label: string | null };
}

export interface RequestsFilter {
  status?: RequestStatus | undefined;
  type?: RequestType | undefined;
}

export type RequestOrder = 'newest' | 'oldest';

/** One figure of a broker's lists: how many services of a status, how many requests of a type and status. */
export interface BrokerTally {
  brokerId: string;
  subject: 'services' | 'requests';
  kind: string;
  status: string;
  total: number;
}

/** What operators look for among all brokers. No broker's call leads here. */
export function overviewReads({ db, dialect, tables }: Session) {
  const { apiKeys, brokers, counters, emailLog, plans, requestHistory, requests, services } = tables;
  const currentPlan = alias(plans, 'current_plan');
  const newPlan = alias(plans, 'new_plan');

  // The words stand in the query's text, where the planner finds the partial indexes that hold them.
  const narrowed = ({ status, type }: RequestsFilter): SQL | undefined =>
    and(status && sql`${requests.status} = ${sql.raw(`'${status}'`)}`, partOf(status), type && eq(requests.type, type));

  function partOf(status: RequestStatus | undefined): SQL | undefined {
    if (status === 'failed' || status === 'denied') return sql`${requests.status} in ('failed', 'denied')`;
    if (status !== undefined && isOpen(status))
      return sql`${requests.status} in ('pending', 'operator_review', 'accepted')`;
    return undefined;
  }

  // What is open is few and has no index in this order: the unary plus keeps SQLite from walking all requests instead.
  const ordered = (status: RequestStatus | undefined, direction: typeof asc): SQL =>
    direction(status !== undefined && isOpen(status) && dialect === 'sqlite' ? sql`+${requests.id}` : requests.id);

  return {
    /** What these brokers have, out of the counters. */
    async listTallies(brokerIds: string[]): Promise<BrokerTally[]> {
      return db
        .select({
          brokerId: counters.brokerId,
          subject: counters.subject,
          kind: counters.kind,
          status: counters.status,
          total: sql<number>`sum(${counters.value})`.mapWith(Number),
        })
        .from(counters)
        .where(inArray(counters.brokerId, brokerIds))
        .groupBy(counters.brokerId, counters.subject, counters.kind, counters.status);
    },
    /** How many keys of these brokers are not revoked. */
    async countKeys(brokerIds: string[]): Promise<Map<string, number>> {
      const rows = await db
        .select({ brokerId: apiKeys.brokerId, total: sql<number>`count(*)`.mapWith(Number) })
        .from(apiKeys)
        .where(and(inArray(apiKeys.brokerId, brokerIds), eq(apiKeys.status, 'active')))
        .groupBy(apiKeys.brokerId);
      return new Map(rows.map((row) => [row.brokerId, row.total]));
    },
    /** One page of a broker's keys: those that can be used first, then the newest. */
    async pageKeys(brokerId: string, page: Page): Promise<{ rows: KeyRow[]; total: number }> {
      const own = eq(apiKeys.brokerId, brokerId);
      const [rows, counted] = await Promise.all([
        db
          .select()
          .from(apiKeys)
          .where(own)
          .orderBy(asc(apiKeys.status), desc(apiKeys.createdAt), desc(apiKeys.id))
          .limit(page.limit)
          .offset(page.offset),
        db
          .select({ total: sql<number>`count(*)`.mapWith(Number) })
          .from(apiKeys)
          .where(own),
      ]);
      return { rows, total: sumOf(counted) };
    },
    /**
     * One page of all brokers' requests. Ids sort by the time at which they were made, so the key of the table is the
     * order of the list; what is rare (open, failed, denied) has an index of its own.
     */
    async pageRequests(filter: RequestsFilter, order: RequestOrder, page: Page): Promise<OwnedRequest[]> {
      const direction = order === 'newest' ? desc : asc;
      const ids = await db
        .select({ id: requests.id })
        .from(requests)
        .where(narrowed(filter))
        .orderBy(ordered(filter.status, direction))
        .limit(page.limit)
        .offset(page.offset);
      // A query of its own: in one, SQLite may begin at the wrong end and walk all services.
      return db
        .select({
          request: requests,
          currentPlan,
          newPlan,
          broker: { id: brokers.id, slug: brokers.slug, name: brokers.name },
          client: { name: services.clientName, label: services.label },
        })
        .from(requests)
        .innerJoin(brokers, eq(brokers.id, requests.brokerId))
        .innerJoin(services, eq(services.number, requests.serviceNumber))
        .leftJoin(currentPlan, eq(currentPlan.id, requests.currentPlanId))
        .leftJoin(newPlan, eq(newPlan.id, requests.newPlanId))
        .where(
          inArray(
            requests.id,
            ids.map(({ id }) => id),
          ),
        )
        .orderBy(direction(requests.id));
    },
    /** How many there are, out of the counters. */
    async countRequests({ status, type }: RequestsFilter): Promise<number> {
      return sumOf(
        await db
          .select({ total: sql<number>`coalesce(sum(${counters.value}), 0)`.mapWith(Number) })
          .from(counters)
          .where(
            and(
              eq(counters.subject, 'requests'),
              status && eq(counters.status, status),
              type && eq(counters.kind, type),
            ),
          ),
      );
    },
    /** The broker that has this service: numbers are unique over all of them. */
    async findServiceOwner(number: number): Promise<string | null> {
      const rows = await db.select({ brokerId: services.brokerId }).from(services).where(eq(services.number, number));
      return rows[0]?.brokerId ?? null;
    },
    /** What a service was asked for, newest first. */
    async listOfService(brokerId: string, number: number, limit: number): Promise<RequestRow[]> {
      return db
        .select()
        .from(requests)
        .where(and(eq(requests.brokerId, brokerId), eq(requests.serviceNumber, number)))
        .orderBy(desc(requests.submittedAt), asc(requests.id))
        .limit(limit);
    },
    /** What became of these requests, newest first. */
    async listHistoryOf(brokerId: string, requestIds: string[], limit: number): Promise<HistoryRow[]> {
      return db
        .select()
        .from(requestHistory)
        .where(and(eq(requestHistory.brokerId, brokerId), inArray(requestHistory.requestId, requestIds)))
        .orderBy(desc(requestHistory.at), desc(requestHistory.id))
        .limit(limit);
    },
    /**
     * The mails about a service, newest first, among the broker's latest `among` ones: the log has no index by service,
     * and what a client was told lately is what is asked for.
     */
    async listEmailsOfService(
      brokerId: string,
      number: number,
      { among, limit }: { among: number; limit: number },
    ): Promise<Array<Pick<EmailRow, 'id' | 'kind' | 'status' | 'createdAt' | 'failureReason' | 'settledNote'>>> {
      const latest = db
        .select({ id: emailLog.id })
        .from(emailLog)
        .where(eq(emailLog.brokerId, brokerId))
        .orderBy(desc(emailLog.createdAt), desc(emailLog.id))
        .limit(among);
      return db
        .select({
          id: emailLog.id,
          kind: emailLog.kind,
          status: emailLog.status,
          createdAt: emailLog.createdAt,
          failureReason: emailLog.failureReason,
          settledNote: emailLog.settledNote,
        })
        .from(emailLog)
        .where(and(inArray(emailLog.id, latest), eq(emailLog.serviceNumber, number)))
        .orderBy(desc(emailLog.createdAt), desc(emailLog.id))
        .limit(limit);
    },
    /** What became of the emails since a moment, of the latest `limit` ones. */
    async countEmails(since: number, limit: number): Promise<Array<{ status: EmailRow['status']; total: number }>> {
      const latest = db
        .select({ status: emailLog.status })
        .from(emailLog)
        .where(gte(emailLog.id, firstIdOf('eml', since)))
        .orderBy(desc(emailLog.id))
        .limit(limit)
        .as('latest');
      return db
        .select({ status: latest.status, total: sql<number>`count(*)`.mapWith(Number) })
        .from(latest)
        .groupBy(latest.status);
    },
    /** How many requests failed that were handed in since a moment; counted no further than `limit`. */
    async countFailed(since: number, limit: number): Promise<number> {
      const some = db
        .select({ id: requests.id })
        .from(requests)
        .where(and(narrowed({ status: 'failed' }), gte(requests.id, firstIdOf('req', since))))
        .limit(limit)
        .as('some');
      return sumOf(await db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(some));
    },
    /** The work that is due: how much of it, counted no further than `limit`, and since when the oldest is. */
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
