import t from 'tap';
import {
  countBesideDemo,
  createDemo,
  DEMO_KEYS,
  DEMO_OPERATOR,
  hasActiveDemoKey,
  removeDemo,
} from '../../src/demo/demo.ts';
import { listKeys, revokeKey } from '../../src/operator/access/keys.ts';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { listBrokers } from '../../src/operator/brokers/views.ts';
import { listOperators } from '../../src/operator/people/operators.ts';
import { listRequests } from '../../src/operator/requests/views.ts';
import { listServices } from '../../src/operator/services/views.ts';
import { getStatus } from '../../src/operator/system/status.ts';
import { hashKey, parseKey } from '../../src/rules/key-format.ts';
import { openDemo } from '../support/demo.ts';
import { BROKER, createOperatorContext } from '../support/operator-context.ts';
import { aUsageRow } from '../support/rows.ts';

t.test('the demo keys are real keys, the same in every installation', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  t.equal(await hasActiveDemoKey(context), false);
  t.strictSame((await createDemo(context)).keys, DEMO_KEYS);
  t.equal(await hasActiveDemoKey(context), true);
  for (const key of Object.values(DEMO_KEYS)) {
    const { mode, publicId } = parseKey(key) ?? {};
    const access = await context.store.read.keys.findAccess(publicId ?? '');
    t.match(access, { key: { mode, hash: hashKey(key) } });
  }
  t.match(DEMO_KEYS, {
    live: /^sk_live_DemoLive_/,
    otherLive: /^sk_live_/,
    test: /^sk_test_/,
    testNoScopes: /^sk_test_/,
  });

  for (const broker of ['demo', 'demo-other']) {
    for (const { key_id, name } of (await listKeys.run(context, { broker })).records) {
      if (!name.includes('expired')) await revokeKey.run(context, { key_id: key_id });
    }
  }
  t.equal(await hasActiveDemoKey(context), false, 'keys that are revoked or have expired are no danger');
});

t.test('the demo shows services and requests of every kind and state', async (t) => {
  const context = await createOperatorContext(openDemo);
  t.teardown(context.close);
  const { records: services } = await listServices.run(context, { broker: 'demo' });
  const { records: requests } = await listRequests.run(context, {});
  const kindsOf = (values: string[]) => [...new Set(values)].sort();
  t.strictSame(
    kindsOf(services.map(({ service_status, plan }) => `${service_status} ${plan.billing_type}`)),
    ['active', 'cancelled', 'pending', 'suspended', 'terminated'].flatMap((status) =>
      status === 'cancelled' ? [`${status} monthly`] : [`${status} hourly`, `${status} monthly`],
    ),
  );
  t.strictSame(kindsOf(requests.map(({ request_status }) => request_status)), [
    'accepted',
    'approved',
    'completed',
    'denied',
    'failed',
    'operator_review',
    'pending',
  ]);
  t.strictSame(kindsOf(requests.map(({ type }) => type)), [
    'cancellation',
    'cancellation-warning',
    'plan-downgrade',
    'plan-upgrade',
    'service-action',
    'service-creation',
    'service-suspension',
    'service-unsuspension',
  ]);
  t.match(
    services.find(({ service_number }) => service_number === 1000001),
    { service_status: 'active', open_request: null },
  );
  t.match(await getStatus(context), {
    pending_decisions: { total: 2, oldest_submitted_date: '2030-01-13T12:00:00.000Z' },
    operator_reviews: { total: 4 },
    queue: { total: 2, overdue_seconds: 0 },
  });

  const narrowed = async (input: object) => (await listRequests.run(context, input)).records.length;
  t.equal(await narrowed({ broker: 'demo-other' }), 0);
  t.equal(await narrowed({ broker: 'demo', request_status: 'pending' }), 2);
  t.equal(await narrowed({ type: 'cancellation-warning' }), 1);
  t.equal(await narrowed({ service_number: '1000013' }), 1);
  t.equal(await narrowed({ limit: '3' }), 3);
  const dates = requests.map(({ submitted_date }) => submitted_date);
  t.strictSame(dates, [...dates].sort().reverse(), 'newest first');
});

