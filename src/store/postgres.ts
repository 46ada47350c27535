import { setTimeout } from 'node:timers/promises';
import type { Tables } from '../../drizzle/tables.ts';
import { systemClock } from '../clock.ts';
import { CSV_BATCH_ROWS, type Csv, CsvFile, type CsvQuery } from './csv.ts';
import type { Migrating } from './migrate.ts';
import { Outage, type Tell } from './outage.ts';
import { Pool, type PooledClient, Servers, sessionOf, undo, within } from './postgres-client.ts';
import { explained, isAway, isLostRace, isReadOnly, isTaken, isUnusable } from './postgres-faults.ts';
import { migrate } from './postgres-migrate.ts';
import { createReplica, LOOK_EVERY_MS } from './replica.ts';
import type { Session } from './session.ts';
import { type Engine, SLOW_CONNECTIONS, slowQueriesOf } from './slow-queries.ts';
import { changesOf, type Guard, readsOf, type Store, type Tx, wrapCalls } from './store.ts';

export interface PostgresOptions {
  url: string;
  /**
   * Connections of this process; three and more are shared out, and none takes another one's share. Beside them it
   * opens up to five for slow reads and reports, and four for the console, while there are some.
   */
  poolSize: number;
  /** Told once when the server cannot be reached, and once when it can again. */
  tell?: Tell;
  /** Whether the caller is an operator's command, whose statements may take their time. */
  patient?: boolean;
  /** Milliseconds that never run backwards. */
  monotonic?: () => number;
  /** The tables that are used, and how they are brought up to date; the live ones unless told otherwise. */
  tables?: Tables;
  prepare?: ((url: string) => Promise<boolean>) | undefined;
  /** A server that follows this one, for long reads that may be some seconds old. */
  replicaUrl?: string | undefined;
  /** What opening may do to the schema; by default all that is needed. */
  migrating?: Migrating;
}

export interface PostgresStore extends Store {
  /** Whether the database had no broker when it was opened. */
  readonly created: boolean;
  /** The same database over connections of its own, for work that no caller waits for. */
  readonly background: Store;
  /** Compares the replica with the database now, as happens every two seconds. */
  lookAtReplica?(): Promise<void>;
  /** The same database over connections of its own, so that no visitor of the console takes one of the API's. */
  readonly console: Store;
}

/** Operators are few; of what is sent without being signed in, the console looks up two at a time. */
export const CONSOLE_CONNECTIONS = 4;

/** How often a transaction that lost against another one is tried again before it is given up as overload. */
const MAX_ATTEMPTS = 8;
const RETRY_PAUSE_MS = 10;
/** After so long no new attempt begins: a caller waits for a lock's patience more, and no longer. */
const RETRY_FOR_MS = 3_000;

/** How often a question for the health of the store makes it try to write. */
const TRY_EVERY_MS = 1_000;

/** How long that waits for a connection which changes are written on, while all of them are in use. */
const TRIAL_PATIENCE_MS = 1_000;

/** A commit that takes longer waits for a synchronous standby, which may never come. */
const TRIAL_TIMEOUT_MS = 3_000;

/** After one connection led to a server that takes no changes, all are replaced, though not more often than this. */
const DISTRUST_EVERY_MS = 1_000;

/**
 * Changes nothing, yet needs what changes need. First a megabyte in a temporary file, which is gone at once: a full disk may
 * still have room in the pages of a table. Then the server's log, its disk and its standbys; a row that another process tries
 * is left to them, so that a message in the log makes the commit wait for what any commit waits for.
 */
const TRIAL = `set local work_mem = '64kB';
  select count(*) from unnest(array_fill(repeat('0', 8000), array[128]));
  update schema_migrations set hash = hash where made_at =
    (select made_at from schema_migrations order by made_at limit 1 for update skip locked);
  select pg_logical_emit_message(true, 'broker', '')`;

