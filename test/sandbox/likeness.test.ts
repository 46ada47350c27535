import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { fulfilRequest } from '../../src/operations/fulfil-request.ts';
import { MailFailure, type Provisioner } from '../../src/ports.ts';
import { addCreatedService, FLEET_BROKER_ID, fillFleet, renewFleet, SERVICES } from '../../src/sandbox/seed-data.ts';
import type { BrokerRow } from '../../src/store/brokers.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import type { TemplateRow } from '../../src/store/templates.ts';
import { full } from '../support/full.ts';
import type { Answer } from '../support/v1.ts';
import { createWorld } from '../support/world.ts';

interface Call {
  method: 'GET' | 'POST';
  url: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** No live world can forget a warning that it sent, or refuse on demand. */
const WITHOUT_LIKENESS = [900009, 900429, 900500];

const often = <T>(usual: fc.Arbitrary<T>, rare: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...rare) });

const number = often(
  fc.constantFrom(...SERVICES.map((service) => service.number).filter((one) => !WITHOUT_LIKENESS.includes(one))),
  ['00900001', 900021, 0, -900001, '9007199254740993', '9223372036854775808', 'abc', '9e5', '+900001', '%20'],
);
const plan = often(
  fc.constantFrom('starter', 'business', 'enterprise', 'flex-hourly', 'ENTERPRISE', 'Flex Hourly', ' business '),
  ['pln_test_business', 'PLN_TEST_business', 'nothing', '', 5, null, 'x'.repeat(129), '\u0000'],
);
const text = often(fc.constantFrom('Because.', ' An invoice is overdue. '), ['', ' \n ', 7, null, 'x'.repeat(1001)]);
const requestId = often(
  fc.constantFrom(
    ...['pending', 'operator_review', 'accepted', 'completed', 'failed', 'approved', 'denied'].map(
      (state) => `req_test_sample_${state}`,
    ),
  ),
  ['req_test_sample_', 'req_1', 'nothing', '%00'],
);
const moment = often(
  fc.constantFrom('2026-01-01', '2026-01-20T00:00:00Z', '2026-01-01T00:05:00%2B00:00', '2099-12-31'),
  ['yesterday', '2026-13-01', ''],
);

const query = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record(
      {
        ...fields,
        limit: often(fc.integer({ min: 1, max: 100 }), [0, 101, 'x']),
        offset: fc.integer({ min: 0, max: 20 }),
      },
      { requiredKeys: [] },
    )
    .map((values) =>
      Object.entries(values)
        .map(([name, value]) => `${name}=${value}`)
        .join('&'),
    );

const body = (fields: Record<string, fc.Arbitrary<unknown>>, ...optional: string[]) =>
  often(fc.record(fields, { requiredKeys: Object.keys(fields).filter((name) => !optional.includes(name)) }), [
    undefined,
    {},
    [],
    '{',
    { unknown: true },
  ]);

const get = (url: fc.Arbitrary<string>): fc.Arbitrary<Call> => url.map((one) => ({ method: 'GET', url: one }));
const post = (url: fc.Arbitrary<string>, content: fc.Arbitrary<unknown>): fc.Arbitrary<Call> =>
  fc.record({
    method: fc.constant('POST' as const),
    url,
    body: content,
    headers: often(fc.constant({}), [
      { 'x-idempotency-key': 'an intention' },
      { 'x-idempotency-key': 'x'.repeat(256) },
      { 'content-type': 'text/plain' },
    ]) as fc.Arbitrary<Record<string, string>>,
  });

const serviceFilters = {
  service_status: often(fc.constantFrom('active', 'pending', 'suspended', 'cancelled', 'terminated'), ['gone']),
  billing_type: often(fc.constantFrom('monthly', 'hourly'), ['yearly']),
  plan: fc.constantFrom('starter', 'Enterprise', 'pln_test_business', 'nothing'),
  client_email: fc.constantFrom('client-900001@example.com', 'CLIENT-900002@EXAMPLE.COM', 'nobody@example.com'),
  search: often(fc.constantFrom('sandbox', 'SERVICE', '90001', 'sam sand', 'nothing'), ['ab']),
  renewal_before: moment,
  external_reference: often(fc.constantFrom('CRM-1', 'nothing'), ['', 'x'.repeat(256)]),
  updated_since: moment,
};
const service = (rest = '') => number.map((one) => `/services/${one}${rest}`);
const change = body({ new_plan: plan });

