import { randomUUID } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Context } from '../ports.ts';
import { NONE_MOVED } from '../store/queries/moved-dates.ts';
import type { Tx } from '../store/store.ts';

/** How far one loss has got, as it is stored. */
interface Place {
  /** Living services with their open requests, then ended services, then final requests. */
  part: 'living' | 'ended' | 'final';
  /** The last key that was done: a service's number, or the id of a request. */
  after: number | string;
  /** The process that does it, until another one may (epoch milliseconds). */
  by: string;
  until: number;
}

export interface DateMover {
  /** Begins where dates are to be moved and none are being moved; looks at most once a second. */
  begin(): void;
  /** Moves one step's dates. Resolves with whether there may be more for this process. */
  step(): Promise<boolean>;
  /** Resolves once the step in progress has ended, after the signal has aborted. */
  settled(): Promise<void>;
}

type Parts = Pick<Context, 'store' | 'clock' | 'log'> & {
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
};

/** Rows of a step: a few milliseconds of the one writer of SQLite, and far fewer than a page has of one date. */
const STEP = 50;
const LOOK_EVERY_MS = 1_000;
/** Each step is followed by a pause of so many times its length, so that callers do not wait longer. */
const PAUSES = 4;
const MIN_PAUSE_MS = 20;
/** One process moves dates at a time; a step takes far less. */
const LEASE_MS = 10_000;

/**
 * Moves the `updated_date` of all records after a loss, so that copies read them anew (contract, section 15.4). Any number
 * of processes may: one does it at a time, and another goes on where it ends. A step and its place are one transaction.
 */
export function createDateMover({ store, clock, log, sleep, signal }: Parts): DateMover {
  const id = randomUUID();
  let lookAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  /** The place that this process may go on from; null where another one has it. */
  function placeOf(moving: string | null): Place | null {
    const now = clock.now();
    const mine = { by: id, until: now + LEASE_MS };
    if (moving === null || moving === NONE_MOVED) return moving && { part: 'living', after: 0, ...mine };
    const place = JSON.parse(moving) as Place;
    // A clock that went back does not prolong it.
    const isTaken = place.by !== id && place.until > now && place.until <= now + LEASE_MS;
    return isTaken ? null : { ...place, ...mine };
  }

  async function step(): Promise<boolean> {
    // After a jump of the clock the new date could make work look as if it were due at once.
    if (clock.hasJumped()) return false;
    const found = await store.read.movedDates.findMoving();
    if (!found || !placeOf(found.moving)) return false;
    return store.tx(async (tx) => {
      const loss = await tx.movedDates.hold(found.history);
      const place = loss && placeOf(loss.moving);
      if (!place) return false;
      const next = await advance(tx, place, () => clock.now());
      if (next) await tx.movedDates.keep(found.history, JSON.stringify(next));
      else await tx.movedDates.finish(found.history);
      return true;
    });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const begunAt = clock.monotonic();
      if (!(await step())) return;
      await sleep(Math.max(PAUSES * (clock.monotonic() - begunAt), MIN_PAUSE_MS), signal);
    }
  }

  return {
    begin() {
      if (running || clock.monotonic() < lookAt) return;
      lookAt = clock.monotonic() + LOOK_EVERY_MS;
      running = run()
        .catch((error: unknown) => {
          // An `ApiError` was logged by the store.
          if (!(error instanceof ApiError))
            log.error({ err: error }, 'the dates of records could not be moved for copies');
        })
        .finally(() => {
          running = undefined;
        });
    },
    step,
    async settled() {
      await running;
    },
  };
}

/** Moves the next dates; resolves with the place behind them, null behind the last. */
async function advance({ movedDates }: Tx, place: Place, now: () => number): Promise<Place | null> {
  const { part, after } = place;
  if (part === 'final') {
    const ids = await movedDates.listRequests(String(after), STEP);
    const last = ids.at(-1);
    if (last === undefined) return null;
    await movedDates.moveFinal({ after: String(after), last }, now);
    return { ...place, after: last };
  }
  const numbers = await movedDates.listServices(Number(after), STEP);
  const last = numbers.at(-1);
  if (last === undefined)
    return part === 'living' ? { ...place, part: 'ended', after: 0 } : { ...place, part: 'final', after: '' };
  const stretch = { after: Number(after), last };
  await (part === 'living' ? movedDates.moveLiving(stretch, now) : movedDates.moveEnded(stretch, now));
  return { ...place, after: last };
}
