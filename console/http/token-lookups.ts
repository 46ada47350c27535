import { LRUCache } from 'lru-cache';
import { SlotQueue } from '../../src/limits/slot-queue.ts';
import { hashToken, isToken } from '../../src/operator/people/console-access.ts';
import { addressBucket } from '../../src/rules/ip-rules.ts';
import { Problem } from './problem.ts';

/** Tokens that were found here; more than are used at the same time. */
const MAX_KNOWN = 10_000;

/** Look-ups of tokens that were not found before: they leave most of the console's connections to signed-in operators. */
export const UNKNOWN = {
  atOnce: 2,
  atOnceOfOne: 1,
  waiting: 200,
  waitingOfOne: 20,
  patienceMs: 1_000,
  retryAfterSeconds: 1,
};

/** The look-ups of session cookies and links: unknown tokens wait for each other and delay no signed-in operator. */
export function createTokenLookups() {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  const unknown = new SlotQueue(UNKNOWN);

  function inTurn<T>(ip: string, find: () => Promise<T>): Promise<T> {
    let begun = false;
    const work = () => {
      begun = true;
      return find();
    };
    return unknown.take({ key: addressBucket(ip) }, work).catch((error: unknown) => {
      throw begun ? error : new Problem(503, 'Busy', 'Try again in a moment.', undefined, UNKNOWN.retryAfterSeconds);
    });
  }

  return {
    /**
     * Resolves as `find` does; with null, without asking it, for a text that is no token. Throws a `Problem` where too
     * many unknown tokens wait.
     */
    async find<T>(token: string, ip: string, find: () => Promise<T | null>): Promise<T | null> {
      if (!isToken(token)) return null;
      const hash = hashToken(token);
      const found = await (known.has(hash) ? find() : inTurn(ip, find));
      if (found) known.set(hash, true);
      else known.delete(hash);
      return found;
    },
    /** A token that was just made. */
    remember: (token: string) => void known.set(hashToken(token), true),
  };
}
