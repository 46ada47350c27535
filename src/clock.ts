/** Where the time comes from. Everything that asks for it gets a clock injected; tests move their own. */
export interface Clock {
  /** Wall-clock time in epoch milliseconds: for everything that is stored or shown. */
  now(): number;
  /** Milliseconds that never run backwards: for windows and ages inside one process. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
