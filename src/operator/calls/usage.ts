import { Type } from '@sinclair/typebox';
import { LossMark, Nullable, OneOf, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { pagination } from '../../records.ts';
import { percentile } from '../../rules/histograms.ts';
import { lostMark } from '../../rules/lost-spans.ts';
import { omit } from '../../rules/omit.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import {
  type EndedSum,
  GRAIN_MS,
  type Grain,
  USAGE_KEPT_MS,
  type UsageDimension,
  type UsageFilter,
  type UsagePosition,
} from '../../store/queries/usage.ts';
import { BROKER, type ReadDeps } from '../use-case/dependencies.ts';
import { invalid } from '../use-case/errors.ts';
import { exportCsv, limitedPages, type Pieces, readPages, recordsOf } from '../use-case/exports.ts';
import { flag, integer, named, type OptionalTexts, oneOf, pattern, read } from '../use-case/fields.ts';
import {
  COUNTED_MOST,
  limitOf,
  type PageInput,
  SHORT_LIST,
  totalOf,
  WINDOW,
  wholeList,
  windowOf,
} from '../use-case/pages.ts';
import { answerSchema } from '../use-case/record.ts';
import { namesOf, readOwner, readSince, refuseReversed, TIME_RANGE } from '../use-case/time-range.ts';
import { useCase } from '../use-case/use-case.ts';

const USAGE_STEPS = ['minute', 'hour', 'day', 'month'] as const;
const STEP = oneOf(USAGE_STEPS);

/** A list of more is an export. */
const MAX_LISTED = 1_000_000;

/** Stored rows of one window: grouped anew for each of its pages. */
const WINDOW_ROWS = 2_000;

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
  const { truncated, rows } = await sumUp(deps, input);
  return { truncated, rows: rows.map((row) => omit(row, 'until_date', 'broker_name')) };
}

async function sumUp(deps: ReadDeps, input: UsageInput) {
  const limit = readLimit(input);
  const span = await spanOf(deps, input);
  const sums: DatedSum[] = [];
  for await (const window of windowsOf(deps, span)) {
    for await (const page of sumsOf(deps, span, window)) sums.push(...page);
    if (sums.length > limit) break;
  }
  sums.sort((a, b) => b.from - a.from || b.calls - a.calls);
  return { truncated: sums.length > limit, rows: await usageRecords(deps, span, sums.slice(0, limit)) };
}

/**
 * The same rows for a table as CSV, newest first, then by broker and key. Throws an `OperatorError` before the first, and
 * behind the last where there are more than `limit`.
 */
export async function tableOfUsage(deps: ReadDeps, input: UsageInput): Promise<Pieces> {
  const limit = readLimit(input);
  const span = await spanOf(deps, input);
  const pages = pagesOfUsage(deps, span);
  const columns = input.byOperation ? USAGE_COLUMNS_BY_OPERATION : USAGE_COLUMNS;
  return exportCsv([...columns, ...(await lostColumn(deps, span))], limitedPages(pages, limit));
}

const MILLISECONDS = (share: string) =>
  Nullable(Type.Number({ minimum: 0, description: `What ${share} took at most, in milliseconds`, examples: [0.52] }));

const COUNT = (description: string) => Whole(0, Number.MAX_SAFE_INTEGER, description);
const COUNTS = {
  calls: COUNT('How many calls there were'),
  answered: COUNT('Of these, answered with success'),
  refused: COUNT('Of these, refused by a gate or a rule'),
  failed: COUNT('Of these, failed on this side'),
};
const MODE = Nullable(
  OneOf(['live', 'test'], { description: 'Of a live or a test key; null: of none, or of several' }),
);

/** The columns of a table of usage, in their order. */
export const USAGE_COLUMNS = [
  ...['from_date', 'broker', 'key_prefix', 'mode'],
  ...['calls', 'answered', 'refused', 'failed', 'p50_ms', 'p99_ms'],
];
export const USAGE_COLUMNS_BY_OPERATION = [
  ...['from_date', 'broker', 'key_prefix', 'mode', 'operation', 'outcome', 'calls', 'p50_ms', 'p99_ms'],
];

