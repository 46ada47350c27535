import { fail } from '../errors.ts';
import type { Context } from './context.ts';
import { AWAY_AFTER_MS, listProcesses } from './worker-registry.ts';

/** How long an answer holds: a call costs a query now and then only. */
const KNOWN_FOR_MS = 5_000;
const RETRY_AFTER_SECONDS = 60;

/** What the connections of a release before 0.3.0 are called on PostgreSQL; later ones add their version. */
const UNNAMED = 'broker-service-api';

interface Known {
  at: number;
  /** When a process of each older release was last seen, by version; on the monotonic clock. */
  seen: Map<string, number>;
}

const known = new WeakMap<Context['clock'], Known>();

/**
 * To be called, outside of a transaction, before an operation writes a word (status, type, reason) that releases before
 * `since` do not know: they could not read it back (contract, section 10, "Updates").
 *
 * Throws `server_error` with `Retry-After` while a process of an older release was seen within a minute: a heartbeat of
 * any server or worker, and on PostgreSQL an open connection. A server of 0.2.0 with WORKER=off on SQLite leaves no trace.
 * @param since the version that first knows the word, such as `0.3.0`
 */
export async function requireNoOlderRelease(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  since: string,
): Promise<void> {
  const now = clock.monotonic();
  const state = known.get(clock) ?? { at: Number.NEGATIVE_INFINITY, seen: new Map() };
  known.set(clock, state);
  if (now - state.at >= KNOWN_FOR_MS) {
    const processes = await listProcesses(store.read);
    for (const { version, seenAt } of processes) {
      const ago = clock.now() - seenAt;
      if (ago < AWAY_AFTER_MS) state.seen.set(version, Math.max(now - ago, state.seen.get(version) ?? now - ago));
    }
    if ((await store.read.connections.listNames()).includes(UNNAMED)) state.seen.set('0.2.0', now);
    state.at = now;
  }
  for (const [version, seenAt] of state.seen) {
    if (now - seenAt < AWAY_AFTER_MS && isOlder(version, since)) throw fail.unavailable(RETRY_AFTER_SECONDS);
  }
}

/** Compares versions of three whole numbers. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const index = one.findIndex((part, at) => part !== other[at]);
  return index >= 0 && (one[index] as number) < (other[index] as number);
}
