import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { CSV_BATCH_ROWS, type Csv, CsvFile, type CsvQuery } from './csv.ts';
import { Outage, type Tell } from './outage.ts';
import { Pool, type PooledClient, sessionOf, undo, within } from './postgres-client.ts';
import { explained, isAway, isLostRace, isTaken } from './postgres-faults.ts';
import { migrate } from './postgres-migrate.ts';
import type { Session } from './session.ts';
import { SLOW_CONNECTIONS, slowQueriesOf } from './slow-queries.ts';
import { changesOf, type Guard, readsOf, type Store, type Tx, wrapCalls } from './store.ts';

export interface PostgresOptions {
  url: string;
  /**
   * Connections of this process; three and more are shared out, and nobody takes another one's share. Beside them it
   * opens up to five for slow reads and reports, and four for the console, while there are some.
   */
  poolSize: number;
  /** Told once when the server cannot be reached, and once when it can again. */
  tell?: Tell;
  /** Whether the caller is an operator's command, whose statements may take their time. */
  patient?: boolean;
  /** Milliseconds that never run backwards. */
  monotonic?: () => number;
}

export interface PostgresStore extends Store {
  /** Whether the database had no broker when it was opened. */
  readonly created: boolean;
  /** The same database over connections of its own, for work that no caller waits for. */
  readonly background: Store;
  /** The same database over connections of its own, so that no visitor of the console takes one of the API's. */
  readonly console: Store;
}

/** Operators are few; of what is sent without being signed in, the console looks up two at a time. */
const CONSOLE_CONNECTIONS = 4;

/** How often a transaction that lost against another one is tried again before it is given up as overload. */
const MAX_ATTEMPTS = 8;
const RETRY_PAUSE_MS = 10;
/** After so long no new attempt begins: a caller waits for a lock's patience more, and no longer. */
const RETRY_FOR_MS = 3_000;

/** How often somebody who asks for the store's health has it try to write. */
const TRY_EVERY_MS = 1_000;

/** Changes nothing, yet goes through the server's log to its disk. A row that somebody else tries is left to them. */
const TRIAL = `update schema_migrations set hash = hash where made_at =
  (select made_at from schema_migrations order by made_at limit 1 for update skip locked)`;

/** Opens (and where needed migrates) a PostgreSQL database. */
export async function openPostgres({
  url,
  poolSize,
  tell = () => undefined,
  patient = false,
  monotonic = systemClock.monotonic,
}: PostgresOptions): Promise<PostgresStore> {
  const created = await migrate(url);
  const outage = new Outage(tell, monotonic);
  const noteLoss = (error: Error) => outage.noteFailure('the connection to PostgreSQL is lost', error);
  const pools = sharesOf(poolSize).map((size) => new Pool({ url, size, patient, byIndex: true }, noteLoss));
  // A pool of one or two is one for all.
  const [changing, reading = changing, background = changing] = pools as [Pool, Pool?, Pool?];
  // Whoever has a turn finds a connection, and takes none from those who read a page.
  const slow = poolSize < 3 ? changing : new Pool({ url, size: SLOW_CONNECTIONS, patient }, noteLoss);
  const console =
    poolSize < 3 ? changing : new Pool({ url, size: CONSOLE_CONNECTIONS, patient, byIndex: true }, noteLoss);
  const { close: closeTurns, ...doors } = slowQueriesOf(
    {
      read: readsOf(sessionOf(slow)),
      csv: async (query, maxBytes) => {
        const client = await slow.connect();
        return inTransaction(client, () => writeCsv(client, query, maxBytes));
      },
    },
    watchedBy(outage),
  );
  const parts = { monotonic, outage };
  async function close() {
    closeTurns();
    await Promise.all([...new Set([...pools, slow, console])].map((pool) => pool.end()));
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
  outage: Outage;
}

function storeOn({ changing, reading, monotonic, outage }: StoreParts): Omit<Store, 'slow' | 'report' | 'close'> {
  // Prepared statements live in a connection, so each connection keeps the session that made them.
  const changers = new WeakMap<PooledClient, { session: Session; changes: Tx }>();
  const changerOf = (client: PooledClient) => {
    let changer = changers.get(client);
    if (!changer) {
      const session = sessionOf(client);
      changer = { session, changes: changesOf(session) };
      changers.set(client, changer);
    }
    return changer;
  };

  const attempt = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await changing.connect();
    const { session, changes } = changerOf(client);
    session.counterChanges.clear();
    session.writes.length = 0;
    const change = async () => {
      const result = await work(changes);
      await changes.counters.flush();
      return result;
    };
    return inTransaction(client, change, session.writes);
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

  const watched = <T>(work: () => Promise<T>): Promise<T> => watch(outage, work);
  let tried: { at: number; outcome: Promise<unknown> } = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve() };

  return {
    read: wrapCalls(readsOf(sessionOf(reading)), watchedBy(outage)),
    tx: (work) => watched(() => persist(work, monotonic() + RETRY_FOR_MS)),
    ping: () =>
      watched(async () => {
        await reading.query('select 1');
        const now = monotonic();
        if (now - tried.at >= TRY_EVERY_MS) tried = { at: now, outcome: reading.query(TRIAL) };
        await tried.outcome;
      }),
  };
}

/** Keeps count of outages, and says of what may pass that it may. */
async function watch<T>(outage: Outage, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    outage.noteSuccess();
    return result;
  } catch (error) {
    if (isAway(error)) outage.noteFailure('PostgreSQL cannot be used', error as Error);
    throw explained(error);
  }
}

const watchedBy =
  (outage: Outage): Guard =>
  (call) =>
  (...args) =>
    watch(outage, async () => call(...args));

/** Fetches from one cursor, so that the database searches and sorts once, and other work has its turn in between. */
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
    client.release(await undo(client));
    throw error;
  }
}
