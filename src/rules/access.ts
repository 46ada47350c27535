import { isBlank } from './blank.ts';
import { normaliseAddress } from './ip-rules.ts';
import { keysOf } from './keys.ts';
import { oneLine } from './one-line.ts';
import { isHostname } from './options.ts';

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

/** An address in normal form; undefined where it is none, or has a zone. */
const normalAddress = (text: string): string | undefined => (text.includes('%') ? undefined : normaliseAddress(text));

export function addressesOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_ADDRESSES) return undefined;
  const addresses = value.map((one) => (typeof one === 'string' ? normalAddress(one.trim()) : undefined));
  return addresses.includes(undefined) ? undefined : [...new Set(addresses as string[])];
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
  ip_addresses: addressesOf,
  username: usernameOf,
  login_url: loginUrlOf,
  notes: (value) => textOf(value, MAX_NOTES),
};

/** What is valid, for people. */
export const ACCESS_RULES: Readonly<Record<keyof Access, string>> = {
  hostname: 'must be a host name',
  ip_addresses: `must be a list of at most ${MAX_ADDRESSES} IPv4 and IPv6 addresses without zones`,
  username: `must be a text of at most ${MAX_USERNAME} characters`,
  login_url: `must be an http or https address without user information, of at most ${MAX_LOGIN_URL} characters`,
  notes: `must be a text of at most ${MAX_NOTES} characters`,
};

/**
 * Reads an access field by field; a field that is absent or null is empty.
 * @returns the access, null where nothing is known; and the names of the fields that are not valid, which are empty in it
 */
export function readAccess(given: unknown): { access: Access | null; invalid: string[] } {
  if (given === null || given === undefined) return { access: null, invalid: [] };
  if (typeof given !== 'object' || Array.isArray(given)) return { access: null, invalid: ['access'] };
  const values = given as Record<string, unknown>;
  const access: { -readonly [F in keyof Access]: Access[F] } = { ...NO_ACCESS };
  const invalid: string[] = Object.keys(values).filter((name) => !Object.hasOwn(NO_ACCESS, name));
  const take = <F extends keyof Access>(name: F, value: unknown) => {
    const read = READ[name](value);
    if (read === undefined) invalid.push(name);
    else access[name] = read;
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
