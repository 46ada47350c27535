import type fastifyRateLimit from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

type Store = fastifyRateLimit.FastifyRateLimitStore;

/** Windows kept at the same time: a flood of made-up addresses pushes out the least used ones and no memory. */
const MAX_WINDOWS = 100_000;

interface Window {
  count: number;
  endsAt: number;
}

/**
 * A store for @fastify/rate-limit that counts in this process: a window opens with the first hit, every hit
 * counts, and none prolongs it (contract, section 5). Each hit gets a result of its own: the library's
 * memory store hands out its live counter, and then a burst of one tick is judged by its last request.
 */
export function fixedWindowStore(clock: Clock): fastifyRateLimit.FastifyRateLimitStoreCtor {
  return class FixedWindows implements Store {
    // By size: with `max` it would take the room for all of them, three megabytes a limiter, at the start.
    private readonly windows = new LRUCache<string, Window>({ maxSize: MAX_WINDOWS, sizeCalculation: () => 1 });

    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindowMs: number,
    ): void {
      // Whole milliseconds: with fractions a fresh window could seem to last a little longer than it does.
      const now = Math.floor(clock.monotonic());
      let window = this.windows.get(key);
      if (window === undefined || window.endsAt <= now) {
        window = { count: 0, endsAt: now + timeWindowMs };
        this.windows.set(key, window);
      }
      window.count += 1;
      callback(null, { current: window.count, ttl: window.endsAt - now });
    }

    /** Each limiter counts for itself. */
    child(): Store {
      return new FixedWindows();
    }
  };
}
