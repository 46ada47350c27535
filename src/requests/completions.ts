import { setImmediate } from 'node:timers/promises';
import { type Context, transact } from '../context/context.ts';
import type { LeasedRequest } from '../store/requests.ts';
import type { TemplateRow } from '../store/templates.ts';
import { completeTogether } from './complete.ts';
import { KINDS, type TemplateKind } from './kinds/index.ts';

/** Finds a broker's active template; reads each from the store once. */
export type TemplateOf = (brokerId: string, kind: TemplateKind) => Promise<TemplateRow | null>;

export interface Completions {
  /**
   * Completes a request whose work is done. Resolves with the template finder for its mail, which all requests of one
   * transaction share; undefined where this request has to be settled by itself.
   */
  add(lease: LeasedRequest): Promise<TemplateOf | undefined>;
}

interface Waiting {
  lease: LeasedRequest;
  settle: (templateOf: TemplateOf | undefined) => void;
  refuse: (error: unknown) => void;
}

/** Requests per transaction: few enough that other transactions do not wait long for the locked services. */
const AT_ONCE = 64;

/**
 * Concurrent transactions. On PostgreSQL two complete a fifth more requests per second than one; on SQLite they share a
 * commit.
 */
const MAX_TRANSACTIONS = 2;

/**
 * Completes requests in batches. Requests that arrive while a transaction runs are in the next one, which begins at once
 * only if it is full.
 *
 * `add` resolves with undefined, so that the caller settles the request by itself, in these cases: another transaction
 * has locked the service; the service no longer allows the work; an earlier request of the batch changes the same service; the lease was
 * lost; the transaction of several requests failed. If the transaction of a single request fails, `add` rejects.
 */
export function createCompletions(context: Pick<Context, 'store' | 'clock' | 'newId' | 'log'>): Completions {
  let waiting: Waiting[] = [];
  let draining = 0;

  async function drain(): Promise<void> {
    draining += 1;
    // Waits for the other answers of this event-loop iteration, so that they are in the same batch.
    await setImmediate();
    while (waiting.length > 0) {
      const jobs = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      await completeAll(jobs);
    }
    draining -= 1;
  }

  async function completeAll(jobs: Waiting[]): Promise<void> {
    try {
      const completed = await completeFree(
        context,
        jobs.map(({ lease }) => lease),
      );
      const templateOf = templatesOf(context);
      for (const { lease, settle } of jobs) settle(completed.has(lease.id) ? templateOf : undefined);
    } catch (error) {
      const [only, ...others] = jobs as [Waiting, ...Waiting[]];
      if (others.length === 0) return only.refuse(error);
      context.log.warn({ err: error }, 'requests could not be completed together; each is settled on its own');
      for (const { settle } of jobs) settle(undefined);
    }
  }

  return {
    add: (lease) =>
      new Promise((settle, refuse) => {
        waiting.push({ lease, settle, refuse });
        const isFull = waiting.length >= AT_ONCE;
        if (draining === 0 || (isFull && draining < MAX_TRANSACTIONS)) void drain();
      }),
  };
}

const completeFree = (
  context: Pick<Context, 'store' | 'clock' | 'newId'>,
  leases: LeasedRequest[],
): Promise<Set<string>> =>
  transact(context, async (change) => {
    const services = await change.tx.services.lockFree(leases.map(({ serviceNumber }) => serviceNumber));
    const free = new Map(services.map((service) => [service.number, service]));
    const jobs = leases.flatMap((request) => {
      const service = free.get(request.serviceNumber);
      // A further request for the same service has to see the changes of this one.
      free.delete(request.serviceNumber);
      return service && !KINDS[request.type].precondition?.(service) ? [{ request, service }] : [];
    });
    return completeTogether(change, jobs);
  });

/** Makes a template finder that caches its results; use it only for mails that are sent at the same time. */
export function templatesOf({ store }: Pick<Context, 'store'>): TemplateOf {
  const found = new Map<string, Promise<TemplateRow | null>>();
  return (brokerId, kind) => {
    const name = `${brokerId} ${kind}`;
    const template = found.get(name) ?? store.read.templates.findActive(brokerId, kind);
    found.set(name, template);
    return template;
  };
}
