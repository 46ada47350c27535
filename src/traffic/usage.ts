import type { Clock } from '../clock.ts';
import type { ApiError } from '../errors.ts';
import { BUCKETS, bucketOf } from '../rules/durations.ts';
import { gateOf, WORK_GATE } from '../rules/gates.ts';
import { GRAIN_MS, type UsageRow } from '../store/usage.ts';
import { createQuota, type WriteBehind } from './write-behind.ts';

/** The broker and the key of a call. */
export interface Owner {
  broker: { id: string };
  key: { id: string };
}

/** Adds up the calls of one process (contract, section 11). */
export interface Usage {
  /** Counts a call. `owner`: undefined where the key was refused; `failure`: undefined where the call succeeded. */
  count(owner: Owner | undefined, operation: string, failure: ApiError | undefined, ms: number): void;
  /** Calls in no row, because the database was away for too long. */
  readonly dropped: number;
}

export const LIMITS = {
  /** Kinds of calls of one key between two writes. Integrations make a dozen; one that fails in every way fills neither memory nor table. */
  key: 64,
  /** Kinds of calls of all keys between two writes: below 2 MB of memory. */
  all: 5_000,
  /** Rows that wait for a database that is away: below 8 MB of memory, and minutes of a busy server. */
  waiting: 20_000,
};

/** A crash loses the calls of this time. */
const WRITE_EVERY_SECONDS = 10;

/** The operation and outcome of calls above a bound. */
export const OTHER = 'other';

/** The owner of calls without a valid key. */
const NO_OWNER: Owner = { broker: { id: '' }, key: { id: '' } };

type Row = UsageRow & { durations: number[] };

export function createUsage(
  writeBehind: Pick<WriteBehind, 'add'>,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  given: Partial<typeof LIMITS> = {},
): Usage {
  const limits = { ...LIMITS, ...given };
  const rows = new Map<string, Row>();
  const quota = createQuota(clock, WRITE_EVERY_SECONDS * 1000, limits);
  let dropped = 0;
  writeBehind.add<Row>({
    rows,
    everySeconds: WRITE_EVERY_SECONDS,
    write: (tx, counted) => tx.usage.count(counted),
    merge: (older, newer) => ({
      ...older,
      calls: older.calls + newer.calls,
      durations: older.durations.map((count, bucket) => count + (newer.durations[bucket] as number)),
    }),
  });

  /** The row of calls of this kind; undefined where there is no room for it. */
  function rowOf({ broker, key }: Owner, operation: string, outcome: string, gate: number): Row | undefined {
    const now = clock.now();
    const fromAt = now - (now % GRAIN_MS.minute);
    const name = `${fromAt} ${key.id} ${operation} ${outcome} ${gate}`;
    let row = rows.get(name);
    if (row) return row;
    if (rows.size >= limits.waiting) return undefined;
    const bound = operation === OTHER ? undefined : quota(key.id);
    if (bound) return rowOf(bound === 'all' ? NO_OWNER : { broker, key }, OTHER, OTHER, WORK_GATE);
    const durations = new Array<number>(BUCKETS).fill(0);
    row = { fromAt, brokerId: broker.id, keyId: key.id, operation, outcome, gate, calls: 0, durations };
    rows.set(name, row);
    return row;
  }

  return {
    count(owner, operation, failure, ms) {
      const gate = failure ? gateOf(failure, owner !== undefined) : WORK_GATE;
      const row = rowOf(owner ?? NO_OWNER, operation, failure?.code ?? 'ok', gate);
      if (!row) dropped += 1;
      else {
        row.calls += 1;
        (row.durations[bucketOf(ms)] as number) += 1;
      }
    },
    get dropped() {
      return dropped;
    },
  };
}