const calls = fc.oneof(
  get(query({ ...serviceFilters, created_from: moment, created_to: moment }).map((one) => `/services?${one}`)),
  get(
    query({ ...serviceFilters, after_number: often(fc.constantFrom(0, 900001, 900010), ['x', -1]) }).map(
      (one) => `/services?${one}`,
    ),
  ),
  get(service()),
  post(
    service('/update'),
    body(
      {
        label: often(text, [null]),
        external_reference: often(text, [null]),
        client: often(
          fc.record(
            {
              name: text,
              email: often(fc.constant('ada@example.com'), [null, 'nobody']),
            },
            { requiredKeys: [] },
          ),
          [null, 'Ada'],
        ),
      },
      'label',
      'external_reference',
      'client',
    ),
  ),
  get(service('/upgrade-options')),
  post(service('/upgrade'), change),
  post(service('/upgrade'), change),
  post(service('/downgrade'), change),
  post(fc.constantFrom('/services/900013/downgrade', '/services/900013/upgrade'), change),
  post(
    service('/cancel'),
    body(
      { cancellation_type: often(fc.constantFrom('end_of_term', 'immediate'), ['later', null]), reason: text },
      'reason',
      'cancellation_type',
    ),
  ),
  post(service('/cancellation-warning'), body({ warningReason: text })),
  post(
    fc.constant('/services'),
    body(
      {
        plan,
        client: often(fc.constant({ name: 'Ada Example', email: 'ada@example.com' }), [
          {},
          { name: ' ', email: 'nobody' },
          'Ada',
        ]),
        label: text,
        external_reference: text,
      },
      'label',
      'external_reference',
    ),
  ),
  get(query({ billing_type: serviceFilters.billing_type }).map((one) => `/plans?${one}`)),
  get(
    query({
      type: often(fc.constantFrom('plan-upgrade', 'cancellation', 'cancellation-warning'), ['plan']),
      request_status: often(fc.constantFrom('pending', 'accepted', 'denied', 'failed'), ['open']),
      service_number: number,
      operator_review: often(fc.constantFrom('true', 'false'), ['maybe']),
      submitted_from: moment,
      submitted_to: moment,
      updated_since: moment,
    }).map((one) => `/requests?${one}`),
  ),
  get(requestId.map((one) => `/requests/${one}`)),
  post(
    requestId.map((one) => `/requests/${one}/approve`),
    body({ reason: text }, 'reason'),
  ),
  post(
    requestId.map((one) => `/requests/${one}/deny`),
    body({ reason: text }),
  ),
  post(
    requestId.map((one) => `/requests/${one}/withdraw`),
    body({ reason: text }, 'reason'),
  ),
  post(
    fc.constant('/reports/services'),
    body(
      {
        ...serviceFilters,
        recipient_email: often(fc.constant('contact@broker.example'), ['stranger@example.com', 'nobody']),
        period_from: moment,
        period_to: moment,
      },
      ...Object.keys(serviceFilters),
      'recipient_email',
      'period_from',
      'period_to',
    ),
  ),
  post(
    fc.constant('/reports/invoices'),
    body(
      { service_number: number, invoice_status: often(fc.constantFrom('open', 'paid'), ['late']) },
      'service_number',
      'invoice_status',
    ),
  ),
);

/** An answer without what may differ: marks, ids, waits, and the number of a service that was created. */
function essence({ status, headers, json }: Answer, isCreation: boolean) {
  const { data, ...rest } = JSON.parse(
    JSON.stringify(json, (name, value) => {
      if (name === 'correlation_id') return 'an id';
      // A story knows when it goes on; a live worker has to be asked.
      if (name === 'next_check_seconds' && value !== null) return 'a while';
      if (isCreation && name === 'service_number') return 'a number';
      return typeof value === 'string' && /^(req|rpt)_(?!test_sample)/.test(value) ? 'an id' : value;
    }),
  );
  const unmarked = ({ mode: _, simulated: __, ...fields }: Record<string, unknown>) => fields;
  return {
    status,
    retryAfter: headers['retry-after'],
    replayed: headers['idempotent-replayed'],
    ...rest,
    data: Array.isArray(data) ? data.map(unmarked) : data && unmarked(data),
  };
}

