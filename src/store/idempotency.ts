import { and, asc, eq, lt, lte } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, replacement, type Session } from './session.ts';

export type IdempotencyRow = Tables['idempotencyRecords']['$inferSelect'];
/** A key that one call has taken, before its answer is there. */
type ClaimedKey = Omit<IdempotencyRow, 'statusCode' | 'body'>;
export type IdempotencyName = Pick<IdempotencyRow, 'brokerId' | 'mode' | 'namespace' | 'key'>;

export function idempotencyWrites({ db, dialect, tables: { idempotencyRecords: records }, statement, write }: Session) {
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

  const insert = statement('idempotency.claim', () =>
    db
      .insert(records)
      .values({ ...claimed, statusCode: 0, body: '' })
      .onConflictDoNothing()
      .returning({ key: records.key }),
  );
  const fill = write('idempotency.complete', () => db.update(records).set(answer).where(named));
  /** On PostgreSQL the claim is the row, which a concurrent call with the same key waits for. */
  const byRow: Keys = {
    async claim(row) {
      if ((await insert(row)).length > 0) return null;
      const [first] = await find(row);
      if (first && isStanding(first, row.createdAt)) return first;
      // Past its time, though not swept away yet: the key is free again.
      await remove({ ...row, now: row.createdAt });
      return byRow.claim(row);
    },
    complete: (row, given) => fill({ ...row, ...given }),
  };

  const put = write('idempotency.put', () =>
    db
      .insert(records)
      .values({ ...claimed, ...answer })
      .onConflictDoUpdate({
        target: [records.brokerId, records.mode, records.namespace, records.key],
        set: replacement(records, ['brokerId', 'mode', 'namespace', 'key']),
      }),
  );
  /**
   * SQLite's one writer has no rival: the claim is a look, and the row is written once, with its answer. What is refused
   * behind the claim has changed nothing, so nothing has to be undone (docs/adr/0001-group-commit.md).
   */
  const byLook: Keys = {
    async claim(row) {
      const [first] = await find(row);
      return first && isStanding(first, row.createdAt) ? first : null;
    },
    complete: (row, given) => put({ ...row, ...given }),
  };

  return {
    ...(dialect === 'postgres' ? byRow : byLook),
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

interface Keys {
  /**
   * Takes the key for this transaction, or returns the record of the call that had it first; of concurrent calls with
   * one key the others are told of the first when it committed, or have the key when it gave up.
   */
  claim(row: ClaimedKey): Promise<IdempotencyRow | null>;
  /** Keeps the answer under a key that this transaction has claimed. */
  complete(claimed: ClaimedKey, answer: Pick<IdempotencyRow, 'statusCode' | 'body'>): Promise<void>;
}
