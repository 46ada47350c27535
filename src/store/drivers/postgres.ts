import { setTimeout } from 'node:timers/promises';
import { tables as liveTables } from '../../../drizzle/postgres.ts';
import type { Tables } from '../../../drizzle/tables.ts';
import { MINUTE_MS } from '../../rules/durations.ts';
import { systemClock } from '../../runtime/clock.ts';
import { CSV_BATCH_ROWS, type Csv, CsvFile, type CsvQuery } from '../session/csv.ts';
import type { Session, Witness } from '../session/session.ts';
import {
  BACKGROUND,
  type ConnectionOwner,
  type Guard,
  type OnDue,
  readsOf,
  type Store,
  type Tx,
  wrapCalls,
  wrapLazily,
  writesOf,
} from '../store.ts';
import type { Migrating } from './migrate.ts';
import { Outage, type Report } from './outage.ts';
import { type PooledClient, pipelined, rollBack, sessionOf } from './postgres-client.ts';
import { Connections } from './postgres-connections.ts';
import { createDueAnnouncer } from './postgres-due.ts';
import { explainFault, isAway, isLostRace, isReadOnly, isTaken, isUnusable } from './postgres-faults.ts';
import { migrate } from './postgres-migrate.ts';
import { createSlowQueues, slowQueriesOf } from './slow-queries.ts';

export interface PostgresOptions {
  url: string;
  /** Called once when the server cannot be reached, and once when it can again. */
  report?: Report;
  /** Whether the caller is an operator's command, whose statements may take their time. */
  longTimeouts?: boolean;
  /** Milliseconds that never run backwards. */
  monotonic?: () => number;
  /** What opening may do to the schema; by default all that is needed. */
  migrating?: Migrating;
  /** How long a job waits for its slot before it is refused; by default the bound of its queue. */
  queuePatienceMs?: number | undefined;
  /**
   * Called once a change that makes work due is durable, with the date of that (epoch milliseconds).
   * @param announce notifies workers of other processes
   */
  onDue?: (dueAt: number, announce: OnDue) => void;
}

export interface PostgresStore extends Store {
  /** Whether the database had no broker when it was opened. */
  readonly created: boolean;
  /**
   * Opens other tables of the database over the same connections.
   * @param prepare makes those that are missing, in a transaction
   */
  openTables(tables: Tables, prepare: (client: PooledClient) => Promise<void>): Promise<Store>;
}

/** How often a transaction that lost against another one is tried again before it is given up as overload. */
const MAX_ATTEMPTS = 8;
const RETRY_PAUSE_MS = 10;
/** After so long no new attempt begins: a caller waits for a lock's patience more, and no longer. */
const RETRY_FOR_MS = 3_000;

/** Changes that are remembered: more than are committed between a promotion and the next look at the history. */
const MAX_WITNESSES = 2_000;
/** An older one says nothing of a failover, and its row may have been removed meanwhile. */
const WITNESS_MS = 5 * MINUTE_MS;

/** How often a question for the health of the store makes it try to write. */
const TRY_EVERY_MS = 1_000;

/** A commit that takes longer waits for a synchronous standby, which may never come. */
const TRIAL_TIMEOUT_MS = 3_000;

