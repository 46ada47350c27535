import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { DAY_MS } from '../rules/durations.ts';
import type { Clock } from '../runtime/clock.ts';
import { VERSION } from '../runtime/version.ts';
import { FINISHED_RELEASE, isOlder } from '../store/queries/update-state.ts';
import type { Reads, Store } from '../store/store.ts';

/** The last heartbeat of a worker. */
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
const HEARTBEAT_MS = 20_000;
export const AWAY_AFTER_MS = 3 * HEARTBEAT_MS;

/** Older heartbeats are deleted. */
const FORGOTTEN_AFTER_MS = DAY_MS;

const PREFIX = 'worker ';
const MAX_LISTED = 100;

/** Writes heartbeats: `record` does so once per interval, `leave` deletes the last one at shutdown. */
export function createHeartbeat(store: Pick<Store, 'tx'>, clock: Clock) {
  const id = randomUUID();
  const startedAt = clock.now();
  let dueAt = Number.NEGATIVE_INFINITY;
  return {
    async record(): Promise<void> {
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
        await tx.settings.put({ name: PREFIX + id, value: JSON.stringify(own) });
        for (const each of await listWorkers(tx)) {
          if (now - each.seenAt > FORGOTTEN_AFTER_MS) await tx.settings.remove(PREFIX + each.id);
        }
      });
      dueAt = clock.monotonic() + HEARTBEAT_MS;
    },
    async leave(): Promise<void> {
      await store.tx((tx) => tx.settings.remove(PREFIX + id));
    },
  };
}

/** The known workers, the one seen last first. */
export async function listWorkers({ settings }: Pick<Reads, 'settings'>): Promise<WorkerInfo[]> {
  const rows = await settings.list(PREFIX, MAX_LISTED);
  return rows.map(({ value }) => JSON.parse(value) as WorkerInfo).sort((a, b) => b.seenAt - a.seenAt);
}

/** Until 1.3: whether a worker of a release before this one runs beside it. */
export async function hasFormerWorkers({ store, clock }: { store: Pick<Store, 'read'>; clock: Pick<Clock, 'now'> }) {
  const workers = await listWorkers(store.read);
  return workers.some(
    ({ version, seenAt }) => isOlder(version, FINISHED_RELEASE) && clock.now() - seenAt <= AWAY_AFTER_MS,
  );
}
