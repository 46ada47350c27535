import type fastifyRateLimit from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.ts';

type Store = fastifyRateLimit.FastifyRateLimitStore;

/** Windows kept at the same time: a flood of addresses evicts the least recently used ones instead of filling the memory. */
const MAX_WINDOWS = 100_000;

interface Window {
  count: number;
  endsAt: number;
}

/**
 * A store for @fastify/rate-limit that counts in this process: a window opens with the first hit, every hit
 * counts, and none prolongs it (contract, section 5). Each hit gets a result of its own: the library's
 * memory store returns its mutable counter, so requests of the same tick would all see the count of the last one.
 */
export function fixedWindowStore(clock: Pick<Clock, 'monotonic'>): fastifyRateLimit.FastifyRateLimitStoreCtor {
  return class FixedWindows implements Store {
    // By size: with `max` the cache would allocate all entries at the start, three megabytes per limiter.
    private readonly windows = new LRUCache<string, Window>({ maxSize: MAX_WINDOWS, sizeCalculation: () => 1 });

    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindowMs: number,
    ): void {
      // Whole milliseconds: with fractions, rounding could make a new window seem longer than it is.
      const now = Math.floor(clock.monotonic());
      let window = this.windows.get(key);
      if (window === undefined || window.endsAt <= now) {
        window = { count: 0, endsAt: now + timeWindowMs };
        this.windows.set(key, window);
      }
      window.count += 1;
      callback(null, { current: window.count, ttl: window.endsAt - now });
    }

    /** Each limiter has its own windows. */
    child(): Store {
      return new FixedWindows();
    }
  };
}
