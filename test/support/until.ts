import { setTimeout } from 'node:timers/promises';

/** So long that a busy machine does not fail a test: only what will never be is given up. */
export const PATIENCE_MS = 300_000;

/** Asks again and again until the answer is yes; rejects after a long while, so that no test hangs. */
export async function until(what: string, ask: () => unknown): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await setTimeout(10);
  }
}
