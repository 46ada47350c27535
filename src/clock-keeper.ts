import { isoTimestamp } from './rules/timestamps.ts';
import type { ClockState, ProcessClock } from './runtime/clock.ts';
import type { Report } from './store/drivers/outage.ts';
import type { Store } from './store/store.ts';

const POLL_EVERY_MS = 2_000;
/** A slower answer says too little about when the database read its clock. */
const SLOW_ANSWER_MS = 1_000;

export interface ClockKeeper {
  /** Measures the database's clock and reads its latest live change, once. Rejects where the store fails. */
  poll(): Promise<void>;
  /** Polls every two seconds until `stop`. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * Keeps a process's clock by the database (contract, section 10, "Time").
 * @param report reports one line when the clock's state changes
 */
export function createClockKeeper({ read }: Pick<Store, 'read'>, clock: ProcessClock, report: Report): ClockKeeper {
  let reported = '';
  let isMeasured = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;

  async function poll(): Promise<void> {
    const askedAt = clock.monotonic();
    const { databaseDate, latestChange } = await read.clock.find();
    const answeredAt = clock.monotonic();
    // The first answer counts however slow it is: the machine's clock may be far off.
    if (databaseDate !== null && (!isMeasured || answeredAt - askedAt < SLOW_ANSWER_MS)) {
      isMeasured = true;
      clock.follow(databaseDate, (askedAt + answeredAt) / 2);
    }
    if (latestChange !== null) clock.learn(latestChange);
    const state = clock.state();
    const line = lineOf(state, clock.isFarBehind());
    if (line !== reported && !(reported === '' && state === 'steady')) report(`${line}: it shows ${datesOf(clock)}`);
    reported = line;
  }

  return {
    poll,
    start() {
      timer ??= setInterval(() => {
        // The store reports its own outages.
        polling ??= poll()
          .catch(() => undefined)
          .finally(() => {
            polling = undefined;
          });
      }, POLL_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await polling;
    },
  };
}

function lineOf(state: ClockState, isFarBehind: boolean): string {
  switch (state) {
    case 'steady':
      return 'the clock is steady';
    case 'differs':
      return "this machine's clock is more than five seconds off the database's";
    case 'jumped':
      return 'the clock jumped ahead by more than a minute, so renewals and ends of term wait for ten minutes';
    case 'behind':
      return isFarBehind
        ? 'the clock is more than ten minutes behind a date that was used, so copies kept by updated_since have to be read anew'
        : 'the clock is behind a date that was used, which is used again until it has come';
  }
}

const datesOf = (clock: ProcessClock): string =>
  `${isoTimestamp(clock.shown())}, this machine ${isoTimestamp(clock.machine())}, the latest date used is ` +
  isoTimestamp(Math.max(clock.used(), clock.shown()));
