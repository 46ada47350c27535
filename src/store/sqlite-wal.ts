import { codeOf, type SqliteClient } from './sqlite-client.ts';

/** From so many bytes on the log is moved and cut back as soon as no reader needs it: twice what stays of it. */
const WAL_TOO_LONG_BYTES = 16 * 1024 * 1024;

/** To try takes the disk's time, and a reader that is in the way is so for a while. */
const TRY_EVERY_MS = 1_000;

/**
 * Keeps the write-ahead log short. SQLite moves it into the file by itself, but starts it anew only in a moment in
 * which nobody reads what it holds; until then it grows, and on a small disk leaves no room to move it to.
 */
export function createWalKeeper(writer: SqliteClient, monotonic: () => number) {
  let triedAt = Number.NEGATIVE_INFINITY;

  /** Moves the log into the file and empties it, if nobody is in the way. Never waits, and tries once a second. */
  function cutBack(): void {
    const now = monotonic();
    if (now - triedAt < TRY_EVERY_MS || writer.inTransaction) return;
    triedAt = now;
    try {
      writer.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Another process holds the lock, or the disk has no room even for this: the write that follows will tell.
      if (!/^SQLITE_(BUSY|FULL|IOERR|READONLY|LOCKED)/.test(codeOf(error))) throw error;
    }
  }

  return {
    cutBack,
    /** @param bytes the log's length after a commit */
    committed(bytes: number): void {
      if (bytes > WAL_TOO_LONG_BYTES) cutBack();
    },
  };
}
