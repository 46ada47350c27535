import { and, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { firstIdOf } from '../../runtime/ids.ts';
import { insertionInto, type PageWindow, type Session } from '../session/session.ts';
import { countOf, first, given, removeFirst, rowsOf, sumOf } from '../session/statements.ts';

export type AuditRow = Tables['auditTrail']['$inferSelect'];

export interface AuditFilter {
  brokerId?: string | undefined;
  actor?: string | undefined;
  /** One, or any of several. */
  action?: string | readonly string[] | undefined;
  /** Any of these. */
  subjects?: string[] | undefined;
  /** The rows with these ids too, beside those subjects. */
  orIds?: string[] | undefined;
  /** Epoch milliseconds, inclusive. */
  since?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  until?: number | undefined;
  /** Only rows after the one with this id in the list. */
  olderThan?: string | undefined;
}

export function auditReads(session: Session) {
  const { auditTrail } = session.tables;
  const rows = rowsOf(session, auditTrail);
  const newest = [desc(auditTrail.id)];
  // Ids sort by the time at which they were made, so a span of time is a span of the key.
  const matching = ({
    brokerId,
    actor,
    action,
    subjects,
    orIds = [],
    since,
    until,
    olderThan,
  }: AuditFilter): SQL | undefined =>
    and(
      given(eq, auditTrail.brokerId, brokerId),
      given(eq, auditTrail.actor, actor),
      action === undefined ? undefined : inArray(auditTrail.action, [action].flat()),
      subjects &&
        or(inArray(auditTrail.subject, subjects), orIds.length > 0 ? inArray(auditTrail.id, orIds) : undefined),
      since === undefined ? undefined : and(gte(auditTrail.id, firstIdOf('aud', since)), gte(auditTrail.at, since)),
      until === undefined ? undefined : lt(auditTrail.id, firstIdOf('aud', until)),
      given(lt, auditTrail.id, olderThan),
    );
  return {
    find: (brokerId: string, id: string): Promise<AuditRow | null> =>
      first(rows(and(eq(auditTrail.brokerId, brokerId), eq(auditTrail.id, id)))),
    /** Newest first, of one broker or of all. */
    list: (filter: AuditFilter, limit: number): Promise<AuditRow[]> =>
      rows(matching(filter), { orderBy: newest, limit }),
    /** One page of that list. */
    page: (filter: AuditFilter, page: PageWindow): Promise<AuditRow[]> =>
      rows(matching(filter), { orderBy: newest, ...page }),
    /** How many rows match, counted no further than `limit`. */
    countUpTo: async (filter: AuditFilter, limit: number): Promise<number> =>
      sumOf(await countOf(session, auditTrail, matching(filter), limit)),
  };
}

export function auditWrites(session: Session) {
  const { auditTrail } = session.tables;
  // By the database's clock, as in the triggers, which refuse to delete later rows.
  const now = session.dialect === 'postgres' ? 'extract(epoch from clock_timestamp())' : "unixepoch('subsec')";
  const aYearAgo = sql.raw(`${now} * 1000 - 31536000000`);
  return {
    insert: insertionInto(session, 'audit.insert', auditTrail),
    /** Removes at most `limit` rows from before a date that are at least a year old; returns how many. */
    remove: (before: number, limit: number): Promise<number> =>
      removeFirst(
        session,
        { key: auditTrail.id, order: auditTrail.id },
        and(lt(auditTrail.at, before), sql`${auditTrail.at} < ${aYearAgo}`),
        limit,
      ),
  };
}
