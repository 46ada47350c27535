import { and, asc, eq, lt, lte } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { insertionInto, param, type Session } from './session.ts';

export type IdempotencyRow = Tables['idempotencyRecords']['$inferSelect'];
/** A key that one call has taken, before its answer is there. */
export type ClaimedKey = Omit<IdempotencyRow, 'statusCode' | 'body'>;
export type IdempotencyName = Pick<IdempotencyRow, 'brokerId' | 'mode' | 'namespace' | 'key'>;

export function idempotencyWrites(session: Session) {
  const { db, dialect, statement, write } = session;
  const { idempotencyRecords: records } = session.tables;
  const named = and(
    eq(records.brokerId, param('brokerId')),
    eq(records.mode, param('mode')),
    eq(records.namespace, param('namespace')),
    eq(records.key, param('key')),
  );
  const insertion = insertionInto(session, 'idempotency.insert', records);
  const claim = statement('idempotency.claim', () =>
    db
      .insert(records)
      .values({
        brokerId: param('brokerId'),
        mode: param('mode'),
        namespace: param('namespace'),
        key: param('key'),
        fingerprint: param('fingerprint'),
        statusCode: 0,
        body: '',
        createdAt: param('createdAt'),
        expiresAt: param('expiresAt'),
      })
      .onConflictDoNothing()
      .returning({ key: records.key }),
  );
  const find = statement('idempotency.find', () => db.select().from(records).where(named));
  const complete = write('idempotency.complete', () =>
    db
      .update(records)
      .set({ statusCode: param('statusCode'), body: param('body') })
      .where(named),
  );
  // By its time as well as its name: meanwhile another transaction can have taken the expired key anew.
  const remove = statement('idempotency.remove', () =>
    db.delete(records).where(and(named, lte(records.expiresAt, param('now')))),
  );
  return {
    /**
     * Takes the key for this transaction, or returns the record of the call that had it first. A concurrent
     * call with the same key waits here until the first one committed or gave up.
     */
    async claim(row: ClaimedKey): Promise<IdempotencyRow | null> {
      if (dialect === 'postgres' && (await claim(row)).length > 0) return null;
      const [standing] = await find(row);
      // SQLite's one writer has no rival: the key is written once, with its answer, and a refused call has changed nothing.
      if (dialect === 'sqlite' && !standing) return null;
      if (standing && (standing.expiresAt === null || standing.expiresAt > row.createdAt)) return standing;
      // Past its time, though not swept away yet: the key is free again.
      await remove({ ...row, now: row.createdAt });
      return this.claim(row);
    },
    /** Keeps the answer under a key that this transaction has claimed. */
    async complete(claimed: ClaimedKey, answer: Pick<IdempotencyRow, 'statusCode' | 'body'>): Promise<void> {
      await (dialect === 'sqlite' ? insertion : complete)({ ...claimed, ...answer });
    },
    /** Removes at most `limit` records whose time is past; returns how many. */
    async removeExpired(now: number, limit: number): Promise<number> {
      const expired = await db
        .select()
        .from(records)
        .where(lt(records.expiresAt, now))
        .orderBy(asc(records.expiresAt))
        .limit(limit);
      for (const row of expired) await remove({ ...row, now });
      return expired.length;
    },
  };
}
