import type { Clock } from '../clock.ts';
import type { NewId } from '../ids.ts';
import type { Mailer, OperationLog, TemplateRenderer } from '../ports.ts';
import type { Store, Tx } from '../store/store.ts';
import { idempotently } from './idempotently.ts';
import type { Claim, Outcome, StoredAnswer } from './outcome.ts';

/** What every operation works with. */
export interface Context {
  store: Store;
  mailer: Mailer;
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
  log: OperationLog;
}

/** What a change has in its hands. */
export interface Change {
  readonly tx: Tx;
  /** The one moment of all that it does, in epoch milliseconds. Fixed when it is first asked for, so ask behind the locks. */
  readonly now: number;
  readonly newId: NewId;
}

/** Does the work in a transaction of its own, and resolves with its result once that is durable. */
export const transact = <T>(
  { store, clock, newId }: Pick<Context, 'store' | 'clock' | 'newId'>,
  work: (change: Change) => Promise<T>,
): Promise<T> =>
  store.tx((tx) => {
    let now: number | undefined;
    return work({
      tx,
      newId,
      // Who waited for a lock comes after whoever held it, in the histories too.
      get now() {
        now ??= clock.now();
        return now;
      },
    });
  });

/** The same under the caller's idempotency key, where there is one. */
export const transactOnce = <T>(
  context: Pick<Context, 'store' | 'clock' | 'newId'>,
  claim: Claim | undefined,
  work: (change: Change) => Promise<Outcome<T>>,
): Promise<Outcome<T> | StoredAnswer> =>
  transact(context, (change) => idempotently(change.tx, claim, context.clock.now(), () => work(change)));
