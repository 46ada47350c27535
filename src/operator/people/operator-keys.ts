import { randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { IpAddress } from '../../../schemas/access.ts';
import { Id, ListOf, Nullable, OneOf, Shown, Timestamp } from '../../../schemas/atoms.ts';
import { MINUTE_MS } from '../../rules/durations.ts';
import { composeKey, hashKey, keyPrefix, newKeyParts } from '../../rules/key-format.ts';
import { KEY_STATUSES } from '../../rules/words.ts';
import type { OperatorKeyRow } from '../../store/queries/operator-keys.ts';
import type { Reads } from '../../store/store.ts';
import { asDayBegins, EXPIRES, refusePast } from '../access/keys.ts';
import type { ChangeDeps, ReadDeps } from '../use-case/dependencies.ts';
import { refused, unknown } from '../use-case/errors.ts';
import { line, named, ranges } from '../use-case/fields.ts';
import { SHORT_LIST, wholeList } from '../use-case/pages.ts';
import { recordOf, recordWith } from '../use-case/record.ts';
import { useCase } from '../use-case/use-case.ts';
import { ROLE, ROLES } from './operators.ts';

/** Addresses and CIDRs that a key may be used from. Contract, section 13.1. */
const MAX_KEY_ADDRESSES = 20;

/** All of them are shown at once, revoked ones included. */
const MAX_KEYS = 1_000;

const prefixOf = ({ publicId }: Pick<OperatorKeyRow, 'publicId'>): string => keyPrefix('ops', publicId);

/** A key of the operator's API, without what is secret. */
const OPERATOR_KEY = recordOf<OperatorKeyRow>()('OperatorKey', (field) => ({
  key_id: field(Id('opk', 'The key’s id'), 'id'),
  name: field(Shown(200, 'What it is for', { examples: ['Billing'] }), 'name'),
  key_prefix: field(
    Shown(15, 'What may be shown of the key', { pattern: '^sk_ops_[0-9A-Za-z]{8}$', examples: ['sk_ops_7Hq2LmZ4'] }),
    prefixOf,
  ),
  key_status: field(OneOf(KEY_STATUSES, { description: 'A revoked key is refused' }), 'status'),
  role: field(OneOf(ROLES, { description: 'What it may do, as in the console', examples: ['admin'] }), 'role'),
  addresses: field(
    ListOf(Shown(49, 'An address or a CIDR'), {
      maxItems: MAX_KEY_ADDRESSES,
      description: 'Where it may be used from; empty: from everywhere',
      examples: [['203.0.113.0/28']],
    }),
    ({ addresses }) => JSON.parse(addresses),
  ),
  created_date: field(Timestamp('When it was made.'), 'createdAt'),
  expires_date: field(Nullable(Timestamp('When it stops working; null: never.'), { examples: [null] }), 'expiresAt'),
  last_used_date: field(Nullable(Timestamp('Its last use, exact to a minute; null: never.')), 'lastUsedAt'),
  last_used_ip: field(Nullable(IpAddress('Where that use came from')), 'lastUsedIp'),
}));

export type OperatorKeyRecord = ReturnType<typeof OPERATOR_KEY.of>;

/** A key that was just made: `key` is shown this once. */
type NewOperatorKey = OperatorKeyRecord & { key: string };

const NEW_KEY = recordWith('NewOperatorKey', OPERATOR_KEY.schema, {
  key: Shown(54, 'The key itself; it is shown this once', { examples: ['sk_ops_7Hq2LmZ4_…'] }),
});

/** Makes a key for the operator's own systems; the database keeps its hash alone. Contract, section 13.1. */
export const createOperatorKey = useCase({
  name: 'ops-keys create',
  role: 'admin',
  action: 'ops_key.create',
  title: 'Create a key',
  description: 'Create a key of the operator’s API; it is shown this once',
  example: 'ops-keys create --name Billing --role admin --addresses 203.0.113.0/28 --expires 2031-01-01',
  input: Type.Object({
    name: line(200, { title: 'Name', description: 'What it is for, such as “Billing”' }),
    role: ROLE,
    addresses: Type.Optional(
      ranges(MAX_KEY_ADDRESSES, {
        title: 'Addresses',
        description: `Where it may be used from, separated by commas: such as 203.0.113.4, 203.0.113.0/28; at most ${MAX_KEY_ADDRESSES}. Empty: everywhere`,
      }),
    ),
    expires_date: Type.Optional(EXPIRES),
  }),
  answer: NEW_KEY,
  secret: 'key',
  done: ({ name, role, addresses, expires_date: end }: NewOperatorKey) =>
    `${name} (${role}, from ${addresses.join(', ') || 'everywhere'}, ends ${end ?? 'never'}${asDayBegins(end)}). Store it where the system that uses it can read it.`,
  async change(tx, deps: ChangeDeps, { name, role, addresses = [], expires_date: expiresAt = null }) {
    refusePast(deps, expiresAt);
    const parts = newKeyParts(randomBytes);
    const key = composeKey({ mode: 'ops', ...parts });
    await tx.operatorKeys.lock();
    if ((await tx.operatorKeys.list()).length >= MAX_KEYS) throw refused(`There can be ${MAX_KEYS} keys at most`);
    const now = deps.clock.now();
    const row: OperatorKeyRow = {
      id: deps.newId('opk', now),
      publicId: parts.publicId,
      hash: hashKey(key),
      name,
      role,
      addresses: JSON.stringify([...new Set(addresses)]),
      status: 'active',
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
      lastUsedIp: null,
    };
    await tx.operatorKeys.insert(row);
    const record = OPERATOR_KEY.of(row);
    return { record: { ...record, key }, about: about(row), after: record };
  },
});

/** All keys of the operator's API, oldest first, without what is secret. */
export const listOperatorKeys = useCase({
  name: 'ops-keys list',
  title: 'Keys of the operator’s API',
  description: 'List the keys of the operator’s API',
  example: 'ops-keys list',
  input: Type.Object(SHORT_LIST),
  answer: OPERATOR_KEY.schema,
  columns: ['key_id', 'name', 'key_prefix', 'key_status', 'role', 'addresses', 'expires_date', 'last_used_date'],
  run: async ({ store }: ReadDeps, window) =>
    wholeList((await store.read.operatorKeys.list()).map(OPERATOR_KEY.of), window),
});

const KEY = { key_id: named('key-id', 'The key’s id') };

export const showOperatorKey = async (
  { store }: ReadDeps,
  { key_id }: { key_id: string },
): Promise<OperatorKeyRecord> => OPERATOR_KEY.of(await requireKey(store.read, key_id));

/** Ends a key for good; to do so again changes nothing. */
export const revokeOperatorKey = useCase({
  name: 'ops-keys revoke',
  role: 'admin',
  action: 'ops_key.revoke',
  title: 'Revoke',
  description: 'End a key of the operator’s API for good',
  example: 'ops-keys revoke opk_01J0000000000000000000000A',
  input: Type.Object(KEY),
  on: ['key_id'],
  argument: 'key_id',
  answer: OPERATOR_KEY.schema,
  show: showOperatorKey,
  confirm: ({ name, key_prefix }) =>
    `The key “${name}” (${key_prefix}) ends for good: its calls are refused within a second.`,
  done: ({ key_prefix }: OperatorKeyRecord) => `${key_prefix} was revoked: it is refused from now on.`,
  async change(tx, _deps: ChangeDeps, { key_id }) {
    await tx.operatorKeys.lock();
    const key = await requireKey(tx, key_id);
    const changes = { status: 'revoked' } as const;
    await tx.operatorKeys.update(key.id, changes);
    const after = OPERATOR_KEY.of({ ...key, ...changes });
    return { record: after, about: about(key), before: OPERATOR_KEY.of(key), after };
  },
});

/** How often the use of a key is written at most. */
const TOUCH_EVERY_MS = MINUTE_MS;

/** Writes that a key was used, at most once a minute; what is not written is not missed. */
export async function touchOperatorKey(
  { store, clock }: ReadDeps,
  { id, lastUsedAt }: Pick<OperatorKeyRow, 'id' | 'lastUsedAt'>,
  ip: string,
): Promise<void> {
  const now = clock.machine();
  if (lastUsedAt !== null && now < lastUsedAt + TOUCH_EVERY_MS) return;
  await store.tx((tx) => tx.operatorKeys.update(id, { lastUsedAt: now, lastUsedIp: ip }));
}

const about = ({ id }: OperatorKeyRow) => ({ brokerId: null, subject: `ops_key/${id}` });

async function requireKey(reads: Pick<Reads, 'operatorKeys'>, keyId: string): Promise<OperatorKeyRow> {
  const key = await reads.operatorKeys.find(keyId);
  if (!key) throw unknown(`There is no key "${keyId}" of the operator’s API; a key is named by its id`);
  return key;
}
