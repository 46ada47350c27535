import { getTableName, sql } from 'drizzle-orm';
import type { Session } from './session.ts';

/** About how many rows a table has: counted rows would be read one by one. */
export interface TableSize {
  table: string;
  rows: number;
}

/** What an operator asks of the database itself. */
export function sizeReads({ db, dialect, tables }: Session) {
  const numberOf = async (query: ReturnType<typeof sql>): Promise<number> => {
    const [row] = await db.select({ value: sql<number>`${query}`.mapWith(Number) }).from(sql`(select 1) as one`);
    return (row as { value: number }).value;
  };
  return {
    /** Bytes of the whole database. */
    async totalBytes(): Promise<number> {
      return dialect === 'postgres'
        ? numberOf(sql`pg_database_size(current_database())`)
        : numberOf(sql`(select p.page_count * s.page_size from pragma_page_count() p, pragma_page_size() s)`);
    },
    /** PostgreSQL: as its statistics have it. SQLite: by the highest row id, which does not go down again. */
    async listTables(): Promise<TableSize[]> {
      const sizes: TableSize[] = [];
      for (const each of Object.values(tables)) {
        const table = getTableName(each);
        const rows = await numberOf(
          dialect === 'postgres'
            ? sql`(select greatest(reltuples, 0) from pg_class where oid = ${table}::regclass)`
            : sql`(select coalesce(max(rowid), 0) from ${each})`,
        );
        sizes.push({ table, rows });
      }
      return sizes;
    },
    /** When the migrations were made that the database has had, the latest first; epoch milliseconds. */
    async listMigrations(): Promise<number[]> {
      const rows = await db
        .select({ madeAt: sql<number>`made_at`.mapWith(Number) })
        .from(sql`schema_migrations`)
        .orderBy(sql`made_at desc`);
      return rows.map(({ madeAt }) => madeAt);
    },
  };
}
