import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { DURATION_COLUMNS, type Tables } from '../../drizzle/tables.ts';
import { sumOf, TOTAL } from './queries.ts';
import { type Page, param, type Session } from './session.ts';

type StoredRow = Tables['usage']['$inferSelect'];

export type Grain = 'minute' | 'hour' | 'day';

export const GRAIN_MS: Readonly<Record<Grain, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

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

export const USAGE_DIMENSIONS = ['fromAt', 'brokerId', 'keyId', 'operation', 'outcome', 'gate'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

export type CallSum = Partial<Pick<UsageRow, UsageDimension>> & Pick<UsageRow, 'calls'>;

export type UsageSum = CallSum & Pick<UsageRow, 'durations'>;

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
}

/** The calls of a key's busiest minute in an hour or a day. */
export type BusiestMinute = Pick<StoredRow, 'fromAt' | 'brokerId' | 'keyId' | 'busiest'>;

/** The dimensions of a caller's own use. */
const OF_ONE_OWNER = ['fromAt', 'operation', 'outcome'] as const;

/**
 * The stages of a row. Processes add to `FRESH` only. When a minute is over, the worker moves its rows to `MINUTE` and adds
 * them to the hour and the day in one transaction, so that `FRESH` and any one other stage together hold every call
 * once. Summaries are stages with fewer dimensions and so fewer rows: over all brokers, keys and operations; and per
 * key, by success.
 */
const FRESH = 0;
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

/** The stages of a key's sums, which hold its busiest minute too. */
const KEY_STAGE_OF = { hour: 7, day: 8 } as const;

