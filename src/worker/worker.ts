import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import { fulfilRequest } from '../lifecycle/fulfil-request.ts';
import { findReplaced } from '../lifecycle/replaced.ts';
import { operatorOwner } from '../limits/operator-slot.ts';
import { compareAfterLoss } from '../machines/after-loss.ts';
import type { Context, Provisioner } from '../ports.ts';
import { DAY_MS, MINUTE_MS } from '../rules/durations.ts';
import type { Clock } from '../runtime/clock.ts';
import { type LeasedRequest, workOwner } from '../store/queries/requests.ts';
import { USAGE_KEPT_MS } from '../store/queries/usage.ts';
import type { Tx } from '../store/store.ts';
import type { DueSignal } from './due-signal.ts';
import { createDateMover } from './move-dates.ts';
import { createHeartbeat } from './registry.ts';

/** Days after which the worker erases addresses and bodies in the email log, and removes logged calls and audit rows. */
export interface KeptDays {
  emails: number;
  calls: number;
  audit: number;
}

export interface WorkerOptions {
  context: Context;
  provisioner: Provisioner;
  keptDays: KeptDays;
  /** How many requests are processed at the same time. */
  concurrency?: number;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Writes down what the provisioner's answers say of it (`WatchedProvisioner`). */
  recordCalls?: ((isLast?: boolean) => Promise<void>) | undefined;
  /** Wakes the worker when work becomes due. */
  due?: DueSignal | undefined;
  /** The pause without due work, in milliseconds. */
  idleMs?: number;
  /** Whether the process also serves callers: the worker then pauses after each step for as long as it took. */
  besideCallers?: boolean;
}

export interface Worker {
  /** Starts the loop that processes due work, until `stop`. */
  start(): void;
  /**
   * Claims no more work and resolves once the work in flight is settled. Calls to the provisioner may take two more
   * seconds, the mail after them the mail provider's timeout. A longer call is aborted, and another worker repeats it.
   */
  stop(): Promise<void>;
  /** Does all work that is due now, renewals too. Resolves with the number of claimed requests; rejects where the store fails. */
  runOnce(): Promise<number>;
}

/** The poll for what no signal reported: at least once a second (contract, section 10). */
const IDLE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** However long a step took, due work is looked for once a second. */
const MAX_YIELD_MS = 500;

/** Longer than the provisioner and the database together may take for one request. */
const LEASE_MS = MINUTE_MS;

/** Calls that wait for the provisioner cost a socket each, and no processor time. */
const CONCURRENCY = 32;

/**
 * How much longer a call to the provisioner may take during shutdown. The steps after it, the client's mail included,
 * must fit into the rest of the shutdown time, because no worker repeats them; a call is repeated under the same id.
 */
const LAST_CALL_MS = 2_000;

/** Services per transaction of renewals: few enough that callers do not wait for it at midnight on the first of a month. */
const RENEWAL_STEP = 100;

const CLEANING_EVERY_MS = MINUTE_MS;
/** Rows per cleaning step: few enough not to delay requests. */
const CLEANING_STEP = 200;
/** Steps in a minute for the bound of the call log: more rows than can be written in it. */
const BOUND_STEPS = 50;

/** Rows of the call log: of one broker, and of all (contract, section 11). The oldest go first. */
export const MAX_CALLS = { ofBroker: 200_000, overAll: 2_000_000 };

/**
 * The worker that processes accepted requests (contract, sections 6 and 10). Any number of workers in any number of
 * processes share the work: each claims due requests under a lease, and an expired lease can be claimed again. In small
 * steps the worker also updates renewal dates and removes expired rows.
 */
