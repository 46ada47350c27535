import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/clock.ts';

/** Windows kept at the same time: a flood of made-up addresses pushes out the least used ones and no memory. */
const MAX_WINDOWS = 10_000;

/**
 * Counts attempts by name in fixed windows, and over all names together. `take` says how many whole seconds to wait,
 * or 0 where the attempt may go ahead.
 */
export function createAttempts(limit: { clock: Clock; windowMs: number; each: number; all: number }) {
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
      if (own.count >= limit.each) return left(own);
      if (whole.count >= limit.all) return left(whole);
      own.count += 1;
      whole.count += 1;
      return 0;
    },
  };
}
