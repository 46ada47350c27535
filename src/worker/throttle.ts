import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import { pause } from './worker.ts';

export interface ThrottleOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** Resolves after so many milliseconds, or as soon as the signal says so. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How much of its time the event loop was at work (`utilization`, up to 1), since the moment that is given. */
  utilization?: (since?: EventLoopUtilization) => EventLoopUtilization;
}

export interface Throttle {
  /** The same store, which counts how long the worker's transactions hold the event loop (SQLite) or a connection. */
  timed<S extends Pick<Store, 'tx'>>(store: S): S;
  /** Resolves when it is the worker's turn again, at once where it has not worked for long. */
  yieldToCallers(signal: AbortSignal): Promise<void>;
}

/** What the worker may take before it looks whether callers wait. The shorter, the more of its time goes into looking. */
const TURN_MS = 20;

/**
 * How often the callers get as much time as the worker's transactions took. Beside these it reads, calls and commits, for
 * half as long again: under a full load four times left it 29 % of the processor, and it is to have a fifth.
 */
const CALLERS_PARTS = 6;

/** At most, however long the worker took: it looks for due work once a second (contract, section 10). */
const LONGEST_PAUSE_MS = 500;

/** How long it looks; as a timer goes, rather twice as long. */
const LOOK_MS = 1;

/** An event loop that is at work for less than that serves its callers at once. */
const CONTESTED = 0.5;

/**
 * A worker in the server's process takes a fifth of an event loop that callers keep busy, and all that they leave of
 * one that they do not. Without this, each of its claims would follow at once upon the last.
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
          // From inside: to wait for the turn, or for the disk, takes nothing from anybody.
          const from = clock.monotonic();
          try {
            return await work(tx);
          } finally {
            takenMs += clock.monotonic() - from;
          }
        }),
    }),
    async yieldToCallers(signal) {
      if (takenMs < TURN_MS) return;
      const until = clock.monotonic() + Math.min(takenMs * CALLERS_PARTS, LONGEST_PAUSE_MS);
      takenMs = 0;
      // Over the whole pause: a millisecond by itself says nothing.
      const begun = utilization();
      while (clock.monotonic() < until && !signal.aborted) {
        await sleep(LOOK_MS, signal);
        if (utilization(begun).utilization < CONTESTED) return;
      }
    },
  };
}
