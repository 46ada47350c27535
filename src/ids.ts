import { randomBytes, randomFillSync } from 'node:crypto';
import { encodeTime, monotonicFactory } from 'ulid';

export type IdPrefix = 'brk' | 'key' | 'fwr' | 'pln' | 'req' | 'evt' | 'eml' | 'rpt' | 'aud' | 'opr' | 'ses';

/** Makes `<prefix>_<ULID>` ids. They sort by time, which keeps the indexes they live in append-only. */
export type NewId = (prefix: IdPrefix, atMs: number) => string;

export function createIds(): NewId {
  const next = monotonicFactory(randomFraction);
  return (prefix, atMs) => `${prefix}_${next(atMs)}`;
}

/** No id that was made at this moment or later sorts before it; at a moment that no id can name, the nearest one. */
export const firstIdOf = (prefix: IdPrefix, atMs: number): string =>
  `${prefix}_${encodeTime(Math.min(Math.max(atMs, 0), LAST_MS))}`;

/** The latest moment of a ULID. */
const LAST_MS = 2 ** 48 - 1;

/** Random bytes are asked for by the thousand: one by one, as the library would, they take as long as an insertion. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** From 0 up to 1, in steps of 1/256: an id's characters are of 32 kinds. */
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  used += 1;
  return byte / 256;
}

/** Whether a text could be a request's id; anything else need not be looked up. */
export const isRequestId = (text: string): boolean => /^req_[0-9A-Za-z_-]{1,120}$/.test(text);

/**
 * The id under which the log knows one HTTP request: the process by chance, and the request by its number. One that a
 * caller sends along is ignored, for ours must be unique.
 */
export function newCorrelationId(): string {
  requests += 1;
  return `${PROCESS}-${requests.toString(36)}`;
}

/** Whether a text could be such an id. */
export const isCorrelationId = (text: string): boolean => /^[\w-]{12}-[0-9a-z]+$/.test(text);

// A command that is given the id would take one that begins with a dash for an option.
const PROCESS = randomBytes(9).toString('base64url').replace(/^-/, '0');
let requests = 0;
