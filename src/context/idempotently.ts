import { ApiError } from '../errors.ts';
import type { Tx } from '../store/store.ts';
import type { Claim, Outcome, StoredAnswer } from './outcome.ts';

/**
 * Does the work at most once for an idempotency key (contract, section 7). The claim, the work and the stored
 * answer are one transaction: after a crash either all of them are there or none, and a failure leaves no
 * trace. A concurrent equal call waits for the claim and then replays.
 *
 * Throws `already_processed` with `idempotency_key_reused` when the key was used for other input.
 */
export async function idempotently<L, T>(
  tx: Tx,
  claim: Claim | undefined,
  now: number,
  { look, work }: OnceWork<L, T>,
): Promise<Outcome<T> | StoredAnswer> {
  if (!claim) return work(await look());
  const key = {
    ...claim.name,
    fingerprint: claim.fingerprint,
    createdAt: now,
    expiresAt: claim.keepForMs === null ? null : now + claim.keepForMs,
  };
  const [claimed, looked] = await Promise.allSettled([tx.idempotency.claim(key), look()]);
  if (claimed.status === 'rejected') throw claimed.reason;
  // What the store could not do may have undone the transaction; what the rules say now is nothing to a replay.
  if (looked.status === 'rejected' && !(looked.reason instanceof ApiError)) throw looked.reason;
  if (claimed.value) return replay(claimed.value, claim);
  if (looked.status === 'rejected') throw looked.reason;

  const outcome = await work(looked.value);
  const answer = { statusCode: outcome.statusCode, body: claim.encode(outcome) };
  await tx.idempotency.complete(key, answer);
  return { replayed: false, ...answer };
}

interface OnceWork<L, T> {
  /** What the work needs to know. Changes nothing, and is asked for along with the key, so that both cost one wait. */
  look(): Promise<L>;
  work(found: L): Promise<Outcome<T>>;
}

function replay(first: { statusCode: number; body: string; fingerprint: string }, claim: Claim): StoredAnswer {
  const { statusCode, body } = first;
  if (first.fingerprint === claim.fingerprint) return { statusCode, body, replayed: true };
  if (claim.onOtherInput === 'compare') {
    throw new ApiError('already_processed', 'The idempotency key was used for a different request', {
      details: { reason: 'idempotency_key_reused' },
    });
  }
  const message = 'This idempotency key was used before: its first answer is repeated and the new body was ignored';
  return { statusCode, body: JSON.stringify({ ...JSON.parse(body), message }), replayed: true };
}
