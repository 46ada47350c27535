import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { DURATION_COLUMNS, type Tables } from '../../drizzle/tables.ts';
import type { Session } from './session.ts';

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

/** Sums over calls, with the dimensions that were asked for. */
export type UsageSum = Partial<Pick<UsageRow, UsageDimension>> & Pick<UsageRow, 'calls' | 'durations'>;

export interface UsageFilter {
  grain: Grain;
  /** The length of time that this moment lies in is the first; epoch milliseconds. */
  since: number;
  brokerId?: string | undefined;
  keyId?: string | undefined;
}

/**
 * What a row tells of. Processes add to `FRESH` minutes alone. When a minute is over, the worker moves its rows to
 * `MINUTE` and adds them to the hour and the day in the same transaction, so that each call stands at any moment either
 * in a fresh minute, or in one minute, one hour and one day: whatever is read as fresh minutes and one of the other
 * stages holds every call once.
 */
const FRESH = 0;
const MINUTE = 1;
const HOUR = 2;
const DAY = 3;

const STAGE_OF: Readonly<Record<Grain, number>> = { minute: MINUTE, hour: HOUR, day: DAY };

/** Rows of one statement: times 36 columns far below the 32766 parameters that SQLite takes. */
const ROWS_A_STATEMENT = 100;

export function usageReads({ db, tables: { usage } }: Session) {
  return {
    /** Calls added up by these dimensions; with `fromAt` among them newest first, else most calls first. */
    async tally(filter: UsageFilter, by: readonly UsageDimension[], limit: number): Promise<UsageSum[]> {
      const length = GRAIN_MS[filter.grain];
      const from = sql<number>`${usage.fromAt} - ${usage.fromAt} % ${sql.raw(String(length))}`;
      const dimension = (name: UsageDimension): SQL => (name === 'fromAt' ? from : sql`${usage[name]}`);
      const sums = Object.fromEntries(DURATION_COLUMNS.map((name) => [name, total(usage[name])]));
      const calls = total(usage.calls);
      const rows = (await db
        .select({
          ...Object.fromEntries(by.map((name) => [name, dimension(name).mapWith(usage[name]).as(aliasOf(name))])),
          calls,
          ...sums,
        })
        .from(usage)
        .where(
          and(
            inArray(usage.stage, [FRESH, STAGE_OF[filter.grain]]),
            gte(usage.fromAt, filter.since - (filter.since % length)),
            filter.brokerId === undefined ? undefined : eq(usage.brokerId, filter.brokerId),
            filter.keyId === undefined ? undefined : eq(usage.keyId, filter.keyId),
          ),
        )
        .groupBy(...by.map(named))
        .orderBy(...(by.includes('fromAt') ? [desc(named('fromAt'))] : []), desc(calls), ...by.map(named))
        .limit(limit)) as Array<Record<string, unknown>>;
      return rows.map(
        (row) =>
          ({
            ...Object.fromEntries(by.map((name) => [name, row[name]])),
            calls: row.calls,
            durations: DURATION_COLUMNS.map((name) => row[name]),
          }) as UsageSum,
      );
    },
  };
}

const aliasOf = (name: UsageDimension): string => `by_${name}`;
const named = (name: UsageDimension): SQL => sql`${sql.identifier(aliasOf(name))}`;

const total = (column: SQLiteColumn): SQL<number> => sql<number>`sum(${column})`.mapWith(Number);

export function usageWrites({ db, tables: { usage } }: Session) {
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
        for (const [stage, length] of [
          [MINUTE, GRAIN_MS.minute],
          [HOUR, GRAIN_MS.hour],
          [DAY, GRAIN_MS.day],
        ] as const) {
          const part = { ...row, stage, fromAt: row.fromAt - (row.fromAt % length) };
          const sum = sums.get(nameOf(part));
          if (sum) for (const name of ['calls', ...DURATION_COLUMNS] as const) sum[name] += row[name];
          else sums.set(nameOf(part), part);
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
        .where(and(eq(usage.stage, STAGE_OF[grain]), lt(usage.fromAt, before)))
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

const nameOf = (row: Pick<StoredRow, 'stage' | UsageDimension>): string =>
  [row.stage, row.fromAt, row.brokerId, row.keyId, row.operation, row.outcome, row.gate].join(' ');

const storedOf = ({ durations, ...row }: UsageRow): StoredRow => ({
  ...row,
  stage: FRESH,
  ...(Object.fromEntries(DURATION_COLUMNS.map((name, bucket) => [name, durations[bucket]])) as Record<
    (typeof DURATION_COLUMNS)[number],
    number
  >),
});
