/** Records that a transaction of a removal takes at first. */
export const FIRST_STEP = 500;

/** The longest time for which one may hold the writer before the next one takes fewer records. */
const STEP_MS = 50;

/**
 * How many records the next transaction takes. Where other brokers have many requests, the database looks through them for
 * each service that goes.
 */
export const nextStep = (step: number, tookMs: number): number =>
  tookMs > STEP_MS ? Math.max(1, Math.floor(step / 2)) : step;
