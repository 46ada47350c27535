import t, { type Test } from 'tap';
import { listCalls, showCall } from '../../src/operator/calls.ts';
import { listUsage } from '../../src/operator/usage.ts';
import { BUCKETS, bucketOf } from '../../src/rules/durations.ts';
import { aBroker, aCall, aKey } from '../store/records.ts';
import { createOperatorContext } from '../support/operator-context.ts';

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

t.test('usage is told by minute, hour or day, as far back as each is kept', async (t) => {
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
  const rows = await listUsage(context);
  t.match(rows, [
    { from_date: '2030-01-15T10:30:00.000Z', broker: null, key_prefix: null, outcome: 'authentication_failed' },
    { broker: 'acme', key_prefix: 'sk_live_Acme0001', operation: 'listPlans', outcome: 'ok', calls: 2 },
  ]);
  t.ok((rows[1]?.p50_ms as number) <= (rows[1]?.p99_ms as number));
  const dates = async (input: object) => (await listUsage(context, input)).map(({ from_date }) => from_date);
  const acme = { broker: 'acme', key: 'sk_live_Acme0001' };
  t.strictSame(await dates({ ...acme, since: '1h' }), []);
  t.strictSame(await dates({ ...acme, since: '7d' }), ['2030-01-15T10:00:00.000Z', '2030-01-12T10:00:00.000Z']);
  t.strictSame(await dates({ ...acme, since: '100d' }), ['2030-01-15T00:00:00.000Z', '2030-01-12T00:00:00.000Z']);
  t.strictSame(await dates({ key: key.id, since: '2030-01-15', by: 'day' }), ['2030-01-15T00:00:00.000Z']);
  t.equal((await listUsage(context, { since: '7d', limit: '1' })).length, 1);
  await t.rejects(listUsage(context, { key: 'key_nobody' }), /no key "key_nobody"/);
  await t.rejects(listUsage(context, { key: 'sk_live_Nobody00' }), /no key/);
  await store.tx((tx) => tx.brokers.insert(aBroker({ slug: 'other' })));
  await t.rejects(listUsage(context, { broker: 'other', key: key.id }), /no key/, "another broker's key");
});

t.test('a call is shown by its id, and calls are listed by broker, key, code and time', async (t) => {
  const { context, broker, key } = await setting(t);
  const now = context.clock.now();
  const fine = aCall(broker, key, { at: now - 60_000, durationUs: 1500 });
  const refused = aCall(broker, key, { at: now, status: 404, code: 'not_found' });
  const old = aCall(broker, key, { at: now - 2 * HOUR });
  await context.store.tx((tx) => tx.calls.insert([fine, refused, old]));
  t.strictSame(await showCall(context, { requestId: fine.requestId }), {
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
  await t.rejects(showCall(context, { requestId: 'nobody' }), /no call "nobody"/);
  const ids = async (input: object) => (await listCalls(context, input)).map(({ request_id }) => request_id);
  t.strictSame(await ids({}), [refused.requestId, fine.requestId]);
  t.strictSame(await ids({ since: '1d', broker: 'acme', key: key.id }), [
    refused.requestId,
    fine.requestId,
    old.requestId,
  ]);
  t.strictSame(await ids({ code: 'not_found', limit: '1' }), [refused.requestId]);
  await t.rejects(ids({ code: 'teapot' }), /code: must be one of/);
});
