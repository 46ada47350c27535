/**
 * Histograms of durations: fixed buckets, so that those of many processes and minutes can be added up. Each bound is
 * 1.6 times the one before, from 0.1 ms to 20 s, which keeps what is read from them within a quarter of the truth; the
 * last bucket has no end.
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
  return bucket < LAST ? bucket : LAST;
}

/** Milliseconds that a share of the calls did not exceed, 0 to 1, by the buckets' counts; null where there are none. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  // The call of which the share asks: the first is 1.
  let rank = Math.max(1, Math.ceil(total * share));
  const bucket = counts.findIndex((count) => {
    rank -= count;
    return rank <= 0;
  });
  const count = counts[bucket] as number;
  const lower = bucket === 0 ? 0 : boundOf(bucket - 1);
  // Of a bucket without an end nothing is known but where it begins.
  const upper = bucket === LAST ? lower : boundOf(bucket);
  // As if the calls of a bucket stood in the middle of equal parts of it.
  return Number((lower + ((upper - lower) * (count + rank - 0.5)) / count).toFixed(3));
}

const boundOf = (bucket: number): number => FIRST_BOUND_MS * FACTOR ** bucket;
