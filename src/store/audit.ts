import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, type Session } from './session.ts';

export type AuditRow = Tables['auditTrail']['$inferSelect'];

export interface AuditFilter {
  brokerId?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  /** Epoch milliseconds; included. */
  since?: number | undefined;
  /** Rows behind this one in the list: how a long list is read page by page. */
  olderThan?: string | undefined;
}

export function auditReads({ db, tables: { auditTrail } }: Session) {
  return {
    /** Newest first: of one broker or of all. */
    async list(
      { brokerId, actor, action, subject, since, olderThan }: AuditFilter,
      limit: number,
    ): Promise<AuditRow[]> {
      return db
        .select()
        .from(auditTrail)
        .where(
          and(
            brokerId === undefined ? undefined : eq(auditTrail.brokerId, brokerId),
            actor === undefined ? undefined : eq(auditTrail.actor, actor),
            action === undefined ? undefined : eq(auditTrail.action, action),
            subject === undefined ? undefined : eq(auditTrail.subject, subject),
            since === undefined ? undefined : gte(auditTrail.at, since),
            olderThan === undefined ? undefined : lt(auditTrail.id, olderThan),
          ),
        )
        .orderBy(desc(auditTrail.id))
        .limit(limit);
    },
  };
}

export function auditWrites({ dialect, db, tables: { auditTrail }, statement }: Session) {
  const insert = statement('audit.insert', () =>
    db.insert(auditTrail).values({
      id: param('id'),
      at: param('at'),
      actorKind: param('actorKind'),
      actor: param('actor'),
      clientIp: param('clientIp'),
      action: param('action'),
      brokerId: param('brokerId'),
      subject: param('subject'),
      before: param('before'),
      after: param('after'),
    }),
  );
  /** By the clock that the triggers go by: what they would refuse is not tried. */
  const aYearAgo =
    dialect === 'postgres'
      ? sql`extract(epoch from clock_timestamp()) * 1000 - 31536000000`
      : sql`unixepoch('subsec') * 1000 - 31536000000`;
  return {
    async insert(row: AuditRow): Promise<void> {
      await insert({ ...row });
    },
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
