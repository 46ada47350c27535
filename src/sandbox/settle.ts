import type { Caller } from '../broker/operation.ts';
import type { Context } from '../ports.ts';
import { DAY_MS } from '../rules/durations.ts';
import { clockOf } from '../runtime/clock.ts';
import { createIds } from '../runtime/ids.ts';
import type { SandboxState } from '../store/queries/sandboxes.ts';
import { FINISHED_RELEASE, OLDEST_RELEASE_SETTING } from '../store/queries/update-state.ts';
import { type Store, storeForBroker, type Tx } from '../store/store.ts';
import { simulatedCredentials } from './credentials.ts';
import { busy, type SandboxDatabase } from './database.ts';
import { simulatedMailer } from './mailer.ts';
import { seed } from './seed.ts';
import type { Behaviour } from './services.ts';
import { MAX_REQUESTS, type SimulatedCall, simulatedTx } from './simulated-store.ts';
import { REVIEWER, takeStep } from './steps.ts';

/** One that has not been called for so long is removed; when it was called is written once a day. */
const FORGOTTEN_MS = 90 * DAY_MS;

/**
 * Steps of a transaction: on SQLite each holds the event loop for half a millisecond; on PostgreSQL each is a dozen round
 * trips, for which other servers wait at the sandbox's lock.
 */
const STEPS_AT_ONCE = 10;

/** Far more than a full sandbox has steps that can be due at once. */
const MAX_ROUNDS = 4 * (MAX_REQUESTS / STEPS_AT_ONCE);

/** Brings a broker's sandbox to its present date. */
export interface Settler {
  /** The sandbox as it is now: made where it was not, and with what is due done. Throws `server_error` where it is too busy. */
  settled(caller: Caller): Promise<SimulatedCall>;
  /**
   * Does what is due by the sandbox's date, a few steps of it.
   * @param tx holds the sandbox's lock
   * @returns that date; null where more is due
   */
  settle(tx: Tx, caller: Caller, state: SandboxState | null): Promise<SimulatedCall | null>;
  /** Makes the sandbox where there is none or an old one. */
  make(caller: Caller, isOld: (state: SandboxState) => boolean): Promise<void>;
  /** What an operation works with at the date of a call. */
  contextAt(current: SimulatedCall, store: Store, behaviour?: Behaviour): Context;
  /** The real brokers, whose contact and verified list reports accept. */
  brokersFor(caller: Pick<Caller, 'brokerId'>): Store['read']['brokers'];
}

export function createSettler({ open, locked }: SandboxDatabase, live: Context): Settler {
  const { clock, log } = live;
  // By the real clock: ids are made in the order of time, and no sandbox's clock may move another one's.
  const ids = createIds();
  const newId: Context['newId'] = (prefix) => ids(prefix, clock.now());
  let oldestRelease: string | null = null;

  const brokersFor: Settler['brokersFor'] = ({ brokerId }) => storeForBroker(live.store, brokerId).read.brokers;

  const callAt = ({ brokerId }: Caller, offsetMs: number, now: number): SimulatedCall => ({
    brokerId,
    offsetMs,
    now,
    steps: new Map(),
    oldestRelease,
  });

  const isForgotten = ({ calledAt }: SandboxState): boolean => clock.now() - calledAt > FORGOTTEN_MS;

  /** Records that the sandbox is in use, and removes one that is not. */
  async function recordCall(caller: Caller): Promise<void> {
    await locked(caller, (tx) => tx.sandboxes.update(caller.brokerId, { calledAt: clock.now() }));
    const brokerId = await (await open(caller.brokerId)).read.sandboxes.findForgotten(clock.now() - FORGOTTEN_MS);
    if (brokerId === null) return;
    await locked({ brokerId }, async (tx, state) => {
      if (state && isForgotten(state)) await tx.sandboxes.remove(brokerId);
    });
  }

  const contextAt: Settler['contextAt'] = (current, store, { warning } = {}) => ({
    store,
    mailer: simulatedMailer(warning),
    clock: clockOf({ now: () => current.now, monotonic: clock.monotonic }),
    newId,
    hasProvisioner: true,
    credentials: simulatedCredentials,
    log,
  });

  const make: Settler['make'] = (caller, isOld) =>
    locked(caller, async (tx, state) => {
      if (state && !isOld(state)) return;
      if (state) await tx.sandboxes.remove(caller.brokerId);
      await seed(tx, caller.brokerId, clock.now());
    });

  async function settle(tx: Tx, caller: Caller, state: SandboxState | null): Promise<SimulatedCall | null> {
    if (!state) return null;
    const { brokerId } = caller;
    const { offsetMs } = state;
    const now = clock.now() + offsetMs;
    if (!isAnyDue(state, now)) return callAt(caller, offsetMs, now);
    for (let steps = 0; ; steps += 1) {
      const request = await tx.sandboxes.findDue(brokerId, now);
      if (!request) {
        // Last, because ends of term come first.
        const renewed = await tx.services.renew({ of: brokerId, now, limit: STEPS_AT_ONCE });
        return renewed < STEPS_AT_ONCE ? callAt(caller, offsetMs, now) : null;
      }
      if (steps === STEPS_AT_ONCE) return null;
      const current = callAt(caller, offsetMs, Number(request.dueAt));
      const within = simulatedTx(tx, { ...tx.brokers, ...brokersFor(caller) }, current);
      const store = {
        ...(await open(brokerId)),
        read: within,
        tx: <T>(work: (tx: Tx) => Promise<T>) => work(within),
      };
      await takeStep(tx, { ...contextAt(current, store), actor: REVIEWER }, request);
    }
  }

  async function settled(caller: Caller): Promise<SimulatedCall> {
    // Until 1.3: of the live database, which the sandboxes follow.
    if (oldestRelease !== FINISHED_RELEASE) oldestRelease = await live.store.read.settings.find(OLDEST_RELEASE_SETTING);
    const { read } = await open(caller.brokerId);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const state = await read.sandboxes.find(caller.brokerId);
      const real = clock.now();
      const now = real + (state?.offsetMs ?? 0);
      if (!state || isForgotten(state)) await make(caller, isForgotten);
      else if (real - state.calledAt > DAY_MS) await recordCall(caller);
      else if (!isAnyDue(state, now)) return callAt(caller, state.offsetMs, now);
      else {
        // What comes due after that date is left to later calls: in a busy sandbox something always does.
        const current = await locked(caller, (tx, state) => settle(tx, caller, state));
        if (current) return current;
      }
    }
    throw busy(`the sandbox is not settled after ${MAX_ROUNDS} rounds`);
  }

  return { settled, settle, make, contextAt, brokersFor };
}

/** Whether a step or a renewal is due at `now` (the sandbox's date). */
const isAnyDue = ({ nextDueAt, nextRenewalAt }: SandboxState, now: number): boolean =>
  [nextDueAt, nextRenewalAt].some((at) => at !== null && at <= now);
