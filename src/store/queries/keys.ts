import { and, asc, desc, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { fold } from '../../rules/search-text.ts';
import { type PageWindow, param, type Session } from '../session/session.ts';
import { countOf, first, listedTexts, rowsOf, sumOf, TOTAL } from '../session/statements.ts';

export type KeyRow = Tables['apiKeys']['$inferSelect'];

interface KeyAccess {
  key: KeyRow;
  broker: Tables['brokers']['$inferSelect'];
}

/** Below both engines' limit of parameters per statement. */
const IDS_A_QUERY = 1000;

/** Names that are folded in one piece: some twenty milliseconds. */
const NAMES_AT_ONCE = 2_000;

/** Active keys before revoked ones, then the newest. */
const usableFirst = (
  one: Pick<KeyRow, 'id' | 'status' | 'createdAt'>,
  other: Pick<KeyRow, 'id' | 'status' | 'createdAt'>,
): number =>
  Number(one.status > other.status) - Number(one.status < other.status) ||
  other.createdAt - one.createdAt ||
  Number(one.id < other.id) - Number(one.id > other.id);

/** Neither revoked nor expired at `now`. */
export const isUsable = ({ apiKeys }: Pick<Tables, 'apiKeys'>, now: number): SQL | undefined =>
  and(eq(apiKeys.status, 'active'), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));

export function keyReads(session: Session) {
  const { db, statement } = session;
  const { apiKeys, brokers } = session.tables;
  const rows = rowsOf(session, apiKeys);
  const access = statement('keys.access', () =>
    db
      .select({ key: apiKeys, broker: brokers })
      .from(apiKeys)
      .innerJoin(brokers, eq(brokers.id, apiKeys.brokerId))
      .where(sql`${apiKeys.publicId} in ${listedTexts(session, param('publicIds'))}`),
  );
  const listAccess = (publicIds: readonly string[]): Promise<KeyAccess[]> =>
    access({ publicIds: JSON.stringify(publicIds) });
  return {
    /** The keys that callers present, with their brokers: the one look-up without a broker's id. */
    listAccess,
    findAccess: (publicId: string): Promise<KeyAccess | null> => first(listAccess([publicId])),
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
    /** One page of a broker's keys: active ones first, then the newest. */
    async page(brokerId: string, page: PageWindow): Promise<{ rows: KeyRow[]; total: number }> {
      const own = eq(apiKeys.brokerId, brokerId);
      const orderBy = [asc(apiKeys.status), desc(apiKeys.createdAt), desc(apiKeys.id)];
      const found = await rows(own, { orderBy, ...page });
      return { rows: found, total: sumOf(await countOf(session, apiKeys, own)) };
    },
    /** The keys by which these keys of the broker were replaced. */
    listSuccessors: (brokerId: string, keyIds: string[]): Promise<KeyRow[]> =>
      rows(and(eq(apiKeys.brokerId, brokerId), inArray(apiKeys.rotatedFromId, keyIds))),
    /** How many keys of these brokers are neither revoked nor expired at `now`. */
    async countUsable(brokerIds: string[], now: number): Promise<Map<string, number>> {
      const counted = await db
        .select({ brokerId: apiKeys.brokerId, ...TOTAL })
        .from(apiKeys)
        .where(and(inArray(apiKeys.brokerId, brokerIds), isUsable(session.tables, now)))
        .groupBy(apiKeys.brokerId);
      return new Map(counted.map((row) => [row.brokerId, row.total]));
    },
    /**
     * Keys of all brokers with this part of a name or prefix. No column has the folded names, so all are read, some at a
     * time: twenty thousand keys take 0.2 s of CPU.
     */
    async findNamed(text: string, limit: number): Promise<KeyRow[]> {
      const folded = fold(text);
      const ofPrefix = folded.replace(/^sk_(live|test)_/, '');
      const { id, name, publicId, status, createdAt } = apiKeys;
      let found: Array<Pick<KeyRow, 'id' | 'status' | 'createdAt'>> = [];
      for (let last = '', isEnd = false; !isEnd; ) {
        const some = await db
          .select({ id, name, publicId, status, createdAt })
          .from(apiKeys)
          .where(gt(id, last))
          .orderBy(asc(id))
          .limit(NAMES_AT_ONCE);
        const matching = some.filter((key) => fold(key.name).includes(folded) || fold(key.publicId).includes(ofPrefix));
        found = [...found, ...matching].sort(usableFirst).slice(0, limit);
        last = some.at(-1)?.id ?? last;
        isEnd = some.length < NAMES_AT_ONCE;
      }
      const ids = found.map((key) => key.id);
      return (await rows(inArray(id, ids))).sort(usableFirst);
    },
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
