import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ApiError, fail } from '../errors.ts';
import { SlotQueue } from '../limits/slot-queue.ts';
import { HOUR_MS } from '../rules/durations.ts';
import { hashKey, KEY_LENGTH, parseBearer } from '../rules/key-format.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Store, storeFor } from '../store/store.ts';
import { type AskedKey, createKeyBatches, KEYS_OF_BATCH } from './key-batches.ts';

/** What the gates need to know of a caller, whichever API it calls; prepared once and shared by its requests. */
export interface KeyHolder {
  /** The key's id: its requests are counted under it. */
  readonly keyId: string;
  /** Requests that the key may make in a window. */
  readonly rateLimit: number;
  /** A limit of several keys together, and the name under which they are counted; null where there is none. */
  readonly sharedLimit: { readonly name: string; readonly limit: number } | null;
  /** Whether it may call from some addresses only. */
  readonly isRestricted: boolean;
  /** The rule, as entered, that lets an address in; null when none does. */
  readonly matchedRule: (address: string) => string | null;
}

/** The keys of one API: how they are written, found and refused. */
export interface KeyKind<A extends KeyHolder> {
  /** The public part of a key; undefined for a text that is no such key. Throws where it is refused without a look-up. */
  publicIdOf(token: string): string | undefined;
  /** What is stored of the keys with these public parts, by public part. */
  find(store: Store, publicIds: string[]): Promise<ReadonlyMap<string, Found<A>>>;
  /** Whose keys push out their own beyond a number. */
  ownerOf(access: A): string;
  /** Whether it can be used, and until when: epoch milliseconds of the machine's clock. */
  stateOf(access: A): { isActive: boolean; expiresAt: number | null };
}

interface Found<A> {
  /** Of the whole key. */
  hash: string;
  /** Prepares what requests share. */
  prepare(): Promise<A>;
  /** The memory that it takes, about. */
  bytesOf(access: A): number;
}

/** Half of the second within which a revocation, a scope or a firewall rule must be in force everywhere. */
export const FRESH_FOR_MS = 500;

/** Keys in use at the same time; beyond that the least used are looked up again. */
const MAX_CACHED_KEYS = 20_000;

/** Memory for them, about: twenty thousand ordinary keys take some 40 MB, those with fifty firewall rules ten times that. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Keys of one owner; beyond that it pushes out its own. A tenth, so that no broker's many keys cost others a look-up. */
export const MAX_CACHED_KEYS_OF_OWNER = 2_000;

/** The usual form of the header, whose key is found without parsing. */
const USUAL_SCHEME = 'Bearer ';
const USUAL_LENGTH = USUAL_SCHEME.length + KEY_LENGTH;

/** A key that has passed here within this time is looked up without a place among the others. */
const KNOWN_FOR_MS = HOUR_MS;

/**
 * Look-ups of all other keys, of which in an attack nearly all are made up: few at a time, so that they delay no other read
 * (contract, section 2). Places are given by address, each to a batch of keys.
 */
const UNKNOWN_KEYS = {
  atOnce: 20,
  atOnceOfOne: 2,
  waiting: 1_000,
  waitingOfOne: 20,
  patienceMs: 1_000,
  retryAfterSeconds: 1,
};

/** Room for all cached keys, read anew at the same time. */
const KNOWN_BATCHES = MAX_CACHED_KEYS / KEYS_OF_BATCH;
const KNOWN_KEYS = {
  atOnce: 2,
  atOnceOfOne: 2,
  waiting: KNOWN_BATCHES,
  waitingOfOne: KNOWN_BATCHES,
  patienceMs: 10_000,
  retryAfterSeconds: 2,
};

/** Too many keys wait to be looked up: whether this one exists is not known. */
export class KeyLookupRefused extends ApiError {
  constructor() {
    super('server_error', 'Service temporarily unavailable', {
      gate: 'capacity',
      retryAfterSeconds: UNKNOWN_KEYS.retryAfterSeconds,
    });
  }
}

/** The queue in which batches of unknown keys wait; one for all ports of a process. */
export const createUnknownKeys = () => new SlotQueue(UNKNOWN_KEYS);

export interface AuthenticatorParts {
  store: Store;
  clock: Clock;
  /** By default a queue of its own. */
  unknownKeys?: SlotQueue | undefined;
}

interface Admitted<A> {
  access: A;
  /** When it was looked up, in monotonic milliseconds. */
  readAt: number;
}

/**
 * Makes the check of a bearer key (contract, sections 2 and 5). It takes the `Authorization` headers as sent
 * and returns the caller's access, at once where it is cached; throws, or rejects with, `authentication_failed`.
 * A malformed key costs no look-up; one that has not passed here within the hour waits for a place with the others of its
 * address, a second at most, and is then refused with a `KeyLookupRefused`.
 */
