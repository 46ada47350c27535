import t from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { getStatus } from '../../../src/operator/system/status.ts';
import { describeFinish, finishUpdate, showUpdate } from '../../../src/operator/system/update.ts';
import { isFinished, OLDEST_RELEASE_SETTING } from '../../../src/store/queries/update-state.ts';
import { createOperatorContext } from '../../support/operator-context.ts';

/** The end of the update from the release before (contract, sections 12.9 and 14). */

t.test('a new database is finished from the start', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  t.match(await getStatus(context), { oldest_release: '1.2.0', waits_for_finish: [] });
  await finishUpdate(context);
  t.strictSame(await listAudit(context), [], 'there was nothing to finish');
});

t.test('the update ends once, by hand, and who still runs the release before is named', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const { store, clock } = context;
  const now = clock.now();
  const beat = (id: string, version: string, seenAt: number) => ({
    name: `worker ${id}`,
    value: JSON.stringify({ id, version, host: 'old-host', pid: 7, startedAt: now, seenAt }),
  });
  await store.tx(async (tx) => {
    await tx.settings.put({ name: OLDEST_RELEASE_SETTING, value: '1.1.0' });
    await tx.settings.put(beat('a', '1.1.0', now));
    await tx.settings.put(beat('b', '1.2.0', now));
    await tx.settings.put(beat('c', '1.1.0', now - 3_600_000));
  });
  const update = await showUpdate(context);
  t.match(update, { oldest_release: '1.1.0', former_workers: [{ version: '1.1.0', host: 'old-host', pid: 7 }] });
  t.equal(update.former_workers.length, 1, 'one that was not seen for an hour does not run');
  t.match(describeFinish(update), /No release before 1\.2\.0 .* 1\.1\.0 on old-host \(process 7\)/);
  t.ok((await getStatus(context)).waits_for_finish.includes('the configuration of plan changes'));

  await finishUpdate(context);
  t.equal(await isFinished(store.read), true);
  t.strictSame((await showUpdate(context)).waits_for_finish, []);
  t.match(await listAudit(context, { limit: 1 }), [
    {
      action: 'database.finish_update',
      subject: 'database',
      actor: 'ada',
      before: { oldest_release: '1.1.0' },
      after: { oldest_release: '1.2.0' },
    },
  ]);
});
