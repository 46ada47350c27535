import { Type } from '@sinclair/typebox';
import { Id, MAX_INT32, Nullable, OneOf, ServiceNumber, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { findReplaced } from '../../lifecycle/replaced.ts';
import { operatorOwner } from '../../limits/operator-slot.ts';
import { findLastComparison, type LastComparison } from '../../machines/last-comparison.ts';
import { isoTimestamp, isoTimestampOrNull } from '../../rules/timestamps.ts';
import type { OpenStatus } from '../../rules/words.ts';
import { VERSION } from '../../runtime/version.ts';
import { overdueSeconds } from '../../store/queries/requests.ts';
import { AWAY_AFTER_MS, listWorkers } from '../../worker/registry.ts';
import type { OperatorContext, ReadDeps } from '../use-case/dependencies.ts';
import { answerSchema } from '../use-case/record.ts';
import { type UseCaseDeps, useCase } from '../use-case/use-case.ts';
import { listFailingBrokers } from './overview.ts';
import { PROVISIONER, showProvisioner } from './provisioner.ts';
import { RECORDS, showRecords } from './records.ts';
import { findBackup } from './system.ts';
import { showUpdate } from './update.ts';

/** Plans that the status names; once these are renamed, it names the next ones. */
const MAX_SHARED_NAMES = 100;

/** Services that the status names. */
const MAX_FAILED_CLEAN_UPS = 100;

/**
 * The provisioner's state, and what waits: for a broker's decision, for the operator's review, in the worker's queue; mails to look into; the workers
 * that are running, the last copy that `broker backup` made, and the state of the clock; how many brokers have a sandbox;
 * active plans whose display name is the slug of another one; services that stay pending, for the clean-up after their
 * creation failed; and what waits for the end of an update.
 */
export async function getStatus(
  { store, clock, hasProvisioner }: ReadDeps & Pick<OperatorContext, 'hasProvisioner'>,
  countSandboxes = async () => 0,
) {
  const now = clock.now();
  const { provisioner, records, tally, unknown, shared, failedCleanUps } = await store.slow(
    operatorOwner(),
    async (read) => ({
      shared: await read.allPlans.listSharedNames(MAX_SHARED_NAMES),
      tally: await read.requests.tally(),
      failedCleanUps: await read.allRequests.listFailedCleanUps(MAX_FAILED_CLEAN_UPS),
      unknown: await read.emails.countMatches({ status: 'unknown', now }),
      provisioner: await showProvisioner({ clock, hasProvisioner }, read),
      records: await showRecords(read),
    }),
  );
  const waiting = (status: OpenStatus) => {
    const row = tally.find((entry) => entry.status === status);
    return { total: row?.total ?? 0, oldest_submitted_date: row?.oldestAt ? isoTimestamp(row.oldestAt) : null };
  };
  return {
    provisioner,
    records,
    pending_decisions: waiting('pending'),
    operator_reviews: waiting('operator_review'),
    queue: { ...waiting('accepted'), overdue_seconds: overdueSeconds(tally, now) },
    unknown_emails: unknown,
    failed_clean_ups: failedCleanUps,
    ...(await updateOf({ store, clock })),
    workers: (await listWorkers(store.read)).filter(({ seenAt }) => now - seenAt <= AWAY_AFTER_MS).length,
    last_backup_date: isoTimestampOrNull((await findBackup(store.read))?.at ?? null),
    machine_differences: differencesOf(await findLastComparison(store.read)),
    records_are_old: isoTimestampOrNull((await findReplaced(store.read))?.at ?? null),
    clock: clock.state(),
    sandboxes: await countSandboxes(),
    shared_plan_names: shared.map(({ broker, slug, displayName, other }) => ({
      broker,
      plan: slug,
      display_name: displayName,
      is_slug_of: other,
    })),
  };
}

/** Null where there are none, or they were accepted. */
function differencesOf(last: LastComparison | null) {
  if (!last || last.isAccepted || last.outcome === 'no_answer') return null;
  const { outcome, total, at } = last;
  return total === 0 && outcome === 'compared' ? null : { outcome, total, compared_date: isoTimestamp(at) };
}

async function updateOf(deps: ReadDeps) {
  const { oldest_release, waits_for_finish } = await showUpdate(deps);
  return { oldest_release, waits_for_finish };
}

const COUNT = (description: string) => Whole(0, MAX_INT32, description);
const WAITING = {
  total: COUNT('How many wait'),
  oldest_submitted_date: Nullable(Timestamp('Since when the oldest of them waits.')),
};

/** What waits, what fails, and which version this is. */
export const showStatus = useCase({
  name: 'status',
  title: 'Status',
  summary: 'Read what waits',
  description: 'Show what waits: decisions, reviews, the queue, unclear emails',
  example: 'status',
  input: Type.Object({}),
  path: 'GET /status',
  answer: answerSchema('Status', {
    provisioner: PROVISIONER,
    records: RECORDS,
    pending_decisions: Type.Object(WAITING, { description: 'Requests that wait for a broker' }),
    operator_reviews: Type.Object(WAITING, { description: 'Requests that wait for the operator' }),
    queue: Type.Object(
      { ...WAITING, overdue_seconds: COUNT('By how much the oldest is late') },
      { description: 'Requests that wait for the worker' },
    ),
    unknown_emails: COUNT('Emails of unknown outcome'),
    failed_clean_ups: Type.Array(
      Type.Object({
        broker: Shown(64, 'The broker’s slug'),
        service_number: ServiceNumber,
        request_id: Id('req', 'The request whose clean-up failed'),
      }),
      { description: 'Services that stay pending, for the clean-up after their creation failed' },
    ),
    oldest_release: Nullable(Shown(32, 'The oldest release that may use the database')),
    waits_for_finish: Type.Array(Shown(200), { description: 'What waits for the end of the update' }),
    workers: COUNT('Workers that were seen lately'),
    last_backup_date: Nullable(Timestamp('The last copy that broker backup made.')),
    machine_differences: Nullable(
      Type.Object({
        outcome: OneOf(['compared', 'not_known'], {
          description: '`not_known`: the provisioner cannot list its machines, so nothing was compared',
        }),
        total: COUNT('How many differences were found'),
        compared_date: Timestamp('When.'),
      }),
      { description: 'What the last comparison with the machines found; null: nothing, or it was accepted' },
    ),
    records_are_old: Nullable(
      Timestamp('Since when nothing is done: the provisioner works for another installation, with later records.'),
    ),
    clock: OneOf(['steady', 'differs', 'jumped', 'behind'], { description: 'The state of the clock' }),
    sandboxes: COUNT('Brokers with a sandbox'),
    shared_plan_names: Type.Array(
      Type.Object({
        broker: Shown(64, 'The broker’s slug'),
        plan: Shown(128, 'A plan’s slug'),
        display_name: Shown(128, 'Its display name'),
        is_slug_of: Shown(128, 'The plan that has it as slug'),
      }),
      { maxItems: MAX_SHARED_NAMES },
    ),
    failing_brokers: Type.Array(
      Type.Object({
        broker: Shown(64, 'The broker’s slug'),
        key_prefix: Shown(16, 'The key with most of the failures'),
        calls: COUNT('Its calls since then'),
        failed: COUNT('Of these, failed ones'),
        code: Shown(64, 'The error of most of them'),
        gate: Shown(64, 'What refused most of them'),
        since_date: Timestamp('Since when they fail.'),
        last_change: Nullable(Shown(500, 'The last change of what decides whether its calls are admitted')),
      }),
    ),
    version: Shown(32, 'Of this program', { examples: ['1.1.0'] }),
  }),
  run: async (deps: Pick<UseCaseDeps, 'store' | 'clock' | 'hasProvisioner' | 'countSandboxes'>) => ({
    ...(await getStatus(deps, deps.countSandboxes)),
    failing_brokers: await listFailingBrokers(deps),
    version: VERSION,
  }),
});
