import type { Caller, Claim, MailingCaller, Outcome, StoredAnswer, UseCase } from '../broker/operation.ts';
import { fail } from '../errors.ts';
import { SlotQueue } from '../limits/slot-queue.ts';
import type { Context } from '../ports.ts';
import { type Mailer, MailFailure } from '../ports.ts';
import { DAY_MS } from '../rules/renewals.ts';
import { isoTimestamp, secondsUntil } from '../rules/timestamps.ts';
import { clockOf } from '../runtime/clock.ts';
import { createIds } from '../runtime/ids.ts';
import type { SandboxState } from '../store/queries/sandboxes.ts';
import { FINISHED_RELEASE, OLDEST_RELEASE_SETTING } from '../store/queries/update-state.ts';
import { type Reads, type Store, storeForBroker, type Tx } from '../store/store.ts';
import { simulatedCredentials } from './credentials.ts';
import { seed } from './seed.ts';
import { type Behaviour, behaviourOf, FIRST_CREATED } from './services.ts';
import {
  MAX_REQUESTS,
  MAX_SERVICES,
  noopTransaction,
  refuse,
  type SimulatedCall,
  simulatedReads,
  simulatedTx,
} from './simulated-store.ts';
import { OPERATOR, takeStep } from './steps.ts';

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

/**
 * What a route does for a sandbox key in place of working on the sandbox's records alone:
 * - `real`: the same as for a live key, since it describes the key and the network, not records
 * - `unrecorded`: it sends mail, of which nothing is recorded
 * - `unrefused`: the scenario of a service that was created in the sandbox does not refuse it, so that a reference which
 *   chose the scenario can be taken back
 */
export type SandboxMode = 'real' | 'unrecorded' | 'unrefused';