/** Opens (and where needed migrates) a PostgreSQL database. */
export async function openPostgres({
  url,
  replicaUrl,
  poolSize,
  tell = () => undefined,
  patient = false,
  monotonic = systemClock.monotonic,
  tables,
  migrating = 'always',
  prepare = () => migrate({ url, migrating, tell }),
}: PostgresOptions): Promise<PostgresStore> {
  const created = await prepare(url);
  const outage = new Outage(tell, monotonic);
  const servers = new Servers(url);
  const watch = watcherOf(outage, servers, monotonic);
  const noteLoss = (error: Error) => outage.noteFailure('the connection to PostgreSQL is lost', error);
  const pools = sharesOf(poolSize).map((size) => new Pool({ servers, size, patient, byIndex: true }, noteLoss));
  // A pool of one or two is one for all.
  const [changing, reading = changing, background = changing] = pools as [Pool, Pool?, Pool?];
  // A slot always finds a connection, and takes none from reads of a page.
  const slow = poolSize < 3 ? changing : new Pool({ servers, size: SLOW_CONNECTIONS, patient }, noteLoss);
  const console =
    poolSize < 3 ? changing : new Pool({ servers, size: CONSOLE_CONNECTIONS, patient, byIndex: true }, noteLoss);
  const engineOf = (pool: Pool): Engine => ({
    read: readsOf(sessionOf(pool, tables)),
    csv: async (query, maxBytes) => {
      const client = await pool.connect();
      return inTransaction(client, () => writeCsv(client, query, maxBytes));
    },
  });
  const replica = replicaUrl
    ? createReplica({ url: replicaUrl, size: SLOW_CONNECTIONS, patient, primary: slow, engineOf, tell, monotonic })
    : undefined;
  // The start does not wait for it.
  void replica?.look();
  const looking = replica && setInterval(() => void replica.look(), LOOK_EVERY_MS).unref();
  const { close: closeTurns, ...doors } = slowQueriesOf(engineOf(slow), watchedBy(watch), replica);
  const parts = { monotonic, watch, tables };
  async function close() {
    closeTurns();
    clearInterval(looking);
    await Promise.all([...new Set([...pools, slow, console])].map((pool) => pool.end()));
    await replica?.close();
  }
  const storeBeside = (pool: Pool): Store => ({
    ...storeOn({ changing: pool, reading: pool, ...parts }),
    ...doors,
    close: async () => undefined,
  });
  return {
    created,
    ...storeOn({ changing, reading, ...parts }),
    ...doors,
    background: storeBeside(background),
    console: storeBeside(console),
    pools: () =>
      Object.entries({ changes: changing, reads: reading, background, console, slow }).map(([pool, of]) => ({
        pool,
        inUse: of.totalCount - of.idleCount,
        idle: of.idleCount,
        waiting: of.waitingCount,
      })),
    ...(replica && { replicaIsUsed: replica.isUsable, lookAtReplica: replica.look }),
    close,
  };
}

/** A fifth of the connections is for work in the background; calls that change and calls that read halve the rest. */
function sharesOf(poolSize: number): number[] {
  if (poolSize < 3) return [poolSize];
  const background = Math.max(1, Math.round(poolSize / 5));
  const changing = Math.ceil((poolSize - background) / 2);
  return [changing, poolSize - background - changing, background];
}

interface StoreParts {
  /** For transactions. */
  changing: Pool;
  /** For single statements outside of them. */
  reading: Pool;
  monotonic: () => number;
  watch: Watch;
  tables: Tables | undefined;
}

