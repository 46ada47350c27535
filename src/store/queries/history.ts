import { and, desc, eq, gte, inArray, lte, or, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../../../drizzle/tables.ts';
import { changeOf, param, type Session, type Witness } from '../session/session.ts';
import { first } from '../session/statements.ts';
import { SERVICE_NUMBER } from './sequences.ts';

export type LossRow = Tables['losses']['$inferSelect'];

/** Whose history records are; a part is null where it is not known. */
export interface Identity {
  /** The system identifier of the cluster. */
  system: string | null;
  /** The oid of the table that numbers services. */
  table: string | null;
  /** The timeline of the WAL. */
  timeline: string | null;
}

/** Whose history the database's is now. */
export interface PresentIdentity extends Identity {
  /** The server was recovered up to a target, as a point in time: it is no standby that took over. */
  isUpToTarget: boolean;
}

/** What the records say of themselves. */
export interface RecordsState {
  /** The next candidate for a service number. */
  nextNumber: number;
  /** As it was noted; `address` is a hash of where the database is reached. */
  noted: Identity & { address: string | null };
}

/** Of PostgreSQL: whose history the database's is now. */
const HERE = {
  system: 'history_system()',
  table: "cast(cast('sequences' as regclass) as oid)::text",
  timeline: 'history_timeline()',
};

/** What says up to where PostgreSQL recovers. It stays set, and anybody may read it; a standby in use has none. */
const TARGETS = ['', '_lsn', '_name', '_time', '_xid'].map((end) => `current_setting('recovery_target${end}', true)`);

/** Losses that are listed: far more than an installation has. */
const MAX_LOSSES = 100;

/** Times that the records went back, and whose history they are (contract, section 15). Over all brokers. */
export function historyReads({ db, dialect, tables: { losses, sequences }, statement }: Session) {
  const latest = statement('losses.latest', () => db.select().from(losses).orderBy(desc(losses.history)).limit(1));
  const covering = statement('losses.covering', () =>
    db
      .select()
      .from(losses)
      .where(and(lte(losses.firstNumber, param('number')), gte(losses.lastNumber, param('number'))))
      .orderBy(desc(losses.history))
      .limit(1),
  );
  const held = sql<string | null>`(select ${losses.state} from ${losses} where ${losses.state} in ('held', 'copy')
    order by ${losses.state} limit 1)`;
  // What was not known when it was noted is not read.
  const differs = (column: SQLiteColumn, here: string) =>
    sql`coalesce(case when ${column} is not null then ${column} <> ${sql.raw(here)} end, false)`;
  const isElsewhere =
    dialect === 'sqlite'
      ? sql`0`
      : or(
          differs(sequences.historyTable, HERE.table),
          differs(sequences.historyTimeline, HERE.timeline),
          differs(sequences.historySystem, HERE.system),
        );
  const holding = statement('losses.holding', () =>
    db
      .select({ held, isElsewhere: sql`${isElsewhere}`.mapWith(Boolean) })
      .from(sequences)
      .where(eq(sequences.name, SERVICE_NUMBER)),
  );
  const noted = statement('sequences.noted', () =>
    db.select().from(sequences).where(eq(sequences.name, SERVICE_NUMBER)),
  );
  const here = statement('sequences.here', () =>
    db
      .select({
        system: sql<string | null>`${sql.raw(HERE.system)}`,
        table: sql<string | null>`${sql.raw(HERE.table)}`,
        timeline: sql<string | null>`${sql.raw(HERE.timeline)}`,
        isUpToTarget: sql`concat(${sql.raw(TARGETS.join(', '))}) <> ''`.mapWith(Boolean),
      })
      .from(sql`(select 1) one`),
  );
  return {
    /** The last loss; its number is the number of history, which is 0 before the first. */
    findLatest: (): Promise<LossRow | null> => first(latest({})),
    /** Newest first. */
    list: (): Promise<LossRow[]> => db.select().from(losses).orderBy(desc(losses.history)).limit(MAX_LOSSES),
    /** The loss for which a service number was passed over. */
    findCovering: (number: number): Promise<LossRow | null> => first(covering({ number })),
    /**
     * What keeps work and emails back: a loss, or records of another history, which no process has noted yet.
     * Null where nothing does.
     */
    async findHolding(): Promise<'held' | 'copy' | 'not_noted' | null> {
      const row = await first(holding({}));
      if (row?.held === 'held' || row?.held === 'copy') return row.held;
      return row?.isElsewhere ? 'not_noted' : null;
    },
    /** Of how many changes the records have no row. */
    async countMissing(witnesses: readonly Witness[]): Promise<number> {
      let missing = 0;
      for (const [table, ids] of byTable(witnesses)) {
        const found = await db.select({ id: table.id }).from(table).where(inArray(table.id, ids));
        missing += ids.length - found.length;
      }
      return missing;
    },
    async findState(): Promise<RecordsState> {
      const row = await first(noted({}));
      if (!row) throw new Error('the sequence of service numbers is missing');
      return {
        nextNumber: row.nextValue,
        noted: {
          system: row.historySystem,
          table: row.historyTable,
          timeline: row.historyTimeline,
          address: row.historyAddress,
        },
      };
    },
    /** Null on SQLite. Rejects where a function is missing. */
    findHere: async (): Promise<PresentIdentity | null> => (dialect === 'sqlite' ? null : first(here({}))),
  };
}

function byTable(witnesses: readonly Witness[]): Map<Witness['table'], string[]> {
  const ids = new Map<Witness['table'], string[]>();
  for (const { table, id } of witnesses) ids.set(table, [...(ids.get(table) ?? []), id]);
  return ids;
}

export function historyWrites(session: Session) {
  const {
    db,
    tables: { losses, sequences },
  } = session;
  const change = changeOf(session, 'losses.change', losses);
  const isCounter = eq(sequences.name, SERVICE_NUMBER);
  async function lockRow(): Promise<void> {
    await session.locking(db.select().from(sequences).where(isCounter));
  }
  return {
    /** Until the transaction ends, no number is issued and no other loss noted. */
    lock: (): Promise<void> => lockRow(),
    async insert(row: LossRow): Promise<void> {
      await db.insert(losses).values(row);
    },
    async update(history: number, changes: Partial<LossRow>): Promise<LossRow | null> {
      const where = eq(losses.history, param('history'));
      return (await change(changes, { shape: 'one', where, params: { history } }))[0] ?? null;
    },
    /** Notes whose history the records are from now on, and moves the counter with it. */
    async note({ system, table, timeline, address }: RecordsState['noted'], nextNumber: number): Promise<void> {
      await db
        .update(sequences)
        .set({
          nextValue: nextNumber,
          historySystem: system,
          historyTable: table,
          historyTimeline: timeline,
          historyAddress: address,
        })
        .where(isCounter);
    },
  };
}
