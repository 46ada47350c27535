import type { ReadDeps } from '../use-case/dependencies.ts';

/** What waits for an operator, in figures that cost one query each: every page shows them. */
export async function countPendingWork({ store, clock }: ReadDeps) {
  const [reviews, unknownEmails] = await Promise.all([
    store.read.allRequests.count({ status: 'operator_review' }),
    store.read.emails.countMatches({ status: 'unknown', now: clock.now() }),
  ]);
  return { reviews, unknown_emails: unknownEmails };
}

export type Waiting = Awaited<ReturnType<typeof countPendingWork>>;
