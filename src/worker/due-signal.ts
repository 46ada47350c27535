import type { OnDue } from '../store/store.ts';

/** Wakes the worker of a process when a committed change makes work due, so that it does not wait for its next poll. */
export interface DueSignal {
  /**
   * Called by the store after a commit.
   * @param announce notifies workers of other processes; called where this process has none
   */
  report(dueAt: number, announce?: OnDue): void;
  /** @returns ends the subscription */
  listen(listener: OnDue): () => void;
}

export function createDueSignal(): DueSignal {
  const listeners = new Set<OnDue>();
  return {
    report(dueAt, announce) {
      if (listeners.size === 0) announce?.(dueAt);
      for (const listener of listeners) listener(dueAt);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
