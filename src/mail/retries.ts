import { setTimeout } from 'node:timers/promises';

export interface Retries {
  /**
   * Tries again until it succeeds. It holds up no end of the process.
   * @param giveUp called with the last error, or at once with none where too many wait
   */
  add(work: () => Promise<unknown>, giveUp: (error?: unknown) => void): void;
}

/** Work of one process that failed and that no caller waits for. Each pause is twice as long as the one before. */
export function createRetries({
  firstPauseMs,
  attempts,
  maxWaiting,
}: {
  firstPauseMs: number;
  attempts: number;
  maxWaiting: number;
}): Retries {
  let waiting = 0;
  return {
    async add(work, giveUp) {
      if (waiting >= maxWaiting) return giveUp();
      waiting += 1;
      let failure: { error: unknown } | undefined;
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        await setTimeout(firstPauseMs * 2 ** attempt, undefined, { ref: false });
        failure = await work().then(
          () => undefined,
          (error: unknown) => ({ error }),
        );
        if (!failure) break;
      }
      waiting -= 1;
      if (failure) giveUp(failure.error);
    },
  };
}
