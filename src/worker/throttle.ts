import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import { pause } from './worker.ts';

export interface ThrottleOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The share of time (`utilization`, 0 to 1) that the event loop was busy since the given measurement. */
  utilization?: (since?: EventLoopUtilization) => EventLoopUtilization;
}

export interface Throttle {
  /** The same store, with the time measured that the worker's transactions hold the event loop (SQLite) or a connection. */
  timed<S extends Pick<Store, 'tx'>>(store: S): S;
  /** Resolves when the worker's next time slice may begin; at once while the current one is not used up. */
  yieldToCallers(signal: AbortSignal): Promise<void>;
}

/** The worker's time slice: after it, the worker checks the load of the event loop. Shorter slices mean more checks. */
const SLICE_MS = 20;

/**
 * Callers get this multiple of the time that the worker's transactions took. The worker's reads, calls and commits take
 * half as much again: under full load a multiple of four left it 29 % of the processor, and the goal is a fifth.
 */
const CALLERS_PARTS = 6;

/** The longest pause, however long the worker took: it must look for due work once a second (contract, section 10). */
const LONGEST_PAUSE_MS = 500;

/** The interval of checks during a pause; timers make it about twice as long. */
const CHECK_MS = 1;

/** Below this utilization the event loop serves its callers without delay, so the pause ends. */
const BUSY_UTILIZATION = 0.5;

/**
 * Limits a worker in the server's process to a fifth of the event loop while callers keep it busy, and lets it use the
 * idle time otherwise. Without this, the worker would claim requests without a pause.
 */
export function createThrottle({
  clock,
  sleep = pause,
  utilization = performance.eventLoopUtilization,
}: ThrottleOptions): Throttle {
  let takenMs = 0;

  return {
    timed: (store) => ({
      ...store,
      tx: (work) =>
        store.tx(async (tx) => {
          // Measured inside the transaction: waiting for its start or for the disk does not delay callers.
          const from = clock.monotonic();
          try {
            return await work(tx);
          } finally {
            takenMs += clock.monotonic() - from;
          }
        }),
    }),
    async yieldToCallers(signal) {
      if (takenMs < SLICE_MS) return;
      const until = clock.monotonic() + Math.min(takenMs * CALLERS_PARTS, LONGEST_PAUSE_MS);
      takenMs = 0;
      // Measured over the whole pause, because a single millisecond is not representative.
      const begun = utilization();
      while (clock.monotonic() < until && !signal.aborted) {
        await sleep(CHECK_MS, signal);
        if (utilization(begun).utilization < BUSY_UTILIZATION) return;
      }
    },
  };
}
