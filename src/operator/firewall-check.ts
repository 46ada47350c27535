import { createIpMatcher, normaliseAddress } from '../rules/ip-rules.ts';
import { type ReadDeps, requireBroker } from './dependencies.ts';
import { invalid } from './errors.ts';

/**
 * Whether a caller from this address would be let in, and by which rule: the firewall's own judgement. Throws an
 * `OperatorError` for what is no address. Contract, section 5.
 */
export async function checkAddress(
  { store }: ReadDeps,
  input: { broker: string; address: string },
): Promise<{ address: string; let_in: boolean; matched_rule: string | null; ip_restriction_enabled: boolean }> {
  const address = normaliseAddress(input.address.trim());
  if (address === undefined)
    throw invalid({ field: 'address', message: `"${input.address.trim()}" is not an IPv4 or IPv6 address` });
  const broker = await requireBroker(store.read, input.broker);
  const rules = await store.read.firewall.list(broker.id);
  const matched = createIpMatcher(rules.map(({ rule }) => rule))(address);
  return {
    address,
    let_in: !broker.ipRestrictionEnabled || matched !== null,
    matched_rule: matched,
    ip_restriction_enabled: broker.ipRestrictionEnabled,
  };
}
