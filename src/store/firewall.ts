import { and, asc, eq } from 'drizzle-orm';
import type { Tables } from '../../drizzle/tables.ts';
import { param, type Session } from './session.ts';

export type FirewallRuleRow = Tables['firewallRules']['$inferSelect'];

export function firewallReads({ db, tables: { firewallRules }, statement }: Session) {
  const ofBroker = statement('firewall.list', () =>
    db
      .select()
      .from(firewallRules)
      .where(eq(firewallRules.brokerId, param('brokerId')))
      .orderBy(asc(firewallRules.createdAt), asc(firewallRules.id)),
  );
  return {
    list: (brokerId: string): Promise<FirewallRuleRow[]> => ofBroker({ brokerId }),
  };
}

export function firewallWrites({ db, tables: { firewallRules } }: Session) {
  return {
    /** Returns false when the broker has this very rule already. */
    async insert(row: FirewallRuleRow): Promise<boolean> {
      return (await db.insert(firewallRules).values(row).onConflictDoNothing().returning()).length > 0;
    },
    async remove(brokerId: string, rule: string): Promise<boolean> {
      const removed = await db
        .delete(firewallRules)
        .where(and(eq(firewallRules.brokerId, brokerId), eq(firewallRules.rule, rule)))
        .returning();
      return removed.length > 0;
    },
  };
}
