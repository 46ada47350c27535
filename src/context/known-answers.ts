import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import { listSlot } from './list-slots.ts';
import type { Caller, Listed, StoredAnswer } from './outcome.ts';

/** Some twenty pages of a hundred records. Further ones push out the broker's own. */
const BYTES_OF_BROKER = 1024 * 1024;

/** Brokers that are known at the same time, the latest to ask: sixteen megabytes in all. */
const MAX_BROKERS = 16;

/** What an entry takes beside its bytes and its name. */
const ENTRY_BYTES = 500;

/** A list that was read. */
export interface Reading<T> {
  listed: Listed<T>;
  /** Up to which moment, in epoch milliseconds, it reads the same while nothing is committed. */
  goodUntil: number;
}

interface Known {
  body: Buffer;
  goodUntil: number;
}

/**
 * Answers to lists, as they were sent. To read a hundred records and to write them out costs many times what it costs to
 * send them, and most callers ask for what they asked for before. All of it is forgotten as soon as anything was
 * committed, by whichever process: the database is asked for that on every call, so that nobody sees less than a read
 * would show. Bounded for each broker and over all.
 */
export type KnownAnswers = NonNullable<ReturnType<typeof createKnownAnswers>>;

/** Undefined where the engine cannot say cheaply whether anything was committed. */
export function createKnownAnswers({ version }: Pick<Store, 'version'>) {
  if (!version) return undefined;
  const brokers = new LRUCache<string, LRUCache<string, Known>>({ max: MAX_BROKERS });
  let asOf: number | undefined;

  /** What the broker's callers were told, of what still holds. */
  function answersOf(brokerId: string): LRUCache<string, Known> {
    let answers = brokers.get(brokerId);
    if (!answers) {
      answers = new LRUCache({ maxSize: BYTES_OF_BROKER });
      brokers.set(brokerId, answers);
    }
    return answers;
  }

  return {
    /** The answer that is known under this name, or a reading whose bytes are kept once somebody has written them. */
    async answer<T>(
      { brokerId }: Caller,
      name: string,
      now: number,
      read: () => Promise<Reading<T>>,
    ): Promise<Listed<T> | StoredAnswer> {
      // Before anything is read: what is committed meanwhile makes this reading one of the past.
      const before = version();
      if (before !== asOf) brokers.clear();
      asOf = before;
      const known = brokers.get(brokerId)?.get(name);
      if (known && now < known.goodUntil) return { statusCode: 200, body: known.body, replayed: false };
      const { listed, goodUntil } = await read();
      return {
        keep(body) {
          if (asOf !== before || goodUntil <= now) return;
          answersOf(brokerId).set(name, { body, goodUntil }, { size: body.length + 2 * name.length + ENTRY_BYTES });
        },
        ...listed,
      };
    },
  };
}

/** A list from what is known, where anything is; `query` is all that the broker's callers can tell apart. */
export async function readOrKnown<T>(
  { known, clock }: { known?: KnownAnswers | undefined; clock: Clock },
  caller: Caller,
  { list, query }: { list: string; query: object },
  read: (now: number) => Promise<Reading<T>>,
): Promise<Listed<T> | StoredAnswer> {
  const now = clock.now();
  const readInTurn = async () => {
    await listSlot(caller.brokerId);
    return read(now);
  };
  if (!known) return (await readInTurn()).listed;
  return known.answer(caller, `${list} ${JSON.stringify(query)}`, now, readInTurn);
}