export function createAuthenticator<A extends KeyHolder>(
  { publicIdOf, find, ownerOf, stateOf }: KeyKind<A>,
  { store, clock, unknownKeys = createUnknownKeys() }: AuthenticatorParts,
): Authenticate<A> {
  const keysOf = new Map<string, Set<string>>();
  // By the key itself, of which there is one writing, and only what has passed: whatever a caller writes around its key,
  // it has one entry. A call with a known key costs one look-up in this table.
  const admitted = new LRUCache<string, Admitted<A>>({
    max: MAX_CACHED_KEYS,
    maxSize: MAX_CACHED_BYTES,
    dispose: ({ access }, token) => {
      const owner = ownerOf(access);
      const keys = keysOf.get(owner);
      keys?.delete(token);
      if (keys?.size === 0) keysOf.delete(owner);
    },
  });

  const batchesOf = (queue: SlotQueue, name: 'known' | 'unknown') => {
    const from = storeFor(store, { share: 'keys', name });
    return createKeyBatches<A>(queue, (keys) => lookUp(from, keys));
  };
  const ask = {
    known: batchesOf(new SlotQueue(KNOWN_KEYS), 'known'),
    unknown: batchesOf(unknownKeys, 'unknown'),
  };
  const lookUps = new Map<string, { access: Promise<A>; beganAt: number }>();

  const isNewerThan = (ms: number, at: number): boolean => clock.monotonic() - at <= ms;

  return (headers, address) => {
    const header = headers[0];
    if (headers.length > 1) throw fail.unauthenticated('malformed');
    const token = tokenOf(header);
    const known = admitted.get(token);
    if (known && isNewerThan(FRESH_FOR_MS, known.readAt)) return inForce(known.access);
    const publicId = publicIdOf(token);
    if (publicId === undefined) throw fail.unauthenticated('malformed');
    return shareLookUp(publicId, token, address);
  };

  /** One look-up for all calls that come meanwhile: a burst of one key must not fill the queues. */
  function shareLookUp(publicId: string, token: string, address: string): Promise<A> {
    const running = lookUps.get(token);
    if (running && isNewerThan(FRESH_FOR_MS, running.beganAt)) return running.access;
    const known = admitted.peek(token);
    const isKnown = known !== undefined && isNewerThan(KNOWN_FOR_MS, known.readAt);
    const asked = isKnown
      ? ask.known({ owner: 'known', publicId, token })
      : ask.unknown({ owner: address, publicId, token, refusal: () => new KeyLookupRefused() });
    const access = asked.finally(() => {
      if (lookUps.get(token)?.access === access) lookUps.delete(token);
    });
    lookUps.set(token, { access, beganAt: clock.monotonic() });
    return access;
  }

  async function lookUp(from: Store, keys: readonly AskedKey<A>[]): Promise<void> {
    // Counted from before the look-up: what it read may be that old.
    const readAt = clock.monotonic();
    const publicIds = keys.map(({ publicId }) => publicId);
    const found = await find(from, publicIds);
    // One after the other: what is read to prepare a key takes no more of the store than its batch's one place.
    for (const { publicId, token, resolve, reject } of keys) {
      await admit(found.get(publicId), token, readAt).then(resolve, reject);
    }
  }

  async function admit(found: Found<A> | undefined, token: string, readAt: number): Promise<A> {
    try {
      // Only the holder of the whole key learns why it is refused.
      if (!found || !timingSafeEqual(Buffer.from(found.hash, 'hex'), Buffer.from(hashKey(token), 'hex'))) {
        throw fail.unauthenticated('invalid');
      }
      const access = inForce(await found.prepare());
      keep(token, { access, readAt }, found.bytesOf(access));
      return access;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'authentication_failed') admitted.delete(token);
      throw error;
    }
  }

  function keep(token: string, entry: Admitted<A>, bytes: number): void {
    const owner = ownerOf(entry.access);
    admitted.set(token, entry, { size: bytes });
    let keys = keysOf.get(owner);
    if (keys === undefined) {
      keys = new Set();
      keysOf.set(owner, keys);
    }
    keys.add(token);
    const [oldest] = keys.size > MAX_CACHED_KEYS_OF_OWNER ? keys : [];
    if (oldest !== undefined) admitted.delete(oldest);
  }

  function inForce(access: A): A {
    const { isActive, expiresAt } = stateOf(access);
    if (!isActive) throw fail.unauthenticated('inactive');
    if (expiresAt !== null && expiresAt <= clock.machine()) {
      throw fail.unauthenticated('expired', { expired_date: isoTimestamp(expiresAt) });
    }
    return access;
  }
}

/** The token of an Authorization header. Throws `missing` or `malformed`. */
function tokenOf(header: string | undefined): string {
  if (header?.length === USUAL_LENGTH && header.startsWith(USUAL_SCHEME)) return header.slice(USUAL_SCHEME.length);
  const bearer = parseBearer(header);
  if (typeof bearer === 'string') throw fail.unauthenticated(bearer);
  // A copy: a part of a string keeps the whole alive, here up to 16 KB of blanks for as long as the key is known.
  return Buffer.from(bearer.token, 'latin1').toString('latin1');
}

/** @param address the name under which the caller's address is counted */
export type Authenticate<A extends KeyHolder> = (headers: readonly string[], address: string) => A | Promise<A>;
