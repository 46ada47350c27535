import t, { type Test } from 'tap';
import { listCalls, showCall } from '../../../src/operator/calls/calls.ts';
import { listUsage } from '../../../src/operator/calls/usage.ts';
import { BUCKETS, bucketOf } from '../../../src/rules/histograms.ts';
import { createOperatorContext } from '../../support/operator-context.ts';
import { aBroker, aCall, aKey } from '../../support/rows.ts';

const HOUR = 3_600_000;

async function setting(t: Test) {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const broker = aBroker({ slug: 'acme' });
  const key = aKey(broker, { publicId: 'Acme0001' });
  await context.store.tx(async (tx) => {
    await tx.brokers.insert(broker);
    await tx.keys.insert(key);
  });
  return { context, broker, key };
}

t.test('usage is listed by minute, hour or day, as far back as each is kept', async (t) => {
  const { context, broker, key } = await setting(t);
  const { store, clock } = context;
  const durations = Array.from({ length: BUCKETS }, (_, bucket) => (bucket === bucketOf(3) ? 2 : 0));
  const row = {
    brokerId: broker.id,
    keyId: key.id,
    operation: 'listPlans',
    outcome: 'ok',
    gate: 9,
    calls: 2,
    durations,
  };
  const fromAt = clock.now() - 90 * 60_000;
  const nobody = { ...row, fromAt, brokerId: '', keyId: '', outcome: 'authentication_failed', gate: 1 };
  await store.tx((tx) => tx.usage.count([{ ...row, fromAt }, nobody, { ...row, fromAt: fromAt - 72 * HOUR }]));
  const by = { by: 'minute', byOperation: true };
  const { rows } = await listUsage(context, by);
  t.match(rows, [
    { from_date: '2030-01-15T10:30:00.000Z', broker: null, key_prefix: null, outcome: 'authentication_failed' },
    { broker: 'acme', key_prefix: 'sk_live_Acme0001', operation: 'listPlans', outcome: 'ok', calls: 2 },
  ]);
  t.ok((rows[1]?.p50_ms as number) <= (rows[1]?.p99_ms as number));
  const dates = async (input: object) => (await listUsage(context, input)).rows.map(({ from_date }) => from_date);
  const acme = { broker: 'acme', key: 'sk_live_Acme0001' };
  t.strictSame(await dates({ ...acme, since: '1h' }), []);
  t.strictSame(await dates({ ...acme, since: '7d', by: 'hour' }), [
    '2030-01-15T10:00:00.000Z',
    '2030-01-12T10:00:00.000Z',
  ]);
  t.strictSame(await dates({ ...acme, since: '100d', by: 'day' }), [
    '2030-01-15T00:00:00.000Z',
    '2030-01-12T00:00:00.000Z',
  ]);
  t.strictSame(await dates({ key: key.id, since: '2030-01-15', by: 'day' }), ['2030-01-15T00:00:00.000Z']);
  // A long length of time begins with an hour, a short one and a date where they are meant to.
  clock.advance(90_000);
  t.strictSame(await dates({ ...acme, since: '24h' }), ['2030-01-14T12:00:00.000Z']);
  t.strictSame(await dates({ ...acme, since: '6h' }), ['2030-01-15T06:01:00.000Z']);
  t.strictSame(await dates({ ...acme, since: '2030-01-14T12:30:00Z' }), ['2030-01-14T12:30:00.000Z']);
  t.strictSame(await dates({ ...acme, since: '24h', until: '2030-01-15T11:59:00Z' }), ['2030-01-14T12:01:00.000Z']);
  t.strictSame(await dates({ ...acme, since: '24h', until: '2030-01-15T11:00:00Z' }), ['2030-01-14T12:00:00.000Z']);
  t.match(await listUsage(context, { since: '7d', by: 'hour', limit: '1' }), { truncated: true, rows: { length: 1 } });
  await t.rejects(listUsage(context, { key: 'key_nobody' }), /no key "key_nobody"/);
  await t.rejects(listUsage(context, { key: 'sk_live_Nobody00' }), /no key/);
  await t.rejects(listUsage(context, { key: 'sk_live_Acme0001x' }), /no key/, 'more than its prefix');
  await store.tx((tx) => tx.brokers.insert(aBroker({ slug: 'other' })));
  await t.rejects(listUsage(context, { broker: 'other', key: key.id }), /no key/, "another broker's key");
});

