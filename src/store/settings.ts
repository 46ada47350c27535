import { and, asc, eq, gte, lt } from 'drizzle-orm';
import { replacement, type Session } from './session.ts';

export interface SettingRow {
  name: string;
  value: string;
}

export function settingReads({ db, tables: { settings } }: Session) {
  return {
    async find(name: string): Promise<string | null> {
      return (await db.select().from(settings).where(eq(settings.name, name)))[0]?.value ?? null;
    },
    /** Those whose names begin so, in their order. */
    async list(prefix: string, limit: number): Promise<SettingRow[]> {
      return db
        .select()
        .from(settings)
        .where(and(gte(settings.name, prefix), lt(settings.name, `${prefix}\uffff`)))
        .orderBy(asc(settings.name))
        .limit(limit);
    },
  };
}

export function settingWrites({ db, tables: { settings } }: Session) {
  return {
    /** Writes a value, whether there was one or not. */
    async put(row: SettingRow): Promise<void> {
      await db
        .insert(settings)
        .values(row)
        .onConflictDoUpdate({ target: settings.name, set: replacement(settings, ['name']) });
    },
    async remove(name: string): Promise<void> {
      await db.delete(settings).where(eq(settings.name, name));
    },
  };
}
