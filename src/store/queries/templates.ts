import { and, asc, desc, eq, getTableColumns, inArray, lte } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { param, type Session } from '../session/session.ts';
import { first, given, rowsOf } from '../session/statements.ts';

export type TemplateRow = Tables['templates']['$inferSelect'];
export type TemplateVersionRow = Tables['templateVersions']['$inferSelect'];

export function templateReads(session: Session) {
  const { db, statement } = session;
  const { templates, templateVersions } = session.tables;
  const rows = rowsOf(session, templates);
  const versions = rowsOf(session, templateVersions);
  const versionsOf = (brokerId: string, kind: string) =>
    and(eq(templateVersions.brokerId, brokerId), eq(templateVersions.kind, kind));
  const newest = [desc(templateVersions.version)];
  const { html: _html, text: _text, ...versionLine } = getTableColumns(templateVersions);
  const byKind = statement('templates.find', () =>
    rows(and(eq(templates.brokerId, param('brokerId')), eq(templates.kind, param('kind')))),
  );

  return {
    /** The template, active or not. */
    find: (brokerId: string, kind: string): Promise<TemplateRow | null> => first(byKind({ brokerId, kind })),
    async findActive(brokerId: string, kind: string): Promise<TemplateRow | null> {
      const [row] = await byKind({ brokerId, kind });
      return row?.active ? row : null;
    },
    list: (brokerId: string): Promise<TemplateRow[]> =>
      rows(eq(templates.brokerId, brokerId), { orderBy: [asc(templates.kind)] }),
    /** Those of several brokers, without their parts. */
    listOf: (brokerIds: string[]): Promise<Array<Pick<TemplateRow, 'brokerId' | 'kind' | 'active'>>> =>
      db
        .select({ brokerId: templates.brokerId, kind: templates.kind, active: templates.active })
        .from(templates)
        .where(inArray(templates.brokerId, brokerIds)),
    /** A template's versions, newest first, without the bodies. */
    async listVersions(brokerId: string, kind: string): Promise<Array<Omit<TemplateVersionRow, 'html' | 'text'>>> {
      return db
        .select(versionLine)
        .from(templateVersions)
        .where(versionsOf(brokerId, kind))
        .orderBy(...newest);
    },
    /** One version in full; by default the newest. */
    findVersion(brokerId: string, kind: string, version?: number): Promise<TemplateVersionRow | null> {
      const named = given(eq, templateVersions.version, version);
      return first(versions(and(versionsOf(brokerId, kind), named), { orderBy: newest, limit: 1 }));
    },
  };
}

export function templateWrites({ db, lockName, tables: { templates, templateVersions } }: Session) {
  return {
    /** Changes of the broker's template of this kind wait for each other from here on. */
    lock: (brokerId: string, kind: string): Promise<void> => lockName(`template ${brokerId} ${kind}`),
    /** Inserts or replaces the broker's template of this kind. */
    async upsert(row: TemplateRow): Promise<void> {
      const target = [templates.brokerId, templates.kind];
      await db.insert(templates).values(row).onConflictDoUpdate({ target, set: row });
    },
    /** Keeps a version, and deletes those that are `most` or more versions older. */
    async insertVersion(row: TemplateVersionRow, most: number): Promise<void> {
      await db.insert(templateVersions).values(row);
      const { brokerId, kind, version } = row;
      const old = lte(templateVersions.version, version - most);
      await db
        .delete(templateVersions)
        .where(and(eq(templateVersions.brokerId, brokerId), eq(templateVersions.kind, kind), old));
    },
  };
}
