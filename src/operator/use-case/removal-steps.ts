/** Records that a transaction of a removal takes at first, and at most. */
export const FIRST_STEP = 500;

/** The longest time for which one may hold the writer before the next one takes fewer records. */
const STEP_MS = 50;

/**
 * How many records the next transaction takes: half as many after a slow one, twice as many after a fast one. Where other
 * brokers have many requests, the database looks through them for each service that goes.
 */
export function nextStep(step: number, tookMs: number): number {
  if (tookMs > STEP_MS) return Math.max(1, Math.floor(step / 2));
  return tookMs < STEP_MS / 2 ? Math.min(FIRST_STEP, step * 2) : step;
}
