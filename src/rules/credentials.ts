import { isBlank } from './text.ts';

/** The bounds of what a provisioner says of a service's credentials (contract, section 12.3); texts in code points. */
export const MAX_CREDENTIALS = 10;
export const MAX_DISPLAY_NAME = 100;
export const MAX_CREDENTIAL_USERNAME = 128;
export const MAX_PASSWORD = 1000;
/** In bytes. */
export const MAX_PRIVATE_KEY = 16 * 1024;
export const MAX_CREDENTIAL_URL = 2000;

interface Read {
  display_name: string;
  username: string | null;
  password: string | null;
  private_key: string | null;
  url: string | null;
}

/** What a browser would run or show in place of opening it. */
const NO_PLACES = ['javascript:', 'data:', 'vbscript:'];

const isText = (value: unknown, codePoints: number): value is string =>
  typeof value === 'string' &&
  !value.includes('\0') &&
  value.isWellFormed() &&
  value.length <= 2 * codePoints &&
  [...value].length <= codePoints;

const isUrl = (value: unknown): value is string =>
  isText(value, MAX_CREDENTIAL_URL) &&
  !/[\s\p{Cc}]/u.test(value) &&
  !NO_PLACES.includes(URL.parse(value)?.protocol ?? 'data:');

const isPrivateKey = (value: unknown): value is string =>
  isText(value, MAX_PRIVATE_KEY) && Buffer.byteLength(value) <= MAX_PRIVATE_KEY;

/** The entries that are valid, at most as many as are shown; null if there is none, and for anything but a list. */
export function readCredentialList(given: unknown): readonly Read[] | null {
  if (!Array.isArray(given)) return null;
  const read = given.map(credentialOf).filter((entry) => entry !== undefined);
  return read.length === 0 ? null : read.slice(0, MAX_CREDENTIALS);
}

function credentialOf(given: unknown): Read | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { display_name, username, password, private_key, url } = given as Record<string, unknown>;
  const read = {
    username: orNull(username, (value) => isText(value, MAX_CREDENTIAL_USERNAME)),
    password: orNull(password, (value) => isText(value, MAX_PASSWORD)),
    private_key: orNull(private_key, isPrivateKey),
    url: orNull(url, isUrl),
  };
  if (!isText(display_name, MAX_DISPLAY_NAME) || isBlank(display_name)) return undefined;
  return Object.values(read).includes(undefined) ? undefined : ({ display_name, ...read } as Read);
}

/** Absent and empty is null; undefined where it is not valid. */
function orNull(value: unknown, isValid: (value: unknown) => boolean): string | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  return isValid(value) ? (value as string) : undefined;
}
