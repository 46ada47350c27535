import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from './words.ts';

/**
 * The format of an API key (contract, sections 5 and 13.1):
 *
 *     sk_live_ XXXXXXXX _ <32 characters of secret> <6 of checksum>
 *              public id
 *
 * `live` and `test` are the modes of a broker's key; a key of the operator's API has `ops` in their place.
 *
 * The underscore after the public id also helps secret scanners: they take a longer run of alphanumerics after
 * `sk_live_` for a key of another vendor.
 */
export interface KeyParts {
  /** Eight characters that identify the key and may be shown. */
  publicId: string;
  /** Thirty-two characters, about 190 bits. */
  secret: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** The length of a broker's whole key in characters. */
export const KEY_LENGTH = 'sk_live_'.length + PUBLIC_ID_LENGTH + '_'.length + SECRET_LENGTH + CHECKSUM_LENGTH;

const KEY = /^sk_(live|test|ops)_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/;

/** What a key opens: v1 in one of its modes, or the operator's API. */
type KeyKind = Mode | 'ops';

/** The part of a key that may be shown: everything up to the end of its public id. */
export function keyPrefix(mode: KeyKind, publicId: string): string {
  return `sk_${mode}_${publicId}`;
}

/** The whole key, checksum included. */
export function composeKey({ mode, publicId, secret }: { mode: KeyKind } & KeyParts): string {
  const unchecked = `${keyPrefix(mode, publicId)}_${secret}`;
  return unchecked + checksum(unchecked);
}

/** The random parts of a new key; every character is equally likely. `randomBytes` must be cryptographically strong. */
export function newKeyParts(randomBytes: (n: number) => Buffer): KeyParts {
  const wanted = PUBLIC_ID_LENGTH + SECRET_LENGTH;
  // 248 is the largest multiple of 62 that fits a byte; the eight values from 248 on would favour the first characters.
  const fairBelow = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < wanted) {
    for (const byte of randomBytes(wanted - text.length)) {
      if (byte < fairBelow) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return { publicId: text.slice(0, PUBLIC_ID_LENGTH), secret: text.slice(PUBLIC_ID_LENGTH) };
}

/** Parses a broker's key; undefined where its format or checksum is wrong, so that such a key costs no look-up. */
export function parseKey(text: string): { mode: Mode; publicId: string } | undefined {
  const key = parsed(text);
  return key && key.mode !== 'ops' ? { mode: key.mode, publicId: key.publicId } : undefined;
}

/** Parses a key of the operator's API. */
export function parseOperatorKey(text: string): { publicId: string } | undefined {
  const key = parsed(text);
  return key?.mode === 'ops' ? { publicId: key.publicId } : undefined;
}

function parsed(text: string): { mode: KeyKind; publicId: string } | undefined {
  const [, mode, publicId] = KEY.exec(text) ?? [];
  if (publicId === undefined || !text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)))) return undefined;
  return { mode: mode as KeyKind, publicId };
}

/** The stored hash of a key: SHA-256 in hexadecimal. A random secret of this length needs no slow hash. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/**
 * Parses the Authorization header. `missing` without a header or with a blank one; `malformed` for another
 * scheme, for no token and for more than one. `parseKey` then checks the token.
 */
export function parseBearer(header: string | undefined): { token: string } | 'missing' | 'malformed' {
  if (header === undefined || header.trim() === '') return 'missing';
  const token = /^[ \t]*bearer +([^\s,]+)[ \t]*$/i.exec(header)?.[1];
  return token === undefined ? 'malformed' : { token };
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