t.test('sums of a bill agree at every length', async (t) => {
  const { context, broker, key } = await setting(t);
  const { store } = context;
  const durations = new Array<number>(BUCKETS).fill(0);
  const row = { brokerId: broker.id, keyId: key.id, operation: 'listPlans', outcome: 'ok', gate: 9, durations };
  const at = (text: string) => Date.parse(`2030-01-${text}:00Z`) - 20 * 24 * HOUR;
  const minutes: Array<[string, number]> = [
    ['10T23:59', 5],
    ['11T00:00', 7],
    ['11T00:01', 2],
    ['12T12:30', 4],
    ['22T10:00', 3],
  ];
  const rows = minutes.flatMap(([text, calls]) => [
    { ...row, fromAt: at(text), calls },
    { ...row, fromAt: at(text), calls: 1, operation: 'getService', outcome: 'not_found', gate: 7 },
  ]);
  const since = '2029-12-01';
  const input = { broker: 'acme', since, until: '2030-02-01' };
  const sum = async (by?: string) =>
    (await listUsage(context, { ...input, by })).rows.reduce((all, { calls }) => all + calls, 0);
  for (const part of [rows.slice(0, 3), rows.slice(3)]) await store.tx((tx) => tx.usage.count(part));
  for (const by of [undefined, 'hour', 'day', 'month']) t.equal(await sum(by), 26, by ?? 'span');
  const months = await listUsage(context, { ...input, by: 'month' });
  t.match(months, {
    truncated: false,
    rows: [
      { from_date: '2030-01-01T00:00:00.000Z', calls: 4 },
      { from_date: '2029-12-01T00:00:00.000Z', calls: 22 },
    ],
  });
  const days = (await listUsage(context, { ...input, by: 'day' })).rows.map(({ calls }) => calls);
  t.strictSame(days, [4, 5, 11, 6]);
  t.match((await listUsage(context, input)).rows, [{ calls: 26 }]);
  t.match(await listUsage(context, { ...input, by: 'month', limit: '1' }), { truncated: true, rows: { length: 1 } });
  const operations = await listUsage(context, { ...input, byOperation: true });
  t.match(operations.rows, [
    { operation: 'listPlans', calls: 21 },
    { operation: 'getService', calls: 5 },
  ]);
  const outside = await listUsage(context, { ...input, until: '2029-12-22', by: 'day' });
  t.strictSame(
    outside.rows.map(({ calls }) => calls),
    [6],
  );
  await t.rejects(listUsage(context, { since, until: '2029-11-01' }), /until: must be after since/);
});

t.test('a call is shown by its id, and calls are listed by broker, key, code and time', async (t) => {
  const { context, broker, key } = await setting(t);
  const now = context.clock.now();
  const fine = aCall(broker, key, { at: now - 60_000, durationUs: 1500 });
  const refused = aCall(broker, key, { at: now, status: 404, code: 'not_found' });
  const old = aCall(broker, key, { at: now - 2 * HOUR });
  await context.store.tx((tx) => tx.calls.insert([fine, refused, old]));
  t.strictSame(await showCall.run(context, { request_id: fine.requestId }), {
    request_id: fine.requestId,
    date: '2030-01-15T11:59:00.000Z',
    broker: 'acme',
    key_prefix: 'sk_live_Acme0001',
    client_ip: '192.0.2.1',
    method: 'POST',
    operation: 'upgradeService',
    service_number: 9_007_199_254_740_991,
    status: 200,
    code: null,
    reason: null,
    duration_ms: 1.5,
  });
  await t.rejects(showCall.run(context, { request_id: 'nobody' }), /no call "nobody"/);
  const ids = async (input: object) =>
    (await listCalls.run(context, input)).records.map(({ request_id }) => request_id);
  t.strictSame(await ids({}), [refused.requestId, fine.requestId]);
  t.strictSame(await ids({ since: '1d', broker: 'acme', key: key.id }), [
    refused.requestId,
    fine.requestId,
    old.requestId,
  ]);
  t.strictSame(await ids({ code: 'not_found', limit: '1' }), [refused.requestId]);
  await t.rejects(ids({ code: 'teapot' }), /code: must be one of/);
});
