import { getTableName, sql } from 'drizzle-orm';
import { migrationNames } from '../session/migration-names.ts';
import type { Dialect, Session } from '../session/session.ts';

/** A table's approximate number of rows; counting would read all of them. */
export interface TableSize {
  table: string;
  rows: number;
}

export function sizeReads({ db, dialect, tables }: Session) {
  const numberOf = async (query: ReturnType<typeof sql>): Promise<number> => {
    const [row] = await db.select({ value: sql<number>`${query}`.mapWith(Number) }).from(sql`(select 1) as one`);
    return (row as { value: number }).value;
  };
  return {
    findEngine: async (): Promise<Dialect> => dialect,
    /** Bytes of the whole database. */
    async totalBytes(): Promise<number> {
      return dialect === 'postgres'
        ? numberOf(sql`pg_database_size(current_database())`)
        : numberOf(sql`(select p.page_count * s.page_size from pragma_page_count() p, pragma_page_size() s)`);
    },
    /** On PostgreSQL from its statistics, on SQLite what the lowest and the highest row id span. */
    async listTables(): Promise<TableSize[]> {
      const sizes: TableSize[] = [];
      for (const each of Object.values(tables)) {
        const table = getTableName(each);
        const rows = await numberOf(
          dialect === 'postgres'
            ? sql`(select greatest(reltuples, 0) from pg_class where oid = ${table}::regclass)`
            : // One of them alone is read from an end of the table.
              sql`(select coalesce((select max(rowid) from ${each}) - (select min(rowid) from ${each}) + 1, 0))`,
        );
        sizes.push({ table, rows });
      }
      return sizes;
    },
    /** The applied migrations from the baseline on by name, the latest first; of a newer release without one. */
    async listMigrations(): Promise<Array<{ name: string | null }>> {
      const rows = await db
        .select({ madeAt: sql<number>`made_at`.mapWith(Number) })
        .from(sql`schema_migrations`)
        .orderBy(sql`made_at desc`);
      const names = new Map(migrationNames(dialect).map(({ name, madeAt }) => [madeAt, name]));
      const baseline = Math.min(...names.keys());
      return rows.filter(({ madeAt }) => madeAt >= baseline).map(({ madeAt }) => ({ name: names.get(madeAt) ?? null }));
    },
  };
}
