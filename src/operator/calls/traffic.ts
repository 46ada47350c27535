import { FAILURE_CODES, gateOf } from '../../errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts';
import { percentile } from '../../rules/histograms.ts';
import { keysOf } from '../../rules/keys.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { type CallSum, GRAIN_MS, type Grain, USAGE_KEPT_MS, type UsageFilter } from '../../store/queries/usage.ts';
import type { Reads } from '../../store/store.ts';
import { oneOf, read } from '../use-case/fields.ts';

/** Calls over a span of time: of all brokers, or of one key. */

/** How a span is cut: into so many steps, out of sums of that grain. A hundred points or less are what a plot can show. */
interface Cut {
  grain: Grain;
  stepMs: number;
  steps: number;
}

const CUTS = {
  '1h': { grain: 'minute', stepMs: MINUTE_MS, steps: 60 },
  '24h': { grain: 'minute', stepMs: 15 * MINUTE_MS, steps: 96 },
  '7d': { grain: 'hour', stepMs: 2 * HOUR_MS, steps: 84 },
  '30d': { grain: 'hour', stepMs: 8 * HOUR_MS, steps: 90 },
  '90d': { grain: 'day', stepMs: DAY_MS, steps: 90 },
} as const satisfies Record<string, Cut>;

/** The same where many keys are looked at: coarser, for each of them has rows of its own. */
const COARSE_CUTS: Record<SpanName, Cut> = {
  '1h': CUTS['1h'],
  '24h': { grain: 'hour', stepMs: HOUR_MS, steps: 24 },
  '7d': { grain: 'hour', stepMs: 6 * HOUR_MS, steps: 28 },
  '30d': { grain: 'day', stepMs: DAY_MS, steps: 30 },
  '90d': CUTS['90d'],
};

export type SpanName = keyof typeof CUTS;
export const SPANS = keysOf(CUTS);

const SPAN = oneOf(SPANS);

export const readSpan = (name: string): SpanName => read('span', SPAN, name);

/** A span that ends now. Epoch milliseconds and milliseconds. */
export interface Span extends Cut {
  name: SpanName;
  startAt: number;
  now: number;
}

/** Whole steps, the running one included. */
export function spanOf(name: SpanName, now: number, cut: Cut = CUTS[name]): Span {
  const endAt = now - (now % cut.stepMs) + cut.stepMs;
  return { ...cut, name, now, startAt: endAt - cut.steps * cut.stepMs };
}

export const coarseSpanOf = (name: SpanName, now: number): Span => spanOf(name, now, COARSE_CUTS[name]);

/** The sums that show who called most in a span: from a week on whole days, which are a fraction of its hours. */
export const sumsOf = ({ name, grain, startAt }: Span): UsageFilter => ({
  grain: name === '7d' ? 'day' : grain,
  since: startAt,
});

/** The finest grain that is kept for as long ago as a date. Epoch milliseconds. */
const grainSince = (now: number, since: number): Grain =>
  now - since <= USAGE_KEPT_MS.minute ? 'minute' : now - since <= USAGE_KEPT_MS.hour ? 'hour' : 'day';

/** A range of time in the finest whole steps that are kept: the first begins, and the last ends, with it. */
export function wholeSteps(now: number, since: number, until: number | undefined) {
  const grain = grainSince(now, since);
  const length = GRAIN_MS[grain];
  return {
    grain,
    since: since - (since % length),
    until: until === undefined ? undefined : Math.ceil(until / length) * length,
  };
}

/** Outcomes as a plot shows them: success, rate limit, refused by another gate or rule, failure of the server. */
export const OUTCOME_GROUPS = ['answered', 'limited', 'refused', 'failed'] as const;
type OutcomeGroup = (typeof OUTCOME_GROUPS)[number];

export function outcomeGroupOf(outcome: string): OutcomeGroup {
  if (outcome === 'ok') return 'answered';
  if (outcome === 'rate_limit_exceeded') return 'limited';
  return (FAILURE_CODES as string[]).includes(outcome) ? 'failed' : 'refused';
}

export type CallsByOutcome = Record<OutcomeGroup, number>;

export const noCalls = (): CallsByOutcome => ({ answered: 0, limited: 0, refused: 0, failed: 0 });

type CallsOf = Pick<UsageFilter, 'brokerId' | 'keyId'>;

/** A step's outcomes and gates are a few dozen at most. */
const MAX_SUMS = 10_000;

