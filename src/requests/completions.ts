import { setImmediate } from 'node:timers/promises';
import { type Context, transact } from '../context/context.ts';
import { isEnded } from '../rules/words.ts';
import type { LeasedRequest } from '../store/requests.ts';
import type { TemplateRow } from '../store/templates.ts';
import { completeTogether } from './complete.ts';
import type { TemplateKind } from './kinds/index.ts';

/** Finds a broker's active template; asks for each once. */
export type TemplateOf = (brokerId: string, kind: TemplateKind) => Promise<TemplateRow | null>;

export interface Completions {
  /**
   * Completes a request whose work is done. Resolves with what its mail is written by, which those of one transaction
   * share; undefined where this request has to be settled on its own.
   */
  add(lease: LeasedRequest): Promise<TemplateOf | undefined>;
}

interface Waiting {
  lease: LeasedRequest;
  settle: (templateOf: TemplateOf | undefined) => void;
  refuse: (error: unknown) => void;
}

/** Few enough that nobody waits long for the services that they lock. */
const AT_ONCE = 64;

/**
 * Transactions under way at a time. PostgreSQL writes two at once, a fifth more requests in a second; on SQLite they share
 * a commit.
 */
const SIDE_BY_SIDE = 2;

/**
 * Completes together what is done at the same time: what comes while one transaction is written is in the next, which
 * begins beside it only where it is full. Left to the caller is whatever would hold others up or takes more than to be
 * completed: a service that somebody else has locked, or that has ended, or that an earlier one of the same transaction
 * changes, a lease that was lost, and each of several whose transaction failed. One that was alone in it is refused with
 * its error.
 */
export function createCompletions(context: Pick<Context, 'store' | 'clock' | 'newId' | 'log'>): Completions {
  let waiting: Waiting[] = [];
  let draining = 0;

  async function drain(): Promise<void> {
    draining += 1;
    // The answers that came together are taken together.
    await setImmediate();
    while (waiting.length > 0) {
      const works = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      await completeAll(works);
    }
    draining -= 1;
  }

  async function completeAll(works: Waiting[]): Promise<void> {
    try {
      const completed = await completeFree(
        context,
        works.map(({ lease }) => lease),
      );
      const templateOf = templatesOf(context);
      for (const { lease, settle } of works) settle(completed.has(lease.id) ? templateOf : undefined);
    } catch (error) {
      const [only, ...others] = works as [Waiting, ...Waiting[]];
      if (others.length === 0) return only.refuse(error);
      context.log.warn({ err: error }, 'requests could not be completed together; each is settled on its own');
      for (const { settle } of works) settle(undefined);
    }
  }

  return {
    add: (lease) =>
      new Promise((settle, refuse) => {
        waiting.push({ lease, settle, refuse });
        const isFull = waiting.length >= AT_ONCE;
        if (draining === 0 || (isFull && draining < SIDE_BY_SIDE)) void drain();
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
    const works = leases.flatMap((request) => {
      const service = free.get(request.serviceNumber);
      // What comes next for the same service has to see what this one makes of it.
      free.delete(request.serviceNumber);
      return service && !isEnded(service.status) ? [{ request, service }] : [];
    });
    return completeTogether(change, works);
  });

/** Remembers what it found: for mails of one moment. */
export function templatesOf({ store }: Pick<Context, 'store'>): TemplateOf {
  const found = new Map<string, Promise<TemplateRow | null>>();
  return (brokerId, kind) => {
    const name = `${brokerId} ${kind}`;
    const asked = found.get(name) ?? store.read.templates.findActive(brokerId, kind);
    found.set(name, asked);
    return asked;
  };
}
