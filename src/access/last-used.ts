import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { WriteBehind } from '../traffic/write-behind.ts';

export interface KeyUse {
  keyId: string;
  atMs: number;
  ip: string;
}

/**
 * Remembers a key's use, which is written within a second but at most once a minute (contract, section 5). Returns the
 * use before it, where this process has seen one.
 */
export type NoteUse = (use: KeyUse) => KeyUse | undefined;

const WRITE_EVERY_MS = 60_000;

/** Keys whose use is remembered, some 5 MB. The use of one that is pushed out is written with the next write. */
export const MAX_KEYS = 20_000;

export function createNoteUse(
  writeBehind: Pick<WriteBehind, 'add'>,
  { monotonic }: Pick<Clock, 'monotonic'>,
  maxKeys = MAX_KEYS,
): NoteUse {
  const remembered = new LRUCache<string, { use: KeyUse; writtenAt: number }>({ max: maxKeys });
  const rows = new Map<string, KeyUse>();
  writeBehind.add<KeyUse>({
    rows,
    everySeconds: 1,
    isDue: (keyId) => monotonic() - (remembered.peek(keyId)?.writtenAt ?? Number.NEGATIVE_INFINITY) >= WRITE_EVERY_MS,
    async write(tx, uses) {
      // In one order: two processes that write the same keys do not wait for each other in a circle.
      for (const { keyId, atMs, ip } of uses.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))) {
        await tx.keys.update(keyId, { lastUsedAt: atMs, lastUsedIp: ip });
        const entry = remembered.peek(keyId);
        if (entry) entry.writtenAt = monotonic();
      }
    },
  });
  return (use) => {
    const entry = remembered.get(use.keyId);
    const before = entry?.use;
    if (entry) entry.use = use;
    else remembered.set(use.keyId, { use, writtenAt: Number.NEGATIVE_INFINITY });
    // Twice as many: keys that were pushed out wait for a second, or for a database that is away.
    if (rows.size < 2 * maxKeys || rows.has(use.keyId)) rows.set(use.keyId, use);
    return before;
  };
}
