import { randomBytes } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { IpAddress, Scope as ScopeSchema } from '../../../schemas/access.ts';
import { Id, ListOf, Nullable, OneOf, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { DAY_MS } from '../../rules/durations.ts';
import { composeKey, hashKey, keyPrefix, newKeyParts } from '../../rules/key-format.ts';
import { SCOPES, type Scope } from '../../rules/scopes.ts';
import { KEY_STATUSES, MODES } from '../../rules/words.ts';
import type { KeyRow } from '../../store/queries/keys.ts';
import type { Reads, Tx } from '../../store/store.ts';
import {
  BROKER,
  brokerOf,
  type ChangeDeps,
  type OperatorDeps,
  type ReadDeps,
  recordChange,
  requireBroker,
} from '../use-case/dependencies.ts';
import { invalid, refused, unknown } from '../use-case/errors.ts';
import { duration, line, named, nullable, oneOf, rateLimit, someOf, timestamp } from '../use-case/fields.ts';
import { SHORT_LIST, wholeList } from '../use-case/pages.ts';
import { recordOf, recordWith } from '../use-case/record.ts';
import { isAlready, refuseStale } from '../use-case/stale.ts';
import { type ChangeOutcome, useCase } from '../use-case/use-case.ts';

const SCOPE_LIST = someOf(SCOPES, {
  title: 'Scopes',
  description: 'admin:full includes all others. Without any, a key can make the call auth-check alone',
  choices: {
    'credentials:read': 'reads the logins of services',
    'plans:read': 'lists plans',
    'reports:send': 'mails reports',
    'requests:read': 'reads requests',
    'requests:write': 'decides on the requests of clients, and reads',
    'services:operate': 'restarts services and runs their other actions, and reads',
    'services:read': 'reads services and what they can be upgraded to',
    'services:write': 'creates and edits services, and reads',
    'admin:full': 'changes the plans of services, cancels, suspends, warns',
  } satisfies Record<Scope, string>,
});
const RATE_LIMIT = nullable(
  rateLimit({ title: 'Calls a minute', description: 'Instead of the server’s default' }),
  'default',
);
/** The end of a key. */
export const EXPIRES = nullable(
  timestamp({
    title: 'Ends',
    option: 'expires',
    description: 'A date such as 2030-01-31: it ends as that day begins (00:00 UTC). Or a time: 2030-01-31T12:00:00Z',
  }),
);

/** A key without what is secret. */
const KEY_RECORD = recordOf<KeyRow>()('Key', (field) => ({
  key_id: field(Id('key', 'The key’s id'), 'id'),
  name: field(Shown(200, 'What it is for', { examples: ['Shop'] }), 'name'),
  mode: field(OneOf(MODES, { description: 'test: answers are simulated' }), 'mode'),
  key_prefix: field(
    Shown(16, 'What may be shown of the key', {
      pattern: '^sk_(live|test)_[0-9A-Za-z]{8}$',
      examples: ['sk_live_4fTq81Zx'],
    }),
    ({ mode, publicId }) => keyPrefix(mode, publicId),
  ),
  key_status: field(OneOf(KEY_STATUSES, { description: 'A revoked key is refused' }), 'status'),
  scopes: field(ListOf(ScopeSchema, { maxItems: SCOPES.length }), ({ scopes }) => JSON.parse(scopes)),
  rate_limit: field(
    Nullable(Whole(1, 1_000_000, 'Calls a minute; null: the server’s default'), { examples: [null] }),
    'rateLimit',
  ),
  created_date: field(Timestamp('When it was made.'), 'createdAt'),
  expires_date: field(Nullable(Timestamp('When it stops working; null: never.'), { examples: [null] }), 'expiresAt'),
  last_used_date: field(Nullable(Timestamp('Its last use; null: never.')), 'lastUsedAt'),
  last_used_ip: field(Nullable(IpAddress('Where that use came from')), 'lastUsedIp'),
}));

const keyRecord = KEY_RECORD.of;

const NEW_KEY = recordWith('NewKey', KEY_RECORD.schema, {
  key: Shown(55, 'The key itself; it is shown this once', { examples: ['sk_live_4fTq81Zx_…'] }),
});

const ROTATED_KEY = recordWith('RotatedKey', NEW_KEY, { rotated_from: KEY_RECORD.schema });

const KEY_DETAIL = recordWith('KeyDetail', Type.Omit(KEY_RECORD.schema, ['key_status']), {
  key_state: OneOf(['active', 'revoked', 'expired'], { description: 'expired: its time is over' }),
  rotated_from_id: Nullable(Id('key', 'The key that it replaces'), { examples: [null] }),
  limit_in_force: Whole(1, 1_000_000, 'Calls a minute that it may make: its own limit, or the server’s default'),
  rotated_to_id: Nullable(Id('key', 'The key that replaces it'), { examples: [null] }),
  broker: Type.Object({
    broker_id: Id('brk', 'The broker’s id'),
    slug: Shown(64, 'The broker’s slug'),
    name: Shown(200, 'The broker’s name'),
  }),
});

/** What the reads of keys need. */
export type KeyDeps = ReadDeps & Pick<OperatorDeps, 'defaultRateLimit'>;

/** The key that a use case acts on. */
const KEY = { key_id: named('key_id', 'The key’s id') };

/** What a person who wrote a date may not expect: that the key does not last for that day. */
export const asDayBegins = (end: string | null): string =>
  end?.endsWith('T00:00:00.000Z') ? ', as that day begins (UTC)' : '';

function created({ name, mode, scopes, expires_date: end }: NewKeyRecord): string {
  const what = `${scopes.join(' ') || 'no scopes'}, ends ${end ?? 'never'}${asDayBegins(end)}`;
  return `A ${mode} key: ${name} (${what}). Give it to the broker over a secure channel.`;
}

/** Creates a key. The answer's `key` is shown this once; the database keeps its hash alone. Contract, section 5. */
export const createKey = useCase({
  name: 'keys create',
  role: 'admin',
  action: 'key.create',
  title: 'Create a key',
  description: 'Create a key; it is shown this once',
  example: 'keys create --broker acme --name "Shop" --mode live --scopes services:read,plans:read',
  input: Type.Object({
    ...BROKER,
    name: line(200, { title: 'Name', description: 'What it is for, such as “Shop”' }),
    mode: oneOf(MODES, { title: 'Mode', choices: { test: 'test: answers are simulated' } }),
    scopes: SCOPE_LIST,
    expires_date: Type.Optional(EXPIRES),
    rate_limit: Type.Optional(RATE_LIMIT),
  }),
  on: ['broker'],
  path: 'POST /brokers/:broker/keys',
  answer: NEW_KEY,
  secret: 'key',
  done: created,
  async change(
    tx,
    deps: ChangeDeps,
    { broker, name, mode, scopes, expires_date: expiresAt = null, rate_limit = null },
  ) {
    refusePast(deps, expiresAt);
    const given = { name, mode, scopes: stored(scopes), expiresAt, rateLimit: rate_limit, rotatedFromId: null };
    const { row, key } = await issueKey(tx, deps, { ...given, brokerId: (await requireBroker(tx, broker)).id });
    return { record: { ...keyRecord(row), key }, about: about(row), after: keyRecord(row) };
  },
});

/** The broker's keys, oldest first, without what is secret. */
export const listKeys = useCase({
  name: 'keys list',
  title: 'Keys',
  summary: 'List the keys of a broker',
  description: "List a broker's keys",
  example: 'keys list --broker acme',
  input: Type.Object({ ...BROKER, ...SHORT_LIST }),
  path: 'GET /brokers/:broker/keys',
  answer: KEY_RECORD.schema,
  columns: ['key_id', 'name', 'key_prefix', 'key_status', 'scopes', 'rate_limit', 'expires_date', 'last_used_date'],
  async run({ store }: ReadDeps, input) {
    const broker = await requireBroker(store.read, input.broker);
    return wholeList((await store.read.keys.list(broker.id)).map(keyRecord), input);
  },
});

/** One key with its broker. */
export const showKey = useCase({
  name: 'keys show',
  title: 'Key',
  summary: 'Read a key',
  description: 'Show one key, without what is secret',
  example: 'keys show key_01J0000000000000000000000A',
  input: Type.Object(KEY),
  on: ['key_id'],
  argument: 'key_id',
  path: 'GET /keys/:key_id',
  answer: KEY_DETAIL,
  run: showKeyOf,
});

async function showKeyOf(
  { store, clock, defaultRateLimit }: KeyDeps,
  { key_id }: { key_id: string },
): Promise<Static<typeof KEY_DETAIL>> {
  const row = await requireKey(store.read, key_id);
  const { id, slug, name } = await brokerOf(store.read, row.brokerId);
  const [successor] = await store.read.keys.listSuccessors(row.brokerId, [row.id]);
  return {
    ...keyLine(row, { successor, defaultRateLimit, now: clock.machine() }),
    broker: { broker_id: id, slug, name },
  };
}

interface Surroundings extends Pick<KeyDeps, 'defaultRateLimit'> {
  /** The key that replaces it. */
  successor: KeyRow | undefined;
  /** By the machine's clock. */
  now: number;
}

/** A key as a caller meets it: `key_state` is `expired` where its time is over. */
export function keyLine(row: KeyRow, { successor, defaultRateLimit, now }: Surroundings) {
  const { key_status: status, ...record } = keyRecord(row);
  const isExpired = status === 'active' && row.expiresAt !== null && row.expiresAt <= now;
  return {
    ...record,
    key_state: isExpired ? ('expired' as const) : status,
    limit_in_force: row.rateLimit ?? defaultRateLimit,
    rotated_from_id: row.rotatedFromId,
    rotated_to_id: successor?.id ?? null,
  };
}

export type OwnedKey = Omit<Static<typeof KEY_DETAIL>, 'broker'> & { broker: { slug: string } };

/**
 * Changes what is given. An empty list takes every scope away, null an expiry or a limit of its own. The end of a key that
 * was rotated is never put off.
 */
export const setKey = useCase({
  name: 'keys set',
  role: 'admin',
  action: 'key.set',
  title: 'Edit',
  summary: 'Change a key',
  description: 'Change a key; it takes effect within a second',
  example: 'keys set key_01J0000000000000000000000A --scopes admin:full',
  input: Type.Object({
    ...KEY,
    rate_limit: Type.Optional(RATE_LIMIT),
    expires_date: Type.Optional(EXPIRES),
    // Last: the form begins with a field in which a stray key press changes no right.
    scopes: Type.Optional(SCOPE_LIST),
  }),
  on: ['key_id'],
  argument: 'key_id',
  edit: true,
  path: 'POST /keys/:key_id/update',
  answer: KEY_RECORD.schema,
  done: ({ key_prefix, expires_date: end }: KeyRecord, { isChanged }) => {
    if (!isChanged) return 'Nothing was changed: the key has these values already.';
    return `${key_prefix} was changed. It takes effect within a second.${end === null ? '' : ` It ends ${end}${asDayBegins(end)}.`}`;
  },
  async change(tx, deps: ChangeDeps & KeyDeps, { key_id, scopes, rate_limit, expires_date }, seen) {
    refusePast(deps, expires_date);
    const changes: Partial<KeyRow> = {
      ...(expires_date !== undefined && { expiresAt: expires_date }),
      ...(rate_limit !== undefined && { rateLimit: rate_limit }),
      ...(scopes !== undefined && { scopes: stored(scopes) }),
    };
    const key = await lockKey(tx, key_id);
    refuseStale(seen, keyRecord(key));
    // The default, which the key has already, is no limit of its own.
    if (key.rateLimit === null && rate_limit === deps.defaultRateLimit) delete changes.rateLimit;
    if (key.status === 'revoked') throw refused(`The key ${key.id} is revoked; create a new one`);
    if (changes.expiresAt !== undefined && endOf(changes) > endOf(key)) {
      const successor = await successorOf(tx, key);
      if (successor) throw refused(`The key ${key.id} was rotated: its end cannot be put off; use ${successor.id}`);
    }
    if (isAlready(key, changes)) return { record: keyRecord(key), isChanged: false };
    return updateKey(tx, key, changes);
  },
});

/** A key that shall end now is revoked, which asks first. */
export function refusePast({ clock }: Pick<ChangeDeps, 'clock'>, expiresAt: number | null | undefined): void {
  if (typeof expiresAt === 'number' && expiresAt <= clock.machine()) {
    throw invalid({ field: 'expires_date', message: 'must not have passed' });
  }
}

const endOf = ({ expiresAt }: Partial<Pick<KeyRow, 'expiresAt'>>): number => expiresAt ?? Number.POSITIVE_INFINITY;

const successorOf = async (reads: Pick<Reads, 'keys'>, { id, brokerId }: KeyRow) =>
  (await reads.keys.listSuccessors(brokerId, [id])).at(0);

/** In display order, each once. */
const stored = (scopes: readonly Scope[]): string => JSON.stringify(SCOPES.filter((scope) => scopes.includes(scope)));

/** The same for a day: a key that goes on being used would be asked about again and again. */
const ending = ({ name, key_prefix, broker, last_used_date: date }: OwnedKey): string => {
  const used = date === null ? 'never used' : `last used on ${date.slice(0, '2030-01-31'.length)}`;
  return `The key “${name}” (${key_prefix}) of ${broker.slug}, ${used}, ends for good: its calls are refused within a second.`;
};

/** Ends a key for good; to do so again changes nothing. */
export const revokeKey = useCase({
  name: 'keys revoke',
  role: 'admin',
  action: 'key.revoke',
  title: 'Revoke',
  summary: 'Revoke a key',
  description: 'End a key for good',
  example: 'keys revoke key_01J0000000000000000000000A',
  input: Type.Object(KEY),
  on: ['key_id'],
  argument: 'key_id',
  path: 'POST /keys/:key_id/revoke',
  answer: KEY_RECORD.schema,
  show: showKey.run,
  confirm: ending,
  done: ({ key_prefix }: KeyRecord) => `${key_prefix} was revoked: it is refused from now on.`,
  change: async (tx, _deps: ChangeDeps & KeyDeps, { key_id }) =>
    updateKey(tx, await lockKey(tx, key_id), { status: 'revoked' }),
});

/**
 * Replaces a key by a new one with the same name, mode, scopes, limit and expiry. The old one stays valid for the overlap,
 * but never past its own expiry; 0, as of a leaked key, revokes it. Contract, section 5.
 */
export const rotateKey = useCase({
  name: 'keys rotate',
  role: 'admin',
  action: 'key.rotate',
  title: 'Rotate',
  summary: 'Replace a key',
  description: 'Replace a key by a new one with the same name, scopes, limit and expiry',
  example: 'keys rotate key_01J0000000000000000000000A --reason planned --overlap 7d',
  input: Type.Object({
    ...KEY,
    reason: Type.Optional(
      oneOf(['leaked', 'planned'], {
        title: 'Why',
        description: 'leaked ends the old key at once',
        choices: {
          leaked: 'It leaked: the old key ends at once',
          planned: 'It is planned: the old key stays valid for the overlap',
        },
        inForm: true,
      }),
    ),
    overlap: Type.Optional(
      duration(30 * DAY_MS, {
        title: 'Overlap',
        description:
          'For a planned rotation: how long the old key stays valid, such as 30m or 7d, at most 30d; empty: 24h. Of a leaked key 0',
        inJson:
          'For a planned rotation: how long the old key stays valid, such as 30m or 7d, at most 30d; 24h by default. Of a leaked key 0',
      }),
    ),
  }),
  on: ['key_id'],
  argument: 'key_id',
  path: 'POST /keys/:key_id/rotate',
  answer: ROTATED_KEY,
  secret: 'key',
  show: showKey.run,
  done: (result: NewKeyRecord & { rotated_from: KeyRecord }) => {
    const { key_prefix: old, key_status: status, expires_date: end } = result.rotated_from;
    return `${created(result)} The old key ${old} ${status === 'revoked' ? 'is revoked' : `ends ${end}`}.`;
  },
  confirm: (key, input) => (overlapOf(input) === 0 ? ending(key) : null),
  async change(tx, deps: ChangeDeps & KeyDeps, { key_id, ...input }) {
    const overlap = overlapOf(input);
    const now = deps.clock.machine();
    const old = await lockKey(tx, key_id);
    const successor = await successorOf(tx, old);
    if (successor) throw refused(`The key ${old.id} was rotated already; its successor is ${successor.id}`);
    if (old.status === 'revoked') throw refused(`The key ${old.id} is revoked; create a new one`);
    if (old.expiresAt !== null && old.expiresAt <= now) {
      throw refused(`The key ${old.id} has expired; create a new one`);
    }
    const end: Partial<KeyRow> =
      overlap === 0 ? { status: 'revoked' } : { expiresAt: Math.min(now + overlap, endOf(old)) };
    const { row, key } = await issueKey(tx, deps, { ...old, rotatedFromId: old.id });
    // Both keys have a row; this is the one of the new key.
    await recordChange(deps, tx, {
      action: 'key.rotate',
      ...about(row),
      after: { ...keyRecord(row), rotated_from: old.id },
    });
    const { record: ended, ...outcome } = await updateKey(tx, old, end);
    return {
      ...outcome,
      record: { ...keyRecord(row), key, rotated_from: ended },
      after: { ...ended, rotated_to: row.id },
    };
  },
});

/** Throws an `OperatorError` for a leaked key that is to stay valid. */
function overlapOf({ reason, overlap }: { reason?: string; overlap?: number }): number {
  if (reason !== 'leaked') return overlap ?? DAY_MS;
  if (overlap) throw invalid({ field: 'overlap', message: 'must be empty: a leaked key ends at once' });
  return 0;
}

type NewKey = Pick<KeyRow, 'brokerId' | 'mode' | 'name' | 'scopes' | 'rateLimit' | 'expiresAt' | 'rotatedFromId'>;

/** Writes a new key; its public id is random, and drawn again with the next try where another key has it. */
async function issueKey(
  tx: Tx,
  { clock, newId }: Pick<ChangeDeps, 'clock' | 'newId'>,
  given: NewKey,
): Promise<{ row: KeyRow; key: string }> {
  const secret = newKeyParts(randomBytes);
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
  return { row, key };
}

async function updateKey(tx: Tx, key: KeyRow, changes: Partial<KeyRow>) {
  await tx.keys.update(key.id, changes);
  const after = keyRecord({ ...key, ...changes });
  return { record: after, about: about(key), before: keyRecord(key), after } satisfies ChangeOutcome<KeyRecord>;
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

/** A key without what is secret. */
export type KeyRecord = Static<typeof KEY_RECORD.schema>;

/** A key that was just made: `key` is shown this once. */
export type NewKeyRecord = KeyRecord & { key: string };
