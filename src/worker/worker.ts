import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Context } from '../context/context.ts';
import { createWorkerHeartbeat } from '../context/worker-registry.ts';
import { ApiError } from '../errors.ts';
import { type Claimed, fulfilRequest } from '../operations/fulfil-request.ts';
import type { Provisioner } from '../ports.ts';
import { createCompletions } from '../requests/completions.ts';
import type { LeasedRequest } from '../store/requests.ts';
import type { Tx } from '../store/store.ts';
import { USAGE_KEPT_MS } from '../store/usage.ts';

/** After how many days the worker erases addresses and bodies of the email log, removes calls, and changes. */
export interface KeptDays {
  emails: number;
  calls: number;
  audit: number;
}

export interface WorkerOptions {
  context: Context;
  provisioner: Provisioner;
  keptDays: KeptDays;
  /** How many requests are worked on at once. */
  concurrency?: number;
  /** Resolves after so many milliseconds, or as soon as the signal says so. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves when it is the worker's turn; at once, where it shares its process with nobody. */
  yieldToCallers?: (signal: AbortSignal) => Promise<void>;
}

export interface Worker {
  /** Begins to look for due work, until `stop`. */
  start(): void;
  /**
   * Takes up no more work and resolves once the work in flight is settled: within two seconds for the provisioner and
   * the mail provider's timeout for the mail that follows. A call that takes longer is left to another worker.
   */
  stop(): Promise<void>;
  /** Does all that is due now, renewals too, and resolves with how many requests it took up. Rejects when the store is away. */
  runOnce(): Promise<number>;
}

/** Work is looked for at least once a second (contract, section 10). */
const IDLE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Longer than the provisioner and the database together may take over one request. */
const LEASE_MS = 60_000;

const CONCURRENCY = 8;

/**
 * At the end the provisioner may take this much longer. What follows, the mail that tells the client included, must
 * fit into the rest of the stated time, for nobody would make it up; a call is made up under the same id.
 */
const LAST_CALL_MS = 2_000;

/** Services of one step of renewals: few enough that nobody waits for it at midnight on the first of a month. */
const RENEWAL_STEP = 200;

const CLEANING_EVERY_MS = 60_000;
/** Rows of one cleaning step: few enough that no request notices. */
const CLEANING_STEP = 200;
const DAY_MS = 86_400_000;

/** By then every process has written what it counted in a minute; what comes later is rolled up later. */
const ROLLED_UP_AFTER_MS = 2 * 60_000;

/**
 * The worker that makes accepted requests true (contract, sections 6 and 10). Any number of them, in any number of
 * processes, share the work: each claims what is due under a lease, and takes up what a dead one left when its lease
 * has run out. Beside that, in small steps, it moves renewals on and sweeps away what has passed its time.
 */
