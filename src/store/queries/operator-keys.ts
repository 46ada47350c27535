import { asc, eq, sql } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { param, type Session } from '../session/session.ts';
import { first, listedTexts, rowsOf } from '../session/statements.ts';

export type OperatorKeyRow = Tables['operatorKeys']['$inferSelect'];

export function operatorKeyReads(session: Session) {
  const { db, statement } = session;
  const { operatorKeys } = session.tables;
  const rows = rowsOf(session, operatorKeys);
  const access = statement('operator_keys.access', () =>
    db
      .select()
      .from(operatorKeys)
      .where(sql`${operatorKeys.publicId} in ${listedTexts(session, param('publicIds'))}`),
  );
  return {
    /** The keys that callers present. */
    listAccess: (publicIds: readonly string[]): Promise<OperatorKeyRow[]> =>
      access({ publicIds: JSON.stringify(publicIds) }),
    find: (keyId: string): Promise<OperatorKeyRow | null> => first(rows(eq(operatorKeys.id, keyId))),
    /** Oldest first; few enough to be shown at once. */
    list: (): Promise<OperatorKeyRow[]> =>
      rows(undefined, { orderBy: [asc(operatorKeys.createdAt), asc(operatorKeys.id)] }),
  };
}

export function operatorKeyWrites({ db, lockName, tables: { operatorKeys } }: Session) {
  return {
    /** Until the transaction ends, no other one that asks for it makes or changes such a key. */
    lock: (): Promise<void> => lockName('operator keys'),
    async insert(row: OperatorKeyRow): Promise<void> {
      await db.insert(operatorKeys).values(row);
    },
    update: (keyId: string, changes: Partial<Omit<OperatorKeyRow, 'id'>>): Promise<OperatorKeyRow | null> =>
      first(db.update(operatorKeys).set(changes).where(eq(operatorKeys.id, keyId)).returning()),
  };
}
