import { SlotQueue } from '../src/limits/slot-queue.ts';
import { addressBucket } from '../src/rules/ip-rules.ts';

/** Requests that wait for their link; more are dropped, and the person can ask again. */
const MAX_WAITING = 5_000;

/** Links are made one at a time, fairly by address: a flood of requests delays only itself. */
const SLOTS = {
  atOnce: 1,
  atOnceOfBroker: 1,
  waiting: 1_000,
  waitingOfBroker: 10,
  patienceMs: 60_000,
  retryAfterSeconds: 1,
};

/** A link begins to be made after 1 to 3 seconds: apart from the request, and at a time that its sender cannot foresee. */
const DELAY_MS = 1_000;
const SPREAD_MS = 2_000;

/**
 * Makes and mails links apart from the requests for them, so that neither this answer nor the next one takes longer for
 * an address that is known.
 * @param work.make makes a link, null where none is to be mailed
 */
export function createLinkMails<Link>(work: {
  make: (email: string) => Promise<Link | null>;
  send: (link: Link) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const slots = new SlotQueue(SLOTS);
  const waiting = new Set<() => void>();
  const running = new Set<Promise<void>>();

  async function mail(brokerId: string, email: string): Promise<void> {
    const link = await slots.take({ brokerId }, () => work.make(email));
    if (link) await work.send(link);
  }

  return {
    ask(ip: string, email: string): void {
      if (waiting.size + running.size >= MAX_WAITING) return;
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        const mailed = mail(addressBucket(ip), email)
          .catch(work.onError)
          .finally(() => running.delete(mailed));
        running.add(mailed);
      };
      const timer = setTimeout(begin, DELAY_MS + Math.random() * SPREAD_MS);
      waiting.add(begin);
    },
    /** Mails what waits. */
    async close(): Promise<void> {
      for (const begin of waiting) begin();
      await Promise.all(running);
    },
  };
}