export function createWorker({
  context,
  provisioner,
  keptDays,
  concurrency = CONCURRENCY,
  sleep = pause,
  yieldToCallers = async () => undefined,
}: WorkerOptions): Worker {
  const { store, clock, log } = context;
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** One for each request in the works, whose call to the provisioner it can end. */
  const calls = new Set<AbortController>();
  let running: Promise<void> | undefined;
  let cleaningDueAt = clock.monotonic();
  const clearings = clearingsOf(keptDays);
  const presence = createWorkerHeartbeat(store, clock);
  const completions = createCompletions(context);

  /** Claims as much due work as there are free hands, begins it, and resolves with how much that is. */
  async function takeUp(): Promise<number> {
    const hands = concurrency - inFlight.size;
    if (hands <= 0) return 0;
    const now = clock.now();
    const leases = await store.tx((tx) =>
      tx.requests.claimDue({
        now,
        leaseUntil: now + LEASE_MS,
        // Each claim has an owner of its own: not even this worker can mistake a lease that ran out for its present one.
        leaseOwner: randomUUID(),
        limit: hands,
      }),
    );
    if (leases.length === 0) return 0;
    const claimed = store.read.services.listUnderLease(leases);
    for (const lease of leases) {
      const work = fulfil(lease, claimed).finally(() => inFlight.delete(work));
      inFlight.add(work);
    }
    return leases.length;
  }

  /** Resolves when a request is settled, and with it all that the same commit settled: the next claim takes as many. */
  async function someAreFree(): Promise<void> {
    await Promise.race(inFlight);
    await setImmediate();
  }

  async function fulfil(lease: LeasedRequest, claimed: Promise<Claimed>): Promise<void> {
    const call = new AbortController();
    calls.add(call);
    try {
      await fulfilRequest(context, provisioner, lease, { signal: call.signal, claimed, completions });
    } catch (error) {
      log.error(
        { err: error, request_id: lease.id },
        'a request could not be settled; it is due again after its lease',
      );
    } finally {
      calls.delete(call);
    }
  }

  /** Moves on a few services whose term has ended, and resolves with how many. */
  async function renew(): Promise<number> {
    const now = clock.now();
    // Mostly there is none, and to look costs no transaction.
    if (!(await store.read.services.findDueRenewal(now))) return 0;
    return store.tx((tx) => tx.services.renew({ now: clock.now(), limit: RENEWAL_STEP }));
  }

  async function clean(): Promise<void> {
    if (clock.monotonic() < cleaningDueAt) return;
    const now = clock.now();
    let most = 0;
    for (const clear of clearings) most = Math.max(most, await store.tx((tx) => clear(tx, now)));
    // A full step means that there is more, which the next pass goes on with.
    if (most < CLEANING_STEP) cleaningDueAt = clock.monotonic() + CLEANING_EVERY_MS;
  }

  async function work(): Promise<void> {
    let pauseMs = IDLE_MS;
    while (!stopping.signal.aborted) {
      try {
        await yieldToCallers(stopping.signal);
        if (stopping.signal.aborted) return;
        await presence.note();
        const taken = (await takeUp()) + (await renew());
        await clean();
        pauseMs = IDLE_MS;
        if (inFlight.size >= concurrency) await someAreFree();
        if (taken > 0) continue;
      } catch (error) {
        // Once an outage: the pauses that follow would only say the same. Where the store can tell by itself what is
        // the matter, it has.
        if (pauseMs === IDLE_MS && !(error instanceof ApiError))
          log.error({ err: error }, 'the worker cannot reach its store and keeps trying');
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
      await sleep(pauseMs, stopping.signal);
    }
  }

  return {
    start() {
      running ??= work();
    },
    async stop() {
      stopping.abort();
      const settled = new AbortController();
      // From now on: with its hands full the loop itself waits for one of the calls to end.
      const patience = sleep(LAST_CALL_MS, settled.signal).then(() => {
        for (const call of calls) call.abort();
      });
      await running;
      await Promise.all(inFlight);
      settled.abort();
      await patience;
      // A store that is away has more to tell than that.
      if (running) await presence.leave().catch(() => undefined);
    },
    async runOnce() {
      let count = 0;
      for (;;) {
        const taken = await takeUp();
        count += taken;
        if (inFlight.size > 0) await someAreFree();
        else if (taken + (await renew()) === 0) return count;
      }
    },
  };
}

/** What is cleared, each in a step and a transaction of its own; resolves with how many rows that were. */
const clearingsOf = (keptDays: KeptDays): Array<(tx: Tx, now: number) => Promise<number>> => [
  (tx, now) => tx.idempotency.removeExpired(now, CLEANING_STEP),
  (tx, now) => tx.emails.erase(now - keptDays.emails * DAY_MS, now, CLEANING_STEP),
  (tx, now) => tx.calls.remove(now - keptDays.calls * DAY_MS, CLEANING_STEP),
  (tx, now) => tx.audit.remove(now - keptDays.audit * DAY_MS, CLEANING_STEP),
  (tx, now) => tx.usage.rollUp(now - ROLLED_UP_AFTER_MS, CLEANING_STEP),
  ...(['minute', 'hour', 'day'] as const).map(
    (grain) => (tx: Tx, now: number) => tx.usage.remove(grain, now - USAGE_KEPT_MS[grain], CLEANING_STEP),
  ),
];

/** By the real clock. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
