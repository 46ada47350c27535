import { and, asc, desc, eq, getTableColumns, inArray, lte } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, type Session } from './session.ts';

export type TemplateRow = Tables['templates']['$inferSelect'];
export type TemplateVersionRow = Tables['templateVersions']['$inferSelect'];

export function templateReads({ db, tables: { templates, templateVersions }, statement }: Session) {
  const versionsOf = (brokerId: string, kind: string) =>
    and(eq(templateVersions.brokerId, brokerId), eq(templateVersions.kind, kind));
  const { html: _html, text: _text, ...versionLine } = getTableColumns(templateVersions);
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
    /** Which kinds these brokers have, and whether they are used. */
    async listKinds(brokerIds: string[]): Promise<Array<Pick<TemplateRow, 'brokerId' | 'kind' | 'active'>>> {
      return db
        .select({ brokerId: templates.brokerId, kind: templates.kind, active: templates.active })
        .from(templates)
        .where(inArray(templates.brokerId, brokerIds));
    },
    /** What a template consisted of, newest first, without the bodies. */
    async listVersions(brokerId: string, kind: string): Promise<Array<Omit<TemplateVersionRow, 'html' | 'text'>>> {
      return db
        .select(versionLine)
        .from(templateVersions)
        .where(versionsOf(brokerId, kind))
        .orderBy(desc(templateVersions.version));
    },
    /** One version in full; the newest unless told. */
    async findVersion(brokerId: string, kind: string, version?: number): Promise<TemplateVersionRow | null> {
      const rows = await db
        .select()
        .from(templateVersions)
        .where(
          and(versionsOf(brokerId, kind), version === undefined ? undefined : eq(templateVersions.version, version)),
        )
        .orderBy(desc(templateVersions.version))
        .limit(1);
      return rows[0] ?? null;
    },
  };
}

export function templateWrites({ db, tables: { templates, templateVersions } }: Session) {
  return {
    /** Sets the broker's template of this kind, whether it had one or not. */
    async upsert(row: TemplateRow): Promise<void> {
      await db
        .insert(templates)
        .values(row)
        .onConflictDoUpdate({ target: [templates.brokerId, templates.kind], set: row });
    },
    /** Keeps a version, and forgets those that are `most` versions older. */
    async insertVersion(row: TemplateVersionRow, most: number): Promise<void> {
      await db.insert(templateVersions).values(row);
      const { brokerId, kind, version } = row;
      await db
        .delete(templateVersions)
        .where(
          and(
            eq(templateVersions.brokerId, brokerId),
            eq(templateVersions.kind, kind),
            lte(templateVersions.version, version - most),
          ),
        );
    },
  };
}
