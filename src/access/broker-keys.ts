import { fail } from '../errors.ts';
import type { SlotQueue } from '../limits/slot-queue.ts';
import { createIpMatcher } from '../rules/ip-rules.ts';
import { keyPrefix, parseKey } from '../rules/key-format.ts';
import type { Scope } from '../rules/scopes.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { Mode } from '../rules/words.ts';
import type { Clock } from '../runtime/clock.ts';
import type { BrokerRow } from '../store/queries/brokers.ts';
import type { KeyRow } from '../store/queries/keys.ts';
import type { Store } from '../store/store.ts';
import { createAuthenticator, type KeyHolder } from './authenticate.ts';

/** Everything that the gates and operations of v1 need to know of the caller. */
export interface BrokerAccess extends KeyHolder {
  readonly broker: BrokerRow;
  readonly key: KeyRow;
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  /** `sk_live_XXXXXXXX`: what may be shown of the key. */
  readonly keyPrefix: string;
  /** When the key was made and when it ends, as answers show it. */
  readonly createdDate: string;
  readonly expiresDate: string | null;
}

/** Bytes of an entry without its texts, and of a compiled firewall rule; measured, and rounded up. */
const ENTRY_BYTES = 1_000;
const RULE_BYTES = 300;

export interface BrokerKeyParts {
  store: Store;
  clock: Clock;
  /** Requests a window for keys without a number of their own. */
  rateLimit: { max: number };
  /** Public parts of keys that are refused as invalid, whether they exist or not. */
  refused?: readonly string[] | undefined;
  unknownKeys?: SlotQueue | undefined;
}

/** The check of brokers' keys, for gate 1 of v1. */
export const authenticateBrokers = ({ rateLimit, refused = [], ...parts }: BrokerKeyParts) =>
  createAuthenticator<BrokerAccess>(
    {
      publicIdOf(token) {
        const publicId = parseKey(token)?.publicId;
        if (publicId !== undefined && refused.includes(publicId)) throw fail.unauthenticated('invalid');
        return publicId;
      },
      async find({ read }, publicIds) {
        const found = await read.keys.listAccess(publicIds);
        return new Map(found.map((one) => [one.key.publicId, foundOf(read, one, rateLimit.max)]));
      },
      ownerOf: ({ broker }) => broker.id,
      stateOf: ({ key, broker }) => ({
        isActive: key.status === 'active' && broker.status === 'active',
        expiresAt: key.expiresAt,
      }),
    },
    parts,
  );

/** What is stored of one key, and how it becomes an access. */
function foundOf(read: Store['read'], found: { key: KeyRow; broker: BrokerRow }, defaultLimit: number) {
  const { key, broker } = found;
  const rules: string[] = [];
  return {
    hash: key.hash,
    async prepare(): Promise<BrokerAccess> {
      if (broker.ipRestrictionEnabled) {
        rules.push(...(await read.firewall.list(broker.id)).map(({ rule }) => rule));
      }
      const shared = key.mode === 'test' ? null : broker.rateLimit;
      return {
        broker,
        key,
        keyId: key.id,
        mode: key.mode,
        scopes: JSON.parse(key.scopes) as Scope[],
        keyPrefix: keyPrefix(key.mode, key.publicId),
        createdDate: isoTimestamp(key.createdAt),
        expiresDate: key.expiresAt === null ? null : isoTimestamp(key.expiresAt),
        rateLimit: key.rateLimit ?? defaultLimit,
        sharedLimit: shared === null ? null : { name: `broker ${broker.id}`, limit: shared },
        isRestricted: broker.ipRestrictionEnabled,
        matchedRule: createIpMatcher(rules),
      };
    },
    bytesOf: () => ENTRY_BYTES + 2 * JSON.stringify(found).length + RULE_BYTES * rules.length,
  };
}
