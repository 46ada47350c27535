import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { ApiError, fail } from '../errors.ts';
import { SlotQueue } from '../limits/slot-queue.ts';
import { createIpMatcher } from '../rules/ip-rules.ts';
import { hashKey, KEY_LENGTH, keyPrefix, parseBearer, parseKey } from '../rules/key-format.ts';
import type { Scope } from '../rules/scopes.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { Mode } from '../rules/words.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { KeyRow } from '../store/keys.ts';
import { type Store, storeFor } from '../store/store.ts';

/** Everything that the gates and operations need to know of the caller, prepared once and shared by its requests. */
export interface Access {
  readonly broker: BrokerRow;
  readonly key: KeyRow;
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  /** `sk_live_XXXXXXXX`: what may be shown of the key. */
  readonly keyPrefix: string;
  /** When the key was made and when it ends, as answers show it. */
  readonly createdDate: string;
  readonly expiresDate: string | null;
  /** Requests that the key may make in a window. */
  readonly rateLimit: number;
  /** That of all live keys of the broker together; null where it has none, and in the sandbox. */
  readonly brokerRateLimit: number | null;
  /** The firewall rule, as entered, that lets an address in; null when none does. */
  readonly matchedRule: (address: string) => string | null;
}

/** Half of the second within which a revocation, a scope or a firewall rule must be in force everywhere. */
export const FRESH_FOR_MS = 500;

/** Keys in use at the same time; beyond that the least used are looked up again. */
export const MAX_CACHED_KEYS = 20_000;

/** Memory for them, about: twenty thousand ordinary keys take some 40 MB, those with fifty firewall rules ten times that. */
export const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Keys of one broker; beyond that it pushes out its own. A tenth, so that no broker's many keys cost others a look-up. */
export const MAX_CACHED_KEYS_OF_BROKER = 2_000;

/** The usual form of the header, whose key is found without parsing. */
const USUAL_SCHEME = 'Bearer ';
const USUAL_LENGTH = USUAL_SCHEME.length + KEY_LENGTH;

/** A key that has passed here within this time is looked up without a place among the others. */
const KNOWN_FOR_MS = 3_600_000;

/**
 * Look-ups of all other keys, of which in an attack nearly all are made up: few at a time, so that they delay no other read
 * (contract, section 2). Places are given by address.
 */
export const UNKNOWN_KEYS = {
  atOnce: 20,
  atOnceOfBroker: 2,
  waiting: 1_000,
  waitingOfBroker: 100,
  patienceMs: 1_000,
  retryAfterSeconds: 1,
};

/** Bytes of an entry without its texts, and of a compiled firewall rule; measured, and rounded up. */
const ENTRY_BYTES = 1_000;
const RULE_BYTES = 300;

/** Too many keys wait to be looked up: whether this one exists is not known. */
export class KeyLookupRefused extends ApiError {
  constructor() {
    super('server_error', 'Service temporarily unavailable', {
      gate: 'capacity',
      retryAfterSeconds: UNKNOWN_KEYS.retryAfterSeconds,
    });
  }
}

export interface AuthenticatorParts {
  store: Store;
  clock: Clock;
  /** Requests a window for keys without a number of their own. */
  rateLimit: { max: number };
  /** Public parts of keys that are refused as invalid, whether they exist or not. */
  refused?: readonly string[] | undefined;
}

interface Admitted {
  access: Access;
  /** When it was looked up, in monotonic milliseconds. */
  readAt: number;
}

/**
 * Makes the check of a bearer key (contract, sections 2 and 5). It takes the `Authorization` headers as sent
 * and returns the caller's access, at once where it is cached; throws, or rejects with, `authentication_failed`.
 * A malformed key costs no look-up; one that has not passed here within the hour waits for a place, a second at most, and
 * is then refused with a `KeyLookupRefused`.
 */
