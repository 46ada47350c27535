import { and, asc, eq, lt, lte } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, replacement, type Session } from './session.ts';

export type IdempotencyRow = Tables['idempotencyRecords']['$inferSelect'];
/** A key that one call has taken, before its answer is there. */
type ClaimedKey = Omit<IdempotencyRow, 'statusCode' | 'body'>;
export type IdempotencyName = Pick<IdempotencyRow, 'brokerId' | 'mode' | 'namespace' | 'key'>;

export function idempotencyWrites(session: Session) {
  const { db, dialect, tables, statement, write } = session;
  const records = tables.idempotencyRecords;
  const named = and(
    eq(records.brokerId, param('brokerId')),
    eq(records.mode, param('mode')),
    eq(records.namespace, param('namespace')),
    eq(records.key, param('key')),
  );
  const claimed = {
    brokerId: param<string>('brokerId'),
    mode: param<IdempotencyRow['mode']>('mode'),
    namespace: param<IdempotencyRow['namespace']>('namespace'),
    key: param<string>('key'),
    fingerprint: param<string>('fingerprint'),
    createdAt: param<number>('createdAt'),
    expiresAt: param<number | null>('expiresAt'),
  };
  const answer = { statusCode: param<number>('statusCode'), body: param<string>('body') };

  const find = statement('idempotency.find', () => db.select().from(records).where(named));
  // By its time as well as its name: meanwhile another transaction can have taken the expired key anew.
  const remove = statement('idempotency.remove', () =>
    db.delete(records).where(and(named, lte(records.expiresAt, param('now')))),
  );
  const isStanding = ({ expiresAt }: IdempotencyRow, now: number) => expiresAt === null || expiresAt > now;

  const put = write('idempotency.put', () => {
    const insertion = db.insert(records).values({ ...claimed, ...answer });
    if (dialect === 'postgres') return insertion;
    return insertion.onConflictDoUpdate({
      target: [records.brokerId, records.mode, records.namespace, records.key],
      set: replacement(records, ['brokerId', 'mode', 'namespace', 'key']),
    });
  });

  return {
    /**
     * Takes the key for this transaction, or returns the record of the call that had it first; of concurrent calls with
     * one key the others are told of the first when it committed, or have the key when it gave up.
     */
    async claim(row: ClaimedKey): Promise<IdempotencyRow | null> {
      const { brokerId, mode, namespace, key, createdAt: now } = row;
      const [, [first]] = await Promise.all([
        session.lockName(`idempotency ${brokerId} ${mode} ${namespace} ${key}`),
        find(row),
      ]);
      if (!first || isStanding(first, now)) return first ?? null;
      // SQLite writes it over with the answer: what is refused behind the claim has then changed nothing, and nothing
      // has to be undone (docs/adr/0001-group-commit.md).
      if (dialect === 'sqlite') return null;
      await remove({ ...row, now });
      return this.claim(row);
    },
    /** Keeps the answer under a key that this transaction has claimed. */
    complete: (row: ClaimedKey, given: Pick<IdempotencyRow, 'statusCode' | 'body'>): Promise<void> =>
      put({ ...row, ...given }),
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
