import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { RequestType } from '../../kinds/index.ts';
import { param, type Session } from '../session/session.ts';
import { sumOf, TOTAL } from '../session/statements.ts';
import type { RequestRow } from './requests.ts';

/** A request with its broker and its service's plan. */
export interface WithheldView {
  request: RequestRow;
  broker: string;
  planId: string;
}

/** When the work could have begun: epoch milliseconds, of requests that were accepted. */
const ACCEPTED_AT = (requests: Session['tables']['requests']) =>
  sql<number>`coalesce(${requests.decidedAt}, ${requests.submittedAt})`;

/** Accepted work that a loss of the records withholds (contract, section 15.5). Over all brokers. */
export function withheldReads({ db, tables: { requests, services, brokers } }: Session) {
  const views = (where: SQL | undefined, limit: number): Promise<WithheldView[]> =>
    db
      .select({ request: requests, broker: brokers.slug, planId: services.planId })
      .from(requests)
      .innerJoin(services, and(eq(services.brokerId, requests.brokerId), eq(services.number, requests.serviceNumber)))
      .innerJoin(brokers, eq(brokers.id, requests.brokerId))
      .where(where)
      .orderBy(asc(requests.id))
      .limit(limit) as unknown as Promise<WithheldView[]>;
  const isWithheld = and(isNotNull(requests.withheldBy), eq(requests.status, 'accepted'));
  return {
    /** The oldest first. */
    list: (limit: number): Promise<WithheldView[]> => views(isWithheld, limit),
    count: async (): Promise<number> => sumOf(await db.select(TOTAL).from(requests).where(isWithheld)),
    /** Accepted actions of before a date (epoch milliseconds) that nothing withholds yet and no worker has begun. */
    listActions: (before: number, limit: number): Promise<WithheldView[]> =>
      views(
        and(
          eq(requests.status, 'accepted'),
          eq(requests.type, 'service-action'),
          isNull(requests.withheldBy),
          isNull(requests.leaseOwner),
          sql`${ACCEPTED_AT(requests)} < ${before}`,
        ),
        limit,
      ),
  };
}

export function withheldWrites({ db, tables: { requests }, statement }: Session) {
  const withhold = (types: readonly RequestType[]) =>
    statement(`requests.withhold ${types.length}`, () =>
      db
        .update(requests)
        .set({ withheldBy: param('history'), dueAt: null })
        .where(
          and(
            eq(requests.status, 'accepted'),
            inArray(requests.type, [...types]),
            isNull(requests.withheldBy),
            sql`${ACCEPTED_AT(requests)} < ${param('before')}`,
          ),
        ),
    );
  return {
    /** Withholds all accepted requests of these types that were accepted before a date, for a loss. */
    async add(history: number, types: readonly RequestType[], before: number): Promise<void> {
      await withhold(types)({ history, before });
    },
  };
}