/** The same as `listUsage`, by the name of its command. */
export const showUsage = useCase({
  name: 'usage',
  title: 'Usage',
  summary: 'Count calls',
  description: 'Show calls by broker and key over a span, as for a bill',
  example: 'usage --broker acme --since 2030-01-01 --until 2030-02-01 --by month --csv',
  input: Type.Object({
    broker: Type.Optional(BROKER.broker),
    key: Type.Optional(named('key', 'Of one key, by its id or prefix')),
    ...TIME_RANGE,
    by: Type.Optional(oneOf(USAGE_STEPS, { description: 'A row for each step; by default one for the span' })),
    by_operation: Type.Optional(flag({ description: 'By operation and outcome too' })),
    ...WINDOW,
  }),
  path: 'GET /usage',
  answer: answerSchema('Usage', {
    from_date: Timestamp('When the span or step begins.'),
    broker: Nullable(Shown(64, 'The broker’s slug; null: calls whose key was refused')),
    key_prefix: Nullable(Shown(16, 'What may be shown of the key')),
    mode: MODE,
    operation: Type.Optional(Shown(64, 'The operationId of v1')),
    outcome: Type.Optional(Shown(64, 'ok, or the error’s code')),
    ...COUNTS,
    p50_ms: MILLISECONDS('half of them'),
    p99_ms: MILLISECONDS('99 of 100'),
    ...LossMark,
  }),
  columns: USAGE_COLUMNS,
  furtherColumns: ['records_lost'],
  async run(deps: ReadDeps, { by_operation: byOperation, limit, offset, ...input }) {
    const { rows, truncated } = await listUsage(deps, { ...input, byOperation, limit: String(COUNTED_MOST) });
    const total = truncated ? undefined : totalOf(rows.length);
    const records = rows.slice(offset, offset + limit);
    return { total, truncated: truncated || offset + limit < rows.length, records };
  },
});

type UsageInput = OptionalTexts<'broker' | 'key' | 'since' | 'until' | 'by' | 'limit'> & {
  byOperation?: boolean | undefined;
};

const readLimit = ({ limit = '10000' }: UsageInput): number => read('limit', integer(1, MAX_LISTED), limit);

/** What is added up. */
interface Span {
  step: (typeof USAGE_STEPS)[number] | undefined;
  filter: UsageFilter & { stage: number };
  dimensions: readonly UsageDimension[];
  /** Steps are added up whole: one that the end cuts counts to its own end. Excluded, epoch milliseconds. */
  end: number;
}

async function spanOf({ store, clock }: ReadDeps, input: UsageInput): Promise<Span> {
  const now = clock.now();
  const step = input.by === undefined ? undefined : read('by', STEP, input.by);
  const from = readSince(now, input.since ?? '24h');
  const until = input.until === undefined ? undefined : readSince(now, input.until, 'until');
  refuseReversed(from, until);
  const grain = step === undefined ? finestOf(now, from, until, input.since) : step === 'month' ? 'day' : step;
  const since = step === 'month' ? monthOf(from) : from - (from % GRAIN_MS[grain]);
  const filter = { grain, since, until, ...(await readOwner(store.read, input)) };
  const dimensions: UsageDimension[] = ['brokerId', 'keyId'];
  if (input.byOperation) dimensions.push('operation', 'outcome');
  // A window of months is one month.
  if (step !== undefined && step !== 'month') dimensions.unshift('fromAt');
  // No summary by key says how calls ended.
  const stage = await store.slow(operatorOwner(), ({ usage }) => usage.findStage(filter, [...dimensions, 'outcome']));
  const end = until === undefined ? now : Math.ceil(until / GRAIN_MS[grain]) * GRAIN_MS[grain];
  return { step, filter: { ...filter, stage }, dimensions, end: Math.min(end, now) };
}

/**
 * The span in parts of whole steps, newest first: so many that each has about `WINDOW_ROWS` stored rows, a month, or
 * without steps all of it. So no page of an export adds up more than its window, and an empty time costs nothing.
 */
async function* windowsOf({ store }: ReadDeps, { step, filter }: Span): AsyncGenerator<Span['filter']> {
  if (step === undefined) return yield filter;
  const count = step === 'month' ? 1 : WINDOW_ROWS;
  for (let until = filter.until; ; ) {
    const before = { ...filter, until };
    const at = await store.slow(operatorOwner(), ({ usage }) => usage.findNthNewest(before, count));
    const since = at === null ? filter.since : startOf(step, at);
    yield { ...before, since };
    if (at === null || since <= filter.since) return;
    until = since;
  }
}

/** By key, and by what else the span adds up. */
type KeySum = EndedSum<'brokerId' | 'keyId'> & UsagePosition;

interface DatedSum extends KeySum {
  /** When its step, or the span, begins. Epoch milliseconds. */
  from: number;
}

