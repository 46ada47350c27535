import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../../errors.ts';
import {
  BACKGROUND,
  type ConnectionOwner,
  type Guard,
  type OnDue,
  readsOf,
  type Store,
  wrapCalls,
  writesOf,
} from '../store.ts';
import { GroupCommit } from './group-commit.ts';
import { type Migrating, patiently, SchemaError } from './migrate.ts';
import { Outage, type Report } from './outage.ts';
import { createReaders } from './readers.ts';
import { createSlowQueues, slowQueriesOf } from './slow-queries.ts';
import { codeOf, connect, connectReader, type SqliteClient, sessionOf, transactorOf } from './sqlite-client.ts';
import { FILE_GONE, prepareFile, watchFile } from './sqlite-file.ts';
import { migrate } from './sqlite-migrate.ts';
import { createWalKeeper } from './sqlite-wal.ts';

export interface SqliteOptions {
  file: string;
  /** Milliseconds that never run backwards. */
  monotonic: () => number;
  /** Called once when the file becomes unusable, and once when it can be used again. */
  report?: Report;
  /** Brings the schema up to date in place of the migrations of the live tables. */
  prepare?: (client: SqliteClient) => void;
  /** What opening may do to the file; by default all that is needed. */
  migrating?: Migrating;
  /** How long a job waits for its slot before it is refused; by default the bound of its queue. */
  queuePatienceMs?: number | undefined;
  /** Called once a change that makes work due is durable, with the date of that (epoch milliseconds). */
  onDue?: OnDue;
}

export interface SqliteStore extends Store {
  /** Whether opening made the file. */
  readonly created: boolean;
}

/** The interval of file checks by reads and health checks. */
const POLL_EVERY_MS = 1_000;

const RETRY_AFTER_SECONDS = 1;

/** What a change may need of the disk: the page of the trial fits into what is left long after changes do not. */
const LEAST_FREE_BYTES = 1_048_576;

/** How long one statement of the start waits for another process's lock; it is tried again. */
const LOCK_PATIENCE_MS = 500;

const HEALTH: ConnectionOwner = { share: 'background', name: 'health' };

