import { and, asc, eq, lt, lte } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { param, replacement, type Session } from '../session/session.ts';
import { rowsOf } from '../session/statements.ts';
import { together } from '../session/together.ts';

export type IdempotencyRow = Tables['idempotencyRecords']['$inferSelect'];
/** A claimed key, before the answer is known. */
type ClaimedKey = Omit<IdempotencyRow, 'statusCode' | 'body'>;
/** A key that was stored without an answer, in an earlier transaction. */
type TakenKey = IdempotencyName & Pick<IdempotencyRow, 'fingerprint'>;
export type IdempotencyName = Pick<IdempotencyRow, 'brokerId' | 'mode' | 'namespace' | 'key'>;

export function idempotencyWrites(session: Session) {
  const { db, dialect, tables, statement } = session;
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

  const rows = rowsOf(session, records);
  const find = statement('idempotency.find', () => rows(named));
  // Checks the expiry again: another transaction may have claimed the expired key meanwhile.
  const remove = statement('idempotency.remove', () =>
    db.delete(records).where(and(named, lte(records.expiresAt, param('now')))),
  );
  const put = statement('idempotency.put', () => {
    const insertion = db.insert(records).values({ ...claimed, ...answer });
    if (dialect === 'postgres') return insertion;
    return insertion.onConflictDoUpdate({
      target: [records.brokerId, records.mode, records.namespace, records.key],
      set: replacement(records, ['brokerId', 'mode', 'namespace', 'key']),
    });
  });

  const taken = and(named, eq(records.fingerprint, param('fingerprint')), eq(records.body, ''));
  const settle = statement('idempotency.settle', () => db.update(records).set(answer).where(taken));
  const free = statement('idempotency.free', () => db.delete(records).where(taken));

  return {
    /**
     * Claims the key for this transaction, or returns the record of the call that had it first. Concurrent calls with the
     * same key wait for the first: they get its record when it commits, and the key when it rolls back.
     */
    async claim(row: ClaimedKey): Promise<IdempotencyRow | null> {
      const { brokerId, mode, namespace, key, createdAt: now } = row;
      // Sent together and run one after the other: the search sees what the lock's previous holder has committed.
      const lock = session.lockName(`idempotency ${brokerId} ${mode} ${namespace} ${key}`);
      const [, [first]] = await together([lock, find(row)]);
      if (!first || first.expiresAt === null || first.expiresAt > now) return first ?? null;
      // On SQLite `complete` overwrites it: a call that is refused has then written nothing (docs/adr/0001-group-commit.md).
      if (dialect === 'sqlite') return null;
      await remove({ ...row, now });
      return this.claim(row);
    },
    /** Stores the answer under the claimed key. */
    async complete(row: ClaimedKey, given: Pick<IdempotencyRow, 'statusCode' | 'body'>): Promise<void> {
      await put({ ...row, ...given });
    },
    /** Replaces the answer of a key that has none so far. */
    async settle(row: TakenKey, given: Pick<IdempotencyRow, 'statusCode' | 'body'>): Promise<void> {
      await settle({ ...row, ...given });
    },
    /** Removes a key that has no answer: the next call with it does the work. */
    async free(row: TakenKey): Promise<void> {
      await free(row);
    },
    /** Removes at most `limit` expired records; returns how many. */
    async removeExpired(now: number, limit: number): Promise<number> {
      const expired = await rows(lt(records.expiresAt, now), { orderBy: [asc(records.expiresAt)], limit });
      for (const row of expired) await remove({ ...row, now });
      return expired.length;
    },
  };
}
