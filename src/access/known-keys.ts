import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';

/** How old the list may be when a key that is not on it arrives. */
const FRESH_FOR_MS = 1_000;

/** How far the clocks of the machines that make keys may differ; older keys are read with the whole list. */
const OVERLAP_MS = 10 * 60_000;
const WHOLE_EVERY_MS = 10 * 60_000;

/**
 * The public parts of all keys, so that made-up keys are recognised without a look-up each (contract, section
 * 2). It is read when a key that is not on it arrives, once a second at most; of keys that were removed it may keep some,
 * which are then looked up and not found. A public part takes some 60 bytes.
 */
export function createKnownKeys({ store, clock }: { store: Pick<Store, 'read'>; clock: Pick<Clock, 'monotonic'> }) {
  let publicIds = new Set<string>();
  let newestAt = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let wholeAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const startedAt = clock.monotonic();
    const whole = startedAt - wholeAt >= WHOLE_EVERY_MS;
    const found = await store.read.keys.listPublicIds(whole ? 0 : newestAt - OVERLAP_MS);
    if (whole) {
      publicIds = new Set();
      wholeAt = startedAt;
    }
    for (const { publicId, createdAt } of found) {
      publicIds.add(publicId);
      newestAt = Math.max(newestAt, createdAt);
    }
    readAt = startedAt;
  }

  return {
    has: (publicId: string): boolean => publicIds.has(publicId),
    /** Resolves once the list is a second old at most. Rejects where the database cannot be read. */
    async refresh(): Promise<void> {
      if (clock.monotonic() - readAt < FRESH_FOR_MS) return;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
    },
  };
}