/** After one connection led to a server that takes no changes, all are replaced, though not more often than this. */
const REPLACE_EVERY_MS = 1_000;

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
  report = () => undefined,
  longTimeouts = false,
  monotonic = systemClock.monotonic,
  migrating = 'always',
  queuePatienceMs,
  onDue = () => undefined,
}: PostgresOptions): Promise<PostgresStore> {
  const created = await migrate({ url, migrating, report });
  const outage = new Outage(report, monotonic);
  const onLost = (error: Error) => outage.recordFailure('the connection to PostgreSQL is lost', error);
  const connections = new Connections({ url, longTimeouts, onLost, queuePatienceMs });
  const watch = watcherOf(outage, connections, monotonic);
  const slowQueues = createSlowQueues(queuePatienceMs);
  const ping = pingOf(connections, monotonic);
  const announce = createDueAnnouncer((text, values) =>
    connections.take(BACKGROUND, async () => connections.client.query(text, values)),
  );

  function storeOn(tables: Tables, report: OnDue): Store {
    const reads = readsOf(sessionOf(connections.client, tables));
    const watched = wrapCalls(reads, watchedBy(watch));
    const witnesses: { witness: Witness; at: number }[] = [];
    const onCommit = (witness: Witness) => {
      witnesses.push({ witness, at: monotonic() });
      if (witnesses.length > MAX_WITNESSES) witnesses.splice(0, witnesses.length / 2);
    };
    const transact = transactionsOn(connections, tables, { monotonic, onDue: report, onCommit });
    const { close, ...slowQueries } = slowQueriesOf(
      {
        read: reads,
        csv: async (query, maxBytes) => {
          const client = await connections.connect();
          return inTransaction(client, () => writeCsv(client, query, maxBytes));
        },
      },
      watchedBy(watch),
      slowQueues,
    );
    const storeOf = (owner: ConnectionOwner): Store => ({
      read: wrapLazily(
        watched,
        (call) =>
          (...args) =>
            connections.take(owner, async () => call(...args)),
      ),
      tx: (work) => watch(() => connections.take(owner, () => transact(work))),
      ...slowQueries,
      for: storeOf,
      witnesses: () => {
        const since = monotonic() - WITNESS_MS;
        return witnesses.filter(({ at }) => at >= since).map(({ witness }) => witness);
      },
      connections: () => connections.use(),
      ping: () => watch(ping),
      async close() {
        close();
        await connections.close();
      },
    });
    return storeOf(BACKGROUND);
  }

  return {
    created,
    ...storeOn(liveTables, (dueAt) => onDue(dueAt, announce)),
    async openTables(tables, prepare) {
      await connections.take(BACKGROUND, async () => {
        const client = await connections.connect();
        return inTransaction(client, () => prepare(client));
      });
      return { ...storeOn(tables, () => undefined), close: async () => undefined };
    },
  };
}

function transactionsOn(
  connections: Connections,
  tables: Tables,
  { monotonic, onDue, onCommit }: { monotonic: () => number; onDue: OnDue; onCommit: (witness: Witness) => void },
): Store['tx'] {
  // Prepared statements live in a connection, so each connection keeps the session that made them.
  const changers = new WeakMap<PooledClient, { session: Session; changes: Tx }>();
  const changerOf = (client: PooledClient) => {
    let changer = changers.get(client);
    if (!changer) {
      const session = sessionOf(client, tables);
      changer = { session, changes: writesOf(session) };
      changers.set(client, changer);
    }
    return changer;
  };

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await connections.connect();
    const { session, changes } = changerOf(client);
    session.counterChanges.clear();
    session.dueAt = null;
    session.witness = null;
    const result = await inTransaction(client, () => work(changes), changes.counters.flush);
    if (session.witness) onCommit(session.witness);
    if (session.dueAt !== null) onDue(session.dueAt);
    return result;
  }

  return async (work) => {
    const deadline = monotonic() + RETRY_FOR_MS;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(work);
      } catch (error) {
        const again = isLostRace(error) || isTaken(error);
        if (!again || attempts === MAX_ATTEMPTS || monotonic() >= deadline) throw error;
      }
      // The winner is only waking up: at once, the loser could take the same lock from it again.
      await setTimeout(RETRY_PAUSE_MS * attempts);
    }
  };
}

/** Tries to write, once a second at most and one trial at a time: each that hangs occupies a connection of the server. */
function pingOf(connections: Connections, monotonic: () => number): () => Promise<void> {
  let trial: Promise<unknown> | undefined;
  let tried: { at: number; outcome: Promise<unknown> } = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve() };
  return async () => {
    const now = monotonic();
    if (!trial && now - tried.at >= TRY_EVERY_MS) {
      trial = connections.client.query(TRIAL).finally(() => {
        trial = undefined;
      });
      tried = { at: now, outcome: Promise.race([trial, refusedIn(TRIAL_TIMEOUT_MS)]) };
    }
    await tried.outcome;
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
function watcherOf(outage: Outage, connections: Connections, monotonic: () => number): Watch {
  let replacedAt = Number.NEGATIVE_INFINITY;
  return async (work) => {
    try {
      const result = await work();
      outage.recordSuccess();
      return result;
    } catch (error) {
      if (isAway(error)) outage.recordFailure('PostgreSQL cannot be used', error as Error);
      if (isReadOnly(error) && monotonic() - replacedAt >= REPLACE_EVERY_MS) {
        replacedAt = monotonic();
        connections.replace();
      }
      throw explainFault(error);
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
  end: () => Promise<void> = async () => undefined,
): Promise<T> {
  try {
    const result = await pipelined(client, work, end);
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even undo its work is not used again.
    client.release(isUnusable(error) ? (error as Error) : await rollBack(client));
    throw error;
  }
}
