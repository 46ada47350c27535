import { ApiError, fail } from '../errors.ts';
import type { RequestRow, RequestView } from '../store/queries/requests.ts';
import type { Reads, Tx } from '../store/store.ts';
import { type Behaviour, behaviourOf, FIRST_CREATED } from './services.ts';

/** One call, or one step of what is due. Dates are epoch milliseconds. */
export interface SimulatedCall {
  readonly brokerId: string;
  /** How far the sandbox's clock is ahead. */
  offsetMs: number;
  /** The sandbox's date. */
  now: number;
  /** When the next step of each request is due that was read or written; null where none is planned. */
  readonly steps: Map<string, number | null>;
  /** Until 1.3: the oldest release that may read the sandbox; null: not known. */
  readonly oldestRelease: string | null;
}

/** When accepted work begins and ends, after it is due, and when the operator decides. */
export const BEGINS_MS = 5_000;
export const ENDS_MS = 10_000;
const DECIDES_MS = 20_000;

export const MAX_SERVICES = 1_000;
export const MAX_REQUESTS = 10_000;

/** Idempotency records of a sandbox: the last ones of many hours of calls. They are counted at every hundredth. */
const MAX_KEYS = 10_000;
const COUNTED_EVERY = 100;
let keysWritten = 0;

/** The reads of a sandbox; of brokers there are the real ones alone, whose contact and verified list reports accept. */
export const simulatedReads = <R extends Reads>(read: R, brokers: Reads['brokers'], current: SimulatedCall): R => ({
  ...read,
  brokers,
  // There are no settings here; those of the live database count.
  settings: { ...read.settings, find: async () => current.oldestRelease },
  // Sandboxes go back with the records, and no number of theirs is passed over (contract, section 15).
  history: withoutLosses(read.history),
  requests: { ...read.requests, ...notedReads(read.requests, current) },
});

const withoutLosses = <H extends Reads['history']>(history: H): H => ({
  ...history,
  findLatest: none,
  findCovering: none,
  findHolding: none,
  list: async () => [],
});

const none = async () => null;

function notedReads(requests: Reads['requests'], current: SimulatedCall) {
  const noted = <V extends RequestView | null>(view: V): V => {
    if (view) current.steps.set(view.request.id, view.request.dueAt);
    return view;
  };
  return {
    findView: async (...of: Parameters<typeof requests.findView>) => noted(await requests.findView(...of)),
    page: async (...of: Parameters<typeof requests.page>) => (await requests.page(...of)).map(noted),
    findWork: (...of: Parameters<typeof requests.findWork>) => requests.findSimulatedWork(...of),
    // Ids are unique in one sandbox alone.
    findOwner: async () => current.brokerId,
  };
}

/**
 * A transaction that holds the sandbox's lock, as operations get it: it plans the steps of what they submit and accept,
 * and leaves out what belongs to live records alone.
 * @param admit for a call: refuses it, behind the check of its idempotency key. It is held to the sandbox's limits; what the
 * sandbox itself adds is not
 */