export function createWorker({
  context,
  provisioner,
  keptDays,
  concurrency = CONCURRENCY,
  sleep = pause,
  besideCallers = false,
  recordCalls = async () => undefined,
  due,
  idleMs = IDLE_MS,
}: WorkerOptions): Worker {
  const { store, clock, log } = context;
  const inFlight = new Set<Promise<void>>();
  /** The places in use by whom their work is done for, and who was given the last one. */
  const taken = new Map<string, number>();
  let last = '';
  const stopping = new AbortController();
  const alarm = createAlarm(clock, idleMs);
  /** One for each request in progress; it aborts the call to the provisioner. */
  const calls = new Set<AbortController>();
  let running: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;
  let cleaningDueAt = clock.monotonic();
  let bounding: Promise<void> | undefined;
  let comparing: Promise<void> | undefined;
  const clearings = clearingsOf(keptDays);
  const presence = createHeartbeat(store, clock);
  const dates = createDateMover({ store, clock, log, sleep, signal: stopping.signal });

  /** Claims as many due requests as there are free slots, begins them, and resolves with their number. */
  async function claim(): Promise<number> {
    const free = concurrency - inFlight.size;
    if (free <= 0) return 0;
    const now = clock.now();
    // Mostly nothing is due, and this check needs no transaction.
    if ((await store.read.requests.findAnyDue(now)) === null) return 0;
    if (await findReplaced(store.read)) return 0;
    const leases = await store.tx(async (tx) => {
      // Of records that went back nothing goes out before someone says so (contract, section 15.5).
      if ((await tx.history.findHolding()) !== null) return [];
      return tx.requests.claimDue({
        now,
        leaseUntil: now + LEASE_MS,
        // Each claim has an owner of its own, so that this worker does not take its expired lease for a current one.
        leaseOwner: randomUUID(),
        limit: free,
        atOnce: clock.hasJumped(),
        places: { taken, last },
      });
    });
    for (const lease of leases) {
      last = workOwner(lease);
      take(last, 1);
      const work = fulfil(lease).finally(() => {
        inFlight.delete(work);
        take(workOwner(lease), -1);
      });
      inFlight.add(work);
    }
    return leases.length;
  }

  function take(owner: string, places: number): void {
    const count = (taken.get(owner) ?? 0) + places;
    if (count > 0) taken.set(owner, count);
    else taken.delete(owner);
  }

  /** Resolves when a request is settled, together with all others of the same commit, so that the next claim is larger. */
  async function someAreFree(): Promise<void> {
    await Promise.race(inFlight);
    await setImmediate();
  }

  async function fulfil(lease: LeasedRequest): Promise<void> {
    const call = new AbortController();
    calls.add(call);
    try {
      await fulfilRequest(context, provisioner, lease, { signal: call.signal });
    } catch (error) {
      log.error(
        { err: error, request_id: lease.id },
        'a request could not be settled; it is due again after its lease',
      );
    } finally {
      calls.delete(call);
    }
  }

  /** Renews a few services whose term has ended, and resolves with their number. */
  async function renew(): Promise<number> {
    if (clock.hasJumped()) return 0;
    // Mostly there is none, and this check needs no transaction.
    if (!(await store.read.services.findDueRenewal(clock.now()))) return 0;
    return store.tx((tx) => tx.services.renew({ now: clock.now(), limit: RENEWAL_STEP }));
  }

  async function clean(): Promise<void> {
    if (clock.monotonic() < cleaningDueAt) return;
    const now = clock.now();
    let most = 0;
    for (const clear of clearings) most = Math.max(most, await store.tx((tx) => clear(tx, now)));
    // Beside the loop: counting waits behind operators' slow queries, and no due work waits for it.
    bounding ??= boundCalls()
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) log.error({ err: error }, 'the call log could not be bounded');
      })
      .finally(() => {
        bounding = undefined;
      });
    compare();
    // A full step means that there are more rows; the next iteration goes on with them.
    if (most < CLEANING_STEP) cleaningDueAt = clock.monotonic() + CLEANING_EVERY_MS;
  }

  /** Beside the loop too: it takes as long as the provisioner lists its machines. */
  function compare(): void {
    const { machines } = context;
    if (!machines) return;
    comparing ??= compareAfterLoss({ store, clock, log, machines, signal: stopping.signal })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) log.error({ err: error }, 'machines could not be compared with the records');
      })
      .finally(() => {
        comparing = undefined;
      });
  }

  /** Removes the oldest calls of brokers with too many, and then of all. */
  async function boundCalls(): Promise<void> {
    const counts = await store.slow(operatorOwner(), ({ calls }) => calls.countByBroker());
    let total = counts.reduce((sum, row) => sum + row.total, 0);
    let steps = BOUND_STEPS;
    const bound = async (brokerId: string | undefined, count: number, most: number) => {
      for (let left = count; left > most && steps > 0; steps -= 1) {
        const limit = Math.min(left - most, CLEANING_STEP);
        await store.tx((tx) => tx.calls.removeOldest(brokerId, limit));
        left -= limit;
        total -= limit;
      }
    };
    for (const row of counts) await bound(row.brokerId, row.total, MAX_CALLS.ofBroker);
    await bound(undefined, total, MAX_CALLS.overAll);
  }

  async function work(): Promise<void> {
    let pauseMs = idleMs;
    while (!stopping.signal.aborted) {
      try {
        await presence.record();
        await recordCalls();
        const begunAt = clock.monotonic();
        const taken = (await claim()) + (await renew());
        await clean();
        dates.begin();
        pauseMs = idleMs;
        if (inFlight.size >= concurrency) await someAreFree();
        if (taken > 0) {
          if (besideCallers) await sleep(Math.min(clock.monotonic() - begunAt, MAX_YIELD_MS), stopping.signal);
          continue;
        }
      } catch (error) {
        // Logged once per outage, and not for an `ApiError`, which the store has logged itself.
        if (pauseMs <= IDLE_MS && !(error instanceof ApiError))
          log.error({ err: error }, 'the worker cannot reach its store and keeps trying');
        pauseMs = Math.min(Math.max(pauseMs, IDLE_MS) * 2, MAX_PAUSE_MS);
      }
      await alarm.sleepUntilRung((signal) => sleep(pauseMs, AbortSignal.any([stopping.signal, signal])));
    }
  }

  return {
    start() {
      stopListening ??= due?.listen(alarm.ringAt);
      running ??= work();
    },
    async stop() {
      stopping.abort();
      stopListening?.();
      const settled = new AbortController();
      // Started before the loop is awaited: without a free slot, the loop itself waits for a call to end.
      const lastCalls = sleep(LAST_CALL_MS, settled.signal).then(() => {
        for (const call of calls) call.abort();
      });
      await running;
      await bounding;
      await comparing;
      await dates.settled();
      await Promise.all(inFlight);
      settled.abort();
      await lastCalls;
      // If the store is unavailable, that has been logged already.
      if (running) await presence.leave().catch(() => undefined);
      await recordCalls(true).catch(() => undefined);
    },
    async runOnce() {
      let count = 0;
      for (;;) {
        const taken = await claim();
        count += taken;
        if (inFlight.size > 0) await someAreFree();
        else if (taken + (await renew()) === 0) {
          await recordCalls(true);
          return count;
        }
      }
    },
  };
}

