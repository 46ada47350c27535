import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';

export interface KeyUse {
  atMs: number;
  ip: string;
}

/** Remembers when and from where each key was used, and writes it down at most once a minute a key. */
export interface LastUsed {
  /** Notes a use and returns the one before it, where this process has seen one. */
  note(keyId: string, use: KeyUse): KeyUse | undefined;
  /** Resolves when every write that has begun is done. */
  idle(): Promise<void>;
  /** Writes what is not written yet; for the end of the process. */
  flush(): Promise<void>;
}

const WRITE_EVERY_MS = 60_000;

/** Keys whose use is remembered, some 5 MB; the one that was silent longest is written down and then read again. */
const MAX_KEYS = 20_000;

interface Entry extends KeyUse {
  /** Monotonic milliseconds. */
  writtenAt: number;
  dirty: boolean;
}

/** Makes the memory of uses of one process; `onError` is told of writes that failed. */
export function createLastUsed({
  store,
  clock,
  onError,
}: {
  store: Store;
  clock: Clock;
  /** Told of a write that failed: the use is lost to the record, and the request never hears of it. */
  onError: (error: unknown) => void;
}): LastUsed {
  const entries = new LRUCache<string, Entry>({
    max: MAX_KEYS,
    dispose: (entry, keyId) => {
      if (entry.dirty) write(keyId, entry);
    },
  });
  let writing: Promise<void> = Promise.resolve();

  function write(keyId: string, entry: Entry): void {
    entry.writtenAt = clock.monotonic();
    entry.dirty = false;
    const use = { lastUsedAt: entry.atMs, lastUsedIp: entry.ip };
    const written = store.tx((tx) => tx.keys.update(keyId, use)).then(() => undefined, onError);
    writing = writing.then(() => written);
  }

  return {
    note(keyId, use) {
      const entry = entries.get(keyId);
      if (!entry) {
        const first: Entry = { ...use, writtenAt: 0, dirty: true };
        entries.set(keyId, first);
        write(keyId, first);
        return undefined;
      }
      const before = { atMs: entry.atMs, ip: entry.ip };
      entry.atMs = use.atMs;
      entry.ip = use.ip;
      entry.dirty = true;
      if (clock.monotonic() - entry.writtenAt >= WRITE_EVERY_MS) write(keyId, entry);
      return before;
    },
    idle: () => writing,
    async flush() {
      for (const [keyId, entry] of entries.entries()) if (entry.dirty) write(keyId, entry);
      await writing;
    },
  };
}
