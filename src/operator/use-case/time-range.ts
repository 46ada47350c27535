import { Type } from '@sinclair/typebox';
import { keyPrefix } from '../../rules/key-format.ts';
import { parseTimestamp } from '../../rules/timestamps.ts';
import type { Reads } from '../../store/store.ts';
import { requireBroker } from './dependencies.ts';
import { invalid, unknown } from './errors.ts';
import { durationMs, pastTime, read } from './fields.ts';

/* What the lists of usage, calls and changes share: their time range, and the names that they show. */

const PAST_TIME = pastTime();

/** Reads a length of time before now (`24h`), a date or a date-time. Epoch milliseconds. */
export function readSince(now: number, text: string, name = 'since'): number {
  const past = read(name, PAST_TIME, text);
  return parseTimestamp(past) ?? now - (durationMs(past) as number);
}

export const SINCE = 'How far back: such as 30m, 24h, 7d, or a date';

/** The time that a list is narrowed to. */
export const TIME_RANGE = {
  since: Type.Optional(pastTime({ title: 'From', description: SINCE })),
  until: Type.Optional(
    pastTime({
      title: 'Before',
      description: 'Until when, excluded: given like --since',
      inJson: 'Until when, excluded: given like `since`',
    }),
  ),
};

/** Epoch milliseconds: included, and excluded. Throws an `OperatorError`, also where they are the wrong way round. */
export function readRange(
  now: number,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): { since: number | undefined; until: number | undefined } {
  const from = since === undefined ? undefined : readSince(now, since);
  const to = until === undefined ? undefined : readSince(now, until, 'until');
  refuseReversed(from, to);
  return { since: from, until: to };
}

/** Throws an `OperatorError` where a time range ends as it begins, or before. */
export function refuseReversed(from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && to <= from) {
    throw invalid({ field: 'until', message: 'must be after since', rule: 'conflict' });
  }
}

/** The public part of a key: of its prefix, or of a whole key that was pasted. */
export const publicIdOf = (text: string): string | undefined =>
  /^sk_(?:live|test)_([0-9A-Za-z]{8})(?:_|$)/.exec(text)?.[1];

/** What a list is narrowed to. */
interface Named {
  /** A slug. */
  broker?: string | undefined;
  /** By its id, or by what is shown of it. */
  key?: string | undefined;
}

/** The ids of the named broker and key; null where there is no such broker or key. */
export async function ownerOf(reads: Pick<Reads, 'brokers' | 'keys'>, { broker, key }: Named) {
  const found = broker === undefined ? undefined : await reads.brokers.findBySlug(broker);
  if (found === null) return null;
  if (key === undefined) return { brokerId: found?.id, keyId: undefined };
  const publicId = publicIdOf(key);
  const row = publicId === undefined ? await reads.keys.find(key) : (await reads.keys.findAccess(publicId))?.key;
  return row && (found === undefined || row.brokerId === found.id) ? { brokerId: row.brokerId, keyId: row.id } : null;
}

/** The same; throws an `OperatorError` where there is none. */
export async function readOwner(reads: Pick<Reads, 'brokers' | 'keys'>, named: Named) {
  if (named.broker !== undefined) await requireBroker(reads, named.broker);
  const owner = await ownerOf(reads, named);
  if (owner) return owner;
  throw unknown(`There is no key "${named.key}"; keys are named by their id or prefix, as keys list shows them`);
}

/** What brokers and keys are called, by their ids; null for those that are no more. */
export async function namesOf(reads: Pick<Reads, 'brokers' | 'keys'>, keyIds: readonly string[]) {
  const brokers = new Map((await reads.brokers.list()).map((broker) => [broker.id, broker]));
  const keys = await reads.keys.findMany([...new Set(keyIds)]);
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
    /** Its slug. */
    broker: (id: string | null): string | null => brokers.get(id ?? '')?.slug ?? null,
    brokerName: (id: string | null): string | null => brokers.get(id ?? '')?.name ?? null,
    keyMode: (id: string): 'live' | 'test' | null => byId.get(id)?.mode ?? null,
    keyPrefix(id: string): string | null {
      const key = byId.get(id);
      return key ? keyPrefix(key.mode, key.publicId) : null;
    },
  };
}
