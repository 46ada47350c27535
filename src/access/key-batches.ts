import type { SlotQueue } from '../limits/slot-queue.ts';

/** Keys that one statement looks up: so few that another read waits for it a few milliseconds. */
export const KEYS_OF_BATCH = 100;

export interface AskedKey<A> {
  publicId: string;
  token: string;
  resolve: (access: A) => void;
  reject: (error: unknown) => void;
}

interface Question {
  /** Whose places of the queue it takes. */
  owner: string;
  publicId: string;
  token: string;
  /** The error where no place becomes free; by default the queue's. */
  refusal?: () => Error;
}

/**
 * Gathers the keys of an owner that wait for a place of the queue: up to a hundred share one place and one statement. A
 * thousand keys behind one proxy, which all call after a start, so cost ten statements, and a place means as little work
 * as before.
 * @param lookUp resolves or rejects each key; where it rejects itself, all keys of the batch do
 */
export function createKeyBatches<A>(queue: SlotQueue, lookUp: (keys: readonly AskedKey<A>[]) => Promise<void>) {
  /** The last batch of each owner that waits and has room. */
  const open = new Map<string, Array<AskedKey<A>>>();

  function begin(owner: string, batch: Array<AskedKey<A>>, refusal?: () => Error): void {
    let begun = false;
    const close = () => {
      if (open.get(owner) === batch) open.delete(owner);
    };
    open.set(owner, batch);
    queue
      .take({ key: owner }, () => {
        begun = true;
        close();
        return lookUp(batch);
      })
      .catch((error: unknown) => {
        close();
        for (const { reject } of batch) reject(begun || !refusal ? error : refusal());
      });
  }

  return ({ owner, publicId, token, refusal }: Question): Promise<A> =>
    new Promise((resolve, reject) => {
      const asked = { publicId, token, resolve, reject };
      const waiting = open.get(owner);
      if (waiting && waiting.length < KEYS_OF_BATCH) waiting.push(asked);
      else begin(owner, [asked], refusal);
    });
}
