import { FINISHED_RELEASE, isFinished, isOlder, OLDEST_RELEASE_SETTING } from '../../store/queries/update-state.ts';
import { AWAY_AFTER_MS, listWorkers } from '../../worker/registry.ts';
import { type ChangeDeps, type ReadDeps, recordChange } from '../use-case/dependencies.ts';

/** Until 1.3: what this release leaves out while 1.1 may use the database (contract, section 14). */
const WAITING_FOR_1_2 = ['the configuration of plan changes', 'values that a new plan has no option for, kept apart'];

/** The oldest release that may use the database, what waits for `broker migrate --finish`, and who stands in the way. */
export async function showUpdate({ store, clock }: ReadDeps) {
  const { read } = store;
  const oldest = await read.settings.find(OLDEST_RELEASE_SETTING);
  const now = clock.now();
  const former = (await listWorkers(read)).filter(
    ({ version, seenAt }) => isOlder(version, FINISHED_RELEASE) && now - seenAt <= AWAY_AFTER_MS,
  );
  return {
    oldest_release: oldest,
    waits_for_finish: (await isFinished(read)) ? [] : WAITING_FOR_1_2,
    /** Workers of a release before that were seen lately. */
    former_workers: former.map(({ version, host, pid }) => ({ version, host, pid })),
  };
}

export type Update = Awaited<ReturnType<typeof showUpdate>>;

/** What the end of the update does, as the question says it. */
export function describeFinish({ former_workers: former }: Update): string {
  const beside = former.map(({ version, host, pid }) => `${version} on ${host} (process ${pid})`).join(', ');
  return (
    `No release before ${FINISHED_RELEASE} can use this database any more: stop every server, worker and command of one first.` +
    (former.length === 0 ? '' : ` Workers of one were seen within a minute: ${beside}.`)
  );
}

/**
 * Finishes the update: from now on this release writes what those before it cannot read. It cannot be taken back. One that is
 * finished stays so.
 */
export const finishUpdate = (deps: ChangeDeps): Promise<void> =>
  deps.store.tx(async (tx) => {
    const before = await tx.settings.find(OLDEST_RELEASE_SETTING);
    if (await isFinished(tx)) return;
    await tx.settings.put({ name: OLDEST_RELEASE_SETTING, value: FINISHED_RELEASE });
    await recordChange(deps, tx, {
      action: 'database.finish_update',
      brokerId: null,
      subject: 'database',
      before: { oldest_release: before },
      after: { oldest_release: FINISHED_RELEASE },
    });
  });
