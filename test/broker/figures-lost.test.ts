import t from 'tap';
import { showBill, showUsage } from '../../src/operator/calls/usage.ts';
import { BUCKETS } from '../../src/rules/histograms.ts';
import { aLoss, T0 } from '../support/rows.ts';
import { createWorld } from '../support/world.ts';

const HOUR_MS = 3_600_000;

t.test('figures whose span touches a loss say so, and no others', async (t) => {
  const world = await createWorld({ startMs: T0 + 2 * HOUR_MS });
  t.teardown(() => world.close());
  const { store, context, mailer } = world;
  const broker = await world.addBroker();
  const { key, row } = await world.addKey(broker);
  const plan = await world.addPlan(broker);
  const [one, other] = [await world.addService(broker, plan), await world.addService(broker, plan)];
  const loss = aLoss({ lostFrom: T0 + 60_000, lostUntil: T0 + 120_000 });
  const measured = { brokerId: broker.id, diskGbUsed: '1', transferGbUsed: '1', measuredAt: T0 + HOUR_MS };
  await store.tx(async (tx) => {
    const calls = { brokerId: broker.id, keyId: row.id, operation: 'getService', outcome: 'ok', gate: 9, calls: 1 };
    const durations = Array.from({ length: BUCKETS }, () => 0);
    for (const fromAt of [T0, T0 + HOUR_MS]) await tx.usage.count([{ ...calls, fromAt, durations }]);
    await tx.consumption.upsert([
      { ...measured, serviceNumber: one.number, periodFrom: T0 },
      { ...measured, serviceNumber: other.number, periodFrom: T0 + HOUR_MS / 2 },
    ]);
  });
  const marks = (records: readonly object[]) =>
    records.map((record) => (record as { records_lost?: true }).records_lost);
  const read = async (path: string) => marks((await world.call(key, 'GET', path)).json.data);
  const report = async (body: object) =>
    (await world.call(key, 'POST', '/reports/services', { body })).json.data.records_lost;
  const operator = { ...context, defaultRateLimit: 120 };
  t.strictSame(await read('/consumption'), [undefined, undefined], 'without a loss');
  await store.tx((tx) => tx.history.insert(loss));

  t.strictSame(await read('/consumption'), [true, undefined]);
  t.strictSame(await read('/usage?span=hour'), [undefined, true], 'newest first');
  t.equal(await report({}), true);
  t.match(mailer.sent.at(-1)?.text, /Records of this period were lost/);
  t.equal(await report({ period_from: new Date(T0 + HOUR_MS).toISOString() }), undefined);
  t.notMatch(mailer.sent.at(-1)?.text, /were lost/);
  const { records: lines } = await showBill.run(operator, { month: new Date(T0).toISOString().slice(0, 7) });
  t.strictSame(marks(lines), [true, true], 'a key and the total of its broker');
  const { records: hours } = await showUsage.run(operator, { by: 'hour', since: '6h' });
  t.strictSame(marks(hours), [undefined, true]);
});
