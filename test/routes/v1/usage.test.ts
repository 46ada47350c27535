import t, { type Test } from 'tap';
import { BUCKETS, bucketOf } from '../../../src/rules/histograms.ts';
import type { UsageRow } from '../../../src/store/queries/usage.ts';
import { iso, refused } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const now = world.clock.now();
  const count = (keyId: string, ago: number, fields: Partial<UsageRow> = {}, ms = 3) => {
    const fromAt = now - ago - ((now - ago) % MINUTE);
    const { calls = 1 } = fields;
    const durations = Array.from({ length: BUCKETS }, (_, index) => (index === bucketOf(ms) ? calls : 0));
    const row = {
      fromAt,
      brokerId: broker.id,
      keyId,
      operation: 'getService',
      outcome: 'ok',
      gate: 9,
      calls,
      durations,
    };
    return world.store.tx((tx) => tx.usage.count([{ ...row, ...fields }]));
  };
  return {
    world,
    broker,
    now,
    count,
    get: (key: string, query = '') => world.call(key, 'GET', `/usage${query}`),
  };
}

t.test('a key sees its own calls by day or hour, with those of the keys that it was rotated from', async (t) => {
  const { world, broker, now, count, get } = await setup(t);
  const first = await world.addKey(broker, []);
  const second = await world.addKey(broker, [], { rotatedFromId: first.row.id });
  const third = await world.addKey(broker, [], { rotatedFromId: second.row.id });
  const stranger = await world.addKey(broker, []);
  await count(first.row.id, 2 * HOUR, { calls: 4 });
  await count(second.row.id, 2 * HOUR, { calls: 2 }, 50);
  await count(third.row.id, HOUR, { outcome: 'not_found', gate: 7 });
  await count(third.row.id, HOUR, { outcome: 'not_found', gate: 8 });
  await count(third.row.id, HOUR, { operation: 'cancelService' });
  await count(stranger.row.id, HOUR, { calls: 100 });
  await count(third.row.id, 0, { calls: 3 });
  await count(third.row.id, 40 * DAY);

  const day = iso(now - (now % DAY));
  const { status, json } = await get(third.key);
  t.equal(status, 200);
  t.match(json.data, [
    { from_date: day, operation: 'cancelService', outcome: 'ok', calls: 1 },
    { from_date: day, operation: 'getService', outcome: 'not_found', calls: 2 },
    { from_date: day, operation: 'getService', outcome: 'ok', calls: 9, p50_ms: Number, p99_ms: Number },
  ]);
  t.equal(json.pagination.total, 3, 'thirty days, the running one among them');
  t.ok(json.data[2].p50_ms < 5 && json.data[2].p99_ms > 30);
  t.notOk('mode' in json.data[0]);

  const hours = await get(third.key, '?span=hour&operation=getService&outcome=ok');
  t.match(hours.json.data, [
    { from_date: iso(now), calls: 3 },
    { from_date: iso(now - 2 * HOUR), calls: 6 },
  ]);
  t.equal(hours.json.pagination.total, 2);
  t.match((await get(second.key, '?span=hour')).json.data, [{ calls: 6 }], 'not those of the keys after it');
  const all = (await get(third.key, '?from=2029-01-01')).json;
  t.match(all.data.at(-1), { from_date: iso(now - 40 * DAY - ((now - 40 * DAY) % DAY)), calls: 1 });
  // Of one operation: the calls that this test makes itself may be counted by now.
  t.match((await get(third.key, '?operation=getService&limit=1&offset=1')).json, {
    data: [{ outcome: 'ok' }],
    pagination: { page: 2, perPage: 1, total: 2, totalPages: 2 },
  });
  t.strictSame((await get(third.key, '?operation=getService&offset=2')).json.data, []);
  t.strictSame((await get(third.key, '?operation=unknown')).json.pagination.total, 0);
});

t.test(
  'from is included and to is not, both by whole spans in UTC, and nothing is older than it is kept',
  async (t) => {
    const { world, broker, now, count, get } = await setup(t);
    const { key, row } = await world.addKey(broker, []);
    await count(row.id, HOUR);
    await count(row.id, 2 * HOUR);
    await count(row.id, 3 * HOUR);
    await count(row.id, 91 * DAY);
    await count(row.id, 800 * DAY);
    const at = (ago: number) => encodeURIComponent(new Date(now - ago).toISOString());
    const hours = async (query: string) =>
      (await get(key, `?operation=getService&span=hour${query}`)).json.data.map(
        ({ from_date }: { from_date: string }) => from_date,
      );
    const late = 3 * HOUR - 59 * MINUTE;
    t.strictSame(await hours(`&from=${at(late)}&to=${at(30 * MINUTE)}`), [iso(now - 2 * HOUR), iso(now - 3 * HOUR)]);
    t.strictSame(await hours(`&from=${at(late)}&to=${at(late)}`), []);
    t.equal((await hours('&from=2020-01-01')).length, 3);
    t.equal((await get(key, '?operation=getService&from=2020-01-01')).json.data.length, 2);
    const fields = (...faults: string[]) => ({ status: 400, code: 'invalid_parameter', fields: faults });
    refused(t, await get(key, `?from=${at(0)}&to=${at(1)}`), fields('query.to conflict'), 'from after to');
    refused(t, await get(key, '?span=minute'), fields('query.span enum'));
    refused(t, await get(key, '?outcome=fine'), fields('query.outcome enum'));
    refused(t, await get(key, '?limit=101'), fields('query.limit range'));
  },
);

t.test('a sandbox key sees its real calls, without marks', async (t) => {
  const { world, broker, count, get } = await setup(t);
  const { key, row } = await world.addKey(broker, [], { mode: 'test' });
  await count(row.id, MINUTE);
  const { json } = await get(key);
  t.match(json.data, [{ operation: 'getService', calls: 1 }]);
  t.notOk('simulated' in json.data[0]);
});
