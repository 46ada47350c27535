import { and, asc, desc, eq, gt, isNotNull, lte, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { IS_LIVING, IS_OPEN } from '../../../drizzle/tables.ts';
import { param, type Session } from '../session/session.ts';
import { first } from '../session/statements.ts';
import type { LossRow } from './history.ts';

/** What a loss is inserted with whose dates have to be moved: none has been moved yet. */
export const NONE_MOVED = 'start';

/** Some records in the order of their keys: those behind `after`, up to `last`. */
export interface Stretch<Key> {
  after: Key;
  last: Key;
}

/**
 * The rows of a stretch have dates over so many milliseconds, so that a reader who continues at the last date of a page,
 * without the number behind it, gets on as well. Far less than the time in which a change becomes visible.
 */
const SPREAD_MS = 100;

/** How far the dates of records have been moved after a loss (contract, section 15.4). Over all brokers. */
export function movedDatesReads({ db, statement, tables: { losses, requests, services } }: Session) {
  const moving = statement('losses.moving', () =>
    db.select().from(losses).where(isNotNull(losses.moving)).orderBy(desc(losses.history)).limit(1),
  );
  const nextServices = statement('services.nextToMove', () =>
    db
      .select({ key: services.number })
      .from(services)
      .where(gt(services.number, param('after')))
      .orderBy(asc(services.number))
      .limit(param('limit')),
  );
  const nextRequests = statement('requests.nextToMove', () =>
    db
      .select({ key: requests.id })
      .from(requests)
      .where(gt(requests.id, param('after')))
      .orderBy(asc(requests.id))
      .limit(param('limit')),
  );
  return {
    /** The last loss whose dates have not all been moved; it covers those before it. */
    findMoving: (): Promise<LossRow | null> => first(moving({})),
    /** The keys behind one, in their order. */
    listServices: async (after: number, limit: number): Promise<number[]> =>
      (await nextServices({ after, limit })).map(({ key }) => key),
    listRequests: async (after: string, limit: number): Promise<string[]> =>
      (await nextRequests({ after, limit })).map(({ key }) => key),
  };
}

export function movedDatesWrites(session: Session) {
  const { db, dialect, statement } = session;
  const { losses, requests, services } = session.tables;
  const held = statement('losses.hold', () =>
    session.locking(
      db
        .select()
        .from(losses)
        .where(eq(losses.history, param('history'))),
      { skipLocked: true },
    ),
  );
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');
  /** Never back, and not the same for neighbours. */
  const movedTo = (updatedAt: SQLWrapper, number: SQLWrapper) =>
    sql<number>`${later}(${updatedAt} + 1, cast(${param('now')} as bigint) - ${number} % ${sql.raw(String(SPREAD_MS))})`;

  const isLiving = sql.raw(IS_LIVING);
  const isOpen = sql.raw(IS_OPEN);
  const within = (key: SQLWrapper) => sql`${key} > ${param('after')} and ${key} <= ${param('last')}`;

  function ofServices(name: string, which: SQL) {
    const where = and(within(services.number), which);
    const locked = statement(`services.${name}ToMove`, () =>
      session.locking(db.select({ number: services.number }).from(services).where(where).orderBy(asc(services.number))),
    );
    const moved = statement(`services.${name}Move`, () =>
      db
        .update(services)
        .set({ updatedAt: movedTo(services.updatedAt, services.number) })
        .where(where),
    );
    return { locked, moved };
  }
  const living = ofServices('living', isLiving);
  const ended = ofServices('ended', not(isLiving));
  const openMoved = statement('requests.openMove', () =>
    db
      .update(requests)
      .set({ updatedAt: movedTo(requests.updatedAt, requests.serviceNumber) })
      .where(and(within(requests.serviceNumber), isOpen)),
  );
  const finalMoved = statement('requests.finalMove', () =>
    db
      .update(requests)
      .set({ updatedAt: movedTo(requests.updatedAt, requests.serviceNumber) })
      .where(and(within(requests.id), not(isOpen))),
  );

  return {
    /** The loss, locked until the transaction ends; null where another transaction has it. */
    hold: (history: number): Promise<LossRow | null> => first(held({ history })),
    /**
     * Gives the services of a stretch a new date, and what is open of them: of the living ones with their open requests, or
     * of the ended ones. Their rows are locked in the order of imports first, so that the date is that of the change.
     * @param now read behind the locks; epoch milliseconds
     */
    async moveLiving(stretch: Stretch<number>, now: () => number): Promise<void> {
      if (dialect === 'postgres') await living.locked({ ...stretch });
      const date = now();
      await living.moved({ ...stretch, now: date });
      await openMoved({ ...stretch, now: date });
    },
    async moveEnded(stretch: Stretch<number>, now: () => number): Promise<void> {
      if (dialect === 'postgres') await ended.locked({ ...stretch });
      await ended.moved({ ...stretch, now: now() });
    },
    /** The same of final requests, which nothing changes any more. */
    async moveFinal(stretch: Stretch<string>, now: () => number): Promise<void> {
      await finalMoved({ ...stretch, now: now() });
    },
    async keep(history: number, moving: string): Promise<void> {
      await db.update(losses).set({ moving }).where(eq(losses.history, history));
    },
    /** All dates have been moved, for this loss and those before it. */
    async finish(history: number): Promise<void> {
      await db
        .update(losses)
        .set({ moving: null })
        .where(and(lte(losses.history, history), isNotNull(losses.moving)));
    },
  };
}
