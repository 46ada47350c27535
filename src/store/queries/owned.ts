import { and, asc, eq, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../../../drizzle/tables.ts';
import { behind, joinColumns, keyColumnsOf, type TableName, tableOf } from '../session/primary-key.ts';
import type { Session } from '../session/session.ts';
import { hasAny, rowsOf } from '../session/statements.ts';

/** All tables of a broker's records, referring rows first. The audit trail is not among them: it outlives its subjects. */
export const OWNED = [
  'requestHistory',
  'requests',
  'invoices',
  'consumption',
  'services',
  'planOffers',
  'plans',
  'templateVersions',
  'templates',
  'emailLog',
  'idempotencyRecords',
  'firewallRules',
  'apiKeys',
  'reportRecipients',
  'counters',
  'usage',
  'calls',
] as const satisfies WithBroker[];

/** The tables that have a column with the broker's id. */
type WithBroker = { [T in TableName]: Tables[T] extends { brokerId: SQLiteColumn } ? T : never }[TableName];

export type OwnedName = WithBroker | 'brokers';

type Row = Record<string, unknown>;

const ONE = { one: sql`1` };

/** The column with the broker's id, which is the broker's own in its table. */
const ownerOf = ({ tables }: Session, name: OwnedName): SQLiteColumn =>
  name === 'brokers' ? tables.brokers.id : tables[name].brokerId;

/** Whole tables of one broker, for an export. */
export function ownedReads(session: Session) {
  return {
    /** Rows of a broker, or its own, in the order of the table's key: at most `limit` of those behind the row `last`. */
    page: (brokerId: string, name: OwnedName, last: Row | undefined, limit: number): Promise<Row[]> =>
      rowsOf(session, tableOf(session.tables, name))(
        and(eq(ownerOf(session, name), brokerId), behind(session.tables, name, last)),
        { orderBy: keyColumnsOf(session.tables, name).map((column) => asc(column)), limit },
      ),
  };
}

export function ownedWrites(session: Session) {
  const { db, tables } = session;
  return {
    /** Removes at most `limit` records of a broker, and at last the broker. Returns whether anything was left to remove. */
    async removeSome(brokerId: string, limit: number): Promise<boolean> {
      for (const name of OWNED) {
        const table = tableOf(tables, name);
        const key = joinColumns(keyColumnsOf(tables, name));
        const isOwned = eq(ownerOf(session, name), brokerId);
        const some = sql`(${key}) in (select ${key} from ${table} where ${isOwned} limit ${limit})`;
        // Both conditions: no statement touches another broker's rows.
        if (await hasAny(db.delete(table).where(and(isOwned, some)).returning(ONE))) return true;
      }
      return hasAny(db.delete(tables.brokers).where(eq(tables.brokers.id, brokerId)).returning(ONE));
    },
  };
}
