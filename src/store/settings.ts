import { between, eq, sql } from 'drizzle-orm';
import type { Session } from './session.ts';

export function settingReads({ db, tables: { settings } }: Session) {
  return {
    async find(name: string): Promise<string | null> {
      return (await db.select().from(settings).where(eq(settings.name, name)))[0]?.value ?? null;
    },
  };
}

export function sequenceWrites({ db, tables: { sequences, services }, statement }: Session) {
  /** Moves the counter on by `count` and returns the first of the numbers that it passed. */
  async function reserve(count: number): Promise<number> {
    const [row] = await db
      .update(sequences)
      .set({ nextValue: sql`${sequences.nextValue} + ${count}` })
      .where(eq(sequences.name, 'service_number'))
      .returning({ next: sequences.nextValue });
    if (!row) throw new Error('the sequence of service numbers is missing');
    return row.next - count;
  }

  const advance = statement('sequences.advance', () =>
    db
      .update(sequences)
      .set({ nextValue: sql`${sequences.nextValue} + 1` })
      .where(eq(sequences.name, 'service_number'))
      .returning({ next: sequences.nextValue }),
  );
  const taken = statement('sequences.taken', () =>
    db
      .select({ number: services.number })
      .from(services)
      .where(eq(services.number, sql.placeholder('number'))),
  );
  return {
    /** Issues a service number nobody has: imports bring numbers of their own, and those are skipped. */
    async nextServiceNumber(): Promise<number> {
      for (;;) {
        const [row] = await advance();
        if (!row) throw new Error('the sequence of service numbers is missing');
        const number = row.next - 1;
        if ((await taken({ number })).length === 0) return number;
      }
    },
    /** Issues many of them at once, rising. */
    async nextServiceNumbers(count: number): Promise<number[]> {
      const free: number[] = [];
      while (free.length < count) {
        const wanted = count - free.length;
        const first = await reserve(wanted);
        const standing = await db
          .select({ number: services.number })
          .from(services)
          .where(between(services.number, first, first + wanted - 1));
        const used = new Set(standing.map((row) => row.number));
        for (let number = first; number < first + wanted; number += 1) if (!used.has(number)) free.push(number);
      }
      return free;
    },
  };
}