export interface Sandboxes {
  /** Runs a use case on the records of the caller's broker. */
  perform<Input, Answer extends Outcome<unknown> | StoredAnswer>(
    useCase: UseCase<Input, Answer>,
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

const MARKS = { mode: 'test', simulated: true };

/** One that has not been called for so long is removed; when it was called is written once a day. */
const FORGOTTEN_MS = 90 * DAY_MS;

/**
 * Steps of a transaction: on SQLite each holds the event loop for half a millisecond; on PostgreSQL each is a dozen round
 * trips, for which other servers wait at the sandbox's lock.
 */
const STEPS_AT_ONCE = 10;

/** Far more than a full sandbox has steps that can be due at once. */
const MAX_ROUNDS = 4 * (MAX_REQUESTS / STEPS_AT_ONCE);

/** A `date` that lies so far behind the sandbox's own is a repetition. */
const REPEATED_MS = 60_000;
const YEARS_AHEAD = 10;

/** Answered when no step is planned: the request waits for a decision. */
const UNPLANNED_SECONDS = 60;

/**
 * One transaction of a broker at a time waits for the lock, so that no broker's calls take the connections of others. The
 * patience is enough for a whole window of calls at once, each of which finds its sandbox not made yet.
 */
const SLOTS = {
  atOnce: 3,
  atOnceOfBroker: 1,
  waiting: 1_200,
  waitingOfBroker: 240,
  patienceMs: 5_000,
  retryAfterSeconds: 1,
};

/** The sandbox was removed since the call began, or more is due than one transaction does. The call begins again. */
class Outdated extends Error {}

/**
 * The brokers' sandboxes (contract, section 8): the live operations on records that lie apart. Each call has a date of
 * its broker's clock, and finds what is due by then done.
 */
export function createSandboxes({ openStore, live, queuePatienceMs = SLOTS.patienceMs }: SandboxParts): Sandboxes {
  const { clock, log } = live;
  /** Reports accept the real contact and verified list. */
  const brokersFor = ({ brokerId }: Pick<Caller, 'brokerId'>) => storeForBroker(live.store, brokerId).read.brokers;
  /** Whether 1.0 can read the database no more: of the live one, which the sandboxes follow. */
  let oldestRelease: string | null = null;
  const slots = new SlotQueue({ ...SLOTS, patienceMs: queuePatienceMs });
  // By the real clock: ids are made in the order of time, and no sandbox's clock may move another one's.
  const ids = createIds();
  const newId: Context['newId'] = (prefix) => ids(prefix, clock.now());

  let opened: Promise<Store> | undefined;
  const open = async (brokerId: string): Promise<Store> => {
    opened ??= openStore().catch((error: unknown) => {
      opened = undefined;
      throw fail.unavailable(SLOTS.retryAfterSeconds, error);
    });
    // Without `for`: what is made of it for a call is for its broker already.
    const { read, slow, report, tx, ping, close } = storeForBroker(await opened, brokerId);
    return { read, slow, report, tx, ping, close };
  };

  /** A transaction that holds the sandbox's lock. */
  const locked = async <T>(
    { brokerId, isDisconnected }: Caller,
    work: (tx: Tx, state: SandboxState | null) => Promise<T>,
  ) => {
    const store = await open(brokerId);
    return slots.take({ brokerId, isDisconnected }, () =>
      store.tx(async (tx) => work(tx, await tx.sandboxes.lock(brokerId))),
    );
  };

  const isForgotten = ({ calledAt }: SandboxState): boolean => clock.now() - calledAt > FORGOTTEN_MS;

  const make = (caller: Caller, isOld: (state: SandboxState) => boolean): Promise<void> =>
    locked(caller, async (tx, state) => {
      if (state && !isOld(state)) return;
      if (state) await tx.sandboxes.remove(caller.brokerId);
      await seed(tx, caller.brokerId, clock.now());
    });

  /** Notes that the sandbox is in use, and removes one that is not. */
  async function recordCall(caller: Caller): Promise<void> {
    await locked(caller, (tx) => tx.sandboxes.update(caller.brokerId, { calledAt: clock.now() }));
    const brokerId = await (await open(caller.brokerId)).read.sandboxes.findForgotten(clock.now() - FORGOTTEN_MS);
    if (brokerId === null) return;
    await locked({ brokerId }, async (tx, state) => {
      if (state && isForgotten(state)) await tx.sandboxes.remove(brokerId);
    });
  }

  /**
   * Does what is due by the sandbox's date, at most `STEPS_AT_ONCE` steps of it.
   * @param tx holds the sandbox's lock
   * @returns that date; null where more is due
   */
  async function settle(tx: Tx, caller: Caller, state: SandboxState | null): Promise<SimulatedCall | null> {
    if (!state) return null;
    const { brokerId } = caller;
    const { offsetMs } = state;
    const now = clock.now() + offsetMs;
    const settled = { brokerId, offsetMs, now, steps: new Map(), oldestRelease };
    if (!isAnyDue(state, now)) return settled;
    for (let steps = 0; ; steps += 1) {
      const request = await tx.sandboxes.findDue(brokerId, now);
      if (!request) {
        // Last, because ends of term come first.
        const renewed = await tx.services.renew({ of: brokerId, now, limit: STEPS_AT_ONCE });
        return renewed < STEPS_AT_ONCE ? settled : null;
      }
      if (steps === STEPS_AT_ONCE) return null;
      const current: SimulatedCall = {
        brokerId,
        offsetMs,
        now: Number(request.dueAt),
        steps: new Map(),
        oldestRelease,
      };
      const within = simulatedTx(tx, { ...tx.brokers, ...brokersFor(caller) }, current);
      const store = {
        ...(await open(brokerId)),
        read: within,
        tx: <T>(work: (tx: Tx) => Promise<T>) => work(within),
      };
      await takeStep(tx, { ...contextOf(store, current), actor: OPERATOR }, request);
    }
  }

  /** The sandbox as it is now: made where it was not, and with what is due done. */
  async function settledSandbox(caller: Caller): Promise<SimulatedCall> {
    const { brokerId } = caller;
    const { read } = await open(brokerId);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const state = await read.sandboxes.find(brokerId);
      const real = clock.now();
      const now = real + (state?.offsetMs ?? 0);
      if (!state || isForgotten(state)) await make(caller, isForgotten);
      else if (real - state.calledAt > DAY_MS) await recordCall(caller);
      else if (!isAnyDue(state, now))
        return { brokerId, offsetMs: state.offsetMs, now, steps: new Map(), oldestRelease };
      else {
        // What comes due after that date is left to later calls: in a busy sandbox something always does.
        const settled = await locked(caller, (tx, state) => settle(tx, caller, state));
        if (settled) return settled;
      }
    }
    throw busy(`the sandbox is not settled after ${MAX_ROUNDS} rounds`);
  }

  const contextOf = (store: Store, current: SimulatedCall, { warning }: Behaviour = {}): Context => ({
    store,
    mailer: mailerOf(warning),
    clock: clockOf({ now: () => current.now, monotonic: clock.monotonic }),
    newId,
    hasProvisioner: true,
    credentials: simulatedCredentials,
    log,
  });

  /**
   * The store of one call. A change holds the sandbox's lock: it reads its date and does what is due behind it, in the same
   * transaction, since a call that waited for the lock again could find more due each time.
   */
  function storeOf(store: Store, caller: Caller, current: SimulatedCall, admit: (read: Reads) => Promise<void>): Store {
    const simulated = (read: Reads) => simulatedReads(read, brokersFor(caller), current);
    return {
      ...store,
      read: simulated(store.read),
      slow: (owner, work) => store.slow(owner, (read) => work(simulated(read))),
      async tx(work) {
        const done = await locked(caller, async (tx, state) => {
          const settled = await settle(tx, caller, state);
          if (!settled) return null;
          Object.assign(current, { now: settled.now, offsetMs: settled.offsetMs });
          return {
            result: await work(simulatedTx(tx, { ...tx.brokers, ...brokersFor(caller) }, current, () => admit(tx))),
          };
        });
        // Thrown behind the transaction, which keeps the steps that it took.
        if (!done) throw new Outdated();
        return done.result;
      },
    };
  }

  async function attempt<Input, Answer extends Outcome<unknown> | StoredAnswer>(
    useCase: UseCase<Input, Answer>,
    caller: MailingCaller,
    input: Input,
    claim: Claim | undefined,
    mode: SandboxMode | undefined,
  ): Promise<Answer> {
    const number = serviceNumberIn(input);
    const store = await open(caller.brokerId);
    if (oldestRelease !== FINISHED_RELEASE) oldestRelease = await live.store.read.settings.find(OLDEST_RELEASE_SETTING);
    const current = await settledSandbox(caller);
    /** The behaviour of the service that the call names. */
    async function behaviour(read: Reads): Promise<Behaviour> {
      if (number === undefined) return {};
      if (number < FIRST_CREATED) return behaviourOf({ number, externalReference: null });
      const service = await read.services.find(caller.brokerId, number);
      return service ? behaviourOf(service) : {};
    }
    async function admit(read: Reads): Promise<void> {
      if (mode !== 'unrefused' || Number(number) < FIRST_CREATED) refuse(await behaviour(read));
    }
    if (!claim) await admit(store.read);
    const simulated = storeOf(store, caller, current, admit);
    const context =
      mode === 'unrecorded'
        ? unrecorded(simulated, current, await behaviour(store.read), claim)
        : contextOf(simulated, current);
    const marking = claim && {
      ...claim,
      encode: (outcome: Outcome<unknown>) => claim.encode(marked(outcome, current)),
    };
    const result = await useCase(context, caller, input, marking);
    return 'body' in result ? result : (marked(result, current) as Answer);
  }

  function unrecorded(store: Store, current: SimulatedCall, behaviour: Behaviour, claim: Claim | undefined): Context {
    const { templates: kept, services } = store.read;
    const read: Reads = {
      ...store.read,
      templates: behaviour.warning === 'no_template' ? { ...kept, findActive: async () => null } : kept,
      services:
        behaviour.warning === 'no_address' ? { ...services, findView: withoutAddress(services.findView) } : services,
    };
    const tx = noopTransaction(read, behaviour);
    /** Of what such a call writes the idempotency key alone is kept. */
    const keyed: Store['tx'] = (work) => store.tx(({ idempotency }) => tx((noop) => work({ ...noop, idempotency })));
    return contextOf({ ...store, read, tx: claim ? keyed : tx }, current, behaviour);
  }

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
    const { read } = await open(brokerId);
    const [state, services, requests] = await Promise.all([
      read.sandboxes.find(brokerId),
      read.counters.total(brokerId, 'services'),
      read.counters.total(brokerId, 'requests'),
    ]);
    return state && { state, services, requests };
  }

