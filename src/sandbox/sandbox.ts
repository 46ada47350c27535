import type { Caller, Claim, MailingCaller, Operation, Outcome, StoredAnswer } from '../broker/operation.ts';
import { fail } from '../errors.ts';
import type { Context } from '../ports.ts';
import { MINUTE_MS } from '../rules/durations.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { type Store, storeForBroker } from '../store/store.ts';
import { callSandbox, Outdated, type SandboxMode } from './call.ts';
import { busy, createSandboxDatabase, SANDBOX_SLOTS } from './database.ts';
import { createSettler } from './settle.ts';
import { MAX_REQUESTS, MAX_SERVICES } from './simulated-store.ts';

export interface SandboxParts {
  /** Opens the database of the sandboxes: at the first call, so that live keys need none. */
  openStore: () => Promise<Store>;
  /** Of the live records. */
  live: Context;
  /** How long a job waits for its slot before it is refused; by default the bound of its queue. */
  queuePatienceMs?: number | undefined;
}

/** What `GET /v1/sandbox` answers. */
export interface SandboxRecord {
  sandbox_date: string;
  offset_seconds: number;
  created_date: string;
  next_due_date: string | null;
  services: { count: number; limit: number };
  requests: { count: number; limit: number };
}

/** Where a sandbox's clock goes: forward by so many seconds, or to a date in epoch milliseconds. */
export type ClockInput = { advanceSeconds: number } | { date: number };

export interface Sandboxes {
  /** Runs an operation on the records of the caller's broker. */
  perform<Input, Answer extends Outcome<unknown> | StoredAnswer>(
    operation: Operation<Input, Answer>,
    caller: MailingCaller,
    input: Input,
    claim?: Claim,
    mode?: SandboxMode,
  ): Promise<Answer>;
  describe(caller: Caller): Promise<Outcome<SandboxRecord>>;
  /** Throws `invalid_parameter` `clock_out_of_range`. */
  moveClock(caller: Caller, input: ClockInput): Promise<Outcome<SandboxRecord>>;
  /** Makes the sandbox anew. */
  reset(caller: Caller): Promise<Outcome<SandboxRecord>>;
  /** A broker's sandbox, which is not made for it; null where there is none. For the operator. */
  find(
    brokerId: string,
  ): Promise<{ services: number; requests: number; sandbox_date: string; called_date: string } | null>;
  /** Removes a broker's sandbox, if there is one. For the operator. */
  remove(brokerId: string): Promise<void>;
  /** How many there are. For the operator. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** For whom all sandboxes are counted. */
const COUNTER = 'operator';

/** A `date` that lies so far behind the sandbox's own is a repetition. */
const REPEATED_MS = MINUTE_MS;
const YEARS_AHEAD = 10;

/**
 * The brokers' sandboxes (contract, section 8): the live operations on records that lie apart. Each call has a date of
 * its broker's clock, and finds what is due by then done.
 */
export function createSandboxes({
  openStore,
  live,
  queuePatienceMs = SANDBOX_SLOTS.patienceMs,
}: SandboxParts): Sandboxes {
  const { clock } = live;
  const database = createSandboxDatabase(openStore, queuePatienceMs);
  const settler = createSettler(database, live);

  /** Repeats a call that finds the sandbox outdated. */
  async function again<T>(work: () => Promise<T>): Promise<T> {
    const deadline = clock.monotonic() + queuePatienceMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
        if (clock.monotonic() > deadline) throw busy(`the sandbox was outdated for ${queuePatienceMs} ms`);
      }
    }
  }

  async function find(brokerId: string) {
    const { read } = await database.open(brokerId);
    const [state, services, requests] = await Promise.all([
      read.sandboxes.find(brokerId),
      read.counters.total(brokerId, 'services'),
      read.counters.total(brokerId, 'requests'),
    ]);
    return state && { state, services, requests };
  }

  async function describe(caller: Caller): Promise<Outcome<SandboxRecord>> {
    const { now, offsetMs } = await settler.settled(caller);
    const found = await find(caller.brokerId);
    if (!found) throw new Outdated();
    const { state, services, requests } = found;
    return {
      statusCode: 200,
      data: {
        sandbox_date: isoTimestamp(now),
        offset_seconds: Math.floor(offsetMs / 1000),
        created_date: isoTimestamp(state.createdAt),
        next_due_date: state.nextDueAt === null ? null : isoTimestamp(state.nextDueAt),
        services: { count: services, limit: MAX_SERVICES },
        requests: { count: requests, limit: MAX_REQUESTS },
      },
    };
  }

  return {
    perform: (operation, caller, input, claim, mode) =>
      mode === 'real'
        ? operation({ ...live, store: storeForBroker(live.store, caller.brokerId) }, caller, input, claim)
        : again(() => callSandbox(database, settler, { operation, caller, input, claim, mode })),
    describe: (caller) => again(() => describe(caller)),
    async find(brokerId) {
      const found = await find(brokerId);
      if (!found) return null;
      const { state, services, requests } = found;
      const { calledAt, offsetMs } = state;
      const [sandbox_date, called_date] = [isoTimestamp(clock.now() + offsetMs), isoTimestamp(calledAt)];
      return { services, requests, sandbox_date, called_date };
    },
    remove: (brokerId) => database.locked({ brokerId }, (tx) => tx.sandboxes.remove(brokerId)),
    count: async () => (await database.open(COUNTER)).read.sandboxes.count(),
    async moveClock(caller, input) {
      await settler.settled(caller);
      await database.locked(caller, async (tx, state) => {
        const real = clock.now();
        const offsetMs = state?.offsetMs ?? 0;
        const now = real + offsetMs;
        const target = 'date' in input ? input.date : now + input.advanceSeconds * 1000;
        const latest = new Date(real).setUTCFullYear(new Date(real).getUTCFullYear() + YEARS_AHEAD);
        if (target < now - REPEATED_MS || target > latest) {
          throw fail.invalidParameter(
            'clock_out_of_range',
            `The sandbox's clock goes forward only, and ${YEARS_AHEAD} years ahead at most`,
          );
        }
        if (target > now) await tx.sandboxes.update(caller.brokerId, { offsetMs: offsetMs + target - now });
      });
      return again(() => describe(caller));
    },
    async reset(caller) {
      await settler.make(caller, () => true);
      return again(() => describe(caller));
    },
    close: database.close,
  };
}
