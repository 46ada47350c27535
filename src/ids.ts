import { randomUUID } from 'node:crypto';
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

/** The id under which the log knows one HTTP request. One that a caller sends along is ignored: ours must be unique. */
export const newCorrelationId = (): string => randomUUID();
