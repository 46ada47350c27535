import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { tables } from '../../drizzle/sqlite.ts';
import { fail } from '../errors.ts';
import type { TableAccess } from './copy.ts';
import { GroupCommit } from './group-commit.ts';
import { MIGRATIONS_TABLE, missingMigrations } from './migrate.ts';
import { createSession, type Database } from './session.ts';
import { changesOf, guarding, readsOf, type Store, wrapCalls } from './store.ts';

export interface SqliteOptions {
  file: string;
  /** Milliseconds that never run backwards. */
  monotonic: () => number;
}

export interface SqliteStore extends Store {
  /** Whether opening made the file. */
  readonly created: boolean;
  /** Copies the database to a new file while it is in use. */
  backup(file: string): Promise<void>;
}

/** Opens (and where needed creates and migrates) a SQLite file. */
export async function openSqlite({ file, monotonic }: SqliteOptions): Promise<SqliteStore> {
  mkdirSync(dirname(file), { recursive: true });
  const isNew = !existsSync(file);
  const writer = new Sqlite(file, { timeout: MIGRATION_PATIENCE_MS });
  writer.pragma('journal_mode = WAL');
  // The driver is built to leave WAL commits in the system's cache; an acknowledged change must survive a power cut.
  writer.pragma('synchronous = FULL');
  writer.pragma('wal_autocheckpoint = 10000');
  writer.pragma('foreign_keys = ON');
  migrate(writer);
  const created = isNew && isEmpty(writer);
  // From here on the group commit waits for other processes by itself, without blocking the event loop.
  writer.pragma('busy_timeout = 0');

  const reader = new Sqlite(file, { readonly: true });
  reader.pragma('query_only = ON');

  let changer = changerOf(writer);
  const cutOff = () => {
    changer.end();
    changer = changerOf(writer);
  };
  const commits = new GroupCommit({ ...transactorOf(writer), cutOff }, monotonic);

  return {
    created,
    read: wrapCalls(readsOf(sessionOf(reader)), guarding(explained)),
    async tx(work) {
      const committed = commits.run(async () => {
        const { session, changes } = changer;
        session.counterChanges.clear();
        const result = await work(changes);
        await changes.counters.flush();
        return result;
      });
      return committed.catch((error) => {
        throw explained(error);
      });
    },
    async ping() {
      reader.prepare('select 1 from settings').get();
    },
    async backup(target) {
      // A connection that holds on to what it saw first: a copy of a moving source would start over at each commit.
      const source = new Sqlite(file, { readonly: true });
      try {
        source.exec('begin; select 1 from settings');
        await source.backup(target);
      } finally {
        source.close();
      }
    },
    async close() {
      await commits.idle();
      reader.close();
      writer.close();
    },
  };
}

/** Opens (and where needed creates and migrates) a SQLite file for moving whole tables. */
export async function openSqliteTables(options: SqliteOptions): Promise<TableAccess> {
  await (await openSqlite(options)).close();
  const client = new Sqlite(options.file, { timeout: MIGRATION_PATIENCE_MS });
  client.pragma('synchronous = FULL');
  client.pragma('foreign_keys = ON');
  const within =
    (begin: string) =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      client.exec(begin);
      try {
        const result = await work();
        client.exec('commit');
        return result;
      } catch (error) {
        if (client.inTransaction) client.exec('rollback');
        throw error;
      }
    };
  return {
    db: drizzle({ client, casing: 'snake_case' }) as unknown as Database,
    tables,
    // Deferred: the first read fixes what is seen.
    snapshot: within('begin'),
    transaction: within('begin immediate'),
    async close() {
      client.close();
    },
  };
}

const MIGRATION_PATIENCE_MS = 30_000;
const RETRY_AFTER_SECONDS = 1;

function sessionOf(client: Sqlite.Database) {
  const db = drizzle({ client, casing: 'snake_case' }) as unknown as Database;
  return createSession('sqlite', db, tables, async (query) => db.run(query));
}

/** What works change the database through; once ended, a work that is still running reaches nothing any more. */
function changerOf(client: Sqlite.Database) {
  const session = sessionOf(client);
  let ended = false;
  const changes = wrapCalls(changesOf(session), (call) => (...args) => {
    if (ended) throw new Error('this transaction is over');
    return call(...args);
  });
  const end = () => {
    ended = true;
  };
  return { session, changes, end };
}

function transactorOf(client: Sqlite.Database) {
  const statement = (source: string) => {
    const prepared = client.prepare(source);
    return () => {
      prepared.run();
    };
  };
  const begin = statement('begin immediate');
  const rollback = statement('rollback');
  return {
    begin() {
      try {
        begin();
        return true;
      } catch (error) {
        if (codeOf(error).startsWith('SQLITE_BUSY')) return false;
        throw error;
      }
    },
    commit: statement('commit'),
    rollback() {
      // SQLite itself rolls back after some errors (a full disk, say), and a second time would be one more error.
      if (client.inTransaction) rollback();
    },
    savepoint: statement('savepoint work'),
    release: statement('release work'),
    rollbackToSavepoint() {
      if (!client.inTransaction) return false;
      client.exec('rollback to work; release work');
      return true;
    },
  };
}

/** Applies what is missing, and says how much that was. */
function migrate(client: Sqlite.Database): number {
  const apply = client.transaction(() => {
    client.exec(MIGRATIONS_TABLE);
    const applied = client.prepare('select made_at from schema_migrations').pluck().all() as number[];
    const missing = missingMigrations('sqlite', applied);
    for (const { sql, folderMillis, hash } of missing) {
      for (const statement of sql) client.exec(statement);
      client.prepare('insert into schema_migrations values (?, ?)').run(folderMillis, hash);
    }
    return missing.length;
  });
  return apply.immediate();
}

const isEmpty = (client: Sqlite.Database): boolean =>
  client.prepare('select count(*) from brokers').pluck().get() === 0;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');

const explained = (error: unknown): unknown =>
  isOutOfService(error) ? fail.unavailable(RETRY_AFTER_SECONDS, error) : error;

/** The database is away, locked for too long, or out of disk: not this request's fault, and it may pass. */
const isOutOfService = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|NOMEM)/.test(codeOf(error));

/** A private database in memory on which things can be tried without a trace. */
export interface Stage {
  /** Runs the act against the prepared records and undoes whatever it changed; one act at a time. */
  rehearse<T>(act: (store: Store) => Promise<T>): Promise<T>;
  close(): void;
}

/** Opens a stage and sets it: what `prepare` writes is there at the start of every rehearsal. */
export async function openStage(prepare: (store: Store) => Promise<void>): Promise<Stage> {
  const client = new Sqlite(':memory:');
  client.pragma('foreign_keys = ON');
  migrate(client);
  const session = sessionOf(client);
  const changes = changesOf(session);
  const transactor = transactorOf(client);
  const store: Store = {
    read: readsOf(session),
    async tx(work) {
      transactor.savepoint();
      session.counterChanges.clear();
      try {
        const result = await work(changes);
        await changes.counters.flush();
        transactor.release();
        return result;
      } catch (error) {
        transactor.rollbackToSavepoint();
        throw error;
      }
    },
    async ping() {},
    async close() {},
  };
  await prepare(store);

  let turn: Promise<unknown> = Promise.resolve();
  return {
    rehearse(act) {
      const played = turn.then(async () => {
        transactor.begin();
        try {
          return await act(store);
        } finally {
          transactor.rollback();
        }
      });
      turn = played.catch(() => undefined);
      return played;
    },
    close: () => void client.close(),
  };
}
