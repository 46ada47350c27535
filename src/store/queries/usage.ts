import { and, asc, desc, eq, gte, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { DURATION_COLUMNS, type Tables } from '../../../drizzle/tables.ts';
import { FAILURE_CODES } from '../../errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../rules/durations.ts';
import type { PageWindow, Session } from '../session/session.ts';
import { behindAscending, given, sumOf, TOTAL } from '../session/statements.ts';

type StoredRow = Tables['usage']['$inferSelect'];

export type Grain = 'minute' | 'hour' | 'day';

export const GRAIN_MS: Readonly<Record<Grain, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** How long the sums of each grain are kept (contract, section 11). Milliseconds. */
export const USAGE_KEPT_MS: Readonly<Record<Grain, number>> = {
  minute: 48 * GRAIN_MS.hour,
  hour: 90 * GRAIN_MS.day,
  day: 2 * 366 * GRAIN_MS.day,
};

/** The calls of a minute with the same dimensions. */
export interface UsageRow
  extends Pick<StoredRow, 'fromAt' | 'brokerId' | 'keyId' | 'operation' | 'outcome' | 'gate' | 'calls'> {
  /** Calls per bucket of src/rules/durations.ts. */
  durations: readonly number[];
}

const USAGE_DIMENSIONS = ['fromAt', 'brokerId', 'keyId', 'operation', 'outcome', 'gate'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

/** Calls added up by these dimensions. */
export type CallSum<D extends UsageDimension> = Pick<UsageRow, D | 'calls'>;

export type UsageSum<D extends UsageDimension> = Pick<UsageRow, D | 'calls' | 'durations'>;

/** A sum with how its calls ended; the others were refused. */
export type EndedSum<D extends UsageDimension> = UsageSum<D> & { answered: number; failed: number };

/** The dimensions of the last group that was read. */
export type UsagePosition = Partial<Pick<UsageRow, UsageDimension>>;

export interface UsageFilter {
  grain: Grain;
  /** The first minute, hour or day is the one of this date; epoch milliseconds. */
  since: number;
  /** Exclusive; epoch milliseconds. */
  until?: number | undefined;
  /** The step of `fromAt`, a multiple of the grain. Milliseconds. */
  stepMs?: number | undefined;
  brokerId?: string | undefined;
  keyId?: string | undefined;
  brokerIds?: readonly string[] | undefined;
  keyIds?: readonly string[] | undefined;
  operation?: string | undefined;
  outcome?: string | undefined;
  /** Only calls that did not succeed. */
  refused?: boolean | undefined;
  /** As `findStage` returns it, so that all pages of a list add up the same rows; else each query finds its own. */
  stage?: number | undefined;
}

/** The dimensions of a caller's own use. */
const OF_ONE_OWNER = ['fromAt', 'operation', 'outcome'] as const;

/**
 * The stages of a row. Counts are added to the minute, the hour and the day in one transaction, so that each of these has
 * every call once. Summaries are stages with fewer dimensions and so fewer rows: over all brokers, keys and operations;
 * and per key, by success.
 */
const MINUTE = 1;
const HOUR = 2;
const DAY = 3;

const STAGE_OF: Readonly<Record<Grain, number>> = { minute: MINUTE, hour: HOUR, day: DAY };

interface Summary {
  stageOf: Readonly<Partial<Record<Grain, number>>>;
  /** The dimensions that it keeps. */
  dimensions: readonly UsageDimension[];
  /** The values of the others. */
  of(row: StoredRow): Partial<StoredRow>;
}

const SUMMARIES: readonly Summary[] = [
  {
    stageOf: { minute: 4, hour: 5, day: 6 },
    dimensions: ['fromAt', 'outcome', 'gate'],
    of: () => ({ brokerId: '', keyId: '', operation: '' }),
  },
  {
    stageOf: { hour: 7, day: 8 },
    dimensions: ['fromAt', 'brokerId', 'keyId'],
    of: ({ outcome }) => ({ operation: '', outcome: outcome === 'ok' ? 'ok' : '', gate: 0 }),
  },
];

const stagesOf = (grain: Grain): number[] => [
  STAGE_OF[grain],
  ...SUMMARIES.flatMap(({ stageOf }) => stageOf[grain] ?? []),
];

/** Rows per statement: times 37 columns far below SQLite's limit of 32766 parameters. */
const ROWS_A_STATEMENT = 100;

export function usageReads({ db, tables: { usage } }: Session) {
  const calls = total(usage.calls);
  const durations = Object.fromEntries(DURATION_COLUMNS.map((name) => [name, total(usage[name])]));
  const callsWith = (outcomes: readonly string[]): SQL<number> =>
    sql<number>`sum(case when ${inArray(usage.outcome, [...outcomes])} then ${usage.calls} else 0 end)`.mapWith(Number);

  /** The groups of these dimensions, with these columns of each. */
  async function grouped(
    filter: UsageFilter,
    by: readonly UsageDimension[],
    columns: Record<string, SQL<number>>,
    last?: UsagePosition,
  ) {
    const stage = filter.stage ?? (await stageOf(filter, by));
    const length = GRAIN_MS[filter.grain];
    const step = sql.raw(String(filter.stepMs ?? length));
    const from = sql<number>`${usage.fromAt} - ${usage.fromAt} % ${step}`;
    const dimension = (name: UsageDimension): SQL => (name === 'fromAt' ? from : sql`${usage[name]}`);
    function behind(position: UsagePosition): SQL | undefined {
      const names = by.filter((name) => name !== 'fromAt');
      const values = names.map((name) => position[name]);
      const later = behindAscending(
        names.map((name) => usage[name]),
        values,
      );
      if (position.fromAt === undefined) return later;
      return or(lt(usage.fromAt, position.fromAt), and(sql`${from} = ${position.fromAt}`, later));
    }
    const query = db
      .select({
        ...Object.fromEntries(by.map((name) => [name, dimension(name).mapWith(usage[name]).as(aliasOf(name))])),
        ...columns,
      })
      .from(usage)
      .where(and(eq(usage.stage, stage), narrowed(filter), last && behind(last)))
      .groupBy(...by.map(named));
    // In an object, because a query is a promise.
    return { query };
  }

  async function sums(
    filter: UsageFilter,
    by: readonly UsageDimension[],
    limit: number,
    columns: Record<string, SQL<number>>,
  ): Promise<Array<Record<string, unknown>>> {
    const { query } = await grouped(filter, by, columns);
    return query
      .orderBy(...(by.includes('fromAt') ? [desc(named('fromAt'))] : []), desc(calls), ...by.map(named))
      .limit(limit);
  }

  const narrowed = (filter: UsageFilter): SQL | undefined =>
    and(
      gte(usage.fromAt, beginningOf(filter)),
      given(lt, usage.fromAt, filter.until),
      given(eq, usage.brokerId, filter.brokerId),
      given(eq, usage.keyId, filter.keyId),
      filter.brokerIds && inArray(usage.brokerId, [...filter.brokerIds]),
      filter.keyIds && inArray(usage.keyId, [...filter.keyIds]),
      given(eq, usage.operation, filter.operation),
      given(eq, usage.outcome, filter.outcome),
      filter.refused ? ne(usage.outcome, 'ok') : undefined,
    );

  /** A summary with all dimensions of the query that reaches back as far as the full rows, or else the full rows. */
  async function stageOf(filter: UsageFilter, by: readonly UsageDimension[]): Promise<number> {
    const { grain } = filter;
    const dimensionsUsed = [...by, ...filteredBy(filter)];
    for (const { stageOf, dimensions } of SUMMARIES) {
      const stage = stageOf[grain];
      if (stage === undefined || dimensionsUsed.some((name) => !dimensions.includes(name))) continue;
      if ((await firstOf(stage, filter)) <= (await firstOf(STAGE_OF[grain], filter))) return stage;
    }
    return STAGE_OF[grain];
  }

  async function firstOf(stage: number, filter: UsageFilter): Promise<number> {
    const rows = await db
      .select({ fromAt: usage.fromAt })
      .from(usage)
      .where(and(eq(usage.stage, stage), gte(usage.fromAt, beginningOf(filter))))
      .orderBy(asc(usage.fromAt))
      .limit(1);
    return rows[0]?.fromAt ?? Number.POSITIVE_INFINITY;
  }

  return {
    /**
     * Calls added up by these dimensions; with `fromAt` newest first, otherwise most calls first. Without dimensions one
     * sum, or none where there were no calls.
     */
    async tally<D extends UsageDimension>(
      filter: UsageFilter,
      by: readonly D[],
      limit: number,
    ): Promise<Array<UsageSum<D>>> {
      const rows = await sums(filter, by, limit, { calls, ...durations });
      // Without dimensions there is a row even for no calls.
      return rows.filter((row) => row.calls !== null).map((row) => sumOfRow(row, by));
    },
    /** Calls added up by span, operation and outcome: one page, newest first, then by operation and outcome. */
    async page(
      filter: UsageFilter,
      { limit, offset }: PageWindow,
    ): Promise<Array<UsageSum<(typeof OF_ONE_OWNER)[number]>>> {
      const { query } = await grouped(filter, OF_ONE_OWNER, { calls, ...durations });
      const rows: Array<Record<string, unknown>> = await query
        .orderBy(desc(named('fromAt')), named('operation'), named('outcome'))
        .limit(limit)
        .offset(offset);
      return rows.map((row) => sumOfRow(row, OF_ONE_OWNER));
    },
    findStage: stageOf,
    /**
     * Calls added up by these dimensions, of the groups behind `last` where it is given: newest first, then by the other
     * dimensions. How they ended is right where the filter's stage has outcomes. The dimensions are a position: they are
     * the groups' own, and do not change while calls are counted.
     */
    async list<D extends UsageDimension>(
      filter: UsageFilter,
      by: readonly D[],
      limit: number,
      last?: UsagePosition,
    ): Promise<Array<EndedSum<D>>> {
      const ends = { answered: callsWith(['ok']), failed: callsWith(FAILURE_CODES) };
      const { query } = await grouped(filter, by, { calls, ...ends, ...durations }, last);
      const rows: Array<Record<string, unknown>> = await query
        .orderBy(...by.map((name) => (name === 'fromAt' ? desc(named(name)) : named(name))))
        .limit(limit);
      return rows.map((row) => ({
        ...sumOfRow(row, by),
        answered: row.answered as number,
        failed: row.failed as number,
      }));
    },
    /** When the `count`-th newest row of these began; null where there are fewer. */
    async findNthNewest({ stage, ...filter }: UsageFilter & { stage: number }, count: number): Promise<number | null> {
      const [row] = await db
        .select({ fromAt: usage.fromAt })
        .from(usage)
        .where(and(eq(usage.stage, stage), narrowed(filter)))
        .orderBy(desc(usage.fromAt))
        .limit(1)
        .offset(count - 1);
      return row?.fromAt ?? null;
    },
    /** How many rows all pages of it have. */
    async countRows(filter: UsageFilter): Promise<number> {
      const { query } = await grouped(filter, OF_ONE_OWNER, {});
      return sumOf(await db.select(TOTAL).from(query.as('groups')));
    },
    /** The first sum of calls with a key that is kept at a grain, of one broker or of any; null where there is none. */
    async findFirst(grain: Grain, brokerId: string | undefined) {
      const { fromAt, keyId, operation, outcome } = usage;
      const owned = brokerId === undefined ? ne(usage.brokerId, '') : eq(usage.brokerId, brokerId);
      const [row = null] = await db
        .select({ fromAt, brokerId: usage.brokerId, keyId, operation, outcome })
        .from(usage)
        .where(and(eq(usage.stage, STAGE_OF[grain]), owned))
        .orderBy(asc(fromAt))
        .limit(1);
      return row;
    },
    /** The same without durations, at a fraction of the cost. */
    async tallyCalls<D extends UsageDimension>(
      filter: UsageFilter,
      by: readonly D[],
      limit: number,
    ): Promise<Array<CallSum<D>>> {
      return (await sums(filter, by, limit, { calls })) as Array<CallSum<D>>;
    },
  };
}

const sumOfRow = <D extends UsageDimension>(row: Record<string, unknown>, by: readonly D[]): UsageSum<D> =>
  ({
    ...Object.fromEntries(by.map((name) => [name, row[name]])),
    calls: row.calls,
    durations: DURATION_COLUMNS.map((name) => row[name]),
  }) as unknown as UsageSum<D>;

/** Without `refused`, because every summary has success. */
const filteredBy = ({ brokerId, brokerIds, keyId, keyIds }: UsageFilter): UsageDimension[] => [
  ...(brokerId !== undefined || brokerIds ? (['brokerId'] as const) : []),
  ...(keyId !== undefined || keyIds ? (['keyId'] as const) : []),
];

const beginningOf = ({ grain, since }: UsageFilter): number => since - (since % GRAIN_MS[grain]);

const aliasOf = (name: UsageDimension): string => `by_${name}`;
const named = (name: UsageDimension): SQL => sql`${sql.identifier(aliasOf(name))}`;

const total = (column: SQLiteColumn): SQL<number> => sql<number>`sum(${column})`.mapWith(Number);

export function usageWrites(session: Session) {
  const { db } = session;
  const { usage } = session.tables;
  const key = [
    usage.stage,
    usage.fromAt,
    usage.brokerId,
    usage.keyId,
    usage.operation,
    usage.outcome,
    usage.gate,
  ] as const;
  const added = Object.fromEntries(COUNTED.map((name) => [name, sql`${usage[name]} + ${sql.raw(`excluded.${name}`)}`]));

  /** Adds rows to their sums, in a fixed order, so that concurrent writers cannot deadlock. */
  async function add(rows: readonly StoredRow[], summaries: readonly Summary[]): Promise<void> {
    const sums = new Map<string, StoredRow>();
    for (const row of rows) addToGrains(sums, row, summaries);
    const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    for (let at = 0; at < sorted.length; at += ROWS_A_STATEMENT) {
      await db
        .insert(usage)
        .values(sorted.slice(at, at + ROWS_A_STATEMENT))
        .onConflictDoUpdate({ target: [...key], set: added });
    }
  }

  /** Deletes the oldest rows of these stages from before a date, at most `limit`. */
  function take(stages: number[], before: number, limit: number) {
    const old = db
      .select({ ...Object.fromEntries(key.map((column) => [column.name, column])) })
      .from(usage)
      .where(and(inArray(usage.stage, stages), lt(usage.fromAt, before)))
      .orderBy(asc(usage.fromAt))
      .limit(limit);
    return db.delete(usage).where(sql`(${sql.join([...key], sql`, `)}) in ${old}`);
  }

  return {
    /** Adds counts to their minutes, hours and days. */
    count: (rows: readonly UsageRow[]): Promise<void> => add(rows.map(storedOf), SUMMARIES),
    /** Adds seed data. They are in no summary, so they are gone when their broker is deleted. */
    countPast: (rows: readonly UsageRow[]): Promise<void> => add(rows.map(storedOf), []),
    /** Removes at most `limit` rows of a grain that began before a date; returns how many. */
    async remove(grain: Grain, before: number, limit: number): Promise<number> {
      return (await take(stagesOf(grain), before, limit).returning({ calls: usage.calls })).length;
    },
  };
}

/** Adds a row to the sums of its minute, hour and day, and of these summaries. */
function addToGrains(sums: Map<string, StoredRow>, row: StoredRow, summaries: readonly Summary[]): void {
  for (const grain of ['minute', 'hour', 'day'] as const) {
    const fromAt = row.fromAt - (row.fromAt % GRAIN_MS[grain]);
    addTo(sums, row, { stage: STAGE_OF[grain], fromAt });
    for (const { stageOf, of } of summaries) {
      const stage = stageOf[grain];
      if (stage !== undefined) addTo(sums, row, { ...of(row), stage, fromAt });
    }
  }
}

/** Adds a row to its sum, which has the values of `as` instead of its own. */
function addTo(sums: Map<string, StoredRow>, row: StoredRow, as: Partial<StoredRow>): void {
  const { stage, fromAt, brokerId, keyId, operation, outcome, gate } = row;
  const name = nameOf({ stage, fromAt, brokerId, keyId, operation, outcome, gate, ...as });
  const sum = sums.get(name);
  if (sum) for (const column of COUNTED) sum[column] += row[column];
  else sums.set(name, { ...row, ...as });
}

const COUNTED = ['calls', ...DURATION_COLUMNS] as const;

const nameOf = (row: Pick<StoredRow, 'stage' | UsageDimension>): string =>
  [row.stage, row.fromAt, row.brokerId, row.keyId, row.operation, row.outcome, row.gate].join(' ');

/** Without its stage, which `addTo` gives it. */
function storedOf({ durations, ...row }: UsageRow): StoredRow {
  const stored = { ...row, busiest: null } as StoredRow;
  DURATION_COLUMNS.forEach((name, bucket) => {
    stored[name] = durations[bucket] as number;
  });
  return stored;
}
