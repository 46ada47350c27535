import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { searchable } from '../../rules/descriptions.ts';
import type { Session } from '../session/session.ts';

/** A service in the order of its broker's changes. */
export interface FoldPosition {
  brokerId: string;
  updatedAt: number;
  number: number;
}

/** Services per transaction: few enough that callers do not wait for it. */
const STEP = 500;

/** Before the first service of the first broker. */
const BEGIN: FoldPosition = { brokerId: '', updatedAt: 0, number: 0 };

/**
 * Rewrites the case-folded copies of the next services behind a position, where they are not what `fold` makes: 1.0 folds
 * without normalising. Resolves with the position to go on from, null behind the last service of the last broker.
 * @param since only services that changed from then on; epoch milliseconds
 */
export async function foldServices(
  { db, tables: { brokers, services } }: Session,
  from: FoldPosition | undefined = BEGIN,
  since = 0,
): Promise<FoldPosition | null> {
  const rows = await db
    .select({
      number: services.number,
      updatedAt: services.updatedAt,
      label: services.label,
      externalReference: services.externalReference,
      clientName: services.clientName,
      clientEmail: services.clientEmail,
      status: services.status,
      access: services.access,
      clientEmailFolded: services.clientEmailFolded,
      searchText: services.searchText,
    })
    .from(services)
    .where(
      and(
        eq(services.brokerId, from.brokerId),
        sql`(${services.updatedAt}, ${services.number}) > (${from.updatedAt}, ${from.number})`,
      ),
    )
    .orderBy(asc(services.updatedAt), asc(services.number))
    .limit(STEP);
  for (const { number, updatedAt, ...stored } of rows) {
    const { clientEmailFolded, searchText } = searchable(stored);
    if (clientEmailFolded === stored.clientEmailFolded && searchText === stored.searchText) continue;
    const isAsRead = and(
      eq(services.number, number),
      eq(services.searchText, stored.searchText),
      stored.clientEmailFolded === null
        ? isNull(services.clientEmailFolded)
        : eq(services.clientEmailFolded, stored.clientEmailFolded),
    );
    await db.update(services).set({ clientEmailFolded, searchText }).where(isAsRead);
  }
  const last = rows.at(-1);
  if (last && rows.length === STEP) return { ...from, updatedAt: last.updatedAt, number: last.number };
  const [next] = await db
    .select({ id: brokers.id })
    .from(brokers)
    .where(gt(brokers.id, from.brokerId))
    .orderBy(asc(brokers.id))
    .limit(1);
  return next ? { brokerId: next.id, updatedAt: since, number: 0 } : null;
}

export const foldingWrites = (session: Session) => ({
  /** As `foldServices` does, in the running transaction. */
  next: (from: FoldPosition | undefined, since: number): Promise<FoldPosition | null> =>
    foldServices(session, from, since),
});