export function simulatedTx(tx: Tx, brokers: Tx['brokers'], current: SimulatedCall, admit?: () => Promise<void>): Tx {
  const { brokerId } = current;

  /** When the next step of a request with these columns is due. */
  function plannedAt(changes: Partial<RequestRow>): Partial<RequestRow> {
    if (changes.status === 'accepted' && changes.dueAt) return { dueAt: changes.dueAt + BEGINS_MS };
    return changes.status === 'operator_review' ? { dueAt: current.now + DECIDES_MS } : {};
  }

  const inRealTime = <R extends { createdAt: number; expiresAt: number | null }>(row: R): R => ({
    ...row,
    createdAt: row.createdAt - current.offsetMs,
    expiresAt: row.expiresAt === null ? null : row.expiresAt - current.offsetMs,
  });

  return {
    ...simulatedReads(tx, brokers, current),
    brokers,
    audit: { ...tx.audit, insert: noop },
    sequences: { ...tx.sequences, nextServiceNumber: () => tx.sandboxes.nextNumber(brokerId) },
    services: {
      ...tx.services,
      async insert(rows) {
        if (admit) await requireRoom(tx, brokerId, 'services', MAX_SERVICES);
        await tx.services.insert(rows.map((row) => ({ ...row, ...reviewOf(row) })));
      },
      update: (owner, number, { externalReference, ...changes }) =>
        tx.services.update(owner, number, {
          ...changes,
          ...(externalReference !== undefined && { externalReference, ...reviewOf({ number, externalReference }) }),
        }),
    },
    requests: {
      ...tx.requests,
      ...notedReads(tx.requests, current),
      async insert(row) {
        if (admit) await requireRoom(tx, brokerId, 'requests', MAX_REQUESTS);
        const planned = { ...row, ...plannedAt(row) };
        current.steps.set(planned.id, planned.dueAt);
        await tx.requests.insert(planned);
      },
      async move(owner, requestId, from, changes) {
        return tx.requests.move(owner, requestId, from, { ...changes, ...plannedAt(changes) });
      },
    },
    idempotency: {
      ...tx.idempotency,
      async claim(row) {
        const first = await tx.idempotency.claim(inRealTime(row));
        if (!first) await admit?.();
        return first && { ...first, createdAt: first.createdAt + current.offsetMs };
      },
      async complete(row, answer) {
        await tx.idempotency.complete(inRealTime(row), answer);
        keysWritten += 1;
        if (keysWritten % COUNTED_EVERY === 0) await tx.sandboxes.trimIdempotency(brokerId, MAX_KEYS);
      },
    },
  };
}

async function noop(): Promise<void> {}

/** A created service is reviewed as the row whose behaviour it borrows. */
const reviewOf = (service: { number: number; externalReference: string | null }) =>
  service.number >= FIRST_CREATED && { requiresOperatorReview: behaviourOf(service).reviewed ?? false };

/** Throws `invalid_state` `sandbox_full`, the last check of a change (contract, section 8). */
async function requireRoom(tx: Tx, brokerId: string, subject: 'services' | 'requests', limit: number): Promise<void> {
  if ((await sizeOf(tx, brokerId, subject)) < limit) return;
  throw fail.invalidState('sandbox_full', `The sandbox holds ${limit} ${subject}; reset it to begin anew`, { limit });
}

/** With what the transaction itself has added and removed. */
async function sizeOf(tx: Tx, brokerId: string, subject: 'services' | 'requests'): Promise<number> {
  await tx.counters.flush();
  return tx.counters.total(brokerId, subject);
}

/**
 * The transaction of an operation that sends emails: nothing is sent, so nothing but its idempotency key is kept, and a
 * warning has no place in the history (contract, section 8).
 * @param read what the operation reads
 */
export function unrecordedTx(tx: Tx, read: Reads, { warning }: Behaviour): Tx {
  const insert = async () => {
    if (warning === 'no_history') throw new Error('simulated failure');
  };
  return {
    ...tx,
    templates: { ...tx.templates, ...read.templates },
    // No record changes, so there is nothing to wait for.
    services: { ...tx.services, ...read.services, lock: read.services.find },
    audit: { ...tx.audit, insert: noop },
    emails: { ...tx.emails, insert: noop, complete: noop },
    // Nothing of section 15 concerns a sandbox.
    history: withoutLosses(tx.history),
    requests: { ...tx.requests, insert, addHistory: noop },
  };
}

/** Throws what every operation that names such a service answers. */
export function refuse({ refuses }: Behaviour): void {
  if (refuses === 'rate_limit_exceeded') throw fail.rateLimited('rate_limit', 120, 60, 1);
  if (refuses) throw new ApiError(refuses, 'Internal server error', { gate: 'work' });
}
