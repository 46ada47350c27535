import { type SlotLimits, SlotQueue } from '../../limits/slot-queue.ts';
import type { ConnectionOwner, ConnectionUse } from '../store.ts';
import { createPool, type PooledClient, type Queryable } from './postgres-client.ts';
import { SLOW_CONNECTIONS } from './slow-queries.ts';

/** Connections of one process in all (contract, section 10). */
export const MAX_DATABASE_CONNECTIONS = 20;

/** The thread that imports a file for the console has a store of its own. */
const IMPORT_CONNECTIONS = 2;
const POOL_SIZE = MAX_DATABASE_CONNECTIONS - IMPORT_CONNECTIONS;

const SHARES = { keys: 2, console: 2, background: 2 };

/** Health asks one thing at a time. */
const HEALTH_CONNECTIONS = 1;
export const CALL_CONNECTIONS =
  POOL_SIZE - SLOW_CONNECTIONS - HEALTH_CONNECTIONS - SHARES.keys - SHARES.console - SHARES.background;

/** Of an operator's command, which may be a worker: it has nothing but work in the background. */
const BACKGROUND_OF_COMMAND = 8;

/**
 * A call runs up to three statements at a time, so that 200 calls of a broker fit. What waits is a request in memory,
 * 55 kB with the largest headers.
 */
const WAITING = { waiting: 3_000, waitingOfOne: 600 };

/** Callers' own patience ends soon after. */
export const LIMITS = { ...WAITING, patienceMs: 10_000, retryAfterSeconds: 2 };

export interface ConnectionOptions {
  url: string;
  /** For an operator's command: longer timeouts. */
  longTimeouts: boolean;
  /** How long a job waits for its slot before it is refused; by default that of LIMITS. */
  queuePatienceMs?: number | undefined;
  onLost: (error: Error) => void;
}

/**
 * The connections of a process, behind one queue for each share. A queue serves brokers in turn and refuses the one that
 * floods it (ADR 32).
 */
export class Connections {
  private readonly options: ConnectionOptions;
  private pool: ReturnType<typeof createPool>;
  private readonly queues: Record<ConnectionOwner['share'], SlotQueue>;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.pool = this.createPool();
    const { queuePatienceMs: patienceMs = LIMITS.patienceMs } = options;
    const limitsOf = (atOnce: number, atOnceOfOne = atOnce): SlotLimits => ({
      ...LIMITS,
      patienceMs,
      atOnce,
      atOnceOfOne,
    });
    this.queues = {
      // One is left for other brokers at any time, whatever locks a broker's calls wait for.
      calls: new SlotQueue(limitsOf(CALL_CONNECTIONS, CALL_CONNECTIONS - 1)),
      keys: new SlotQueue(limitsOf(SHARES.keys)),
      console: new SlotQueue(limitsOf(SHARES.console)),
      background: new SlotQueue(limitsOf(options.longTimeouts ? BACKGROUND_OF_COMMAND : SHARES.background)),
    };
  }

  /** Waits for a place of the owner's share, and keeps it during the work. */
  take<T>(owner: ConnectionOwner, work: () => Promise<T>): Promise<T> {
    return this.queues[owner.share].take({ key: owner.name }, work);
  }

  /** Each statement goes over a connection of the pool; for work that has a place in a queue. */
  readonly client = {
    query: (...call: never[]) => this.pool.query(...(call as unknown as [string])),
  } as Queryable;

  connect(): Promise<PooledClient> {
    return this.pool.connect();
  }

  /** No present connection is used again: one of them led to a server that takes no changes. */
  replace(): void {
    const former = this.pool;
    this.pool = this.createPool();
    void former.end();
  }

  use(): ConnectionUse {
    const { totalCount, idleCount } = this.pool;
    const waiting = Object.values(this.queues).reduce((sum, queue) => sum + queue.length, 0);
    return { inUse: totalCount - idleCount, idle: idleCount, waiting };
  }

  async close(): Promise<void> {
    for (const queue of Object.values(this.queues)) queue.close();
    await this.pool.end();
  }

  private createPool() {
    const { url, longTimeouts, onLost } = this.options;
    return createPool(url, POOL_SIZE, longTimeouts, onLost);
  }
}
