import { randomBytes } from 'node:crypto';
import { encodeTime, monotonicFactory } from 'ulid';

export type IdPrefix = 'brk' | 'key' | 'fwr' | 'pln' | 'req' | 'evt' | 'eml' | 'rpt' | 'aud' | 'opr' | 'opk' | 'ses';

/** Makes `<prefix>_<ULID>` ids. They sort by time, so that new rows go to the end of an index. `atMs`: epoch milliseconds. */
export type NewId = (prefix: IdPrefix, atMs: number) => string;

export function createIds(): NewId {
  const next = monotonicFactory();
  return (prefix, atMs) => `${prefix}_${next(atMs)}`;
}

/** The lowest possible id for a timestamp (epoch milliseconds), limited to the range of a ULID: no later id sorts before it. */
export const firstIdOf = (prefix: IdPrefix, atMs: number): string =>
  `${prefix}_${encodeTime(Math.min(Math.max(atMs, 0), LAST_MS))}`;

/** The latest timestamp of a ULID. */
const LAST_MS = 2 ** 48 - 1;

/** Whether a text could be a request's id; anything else need not be looked up. */
export const isRequestId = (text: string): boolean => /^req_[0-9A-Za-z_-]{1,120}$/.test(text);

/**
 * The id of one HTTP request in the log: random characters for the process, and the number of the request. An id that
 * the caller sends is ignored, because ids must be unique.
 */
export function newCorrelationId(): string {
  requests += 1;
  return `${PROCESS}-${requests.toString(36)}`;
}

/** Whether a text could be such an id. */
export const isCorrelationId = (text: string): boolean => /^[\w-]{12}-[0-9a-z]+$/.test(text);

// No leading dash: a command line would take such an id for an option.
const PROCESS = randomBytes(9).toString('base64url').replace(/^-/, '0');
let requests = 0;
