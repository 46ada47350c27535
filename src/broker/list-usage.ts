import type { ErrorCode } from '../errors.ts';
import type { Context } from '../ports.ts';
import { percentile } from '../rules/histograms.ts';
import { lostMark } from '../rules/lost-spans.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { KeyRow } from '../store/queries/keys.ts';
import { GRAIN_MS, USAGE_KEPT_MS, type UsageFilter, type UsageSum } from '../store/queries/usage.ts';
import type { PageWindow } from '../store/session/session.ts';
import { pageOf, readPage } from './list-page.ts';
import type { Caller, ListOutcome } from './operation.ts';

export interface UsageInput {
  span: 'hour' | 'day';
  /** Epoch milliseconds, rounded down to the span. */
  from?: number | undefined;
  to?: number | undefined;
  operation?: string | undefined;
  outcome?: string | undefined;
}

/** An outcome as it is counted (src/traffic/recorder.ts). */
type UsageOutcome = 'ok' | 'other' | ErrorCode;

const DEFAULT_MS = { hour: GRAIN_MS.day, day: 30 * GRAIN_MS.day } as const;

/**
 * The calls of one key and of the keys that it was rotated from, added up by hour or day (contract, section 6, "Usage").
 * Calls of the last seconds may be missing.
 * @param keyId the calling key
 */
export async function listUsage(
  { store, clock }: Context,
  caller: Caller,
  { keyId, span, from, to, operation, outcome, ...window }: PageWindow & UsageInput & { keyId: string },
): Promise<ListOutcome<UsageRecord>> {
  const { brokerId } = caller;
  const now = clock.now();
  const beginningOf = (ms: number) => ms - (ms % GRAIN_MS[span]);
  const filter: UsageFilter = {
    grain: span,
    since: Math.max(beginningOf(from ?? now - DEFAULT_MS[span]), beginningOf(now - USAGE_KEPT_MS[span])),
    until: to === undefined ? undefined : beginningOf(to),
    brokerId,
    keyIds: lineOf(keyId, await store.read.keys.list(brokerId)),
    operation,
    outcome,
  };
  const { views, total } = await readPage(store, caller, window, {
    // The rows of all of the broker's keys are looked at.
    bounded: false,
    views: (read) => read.usage.page(filter, window),
    total: (read) => read.usage.countRows(filter),
  });
  const losses = await store.read.history.list();
  return pageOf(
    views.map((sum) => ({ ...usageRecord(sum), ...lostMark(losses, sum.fromAt, sum.fromAt + GRAIN_MS[span]) })),
    window,
    total,
  );
}

/** A key, and those that it was rotated from. */
function lineOf(keyId: string, keys: readonly KeyRow[]): string[] {
  const before = new Map(keys.map(({ id, rotatedFromId }) => [id, rotatedFromId]));
  const line = [keyId];
  for (let id = before.get(keyId); id; id = before.get(id)) line.push(id);
  return line;
}

const usageRecord = ({
  fromAt,
  operation,
  outcome,
  calls,
  durations,
}: UsageSum<'fromAt' | 'operation' | 'outcome'>) => ({
  from_date: isoTimestamp(fromAt),
  operation,
  outcome: outcome as UsageOutcome,
  calls,
  p50_ms: percentile(durations, 0.5),
  p99_ms: percentile(durations, 0.99),
});

export type UsageRecord = ReturnType<typeof usageRecord> & ReturnType<typeof lostMark>;
