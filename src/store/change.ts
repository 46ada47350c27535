import type { Clock } from '../runtime/clock.ts';
import type { NewId } from '../runtime/ids.ts';
import type { Store, Tx } from './store.ts';

/** A transaction with what a change of records needs. */
export interface Change {
  readonly tx: Tx;
  /** The time of the change in epoch milliseconds, fixed at its first use: use it after taking locks. */
  readonly now: number;
  readonly newId: NewId;
  /** Whether anything carries work out but the records themselves. */
  readonly hasProvisioner: boolean;
}

/** What makes a `Change`. */
export interface ChangeParts {
  store: Pick<Store, 'tx'>;
  clock: Pick<Clock, 'now'>;
  newId: NewId;
  hasProvisioner?: boolean | undefined;
}

/** Runs the work in its own transaction; resolves with its result once that is durable. */
export const transact = <T>(
  { store, clock, newId, hasProvisioner = false }: ChangeParts,
  work: (change: Change) => Promise<T>,
): Promise<T> =>
  store.tx((tx) => {
    let now: number | undefined;
    return work({
      tx,
      newId,
      hasProvisioner,
      // Read after a lock was waited for, so that histories have the order of the changes.
      get now() {
        now ??= clock.now();
        return now;
      },
    });
  });
