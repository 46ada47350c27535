import type { Test } from 'tap';
import { BUCKETS } from '../../../src/rules/histograms.ts';
import { createIds } from '../../../src/runtime/ids.ts';
import type { UsageDimension, UsageRow } from '../../../src/store/queries/usage.ts';
import type { Store } from '../../../src/store/store.ts';
import { aBroker, aCall, aKey, anAuditRow, aUsageRow, next, T0 } from '../../support/rows.ts';
import { atOnce, type Opened } from '../contract.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** The beginning of a day. */
const D0 = T0 - (T0 % DAY);

const usageOf = (brokerId: string, fields: Partial<UsageRow> = {}) => aUsageRow(brokerId, D0, fields);

/** Usage, calls, and the trail of changes. */
export async function trafficContract(t: Test, opened: Opened): Promise<void> {
  const { store } = opened;
  const newBroker = () => `brk_traffic_${next()}`;
  const sums = (brokerId: string, grain: 'minute' | 'hour' | 'day', by: UsageDimension[] = ['fromAt']) =>
    store.read.usage.tally({ grain, since: 0, brokerId }, by, 1000);
  const totals = async (brokerId: string) => {
    const all: number[] = [];
    for (const grain of ['minute', 'hour', 'day'] as const) {
      all.push((await sums(brokerId, grain, ['brokerId']))[0]?.calls ?? 0);
    }
    return all;
  };
  await t.test('what several processes count of the same minute is added up, durations too', async (t) => {
    const broker = newBroker();
    await atOnce(opened, 10, (each) =>
      each.tx((tx) =>
        tx.usage.count([
          usageOf(broker, { calls: 2 }),
          usageOf(broker, { outcome: 'not_found', gate: 7 }),
          usageOf(broker, { fromAt: D0 + MINUTE }),
        ]),
      ),
    );
    const rows = await sums(broker, 'minute', ['fromAt', 'outcome', 'gate']);
    t.strictSame(
      rows.map(({ durations, ...row }) => [row, durations[3]]),
      [
        [{ fromAt: D0 + MINUTE, outcome: 'ok', gate: 9, calls: 10 }, 10],
        [{ fromAt: D0, outcome: 'ok', gate: 9, calls: 20 }, 10],
        [{ fromAt: D0, outcome: 'not_found', gate: 7, calls: 10 }, 10],
      ],
    );
    t.equal(rows[0]?.durations.length, BUCKETS);
  });

  await t.test('more rows than one statement takes are counted alike', async (t) => {
    const broker = newBroker();
    const rows = Array.from({ length: 250 }, (_, index) => usageOf(broker, { operation: `operation ${index}` }));
    await store.tx((tx) => tx.usage.count(rows));
    t.equal((await sums(broker, 'minute', ['operation'])).length, 250);
  });

  await t.test('sums are narrowed by key and by time, and stop at what is asked for', async (t) => {
    const broker = newBroker();
    await store.tx((tx) =>
      tx.usage.count([usageOf(broker), usageOf(broker, { keyId: 'another' }), usageOf(broker, { fromAt: D0 + HOUR })]),
    );
    const { usage } = store.read;
    const narrowed = async (filter: object, limit = 10) =>
      (await usage.tally({ grain: 'minute', since: 0, brokerId: broker, ...filter }, ['fromAt', 'keyId'], limit))
        .length;
    t.equal(await narrowed({}), 3);
    t.equal(await narrowed({}, 2), 2);
    t.equal(await narrowed({ keyId: 'another' }), 1);
    t.equal(await narrowed({ since: D0 + MINUTE - 1 }), 3, 'the minute that is asked from counts whole');
    t.equal(await narrowed({ since: D0 + MINUTE }), 1);
    t.ok((await usage.tally({ grain: 'day', since: D0 }, ['outcome'], 100)).length > 0, 'of all brokers too');
  });

  await t.test(
    'calls are counted by longer steps, up to a date, of some keys and brokers, and without those that went well',
    async (t) => {
      const [broker, other] = [newBroker(), newBroker()];
      const at = (minute: number) => ({ fromAt: D0 + minute * MINUTE });
      await store.tx((tx) =>
        tx.usage.count([
          usageOf(broker, { ...at(0), calls: 4 }),
          usageOf(broker, { ...at(9), keyId: 'b', outcome: 'not_found', gate: 7 }),
          usageOf(broker, { ...at(10), keyId: 'c' }),
          usageOf(other, at(0)),
        ]),
      );
      const { usage } = store.read;
      const counted = (filter: object, by: UsageDimension[] = ['brokerId']) =>
        usage.tallyCalls({ grain: 'minute', since: D0, brokerIds: [broker, other], ...filter }, by, 100);
      t.strictSame(await counted({}), [
        { brokerId: broker, calls: 6 },
        { brokerId: other, calls: 1 },
      ]);
      t.strictSame(await counted({ stepMs: 10 * MINUTE, brokerIds: [broker] }, ['fromAt']), [
        { fromAt: D0 + 10 * MINUTE, calls: 1 },
        { fromAt: D0, calls: 5 },
      ]);
      t.strictSame(await counted({ until: D0 + 9 * MINUTE, brokerIds: [broker] }), [{ brokerId: broker, calls: 4 }]);
      t.strictSame(await counted({ keyIds: ['b', 'c'] }), [{ brokerId: broker, calls: 2 }]);
      t.strictSame(await counted({ refused: true }), [{ brokerId: broker, calls: 1 }]);
    },
  );

  await t.test('sums that distinguish less agree with what they were made of', async (t) => {
    // Far from what the other tests count, for these are sums over all brokers.
    const at = D0 + 400 * DAY;
    const until = at + DAY;
    const [broker, other] = [newBroker(), newBroker()];
    const rows = [broker, other].flatMap((id) =>
      [0, 1, 70].flatMap((minute) => [
        aUsageRow(id, at + minute * MINUTE),
        aUsageRow(id, at + minute * MINUTE, { operation: 'getService', outcome: 'not_found', gate: 7 }),
      ]),
    );
    await store.tx((tx) => tx.usage.count(rows));
    const { usage } = store.read;
    const compare = async (message: string) => {
      for (const grain of ['minute', 'hour', 'day'] as const) {
        const all = { grain, since: at, until };
        const name = `${message}, ${grain}`;
        t.strictSame(
          (await usage.tallyCalls(all, ['outcome', 'gate'], 10)).map(({ outcome, calls }) => [outcome, calls]).sort(),
          [
            ['not_found', 6],
            ['ok', 6],
          ],
          name,
        );
        const [whole] = await usage.tally(all, [], 1);
        t.match([whole?.calls, whole?.durations[3]], [12, 12], name);
        const keys = await usage.tallyCalls({ ...all, refused: true }, ['brokerId', 'keyId'], 10);
        t.strictSame(
          keys.map(({ calls }) => calls),
          [3, 3],
          name,
        );
      }
    };
    await compare('counted');
    // What was counted elsewhere stands in no summary, and is not missing for that.
    await store.tx((tx) =>
      tx.usage.countPast([
        aUsageRow(broker, at - 2 * MINUTE, { calls: 7 }),
        aUsageRow(broker, at - 3 * MINUTE, { calls: 7, outcome: 'not_found' }),
      ]),
    );
    for (const grain of ['minute', 'hour', 'day'] as const) {
      const [sum] = await usage.tallyCalls({ grain, since: at - DAY, until }, [], 1);
      t.equal(sum?.calls, 26, grain);
    }
    await compare('beside what was counted elsewhere');
    const emptied = async (grain: 'minute' | 'hour' | 'day') => {
      while ((await store.tx((tx) => tx.usage.remove(grain, until, 100))) > 0);
      return (await usage.tallyCalls({ grain, since: at - DAY, until }, [], 1))[0]?.calls ?? 0;
    };
    t.strictSame([await emptied('minute'), await emptied('hour'), await emptied('day')], [0, 0, 0]);
    t.strictSame(await usage.tally({ grain: 'day', since: at - DAY, until }, [], 1), [], 'of nothing there is no sum');
  });

  await t.test('each call is counted once by minute, hour and day', async (t) => {
    const broker = newBroker();
    const minutes = [0, 1, 59, 60, 61, 24 * 60].map((minute) => usageOf(broker, { fromAt: D0 + minute * MINUTE }));
    await store.tx((tx) => tx.usage.count(minutes));
    t.strictSame(await totals(broker), [6, 6, 6]);
    t.strictSame(
      (await sums(broker, 'hour')).map(({ fromAt, calls }) => [fromAt, calls]),
      [
        [D0 + DAY, 1],
        [D0 + HOUR, 2],
        [D0, 3],
      ],
    );
    t.strictSame(
      (await sums(broker, 'day')).map(({ calls, durations }) => [calls, durations[3]]),
      [
        [1, 1],
        [5, 5],
      ],
    );
  });

  await t.test('each length of time is removed by itself, in steps', async (t) => {
    const broker = newBroker();
    await store.tx((tx) => tx.usage.count([0, 1, 2].map((at) => usageOf(broker, { fromAt: D0 + at * MINUTE }))));
    const remove = (grain: 'minute' | 'hour' | 'day', before: number) =>
      store.tx((tx) => tx.usage.remove(grain, before, 2));
    while ((await remove('minute', D0 + 2 * MINUTE)) > 0);
    t.strictSame(await totals(broker), [1, 3, 3]);
    while ((await remove('hour', D0 + HOUR)) > 0);
    t.strictSame(await totals(broker), [1, 0, 3]);
    t.equal(await remove('day', D0), 0);
  });

  await t.test('a call is found by its id and listed newest first, and written but once', async (t) => {
    const broker = aBroker();
    const key = aKey(broker);
    const calls = [0, 1, 2].map((at) => aCall(broker, key, { at: T0 + at }));
    const refused = aCall(broker, key, { at: T0 + 3, code: 'not_found', status: 404, serviceNumber: null });
    await store.tx((tx) => tx.calls.insert([...calls, refused]));
    await store.tx((tx) => tx.calls.insert([{ ...refused, status: 500 }]));
    t.strictSame(await store.read.calls.find(refused.requestId), refused);
    t.equal(await store.read.calls.find('nobody'), null);
    const listed = async (filter: object, limit = 10) =>
      (await store.read.calls.list({ brokerId: broker.id, ...filter }, limit)).map(({ at }) => at - T0);
    t.strictSame(await listed({}), [3, 2, 1, 0]);
    t.strictSame(await listed({}, 2), [3, 2]);
    t.strictSame(await listed({ since: T0 + 2 }), [3, 2]);
    t.strictSame(await listed({ code: 'not_found' }), [3]);
    t.strictSame(await listed({ keyId: key.id }), [3, 2, 1, 0]);
    t.strictSame(await listed({ keyId: 'another' }), []);
    t.ok((await store.read.calls.list({}, 1000)).length >= 4, 'of all brokers');
  });

  await t.test('calls are removed in steps, the oldest first', async (t) => {
    const broker = aBroker();
    const key = aKey(broker);
    await store.tx((tx) => tx.calls.insert([10, 20, 30].map((at) => aCall(broker, key, { at }))));
    t.equal(await store.tx((tx) => tx.calls.remove(31, 2)), 2);
    t.strictSame(
      (await store.read.calls.list({ brokerId: broker.id }, 10)).map(({ at }) => at),
      [30],
    );
    const other = aBroker();
    await store.tx((tx) => tx.calls.insert([40, 50, 60].map((at) => aCall(broker, key, { at }))));
    await store.tx((tx) => tx.calls.insert([aCall(other, aKey(other), { at: 1 })]));
    const counted = (await store.read.calls.countByBroker()).filter(({ brokerId }) => brokerId === broker.id);
    t.strictSame(counted, [{ brokerId: broker.id, total: 4 }]);
    t.equal(await store.tx((tx) => tx.calls.removeOldest(broker.id, 3)), 3);
    t.strictSame(
      (await store.read.calls.list({ brokerId: broker.id }, 10)).map(({ at }) => at),
      [60],
    );
    t.equal(await store.tx((tx) => tx.calls.removeOldest(undefined, 1)), 1);
    t.strictSame(await store.read.calls.list({ brokerId: other.id }, 10), [], 'the oldest of all');
  });

  await t.test('changes are listed newest first, by who made them and to what', async (t) => {
    const brokerId = newBroker();
    const ids = createIds();
    const row = (at: number, fields: object) => anAuditRow({ id: ids('aud', at), at, brokerId, ...fields });
    const other = row(T0, { actor: 'ada@example.com', actorKind: 'operator', subject: 'broker/acme' });
    const rows = [0, 1, 2].map((at) => row(T0 + at, {}));
    for (const row of [...rows, other]) await store.tx((tx) => tx.audit.insert(row));
    const listed = async (filter: object, limit = 10) =>
      (await store.read.audit.list({ brokerId, ...filter }, limit)).map(({ id }) => id);
    const newest = [...rows, other].map(({ id }) => id).sort();
    t.strictSame(await listed({}), newest.toReversed());
    t.strictSame(await listed({}, 1), newest.slice(-1));
    t.strictSame(await listed({ olderThan: newest[1] }), newest.slice(0, 1));
    t.strictSame(await listed({ actor: 'ada@example.com' }), [other.id]);
    t.strictSame(await listed({ subjects: ['broker/acme', 'key/none'] }), [other.id]);
    t.strictSame(await listed({ action: 'key.rotate' }), []);
    t.strictSame(await listed({ since: T0 + 2 }), [rows[2]?.id]);
    t.strictSame(await listed({ until: T0 + 1 }), [rows[0]?.id, other.id].sort().reverse());
    t.match(await store.read.audit.list({ brokerId, actor: 'ada@example.com' }, 1), [other]);
    const page = await store.read.audit.page({ brokerId }, { limit: 2, offset: 1 });
    t.strictSame(
      page.map(({ id }) => id),
      newest.toReversed().slice(1, 3),
    );
    t.equal(await store.read.audit.countUpTo({ brokerId }, 10), 4);
    t.equal(await store.read.audit.countUpTo({ brokerId }, 3), 3);
    t.ok((await store.read.audit.list({}, 1000)).length >= 4, 'of all brokers');
  });

  await t.test('what is old enough is removed from the trail, and nothing that is not a year old', async (t) => {
    const brokerId = newBroker();
    const write = async (each: Store, at: number) => {
      const row = anAuditRow({ at, brokerId });
      await each.tx((tx) => tx.audit.insert(row));
    };
    const old = Date.UTC(2020, 0, 1);
    for (const at of [old, old + 1, old + 2, T0]) await write(store, at);
    t.equal(await store.tx((tx) => tx.audit.remove(T0 + DAY, 2)), 2);
    t.equal(await store.tx((tx) => tx.audit.remove(T0 + DAY, 100)), 1, 'the database’s own clock has the last word');
    t.equal((await store.read.audit.list({ brokerId }, 10)).length, 1);
  });
}
