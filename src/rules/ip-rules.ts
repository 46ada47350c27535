import { isIP, isIPv4 } from 'node:net';

/**
 * An address as an integer: a number for IPv4, a bigint for IPv6. An IPv4-mapped IPv6 address becomes the IPv4
 * address, so that a client has the same address on IPv4 and IPv6 sockets.
 */
type AddressValue = number | bigint;

/** The addresses from `first` to `last`, both included and of one family. */
export interface IpRule {
  first: AddressValue;
  last: AddressValue;
}

const MAPPED = 0xffffn;
const MAPPED_PREFIX = 96;

/**
 * Parses a firewall rule: an IPv4 or IPv6 address, or a CIDR, whose host bits are ignored. A CIDR of
 * IPv4-mapped addresses becomes the IPv4 one. Returns undefined for anything else: zone ids, octets with leading
 * zeros, prefixes out of range, and a mapped address with a prefix shorter than 96, which would also cover
 * addresses outside IPv4.
 */
export function parseIpRule(text: string): IpRule | undefined {
  const [, address, prefix] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const value = address === undefined ? undefined : addressValue(address);
  if (address === undefined || value === undefined) return undefined;
  if (prefix === undefined) return { first: value, last: value };

  const isMapped = typeof value === 'number' && !isIPv4(address);
  const length = Number(prefix) - (isMapped ? MAPPED_PREFIX : 0);
  const hostBits = (typeof value === 'number' ? 32 : 128) - length;
  if (length < 0 || hostBits < 0) return undefined;
  if (typeof value === 'number') {
    const size = 2 ** hostBits;
    const first = value - (value % size);
    return { first, last: first + size - 1 };
  }
  const size = 1n << BigInt(hostBits);
  const first = value - (value % size);
  return { first, last: first + size - 1n };
}

/**
 * An address as it is stored, shown and compared: IPv4 dotted, IPv4-mapped as IPv4, IPv6 in the canonical
 * form of RFC 5952 without its zone id. Returns undefined for a text that is no address.
 */
export function normaliseAddress(text: string): string | undefined {
  // Fast path for the form that nearly every socket reports.
  const dotted = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text;
  if (isIPv4(dotted)) return dotted;
  const value = addressValue(text);
  return value === undefined ? undefined : format(value);
}

/**
 * Compiles rules into a function that returns the first rule (as entered) that covers an address, or null.
 * A rule that cannot be parsed covers nothing. An IPv6 rule never covers an IPv4 address: `::/0` means all of IPv6
 * only.
 */
export function createIpMatcher(rules: readonly string[]): (address: string) => string | null {
  const ranges = rules.flatMap((rule) => {
    const range = parseIpRule(rule);
    return range ? [{ rule, ...range }] : [];
  });
  const ipv4 = ranges.filter(({ first }) => typeof first === 'number');
  const ipv6 = ranges.filter(({ first }) => typeof first === 'bigint');

  return (address) => {
    const value = addressValue(address);
    if (value === undefined) return null;
    for (const { rule, first, last } of typeof value === 'number' ? ipv4 : ipv6) {
      if (first <= value && value <= last) return rule;
    }
    return null;
  };
}

/**
 * The key under which a client is counted: an IPv4 address itself, the /64 of an IPv6 address (one customer's line
 * usually has all of it), `unknown` where there is no address.
 */
export function addressBucket(address: string | undefined): string {
  const value = address === undefined ? undefined : addressValue(address);
  if (value === undefined) return 'unknown';
  return typeof value === 'number' ? format(value) : `${format((value >> 64n) << 64n)}/64`;
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

function addressValue(text: string): AddressValue | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  if (family === 4) return ipv4Value(text);
  const value = ipv6Value(text.replace(/%.*$/, ''));
  return value >> 32n === MAPPED ? Number(value & 0xffffffffn) : value;
}

/** Takes a valid address only. Runs for every request, so it avoids splitting the text. */
function ipv4Value(text: string): number {
  let value = 0;
  let octet = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0) {
      octet = octet * 10 + digit;
    } else {
      value = value * 256 + octet;
      octet = 0;
    }
  }
  return value * 256 + octet;
}

/** Takes a valid address only, without a zone id. */
function ipv6Value(text: string): bigint {
  const hexadecimal = text.replace(/[\d.]+\.\d+$/, (dotted) => {
    const value = ipv4Value(dotted);
    return `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
  });
  const [head = [], tail = []] = hexadecimal.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return BigInt(`0x${[...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join('')}`);
}

function format(value: AddressValue): string {
  if (typeof value === 'number') return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');

  const digits = value.toString(16).padStart(32, '0');
  const groups = Array.from({ length: 8 }, (_, i) => Number.parseInt(digits.slice(i * 4, i * 4 + 4), 16).toString(16));
  const text = groups.join(':');
  // The longest run of two or more zero groups becomes `::`; of equally long runs, the first.
  const longest = (text.match(/\b0(?::0)+\b/g) ?? []).reduce(
    (best, run) => (run.length > best.length ? run : best),
    '',
  );
  if (longest === '') return text;
  return text.replace(new RegExp(`(?:^|:)${longest}(?::|$)`), '::');
}
