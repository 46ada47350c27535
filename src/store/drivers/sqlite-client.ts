import Sqlite from 'better-sqlite3';
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { tables } from '../../../drizzle/sqlite.ts';
import { createSession, type Database, type Session } from '../session/session.ts';
import type { Transactor } from './group-commit.ts';

/** A connection to a SQLite file. */
export type SqliteClient = Sqlite.Database;

/**
 * A connection that can write, and whose commits survive a power cut.
 * @param patienceMs how long a statement may block for another process's lock
 */
export function connect(file: string, patienceMs: number): SqliteClient {
  const client = connectUnchanged(file, patienceMs);
  try {
    client.pragma('journal_mode = WAL');
    // The driver is built to leave WAL commits in the system's cache.
    client.pragma('synchronous = FULL');
    client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    client.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
    client.pragma('foreign_keys = ON');
    // A savepoint keeps an image of every page that it touches, otherwise in a file of its own.
    client.pragma('temp_store = MEMORY');
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** A connection that leaves the file as it is until a pragma changes it. */
export const connectUnchanged = (file: string, patienceMs: number): SqliteClient =>
  new Sqlite(file, { timeout: patienceMs });

/** A connection that refuses to write. */
export function connectReader(file: string): SqliteClient {
  const client = new Sqlite(file, { readonly: true });
  client.pragma('query_only = ON');
  return client;
}

/**
 * Writes each parameter as `+?`. The driver's SQLite is built with STAT4, whose planner looks at the values of parameters
 * and compiles a prepared statement anew after each binding; it does not look through an operator (bench/RESULTS.md).
 */
class OpaqueParameters extends SQLiteSyncDialect {
  override escapeParam(): string {
    return '+?';
  }
}

export function databaseOf(client: SqliteClient): Database {
  const dialect = new OpaqueParameters({ casing: 'snake_case' });
  // Synchronous underneath; awaited like the other engine's.
  return new BaseSQLiteDatabase(
    'sync',
    dialect,
    new BetterSQLiteSession(client, dialect, undefined),
    undefined,
  ) as unknown as Database;
}

export const sessionOf = (client: SqliteClient): Session => createSession('sqlite', databaseOf(client), tables);

/** Pages of 4 KiB (together 4 MB) after which the log is moved into the file. */
const CHECKPOINT_PAGES = 1_000;

/** The size to which a longer log (after an import or a long read) is truncated once it has been moved. */
const WAL_KEPT_BYTES = 8 * 1024 * 1024;

/** SQLite's error code, or an empty text. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');

/** The statements of transactions on one connection, prepared. */
export function transactorOf(client: SqliteClient): Omit<Transactor, 'cutOff'> {
  const statement = (source: string) => {
    const prepared = client.prepare(source);
    return () => {
      prepared.run();
    };
  };
  const begin = statement('begin immediate');
  const rollback = statement('rollback');
  const release = statement('release job');
  return {
    begin() {
      try {
        // Its rollback failed before; the disk may work again.
        if (client.inTransaction) rollback();
        begin();
        return true;
      } catch (error) {
        if (codeOf(error).startsWith('SQLITE_BUSY')) return false;
        throw error;
      }
    },
    commit: statement('commit'),
    rollback() {
      // SQLite rolls back by itself after some errors, for example a full disk.
      if (client.inTransaction) rollback();
    },
    savepoint: statement('savepoint job'),
    release() {
      if (!client.inTransaction) return false;
      release();
      return true;
    },
    rollbackToSavepoint() {
      if (!client.inTransaction) return false;
      client.exec('rollback to job; release job');
      return true;
    },
  };
}
