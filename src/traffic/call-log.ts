import type { Clock } from '../clock.ts';
import type { CallRow } from '../store/calls.ts';
import type { Store } from '../store/store.ts';

/** Keeps single calls and writes them down behind their backs (contract, section 11). */
export interface CallLog {
  /** Keeps the call that `describe` tells of, unless there are too many of them; it is asked only for those. */
  keep(keyId: string, describe: () => CallRow): void;
  /** Writes what is not written yet. Where that fails it is kept for the next time, and `onError` hears of it once. */
  flush(): Promise<void>;
  /** Calls without a row, by what there was too much of. */
  readonly dropped: Readonly<Record<Bound, number>>;
}

/** Rows of one key in a second; rows of all keys in a second; rows that wait for a database that is away. */
export const BOUNDS = ['key', 'all', 'waiting'] as const;
export type Bound = (typeof BOUNDS)[number];

export interface CallLogOptions {
  store: Pick<Store, 'tx'>;
  clock: Pick<Clock, 'monotonic'>;
  onError: (error: unknown) => void;
  limits?: Partial<Record<Bound, number>>;
}

/** The first two as the contract has them. The third: ten seconds at full rate, about 1 MB. */
const LIMITS: Record<Bound, number> = { key: 20, all: 200, waiting: 2_000 };

/** Half of the two seconds within which a call can be looked up. */
const WRITE_AFTER_MS = 1_000;

/** Rows of one transaction: those of two seconds. */
const ROWS_A_TRANSACTION = 400;

export function createCallLog({ store, clock, onError, limits }: CallLogOptions): CallLog {
  const limit = { ...LIMITS, ...limits };
  const dropped: Record<Bound, number> = { key: 0, all: 0, waiting: 0 };
  let second = Number.NEGATIVE_INFINITY;
  let all = 0;
  // No more keys than rows of a second.
  let byKey = new Map<string, number>();
  let rows: CallRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let failing = false;

  /** What there is too much of for one more row of the key. */
  function excess(keyId: string): Bound | undefined {
    const now = Math.floor(clock.monotonic() / 1000);
    if (now !== second) {
      second = now;
      all = 0;
      byKey = new Map();
    }
    if ((byKey.get(keyId) ?? 0) >= limit.key) return 'key';
    if (all >= limit.all) return 'all';
    return rows.length >= limit.waiting ? 'waiting' : undefined;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref();
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (rows.length > 0) {
      const batch = rows.slice(0, ROWS_A_TRANSACTION);
      try {
        await store.tx((tx) => tx.calls.insert(batch));
        failing = false;
      } catch (error) {
        // Once an outage.
        if (!failing) onError(error);
        failing = true;
        schedule();
        return;
      }
      rows = rows.slice(batch.length);
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  return {
    keep(keyId, describe) {
      const bound = excess(keyId);
      if (bound !== undefined) {
        dropped[bound] += 1;
        return;
      }
      all += 1;
      byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1);
      rows.push(describe());
      schedule();
    },
    async flush() {
      await flush();
      clearTimeout(timer);
    },
    dropped,
  };
}
