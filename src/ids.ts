import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';

export type IdPrefix = 'brk' | 'key' | 'fwr' | 'pln' | 'req' | 'evt' | 'eml' | 'rpt';

/** Makes `<prefix>_<ULID>` ids. They sort by time, which keeps the indexes they live in append-only. */
export type NewId = (prefix: IdPrefix, atMs: number) => string;

export function createIds(): NewId {
  const next = monotonicFactory();
  return (prefix, atMs) => `${prefix}_${next(atMs)}`;
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

const PROCESS = randomBytes(9).toString('base64url');
let requests = 0;
