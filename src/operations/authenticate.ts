import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { fail } from '../errors.ts';
import { createIpMatcher } from '../rules/ip-rules.ts';
import { hashKey, keyPrefix, parseBearer, parseKey } from '../rules/key-format.ts';
import { isoMoment } from '../rules/moments.ts';
import type { Scope } from '../rules/scopes.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { KeyRow } from '../store/keys.ts';
import type { Store } from '../store/store.ts';

/** Everything that the gates and operations need to know of the caller, prepared once and shared by its requests. */
export interface Access {
  readonly broker: BrokerRow;
  readonly key: KeyRow;
  readonly mode: 'live' | 'test';
  readonly scopes: readonly Scope[];
  /** `sk_live_XXXXXXXX`: what may be shown of the key. */
  readonly keyPrefix: string;
  /** When the key was made and when it ends, as answers show it. */
  readonly createdDate: string;
  readonly expiresDate: string | null;
  /** The firewall rule, as entered, that lets an address in; null when none does. */
  readonly matchedRule: (address: string) => string | null;
}

/** Half of the second within which a revocation, a scope or a firewall rule must be in force everywhere. */
const FRESH_FOR_MS = 500;

/** Keys in use at the same time; beyond that the least used are looked up again. */
const MAX_CACHED_KEYS = 20_000;

/**
 * Makes the check of a bearer key (contract, sections 2 and 5). It takes the `Authorization` headers as sent
 * and returns the caller's access, at once where it is cached; throws, or rejects with, `authentication_failed`.
 * A malformed key costs no look-up, an unknown one a single indexed read.
 */
export function createAuthenticator({ store, clock }: { store: Store; clock: Clock }) {
  // By the whole header, and only what has passed: a call with a known key then costs one look into this table.
  const admitted = new LRUCache<string, { access: Access; freshUntil: number }>({ max: MAX_CACHED_KEYS });

  return (headers: readonly string[]): Access | Promise<Access> => {
    const header = headers[0];
    if (headers.length > 1) throw fail.unauthenticated('malformed');
    const known = header === undefined ? undefined : admitted.get(header);
    if (known && clock.monotonic() <= known.freshUntil) return inForce(known.access);
    const bearer = parseBearer(header);
    if (typeof bearer === 'string') throw fail.unauthenticated(bearer);
    const named = parseKey(bearer.token);
    if (!named) throw fail.unauthenticated('malformed');
    // Counted from before the look-up: what it read may be that old.
    const freshUntil = clock.monotonic() + FRESH_FOR_MS;
    return lookUp(named.publicId, bearer.token).then((access) => {
      admitted.set(header as string, { access, freshUntil });
      return access;
    });
  };

  async function lookUp(publicId: string, token: string): Promise<Access> {
    const found = await store.read.keys.findAccess(publicId);
    // What is wrong with a key is told only to whoever holds all of it.
    if (!found || !timingSafeEqual(Buffer.from(found.key.hash, 'hex'), Buffer.from(hashKey(token), 'hex'))) {
      throw fail.unauthenticated('invalid');
    }
    const { key, broker } = found;
    const rules = broker.ipRestrictionEnabled ? await store.read.firewall.list(broker.id) : [];
    return inForce({
      broker,
      key,
      mode: key.mode,
      scopes: JSON.parse(key.scopes) as Scope[],
      keyPrefix: keyPrefix(key.mode, key.publicId),
      createdDate: isoMoment(key.createdAt),
      expiresDate: key.expiresAt === null ? null : isoMoment(key.expiresAt),
      matchedRule: createIpMatcher(rules.map((row) => row.rule)),
    });
  }

  function inForce(access: Access): Access {
    const { key, broker } = access;
    if (key.status !== 'active' || broker.status !== 'active') throw fail.unauthenticated('inactive');
    if (key.expiresAt !== null && key.expiresAt <= clock.now()) {
      throw fail.unauthenticated('expired', { expired_date: isoMoment(key.expiresAt) });
    }
    return access;
  }
}

export type Authenticate = ReturnType<typeof createAuthenticator>;
