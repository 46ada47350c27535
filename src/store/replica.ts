import type { Tell } from './outage.ts';
import { Pool, Servers } from './postgres-client.ts';
import { isAway, isLostRace } from './postgres-faults.ts';
import type { Engine } from './slow-queries.ts';

/** A replica that is further behind is not used (contract, section 10). */
const MOST_LAG_MS = 10_000;

/** How often the positions of both servers are compared. */
export const LOOK_EVERY_MS = 2_000;

/** A PostgreSQL that follows, for long reads that may be some seconds behind. */
export interface Replica {
  readonly engine: Engine;
  /** Whether it had everything that was committed ten seconds ago. */
  isUsable(): boolean;
  /** Notes a failed read; true where the replica is the reason, so that the database itself is to be asked. */
  hasFailed(error: unknown): boolean;
  /** Compares the positions; called every two seconds, beside any work. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  url: string;
  /** Connections at most. */
  size: number;
  patient: boolean;
  /** Connections to the database that is followed. */
  primary: Pool;
  /** What a pool of connections can read. */
  engineOf: (pool: Pool) => Engine;
  tell: Tell;
  monotonic: () => number;
}

export function createReplica({ url, size, patient, primary, engineOf, tell, monotonic }: ReplicaOptions): Replica {
  // That a connection ends is seen when the positions are compared.
  const pool = new Pool({ servers: new Servers(url), size, patient }, () => undefined);
  /** Where the primary was, in the order of time: what the replica has replayed tells up to when it has everything. */
  let samples: { at: number; position: bigint }[] = [];
  let completeUntil = Number.NEGATIVE_INFINITY;
  let wasUsable = true;

  const isUsable = (): boolean => monotonic() - completeUntil <= MOST_LAG_MS;

  function note(error?: Error): void {
    if (isUsable() === wasUsable) return;
    wasUsable = !wasUsable;
    if (wasUsable) tell('the replica is used again');
    else tell('the replica is away or more than 10 s behind; the database itself answers long reads', error);
  }

  async function compare(): Promise<void> {
    const at = monotonic();
    samples = samples.filter((sample) => at - sample.at <= MOST_LAG_MS);
    try {
      const [position, replayed] = await Promise.all([
        positionOf(primary, 'pg_current_wal_lsn()'),
        positionOf(pool, 'pg_last_wal_replay_lsn()'),
      ]);
      samples.push({ at, position });
      const reached = samples.findLast((sample) => sample.position <= replayed);
      completeUntil = Math.max(completeUntil, reached?.at ?? completeUntil);
      note();
    } catch (error) {
      note(error as Error);
    }
  }

  let looking: Promise<void> | undefined;

  return {
    engine: engineOf(pool),
    isUsable,
    hasFailed(error) {
      if (!isAway(error) && !isLostRace(error)) return false;
      // A query that a replay ended says nothing of the next one.
      if (isAway(error)) completeUntil = Number.NEGATIVE_INFINITY;
      note(error as Error);
      return true;
    },
    look() {
      looking ??= compare().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    close: () => pool.end(),
  };
}

/** A position in the log, in bytes. Throws where the server is not in the role that the function belongs to. */
async function positionOf(pool: Pool, current: string): Promise<bigint> {
  const { rows } = await pool.query(`select cast(pg_wal_lsn_diff(${current}, '0/0') as text) as position`);
  return BigInt(rows[0].position);
}