const SUMMARIES: readonly Summary[] = [
  {
    stageOf: { minute: 4, hour: 5, day: 6 },
    dimensions: ['fromAt', 'outcome', 'gate'],
    of: () => ({ brokerId: '', keyId: '', operation: '' }),
  },
  {
    stageOf: KEY_STAGE_OF,
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

/** Minutes whose rows one statement adds up. */
const MINUTES_A_STATEMENT = 500;

export function usageReads({ db, tables: { usage, apiKeys } }: Session) {
  const calls = total(usage.calls);
  const durations = Object.fromEntries(DURATION_COLUMNS.map((name) => [name, total(usage[name])]));

  /** The groups of these dimensions, with these columns of each. */
  async function grouped(filter: UsageFilter, by: readonly UsageDimension[], columns: Record<string, SQL<number>>) {
    const stages = [FRESH, await stageOf(filter, by)];
    const length = GRAIN_MS[filter.grain];
    const step = sql.raw(String(filter.stepMs ?? length));
    const from = sql<number>`${usage.fromAt} - ${usage.fromAt} % ${step}`;
    const dimension = (name: UsageDimension): SQL => (name === 'fromAt' ? from : sql`${usage[name]}`);
    const query = db
      .select({
        ...Object.fromEntries(by.map((name) => [name, dimension(name).mapWith(usage[name]).as(aliasOf(name))])),
        ...columns,
      })
      .from(usage)
      .where(and(inArray(usage.stage, stages), narrowed(filter)))
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
      filter.until === undefined ? undefined : lt(usage.fromAt, filter.until),
      filter.brokerId === undefined ? undefined : eq(usage.brokerId, filter.brokerId),
      filter.keyId === undefined ? undefined : eq(usage.keyId, filter.keyId),
      filter.brokerIds && inArray(usage.brokerId, [...filter.brokerIds]),
      filter.keyIds && inArray(usage.keyId, [...filter.keyIds]),
      filter.operation === undefined ? undefined : eq(usage.operation, filter.operation),
      filter.outcome === undefined ? undefined : eq(usage.outcome, filter.outcome),
      filter.refused ? ne(usage.outcome, 'ok') : undefined,
    );

  /** A summary with all dimensions of the query that reaches back as far as the full rows, or else the full rows. */
  async function stageOf(filter: UsageFilter, by: readonly UsageDimension[]): Promise<number> {
    const { grain } = filter;
    const asked = [...by, ...filteredBy(filter)];
    for (const { stageOf, dimensions } of SUMMARIES) {
      const stage = stageOf[grain];
      if (stage === undefined || asked.some((name) => !dimensions.includes(name))) continue;
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
    async tally(filter: UsageFilter, by: readonly UsageDimension[], limit: number): Promise<UsageSum[]> {
      const rows = await sums(filter, by, limit, { calls, ...durations });
      // Without dimensions there is a row even for no calls.
      return rows.filter((row) => row.calls !== null).map((row) => sumOfRow(row, by));
    },
    /** Calls added up by span, operation and outcome: one page, newest first, then by operation and outcome. */
    async page(filter: UsageFilter, { limit, offset }: Page): Promise<UsageSum[]> {
      const { query } = await grouped(filter, OF_ONE_OWNER, { calls, ...durations });
      const rows: Array<Record<string, unknown>> = await query
        .orderBy(desc(named('fromAt')), named('operation'), named('outcome'))
        .limit(limit)
        .offset(offset);
      return rows.map((row) => sumOfRow(row, OF_ONE_OWNER));
    },
    /** How many rows all pages of it have. */
    async countRows(filter: UsageFilter): Promise<number> {
      const { query } = await grouped(filter, OF_ONE_OWNER, {});
      return sumOf(await db.select(TOTAL).from(query.as('groups')));
    },
    /**
     * The calls of the busiest minute of each key, by hour or day. Null where that was not counted: before 0.3.0, and for
     * seed data. Minutes that are not rolled up yet are missing.
     */
    async listBusiest(filter: UsageFilter & { grain: 'hour' | 'day' }, limit: number): Promise<BusiestMinute[]> {
      const rows = await db
        .select({
          fromAt: usage.fromAt,
          brokerId: usage.brokerId,
          keyId: usage.keyId,
          busiest: sql<number | null>`max(${usage.busiest})`,
        })
        .from(usage)
        .where(and(eq(usage.stage, KEY_STAGE_OF[filter.grain]), narrowed(filter)))
        .groupBy(usage.fromAt, usage.brokerId, usage.keyId)
        .orderBy(desc(usage.fromAt), asc(usage.brokerId), asc(usage.keyId))
        .limit(limit);
      return rows.map((row) => ({ ...row, busiest: row.busiest === null ? null : Number(row.busiest) }));
    },
    /**
     * Active keys whose busiest minute came to at least this share of their limit and did not exceed it, nearest first.
     * @param perMinute by the limit of a key: the calls that it allows in a minute
     */
    async listNearLimit(
      { since, share, usual, perMinute }: { since: number; share: number; usual: number; perMinute: number },
      limit: number,
    ): Promise<Array<{ keyId: string; calls: number }>> {
      const most = sql<number>`max(${usage.busiest})`.mapWith(Number);
      const allowed = sql`coalesce(${apiKeys.rateLimit}, cast(${usual} as bigint)) * cast(${perMinute} as double precision)`;
      const used = sql`max(${usage.busiest}) * 1.0 / (${allowed})`;
      return db
        .select({ keyId: usage.keyId, calls: most })
        .from(usage)
        .innerJoin(apiKeys, eq(apiKeys.id, usage.keyId))
        .where(
          and(
            eq(usage.stage, KEY_STAGE_OF.hour),
            gte(usage.fromAt, beginningOf({ grain: 'hour', since })),
            eq(apiKeys.status, 'active'),
          ),
        )
        .groupBy(usage.keyId, apiKeys.rateLimit)
        .having(sql`${used} between cast(${share} as double precision) and 1`)
        .orderBy(desc(used), asc(usage.keyId))
        .limit(limit);
    },
    /** The same without durations, at a fraction of the cost. */
    async tallyCalls(filter: UsageFilter, by: readonly UsageDimension[], limit: number): Promise<CallSum[]> {
      return (await sums(filter, by, limit, { calls })) as unknown as CallSum[];
    },
  };
}

const sumOfRow = (row: Record<string, unknown>, by: readonly UsageDimension[]): UsageSum =>
  ({
    ...Object.fromEntries(by.map((name) => [name, row[name]])),
    calls: row.calls,
    durations: DURATION_COLUMNS.map((name) => row[name]),
  }) as UsageSum;

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
  const { db, statement } = session;
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
  const added = {
    ...Object.fromEntries(COUNTED.map((name) => [name, sql`${usage[name]} + ${sql.raw(`excluded.${name}`)}`])),
    // Null until a minute is counted that way.
    busiest: sql`case when ${usage.busiest} >= coalesce(excluded.busiest, 0) then ${usage.busiest} else excluded.busiest end`,
  };

  const addOne = statement('usage.addOne', () => {
    const row = Object.fromEntries(Object.keys(getTableColumns(usage)).map((name) => [name, param(name)]));
    return db
      .insert(usage)
      .values(row as StoredRow)
      .onConflictDoUpdate({ target: [...key], set: added });
  });

  /** Adds to the stored rows in a fixed order, so that concurrent writers cannot deadlock. */
  async function add(rows: StoredRow[]): Promise<void> {
    const sorted = rows.map((row) => ({ row, name: nameOf(row) })).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (let at = 0; at < sorted.length; at += ROWS_A_STATEMENT) {
      await db
        .insert(usage)
        .values(sorted.slice(at, at + ROWS_A_STATEMENT).map(({ row }) => row))
        .onConflictDoUpdate({ target: [...key], set: added });
    }
  }

  /** Sets the busiest minute in the sums of keys to which these rows of minutes, which are stored by now, were added. */
  async function noteBusiest(sums: Map<string, StoredRow>, rows: readonly StoredRow[]): Promise<void> {
    const minutes = [...new Set(rows.map(({ fromAt }) => fromAt))];
    const keyed = [...sums.values()].filter(({ stage }) => stage === KEY_STAGE_OF.hour || stage === KEY_STAGE_OF.day);
    const most = new Map<string, number>();
    for (let at = 0; at < minutes.length; at += MINUTES_A_STATEMENT) {
      const found = await db
        .select({ fromAt: usage.fromAt, brokerId: usage.brokerId, keyId: usage.keyId, calls: total(usage.calls) })
        .from(usage)
        .where(and(eq(usage.stage, MINUTE), inArray(usage.fromAt, minutes.slice(at, at + MINUTES_A_STATEMENT))))
        .groupBy(usage.fromAt, usage.brokerId, usage.keyId);
      for (const { fromAt, brokerId, keyId, calls } of found) {
        for (const grain of ['hour', 'day'] as const) {
          const name = [KEY_STAGE_OF[grain], fromAt - (fromAt % GRAIN_MS[grain]), brokerId, keyId].join(' ');
          most.set(name, Math.max(most.get(name) ?? 0, calls));
        }
      }
    }
    for (const row of keyed) {
      row.busiest = most.get([row.stage, row.fromAt, row.brokerId, row.keyId].join(' ')) ?? null;
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
    /** Adds a process's counts of a minute. No two rows may have the same dimensions. */
    count: (rows: readonly UsageRow[]): Promise<void> => add(rows.map(storedOf)),
    /**
     * Adds counts of past minutes to minute, hour and day at once, for seed data. They are in no summary, so they are gone
     * when their broker is deleted.
     */
    async countPast(rows: readonly UsageRow[]): Promise<void> {
      const sums = new Map<string, StoredRow>();
      for (const row of rows.map(storedOf)) addToGrains(sums, row, []);
      // A prepared statement for each row: building one statement of hundreds of values takes longer.
      for (const row of sums.values()) await addOne({ ...row });
    },
    /**
     * Moves at most `limit` rows of minutes that began before a date to their hours and days; returns how many. Of
     * concurrent workers only one gets a row.
     */
    async rollUp(before: number, limit: number): Promise<number> {
      // One at a time: the sum of a minute has to hold what another worker adds to it.
      await session.lockName('usage roll-up');
      const rows = await take([FRESH], before, limit).returning();
      const sums = new Map<string, StoredRow>();
      for (const row of rows) addToGrains(sums, row, SUMMARIES);
      const all = [...sums.values()];
      await add(all.filter(({ stage }) => stage === MINUTE));
      await noteBusiest(sums, rows);
      await add(all.filter(({ stage }) => stage !== MINUTE));
      return rows.length;
    },
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

function storedOf({ durations, ...row }: UsageRow): StoredRow {
  const stored = { ...row, stage: FRESH, busiest: null } as StoredRow;
  DURATION_COLUMNS.forEach((name, bucket) => {
    stored[name] = durations[bucket] as number;
  });
  return stored;
}
