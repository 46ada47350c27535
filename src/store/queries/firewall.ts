import { and, asc, eq } from 'drizzle-orm';
import type { Tables } from '../../../drizzle/tables.ts';
import { param, type Session } from '../session/session.ts';
import { hasAny, rowsOf } from '../session/statements.ts';

export type FirewallRuleRow = Tables['firewallRules']['$inferSelect'];

export function firewallReads(session: Session) {
  const { firewallRules } = session.tables;
  const oldest = [asc(firewallRules.createdAt), asc(firewallRules.id)];
  const ofBroker = session.statement('firewall.list', () =>
    rowsOf(session, firewallRules)(eq(firewallRules.brokerId, param('brokerId')), { orderBy: oldest }),
  );
  return {
    list: (brokerId: string): Promise<FirewallRuleRow[]> => ofBroker({ brokerId }),
  };
}

export function firewallWrites({ db, tables: { firewallRules } }: Session) {
  return {
    /** Returns false when the broker has this rule already. */
    insert: (row: FirewallRuleRow): Promise<boolean> =>
      hasAny(db.insert(firewallRules).values(row).onConflictDoNothing().returning()),
    remove(brokerId: string, rule: string): Promise<boolean> {
      const named = and(eq(firewallRules.brokerId, brokerId), eq(firewallRules.rule, rule));
      return hasAny(db.delete(firewallRules).where(named).returning());
    },
  };
}