/** A world whose broker has the simulated fleet as live records; `renew` undoes whatever happened to them. */
async function createTwins(t: Test) {
  const directory = t.testdir();
  const fileOf = (name: string | number) => join(directory, `${name}.db`);
  let store = await openSqlite({ file: fileOf('first'), monotonic: () => 0 });
  const replaceable: Store = {
    get read() {
      return store.read;
    },
    slow: (owner, work) => store.slow(owner, work),
    report: (owner, work) => store.report(owner, work),
    tx: (work) => store.tx(work),
    ping: () => store.ping(),
    close: () => store.close(),
  };
  const world = await createWorld({ openStore: async () => replaceable });
  t.teardown(() => world.close());
  const now = world.clock.now();
  await fillFleet(world.store, now);
  await addCreatedService(world.store, now);
  const broker = (await world.store.read.brokers.find(FLEET_BROKER_ID)) as BrokerRow;
  const { key: liveKey } = await world.addKey(broker);
  const { key: testKey } = await world.addKey(broker, ['admin:full'], { mode: 'test' });
  const original = fileOf('original');
  await store.backup(original);

  let count = 0;
  const renew = async () => {
    count += 1;
    copyFileSync(original, fileOf(count));
    await store.close();
    store = await openSqlite({ file: fileOf(count), monotonic: () => 0 });
  };
  return { ...world, liveKey, testKey, renew };
}

const succeeding: Provisioner = { fulfil: async () => ({ outcome: 'done' }) };

t.test('the sandbox answers every call like a live server that has the same records', async (t) => {
  const { call, renew, store, clock, mailer, context, liveKey, testKey } = await createTwins(t);

  /** What a live world has to be like for the services whose rows speak of something else than themselves. */
  async function prepare(url: string): Promise<void> {
    const refusal = new MailFailure('rejected', 'refused', { providerCode: '406' });
    const silence = new MailFailure('outcome_unknown', 'no answer');
    mailer.failWith = { 900008: refusal, 900017: silence }[
      Number(/^.services.(\d+).cancellation-warning/.exec(url)?.[1])
    ];
    await renewFleet(store, clock.now());
    if (url === '/services/900007/cancellation-warning') {
      const template = await store.read.templates.findActive(FLEET_BROKER_ID, 'cancellation-warning');
      await store.tx((tx) => tx.templates.upsert({ ...(template as TemplateRow), active: false }));
    }
  }

  async function workLive(): Promise<void> {
    const now = clock.now();
    const lease = { now, leaseUntil: now + 60_000, leaseOwner: 'worker', limit: 10 };
    for (const due of await store.tx((tx) => tx.requests.claimDue(lease))) {
      await fulfilRequest(context, succeeding, due);
    }
  }

  /** The request of a submission as looked up later; what people wrote is not part of a simulated id. */
  async function follow(key: string, submitted: Answer, method: 'GET' | 'POST' = 'GET', verb = '') {
    const url = `/requests/${submitted.json.data.request_id}${verb}`;
    const { data, ...rest } = essence(await call(key, method, url), true);
    const { reason: _, warning_reason: __, ...told } = data ?? {};
    return { ...rest, data: told };
  }

  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(calls, fc.boolean(), async ({ method, url, ...rest }, withdraws) => {
      await prepare(url);
      const more = rest as { body?: object; headers?: Record<string, string> };
      const live = await call(liveKey, method, url, more);
      const simulated = await call(testKey, method, url, more);
      const isCreation = url === '/services';
      assert.deepEqual(essence(simulated, isCreation), essence(live, isCreation));
      seen.add(`${method} ${live.status}`);

      const { request_id: id, service_number: number } = live.json.data ?? {};
      if (method === 'POST' && /^req_(?!test_sample)/.test(id ?? '')) {
        assert.deepEqual(await follow(testKey, simulated), await follow(liveKey, live));
        if (withdraws) {
          const withdrawn = await follow(liveKey, live, 'POST', '/withdraw');
          assert.deepEqual(await follow(testKey, simulated, 'POST', '/withdraw'), withdrawn);
          seen.add(`withdraw ${withdrawn.status}`);
        } else if (!SERVICES.find((service) => service.number === number)?.course) {
          clock.advance(10_000);
          await workLive();
          assert.deepEqual(await follow(testKey, simulated), await follow(liveKey, live));
        }
      }
      if (method === 'POST') await renew();
    }),
    { numRuns: full ? 1000 : 100 },
  );
  for (const one of ['GET 200', 'POST 200', 'POST 400', 'withdraw 200'])
    t.ok(seen.has(one), `${one} was among the calls`);
});
