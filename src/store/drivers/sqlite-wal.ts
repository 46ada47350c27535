import { codeOf, type SqliteClient } from './sqlite-client.ts';

/** A longer log is truncated as soon as no reader needs it: twice its kept size. */
const WAL_TOO_LONG_BYTES = 16 * 1024 * 1024;

/** An attempt takes disk time, and a reader that prevents it does so for a while. */
const TRY_EVERY_MS = 1_000;

/**
 * Keeps the write-ahead log short. SQLite moves it into the file by itself, but restarts it only when no reader needs it;
 * until then it grows, and can fill a small disk.
 */
export function createWalKeeper(writer: SqliteClient, monotonic: () => number) {
  let triedAt = Number.NEGATIVE_INFINITY;

  /** Moves the log into the file and empties it, unless a reader prevents it. Never waits; tries once a second. */
  function cutBack(): void {
    const now = monotonic();
    if (now - triedAt < TRY_EVERY_MS || writer.inTransaction) return;
    triedAt = now;
    try {
      writer.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Another process has the lock, or the disk is full; the next write reports it.
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
