import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { firstIdOf } from '../ids.ts';
import { insertionInto, type Page, type Session } from './session.ts';

export type AuditRow = Tables['auditTrail']['$inferSelect'];

export interface AuditFilter {
  brokerId?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** Any of these. */
  subjects?: string[] | undefined;
  /** Epoch milliseconds: included, and excluded. */
  since?: number | undefined;
  until?: number | undefined;
  /** Rows behind this one in the list: how a long list is read page by page. */
  olderThan?: string | undefined;
}

export function auditReads({ db, tables: { auditTrail } }: Session) {
  // Ids sort by the time at which they were made: a span of time is one of the key.
  const matching = ({ brokerId, actor, action, subjects, since, until, olderThan }: AuditFilter) =>
    and(
      brokerId === undefined ? undefined : eq(auditTrail.brokerId, brokerId),
      actor === undefined ? undefined : eq(auditTrail.actor, actor),
      action === undefined ? undefined : eq(auditTrail.action, action),
      subjects === undefined ? undefined : inArray(auditTrail.subject, subjects),
      since === undefined ? undefined : and(gte(auditTrail.id, firstIdOf('aud', since)), gte(auditTrail.at, since)),
      until === undefined ? undefined : lt(auditTrail.id, firstIdOf('aud', until)),
      olderThan === undefined ? undefined : lt(auditTrail.id, olderThan),
    );
  return {
    /** Newest first: of one broker or of all. */
    async list(filter: AuditFilter, limit: number): Promise<AuditRow[]> {
      return db.select().from(auditTrail).where(matching(filter)).orderBy(desc(auditTrail.id)).limit(limit);
    },
    /** One page of that list. */
    async page(filter: AuditFilter, { limit, offset }: Page): Promise<AuditRow[]> {
      return db
        .select()
        .from(auditTrail)
        .where(matching(filter))
        .orderBy(desc(auditTrail.id))
        .limit(limit)
        .offset(offset);
    },
    /** How many rows that list has, counted no further than `limit`. */
    async countUpTo(filter: AuditFilter, limit: number): Promise<number> {
      const some = db.select({ id: auditTrail.id }).from(auditTrail).where(matching(filter)).limit(limit).as('some');
      const rows = await db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(some);
      return (rows as [{ total: number }])[0].total;
    },
  };
}

export function auditWrites(session: Session) {
  const {
    dialect,
    db,
    tables: { auditTrail },
  } = session;
  const insert = insertionInto(session, 'audit.insert', auditTrail);
  /** By the clock that the triggers go by: what they would refuse is not tried. */
  const aYearAgo =
    dialect === 'postgres'
      ? sql`extract(epoch from clock_timestamp()) * 1000 - 31536000000`
      : sql`unixepoch('subsec') * 1000 - 31536000000`;
  return {
    insert: (row: AuditRow): Promise<void> => insert(row),
    /** Removes at most `limit` rows from before a moment, a year old at least; returns how many. */
    async remove(before: number, limit: number): Promise<number> {
      const old = db
        .select({ id: auditTrail.id })
        .from(auditTrail)
        .where(and(lt(auditTrail.at, before), sql`${auditTrail.at} < ${aYearAgo}`))
        .orderBy(asc(auditTrail.id))
        .limit(limit);
      const removed = await db.delete(auditTrail).where(inArray(auditTrail.id, old)).returning({ id: auditTrail.id });
      return removed.length;
    },
  };
}
