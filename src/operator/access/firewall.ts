import { Type } from '@sinclair/typebox';
import { IpAddress } from '../../../schemas/access.ts';
import { Nullable, Shown, Timestamp } from '../../../schemas/atoms.ts';
import { createIpMatcher, type IpRule, normaliseAddress, parseIpRule } from '../../rules/ip-rules.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { FirewallRuleRow } from '../../store/queries/firewall.ts';
import type { Reads, Tx } from '../../store/store.ts';
import { aboutBroker } from '../brokers/brokers.ts';
import { BROKER, type ChangeDeps, type ReadDeps, requireBroker } from '../use-case/dependencies.ts';
import { invalid, refused, unknown } from '../use-case/errors.ts';
import { line, named } from '../use-case/fields.ts';
import { answerSchema, recordOf } from '../use-case/record.ts';
import { type ChangeOutcome, useCase } from '../use-case/use-case.ts';

/** Contract, section 5. */
const MAX_RULES = 50;

const RULE_RECORD = recordOf<FirewallRuleRow>()('FirewallRule', (field) => ({
  rule_id: field(Shown(40, 'The rule’s id', { examples: ['fwr_01KJPY44E0PPTDS5MJCBBSJESS'] }), 'id'),
  rule: field(Shown(49, 'An address or a CIDR, as it was entered', { examples: ['203.0.113.0/28'] }), 'rule'),
  note: field(Nullable(Shown(200, 'What it is', { examples: ['office'] })), 'note'),
  created_date: field(Timestamp('When it was added.'), 'createdAt'),
}));

const FIREWALL = answerSchema('Firewall', {
  broker: Shown(64, 'The broker’s slug', { examples: ['acme'] }),
  ip_restriction_enabled: Type.Boolean({ description: 'Whether calls from other addresses are refused' }),
  rules: Type.Array(RULE_RECORD.schema, { maxItems: MAX_RULES }),
});

/** An address or a range as it is typed; parsed by the use case. */
const RULE = named('cidr', 'An IPv4 or IPv6 address, or a range such as 203.0.113.0/28');

const admittingNone = (broker: string): string =>
  `The firewall of ${broker} would admit no address: every call is refused within a second.`;

export const listFirewall = useCase({
  name: 'firewall list',
  title: 'Firewall',
  summary: 'List the firewall’s rules',
  description: 'Show the rules',
  example: 'firewall list --broker acme',
  input: Type.Object(BROKER),
  on: ['broker'],
  path: 'GET /brokers/:broker/firewall',
  answer: FIREWALL,
  run: async ({ store }: ReadDeps, { broker }) => firewallRecord(store.read, await requireBroker(store.read, broker)),
});

/** Refuses callers whose address no rule covers; without any rule these are all callers. */
export const enableFirewall = useCase({
  name: 'firewall enable',
  role: 'admin',
  action: 'firewall.enable',
  title: 'Turn on',
  summary: 'Turn the firewall on',
  description: 'Refuse every address that no rule covers',
  example: 'firewall enable --broker acme',
  input: Type.Object(BROKER),
  on: ['broker'],
  path: 'POST /brokers/:broker/firewall/enable',
  answer: FIREWALL,
  show: listFirewall.run,
  confirm: ({ broker, rules }) => (rules.length === 0 ? admittingNone(broker) : null),
  done: 'The firewall is on: only listed addresses are allowed.',
  change: (tx, deps: ChangeDeps, { broker }) => turn(tx, deps, broker, true),
});

/** Lets callers in from everywhere; the rules stay for the next time. */
export const disableFirewall = useCase({
  name: 'firewall disable',
  role: 'admin',
  action: 'firewall.disable',
  title: 'Turn off',
  summary: 'Turn the firewall off',
  description: 'Accept every address; the rules stay',
  example: 'firewall disable --broker acme',
  input: Type.Object(BROKER),
  on: ['broker'],
  path: 'POST /brokers/:broker/firewall/disable',
  answer: FIREWALL,
  done: 'The firewall is off: keys are accepted from every address.',
  change: (tx, deps: ChangeDeps, { broker }) => turn(tx, deps, broker, false),
});

/**
 * Adds an address or CIDR; one that is there with this note stays as it is. Any other that covers the same addresses as a
 * rule is refused, however it is written.
 */
export const allowAddress = useCase({
  name: 'firewall allow',
  role: 'admin',
  action: 'firewall.allow',
  title: 'Allow',
  summary: 'Allow an address',
  description: 'Add an address or a CIDR',
  example: 'firewall allow 192.0.2.0/24 --broker acme --note office',
  input: Type.Object({
    ...BROKER,
    rule: { ...RULE, title: 'Address or range', maxLength: 49 } as typeof RULE,
    note: Type.Optional(line(200, { title: 'Note', description: 'What it is' })),
  }),
  on: ['broker'],
  argument: 'rule',
  path: 'POST /brokers/:broker/firewall/allow',
  answer: FIREWALL,
  done: 'The address is allowed.',
  async change(tx, { clock, newId }: ChangeDeps, { broker: slug, rule, note = null }) {
    const range = readRange(rule);
    const broker = await lockRules(tx, clock, slug);
    const rules = await tx.firewall.list(broker.id);
    const same = rules.find((each) => isSame(each.rule, range));
    if (same?.rule === rule && same.note === note) {
      return { record: await firewallRecord(tx, broker), isChanged: false };
    }
    if (same) throw refused(`"${rule}" is allowed already by the rule "${same.rule}"`);
    if (rules.length >= MAX_RULES) throw refused(`A broker can have ${MAX_RULES} firewall rules at most`);
    const now = clock.now();
    await tx.firewall.insert({ id: newId('fwr', now), brokerId: broker.id, rule, note, createdAt: now });
    return { record: await firewallRecord(tx, broker), about: aboutBroker(broker), after: { rule, note } };
  },
});