export function createAuthenticator({ store, clock, rateLimit, refused = [] }: AuthenticatorParts) {
  const keysOf = new Map<string, Set<string>>();
  // By the key itself, of which there is one writing, and only what has passed: whatever a caller writes around its key,
  // it has one entry. A call with a known key costs one look into this table.
  const admitted = new LRUCache<string, Admitted>({
    max: MAX_CACHED_KEYS,
    maxSize: MAX_CACHED_BYTES,
    dispose: ({ access: { broker } }, token) => {
      const keys = keysOf.get(broker.id);
      keys?.delete(token);
      if (keys?.size === 0) keysOf.delete(broker.id);
    },
  });

  const stores = {
    known: storeFor(store, { share: 'keys', name: 'known' }),
    unknown: storeFor(store, { share: 'keys', name: 'unknown' }),
  };
  const lookUps = new Map<string, { access: Promise<Access>; beganAt: number }>();
  const unknownKeys = new SlotQueue(UNKNOWN_KEYS);

  const isNewerThan = (ms: number, at: number): boolean => clock.monotonic() - at <= ms;

  /** @param address the name under which the caller's address is counted */
  return (headers: readonly string[], address: string): Access | Promise<Access> => {
    const header = headers[0];
    if (headers.length > 1) throw fail.unauthenticated('malformed');
    const token = tokenOf(header);
    const known = admitted.get(token);
    if (known && isNewerThan(FRESH_FOR_MS, known.readAt)) return inForce(known.access);
    const named = parseKey(token);
    if (!named) throw fail.unauthenticated('malformed');
    if (refused.includes(named.publicId)) throw fail.unauthenticated('invalid');
    return shareLookUp(named.publicId, token, address);
  };

  /** One look-up for all calls that come meanwhile: a burst of one key must not fill the queues. */
  function shareLookUp(publicId: string, token: string, address: string): Promise<Access> {
    const running = lookUps.get(token);
    if (running && isNewerThan(FRESH_FOR_MS, running.beganAt)) return running.access;
    const known = admitted.peek(token);
    const isKnown = known !== undefined && isNewerThan(KNOWN_FOR_MS, known.readAt);
    const access = (isKnown ? lookUp(publicId, token, 'known') : lookUpInTurn(publicId, token, address)).finally(() => {
      if (lookUps.get(token)?.access === access) lookUps.delete(token);
    });
    lookUps.set(token, { access, beganAt: clock.monotonic() });
    return access;
  }

  function lookUpInTurn(publicId: string, token: string, address: string): Promise<Access> {
    let begun = false;
    return unknownKeys
      .take({ brokerId: address }, () => {
        begun = true;
        return lookUp(publicId, token, 'unknown');
      })
      .catch((error: unknown) => {
        throw begun ? error : new KeyLookupRefused();
      });
  }

  async function lookUp(publicId: string, token: string, name: 'known' | 'unknown'): Promise<Access> {
    // Counted from before the look-up: what it read may be that old.
    const readAt = clock.monotonic();
    try {
      const { access, bytes } = await read(stores[name], publicId, token);
      keep(token, { access, readAt }, bytes);
      return access;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'authentication_failed') admitted.delete(token);
      throw error;
    }
  }

  function keep(token: string, entry: Admitted, bytes: number): void {
    const { broker } = entry.access;
    admitted.set(token, entry, { size: bytes });
    let keys = keysOf.get(broker.id);
    if (keys === undefined) {
      keys = new Set();
      keysOf.set(broker.id, keys);
    }
    keys.add(token);
    const [oldest] = keys.size > MAX_CACHED_KEYS_OF_BROKER ? keys : [];
    if (oldest !== undefined) admitted.delete(oldest);
  }

  async function read({ read }: Store, publicId: string, token: string): Promise<{ access: Access; bytes: number }> {
    const found = await read.keys.findAccess(publicId);
    // Only the holder of the whole key learns why it is refused.
    if (!found || !timingSafeEqual(Buffer.from(found.key.hash, 'hex'), Buffer.from(hashKey(token), 'hex'))) {
      throw fail.unauthenticated('invalid');
    }
    const { key, broker } = found;
    const rules = broker.ipRestrictionEnabled ? await read.firewall.list(broker.id) : [];
    const access = inForce({
      broker,
      key,
      mode: key.mode,
      scopes: JSON.parse(key.scopes) as Scope[],
      keyPrefix: keyPrefix(key.mode, key.publicId),
      createdDate: isoTimestamp(key.createdAt),
      expiresDate: key.expiresAt === null ? null : isoTimestamp(key.expiresAt),
      rateLimit: key.rateLimit ?? rateLimit.max,
      brokerRateLimit: key.mode === 'test' ? null : broker.rateLimit,
      matchedRule: createIpMatcher(rules.map((row) => row.rule)),
    });
    return { access, bytes: ENTRY_BYTES + 2 * JSON.stringify(found).length + RULE_BYTES * rules.length };
  }

  function inForce(access: Access): Access {
    const { key, broker } = access;
    if (key.status !== 'active' || broker.status !== 'active') throw fail.unauthenticated('inactive');
    if (key.expiresAt !== null && key.expiresAt <= clock.machine()) {
      throw fail.unauthenticated('expired', { expired_date: isoTimestamp(key.expiresAt) });
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

export type Authenticate = ReturnType<typeof createAuthenticator>;