/** The sums of a window, page by page. */
const sumsOf = (deps: ReadDeps, { dimensions }: Span, window: Span['filter']): AsyncGenerator<DatedSum[]> =>
  recordsOf(
    readPages<KeySum>(deps, ({ usage }, limit, last) => usage.list(window, dimensions, limit, last)),
    (sums) => sums.map((sum) => ({ ...sum, from: sum.fromAt ?? window.since })),
  );

async function* pagesOfUsage(deps: ReadDeps, span: Span) {
  for await (const window of windowsOf(deps, span)) {
    yield* recordsOf(sumsOf(deps, span, window), (sums) => usageRecords(deps, span, sums));
  }
}

async function usageRecords({ store }: ReadDeps, { step, end }: Span, sums: readonly DatedSum[]) {
  const losses = await store.read.history.list();
  const brokers = new Map((await store.read.brokers.list()).map((broker) => [broker.id, broker]));
  const names = await namesOf(
    store.read,
    sums.map(({ keyId }) => keyId),
  );
  return sums.map(({ from, brokerId, keyId, operation, outcome, calls, answered, failed, durations }) => ({
    from_date: isoTimestamp(from),
    until_date: isoTimestamp(Math.min(endOf(from, step) ?? end, end)),
    broker: brokers.get(brokerId)?.slug ?? null,
    broker_name: brokers.get(brokerId)?.name ?? null,
    key_prefix: names.keyPrefix(keyId),
    mode: names.keyMode(keyId),
    ...(operation !== undefined && outcome !== undefined && { operation, outcome }),
    calls,
    answered,
    refused: calls - answered - failed,
    failed,
    p50_ms: percentile(durations, 0.5),
    p99_ms: percentile(durations, 0.99),
    ...lostMark(losses, from, Math.min(endOf(from, step) ?? end, end)),
  }));
}

type UsageRecord = Awaited<ReturnType<typeof usageRecords>>[number];

const COUNTED = ['calls', 'answered', 'refused', 'failed'] as const;

/** What each broker called in all, and how much of it with test keys. */
function createTotals() {
  const totals = new Map<string | null, BrokerTotal>();
  return {
    add(row: UsageRecord): void {
      const { broker, broker_name } = row;
      const total = totals.get(broker) ?? { broker, broker_name, ...NO_CALLS };
      totals.set(broker, total);
      for (const name of COUNTED) total[name] += row[name];
      if (row.mode === 'test') total.test_calls += row.calls;
    },
    all: (): BrokerTotal[] => [...totals.values()],
  };
}

type BrokerTotal = Pick<UsageRecord, 'broker' | 'broker_name'> & Record<keyof typeof NO_CALLS, number>;
const NO_CALLS = { calls: 0, answered: 0, refused: 0, failed: 0, test_calls: 0 };

/**
 * One page of the same, 10,000 rows at most in all, with the brokers by their names and what each of them called in all.
 * @returns `first_date`: where there is nothing, the day of the first calls that are counted, null where there are none
 */
export async function pageUsage(
  deps: ReadDeps,
  { page, ...input }: OptionalTexts<'broker' | 'key' | 'since' | 'until' | 'by'> & PageInput,
) {
  const window = windowOf({ page, perPage: ROWS_A_PAGE });
  const { rows, truncated } = await sumUp(deps, input);
  const totals = createTotals();
  rows.forEach(totals.add);
  const first = rows.length > 0 ? null : await deps.store.read.usage.findFirst('day', undefined);
  return {
    items: rows.slice(window.offset, window.offset + window.limit),
    totals: totals.all().sort((one, other) => other.calls - one.calls),
    total: rows.reduce((sum, { calls }) => sum + calls, 0),
    first_date: first && isoTimestamp(first.fromAt),
    pagination: { ...pagination(window, rows.length), isMore: truncated },
  };
}

/** The dates of a month such as `2030-01`: the first is included, the last is not. Throws an `OperatorError`. */
export function datesOfMonth(month: string): { since: string; until: string } {
  if (!MONTH.test(month)) throw invalid({ field: 'month', message: 'must be a month such as 2030-01' });
  const [year, number] = month.split('-').map(Number) as [number, number];
  return { since: `${month}-01`, until: isoTimestamp(Date.UTC(year, number)).slice(0, 10) };
}

/**
 * The same rows as a CSV file for a bill, each with the name of its broker and the end of its time, and behind them a total
 * of each broker. Throws an `OperatorError` before its first piece.
 */
