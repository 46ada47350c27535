import { asc, eq } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { param, type Session } from '../session/session.ts';
import { first, rowsOf } from '../session/statements.ts';

export type OperatorKeyRow = Tables['operatorKeys']['$inferSelect'];

export function operatorKeyReads(session: Session) {
  const { db, statement } = session;
  const { operatorKeys } = session.tables;
  const rows = rowsOf(session, operatorKeys);
  const access = statement('operator_keys.access', () =>
    db
      .select()
      .from(operatorKeys)
      .where(eq(operatorKeys.publicId, param('publicId'))),
  );
  return {
    /** The key that a caller presents. */
    findAccess: (publicId: string): Promise<OperatorKeyRow | null> => first(access({ publicId })),
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