  async function describe(caller: Caller): Promise<Outcome<SandboxRecord>> {
    const { now, offsetMs } = await settledSandbox(caller);
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
    perform: (useCase, caller, input, claim, mode) =>
      mode === 'real'
        ? useCase({ ...live, store: storeForBroker(live.store, caller.brokerId) }, caller, input, claim)
        : again(() => attempt(useCase, caller, input, claim, mode)),
    describe: (caller) => again(() => describe(caller)),
    async find(brokerId) {
      const found = await find(brokerId);
      if (!found) return null;
      const { state, services, requests } = found;
      const { calledAt, offsetMs } = state;
      const [sandbox_date, called_date] = [isoTimestamp(clock.now() + offsetMs), isoTimestamp(calledAt)];
      return { services, requests, sandbox_date, called_date };
    },
    remove: (brokerId) => locked({ brokerId }, (tx) => tx.sandboxes.remove(brokerId)),
    count: async () => (await open(COUNTER)).read.sandboxes.count(),
    async moveClock(caller, input) {
      await settledSandbox(caller);
      await locked(caller, async (tx, state) => {
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
      await make(caller, () => true);
      return again(() => describe(caller));
    },
    async close() {
      slots.close();
      await (await opened)?.close();
    },
  };
}

/** The refusal of a call that its sandbox kept waiting; the cause is logged. */
const busy = (cause: string) => fail.overloaded(SLOTS.retryAfterSeconds, new Error(cause));

/** Whether a step or a renewal is due at `now` (the sandbox's date). */
const isAnyDue = ({ nextDueAt, nextRenewalAt }: SandboxState, now: number): boolean =>
  [nextDueAt, nextRenewalAt].some((at) => at !== null && at <= now);

/** Sends nothing. */
const mailerOf = (warning: Behaviour['warning']): Mailer => ({
  maxMessageBytes: 10_000_000,
  async send() {
    if (warning === 'rejected')
      throw new MailFailure(warning, 'the simulated provider refuses', { providerCode: '406' });
    if (warning === 'outcome_unknown') throw new MailFailure(warning, 'the simulated provider does not answer');
    if (warning === 'unreachable') {
      throw new MailFailure(warning, 'the simulated provider is away', { retryable: true });
    }
    return { messageId: 'simulated' };
  },
});

const withoutAddress =
  (findView: Reads['services']['findView']): Reads['services']['findView'] =>
  async (...of) => {
    const view = await findView(...of);
    return view && { ...view, service: { ...view.service, clientEmail: null } };
  };

/** The service that a call names; undefined where it names none. */
const serviceNumberIn = (input: unknown): number | undefined =>
  typeof input === 'object' && input !== null && 'serviceNumber' in input && typeof input.serviceNumber === 'number'
    ? input.serviceNumber
    : undefined;

/** Marks the data itself, or each item of a list, and adds when the next step of a request is due. */
function marked<T>(outcome: Outcome<T>, { now, steps }: SimulatedCall): Outcome<T> {
  const mark = (item: {
    request_id?: string;
    next_check_seconds?: number | null;
    request_status?: string;
    effective_date?: string | null;
  }) => {
    const waits = typeof item.next_check_seconds === 'number';
    const date = item.request_status === 'accepted' && item.effective_date ? Date.parse(item.effective_date) : null;
    const step = steps.get(String(item.request_id)) ?? date;
    return {
      ...item,
      ...(waits && { next_check_seconds: step === null ? UNPLANNED_SECONDS : secondsUntil(step, now) }),
      ...MARKS,
    };
  };
  const data = Array.isArray(outcome.data) ? outcome.data.map(mark) : mark(outcome.data as object);
  return { ...outcome, data: data as T };
}
