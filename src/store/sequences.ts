import { eq, sql } from 'drizzle-orm';
import { param, type Session } from './session.ts';

const SERVICE_NUMBER = 'service_number';
const HIGHEST_NUMBER = Number.MAX_SAFE_INTEGER;

/** How many numbers may be issued while an import of many writes its own: further ahead nothing is passed over. */
const REACH = 100_000;

/** A run of numbers that no service has; `last` is null where nothing stands behind it. */
interface Gap {
  first: number;
  last: number | null;
}

/**
 * The counter of service numbers (contract, section 4): unique over all brokers, 1 to 2^53 - 1. Whoever moves it holds
 * it until the transaction ends, so all others wait: it is moved in short transactions, and by as many statements
 * beside a million used numbers as beside none.
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
  const taken = statement('sequences.taken', () =>
    db
      .select({ number: services.number })
      .from(services)
      .where(eq(services.number, param('number'))),
  );
  const firstUsed = statement('sequences.used', () =>
    db
      .select({ number: sql<number | null>`min(${services.number})`.mapWith(services.number) })
      .from(services)
      .where(sql`${services.number} >= ${param('from')}`),
  );
  // Walks the key's index once, and no further than the last gap that is wanted.
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

  /** The first number that has not been passed; locks the counter. */
  async function passNext(): Promise<number> {
    const [row] = await advance();
    if (!row) throw new Error('the sequence of service numbers is missing');
    return row.next - 1;
  }

  async function moveTo(next: number): Promise<void> {
    if (next > HIGHEST_NUMBER) throw new Error('no service number is left');
    await move({ to: next });
  }

  /** The free runs from a number on, in order; the last of so many runs, or one without an end. */
  async function gapsFrom(from: number, limit: number): Promise<Gap[]> {
    const used = (await firstUsed({ from }))[0]?.number ?? null;
    if (used === null) return [{ first: from, last: null }];
    const behind: Gap[] = await gapsBehind({ from: used, limit });
    return used > from ? [{ first: from, last: used - 1 }, ...behind] : behind;
  }

  return {
    /** Issues a service number nobody has: imports bring numbers of their own, and those are skipped. */
    async nextServiceNumber(): Promise<number> {
      const number = await passNext();
      if ((await taken({ number })).length === 0) return number;
      const [gap] = await gapsFrom(number + 1, 1);
      // Behind the last service there is always a run without an end.
      const { first } = gap as Gap;
      await moveTo(first + 1);
      return first;
    },
    /**
     * Issues many of them at once, rising.
     * @param except numbers that the caller is about to give to services itself
     */
    async nextServiceNumbers(count: number, except: ReadonlySet<number> = new Set()): Promise<number[]> {
      if (count === 0) return [];
      const free: number[] = [];
      const start = await passNext();
      // Each of the exceptions may use up a number, and each gap has one at least.
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
    /**
     * Moves the counter past numbers that an import is about to write, as far as it could come to them meanwhile:
     * whoever is issued one of them would wait for the import's end. What lies between them is lost, which costs
     * nothing.
     * @param numbers rising
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
