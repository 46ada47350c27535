import { isoMoment } from '../rules/moments.ts';
import type { OPEN_STATUSES } from '../rules/request-states.ts';
import type { OperatorParts } from './parts.ts';

/** What waits: for a broker's decision, for the operator's review, in the worker's queue; and mails to look into. */
export async function getStatus({ store, clock }: Pick<OperatorParts, 'store' | 'clock'>) {
  const [tally, unknown] = await Promise.all([
    store.read.requests.tally(),
    store.read.emails.countUnknown(clock.now()),
  ]);
  const waiting = (status: (typeof OPEN_STATUSES)[number]) => {
    const row = tally.find((entry) => entry.status === status);
    return { total: row?.total ?? 0, oldest_submitted_date: row?.oldestAt ? isoMoment(row.oldestAt) : null };
  };
  return {
    pending_decisions: waiting('pending'),
    operator_reviews: waiting('operator_review'),
    queue: waiting('accepted'),
    unknown_emails: unknown,
  };
}
