import { MINUTE_MS, SECOND_MS } from '../rules/durations.ts';
import type { Reads, Tx } from '../store/store.ts';

/** How often a server notes the time in the records. */
export const BEAT_EVERY_MS = 10 * SECOND_MS;

/** A server that was seen so long before the last heartbeat was up at that time. */
const UP_MS = 3 * BEAT_EVERY_MS;

/** A server that ended without a word is forgotten. */
const FORGOTTEN_AFTER_MS = 10 * MINUTE_MS;

const HEARTBEAT = 'heartbeat';
const PREFIX = 'server ';
const MAX_SERVERS = 1_000;

/** A process that serves or works; dates in epoch milliseconds. */
export interface ServerInfo {
  id: string;
  seenAt: number;
  /** The timeline of which it has found its own last change; null: of none since it started. */
  vouchesFor: string | null;
}

/** The last time that any server noted in the records, in epoch milliseconds; null before the first. */
export async function findHeartbeat({ settings }: Pick<Reads, 'settings'>): Promise<number | null> {
  const value = await settings.find(HEARTBEAT);
  return value === null ? null : Number(value);
}

/** The heartbeat as a setting. */
export const heartbeatOf = (at: number) => ({ name: HEARTBEAT, value: String(at) });

/** @param at epoch milliseconds; an earlier one changes nothing */
export const raiseHeartbeat = ({ settings }: Pick<Tx, 'settings'>, at: number): Promise<void> =>
  settings.raise(heartbeatOf(at));

/** Notes that the server is there, and of which timeline it has found its own last change. */
export async function noteServer({ settings }: Pick<Tx, 'settings'>, server: ServerInfo): Promise<void> {
  await settings.put({ name: PREFIX + server.id, value: JSON.stringify(server) });
  for (const { id, seenAt } of await listServers({ settings })) {
    if (server.seenAt - seenAt > FORGOTTEN_AFTER_MS) await settings.remove(PREFIX + id);
  }
}

/** A server that ends has nothing to say any more. */
export const leave = ({ settings }: Pick<Tx, 'settings'>, id: string): Promise<void> => settings.remove(PREFIX + id);

/** The servers that were up at the last heartbeat. */
export async function serversUp(reads: Pick<Reads, 'settings'>): Promise<ServerInfo[]> {
  const lastAt = (await findHeartbeat(reads)) ?? 0;
  return (await listServers(reads)).filter(({ seenAt }) => lastAt - seenAt <= UP_MS);
}

const listServers = async ({ settings }: Pick<Reads, 'settings'>): Promise<ServerInfo[]> =>
  (await settings.list(PREFIX, MAX_SERVERS)).map(({ value }) => JSON.parse(value) as ServerInfo);
