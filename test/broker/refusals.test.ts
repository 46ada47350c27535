import { join } from 'node:path';
import t from 'tap';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { addRequest } from '../support/v1.ts';
import { createWorld } from '../support/world.ts';

const MONTH_MS = 31 * 86_400_000;

t.test('whatever refuses a broker’s call on SQLite, it has changed nothing: no work runs twice for it', async (t) => {
  const runs = { asked: 0, made: 0 };
  // The recorder of calls writes by a timer: what it has asked for may not have run when a call is answered.
  const underWay = new Set<Promise<void>>();
  const world = await createWorld({
    openStore: async (clock) => {
      // The broker's own view of the store (`for`) would not be counted.
      const { for: _, ...store }: Store = await openSqlite({
        file: join(t.testdir(), 'broker.db'),
        monotonic: clock.monotonic,
      });
      return {
        ...store,
        // In the same turn, and in front: run again where what comes behind it has to be undone.
        async tx(work) {
          runs.asked += 1;
          const beside = store.tx(async () => {
            runs.made += 1;
          });
          underWay.add(beside);
          const [done] = await Promise.allSettled([store.tx(work), beside]);
          if (done.status === 'rejected') throw done.reason;
          return done.value;
        },
      };
    },
  });
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const low = await world.addPlan(broker, { slug: 'low', upgradeRank: 1 });
  const top = await world.addPlan(broker, { slug: 'top', upgradeRank: 3 });
  await world.addPlan(broker, { slug: 'hourly', upgradeRank: 9, billingType: 'hourly' });
  const plans = { currentPlanId: low.id, newPlanId: top.id };
  const free = await world.addService(broker, low);
  const ended = await world.addService(broker, low, { status: 'cancelled' });
  const changing = await world.addService(broker, low);
  const change = await addRequest(world, changing, { type: 'plan-upgrade', status: 'accepted', ...plans });
  const leaving = await world.addService(broker, low);
  const scheduled = { type: 'cancellation', status: 'accepted', cancellationType: 'end_of_term' } as const;
  const cancellation = await addRequest(world, leaving, scheduled);
  const overtaken = await addRequest(world, ended, { type: 'plan-upgrade', ...plans });
  const denied = await addRequest(world, free, { type: 'plan-upgrade', status: 'denied', ...plans });

  const refusals: Array<[path: string, body: object]> = [
    ...[5, ended.number, changing.number, leaving.number].flatMap(
      (number): Array<[string, object]> => [
        [`/services/${number}/upgrade`, { new_plan: 'top' }],
        [`/services/${number}/downgrade`, { new_plan: 'low' }],
      ],
    ),
    ...['none', 'low', 'hourly'].map((plan): [string, object] => [
      `/services/${free.number}/upgrade`,
      { new_plan: plan },
    ]),
    ...[5, ended.number, leaving.number].map((number): [string, object] => [`/services/${number}/cancel`, {}]),
    ...[5, ended.number].map((number): [string, object] => [`/services/${number}/update`, { label: 'new' }]),
    ['/services', { plan: 'none', client: { name: 'Ada', email: 'ada@example.com' } }],
    ...['req_none', denied.id, change.id, overtaken.id].map((id): [string, object] => [`/requests/${id}/approve`, {}]),
    ...['req_none', denied.id, cancellation.id].map((id): [string, object] => [
      `/requests/${id}/deny`,
      { reason: 'no' },
    ]),
    ...['req_none', denied.id].map((id): [string, object] => [`/requests/${id}/withdraw`, {}]),
  ];
  const refuse = async (path: string, body: object, idempotencyKey: string) => {
    const { status, raw } = await world.call(key, 'POST', path, {
      body,
      headers: { 'x-idempotency-key': idempotencyKey },
    });
    t.ok(status >= 400 && status < 500, `${path} ${JSON.stringify(body)} is refused: ${raw}`);
    await Promise.all(underWay);
    t.equal(runs.made, runs.asked, `${path} ${JSON.stringify(body)} undoes nothing: ${raw}`);
  };
  for (const [path, body] of refusals) await refuse(path, body, 'never-used');

  const used = await world.call(key, 'POST', `/services/${free.number}/update`, {
    body: { label: 'first' },
    headers: { 'x-idempotency-key': 'used' },
  });
  t.equal(used.status, 200);
  world.clock.advance(MONTH_MS);
  await refuse(`/services/${free.number}/upgrade`, { new_plan: 'none' }, 'used');
});
