import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { NewId } from '../ids.ts';
import type { Mailer, OperationLog, TemplateRenderer } from '../ports.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Claim, Outcome, StoredAnswer } from './outcome.ts';

/** The dependencies of every operation. */
export interface Context {
  store: Store;
  mailer: Mailer;
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
  log: OperationLog;
  /** Cancellation warnings that one service gets at most in 24 hours; none or 0: no limit (contract, section 6). */
  warningsPerService?: number | undefined;
}

export interface Change {
  readonly tx: Tx;
  /** The time of the change in epoch milliseconds, fixed at its first use: use it after taking locks. */
  readonly now: number;
  readonly newId: NewId;
}

/** Runs the work in its own transaction; resolves with its result once that is durable. */
export const transact = <T>(
  { store, clock, newId }: Pick<Context, 'store' | 'clock' | 'newId'>,
  work: (change: Change) => Promise<T>,
): Promise<T> =>
  store.tx((tx) => {
    let now: number | undefined;
    return work({
      tx,
      newId,
      // Read after a lock was waited for, so that histories have the order of the changes.
      get now() {
        now ??= clock.now();
        return now;
      },
    });
  });

/** The same under the caller's idempotency key, if there is one. */
export const transactOnce = <T>(
  context: Pick<Context, 'store' | 'clock' | 'newId'>,
  claim: Claim | undefined,
  work: (change: Change) => Promise<Outcome<T>>,
): Promise<Outcome<T> | StoredAnswer> =>
  transact(context, (change) => idempotently(change.tx, claim, context.clock.now(), () => work(change)));

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
