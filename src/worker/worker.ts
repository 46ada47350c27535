import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Context } from '../operations/context.ts';
import { fulfilRequest } from '../operations/fulfil-request.ts';
import type { Provisioner } from '../operations/ports.ts';
import type { LeasedRequest } from '../store/requests.ts';

export interface WorkerOptions {
  context: Context;
  provisioner: Provisioner;
  /** Bodies and addresses in the email log are erased after so many days. */
  emailLogDays: number;
  /** How many requests are worked on at once. */
  concurrency?: number;
  /** Resolves after so many milliseconds, or as soon as the signal says so. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Worker {
  /** Begins to look for due work, until `stop`. */
  start(): void;
  /** Takes up no more work and resolves once the work in flight is settled. */
  stop(): Promise<void>;
  /** Does everything that is due now and resolves with how many requests it took up. Rejects when the store is away. */
  runOnce(): Promise<number>;
}

/** Work is looked for at least once a second (contract, section 10). */
const IDLE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Longer than the provisioner and the database together may take over one request. */
const LEASE_MS = 60_000;

const CONCURRENCY = 8;

const CLEANING_EVERY_MS = 60_000;
/** Rows of one cleaning step: few enough that no request notices. */
const CLEANING_STEP = 200;
const DAY_MS = 86_400_000;

/**
 * The worker that makes accepted requests true (contract, sections 6 and 10). Any number of them, in any number of
 * processes, share the work: each claims what is due under a lease, and takes up what a dead one left when its lease
 * has run out. Beside that it sweeps away, in small steps, what has passed its time.
 */
export function createWorker({
  context,
  provisioner,
  emailLogDays,
  concurrency = CONCURRENCY,
  sleep = pause,
}: WorkerOptions): Worker {
  const { store, clock, log } = context;
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let cleaningDueAt = clock.monotonic();

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
    for (const lease of leases) {
      const work = fulfil(lease).finally(() => inFlight.delete(work));
      inFlight.add(work);
    }
    return leases.length;
  }

  async function fulfil(lease: LeasedRequest): Promise<void> {
    try {
      await fulfilRequest(context, provisioner, lease);
    } catch (error) {
      log.error(
        { err: error, request_id: lease.id },
        'a request could not be settled; it is due again after its lease',
      );
    }
  }

  async function clean(): Promise<void> {
    if (clock.monotonic() < cleaningDueAt) return;
    const now = clock.now();
    const removed = await store.tx((tx) => tx.idempotency.removeExpired(now, CLEANING_STEP));
    const erased = await store.tx((tx) => tx.emails.erase(now - emailLogDays * DAY_MS, now, CLEANING_STEP));
    // A full step means that there is more, which the next pass goes on with.
    if (Math.max(removed, erased) < CLEANING_STEP) cleaningDueAt = clock.monotonic() + CLEANING_EVERY_MS;
  }

  async function work(): Promise<void> {
    let pauseMs = IDLE_MS;
    while (!stopping.signal.aborted) {
      try {
        const taken = await takeUp();
        await clean();
        pauseMs = IDLE_MS;
        if (inFlight.size >= concurrency) await Promise.race(inFlight);
        if (taken > 0) continue;
      } catch (error) {
        // Once an outage: the pauses that follow would only say the same.
        if (pauseMs === IDLE_MS) log.error({ err: error }, 'the worker cannot reach its store and keeps trying');
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
      await running;
      await Promise.all(inFlight);
    },
    async runOnce() {
      let count = 0;
      for (;;) {
        const taken = await takeUp();
        count += taken;
        if (inFlight.size > 0) await Promise.race(inFlight);
        else if (taken === 0) return count;
      }
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
