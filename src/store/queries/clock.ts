import { max, sql } from 'drizzle-orm';
import type { Session } from '../session/session.ts';
import { first } from '../session/statements.ts';

export function clockReads({ db, dialect, statement, tables: { brokers, requests, services } }: Session) {
  const databaseDate =
    dialect === 'postgres'
      ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`.mapWith(Number)
      : sql<null>`null`;
  // For each broker the end of an index.
  const latestOf = ({ brokerId, updatedAt }: typeof requests | typeof services) =>
    sql`(select max(${updatedAt}) from ${brokerId.table} where ${brokerId} = ${brokers.id})`;
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');
  const latestChange = max(sql`${later}(coalesce(${latestOf(requests)}, 0), coalesce(${latestOf(services)}, 0))`);
  const found = statement('clock.find', () =>
    db.select({ databaseDate, latestChange: latestChange.mapWith(Number) }).from(brokers),
  );
  return {
    /** The database's own date (null on SQLite, which has none) and that of its latest live change; epoch milliseconds. */
    find: async (): Promise<{ databaseDate: number | null; latestChange: number | null }> =>
      (await first<{ databaseDate: number | null; latestChange: number | null }>(found({}))) ?? {
        databaseDate: null,
        latestChange: null,
      },
  };
}