/** Opens (and where needed creates and migrates) a SQLite file. Throws one clear line when it cannot be written. */
export async function openSqlite({
  file,
  monotonic,
  report = () => undefined,
  migrating = 'always',
  prepare,
  queuePatienceMs,
  onDue = () => undefined,
}: SqliteOptions): Promise<SqliteStore> {
  const isNew = !existsSync(file);
  if (isNew && (migrating === 'existing' || migrating === 'never')) {
    throw new SchemaError(`there is no ${file}; "broker migrate" makes an empty database`);
  }
  prepareFile(file);
  const writer = await patiently(() => connect(file, LOCK_PATIENCE_MS), isBusy, report);
  await orClose(writer, () =>
    prepare ? patiently(() => prepare(writer), isBusy, report) : migrate(writer, migrating, report),
  );
  const created = isNew && !prepare && isEmpty(writer);
  // From here on the group commit waits for other processes without blocking the event loop.
  writer.pragma('busy_timeout = 0');
  const wal = createWalKeeper(writer, monotonic);
  // A log that has filled the disk is moved into the file before the first write.
  wal.cutBack();
  const reader = connectReader(file);
  const opened = watchFile(file);
  // A closed connection has deleted its log, and the driver reports that it is closed.
  const check = (): number => (writer.open ? opened.check() : 0);

  let changer = changerOf(writer);
  const { begin, commit, ...transactor } = transactorOf(writer);
  const commits = new GroupCommit(
    {
      ...transactor,
      begin() {
        check();
        return begin();
      },
      commit() {
        commit();
        // Before any caller is answered: writes to a deleted file are lost.
        wal.committed(check());
      },
      cutOff() {
        changer.end();
        changer = changerOf(writer);
      },
    },
    monotonic,
  );

  const outage = new Outage(report, monotonic);
  const refused = (error: unknown): unknown => {
    if (!isOutOfService(error)) return error;
    if (!isBusy(error)) outage.recordFailure('the database cannot be used', error as Error);
    if (codeOf(error) === 'SQLITE_FULL') wal.cutBack();
    return fail.unavailable(RETRY_AFTER_SECONDS, error);
  };

  async function write<T>({ share, name }: ConnectionOwner, work: () => Promise<T>, patienceMs?: number): Promise<T> {
    const result = await commits.run(`${share} ${name}`, work, patienceMs);
    outage.recordSuccess();
    return result;
  }

  let polledAt = Number.NEGATIVE_INFINITY;
  /** Checks the file once a second: with a replaced one, a revoked key would stay valid. */
  function poll(): void {
    const now = monotonic();
    if (now - polledAt < POLL_EVERY_MS) return;
    check();
    polledAt = now;
  }

  const guarded: Guard =
    (call) =>
    async (...args) => {
      try {
        poll();
        return await call(...args);
      } catch (error) {
        throw refused(error);
      }
    };

  const readers = createReaders({ file });
  const { close: closeSlots, ...slowQueries } = slowQueriesOf(readers, guarded, createSlowQueues(queuePatienceMs));

  /** Writes to the disk without a change. Another process's lock is no failure. */
  async function tryToWrite(): Promise<void> {
    if ((await freeBytes(file)) < LEAST_FREE_BYTES)
      throw Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' });
    try {
      await write(HEALTH, async () => void writer.pragma('user_version = 0'), 0);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  let tried = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve() };

  /** Only transactions wait in a queue that is shared; reads of all owners are the same. */
  const storeOf = (owner: ConnectionOwner): Store => ({
    ...shared,
    async tx(work) {
      try {
        const { result, dueAt } = await write(owner, async () => {
          const { session, changes } = changer;
          session.counterChanges.clear();
          session.dueAt = null;
          const result = await work(changes);
          await changes.counters.flush();
          return { result, dueAt: session.dueAt };
        });
        if (dueAt !== null) onDue(dueAt);
        return result;
      } catch (error) {
        throw refused(error);
      }
    },
  });

  const shared: Omit<Store, 'tx'> = {
    read: wrapCalls(readsOf(sessionOf(reader)), guarded),
    ...slowQueries,
    for: storeOf,
    async ping() {
      try {
        check();
        reader.prepare('select 1 from settings').get();
        const now = monotonic();
        if (now - tried.at >= POLL_EVERY_MS) tried = { at: now, outcome: tryToWrite() };
        await tried.outcome;
      } catch (error) {
        throw refused(error);
      }
    },
    async close() {
      closeSlots();
      await Promise.all([readers.close(), commits.idle()]);
      reader.close();
      writer.close();
    },
  };
  return { created, ...storeOf(BACKGROUND) };
}

/** Bytes that this process may still write beside the file. */
async function freeBytes(file: string): Promise<number> {
  const { bavail, bfree, bsize } = await statfs(dirname(file));
  /* c8 ignore next -- a test run is one user's */
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
}

/** The changes of transactions; after `end`, a job that still runs can change nothing. */
function changerOf(client: SqliteClient) {
  const session = sessionOf(client);
  let ended = false;
  const changes = wrapCalls(writesOf(session), (call) => (...args) => {
    if (ended) throw new Error('this transaction is over');
    return call(...args);
  });
  const end = () => {
    ended = true;
  };
  return { session, changes, end };
}

async function orClose(client: SqliteClient, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    client.close();
    throw error;
  }
}

const isEmpty = (client: SqliteClient): boolean => client.prepare('select count(*) from brokers').pluck().get() === 0;

const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** The database is gone, locked for too long, or out of disk: temporary, and not caused by the request. */
const isOutOfService = (error: unknown): boolean =>
  codeOf(error) === FILE_GONE || /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|NOMEM)/.test(codeOf(error));
