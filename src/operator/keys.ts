import { randomBytes } from 'node:crypto';
import { composeKey, hashKey, keyPrefix, newKeyParts } from '../rules/key-format.ts';
import { parseScopes } from '../rules/scopes.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { MODES } from '../rules/words.ts';
import type { KeyRow } from '../store/keys.ts';
import { isUniqueViolation } from '../store/session.ts';
import type { Reads, Tx } from '../store/store.ts';
import { type ChangeDeps, note, type ReadDeps, requireBroker } from './dependencies.ts';
import { invalid, nothingToChange, refused, unknown } from './errors.ts';
import { duration, type Given, line, oneOf, read, readOrNull, readRateLimit, timestamp } from './fields.ts';
import { refuseStale, type Seen } from './stale.ts';

const NAME = line(200);
const MODE = oneOf(MODES);
const OVERLAP = duration(30 * 86_400_000);
const DEFAULT_OVERLAP = '24h';

/** Creates a key. The answer's `key` is shown this once; the database keeps its hash alone. Contract, section 5. */
export async function createKey(
  parts: ChangeDeps,
  input: {
    broker: string;
    name: string;
    mode: string;
    /** Comma-separated; blank for a key without scopes. */
    scopes: string;
    /** A date or date-time; null or nothing for a key that lives on. */
    expires?: string | null | undefined;
    /** Requests in a window; null or nothing for the installation's number. */
    rateLimit?: Given<number> | null | undefined;
  },
): Promise<NewKeyRecord> {
  const expiresAt = readExpiry(input.expires ?? null);
  if (expiresAt !== null && expiresAt <= parts.clock.machine()) {
    throw invalid({ field: 'expires_date', message: 'must not have passed' });
  }
  const given = {
    name: read('name', NAME, input.name),
    mode: read('mode', MODE, input.mode),
    scopes: readScopes(input.scopes),
    expiresAt,
    rateLimit: readRateLimit(input.rateLimit ?? null),
    rotatedFromId: null,
  };
  return issueKey(parts, async (tx) => ({ ...given, brokerId: (await requireBroker(tx, input.broker)).id }));
}

/** The broker's keys, oldest first, without what is secret. */
export async function listKeys({ store }: ReadDeps, input: { broker: string }): Promise<KeyRecord[]> {
  const broker = await requireBroker(store.read, input.broker);
  return (await store.read.keys.list(broker.id)).map(keyRecord);
}

/** One key with the slug of its broker. */
export async function showKey({ store }: ReadDeps, { keyId }: { keyId: string }) {
  const key = await requireKey(store.read, keyId);
  return { ...keyRecord(key), broker: (await store.read.brokers.find(key.brokerId))?.slug };
}

/**
 * Changes what is given. A blank list takes every scope away, null an expiry or a limit of its own. The end of a key that
 * was rotated is never put off.
 */
export async function setKey(
  parts: ChangeDeps,
  input: {
    keyId: string;
    scopes?: string | undefined;
    rateLimit?: Given<number> | null | undefined;
    expires?: string | null | undefined;
    seen?: Seen | undefined;
  },
): Promise<KeyRecord> {
  const changes: Partial<KeyRow> = {
    ...(input.expires !== undefined && { expiresAt: readExpiry(input.expires) }),
    ...(input.rateLimit !== undefined && { rateLimit: readRateLimit(input.rateLimit) }),
    ...(input.scopes !== undefined && { scopes: readScopes(input.scopes) }),
  };
  if (Object.keys(changes).length === 0) throw nothingToChange('scopes', 'rate_limit', 'expires_date');
  return changeKey(parts, 'key.set', input.keyId, async (tx, key) => {
    refuseStale(input.seen, keyRecord(key));
    if (changes.expiresAt !== undefined && endOf(changes) > endOf(key)) {
      const successor = await successorOf(tx, key);
      if (successor) throw refused(`The key ${key.id} was rotated: its end cannot be put off; use ${successor.id}`);
    }
    return changes;
  });
}

const endOf = ({ expiresAt }: Partial<Pick<KeyRow, 'expiresAt'>>): number => expiresAt ?? Number.POSITIVE_INFINITY;

const successorOf = async (reads: Pick<Reads, 'keys'>, { id, brokerId }: KeyRow) =>
  (await reads.keys.list(brokerId)).find(({ rotatedFromId }) => rotatedFromId === id);

/** Ends a key for good; to do so again changes nothing. */
export const revokeKey = (parts: ChangeDeps, input: { keyId: string }) =>
  changeKey(parts, 'key.revoke', input.keyId, async () => ({ status: 'revoked' }));

/**
 * Replaces a key by a new one with the same name, mode, scopes, limit and expiry. The old one stays valid for the
 * overlap (by default `24h`, at most 30 days), but never past its own expiry; 0 revokes it. Contract, section 5.
 */
