import { keyPrefix } from '../rules/key-format.ts';
import { parseTimestamp } from '../rules/timestamps.ts';
import type { Reads } from '../store/store.ts';
import { requireBroker } from './dependencies.ts';
import { unknown } from './errors.ts';
import { duration, read } from './fields.ts';

/* What the lists of usage, calls and changes share: their time range, and the names that they show. */

const DAY_MS = 86_400_000;
const LENGTH = duration(3650 * DAY_MS);

/** Reads a length of time before now (`24h`), a date or a date-time. Epoch milliseconds. */
export function readSince(now: number, text: string, name = 'since'): number {
  return parseTimestamp(text.trim()) ?? now - read(name, LENGTH, text);
}

/** The public part of a key: of its prefix, or of a whole key that was pasted. */
export const publicIdOf = (text: string): string | undefined => /^sk_(?:live|test)_([0-9A-Za-z]{8})/.exec(text)?.[1];

/** The ids of the broker (by slug) and the key (by id, or by what is shown of it) that a list is narrowed to. */
export async function readOwner(
  reads: Pick<Reads, 'brokers' | 'keys'>,
  { broker, key }: { broker?: string | undefined; key?: string | undefined },
): Promise<{ brokerId?: string; keyId?: string }> {
  const brokerId = broker === undefined ? undefined : (await requireBroker(reads, broker)).id;
  if (key === undefined) return brokerId === undefined ? {} : { brokerId };
  const publicId = /^sk_(?:live|test)_([0-9A-Za-z]{8})$/.exec(key)?.[1];
  const found = publicId === undefined ? await reads.keys.find(key) : (await reads.keys.findAccess(publicId))?.key;
  if (!found || (brokerId !== undefined && found.brokerId !== brokerId)) {
    throw unknown(`There is no key "${key}"; keys are named by their id or prefix, as keys list shows them`);
  }
  return { brokerId: found.brokerId, keyId: found.id };
}

/** What brokers and keys are called, by their ids; null for those that are no more. */
export async function namesOf(reads: Pick<Reads, 'brokers' | 'keys'>, keyIds: readonly string[]) {
  const slugs = new Map((await reads.brokers.list()).map(({ id, slug }) => [id, slug]));
  const keys = await reads.keys.findMany([...new Set(keyIds)]);
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
    broker: (id: string | null): string | null => (id === null ? null : (slugs.get(id) ?? null)),
    keyPrefix(id: string): string | null {
      const key = byId.get(id);
      return key ? keyPrefix(key.mode, key.publicId) : null;
    },
  };
}