/** Removes the rule that covers exactly these addresses, however it was written. */
export const removeAddress = useCase({
  name: 'firewall remove',
  role: 'admin',
  action: 'firewall.remove',
  title: 'Remove',
  summary: 'Remove a rule',
  description: 'Remove a rule',
  example: 'firewall remove 192.0.2.0/24 --broker acme',
  input: Type.Object({ ...BROKER, rule: RULE }),
  on: ['broker', 'rule'],
  argument: 'rule',
  path: 'POST /brokers/:broker/firewall/remove',
  answer: FIREWALL,
  show: listFirewall.run,
  confirm: ({ broker, ip_restriction_enabled: enabled, rules }) =>
    enabled && rules.length === 1 ? admittingNone(broker) : null,
  done: 'The address was removed from the list.',
  async change(tx, { clock }: ChangeDeps, { broker: slug, rule }) {
    const range = readRange(rule);
    const broker = await lockRules(tx, clock, slug);
    const same = (await tx.firewall.list(broker.id)).find((each) => isSame(each.rule, range));
    if (!same) throw unknown(`"${broker.slug}" has no firewall rule "${rule}"`);
    await tx.firewall.remove(broker.id, same.rule);
    const before = { rule: same.rule, note: same.note };
    return { record: await firewallRecord(tx, broker), about: aboutBroker(broker), before };
  },
});

/**
 * Whether a caller from this address would be let in, and by which rule: the firewall's own judgement. Contract, section 5.
 */
export const checkAddress = useCase({
  name: 'firewall check',
  title: 'Check',
  summary: 'Check an address',
  description: 'Say whether a call from an address would be let in, and by which rule',
  example: 'firewall check 192.0.2.9 --broker acme',
  input: Type.Object({ ...BROKER, address: named('address', 'An IPv4 or IPv6 address') }),
  argument: 'address',
  path: 'POST /brokers/:broker/firewall/check',
  answer: answerSchema('AddressCheck', {
    address: IpAddress('The address, in normal form'),
    let_in: Type.Boolean({ description: 'Whether a call from it passes the firewall' }),
    matched_rule: Nullable(Shown(49, 'The rule, as entered, that covers it; null: none does'), { examples: [null] }),
    ip_restriction_enabled: Type.Boolean({ description: 'Whether the firewall is on' }),
  }),
  async run({ store }: ReadDeps, input) {
    const address = normaliseAddress(input.address);
    if (address === undefined) {
      throw invalid({ field: 'address', message: `"${input.address}" is not an IPv4 or IPv6 address` });
    }
    const broker = await requireBroker(store.read, input.broker);
    const rules = await store.read.firewall.list(broker.id);
    const matched = createIpMatcher(rules.map(({ rule }) => rule))(address);
    return {
      address,
      let_in: !broker.ipRestrictionEnabled || matched !== null,
      matched_rule: matched,
      ip_restriction_enabled: broker.ipRestrictionEnabled,
    };
  },
});

async function turn(
  tx: Tx,
  { clock }: ReadDeps,
  slug: string,
  ipRestrictionEnabled: boolean,
): Promise<ChangeOutcome<FirewallRecord>> {
  const broker = await lockRules(tx, clock, slug);
  await tx.brokers.update(broker.id, { ipRestrictionEnabled });
  return {
    record: await firewallRecord(tx, { ...broker, ipRestrictionEnabled }),
    about: aboutBroker(broker),
    before: { ip_restriction_enabled: broker.ipRestrictionEnabled },
    after: { ip_restriction_enabled: ipRestrictionEnabled },
  };
}

/** The broker, whose rules no other transaction changes until this one ends: both see the true list. */
async function lockRules(tx: Tx, clock: ReadDeps['clock'], slug: string): Promise<BrokerRow> {
  const broker = await requireBroker(tx, slug);
  await tx.brokers.update(broker.id, { updatedAt: clock.now() });
  return broker;
}

function readRange(rule: string): IpRule {
  const range = parseIpRule(rule);
  if (!range) throw invalid({ field: 'rule', message: `must be an IPv4 or IPv6 address or CIDR, not "${rule}"` });
  return range;
}

const isSame = (rule: string, range: IpRule): boolean => String(parseIpRule(rule)) === String(range);

/** Whether callers are restricted, and the rules as they were entered. */
export type FirewallRecord = Awaited<ReturnType<typeof firewallRecord>>;

const firewallRecord = async (reads: Pick<Reads, 'firewall'>, { id, slug, ipRestrictionEnabled }: BrokerRow) => ({
  broker: slug,
  ip_restriction_enabled: ipRestrictionEnabled,
  rules: (await reads.firewall.list(id)).map(RULE_RECORD.of),
});