/** The cleaning steps, each run in a transaction of its own; each resolves with the number of its rows. */
const clearingsOf = (keptDays: KeptDays): Array<(tx: Tx, now: number) => Promise<number>> => [
  (tx, now) => tx.idempotency.removeExpired(now, CLEANING_STEP),
  (tx, now) => tx.emails.erase(now - keptDays.emails * DAY_MS, now, CLEANING_STEP),
  (tx, now) => tx.calls.remove(now - keptDays.calls * DAY_MS, CLEANING_STEP),
  (tx, now) => tx.audit.remove(now - keptDays.audit * DAY_MS, CLEANING_STEP),
  ...(['minute', 'hour', 'day'] as const).map(
    (grain) => (tx: Tx, now: number) => tx.usage.remove(grain, now - USAGE_KEPT_MS[grain], CLEANING_STEP),
  ),
];

/** Waits by the real clock; resolves early where the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** Ends the pauses of a loop when work becomes due. */
function createAlarm(clock: Pick<Clock, 'now'>, pollMs: number) {
  let sleeping: AbortController | undefined;
  let hasRung = false;
  function ring(): void {
    hasRung = true;
    sleeping?.abort();
  }
  return {
    /** What is due later than the next poll is left to it. */
    ringAt(dueAt: number): void {
      const waitMs = dueAt - clock.now();
      if (waitMs <= 0) ring();
      else if (waitMs < pollMs) setTimeout(waitMs, undefined, { ref: false }).then(ring);
    },
    /** Does not sleep where it has rung since the last time. */
    async sleepUntilRung(sleep: (signal: AbortSignal) => Promise<void>): Promise<void> {
      if (!hasRung) {
        sleeping = new AbortController();
        await sleep(sleeping.signal);
        sleeping = undefined;
      }
      hasRung = false;
    },
  };
}