function storeOn({
  changing,
  reading,
  monotonic,
  watch,
  tables,
}: StoreParts): Omit<Store, 'slow' | 'report' | 'close'> {
  // Prepared statements live in a connection, so each connection keeps the session that made them.
  const changers = new WeakMap<PooledClient, { session: Session; changes: Tx }>();
  const changerOf = (client: PooledClient) => {
    let changer = changers.get(client);
    if (!changer) {
      const session = sessionOf(client, tables);
      changer = { session, changes: changesOf(session) };
      changers.set(client, changer);
    }
    return changer;
  };

  /** Transactions that have a connection. */
  let running = 0;
  const attempt = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await changing.connect();
    running += 1;
    const { session, changes } = changerOf(client);
    session.counterChanges.clear();
    session.writes.length = 0;
    const change = async () => {
      const result = await work(changes);
      await changes.counters.flush();
      return result;
    };
    return inTransaction(client, change, session.writes).finally(() => {
      running -= 1;
    });
  };

  async function persist<T>(work: (tx: Tx) => Promise<T>, deadline: number, attempts = 1): Promise<T> {
    try {
      return await attempt(work);
    } catch (error) {
      const again = isLostRace(error) || isTaken(error);
      if (!again || attempts === MAX_ATTEMPTS || monotonic() >= deadline) throw error;
    }
    // The winner is only waking up: at once, the loser could take the same lock from it again.
    await setTimeout(RETRY_PAUSE_MS * attempts);
    return persist(work, deadline, attempts + 1);
  }

  /**
   * On a connection that changes are written on; while all of them are in use, on another one, which tells whether they
   * wait for another writer alone.
   */
  async function tryToWrite(): Promise<void> {
    const asked = changing.connect();
    const soon = await Promise.race([asked, setTimeout(TRIAL_PATIENCE_MS, undefined, { ref: false })]);
    const busy = !soon && running >= changing.size;
    if (busy) {
      asked.then(
        (client) => client.release(),
        () => undefined,
      );
    }
    const client = soon ?? (await (busy ? reading.connect() : asked));
    const failure: Error | undefined = await client.query(TRIAL).then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failure);
    if (failure) throw failure;
  }

  let trial: Promise<void> | undefined;
  let tried: { at: number; outcome: Promise<unknown> } = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve() };

  return {
    read: wrapCalls(readsOf(sessionOf(reading, tables)), watchedBy(watch)),
    tx: (work) => watch(() => persist(work, monotonic() + RETRY_FOR_MS)),
    ping: () =>
      watch(async () => {
        await reading.query('select 1');
        const now = monotonic();
        // One at a time: each that hangs occupies a connection of the server.
        if (!trial && now - tried.at >= TRY_EVERY_MS) {
          trial = tryToWrite().finally(() => {
            trial = undefined;
          });
          tried = { at: now, outcome: Promise.race([trial, refusedIn(TRIAL_TIMEOUT_MS)]) };
        }
        await tried.outcome;
      }),
  };
}

/** Rejects with the code of a statement that is given up. */
const refusedIn = (ms: number): Promise<never> =>
  setTimeout(ms, undefined, { ref: false }).then(() => {
    throw Object.assign(new Error('changes are not stored in time, as without a synchronous standby'), {
      code: '57014',
    });
  });

/** Keeps count of outages, says of temporary failures that they are, and has read-only connections replaced. */
function watcherOf(outage: Outage, servers: Servers, monotonic: () => number): Watch {
  let distrustedAt = Number.NEGATIVE_INFINITY;
  return async (work) => {
    try {
      const result = await work();
      outage.noteSuccess();
      return result;
    } catch (error) {
      if (isAway(error)) outage.noteFailure('PostgreSQL cannot be used', error as Error);
      if (isReadOnly(error) && monotonic() - distrustedAt >= DISTRUST_EVERY_MS) {
        distrustedAt = monotonic();
        servers.distrust();
      }
      throw explained(error);
    }
  };
}

type Watch = <T>(work: () => Promise<T>) => Promise<T>;

const watchedBy =
  (watch: Watch): Guard =>
  (call) =>
  (...args) =>
    watch(async () => call(...args));

/** Fetches from one cursor, so that the database searches and sorts once, and other queries run in between. */
async function writeCsv(
  client: PooledClient,
  { sql, params, columns }: CsvQuery,
  maxBytes: number,
): Promise<Csv | null> {
  await client.query('set transaction read only');
  await client.query({ text: `declare report no scroll cursor for ${sql}`, values: params });
  const file = new CsvFile(columns, maxBytes);
  for (;;) {
    const { rows } = await client.query({ text: `fetch ${CSV_BATCH_ROWS} from report`, rowMode: 'array' });
    if (!file.add(rows)) return null;
    if (rows.length < CSV_BATCH_ROWS) return file.end();
  }
}

/** Gives the connection back to its pool. */
async function inTransaction<T>(
  client: PooledClient,
  work: () => Promise<T>,
  writes?: readonly Promise<unknown>[],
): Promise<T> {
  try {
    const result = await within(client, 'begin', work, writes);
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even undo its work is not used again.
    client.release(isUnusable(error) ? (error as Error) : await undo(client));
    throw error;
  }
}
