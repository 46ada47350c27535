import { SlotQueue } from '../../limits/slot-queue.ts';
import type { Csv, CsvQuery } from '../session/csv.ts';
import { type Guard, type Reads, type Store, wrapCalls } from '../store.ts';

/** Slow queries at the same time: they take a thread of their own, or a connection, and the processor from the rest. */
const SLOW_AT_ONCE = 2;

/** The operators' slow queries at the same time, beside those of brokers. */
const OPERATORS_AT_ONCE = 1;

/** Reports at the same time, in their whole length: what each of them holds in memory is tens of megabytes. */
const REPORTS_AT_ONCE = 2;

/**
 * What may wait. A broker's share is what the default rate limit lets in within the patience: 120 at the end of one
 * window and 120 at the beginning of the next. Overall it is the share of five brokers; beyond that the longest queue
 * is rejected first. What waits is a request in memory, 55 kB with the largest headers, so 66 MB in all.
 */
const WAITING = { waiting: 1_200, waitingOfOne: 240 };

const SLOW_LIMITS = {
  atOnce: SLOW_AT_ONCE,
  // The second place is there for another broker at any time.
  atOnceOfOne: 1,
  ...WAITING,
  // Callers' own patience ends soon after.
  patienceMs: 10_000,
  retryAfterSeconds: 5,
};

/** Operators have a queue of their own, so that no page of the console delays a broker's query. */
const OPERATOR_LIMITS = { ...SLOW_LIMITS, atOnce: OPERATORS_AT_ONCE };

const REPORT_LIMITS = {
  atOnce: REPORTS_AT_ONCE,
  atOnceOfOne: 1,
  ...WAITING,
  patienceMs: 30_000,
  retryAfterSeconds: 30,
};

/** Threads, or connections, that all of these need. */
export const SLOW_CONNECTIONS = SLOW_AT_ONCE + OPERATORS_AT_ONCE + REPORTS_AT_ONCE;

/** What an engine brings: reads that hold up nothing on the event loop, and files made of a query. */
export interface Engine {
  read: Reads;
  csv(query: CsvQuery, maxBytes: number): Promise<Csv | null>;
}

/**
 * The queues of a process.
 * @param patienceMs how long a job waits before it is refused; by default the bound of its queue
 */
export function createSlowQueues(patienceMs?: number) {
  const patience = patienceMs === undefined ? {} : { patienceMs };
  return {
    slow: new SlotQueue({ ...SLOW_LIMITS, ...patience }),
    ofOperators: new SlotQueue({ ...OPERATOR_LIMITS, ...patience }),
    reports: new SlotQueue({ ...REPORT_LIMITS, ...patience }),
  };
}

/** The two ways to run work that no index bounds; `guard` explains the engine's errors. */
export function slowQueriesOf(
  engine: Engine,
  guard: Guard,
  { slow, ofOperators, reports }: ReturnType<typeof createSlowQueues>,
): Pick<Store, 'slow' | 'report'> & { close(): void } {
  const read = wrapCalls(engine.read, guard);
  const { csv } = wrapCalls({ csv: { csv: engine.csv } }, guard).csv;
  return {
    slow: (owner, work) => (owner.isOperator ? ofOperators : slow).take(owner, () => work(read)),
    report: (owner, work) => reports.take(owner, () => work(csv)),
    close() {
      slow.close();
      ofOperators.close();
      reports.close();
    },
  };
}
