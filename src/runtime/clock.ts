import { MINUTE_MS } from '../rules/durations.ts';

/** The source of time (contract, section 10, "Time"). It is injected everywhere; dates are whole epoch milliseconds. */
export interface Clock {
  /** The present date: of the database on PostgreSQL, of the machine on SQLite. It does not go back by less than ten minutes. */
  now(): number;
  /** The machine's own date, which may go back: for the expiry of keys and sessions. */
  machine(): number;
  /** Milliseconds that never go backwards: for windows and ages within one process. */
  monotonic(): number;
  /** Whether the clock jumped ahead within ten minutes: work that is bound to a date waits. */
  hasJumped(): boolean;
  state(): ClockState;
}

/** `differs`: the machine's clock is more than five seconds off the database's. `behind`: a later date was used already. */
export type ClockState = 'steady' | 'differs' | 'jumped' | 'behind';

/** The machine's readings; `now` in epoch milliseconds, fractions are dropped. */
export type Machine = Pick<Clock, 'now' | 'monotonic'>;

/** A clock that is right by definition: of a test, or of one call. */
export const clockOf = ({ now, monotonic }: Machine): Clock => ({
  now: () => Math.floor(now()),
  machine: () => Math.floor(now()),
  monotonic,
  hasJumped: () => false,
  state: () => 'steady',
});

export const systemClock: Clock = clockOf({ now: () => Date.now(), monotonic: () => performance.now() });

/** The clock of a process (src/clock-keeper.ts). */
export interface ProcessClock extends Clock {
  /** The database's clock showed `date` at `at` (monotonic): from here on it counts, and not the machine's. */
  follow(date: number, at: number): void;
  /** A change has used this date. */
  learn(date: number): void;
  /** What the clock shows, which can be behind the latest date that was used. */
  shown(): number;
  /** The latest date that was used. */
  used(): number;
  /** Whether it is so far behind that it counts, and dates go back. */
  isFarBehind(): boolean;
}

const JUMP_MS = MINUTE_MS;
const WAITS_AFTER_JUMP_MS = 600_000;
/** A clock that is less far behind repeats the last date; further behind, it counts. */
const REPEATS_MS = 600_000;
const DIFFERS_MS = 5_000;
/** Dates of changes of one record are a millisecond apart at least, so they can be ahead by some. */
const BEHIND_MS = 1_000;

export function createProcessClock({ now: machine, monotonic }: Machine = systemClock): ProcessClock {
  let reading = { date: Math.floor(machine()), at: monotonic() };
  let followsDatabase = false;
  let jumpedAt = Number.NEGATIVE_INFINITY;
  /** The last date that was given, and the latest ever: they differ once the clock was set far back. */
  let last = Number.NEGATIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  /** Dates up to this one are not used again, since the clock was too far behind them. */
  let dropped = Number.NEGATIVE_INFINITY;

  function record(date: number, at: number): void {
    if (date - (reading.date + at - reading.at) > JUMP_MS) jumpedAt = at;
    reading = { date, at };
  }

  function read(): number {
    const at = monotonic();
    if (followsDatabase) return Math.floor(reading.date + at - reading.at);
    record(Math.floor(machine()), at);
    return reading.date;
  }

  const clock: ProcessClock = {
    now() {
      const date = read();
      if (last - date >= REPEATS_MS) dropped = Math.max(last, latest);
      if (date > last || last - date >= REPEATS_MS) last = date;
      latest = Math.max(latest, last);
      return last;
    },
    machine: () => Math.floor(machine()),
    monotonic,
    hasJumped() {
      read();
      return monotonic() - jumpedAt < WAITS_AFTER_JUMP_MS;
    },
    follow(date, at) {
      if (followsDatabase) record(date, at);
      else reading = { date, at };
      followsDatabase = true;
    },
    learn(date) {
      if (date > dropped) last = Math.max(last, date);
      latest = Math.max(latest, date);
    },
    state() {
      const date = read();
      if (latest - date > BEHIND_MS) return 'behind';
      if (clock.hasJumped()) return 'jumped';
      return Math.abs(machine() - date) > DIFFERS_MS ? 'differs' : 'steady';
    },
    shown: read,
    used: () => latest,
    isFarBehind: () => latest - read() >= REPEATS_MS,
  };
  return clock;
}
