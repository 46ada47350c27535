import { eq } from 'drizzle-orm';
import type { Session } from './session.ts';

export function settingReads({ db, tables: { settings } }: Session) {
  return {
    async find(name: string): Promise<string | null> {
      return (await db.select().from(settings).where(eq(settings.name, name)))[0]?.value ?? null;
    },
  };
}