t.test(
  'the counters agree with the rows, nothing accepted is due, and every history ends where the request is',
  async (t) => {
    const context = await createOperatorContext(openDemo);
    t.teardown(context.close);
    const { brokers } = await createDemo(context);
    const { read } = context.store;
    for (const { broker_id: id } of brokers) {
      t.equal(await read.counters.total(id, 'services'), await read.services.countMatches(id, {}));
      t.equal(await read.counters.total(id, 'requests'), await read.requests.countMatches(id, {}));
      for (const status of ['pending', 'accepted', 'completed'] as const) {
        const counted = await read.requests.countMatches(id, { status });
        t.equal(await read.counters.total(id, 'requests', { status }), counted);
      }
      for (const { request } of await read.requests.page(id, {}, { limit: 100, offset: 0 })) {
        const history = await read.requests.listHistory(id, request.id);
        t.equal(history.at(-1)?.status, request.status);
        if (request.status === 'accepted') t.ok((request.dueAt ?? 0) > context.clock.now() + 86_400_000);
      }
    }
  },
);

t.test(
  'the figures of the demo agree: single calls with sums, last use with both, changes with what they changed',
  async (t) => {
    const context = await createOperatorContext(openDemo);
    t.teardown(context.close);
    const { read } = context.store;
    const calls = await read.calls.list({}, 100_000);
    const sums = await read.usage.tallyCalls({ grain: 'day', since: 0 }, ['keyId', 'operation', 'outcome'], 1_000);
    const kept = sums.filter(
      ({ operation, outcome }) => outcome !== 'ok' || /^(upgrade|downgrade|warn)/.test(`${operation}`),
    );
    t.ok(kept.length > 10);
    const nameOf = (...parts: unknown[]) => parts.join(' ');
    const counted = new Map<string, number>();
    for (const { keyId, operation, code } of calls) {
      const name = nameOf(keyId, operation, code ?? 'ok');
      counted.set(name, (counted.get(name) ?? 0) + 1);
    }
    t.strictSame(
      kept.map(({ keyId, operation, outcome, calls }) => [nameOf(keyId, operation, outcome), calls]).sort(),
      [...counted].sort(),
    );
    const keys = (await Promise.all(['demo', 'demo-other'].map((broker) => listKeys.run(context, { broker })))).flatMap(
      ({ records }) => records,
    );
    for (const { key_id, last_used_date, created_date } of keys) {
      const isUsed = sums.some(({ keyId }) => keyId === key_id);
      t.equal(last_used_date !== null, isUsed, key_id);
      const last = calls.find(({ keyId }) => keyId === key_id);
      if (last)
        t.ok(Date.parse(last_used_date as string) >= last.at, 'a key was last used no earlier than its last call');
      if (last) t.ok(Date.parse(created_date) < (calls.at(-1)?.at as number), 'and was created before the first');
    }
    for (const { at } of calls) if (at > context.clock.now()) t.fail('a call in the future');
    const trail = await listAudit(context, { actor: DEMO_OPERATOR.email });
    t.strictSame(trail.map(({ action }) => action).sort(), [
      'email.settle',
      'firewall.allow',
      'plan.set',
      'service.set',
    ]);
  },
);

t.test('the demo is made once, removed whole, and made again', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  t.equal(await countBesideDemo(context), 0);
  await createBroker.run(context, BROKER);
  t.equal(await countBesideDemo(context), 1);
  const first = await createDemo(context);
  t.equal(await countBesideDemo(context), null);
  t.equal(first.created, true);
  t.strictSame(await createDemo(context), { ...first, created: false });
  t.match(await removeDemo(context), { removed: true, brokers: [{ slug: 'demo' }, { slug: 'demo-other' }] });
  t.strictSame(
    (await listBrokers.run(context, {})).records.map(({ slug }) => slug),
    ['acme'],
  );
  t.strictSame(await removeDemo(context), { removed: false, brokers: [] });
  t.equal((await createDemo(context)).created, true);
});

t.test('calls that a service has counted stay as they are: the demo adds none to them', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  const { broker_id: brokerId } = await createBroker.run(context, BROKER);
  await context.store.tx((tx) => tx.usage.count([aUsageRow(brokerId, context.clock.now(), { calls: 2 })]));
  await createDemo(context);
  t.match(await context.store.read.usage.tallyCalls({ grain: 'day', since: 0 }, [], 1), [{ calls: 2 }]);
});

t.test("an operator's own broker of the demo's name is left alone", async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, { ...BROKER, slug: 'demo' });
  await t.rejects(createDemo(context), { message: 'There is a broker "demo" already' });
  t.strictSame(await removeDemo(context), { removed: false, brokers: [] });
  t.strictSame(
    (await listBrokers.run(context, {})).records.map(({ slug }) => slug),
    ['demo'],
  );
});

t.test('the demo has an operator, who is removed with it', async (t) => {
  const context = await createOperatorContext(openDemo);
  t.teardown(context.close);
  t.match(await listOperators.run(context, {}), [{ ...DEMO_OPERATOR, active: true }]);
  await removeDemo(context);
  t.strictSame(await listOperators.run(context, {}), []);
  await removeDemo(context);
});
