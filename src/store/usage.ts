import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { DURATION_COLUMNS, type Tables } from '../../drizzle/tables.ts';
import { param, type Session } from './session.ts';

type StoredRow = Tables['usage']['$inferSelect'];

export type Grain = 'minute' | 'hour' | 'day';

export const GRAIN_MS: Readonly<Record<Grain, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** How long the sums of each length of time are kept (contract, section 11). Milliseconds. */
export const USAGE_KEPT_MS: Readonly<Record<Grain, number>> = {
  minute: 48 * GRAIN_MS.hour,
  hour: 90 * GRAIN_MS.day,
  day: 2 * 366 * GRAIN_MS.day,
};

/** Calls of a minute that are alike. */
export interface UsageRow
  extends Pick<StoredRow, 'fromAt' | 'brokerId' | 'keyId' | 'operation' | 'outcome' | 'gate' | 'calls'> {
  /** How many of them took how long, by the buckets of src/rules/durations.ts. */
  durations: readonly number[];
}

/** By what calls are told apart; those that differ in nothing else are added up. */
export const USAGE_DIMENSIONS = ['fromAt', 'brokerId', 'keyId', 'operation', 'outcome', 'gate'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

/** How many calls there were, with the dimensions that were asked for. */
export type CallSum = Partial<Pick<UsageRow, UsageDimension>> & Pick<UsageRow, 'calls'>;

/** The same with how long they took. */
export type UsageSum = CallSum & Pick<UsageRow, 'durations'>;

export interface UsageFilter {
  grain: Grain;
  /** The length of time that this moment lies in is the first; epoch milliseconds. */
  since: number;
  /** Nothing that began at this moment or later; epoch milliseconds. */
  until?: number | undefined;
  /** `fromAt` by longer steps than the grain, of which they are multiples. Milliseconds. */
  stepMs?: number | undefined;
  brokerId?: string | undefined;
  keyId?: string | undefined;
  /** A few of them. */
  brokerIds?: readonly string[] | undefined;
  keyIds?: readonly string[] | undefined;
  /** Leaves out what succeeded. */
  refused?: boolean | undefined;
}

/**
 * What a row tells of. Processes add to `FRESH` minutes alone. When a minute is over, the worker moves its rows to
 * `MINUTE` and adds them to the hour and the day in the same transaction, so that each call stands at any moment either
 * in a fresh minute, or in one minute, one hour and one day: whatever is read as fresh minutes and one of the other
 * stages holds every call once. Beside these stand, by the same rule, sums that tell less apart: over all brokers, keys and
 * operations, a handful of rows where the others have thousands; and of each key, by whether the calls went well.
 */
const FRESH = 0;
const MINUTE = 1;
const HOUR = 2;
const DAY = 3;

const STAGE_OF: Readonly<Record<Grain, number>> = { minute: MINUTE, hour: HOUR, day: DAY };

/** Sums that tell less apart than the rows they are made of, and what they still do. */
interface Summary {
  stageOf: Readonly<Partial<Record<Grain, number>>>;
  dimensions: readonly UsageDimension[];
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

/** All stages that a length of time stands in. */
const stagesOf = (grain: Grain): number[] => [
  STAGE_OF[grain],
  ...SUMMARIES.flatMap(({ stageOf }) => stageOf[grain] ?? []),
];

/** Rows of one statement: times 36 columns far below the 32766 parameters that SQLite takes. */
const ROWS_A_STATEMENT = 100;

export function usageReads({ db, tables: { usage } }: Session) {
  const calls = total(usage.calls);
  const durations = Object.fromEntries(DURATION_COLUMNS.map((name) => [name, total(usage[name])]));

  async function sums(
    filter: UsageFilter,
    by: readonly UsageDimension[],
    limit: number,
    columns: Record<string, SQL<number>>,
  ): Promise<Array<Record<string, unknown>>> {
    const length = GRAIN_MS[filter.grain];
    const step = sql.raw(String(filter.stepMs ?? length));
    const from = sql<number>`${usage.fromAt} - ${usage.fromAt} % ${step}`;
    const dimension = (name: UsageDimension): SQL => (name === 'fromAt' ? from : sql`${usage[name]}`);
    return db
      .select({
        ...Object.fromEntries(by.map((name) => [name, dimension(name).mapWith(usage[name]).as(aliasOf(name))])),
        ...columns,
      })
      .from(usage)
      .where(and(inArray(usage.stage, [FRESH, await stageOf(filter, by)]), narrowed(filter)))
      .groupBy(...by.map(named))
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
      filter.refused ? ne(usage.outcome, 'ok') : undefined,
    );

  /** A summary, where one tells all that is asked for and reaches back as far as what it was made of. */
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
     * Calls added up by these dimensions; with `fromAt` among them newest first, else most calls first. Without any
     * dimension one sum of all, or none where there were no calls.
     */
    async tally(filter: UsageFilter, by: readonly UsageDimension[], limit: number): Promise<UsageSum[]> {
      const rows = await sums(filter, by, limit, { calls, ...durations });
      return rows.filter(hasCalls).map(
        (row) =>
          ({
            ...Object.fromEntries(by.map((name) => [name, row[name]])),
            calls: row.calls,
            durations: DURATION_COLUMNS.map((name) => row[name]),
          }) as UsageSum,
      );
    },
    /** The same without how long they took, which costs a fraction of it. */
    async tallyCalls(filter: UsageFilter, by: readonly UsageDimension[], limit: number): Promise<CallSum[]> {
      return (await sums(filter, by, limit, { calls })) as unknown as CallSum[];
    },
  };
}

/** A sum without dimensions is there even where there is nothing to add up. */
const hasCalls = (row: Record<string, unknown>): boolean => row.calls !== null;

/** Every summary tells calls that went well from others. */
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
  const added = Object.fromEntries(
    (['calls', ...DURATION_COLUMNS] as const).map((name) => [
      name,
      sql`${usage[name]} + ${sql.raw(`excluded.${name}`)}`,
    ]),
  );

  const addOne = statement('usage.addOne', () => {
    const row = Object.fromEntries(Object.keys(getTableColumns(usage)).map((name) => [name, param(name)]));
    return db
      .insert(usage)
      .values(row as StoredRow)
      .onConflictDoUpdate({ target: [...key], set: added });
  });

  /** Adds to the rows that stand, in one order for everybody: of two writers none waits for the other in a circle. */
  async function add(rows: StoredRow[]): Promise<void> {
    const sorted = rows.map((row) => ({ row, name: nameOf(row) })).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (let at = 0; at < sorted.length; at += ROWS_A_STATEMENT) {
      await db
        .insert(usage)
        .values(sorted.slice(at, at + ROWS_A_STATEMENT).map(({ row }) => row))
        .onConflictDoUpdate({ target: [...key], set: added });
    }
  }

  return {
    /** Adds what a process has counted in a minute. No two rows may be alike in all dimensions. */
    count: (rows: readonly UsageRow[]): Promise<void> => add(rows.map(storedOf)),
    /**
     * Adds what was counted elsewhere, of minutes that are over: to minute, hour and day at once. Such rows stand in no
     * summary, and with their broker they are gone.
     */
    async countPast(rows: readonly UsageRow[]): Promise<void> {
      const sums = new Map<string, StoredRow>();
      for (const row of rows.map(storedOf)) {
        for (const grain of ['minute', 'hour', 'day'] as const) {
          addTo(sums, row, { stage: STAGE_OF[grain], fromAt: row.fromAt - (row.fromAt % GRAIN_MS[grain]) });
        }
      }
      // One prepared statement for all: to build one of hundreds of values takes longer than to run a hundred.
      for (const row of sums.values()) await addOne({ ...row });
    },
    /**
     * Takes at most `limit` rows of minutes that began before a moment into their hours and days; returns how many.
     * Taking them away and adding them are one transaction, and of several workers one alone gets a row.
     */
    async rollUp(before: number, limit: number): Promise<number> {
      const over = db
        .select({ ...Object.fromEntries(key.map((column) => [column.name, column])) })
        .from(usage)
        .where(and(eq(usage.stage, FRESH), lt(usage.fromAt, before)))
        .orderBy(asc(usage.fromAt))
        .limit(limit);
      const rows = await db
        .delete(usage)
        .where(sql`(${sql.join([...key], sql`, `)}) in ${over}`)
        .returning();
      const sums = new Map<string, StoredRow>();
      for (const row of rows) {
        for (const grain of ['minute', 'hour', 'day'] as const) {
          const fromAt = row.fromAt - (row.fromAt % GRAIN_MS[grain]);
          addTo(sums, row, { stage: STAGE_OF[grain], fromAt });
          for (const { stageOf, of } of SUMMARIES) {
            const stage = stageOf[grain];
            if (stage !== undefined) addTo(sums, row, { ...of(row), stage, fromAt });
          }
        }
      }
      await add([...sums.values()]);
      return rows.length;
    },
    /** Removes at most `limit` rows of a length of time that began before a moment; returns how many. */
    async remove(grain: Grain, before: number, limit: number): Promise<number> {
      const old = db
        .select({ ...Object.fromEntries(key.map((column) => [column.name, column])) })
        .from(usage)
        .where(and(inArray(usage.stage, stagesOf(grain)), lt(usage.fromAt, before)))
        .orderBy(asc(usage.fromAt))
        .limit(limit);
      const removed = await db
        .delete(usage)
        .where(sql`(${sql.join([...key], sql`, `)}) in ${old}`)
        .returning({ calls: usage.calls });
      return removed.length;
    },
  };
}

/** Adds a row to the sum that it becomes part of, which differs from it in these values. */
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
  const stored = { ...row, stage: FRESH } as StoredRow;
  DURATION_COLUMNS.forEach((name, bucket) => {
    stored[name] = durations[bucket] as number;
  });
  return stored;
}
