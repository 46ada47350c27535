import { and, asc, eq } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, type Session } from './session.ts';

export type BrokerRow = Tables['brokers']['$inferSelect'];
export type RecipientRow = Tables['reportRecipients']['$inferSelect'];

export function brokerReads({ db, tables: { brokers, reportRecipients }, statement }: Session) {
  const byId = statement('brokers.find', () =>
    db
      .select()
      .from(brokers)
      .where(eq(brokers.id, param('brokerId'))),
  );
  return {
    async find(brokerId: string): Promise<BrokerRow | null> {
      return (await byId({ brokerId }))[0] ?? null;
    },
    async findBySlug(slug: string): Promise<BrokerRow | null> {
      return (await db.select().from(brokers).where(eq(brokers.slug, slug)))[0] ?? null;
    },
    async list(): Promise<BrokerRow[]> {
      return db.select().from(brokers).orderBy(asc(brokers.slug));
    },
    /** The addresses, beside the contact, that the broker's reports may go to. */
    async listRecipients(brokerId: string): Promise<RecipientRow[]> {
      return db
        .select()
        .from(reportRecipients)
        .where(eq(reportRecipients.brokerId, brokerId))
        .orderBy(asc(reportRecipients.emailFolded));
    },
  };
}

export function brokerWrites({ db, tables }: Session) {
  const { brokers, reportRecipients } = tables;
  /** Everything that a broker owns, with what refers to a row before the row itself; the audit trail outlives it. */
  const owned = [
    tables.requestHistory,
    tables.requests,
    tables.invoices,
    tables.services,
    tables.plans,
    tables.templateVersions,
    tables.templates,
    tables.emailLog,
    tables.idempotencyRecords,
    tables.firewallRules,
    tables.apiKeys,
    tables.reportRecipients,
    tables.counters,
    tables.usage,
    tables.calls,
  ];
  return {
    async insert(row: BrokerRow): Promise<void> {
      await db.insert(brokers).values(row);
    },
    async update(brokerId: string, changes: Partial<Omit<BrokerRow, 'id'>>): Promise<BrokerRow | null> {
      return (await db.update(brokers).set(changes).where(eq(brokers.id, brokerId)).returning())[0] ?? null;
    },
    /** Returns false when the address stands on the list already. */
    async addRecipient(row: RecipientRow): Promise<boolean> {
      return (await db.insert(reportRecipients).values(row).onConflictDoNothing().returning()).length > 0;
    },
    async removeRecipient(brokerId: string, emailFolded: string): Promise<boolean> {
      const removed = await db
        .delete(reportRecipients)
        .where(and(eq(reportRecipients.brokerId, brokerId), eq(reportRecipients.emailFolded, emailFolded)))
        .returning();
      return removed.length > 0;
    },
    /** Deletes the broker with all its records, for good. */
    async remove(brokerId: string): Promise<void> {
      for (const table of owned) await db.delete(table).where(eq(table.brokerId, brokerId));
      await db.delete(brokers).where(eq(brokers.id, brokerId));
    },
  };
}