export async function rotateKey(parts: ChangeDeps, input: { keyId: string; overlap?: string | undefined }) {
  const overlapMs = read('overlap', OVERLAP, input.overlap ?? DEFAULT_OVERLAP);
  const now = parts.clock.machine();
  let ended: KeyRow | undefined;
  const issued = await issueKey(parts, async (tx) => {
    const old = await lockKey(tx, input.keyId);
    const successor = await successorOf(tx, old);
    if (successor) throw refused(`The key ${old.id} was rotated already; its successor is ${successor.id}`);
    if (old.status === 'revoked') throw refused(`The key ${old.id} is revoked; create a new one`);
    if (old.expiresAt !== null && old.expiresAt <= now) {
      throw refused(`The key ${old.id} has expired; create a new one`);
    }
    const end: Partial<KeyRow> =
      overlapMs === 0 ? { status: 'revoked' } : { expiresAt: Math.min(now + overlapMs, endOf(old)) };
    await tx.keys.update(old.id, end);
    ended = { ...old, ...end };
    return { ...old, rotatedFromId: old.id };
  });
  return { ...issued, rotated_from: keyRecord(ended as KeyRow) };
}

/** How often another random public id is tried: with 62^8 of them a second try is already a rarity. */
const MAX_ATTEMPTS = 5;

type NewKey = Pick<KeyRow, 'brokerId' | 'mode' | 'name' | 'scopes' | 'rateLimit' | 'expiresAt' | 'rotatedFromId'>;

async function issueKey(parts: ChangeDeps, describe: (tx: Tx) => Promise<NewKey>): Promise<NewKeyRecord> {
  const { store, clock, newId } = parts;
  for (let attempt = 1; ; attempt += 1) {
    const secret = newKeyParts(randomBytes);
    try {
      return await store.tx(async (tx) => {
        const given = await describe(tx);
        const { rotatedFromId } = given;
        const key = composeKey({ mode: given.mode, ...secret });
        const now = clock.now();
        const row: KeyRow = {
          ...given,
          id: newId('key', now),
          publicId: secret.publicId,
          hash: hashKey(key),
          status: 'active',
          createdAt: now,
          lastUsedAt: null,
          lastUsedIp: null,
        };
        await tx.keys.insert(row);
        const action = rotatedFromId === null ? 'key.create' : 'key.rotate';
        const after = { ...keyRecord(row), ...(rotatedFromId !== null && { rotated_from: rotatedFromId }) };
        await note(parts, tx, { action, ...about(row), after });
        return { ...keyRecord(row), key };
      });
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function changeKey(
  parts: ChangeDeps,
  action: string,
  keyId: string,
  decide: (tx: Tx, key: KeyRow) => Promise<Partial<KeyRow>>,
) {
  return parts.store.tx(async (tx) => {
    const key = await lockKey(tx, keyId);
    const changes = await decide(tx, key);
    await tx.keys.update(key.id, changes);
    const after = keyRecord({ ...key, ...changes });
    await note(parts, tx, { action, ...about(key), before: keyRecord(key), after });
    return after;
  });
}

const about = ({ id, brokerId }: KeyRow) => ({ brokerId, subject: `key/${id}` });

/** The key, which no other operator changes until this transaction ends. */
async function lockKey(tx: Tx, keyId: string): Promise<KeyRow> {
  await tx.keys.lock(keyId);
  return requireKey(tx, keyId);
}

async function requireKey(reads: Pick<Reads, 'keys'>, keyId: string): Promise<KeyRow> {
  const key = await reads.keys.find(keyId);
  if (!key) throw unknown(`There is no key "${keyId}"; a key is named by its id`);
  return key;
}

const readExpiry = (text: string | null): number | null => readOrNull('expires_date', timestamp, text);

function readScopes(list: string): string {
  try {
    return JSON.stringify(parseScopes(list));
  } catch (error) {
    throw invalid({ field: 'scopes', message: (error as Error).message });
  }
}

/** A key without what is secret. */
export type KeyRecord = ReturnType<typeof keyRecord>;

/** A key that was just made: `key` is shown this once. */
export type NewKeyRecord = KeyRecord & { key: string };

export const keyRecord = (row: KeyRow) => ({
  key_id: row.id,
  name: row.name,
  mode: row.mode,
  key_prefix: keyPrefix(row.mode, row.publicId),
  key_status: row.status,
  scopes: JSON.parse(row.scopes) as string[],
  rate_limit: row.rateLimit,
  created_date: isoTimestamp(row.createdAt),
  expires_date: row.expiresAt === null ? null : isoTimestamp(row.expiresAt),
  last_used_date: row.lastUsedAt === null ? null : isoTimestamp(row.lastUsedAt),
  last_used_ip: row.lastUsedIp,
});
