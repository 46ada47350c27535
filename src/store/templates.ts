import { and, asc, eq } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, type Session } from './session.ts';

export type TemplateRow = Tables['templates']['$inferSelect'];

export function templateReads({ db, tables: { templates }, statement }: Session) {
  const byKind = statement('templates.find', () =>
    db
      .select()
      .from(templates)
      .where(and(eq(templates.brokerId, param('brokerId')), eq(templates.kind, param('kind')))),
  );
  async function byId(brokerId: string, kind: string): Promise<TemplateRow | undefined> {
    return (await byKind({ brokerId, kind }))[0];
  }

  return {
    /** The template whether active or not. */
    async find(brokerId: string, kind: string): Promise<TemplateRow | null> {
      return (await byId(brokerId, kind)) ?? null;
    },
    async findActive(brokerId: string, kind: string): Promise<TemplateRow | null> {
      const row = await byId(brokerId, kind);
      return row?.active ? row : null;
    },
    async list(brokerId: string): Promise<TemplateRow[]> {
      return db.select().from(templates).where(eq(templates.brokerId, brokerId)).orderBy(asc(templates.kind));
    },
  };
}

export function templateWrites({ db, tables: { templates } }: Session) {
  return {
    /** Sets the broker's template of this kind, whether it had one or not. */
    async upsert(row: TemplateRow): Promise<void> {
      await db
        .insert(templates)
        .values(row)
        .onConflictDoUpdate({ target: [templates.brokerId, templates.kind], set: row });
    },
  };
}
