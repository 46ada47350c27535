import { pagination } from '../records.ts';
import { percentile } from '../rules/durations.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { linesOf } from '../store/csv.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import { GRAIN_MS, type Grain, USAGE_KEPT_MS, type UsageDimension, type UsageSum } from '../store/usage.ts';
import type { ReadDeps } from './dependencies.ts';
import { invalid } from './errors.ts';
import { integer, oneOf, read, type Texts } from './fields.ts';
import { type PageInput, windowOf } from './pages.ts';
import { namesOf, readOwner, readSince } from './time-range.ts';

export const USAGE_STEPS = ['minute', 'hour', 'day', 'month'] as const;
const STEP = oneOf(USAGE_STEPS);

/** Sums that are read at most: a month is added up from its days. */
const MOST_READ = 1_000_000;
const DAYS_A_MONTH = 31;

/** Most bills stand on one page, and on paper as a whole; more would make the page heavier than 100 kB. */
const ROWS_A_PAGE = 200;

/** A length of time before now, not a date. */
const LENGTH = /^\s*\d+\s*[a-z]+\s*$/i;
/** So far back one goes by minutes. */
const MINUTES_FOR_MS = 6 * GRAIN_MS.hour;

/**
 * Calls added up over a span by broker and key, newest and most calls first. Calls whose key was refused have neither.
 * What was called within the last ten seconds may be missing. Contract, sections 9 and 11.
 * @param input `since` and `until` (excluded): a length of time before now, or a date; both go by whole steps. Without
 * `by` a date goes by the finest step that is kept for so long, a length of more than six hours by hours. `by`: a row for
 * each step in place of one for the span. `byOperation`: for each operation and outcome too.
 * @returns `truncated`: more rows than `limit`; the oldest, or without `by` those with the fewest calls, are left out
 */
export async function listUsage(deps: ReadDeps, input: UsageInput = {}) {
  const { truncated, rows } = await sumUsage(deps, input);
  return { truncated, rows };
}

type UsageInput = Texts<'broker' | 'key' | 'since' | 'until' | 'by' | 'limit'> & { byOperation?: boolean | undefined };

/** The same, with the step of the rows and the end of the span that was added up (excluded, epoch milliseconds). */
async function sumUsage({ store, clock }: ReadDeps, input: UsageInput) {
  const now = clock.now();
  const step = input.by === undefined ? undefined : read('by', STEP, input.by);
  const from = readSince(now, input.since ?? '24h');
  const until = input.until === undefined ? undefined : readSince(now, input.until, 'until');
  if (until !== undefined && until <= from) throw invalid({ field: 'until', message: 'must be after since' });
  const grain = step === undefined ? finestOf(now, from, until, input.since) : step === 'month' ? 'day' : step;
  const since = step === 'month' ? monthOf(from) : from - (from % GRAIN_MS[grain]);
  const limit = read('limit', integer(1, MOST_READ), input.limit ?? '10000');
  const owner = await readOwner(store.read, input);

  const dimensions: UsageDimension[] = ['brokerId', 'keyId'];
  if (step !== undefined) dimensions.unshift('fromAt');
  if (input.byOperation) dimensions.push('operation', 'outcome');
  const most = Math.min(step === 'month' ? limit * DAYS_A_MONTH : limit, MOST_READ);
  const filter = { since, until, ...owner };
  const sums = await store.slow(OPERATOR, ({ usage }) => usage.tally({ ...filter, grain }, dimensions, most + 1));

  const startOf = ({ fromAt }: { fromAt?: number | undefined }): number => {
    if (step === undefined || fromAt === undefined) return since;
    return step === 'month' ? monthOf(fromAt) : fromAt;
  };
  const merged = step === 'month' ? monthsOf(sums.slice(0, most)) : sums;
  // Of the month that the cut goes through some days are missing.
  const cutAt = step === 'month' && sums.length > most ? startOf(sums.at(-1) as UsageSum) : undefined;
  const whole = cutAt === undefined ? merged : merged.filter((row) => startOf(row) > cutAt);
  const names = await namesOf(
    store.read,
    whole.slice(0, limit).map(({ keyId }) => keyId as string),
  );
  const rows = whole.slice(0, limit).map((row) => ({
    from_date: isoTimestamp(startOf(row)),
    broker: names.broker(row.brokerId as string),
    key_prefix: names.keyPrefix(row.keyId as string),
    ...(input.byOperation && { operation: row.operation as string, outcome: row.outcome as string }),
    calls: row.calls,
    p50_ms: percentile(row.durations, 0.5),
    p99_ms: percentile(row.durations, 0.99),
  }));
  // Steps are added up whole: one that the end cuts counts to its own end.
  const end = until === undefined ? now : Math.ceil(until / GRAIN_MS[grain]) * GRAIN_MS[grain];
  return { truncated: cutAt !== undefined || whole.length > limit, rows, step, end: Math.min(end, now) };
}

