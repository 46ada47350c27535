import type { Actor } from '../audit/audit.ts';
import { ApiError } from '../errors.ts';
import type { SlotOwner } from '../limits/slot-queue.ts';
import type { Context } from '../ports.ts';
import type { Pagination } from '../records.ts';
import type { Scope } from '../rules/scopes.ts';
import { type Change, type ChangeParts, transact } from '../store/change.ts';
import type { BrokerRow } from '../store/queries/brokers.ts';
import { ABANDONED_AFTER_MS } from '../store/queries/emails.ts';
import type { IdempotencyName } from '../store/queries/idempotency.ts';
import type { Tx } from '../store/store.ts';

/** The result of an operation, before it is put into the envelope. */
export interface Outcome<T> {
  statusCode: 200 | 201 | 202;
  data: T;
  message?: string;
  pagination?: Pagination & { history?: string };
}

/** An answer as it was first sent for an idempotency key, byte for byte. */
export interface StoredAnswer {
  statusCode: number;
  body: string;
  /** Whether an earlier call made the change. */
  replayed: boolean;
}

/** One page of a list. */
export interface ListOutcome<T> extends Outcome<T[]> {
  pagination: Pagination & { history?: string };
  /** For a list of changes: where a reader's next round may begin, less a minute; epoch milliseconds. */
  serverDate?: number | undefined;
}

export const ok = <const T>(data: T): Outcome<T> => ({ statusCode: 200, data });

/** A caller's idempotency key. */
export interface Claim {
  name: IdempotencyName;
  /** Hash of operation, path values and body. */
  fingerprint: string;
  /** `compare`: other input under the same key is refused. `replay`: it gets the first answer, marked as such. */
  onOtherInput: 'compare' | 'replay';
  keepForMs: number | null;
  encode: Encode;
}

/** Serializes the answer. */
export type Encode = (outcome: Outcome<unknown>) => string;

/**
 * What a broker's call does: one operation of v1.
 * @param claim the caller's idempotency key, where one was sent to an operation that takes it
 */
export type Operation<Input, Answer> = (
  context: Context,
  caller: MailingCaller,
  input: Input,
  claim?: Claim,
) => Promise<Answer>;

/** Runs an operation for a caller; what else it takes is known to the request. */
export type Perform = <Input, Answer extends Outcome<unknown> | StoredAnswer>(
  operation: Operation<Input, Answer>,
  input: Input,
) => Promise<Answer>;

/** Every query for a broker's records takes its id from here. */
export interface Caller {
  readonly brokerId: string;
  /** Whether the connection is closed: then waiting work is not started. */
  readonly isDisconnected?: (() => boolean) | undefined;
  /** For the audit trail. */
  readonly actor?: Actor;
  /** What its key may do; everything where there is no key. */
  readonly scopes?: readonly Scope[];
}

/** For whom a caller's jobs wait: those of a broker share its slots. */
export const slotOwner = ({ brokerId, isDisconnected }: Caller): SlotOwner => ({ key: brokerId, isDisconnected });

/** A caller with the broker's fields for mails. */
export interface MailingCaller extends Caller {
  readonly broker: Pick<BrokerRow, 'name' | 'contactEmail' | 'senderEmail'>;
}

const UNNAMED: Actor = { kind: 'api_key', name: 'unknown', clientIp: null };

/** The caller's actor in the audit trail; only calls that pass no gate have none. */
export const actorOf = ({ actor = UNNAMED }: Caller): Actor => actor;

/** The same under the caller's idempotency key, if there is one. */
export const transactOnce = <T>(
  parts: ChangeParts,
  claim: Claim | undefined,
  work: (change: Change) => Promise<Outcome<T>>,
): Promise<Outcome<T> | StoredAnswer> =>
  transact(parts, (change) => idempotently(change.tx, claim, parts.clock.now(), () => work(change)));

/**
 * Does the work at most once for an idempotency key (contract, section 7). The claim, the work and the stored answer are
 * one transaction: a crash or a failure leaves nothing behind. A concurrent equal call waits and then replays.
 *
 * Throws `already_processed` with `idempotency_key_reused` when the key was used for other input.
 */
export async function idempotently<T>(
  tx: Tx,
  claim: Claim | undefined,
  now: number,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T> | StoredAnswer> {
  if (!claim) return work();
  const key = keyOf(claim, now);
  const first = await tx.idempotency.claim(key);
  if (first) return replay(first, claim);

  const outcome = await work();
  const answer = { statusCode: outcome.statusCode, body: claim.encode(outcome) };
  await tx.idempotency.complete(key, answer);
  return { replayed: false, ...answer };
}

const keyOf = ({ name, fingerprint, keepForMs }: Claim, now: number) => ({
  ...name,
  fingerprint,
  createdAt: now,
  expiresAt: keepForMs === null ? null : now + keepForMs,
});

/** The status of a key whose work has begun and has no outcome yet; its body is empty. */
const BEGUN = 0;
/** The status of one of which it is not known whether its work was done. */
const UNKNOWN = 500;

/** A key whose work has begun or was done. */
export type Taken = StoredAnswer | 'begun' | 'unknown';

/**
 * What an earlier call made of the key of an email, which no transaction can hold (contract, section 7); null where the
 * key is free. Work that has begun long ago was left by a crash, as its line in the email log was.
 *
 * Throws `already_processed` with `idempotency_key_reused` when the key was used for other input.
 */
export async function findTaken(tx: Tx, claim: Claim, now: number): Promise<Taken | null> {
  const first = await tx.idempotency.claim(keyOf(claim, now));
  if (!first) return null;
  if (first.body !== '' || first.fingerprint !== claim.fingerprint) return replay(first, claim);
  return first.statusCode === BEGUN && now - first.createdAt <= ABANDONED_AFTER_MS ? 'begun' : 'unknown';
}

/** Takes a key that `findTaken` found free, in the same transaction. */
export const takeKey = (tx: Tx, claim: Claim, now: number): Promise<void> =>
  tx.idempotency.complete(keyOf(claim, now), { statusCode: BEGUN, body: '' });

/**
 * Stores what became of a key that was taken: its answer, or that it is not known. Where nothing was done the key is free
 * again.
 */
export async function settleKey(tx: Tx, claim: Claim, outcome: StoredAnswer | 'not_done' | 'unknown'): Promise<void> {
  const key = { ...claim.name, fingerprint: claim.fingerprint };
  if (outcome === 'not_done') await tx.idempotency.free(key);
  else if (outcome === 'unknown') await tx.idempotency.settle(key, { statusCode: UNKNOWN, body: '' });
  else await tx.idempotency.settle(key, { statusCode: outcome.statusCode, body: outcome.body });
}

function replay(first: { statusCode: number; body: string; fingerprint: string }, claim: Claim): StoredAnswer {
  const { statusCode, body } = first;
  if (first.fingerprint === claim.fingerprint) return { statusCode, body, replayed: true };
  if (claim.onOtherInput === 'compare') {
    throw new ApiError('already_processed', 'The idempotency key was used for a different request', {
      gate: 'idempotency',
      details: { reason: 'idempotency_key_reused' },
    });
  }
  const message = 'This idempotency key was used before: its first answer is repeated and the new body was ignored';
  return { statusCode, body: JSON.stringify({ ...JSON.parse(body), message }), replayed: true };
}
