import { sql } from 'drizzle-orm';
import type { Session } from './session.ts';

export function connectionReads({ db, dialect }: Session) {
  return {
    /** What the programs with a connection to this database call themselves; none on SQLite. */
    async listNames(): Promise<string[]> {
      if (dialect === 'sqlite') return [];
      const rows = await db
        .selectDistinct({ name: sql<string>`application_name` })
        .from(sql`pg_stat_activity`)
        .where(sql`datname = current_database()`);
      return rows.map(({ name }) => name);
    },
  };
}
