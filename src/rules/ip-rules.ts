import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: its first address, and how many of the bits its addresses have in common. */
export type IpRule = readonly [network: Address, prefix: number];

const MAPPED_PREFIX = 96;

/**
 * Parses a firewall rule: an IPv4 or IPv6 address, or a CIDR, whose host bits are ignored. A CIDR of
 * IPv4-mapped addresses becomes the IPv4 one. Returns undefined for anything else: zone ids, octets with leading
 * zeros, prefixes out of range, and a mapped address with a prefix shorter than 96, which would also cover
 * addresses outside IPv4.
 */
export function parseIpRule(text: string): IpRule | undefined {
  const [, written = '', prefix] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseAddress(written);
  if (address === undefined) return undefined;
  const bits = bitsOf(address);
  if (prefix === undefined) return [address, bits];

  const isMapped = bits === 32 && !isIPv4(written);
  const length = Number(prefix) - (isMapped ? MAPPED_PREFIX : 0);
  return length < 0 || length > bits ? undefined : [networkOf(address, length), length];
}

/**
 * An address as it is stored, shown and compared: IPv4 dotted, IPv4-mapped as IPv4, IPv6 in the canonical
 * form of RFC 5952 without its zone id. Returns undefined for a text that is no address.
 */
export function normaliseAddress(text: string): string | undefined {
  // Fast path for the form that nearly every socket reports.
  const dotted = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text;
  return isIPv4(dotted) ? dotted : parseAddress(text)?.toString();
}

/** Ranges whose addresses mean a machine itself, its own link, or many machines. */
const UNREACHABLE = new Set(['unspecified', 'loopback', 'linkLocal', 'multicast', 'broadcast']);

/** Whether other machines can reach an address in normal form, in whatever network. */
export const isReachable = (address: string): boolean => !UNREACHABLE.has(ipaddr.parse(address).range());

/**
 * Compiles rules into a function that returns the first rule (as entered) that covers an address, or null.
 * A rule that cannot be parsed covers nothing. An IPv6 rule never covers an IPv4 address: `::/0` means all of IPv6
 * only.
 */
export function createIpMatcher(rules: readonly string[]): (address: string) => string | null {
  const networks = rules.flatMap((rule) => {
    const [network, prefix] = parseIpRule(rule) ?? [];
    return network && prefix !== undefined ? [{ rule, network, prefix }] : [];
  });
  return (text) => {
    const address = networks.length === 0 ? undefined : parseAddress(text);
    if (address === undefined) return null;
    const covers = ({ network, prefix }: (typeof networks)[number]) =>
      network.kind() === address.kind() && address.match(network, prefix);
    return networks.find(covers)?.rule ?? null;
  };
}

/**
 * The key under which a client is counted: an IPv4 address itself, the /64 of an IPv6 address (one customer's line
 * usually has all of it), `unknown` where there is no address.
 */
export function addressBucket(text: string | undefined): string {
  const address = normaliseAddress(text ?? '');
  if (address === undefined) return 'unknown';
  return isIPv4(address) ? address : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}

/**
 * What the connections of an address are counted under; undefined for a proxy, which has those of many clients.
 * @param proxies rules of the trusted proxies
 */
export function createConnectionCounter(
  proxies: readonly string[],
): (address: string | undefined) => string | undefined {
  const proxyOf = createIpMatcher(proxies);
  return (address) => (proxyOf(String(address)) === null ? addressBucket(address) : undefined);
}

/** An IPv4-mapped address becomes the IPv4 one: a client has the same address on sockets of both families. */
function parseAddress(text: string): Address | undefined {
  // By itself ipaddr.js takes 010.0.0.1 for 8.0.0.1, and ::1.2.3.4 for 1.2.3.4. A URL writes the latter in hexadecimal.
  const family = isIP(text);
  if (family === 0) return undefined;
  return ipaddr.process(family === 4 ? text : new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1));
}

const bitsOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128);

const networkOf = (address: Address, prefix: number): Address =>
  (address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address}/${prefix}`);
