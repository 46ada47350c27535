import { and, eq, sql } from 'drizzle-orm';
import { rowsOf } from './queries.ts';
import type { Session } from './session.ts';

/** What the processes of one database share about time: a setting, which the release before leaves alone. */
const NAME = 'clock';

export function clockReads(session: Session) {
  const { db, dialect, tables } = session;
  const rows = rowsOf(session, tables.settings);
  const stored = session.statement('clock.find', () => rows(eq(tables.settings.name, NAME)));
  const date = session.statement('clock.date', () =>
    db
      .select({ ms: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`.mapWith(Number) })
      .from(sql`(select 1) one`),
  );
  return {
    /** The stored text; null before the first. */
    find: async (): Promise<string | null> => (await stored())[0]?.value ?? null,
    /** The database's own clock in epoch milliseconds; null on SQLite, which has none. */
    findDatabaseDate: async (): Promise<number | null> =>
      dialect === 'postgres' ? ((await date())[0]?.ms ?? null) : null,
  };
}

export function clockWrites({ db, tables: { settings } }: Session) {
  return {
    /** Compare-and-set; resolves with whether the value was still `before`. */
    async replace(before: string | null, value: string): Promise<boolean> {
      const row = { name: NAME, value };
      const changed =
        before === null
          ? await db.insert(settings).values(row).onConflictDoNothing().returning()
          : await db
              .update(settings)
              .set(row)
              .where(and(eq(settings.name, NAME), eq(settings.value, before)))
              .returning();
      return changed.length > 0;
    },
  };
}
