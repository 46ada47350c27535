import { percentile } from '../rules/durations.ts';
import { isoMoment } from '../rules/moments.ts';
import { type Grain, USAGE_KEPT_MS } from '../store/usage.ts';
import type { ReadDeps } from './dependencies.ts';
import { integer, oneOf, read, type Texts } from './fields.ts';
import { namesOf, readOwner, readSince } from './time-range.ts';

const GRAIN = oneOf<Grain>(['minute', 'hour', 'day']);

/**
 * Calls added up by broker, key, operation and outcome, newest first: by the minute where that reaches as far back as is
 * asked, else by the hour or the day. Calls whose key was refused have neither broker nor key. What was called within the
 * last ten seconds may be missing. Contract, section 11.
 */
export async function listUsage(
  { store, clock }: ReadDeps,
  input: Texts<'broker' | 'key' | 'since' | 'by' | 'limit'> = {},
) {
  const now = clock.now();
  const since = readSince(now, input.since ?? '24h');
  const grain = input.by === undefined ? finestOf(now - since) : read('by', GRAIN, input.by);
  const limit = read('limit', integer(1, 1_000_000), input.limit ?? '10000');
  const owner = await readOwner(store.read, input);
  const sums = await store.read.usage.tally(
    { grain, since, ...owner },
    ['fromAt', 'brokerId', 'keyId', 'operation', 'outcome'],
    limit,
  );
  const names = await namesOf(
    store.read,
    sums.map(({ keyId }) => keyId as string),
  );
  return sums.map(({ fromAt, brokerId, keyId, operation, outcome, calls, durations }) => ({
    from_date: isoMoment(fromAt as number),
    broker: names.broker(brokerId as string),
    key_prefix: names.keyPrefix(keyId as string),
    operation: operation as string,
    outcome: outcome as string,
    calls,
    p50_ms: percentile(durations, 0.5),
    p99_ms: percentile(durations, 0.99),
  }));
}

function finestOf(agoMs: number): Grain {
  if (agoMs <= USAGE_KEPT_MS.minute) return 'minute';
  return agoMs <= USAGE_KEPT_MS.hour ? 'hour' : 'day';
}
