import type { Caller } from '../broker/operation.ts';
import { fail } from '../errors.ts';
import { SlotQueue } from '../limits/slot-queue.ts';
import type { SandboxState } from '../store/queries/sandboxes.ts';
import { type Store, storeForBroker, type Tx } from '../store/store.ts';

/**
 * One transaction of a broker at a time waits for the lock, so that no broker's calls take the connections of others. The
 * patience is enough for a whole window of calls at once, each of which finds its sandbox not made yet.
 */
export const SANDBOX_SLOTS = {
  atOnce: 3,
  atOnceOfOne: 1,
  waiting: 1_200,
  waitingOfOne: 240,
  patienceMs: 5_000,
  retryAfterSeconds: 1,
};

/** The database of all sandboxes, one broker's at a time. */
export interface SandboxDatabase {
  /** The store of a broker's calls. Throws `server_error` where the database cannot be opened. */
  open(brokerId: string): Promise<Store>;
  /** Runs work in a transaction that holds the sandbox's lock. Throws `server_error` where no slot becomes free. */
  locked<T>(
    caller: Pick<Caller, 'brokerId' | 'isDisconnected'>,
    work: (tx: Tx, state: SandboxState | null) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/**
 * @param openStore called at the first use, so that live keys need no such database
 * @param patienceMs how long a transaction waits for its slot
 */
export function createSandboxDatabase(openStore: () => Promise<Store>, patienceMs: number): SandboxDatabase {
  const slots = new SlotQueue({ ...SANDBOX_SLOTS, patienceMs });
  let opened: Promise<Store> | undefined;

  async function open(brokerId: string): Promise<Store> {
    opened ??= openStore().catch((error: unknown) => {
      opened = undefined;
      throw fail.unavailable(SANDBOX_SLOTS.retryAfterSeconds, error);
    });
    // Without `for`: what is made of it for a call is for its broker already.
    const { read, slow, report, tx, ping, close } = storeForBroker(await opened, brokerId);
    return { read, slow, report, tx, ping, close };
  }

  return {
    open,
    async locked({ brokerId, isDisconnected }, work) {
      const store = await open(brokerId);
      return slots.take({ key: brokerId, isDisconnected }, () =>
        store.tx(async (tx) => work(tx, await tx.sandboxes.lock(brokerId))),
      );
    },
    async close() {
      slots.close();
      await (await opened)?.close();
    },
  };
}

/** The refusal of a call that its sandbox kept waiting; the cause is logged. */
export const busy = (cause: string) => fail.overloaded(SANDBOX_SLOTS.retryAfterSeconds, new Error(cause));