export async function exportUsage(
  deps: ReadDeps,
  input: OptionalTexts<'broker' | 'key' | 'since' | 'until' | 'by'>,
): Promise<Pieces> {
  const span = await spanOf(deps, input);
  return exportCsv([...BILL_COLUMNS, ...(await lostColumn(deps, span))], billLines(deps, span), { mark: true });
}

/** Only a file whose span touches a loss of records has the column. */
async function lostColumn({ store }: ReadDeps, { filter, end }: Span): Promise<string[]> {
  return Object.keys(lostMark(await store.read.history.list(), filter.since, end));
}

async function* billLines(deps: ReadDeps, span: Span) {
  const totals = createTotals();
  for await (const page of pagesOfUsage(deps, span)) {
    page.forEach(totals.add);
    yield page.map((row) => ({ ...row, line: 'key' as const }));
  }
  const dates = { from_date: isoTimestamp(span.filter.since), until_date: isoTimestamp(span.end) };
  const none = { key_prefix: null, mode: null };
  const lost = lostMark(await deps.store.read.history.list(), span.filter.since, span.end);
  yield totals
    .all()
    .map((total) => ({ line: 'total' as const, ...dates, ...omit(total, 'test_calls'), ...none, ...lost }));
}

const BILL_COLUMNS = [
  ...['line', 'from_date', 'until_date', 'broker', 'broker_name', 'key_prefix', 'mode'],
  ...['calls', 'answered', 'refused', 'failed'],
];

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** What brokers called in a month, by key and in all. */
export const showBill = useCase({
  name: 'bill',
  title: 'Bill',
  summary: 'Read the bill of a month',
  description: 'Show the calls of a month by broker and key, with the total of each broker',
  example: 'bill --month 2030-01 --csv',
  input: Type.Object({
    month: Type.Optional(
      pattern(MONTH, 'a month such as 2030-01', {
        title: 'Month',
        description: 'In UTC; by default the one that runs',
      }),
    ),
    broker: Type.Optional(BROKER.broker),
    ...SHORT_LIST,
    limit: limitOf(MAX_LISTED),
  }),
  path: 'GET /bill',
  answer: answerSchema('BillLine', {
    line: OneOf(['key', 'total'], { description: 'The calls of a key, or of all keys of the broker' }),
    from_date: Timestamp('When the month begins.'),
    until_date: Timestamp('When it ends, excluded; now for the month that runs.'),
    broker: Nullable(Shown(64, 'The broker’s slug; null: calls whose key was refused')),
    broker_name: Nullable(Shown(200, 'The broker’s name')),
    key_prefix: Nullable(Shown(16, 'What may be shown of the key; null: a total')),
    mode: MODE,
    ...COUNTS,
    ...LossMark,
  }),
  columns: ['line', 'broker', 'broker_name', 'key_prefix', 'mode', ...COUNTED],
  furtherColumns: ['records_lost'],
  async run(deps: ReadDeps, { month, broker, ...window }) {
    const range = datesOfMonth(month ?? isoTimestamp(deps.clock.now()).slice(0, 7));
    const lines = [];
    const pages = billLines(deps, await spanOf(deps, { ...range, broker, by: 'month' }));
    for await (const page of pages) lines.push(...page.map(({ line, ...row }) => billLine(line, row)));
    return wholeList(lines, window);
  },
});

const billLine = (line: 'key' | 'total', row: Omit<UsageRecord, 'p50_ms' | 'p99_ms'>) => ({
  line,
  from_date: row.from_date,
  until_date: row.until_date,
  broker: row.broker,
  broker_name: row.broker_name,
  key_prefix: row.key_prefix,
  mode: row.mode,
  calls: row.calls,
  answered: row.answered,
  refused: row.refused,
  failed: row.failed,
  ...(row.records_lost && { records_lost: true as const }),
});

/** When a step ends, excluded; undefined for the whole span. Epoch milliseconds. */
function endOf(from: number, step: (typeof USAGE_STEPS)[number] | undefined): number | undefined {
  if (step !== 'month') return step && from + GRAIN_MS[step];
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export type UsagePage = Awaited<ReturnType<typeof pageUsage>>;

/** The beginning of the month in UTC. */
function monthOf(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

const startOf = (step: (typeof USAGE_STEPS)[number], ms: number): number =>
  step === 'month' ? monthOf(ms) : ms - (ms % GRAIN_MS[step]);

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