/**
 * One page of the same, 10,000 rows at most in all, with the brokers by their names and what each of them called in all,
 * and the span that was added up.
 */
export async function pageUsage(
  deps: ReadDeps,
  { page, ...input }: Texts<'broker' | 'key' | 'since' | 'until' | 'by'> & PageInput,
) {
  const window = windowOf({ page, perPage: ROWS_A_PAGE });
  const { rows, truncated } = await listUsage(deps, input);
  const named = await withBrokerNames(deps, rows);
  const totals = new Map<string | null, { broker: string | null; broker_name: string | null; calls: number }>();
  for (const { broker, broker_name, calls } of named) {
    totals.set(broker, { broker, broker_name, calls: calls + (totals.get(broker)?.calls ?? 0) });
  }
  return {
    items: named.slice(window.offset, window.offset + window.limit),
    totals: [...totals.values()].sort((one, other) => other.calls - one.calls),
    total: rows.reduce((sum, { calls }) => sum + calls, 0),
    pagination: { ...pagination(window, rows.length), isMore: truncated },
  };
}

async function withBrokerNames<Row extends { broker: string | null }>({ store }: ReadDeps, rows: Row[]) {
  const names = new Map((await store.read.brokers.list()).map(({ slug, name }) => [slug, name]));
  return rows.map((row) => ({ ...row, broker_name: row.broker === null ? null : (names.get(row.broker) ?? null) }));
}

/** The dates of a month such as `2030-01`: the first is included, the last is not. Throws an `OperatorError`. */
export function datesOfMonth(month: string): { since: string; until: string } {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw invalid({ field: 'month', message: 'must be a month such as 2030-01' });
  const [year, number] = month.split('-').map(Number) as [number, number];
  return { since: `${month}-01`, until: isoTimestamp(Date.UTC(year, number)).slice(0, 10) };
}

/** The same rows as CSV for a bill, each with the name of its broker and the end of its time. */
export async function exportUsage(
  deps: ReadDeps,
  input: Texts<'broker' | 'key' | 'since' | 'until' | 'by'>,
): Promise<{ csv: string; truncated: boolean }> {
  const { rows, truncated, step, end } = await sumUsage(deps, { ...input, limit: String(MOST_READ) });
  const lines = (await withBrokerNames(deps, rows)).map((row) => {
    const until_date = isoTimestamp(Math.min(endOf(Date.parse(row.from_date), step) ?? end, end));
    return BILL_COLUMNS.map((column) => ({ ...row, until_date })[column]);
  });
  return { csv: String(linesOf([[...BILL_COLUMNS], ...lines])), truncated };
}

const BILL_COLUMNS = [
  'from_date',
  'until_date',
  'broker',
  'broker_name',
  'key_prefix',
  'calls',
  'p50_ms',
  'p99_ms',
] as const;

/** When a step ends, excluded; undefined for the whole span. Epoch milliseconds. */
function endOf(from: number, step: (typeof USAGE_STEPS)[number] | undefined): number | undefined {
  if (step !== 'month') return step && from + GRAIN_MS[step];
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export type UsagePage = Awaited<ReturnType<typeof pageUsage>>;

/** The columns of a table of usage, in their order. */
export const USAGE_COLUMNS = ['from_date', 'broker', 'key_prefix', 'calls', 'p50_ms', 'p99_ms'];
export const USAGE_COLUMNS_BY_OPERATION = [
  'from_date',
  'broker',
  'key_prefix',
  'operation',
  'outcome',
  'calls',
  'p50_ms',
  'p99_ms',
];

/** The beginning of the month in UTC. */
function monthOf(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Sums of days, newest first, as sums of months. */
function monthsOf(days: readonly UsageSum[]): UsageSum[] {
  const months = new Map<string, UsageSum>();
  for (const { fromAt, brokerId, keyId, operation, outcome, calls, durations } of days) {
    const month = monthOf(fromAt as number);
    const name = [month, brokerId, keyId, operation, outcome].join(' ');
    const sum = months.get(name);
    months.set(name, {
      ...{ fromAt: month, brokerId, keyId, operation, outcome },
      calls: calls + (sum?.calls ?? 0),
      durations: durations.map((count, bucket) => count + (sum?.durations[bucket] ?? 0)),
    } as UsageSum);
  }
  return [...months.values()].sort((a, b) => (b.fromAt as number) - (a.fromAt as number) || b.calls - a.calls);
}

/**
 * The finest that is kept for so long, and that it takes: a length of time goes by hours when it is a long one, at a tenth
 * of the cost.
 */
function finestOf(now: number, from: number, until: number | undefined, since = '24h'): Grain {
  const agoMs = now - from;
  const goesByHours = LENGTH.test(since) && (until ?? 0) % GRAIN_MS.hour === 0;
  if (agoMs <= (goesByHours ? MINUTES_FOR_MS : USAGE_KEPT_MS.minute)) return 'minute';
  return agoMs <= USAGE_KEPT_MS.hour ? 'hour' : 'day';
}
