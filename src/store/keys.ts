import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import type { BrokerRow } from './brokers.ts';
import { first, rowsOf } from './queries.ts';
import { param, type Session } from './session.ts';

export type KeyRow = Tables['apiKeys']['$inferSelect'];

/** Below both engines' limit of parameters per statement. */
const IDS_A_QUERY = 1000;

export function keyReads(session: Session) {
  const { db, statement } = session;
  const { apiKeys, brokers } = session.tables;
  const rows = rowsOf(session, apiKeys);
  const access = statement('keys.access', () =>
    db
      .select({ key: apiKeys, broker: brokers })
      .from(apiKeys)
      .innerJoin(brokers, eq(brokers.id, apiKeys.brokerId))
      .where(eq(apiKeys.publicId, param('publicId'))),
  );
  return {
    /** The key that a caller presents, with its broker: the one look-up without a broker's id. */
    findAccess: (publicId: string): Promise<{ key: KeyRow; broker: BrokerRow } | null> => first(access({ publicId })),
    find: (keyId: string): Promise<KeyRow | null> => first(rows(eq(apiKeys.id, keyId))),
    /** The keys with these ids, of any broker, for the operator's overviews. */
    async findMany(keyIds: readonly string[]): Promise<KeyRow[]> {
      const found: KeyRow[] = [];
      for (let at = 0; at < keyIds.length; at += IDS_A_QUERY) {
        found.push(...(await rows(inArray(apiKeys.id, keyIds.slice(at, at + IDS_A_QUERY)))));
      }
      return found;
    },
    /** Oldest first. */
    list: (brokerId: string): Promise<KeyRow[]> =>
      rows(eq(apiKeys.brokerId, brokerId), { orderBy: [asc(apiKeys.createdAt), asc(apiKeys.id)] }),
    /** The keys with these public ids that are not revoked. */
    listActive: (publicIds: string[]): Promise<KeyRow[]> =>
      rows(and(inArray(apiKeys.publicId, publicIds), eq(apiKeys.status, 'active'))),
  };
}

export function keyWrites({ db, lockName, tables: { apiKeys } }: Session) {
  return {
    /** Changes of a key by operators wait for each other from here on. */
    lock: (keyId: string): Promise<void> => lockName(`key ${keyId}`),
    async insert(row: KeyRow): Promise<void> {
      await db.insert(apiKeys).values(row);
    },
    update: (keyId: string, changes: Partial<Omit<KeyRow, 'id' | 'brokerId'>>): Promise<KeyRow | null> =>
      first(db.update(apiKeys).set(changes).where(eq(apiKeys.id, keyId)).returning()),
  };
}
