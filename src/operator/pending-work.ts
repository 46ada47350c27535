import { isoTimestamp, timestamp } from '../rules/timestamps.ts';
import type { OpenStatus } from '../rules/words.ts';
import { overdueSeconds } from '../store/requests.ts';
import { OPERATOR } from '../store/slow-queries.ts';
import type { Store } from '../store/store.ts';
import { AWAY_AFTER_MS, listWorkers } from '../worker/registry.ts';
import type { ReadDeps } from './dependencies.ts';
import { findBackup } from './system.ts';
import { showUpdate } from './update.ts';

/** Plans that the status names; once these are renamed, it names the next ones. */
const MAX_SHARED_NAMES = 100;

/** Services that the status names. */
const MAX_FAILED_CLEAN_UPS = 100;

/** What waits for an operator, in figures that cost one query each: every page shows them. */
export async function countPendingWork({ store, clock }: ReadDeps) {
  const [reviews, unknownEmails] = await Promise.all([
    store.read.overview.countRequests({ status: 'operator_review' }),
    store.read.emails.countMatches({ status: 'unknown', now: clock.now() }),
  ]);
  return { reviews, unknown_emails: unknownEmails };
}

export type Waiting = Awaited<ReturnType<typeof countPendingWork>>;

/**
 * What waits: for a broker's decision, for the operator's review, in the worker's queue; mails to look into; the workers
 * that are running, the last copy that `broker backup` made, and the state of the clock; how many brokers have a sandbox;
 * active templates that count as not active, and active plans whose display name is the slug of another one.
 * Also services that stay pending, for the clean-up after their creation failed, and what waits for the end of an update.
 * @param sandboxes their database, where there is one
 */
export async function getStatus({ store, clock }: ReadDeps, sandboxes?: Store) {
  const now = clock.now();
  const { tally, unknown, shared, failedCleanUps } = await store.slow(OPERATOR, async (read) => ({
    shared: await read.allPlans.listSharedNames(MAX_SHARED_NAMES),
    tally: await read.requests.tally(),
    failedCleanUps: await read.overview.listFailedCleanUps(MAX_FAILED_CLEAN_UPS),
    unknown: await read.emails.countMatches({ status: 'unknown', now }),
  }));
  const waiting = (status: OpenStatus) => {
    const row = tally.find((entry) => entry.status === status);
    return { total: row?.total ?? 0, oldest_submitted_date: row?.oldestAt ? isoTimestamp(row.oldestAt) : null };
  };
  return {
    pending_decisions: waiting('pending'),
    operator_reviews: waiting('operator_review'),
    queue: { ...waiting('accepted'), overdue_seconds: overdueSeconds(tally, now) },
    unknown_emails: unknown,
    failed_clean_ups: failedCleanUps,
    ...(await updateOf({ store, clock })),
    workers: (await listWorkers(store.read)).filter(({ seenAt }) => now - seenAt <= AWAY_AFTER_MS).length,
    last_backup_date: timestamp((await findBackup(store.read))?.at ?? null),
    clock: clock.state(),
    sandboxes: sandboxes ? await sandboxes.read.sandboxes.count() : 0,
    shared_plan_names: shared.map(({ broker, slug, displayName, other }) => ({
      broker,
      plan: slug,
      display_name: displayName,
      is_slug_of: other,
    })),
  };
}

async function updateOf(deps: ReadDeps) {
  const { oldest_release, waits_for_finish } = await showUpdate(deps);
  return { oldest_release, waits_for_finish };
}
