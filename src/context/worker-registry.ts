import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../clock.ts';
import type { Reads, Store } from '../store/store.ts';
import { VERSION } from '../version.ts';

/** The last heartbeat of a worker, or of a server. */
export interface WorkerInfo {
  id: string;
  version: string;
  host: string;
  /** Of the process. */
  pid: number;
  /** Epoch milliseconds. */
  startedAt: number;
  seenAt: number;
}

/** The interval of heartbeats; a worker that missed three is considered away. */
export const HEARTBEAT_MS = 20_000;
export const AWAY_AFTER_MS = 3 * HEARTBEAT_MS;

/** Older heartbeats are deleted. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** 0.2.0 takes all that begin with `worker` for workers. */
const PREFIXES = { worker: 'worker ', server: 'server ' } as const;
const MAX_LISTED = 100;

/** Writes heartbeats: `note` does so once per interval, `leave` deletes the last one at shutdown. */
export function createHeartbeat(kind: keyof typeof PREFIXES, store: Pick<Store, 'tx'>, clock: Clock) {
  const id = randomUUID();
  const prefix = PREFIXES[kind];
  const startedAt = clock.now();
  let dueAt = Number.NEGATIVE_INFINITY;
  return {
    async note(): Promise<void> {
      if (clock.monotonic() < dueAt) return;
      const now = clock.now();
      const own: WorkerInfo = {
        id,
        version: VERSION,
        host: hostname(),
        pid: process.pid,
        startedAt,
        seenAt: now,
      };
      await store.tx(async (tx) => {
        await tx.settings.put({ name: prefix + id, value: JSON.stringify(own) });
        for (const each of await listOf(tx, prefix)) {
          if (now - each.seenAt > FORGOTTEN_AFTER_MS) await tx.settings.remove(prefix + each.id);
        }
      });
      dueAt = clock.monotonic() + HEARTBEAT_MS;
    },
    async leave(): Promise<void> {
      await store.tx((tx) => tx.settings.remove(prefix + id));
    },
  };
}

/** The known workers, the one seen last first. */
export const listWorkers = (read: Pick<Reads, 'settings'>): Promise<WorkerInfo[]> => listOf(read, PREFIXES.worker);

/** The known servers and workers, of every release. */
export const listProcesses = async (read: Pick<Reads, 'settings'>): Promise<WorkerInfo[]> => [
  ...(await listOf(read, PREFIXES.server)),
  ...(await listWorkers(read)),
];

async function listOf({ settings }: Pick<Reads, 'settings'>, prefix: string): Promise<WorkerInfo[]> {
  const rows = await settings.list(prefix, MAX_LISTED);
  return rows.map(({ value }) => JSON.parse(value) as WorkerInfo).sort((a, b) => b.seenAt - a.seenAt);
}
