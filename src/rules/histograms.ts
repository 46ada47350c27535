/**
 * Histograms of durations. The buckets are fixed, so that histograms of several processes and minutes can be added. Each
 * bound is 1.6 times the one before, from 0.1 ms to 20 s, so that a percentile is at most a quarter off; the last bucket
 * has no upper bound.
 */
const FIRST_BOUND_MS = 0.1;
const FACTOR = 1.6;
export const BUCKETS = 28;

const LOG_FACTOR = Math.log(FACTOR);
const LAST = BUCKETS - 1;

/** The bucket that a duration in milliseconds falls into. */
export function bucketOf(ms: number): number {
  if (ms <= FIRST_BOUND_MS) return 0;
  const bucket = Math.ceil(Math.log(ms / FIRST_BOUND_MS) / LOG_FACTOR);
  return Math.min(bucket, LAST);
}

/** The duration in milliseconds that a `share` (0 to 1) of the calls did not exceed; null where there are no calls. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  // The position of the wanted call in order of duration, from 1.
  let rank = Math.max(1, Math.ceil(total * share));
  const bucket = counts.findIndex((count) => {
    rank -= count;
    return rank <= 0;
  });
  const count = counts[bucket] as number;
  const lower = bucket === 0 ? 0 : boundOf(bucket - 1);
  // The last bucket has no upper bound, so its lower one is returned.
  const upper = bucket === LAST ? lower : boundOf(bucket);
  // Interpolated: the calls of a bucket count as evenly spread over it.
  return Number((lower + ((upper - lower) * (count + rank - 0.5)) / count).toFixed(3));
}

const boundOf = (bucket: number): number => FIRST_BOUND_MS * FACTOR ** bucket;
