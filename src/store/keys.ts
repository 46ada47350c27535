import { and, asc, eq, gte, inArray } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import type { BrokerRow } from './brokers.ts';
import { param, type Session } from './session.ts';

export type KeyRow = Tables['apiKeys']['$inferSelect'];

/** Both engines take more parameters than this in one statement. */
const IDS_A_QUERY = 1000;

export function keyReads({ db, tables: { apiKeys, brokers }, statement }: Session) {
  const access = statement('keys.access', () =>
    db
      .select({ key: apiKeys, broker: brokers })
      .from(apiKeys)
      .innerJoin(brokers, eq(brokers.id, apiKeys.brokerId))
      .where(eq(apiKeys.publicId, param('publicId'))),
  );
  const newKeys = statement('keys.publicIds', () =>
    db
      .select({ publicId: apiKeys.publicId, createdAt: apiKeys.createdAt })
      .from(apiKeys)
      .where(gte(apiKeys.createdAt, param('createdSince'))),
  );
  return {
    /** The key that a caller presents, with its broker: the one look-up that has no broker's id yet. */
    async findAccess(publicId: string): Promise<{ key: KeyRow; broker: BrokerRow } | null> {
      return (await access({ publicId }))[0] ?? null;
    },
    async find(keyId: string): Promise<KeyRow | null> {
      return (await db.select().from(apiKeys).where(eq(apiKeys.id, keyId)))[0] ?? null;
    },
    /** Those that there are of these; the operator's overviews tell of keys of all brokers. */
    async findMany(keyIds: readonly string[]): Promise<KeyRow[]> {
      const found: KeyRow[] = [];
      for (let at = 0; at < keyIds.length; at += IDS_A_QUERY) {
        const ids = keyIds.slice(at, at + IDS_A_QUERY);
        found.push(...(await db.select().from(apiKeys).where(inArray(apiKeys.id, ids))));
      }
      return found;
    },
    /** Oldest first. */
    async list(brokerId: string): Promise<KeyRow[]> {
      return db
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.brokerId, brokerId))
        .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
    },
    /** The public parts of the keys of all brokers that were made at or after a date (epoch milliseconds). */
    listPublicIds: (createdSince: number): Promise<Array<Pick<KeyRow, 'publicId' | 'createdAt'>>> =>
      newKeys({ createdSince }),
    /** Which of these public ids belong to a key that is not revoked. */
    async listActive(publicIds: string[]): Promise<KeyRow[]> {
      return db
        .select()
        .from(apiKeys)
        .where(and(inArray(apiKeys.publicId, publicIds), eq(apiKeys.status, 'active')));
    },
  };
}

export function keyWrites({ db, tables: { apiKeys } }: Session) {
  return {
    async insert(row: KeyRow): Promise<void> {
      await db.insert(apiKeys).values(row);
    },
    async update(keyId: string, changes: Partial<Omit<KeyRow, 'id' | 'brokerId'>>): Promise<KeyRow | null> {
      return (await db.update(apiKeys).set(changes).where(eq(apiKeys.id, keyId)).returning())[0] ?? null;
    },
  };
}
