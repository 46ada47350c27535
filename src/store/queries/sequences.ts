import { eq, sql } from 'drizzle-orm';
import { param, type Session } from '../session/session.ts';

export const SERVICE_NUMBER = 'service_number';
const HIGHEST_NUMBER = Number.MAX_SAFE_INTEGER;

/** How far ahead of the counter an import's numbers are passed over: more than are issued while it runs. */
const REACH = 100_000;

/** A range of unused numbers; `last` is null where it has no end. */
interface Gap {
  first: number;
  last: number | null;
}

/**
 * The counter of service numbers (contract, section 4): unique over all brokers, 1 to 2^53 - 1. It stays locked until the
 * transaction ends, so it is moved in short transactions, by a number of statements that does not depend on the used
 * numbers.
 */
export function sequenceWrites({ db, tables: { sequences, services }, statement }: Session) {
  const advance = statement('sequences.advance', () =>
    db
      .update(sequences)
      .set({ nextValue: sql`${sequences.nextValue} + 1` })
      .where(eq(sequences.name, SERVICE_NUMBER))
      .returning({ next: sequences.nextValue }),
  );
  const move = statement('sequences.move', () =>
    db
      .update(sequences)
      .set({ nextValue: param('to') })
      .where(eq(sequences.name, SERVICE_NUMBER)),
  );
  const firstUsed = statement('sequences.used', () =>
    db
      .select({ number: sql<number | null>`min(${services.number})`.mapWith(services.number) })
      .from(services)
      .where(sql`${services.number} >= ${param('from')}`),
  );
  // Reads the key's index once, up to the last gap that is needed.
  const gapsBehind = statement('sequences.gaps', () => {
    const walk = db
      .select({
        number: services.number,
        following: sql<number | null>`lead(${services.number}) over (order by ${services.number})`.as('following'),
      })
      .from(services)
      .where(sql`${services.number} >= ${param('from')}`)
      .as('walk');
    return db
      .select({
        first: sql<number>`${walk.number} + 1`.mapWith(Number),
        last: sql<number | null>`${walk.following} - 1`.mapWith(services.number),
      })
      .from(walk)
      .where(sql`${walk.following} is null or ${walk.following} > ${walk.number} + 1`)
      .orderBy(walk.number)
      .limit(param('limit'));
  });

  /** Increments the counter and returns its number; locks the counter. */
  async function passNext(): Promise<number> {
    const [row] = await advance();
    if (!row) throw new Error('the sequence of service numbers is missing');
    return row.next - 1;
  }

  async function moveTo(next: number): Promise<void> {
    if (next > HIGHEST_NUMBER) throw new Error('no service number is left');
    await move({ to: next });
  }

  /** The first unused ranges from a number on, in order. */
  async function gapsFrom(from: number, limit: number): Promise<Gap[]> {
    const used = (await firstUsed({ from }))[0]?.number ?? null;
    if (used === null) return [{ first: from, last: null }];
    const gaps: Gap[] = used > from ? [{ first: from, last: used - 1 }] : [];
    return [...gaps, ...(await gapsBehind({ from: used, limit }))].slice(0, limit);
  }

  return {
    /** Issues an unused service number; skips numbers that imports have used. */
    async nextServiceNumber(): Promise<number> {
      const number = await passNext();
      // There is always one: the last range has no end.
      const [{ first }] = (await gapsFrom(number, 1)) as [Gap];
      if (first !== number) await moveTo(first + 1);
      return first;
    },
    /**
     * Issues several numbers, in ascending order.
     * @param except numbers that the caller assigns itself
     */
    async nextServiceNumbers(count: number, except: ReadonlySet<number> = new Set()): Promise<number[]> {
      if (count === 0) return [];
      const free: number[] = [];
      const start = await passNext();
      // Each range has at least one number, and each exception may use one.
      for (const { first, last } of await gapsFrom(start, count + except.size)) {
        const end = last ?? HIGHEST_NUMBER - 1;
        for (let number = first; number <= end && free.length < count; number += 1) {
          if (!except.has(number)) free.push(number);
        }
        if (free.length === count) break;
      }
      await moveTo(free.length < count ? HIGHEST_NUMBER + 1 : (free.at(-1) as number) + 1);
      return free;
    },
    /** Moves the counter ahead by so many numbers, used ones included; returns what it stood at and stands at. */
    async skip(count: number): Promise<{ from: number; to: number }> {
      const from = await passNext();
      await moveTo(from + count);
      return { from, to: from + count };
    },
    /**
     * Moves the counter past numbers that an import is about to write and that could be issued meanwhile: a call that got
     * one would wait for the import's end. Numbers in between are lost.
     * @param numbers in ascending order
     */
    async passOver(numbers: readonly number[]): Promise<void> {
      const start = await passNext();
      let next = start;
      for (const number of numbers) {
        if (number > next + REACH) break;
        if (number >= next) next = number + 1;
      }
      await moveTo(next);
    },
  };
}
