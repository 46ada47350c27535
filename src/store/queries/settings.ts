import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { replacement, type Session } from '../session/session.ts';
import { first, rowsOf } from '../session/statements.ts';

export interface SettingRow {
  name: string;
  value: string;
}

export function settingReads(session: Session) {
  const { settings } = session.tables;
  const rows = rowsOf(session, settings);
  return {
    find: async (name: string): Promise<string | null> => (await first(rows(eq(settings.name, name))))?.value ?? null,
    /** The settings whose names begin with the prefix, by name. */
    list: (prefix: string, limit: number): Promise<SettingRow[]> =>
      rows(and(gte(settings.name, prefix), lt(settings.name, `${prefix}\uffff`)), {
        orderBy: [asc(settings.name)],
        limit,
      }),
  };
}

export function settingWrites({ db, lockName, tables: { settings } }: Session) {
  return {
    /** Until the transaction ends, no other one that asks for it changes the value. */
    lock: (name: string): Promise<void> => lockName(`setting ${name}`),
    /** Inserts or replaces a value. */
    async put(row: SettingRow): Promise<void> {
      const set = replacement(settings, ['name']);
      await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.name, set });
    },
    /** The same, where the value is greater than the one that is there; compared as text. */
    async raise(row: SettingRow): Promise<void> {
      const set = replacement(settings, ['name']);
      const setWhere = gt(sql`excluded.value`, settings.value);
      await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.name, set, setWhere });
    },
    async remove(name: string): Promise<void> {
      await db.delete(settings).where(eq(settings.name, name));
    },
  };
}

export type SettingReads = ReturnType<typeof settingReads>;
export type SettingWrites = ReturnType<typeof settingWrites>;
