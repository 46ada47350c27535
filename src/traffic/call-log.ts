import type { Clock } from '../clock.ts';
import type { CallRow } from '../store/calls.ts';
import { createQuota, type WriteBehind } from './write-behind.ts';

/** Keeps single calls (contract, section 11). */
export interface CallLog {
  /** Keeps the call that `describe` returns. Above a bound it only counts it, and does not call `describe`. */
  keep(keyId: string, describe: () => CallRow): void;
  /** Calls without a row, by the bound that they passed. */
  readonly dropped: Readonly<Record<Bound, number>>;
}

/** Rows of one key in a second; rows of all keys in a second; rows that wait for a database that is away. */
export const BOUNDS = ['key', 'all', 'waiting'] as const;
export type Bound = (typeof BOUNDS)[number];

/** The first two as the contract has them. The third: ten seconds at full rate, about 1 MB. */
export const LIMITS: Record<Bound, number> = { key: 20, all: 200, waiting: 2_000 };

export function createCallLog(
  writeBehind: Pick<WriteBehind, 'add'>,
  clock: Pick<Clock, 'monotonic'>,
  given: Partial<typeof LIMITS> = {},
): CallLog {
  const limits = { ...LIMITS, ...given };
  const dropped: Record<Bound, number> = { key: 0, all: 0, waiting: 0 };
  const rows = new Map<string, CallRow>();
  const quota = createQuota(clock, 1000, limits);
  writeBehind.add({ rows, everySeconds: 1, write: (tx, calls) => tx.calls.insert(calls) });
  return {
    keep(keyId, describe) {
      const bound = rows.size >= limits.waiting ? 'waiting' : quota(keyId);
      if (bound !== undefined) {
        dropped[bound] += 1;
        return;
      }
      const row = describe();
      rows.set(row.requestId, row);
    },
    dropped,
  };
}
