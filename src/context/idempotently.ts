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
export async function idempotently<T>(
  tx: Tx,
  claim: Claim | undefined,
  now: number,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T> | StoredAnswer> {
  if (!claim) return work();
  const key = {
    ...claim.name,
    fingerprint: claim.fingerprint,
    createdAt: now,
    expiresAt: claim.keepForMs === null ? null : now + claim.keepForMs,
  };
  const first = await tx.idempotency.claim(key);
  if (first) return replay(first, claim);

  const outcome = await work();
  const answer = { statusCode: outcome.statusCode, body: claim.encode(outcome) };
  await tx.idempotency.complete(key, answer);
  return { replayed: false, ...answer };
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
