import type { SlotQueue } from '../limits/slot-queue.ts';
import { createIpMatcher } from '../rules/ip-rules.ts';
import { keyPrefix, parseOperatorKey } from '../rules/key-format.ts';
import type { Clock } from '../runtime/clock.ts';
import type { OperatorKeyRow } from '../store/queries/operator-keys.ts';
import type { OperatorRole } from '../store/queries/operators.ts';
import type { Store } from '../store/store.ts';
import { createAuthenticator, type KeyHolder } from './authenticate.ts';

/** A caller of the operator's API. */
export interface OperatorAccess extends KeyHolder {
  readonly key: OperatorKeyRow;
  readonly role: OperatorRole;
  /** As the audit trail names it: the key's name, and what may be shown of the key. */
  readonly name: string;
}

/** Requests of a key in a window. Contract, section 13.1. */
const OPERATOR_RATE_LIMIT = 600;

/** Bytes of an entry: a row with twenty compiled rules, rounded up. */
const ENTRY_BYTES = 10_000;

/** The check of the operator's keys, for gate 1 of the operator's API. */
export const authenticateOperators = (parts: { store: Store; clock: Clock; unknownKeys?: SlotQueue | undefined }) =>
  createAuthenticator<OperatorAccess>(
    {
      publicIdOf: (token) => parseOperatorKey(token)?.publicId,
      async find({ read }, publicIds) {
        const found = await read.operatorKeys.listAccess(publicIds);
        return new Map(found.map((key) => [key.publicId, foundOf(key)]));
      },
      ownerOf: () => 'operator',
      stateOf: ({ key }) => ({ isActive: key.status === 'active', expiresAt: key.expiresAt }),
    },
    parts,
  );

function foundOf(key: OperatorKeyRow) {
  const rules = JSON.parse(key.addresses) as string[];
  return {
    hash: key.hash,
    prepare: async (): Promise<OperatorAccess> => ({
      key,
      keyId: key.id,
      role: key.role,
      name: `${key.name} (${keyPrefix('ops', key.publicId)})`,
      rateLimit: OPERATOR_RATE_LIMIT,
      sharedLimit: null,
      isRestricted: rules.length > 0,
      matchedRule: createIpMatcher(rules),
    }),
    bytesOf: () => ENTRY_BYTES,
  };
}
