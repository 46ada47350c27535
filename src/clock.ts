/** The source of time. It is injected everywhere; tests use a clock that they control. */
export interface Clock {
  /** Wall-clock time in epoch milliseconds: for everything that is stored or shown. */
  now(): number;
  /** Milliseconds that never go backwards: for windows and ages within one process. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
