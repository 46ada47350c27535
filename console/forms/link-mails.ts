import { setTimeout as sleep } from 'node:timers/promises';

/** Requests that wait for their link; more are dropped, and the person can ask again. */
const MAX_WAITING = 5_000;

/** A link begins to be made after 1 to 3 seconds: apart from the request, and at a time that its sender cannot foresee. */
const DELAY_MS = 1_000;
const SPREAD_MS = 2_000;

/**
 * Makes and mails links apart from the requests for them, so that neither this answer nor the next one takes longer for
 * an address that is known. Links are made one at a time.
 * @param work.make makes a link, null where none is to be mailed
 */
export function createLinkMails<Link>(work: {
  make: (email: string) => Promise<Link | null>;
  send: (link: Link) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  let made: Promise<unknown> = Promise.resolve();

  async function mail(email: string): Promise<void> {
    await sleep(DELAY_MS + Math.random() * SPREAD_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    const making = made.then(() => work.make(email));
    made = making.catch(() => undefined);
    const link = await making;
    if (link) await work.send(link);
  }

  return {
    ask(email: string): void {
      if (running.size >= MAX_WAITING) return;
      const mailed = mail(email)
        .catch(work.onError)
        .finally(() => running.delete(mailed));
      running.add(mailed);
    },
    /** Mails what waits. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(running);
    },
  };
}