/** A step of which less has passed says little of calls a minute. */
const MIN_STEP_MS = 2 * MINUTE_MS;

/**
 * Calls of a span: step by step by how they ended, how many there were before in a span as long, how long they took, and
 * which gate refused them. What was called within the last ten seconds may be missing.
 */
export async function trafficOf({ usage }: Pick<Reads, 'usage'>, span: Span, owner: CallsOf = {}) {
  const { grain, stepMs, steps, startAt, now } = span;
  const lengthMs = steps * stepMs;
  const sums = await usage.tallyCalls(
    { grain, since: startAt, stepMs, ...owner },
    ['fromAt', 'outcome', 'gate'],
    MAX_SUMS,
  );
  const [before] = await usage.tallyCalls({ grain, since: startAt - lengthMs, until: now - lengthMs, ...owner }, [], 1);
  const [all] = await usage.tally({ grain, since: startAt, ...owner }, [], 1);
  const durations = all?.durations ?? [];
  const at = (share: number) => percentile(durations, share);
  return {
    span: span.name,
    since_date: isoTimestamp(startAt),
    calls: all?.calls ?? 0,
    calls_before: before?.calls ?? 0,
    ends: callsByOutcome(sums),
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    steps: stepsOf(sums, span),
    refused_by_gate: byGate(sums),
  };
}

export const callsByOutcome = (sums: ReadonlyArray<CallSum<'outcome'>>): CallsByOutcome => {
  const ends = noCalls();
  for (const { outcome, calls } of sums) ends[outcomeGroupOf(outcome)] += calls;
  return ends;
};

function stepsOf(sums: ReadonlyArray<CallSum<'fromAt' | 'outcome'>>, { startAt, stepMs, steps, now }: Span) {
  const points = Array.from({ length: steps }, (_, index) => {
    const from = startAt + index * stepMs;
    return { from_date: isoTimestamp(from), minutes: Math.min(stepMs, now - from) / MINUTE_MS, ...noCalls() };
  });
  for (const { fromAt, outcome, calls } of sums) {
    const point = points[(fromAt - startAt) / stepMs];
    if (point) point[outcomeGroupOf(outcome)] += calls;
  }
  const running = now - (startAt + (steps - 1) * stepMs);
  return running < MIN_STEP_MS ? points.slice(0, -1) : points;
}

/** Refused calls by the gate that refused them, in the order of the gates; those that refused none are left out. */
function byGate(sums: ReadonlyArray<CallSum<'gate' | 'outcome'>>) {
  const counts = new Map<number, number>();
  for (const { gate, outcome, calls } of sums) {
    if (outcome === 'ok') continue;
    counts.set(gate, (counts.get(gate) ?? 0) + calls);
  }
  return (
    [...counts]
      .sort(([a], [b]) => a - b)
      // Counted by the number that a gate has there.
      .map(([gate, calls]) => ({ gate: gateOf(gate), calls }))
  );
}

export type Traffic = Awaited<ReturnType<typeof trafficOf>>;

/** Points of a line of a few keys: what each has in a coarse span's steps. */
const MAX_POINTS = 20_000;

/**
 * What a few keys called, step by step in a coarse span: all calls, and how many of them did not go well. `brokerIds` are
 * whose keys these are.
 */
export async function readTrafficLines(
  { usage }: Pick<Reads, 'usage'>,
  { grain, stepMs, steps, startAt, now }: Span,
  { brokerIds, keyIds }: { brokerIds: readonly string[]; keyIds: readonly string[] },
) {
  const sums =
    keyIds.length === 0
      ? []
      : await usage.tallyCalls(
          { grain, since: startAt, stepMs, brokerIds, keyIds },
          ['fromAt', 'keyId', 'outcome'],
          MAX_POINTS,
        );
  // A step that has only begun would look like a fall.
  const begun = now - (startAt + (steps - 1) * stepMs) < stepMs / 2;
  const shown = begun ? steps - 1 : steps;
  const lines = new Map(keyIds.map((keyId) => [keyId, { calls: 0, refused: 0, points: zeros(shown) }]));
  for (const { fromAt, keyId, outcome, calls } of sums) {
    // The filter names these keys alone.
    const line = lines.get(keyId) as UseOfKey;
    const index = (fromAt - startAt) / stepMs;
    line.calls += calls;
    if (outcome !== 'ok') line.refused += calls;
    if (line.points[index] !== undefined) line.points[index] += calls;
  }
  return lines;
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

export type UseOfKey = { calls: number; refused: number; points: number[] };
