import { and, asc, desc, eq, gte, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import type { Session } from '../session/session.ts';
import { countOf, first, given, removeFirst, rowsOf, sumOf, TOTAL } from '../session/statements.ts';

export type CallRow = Tables['calls']['$inferSelect'];

export interface CallFilter {
  brokerId?: string | undefined;
  keyId?: string | undefined;
  code?: string | undefined;
  /** Epoch milliseconds, inclusive. */
  since?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  until?: number | undefined;
}

/** Filters without an index of their own. */
export interface CallNarrowing {
  operation?: string | undefined;
  /** Included, and excluded. */
  statuses?: readonly [number, number] | undefined;
  reason?: string | undefined;
  serviceNumber?: number | undefined;
  clientIp?: string | undefined;
}

/** Failed calls of a key for the same reason, at the same gate. */
export interface FailureGroup extends Pick<CallRow, 'reason' | 'gate' | 'brokerId' | 'keyId'> {
  code: string;
  total: number;
  firstAt: number;
  lastAt: number;
}

/** The place of a call in the list. */
export type CallPosition = Pick<CallRow, 'at' | 'requestId'>;

/** Rows per statement: times 13 columns far below SQLite's limit of 32766 parameters. */
const ROWS_A_STATEMENT = 100;

export function callReads(session: Session) {
  const { calls } = session.tables;
  const rows = rowsOf(session, calls);
  const isSqlite = session.dialect === 'sqlite';
  const newest = [desc(calls.at), desc(calls.requestId)];
  const indexed = ({ brokerId, keyId, code, since, until }: CallFilter): SQL | undefined =>
    and(
      // A key's calls have an index of their own: the unary plus keeps SQLite from that of its broker.
      brokerId === undefined ? undefined : sql`${sql.raw(keyId && isSqlite ? '+' : '')}${calls.brokerId} = ${brokerId}`,
      given(eq, calls.keyId, keyId),
      given(eq, calls.code, code),
      given(gte, calls.at, since),
      given(lt, calls.at, until),
    );
  const narrowed = ({ operation, statuses, reason, serviceNumber, clientIp }: CallNarrowing): SQL | undefined =>
    and(
      given(eq, calls.operation, operation),
      statuses === undefined ? undefined : and(gte(calls.status, statuses[0]), lt(calls.status, statuses[1])),
      given(eq, calls.reason, reason),
      given(eq, calls.serviceNumber, serviceNumber),
      given(eq, calls.clientIp, clientIp),
    );
  const older = (position: CallPosition | undefined): SQL | undefined =>
    position && sql`(${calls.at}, ${calls.requestId}) < (${position.at}, ${position.requestId})`;
  const notOlder = ({ at, requestId }: CallPosition): SQL =>
    sql`(${calls.at}, ${calls.requestId}) >= (${at}, ${requestId})`;
  const newer = ({ at, requestId }: CallPosition): SQL =>
    sql`(${calls.at}, ${calls.requestId}) > (${at}, ${requestId})`;

  return {
    /** Of any broker, for the operator. */
    find: (requestId: string): Promise<CallRow | null> => first(rows(eq(calls.requestId, requestId))),
    /** Newest first, of one broker or of all. */
    list: (filter: CallFilter, limit: number): Promise<CallRow[]> => rows(indexed(filter), { orderBy: newest, limit }),
    /**
     * The calls after a position of that list, newest first. Where the filter has parts without an index, the next
     * `among` calls are looked through, or all without it; `last` is the last of these, null where there are no more.
     */
    async page(
      filter: CallFilter & CallNarrowing,
      position: CallPosition | undefined,
      { limit, offset = 0, among }: { limit: number; offset?: number; among?: number | undefined },
    ): Promise<{ rows: CallRow[]; last: CallPosition | null }> {
      const where = and(indexed(filter), older(position));
      const narrower = narrowed(filter);
      if (!narrower) return { rows: await rows(where, { orderBy: newest, limit, offset }), last: null };
      const [last = null] =
        among === undefined ? [] : await rows(where, { orderBy: newest, limit: 1, offset: among - 1 });
      const found = await rows(and(where, last ? notOlder(last) : undefined, narrower), {
        orderBy: newest,
        limit,
        offset,
      });
      return { rows: found, last };
    },
    /** How many calls match, counted no further than `limit`. A slow query. */
    countUpTo: async (filter: CallFilter & CallNarrowing, limit: number): Promise<number> =>
      sumOf(await countOf(session, calls, and(indexed(filter), narrowed(filter)), limit)),
    /** The latest `among` failed calls by code, reason, gate and key, most calls first. A slow query. */
    async listFailureGroups(
      filter: CallFilter,
      { among, limit }: { among: number; limit: number },
    ): Promise<{ groups: FailureGroup[]; counted: number }> {
      const { code, reason, gate, brokerId, keyId, at } = calls;
      const some = session.db
        .select({ code, reason, gate, brokerId, keyId, at })
        .from(calls)
        .where(and(indexed(filter), isNotNull(code)))
        .orderBy(...newest)
        .limit(among)
        .as('some');
      const named = {
        code: some.code,
        reason: some.reason,
        gate: some.gate,
        brokerId: some.brokerId,
        keyId: some.keyId,
      };
      const groups = await session.db
        .select({
          ...named,
          ...TOTAL,
          firstAt: sql<number>`min(${some.at})`.mapWith(Number),
          lastAt: sql<number>`max(${some.at})`.mapWith(Number),
          counted: sql<number>`sum(count(*)) over ()`.mapWith(Number),
        })
        .from(some)
        .groupBy(...Object.values(named))
        .orderBy(desc(sql`count(*)`), ...Object.values(named))
        .limit(limit);
      return { groups: groups as FailureGroup[], counted: groups[0]?.counted ?? 0 };
    },
    /** How many calls are kept of each broker. A slow query. */
    async countByBroker(): Promise<Array<{ brokerId: string; total: number }>> {
      return session.db
        .select({ brokerId: calls.brokerId, ...TOTAL })
        .from(calls)
        .groupBy(calls.brokerId);
    },
    /** The calls of a key just before and just after one of them, newest first. */
    async listAround(
      keyId: string,
      position: CallPosition,
      limit: number,
    ): Promise<{ before: CallRow[]; after: CallRow[] }> {
      const ofKey = eq(calls.keyId, keyId);
      const oldest = [asc(calls.at), asc(calls.requestId)];
      return {
        before: await rows(and(ofKey, older(position)), { orderBy: newest, limit }),
        after: (await rows(and(ofKey, newer(position)), { orderBy: oldest, limit })).reverse(),
      };
    },
  };
}

export function callWrites(session: Session) {
  const { calls } = session.tables;
  return {
    /** Skips rows that exist already: a process repeats a write whose result it did not get. */
    async insert(rows: readonly CallRow[]): Promise<void> {
      for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
        const some = rows.slice(at, at + ROWS_A_STATEMENT);
        await session.db.insert(calls).values(some).onConflictDoNothing();
      }
    },
    /** Removes at most `limit` calls from before a date; returns how many. */
    remove: (before: number, limit: number): Promise<number> =>
      removeFirst(session, { key: calls.requestId, order: calls.at }, lt(calls.at, before), limit),
    /** Removes the oldest `limit` calls, of one broker or of all; returns how many. */
    removeOldest: (brokerId: string | undefined, limit: number): Promise<number> =>
      removeFirst(session, { key: calls.requestId, order: calls.at }, given(eq, calls.brokerId, brokerId), limit),
  };
}
