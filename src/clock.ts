import { fail } from './errors.ts';

/**
 * `steady`: the machine's clock goes on as it should. `differs`: it is more than five seconds off the database's.
 * `jumped`: it was set by more than a minute, and work that is bound to a date waits. `behind`: it is behind a date that
 * was used already, and time stands still. `stopped`: it is behind by more than ten minutes, and changes are refused.
 */
export type ClockState = 'steady' | 'differs' | 'jumped' | 'behind' | 'stopped';

/** The source of time (contract, section 10, "Time"). It is injected everywhere; all dates are epoch milliseconds. */
export interface Clock {
  /** The date for what is shown and for the operator's records: never before one that a change has used. */
  now(): number;
  /** The date of a change: as `now`, and no later change gets an earlier one. Throws `server_error` while stopped. */
  stamp(): number;
  /**
   * The date that decides what is due by a date, and which renewal is shown: a jump ahead counts once the clock has been
   * steady for ten minutes. Never goes back, and no later change gets an earlier date.
   */
  trusted(): number;
  /** The machine's own clock, which may go back: for the expiry of keys and sessions. */
  machine(): number;
  /** Milliseconds that never go backwards: for windows and ages within one process. */
  monotonic(): number;
  state(): ClockState;
}

/** A clock that is right by definition: of a test, or of one call. */
export const clockOf = ({ now, monotonic }: Pick<Clock, 'now' | 'monotonic'>): Clock => ({
  now,
  stamp: now,
  trusted: now,
  machine: now,
  monotonic,
  state: () => 'steady',
});

export const systemClock: Clock = clockOf({ now: () => Date.now(), monotonic: () => performance.now() });

/** A clock that is watched (src/context/clock-keeper.ts). */
export interface GuardedClock extends Clock {
  /** The latest date that was used; undefined before the first. */
  used(): number | undefined;
  /** Whether a change of this process has used a date. */
  hasStamped(): boolean;
  /** Another process has used this date. */
  learn(usedAt: number): void;
  /** How far the machine's clock is ahead of the database's, in milliseconds. */
  compare(aheadMs: number): void;
  /** The operator says that the machine's clock is right. */
  accept(): void;
}

/** A step of more than this against the monotonic clock is a jump. */
const JUMP_MS = 60_000;
/** For so long a clock has to go on steadily after a jump. */
const STEADY_AFTER_MS = 600_000;
/** Further behind, changes are refused. */
const STANDS_STILL_MS = 600_000;
/** A larger difference from the database's clock is shown. */
const DIFFERS_MS = 5_000;

/** How soon callers of a stopped clock are asked to come back. */
const RETRY_AFTER_SECONDS = 30;

interface Reading {
  date: number;
  at: number;
}

/**
 * Guards the machine's clock: dates that are written never go back, and a jump does not trigger work that is bound to a
 * date.
 * @param tell told one line when the state changes
 */
export function createGuardedClock(
  { now: machine, monotonic }: Pick<Clock, 'now' | 'monotonic'> = systemClock,
  tell: (message: string) => void = () => undefined,
): GuardedClock {
  let used = Number.NEGATIVE_INFINITY;
  let stamped = false;
  let lastTrusted = Number.NEGATIVE_INFINITY;
  /** The database's clock when it was last asked. */
  let database: Reading | undefined;
  let told: ClockState = 'steady';
  /** The last reading without a jump, and the clock since one. */
  let base: Reading = { date: machine(), at: monotonic() };
  let jumped: Reading | undefined;

  /** Where the clock should be now, judging by an earlier reading. */
  const expected = (from: Reading, at: number) => from.date + at - from.at;

  function look(): Reading {
    const reading = { date: machine(), at: monotonic() };
    const { date, at } = reading;
    const stepMs = date - expected(base, at);
    const goesOn = (from: Reading) => Math.abs(date - expected(from, at)) <= JUMP_MS;
    if (goesOn(base) || (jumped && goesOn(jumped) && at - jumped.at >= STEADY_AFTER_MS)) {
      base = reading;
      jumped = undefined;
    } else if (!jumped || !goesOn(jumped)) jumped = reading;
    const aheadMs = database ? date - expected(database, at) : 0;
    const state = stateAt(date, aheadMs);
    if (state !== told) {
      told = state;
      tell(lineOf(state, { stepMs, behindMs: used - date, aheadMs }));
    }
    return reading;
  }

  function stateAt(date: number, aheadMs: number): ClockState {
    if (used - date > STANDS_STILL_MS) return 'stopped';
    if (date < used) return 'behind';
    if (jumped) return 'jumped';
    return Math.abs(aheadMs) > DIFFERS_MS ? 'differs' : 'steady';
  }

  const clock: GuardedClock = {
    now: () => Math.max(look().date, used),
    stamp() {
      const now = clock.now();
      if (told === 'stopped') throw fail.unavailable(RETRY_AFTER_SECONDS, new Error(STOPPED));
      used = now;
      stamped = true;
      return now;
    },
    trusted() {
      const { date, at } = look();
      const now = Math.max(date, used);
      const isOpen = jumped !== undefined || told === 'stopped';
      lastTrusted = Math.max(lastTrusted, isOpen ? Math.min(now, expected(base, at)) : now);
      used = Math.max(used, lastTrusted);
      return lastTrusted;
    },
    machine,
    monotonic,
    state() {
      look();
      return told;
    },
    used: () => (used === Number.NEGATIVE_INFINITY ? undefined : used),
    hasStamped: () => stamped,
    learn(usedAt) {
      used = Math.max(used, usedAt);
      look();
    },
    compare(aheadMs) {
      database = { date: machine() - aheadMs, at: monotonic() };
      look();
    },
    accept() {
      base = { date: machine(), at: monotonic() };
      jumped = undefined;
      used = base.date;
      lastTrusted = base.date;
      look();
    },
  };
  return clock;
}

const STOPPED =
  'the clock is too far behind dates that were used already: correct it, or run "broker clock accept" if it is right';

const secondsOf = (ms: number) => `${Math.round(Math.abs(ms) / 1000)} s`;

function lineOf(state: ClockState, by: { stepMs: number; behindMs: number; aheadMs: number }): string {
  switch (state) {
    case 'steady':
      return 'the clock is steady';
    case 'differs':
      return `the clock is ${secondsOf(by.aheadMs)} ${by.aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
    case 'jumped':
      return (
        `the clock jumped ${by.stepMs > 0 ? 'ahead' : 'back'} by ${secondsOf(by.stepMs)}: renewals and ends of term ` +
        'wait until it has been steady for ten minutes, or for "broker clock accept"'
      );
    case 'behind':
      return `the clock is ${secondsOf(by.behindMs)} behind dates that were used already: time stands still until it has caught up`;
    case 'stopped':
      return `changes are refused: by ${secondsOf(by.behindMs)} ${STOPPED}`;
  }
}
