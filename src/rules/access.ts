import { isReachable, normaliseAddress } from './ip-rules.ts';
import { keysOf } from './keys.ts';
import { isHostname } from './options.ts';
import { isBlank, oneLine } from './text.ts';

/** How a service's client reaches it (contract, section 12.2), in its wire form. Holds no secret. */
export interface Access {
  readonly hostname: string | null;
  /** IPv4 and IPv6 in normal form, each once, in the order given. */
  readonly ip_addresses: readonly string[];
  readonly username: string | null;
  readonly login_url: string | null;
  readonly notes: string | null;
}

export const NO_ACCESS: Access = { hostname: null, ip_addresses: [], username: null, login_url: null, notes: null };
export const ACCESS_FIELDS = keysOf(NO_ACCESS);

export const MAX_ADDRESSES = 32;
export const MAX_USERNAME = 128;
export const MAX_LOGIN_URL = 2000;
export const MAX_NOTES = 1000;

const isUpTo = (text: string, codePoints: number): boolean =>
  text.length <= 2 * codePoints && [...text].length <= codePoints;
const textOf = (value: unknown, codePoints: number): string | undefined =>
  typeof value === 'string' &&
  !value.includes('\0') &&
  value.isWellFormed() &&
  !isBlank(value) &&
  isUpTo(value.trim(), codePoints)
    ? value.trim()
    : undefined;

/** An address in normal form; undefined if it is none, has a zone, or cannot be reached by anybody else. */
function usableAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.includes('%')) return undefined;
  const address = normaliseAddress(value.trim());
  return address !== undefined && isReachable(address) ? address : undefined;
}

/**
 * The addresses of a list that a client can use, in normal form, each once, and the entries that are left out: what is no
 * such address, and what is beyond the last place. Undefined for anything but a list.
 */
export function readAddresses(value: unknown): { addresses: string[]; dropped: unknown[] } | undefined {
  if (!Array.isArray(value)) return undefined;
  const addresses = new Set<string>();
  const dropped: unknown[] = [];
  for (const entry of value) {
    const address = usableAddress(entry);
    if (address !== undefined && (addresses.has(address) || addresses.size < MAX_ADDRESSES)) addresses.add(address);
    else dropped.push(entry);
  }
  return { addresses: [...addresses], dropped };
}

export function loginUrlOf(value: unknown): string | undefined {
  const text = textOf(value, MAX_LOGIN_URL);
  if (text === undefined || /[\s\p{Cc}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
    ? text
    : undefined;
}

function usernameOf(value: unknown): string | undefined {
  const text = textOf(value, MAX_USERNAME);
  return text === undefined ? undefined : oneLine(text);
}

function hostnameOf(value: unknown): string | undefined {
  const text = textOf(value, 253);
  return text !== undefined && isHostname(text) ? text : undefined;
}

/** Each field’s value from what was given; undefined where that is not valid. */
const READ: { [F in keyof Access]: (value: unknown) => Access[F] | undefined } = {
  hostname: hostnameOf,
  ip_addresses: (value) => readAddresses(value)?.addresses,
  username: usernameOf,
  login_url: loginUrlOf,
  notes: (value) => textOf(value, MAX_NOTES),
};

/** What is valid, for people. */
export const ACCESS_RULES: Readonly<Record<keyof Access, string>> = {
  hostname: 'must be a host name',
  ip_addresses: `must be a list of at most ${MAX_ADDRESSES} IPv4 and IPv6 addresses that clients can reach`,
  username: `must be a text of at most ${MAX_USERNAME} characters`,
  login_url: `must be an http or https address without user information, of at most ${MAX_LOGIN_URL} characters`,
  notes: `must be a text of at most ${MAX_NOTES} characters`,
};

/**
 * Reads an access field by field; a field that is absent or null is empty.
 * @returns the access, null where nothing is known; and the names of the fields that are not valid as they are: they are
 * empty in it, but for the addresses that are valid
 */
export function readAccess(given: unknown): { access: Access | null; invalid: string[] } {
  if (given === null || given === undefined) return { access: null, invalid: [] };
  if (typeof given !== 'object' || Array.isArray(given)) return { access: null, invalid: ['access'] };
  const values = given as Record<string, unknown>;
  const access: { -readonly [F in keyof Access]: Access[F] } = { ...NO_ACCESS };
  const invalid: string[] = Object.keys(values).filter((name) => !Object.hasOwn(NO_ACCESS, name));
  const take = <F extends keyof Access>(name: F, value: unknown) => {
    const read = READ[name](value);
    if (read !== undefined) access[name] = read;
    if (read === undefined || (name === 'ip_addresses' && readAddresses(value)?.dropped.length !== 0))
      invalid.push(name);
  };
  for (const name of ACCESS_FIELDS) {
    const value = Object.hasOwn(values, name) ? values[name] : null;
    if (value !== null && value !== undefined) take(name, value);
  }
  return { access: isEmpty(access) ? null : access, invalid };
}

const isEmpty = (access: Access): boolean =>
  access.ip_addresses.length === 0 &&
  access.hostname === null &&
  access.username === null &&
  access.login_url === null &&
  access.notes === null;

/** The access in its column. */
export const accessOf = (stored: string | null): Access | null =>
  stored === null ? null : (JSON.parse(stored) as Access);
export const accessColumn = (access: Access | null): string | null => access && JSON.stringify(access);
