import { existsSync } from 'node:fs';
import { openSandboxStore, type Parts, sandboxFileOf } from '../compose.ts';
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';

/** Works on the store of the sandboxes, if there is one: a command makes no file for it. */
export async function withSandboxes<T>(
  { database }: Pick<Config, 'database'>,
  parts: Pick<Parts, 'store' | 'clock'>,
  work: (sandboxes: Store | undefined) => Promise<T>,
): Promise<T> {
  if (database.kind === 'sqlite' && !existsSync(sandboxFileOf(database.file))) return work(undefined);
  const sandboxes = await openSandboxStore({ database }, parts, () => undefined);
  try {
    return await work(sandboxes);
  } finally {
    await sandboxes.close();
  }
}
