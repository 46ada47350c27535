import type { Clock } from '../clock.ts';
import type { Store, Tx } from '../store/store.ts';

/** Rows of one sort that wait for their write. */
export interface Buffer<Row> {
  /** By name. The owner adds to them and bounds their number. */
  rows: Map<string, Row>;
  /** Written once in each period of so many seconds, by the monotonic clock. */
  everySeconds: number;
  /** Writes rows; runs again for the same rows when the transaction failed. */
  write(tx: Tx, rows: Row[]): Promise<unknown>;
  /** Whether a row may be written before the process ends; every row may unless given. */
  isDue?(name: string): boolean;
  /** Makes one row of one whose write failed and a newer one of the same name; the newer one counts unless given. */
  merge?(older: Row, newer: Row): Row;
}

/** Writes the rows of several buffers in common transactions, while no request waits for it. */
export interface WriteBehind {
  add<Row>(buffer: Buffer<Row>): void;
  /** Writes what is due; runs once a second by itself. Rows whose write failed stay for the next time. */
  writeDue(): Promise<void>;
  /** Writes everything. */
  flush(): Promise<void>;
  /** Writes everything for the last time. */
  close(): Promise<void>;
}

export interface WriteBehindOptions {
  store: Pick<Store, 'tx'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Called once for each outage. */
  onError: (error: unknown) => void;
}

/** How often it looks for rows that are due. */
const TICK_MS = 1000;

/** Rows of one buffer in one transaction: other transactions wait a few milliseconds for them. */
const ROWS_A_TRANSACTION = 500;

/** Rows that were taken out of a buffer. */
interface Batch {
  full: boolean;
  write(tx: Tx): Promise<unknown>;
  putBack(): void;
}

interface Source {
  everyMs: number;
  /** The number of the period of `everyMs` in which it was last asked. */
  period: number | undefined;
  take(all: boolean): Batch | undefined;
}

export function createWriteBehind({ store, clock, onError }: WriteBehindOptions): WriteBehind {
  const sources: Source[] = [];
  let timer: NodeJS.Timeout;
  let failing = false;
  let writing: Promise<void> | undefined;

  async function write(all: boolean): Promise<void> {
    let asked = sources.filter((source) => {
      const period = Math.floor(clock.monotonic() / source.everyMs);
      const isDue = all || period !== source.period;
      source.period = period;
      return isDue;
    });
    while (asked.length > 0) {
      const taken = asked.map((source) => ({ source, batch: source.take(all) }));
      const batches = taken.flatMap(({ batch }) => batch ?? []);
      if (batches.length === 0) return;
      try {
        await store.tx(async (tx) => {
          for (const batch of batches) await batch.write(tx);
        });
        failing = false;
      } catch (error) {
        for (const batch of batches) batch.putBack();
        if (!failing) onError(error);
        failing = true;
        return;
      }
      asked = taken.flatMap(({ source, batch }) => (batch?.full ? source : []));
    }
  }

  /** One write at a time: no bound counts the rows that were taken out. */
  function begin(all: boolean): Promise<void> {
    writing ??= write(all).finally(() => {
      writing = undefined;
    });
    return writing;
  }
  const writeDue = () => begin(false);
  const flush = async () => {
    await writing;
    await begin(true);
  };

  function schedule(): void {
    const tick = () => {
      schedule();
      void writeDue();
    };
    // It does not keep a process alive that has ended otherwise.
    timer = setTimeout(tick, TICK_MS - (clock.monotonic() % TICK_MS)).unref();
  }
  schedule();

  return {
    add: (buffer) => void sources.push(sourceOf(buffer)),
    writeDue,
    flush,
    close() {
      clearTimeout(timer);
      return flush();
    },
  };
}

function sourceOf<Row>(buffer: Buffer<Row>): Source {
  const { rows, everySeconds, write, isDue = () => true, merge = (_older, newer) => newer } = buffer;
  return {
    everyMs: everySeconds * 1000,
    period: undefined,
    take(all) {
      const batch: Array<[string, Row]> = [];
      for (const entry of rows) {
        if (batch.length === ROWS_A_TRANSACTION) break;
        if (all || isDue(entry[0])) batch.push(entry);
      }
      if (batch.length === 0) return undefined;
      for (const [name] of batch) rows.delete(name);
      return {
        full: batch.length === ROWS_A_TRANSACTION,
        write: (tx) =>
          write(
            tx,
            batch.map(([, row]) => row),
          ),
        putBack() {
          for (const [name, row] of batch) {
            const newer = rows.get(name);
            rows.set(name, newer === undefined ? row : merge(row, newer));
          }
        },
      };
    },
  };
}

/** Counts what is new, of each key and of all keys, within a window of time. */
export function createQuota(clock: Pick<Clock, 'monotonic'>, windowMs: number, limits: { key: number; all: number }) {
  let window: number | undefined;
  let all = 0;
  const byKey = new Map<string, number>();
  /** Counts one more of this key, or returns the bound that it would pass. */
  return (keyId: string): 'key' | 'all' | undefined => {
    const now = Math.floor(clock.monotonic() / windowMs);
    if (now !== window) {
      window = now;
      all = 0;
      byKey.clear();
    }
    const ofKey = byKey.get(keyId) ?? 0;
    if (ofKey >= limits.key) return 'key';
    if (all >= limits.all) return 'all';
    all += 1;
    byKey.set(keyId, ofKey + 1);
    return undefined;
  };
}
