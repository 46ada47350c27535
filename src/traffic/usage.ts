import type { Clock } from '../clock.ts';
import { type ApiError, ERROR_CODES } from '../errors.ts';
import { BUCKETS, bucketOf } from '../rules/durations.ts';
import { gateOf, WORK_GATE } from '../rules/gates.ts';
import type { Store } from '../store/store.ts';
import { GRAIN_MS, type UsageRow } from '../store/usage.ts';

/** Whose key it is that a call came with. */
export interface Owner {
  broker: { id: string };
  key: { id: string };
}

/** Adds up the calls of one process and writes the sums down, never in a call's way (contract, section 11). */
export interface Usage {
  /** The number under which calls of an operation are counted. */
  register(operation: string): number;
  /** Counts a call. `owner`: none where the key was refused; `failure`: none where the call succeeded. */
  count(owner: Owner | undefined, operation: number, failure: ApiError | undefined, ms: number): void;
  /** Begins to write every ten seconds, until `close`. */
  start(): void;
  /** Writes what is not written yet. Where that fails it is kept for the next time, and `onError` hears of it once. */
  flush(): Promise<void>;
  /** Writes for the last time. */
  close(): Promise<void>;
  /** Calls that no row tells of, because the database was away for too long. */
  readonly dropped: number;
}

export interface UsageOptions {
  store: Pick<Store, 'tx'>;
  clock: Clock;
  onError: (error: unknown) => void;
  limits?: Partial<typeof LIMITS>;
}

const LIMITS = {
  /** Kinds of calls of one key in an interval. Integrations make a dozen; nobody fills memory and table by failing in every way there is. */
  kindsOfAKey: 64,
  /** Kinds of calls of all keys in an interval: below 2 MB of memory. */
  kinds: 5_000,
  /** Rows that wait for a database that is away: below 8 MB of memory, and minutes of a busy server. */
  waiting: 20_000,
};

/** Lost at a crash: as much. A minute is a multiple of it, so that no interval lies in two minutes. */
const WRITE_EVERY_MS = 10_000;

/** Rows of one transaction: all there are, but on a server with hundreds of busy keys; they hold up others for a few ms. */
const ROWS_A_TRANSACTION = 500;

/** Calls that are told apart no further, because their key or their process had too many kinds of them. */
export const OTHER = 'other';

interface Cell {
  calls: number;
  durations: number[];
}

/** What one key did in the present interval, by `operation * KINDS_OF_OPERATION + outcome * 16 + gate`. */
interface Tally {
  brokerId: string;
  keyId: string;
  cells: Map<number, Cell>;
}

const OUTCOMES: readonly string[] = ['ok', ...ERROR_CODES, OTHER];
const OUTCOME_NUMBERS = new Map(ERROR_CODES.map((code, index) => [code, index + 1]));
const KINDS_OF_OPERATION = 1024;
/** Of operation 0, which is no operation. */
const OTHER_KIND = OUTCOMES.indexOf(OTHER) * 16 + WORK_GATE;

const NOBODY = '';

export function createUsage({ store, clock, onError, limits }: UsageOptions): Usage {
  const { kindsOfAKey, kinds, waiting } = { ...LIMITS, ...limits };
  const operations = [OTHER];
  let startedAt: number | undefined;
  let tallies = new Map<string, Tally>();
  let cells = 0;
  const rows = new Map<string, UsageRow & { durations: number[] }>();
  let dropped = 0;
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let failing = false;

  function tallyOf(brokerId: string, keyId: string): Tally {
    let tally = tallies.get(keyId);
    if (!tally) {
      tally = { brokerId, keyId, cells: new Map() };
      tallies.set(keyId, tally);
    }
    return tally;
  }

  /** A cell for one more kind of calls, or that of all others where there is no room for it. */
  function newCell(tally: Tally, kind: number): Cell {
    startedAt ??= clock.now();
    if (kind !== OTHER_KIND) {
      if (cells >= kinds) {
        // Keys that nothing is kept of take no room either.
        if (tally.cells.size === 0) tallies.delete(tally.keyId);
        return cellOf(tallyOf(NOBODY, NOBODY), OTHER_KIND);
      }
      if (tally.cells.size >= kindsOfAKey) return cellOf(tally, OTHER_KIND);
    }
    const cell = { calls: 0, durations: new Array<number>(BUCKETS).fill(0) };
    tally.cells.set(kind, cell);
    cells += 1;
    return cell;
  }

  const cellOf = (tally: Tally, kind: number): Cell => tally.cells.get(kind) ?? newCell(tally, kind);

  /** Turns what was counted since the last time into rows of the minute in which that began. */
  function take(): void {
    if (startedAt === undefined) return;
    const fromAt = startedAt - (startedAt % GRAIN_MS.minute);
    for (const { brokerId, keyId, cells } of tallies.values()) {
      for (const [kind, { calls, durations }] of cells) {
        const operation = operations[Math.floor(kind / KINDS_OF_OPERATION)] as string;
        const outcome = OUTCOMES[(kind % KINDS_OF_OPERATION) >> 4] as string;
        const gate = kind & 15;
        keep({ fromAt, brokerId, keyId, operation, outcome, gate, calls, durations });
      }
    }
    startedAt = undefined;
    tallies = new Map();
    cells = 0;
  }

  function keep(row: UsageRow & { durations: number[] }): void {
    const name = `${row.fromAt} ${row.keyId} ${row.operation} ${row.outcome} ${row.gate}`;
    const standing = rows.get(name);
    if (standing) {
      standing.calls += row.calls;
      row.durations.forEach((count, bucket) => {
        (standing.durations[bucket] as number) += count;
      });
    } else if (rows.size < waiting) rows.set(name, row);
    else dropped += row.calls;
  }

  async function write(): Promise<void> {
    take();
    while (rows.size > 0) {
      const batch = [...rows].slice(0, ROWS_A_TRANSACTION);
      try {
        await store.tx((tx) => tx.usage.count(batch.map(([, row]) => row)));
        failing = false;
      } catch (error) {
        // Once an outage.
        if (!failing) onError(error);
        failing = true;
        return;
      }
      for (const [name] of batch) rows.delete(name);
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  function schedule(): void {
    timer = setTimeout(
      () => {
        schedule();
        void flush();
      },
      WRITE_EVERY_MS - (clock.now() % WRITE_EVERY_MS),
    );
    // It does not keep a process alive that has ended otherwise.
    timer.unref();
  }

  return {
    register(operation) {
      return operations.push(operation) - 1;
    },
    count(owner, operation, failure, ms) {
      const tally = owner ? tallyOf(owner.broker.id, owner.key.id) : tallyOf(NOBODY, NOBODY);
      const kind =
        operation * KINDS_OF_OPERATION +
        (failure
          ? (OUTCOME_NUMBERS.get(failure.code) as number) * 16 + gateOf(failure, owner !== undefined)
          : WORK_GATE);
      const cell = cellOf(tally, kind);
      cell.calls += 1;
      (cell.durations[bucketOf(ms)] as number) += 1;
    },
    start: schedule,
    flush,
    close() {
      clearTimeout(timer);
      return flush();
    },
    get dropped() {
      return dropped;
    },
  };
}
