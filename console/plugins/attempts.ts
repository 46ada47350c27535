import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/clock.ts';

/** Windows kept at the same time; the least recently used ones are dropped. */
export const MAX_WINDOWS = 10_000;

/**
 * Limits attempts in fixed windows, by name and, where there is a `total`, over all names. `take` returns the whole seconds to wait, or 0 where the
 * attempt is allowed.
 */
export function createAttempts({
  total = Number.POSITIVE_INFINITY,
  ...limit
}: {
  clock: Clock;
  windowMs: number;
  perName: number;
  total?: number;
}) {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_WINDOWS });
  let whole = { count: 0, endsAt: 0 };

  const isOver = ({ endsAt }: { endsAt: number }) => endsAt <= limit.clock.monotonic();
  const fresh = () => ({ count: 0, endsAt: limit.clock.monotonic() + limit.windowMs });
  const left = ({ endsAt }: { endsAt: number }) => Math.max(1, Math.ceil((endsAt - limit.clock.monotonic()) / 1000));

  return {
    take(name: string): number {
      let own = windows.get(name);
      if (!own || isOver(own)) {
        own = fresh();
        windows.set(name, own);
      }
      if (isOver(whole)) whole = fresh();
      if (own.count >= limit.perName) return left(own);
      if (whole.count >= total) return left(whole);
      own.count += 1;
      whole.count += 1;
      return 0;
    },
  };
}
