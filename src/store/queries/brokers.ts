import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../../../drizzle/tables.ts';
import { param, type Session } from '../session/session.ts';
import { first, given, hasAny, rowsOf } from '../session/statements.ts';
import { isUsable } from './keys.ts';

export type BrokerRow = Tables['brokers']['$inferSelect'];
export type RecipientRow = Tables['reportRecipients']['$inferSelect'];

export function brokerReads(session: Session) {
  const { db, tables } = session;
  const { apiKeys, brokers, plans, reportRecipients, templates, usage } = tables;
  const rows = rowsOf(session, brokers);
  const recipients = rowsOf(session, reportRecipients);
  const byId = session.statement('brokers.find', () => rows(eq(brokers.id, param('brokerId'))));
  return {
    find: (brokerId: string): Promise<BrokerRow | null> => first(byId({ brokerId })),
    findBySlug: (slug: string): Promise<BrokerRow | null> => first(rows(eq(brokers.slug, slug))),
    /** The oldest one. */
    findFirst: (): Promise<BrokerRow | null> =>
      first(rows(undefined, { orderBy: [asc(brokers.createdAt), asc(brokers.id)], limit: 1 })),
    list: (): Promise<BrokerRow[]> => rows(undefined, { orderBy: [asc(brokers.slug)] }),
    /** The addresses, in addition to the contact, to which the broker's reports can be sent. */
    listRecipients: (brokerId: string): Promise<RecipientRow[]> =>
      recipients(eq(reportRecipients.brokerId, brokerId), { orderBy: [asc(reportRecipients.emailFolded)] }),
    /** The same of all brokers. */
    listAllRecipients: (): Promise<RecipientRow[]> =>
      recipients(undefined, { orderBy: [asc(reportRecipients.emailFolded)] }),
    /**
     * What is there already of a broker, or of any: a plan, a key that is good at `now`, a template in use, a call that
     * went well.
     */
    async findFirsts(
      brokerId: string | undefined,
      now: number,
    ): Promise<Record<'plan' | 'key' | 'template' | 'call', boolean>> {
      const isOwn = (column: SQLiteColumn) => given(eq, column, brokerId);
      const exists = (table: SQLiteTable, where: SQL | undefined) =>
        hasAny(db.select({ one: sql`1` }).from(table).where(where).limit(1));
      // One after the other: a page has one connection.
      return {
        plan: await exists(plans, isOwn(plans.brokerId)),
        key: await exists(apiKeys, and(isOwn(apiKeys.brokerId), isUsable(session.tables, now))),
        template: await exists(templates, and(isOwn(templates.brokerId), eq(templates.active, true))),
        // Calls without a key are of no broker.
        call: await exists(usage, and(isOwn(usage.brokerId), ne(usage.brokerId, ''), eq(usage.outcome, 'ok'))),
      };
    },
  };
}

export function brokerWrites({ db, lockName, tables }: Session) {
  const { brokers, reportRecipients } = tables;
  return {
    /** Changes of a broker by operators wait for each other from here on. */
    lock: (slug: string): Promise<void> => lockName(`broker ${slug}`),
    async insert(row: BrokerRow): Promise<void> {
      await db.insert(brokers).values(row);
    },
    update: (brokerId: string, changes: Partial<Omit<BrokerRow, 'id'>>): Promise<BrokerRow | null> =>
      first(db.update(brokers).set(changes).where(eq(brokers.id, brokerId)).returning()),
    /** Returns false when the address is on the list already. */
    addRecipient: (row: RecipientRow): Promise<boolean> =>
      hasAny(db.insert(reportRecipients).values(row).onConflictDoNothing().returning()),
    removeRecipient(brokerId: string, emailFolded: string): Promise<boolean> {
      const named = and(eq(reportRecipients.brokerId, brokerId), eq(reportRecipients.emailFolded, emailFolded));
      return hasAny(db.delete(reportRecipients).where(named).returning());
    },
  };
}
