import { type IpRule, parseIpRule } from '../rules/ip-rules.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { Reads, Tx } from '../store/store.ts';
import { about } from './brokers.ts';
import { type ChangeDeps, note, type ReadDeps, requireBroker } from './dependencies.ts';
import { invalid, refused, unknown } from './errors.ts';
import { line, read } from './fields.ts';

/** Contract, section 5. */
const MAX_RULES = 50;
const NOTE = line(200);

/** Refuses callers whose address no rule covers; without any rule these are all callers. */
export const enableFirewall = (parts: ChangeDeps, input: { broker: string }) =>
  change(parts, 'firewall.enable', input.broker, true);

/** Lets callers in from everywhere; the rules stay for the next time. */
export const disableFirewall = (parts: ChangeDeps, input: { broker: string }) =>
  change(parts, 'firewall.disable', input.broker, false);

export async function listFirewall({ store }: ReadDeps, input: { broker: string }): Promise<FirewallRecord> {
  return firewallRecord(store.read, await requireBroker(store.read, input.broker));
}

/** Adds an address or CIDR. One that covers the same addresses as another rule is refused, however it is written. */
export async function allowAddress(
  parts: ChangeDeps,
  input: { broker: string; rule: string; note?: string | undefined },
): Promise<FirewallRecord> {
  const rule = input.rule.trim();
  const range = readRange(rule);
  const text = input.note === undefined ? null : read('note', NOTE, input.note);
  return changeRules(parts, input.broker, async (tx, broker) => {
    const rules = await tx.firewall.list(broker.id);
    const same = rules.find(({ rule }) => isSame(rule, range));
    if (same) throw refused(`"${rule}" is allowed already by the rule "${same.rule}"`);
    if (rules.length >= MAX_RULES) throw refused(`A broker can have ${MAX_RULES} firewall rules at most`);
    const now = parts.clock.now();
    await tx.firewall.insert({ id: parts.newId('fwr', now), brokerId: broker.id, rule, note: text, createdAt: now });
    await note(parts, tx, { action: 'firewall.allow', ...about(broker), after: { rule, note: text } });
  });
}

/** Removes the rule that covers exactly these addresses, however it was written. */
export async function removeAddress(parts: ChangeDeps, input: { broker: string; rule: string }) {
  const range = readRange(input.rule.trim());
  return changeRules(parts, input.broker, async (tx, broker) => {
    const same = (await tx.firewall.list(broker.id)).find(({ rule }) => isSame(rule, range));
    if (!same) throw unknown(`"${broker.slug}" has no firewall rule "${input.rule}"`);
    await tx.firewall.remove(broker.id, same.rule);
    const before = { rule: same.rule, note: same.note };
    await note(parts, tx, { action: 'firewall.remove', ...about(broker), before });
  });
}

const change = (parts: ChangeDeps, action: string, slug: string, ipRestrictionEnabled: boolean) =>
  changeRules(parts, slug, async (tx, broker) => {
    await tx.brokers.update(broker.id, { ipRestrictionEnabled });
    const before = { ip_restriction_enabled: broker.ipRestrictionEnabled };
    const after = { ip_restriction_enabled: ipRestrictionEnabled };
    await note(parts, tx, { action, ...about(broker), before, after });
    broker.ipRestrictionEnabled = ipRestrictionEnabled;
  });

const changeRules = (
  { store, clock }: ReadDeps,
  slug: string,
  apply: (tx: Tx, broker: BrokerRow) => Promise<void>,
): Promise<FirewallRecord> =>
  store.tx(async (tx) => {
    const broker = await requireBroker(tx, slug);
    // Touching the broker first makes changes to its rules wait for one another, so that both see the true list.
    await tx.brokers.update(broker.id, { updatedAt: clock.now() });
    await apply(tx, broker);
    return firewallRecord(tx, broker);
  });

function readRange(rule: string): IpRule {
  const range = parseIpRule(rule);
  if (!range) throw invalid({ field: 'rule', message: `must be an IPv4 or IPv6 address or CIDR, not "${rule}"` });
  return range;
}

function isSame(rule: string, { first, last }: IpRule): boolean {
  const range = parseIpRule(rule);
  return range?.first === first && range.last === last;
}

/** Whether callers are restricted, and the rules as they were entered. */
export type FirewallRecord = Awaited<ReturnType<typeof firewallRecord>>;

const firewallRecord = async (reads: Pick<Reads, 'firewall'>, { id, slug, ipRestrictionEnabled }: BrokerRow) => ({
  broker: slug,
  ip_restriction_enabled: ipRestrictionEnabled,
  rules: (await reads.firewall.list(id)).map((row) => ({
    rule_id: row.id,
    rule: row.rule,
    note: row.note,
    created_date: isoTimestamp(row.createdAt),
  })),
});
