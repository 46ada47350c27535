import t from 'tap';
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { createSandbox } from '../../src/sandbox/simulate.ts';
import { templates } from '../support/renderer.ts';
import { createSandboxWorld, MARKS } from '../support/sandbox.ts';
import {
  type Answer,
  keysOf,
  MOMENT,
  NO_REQUEST,
  NO_SERVICE,
  REQUEST_KEYS,
  refused,
  requestsOf,
  SERVICE_KEYS,
} from '../support/v1.ts';

const FLEET = [...Array.from({ length: 18 }, (_, index) => 900001 + index), 900020];
const numbersOf = ({ json }: Answer): number[] =>
  json.data.map((item: { service_number: number }) => item.service_number).sort((a: number, b: number) => a - b);

/** What every operation that takes a service number is called like. */
const namingCalls = (number: number): [method: 'GET' | 'POST', url: string, body?: object][] => [
  ['GET', `/services/${number}`],
  ['GET', `/services/${number}/upgrade-options`],
  ['POST', `/services/${number}/upgrade`, { new_plan: 'business' }],
  ['POST', `/services/${number}/downgrade`, { new_plan: 'no such plan' }],
  ['POST', `/services/${number}/cancel`],
  ['POST', `/services/${number}/cancellation-warning`, { warningReason: 'An invoice is overdue.' }],
  ['GET', `/requests?service_number=${number}`],
  ['POST', '/reports/invoices', { service_number: number }],
];

t.test('the fleet is what the contract says', async (t) => {
  const { get, clock } = await createSandboxWorld(t);

  t.test('nineteen services stand in the list, each like its single record', async (t) => {
    const list = await get('/services?limit=100');
    t.strictSame(numbersOf(list), FLEET);
    t.strictSame(list.json.pagination, { page: 1, perPage: 100, total: 19, totalPages: 1 });
    for (const item of list.json.data) {
      t.strictSame(keysOf(item), [...SERVICE_KEYS, ...keysOf(MARKS)].sort());
      const single = await get(`/services/${item.service_number}`);
      t.strictSame(single.json.data, item, `${item.service_number} is the same by itself`);
    }
  });

  t.test('a service is active, on starter and has an address unless its row says otherwise', async (t) => {
    const list = await get('/services?limit=100');
    const special: Record<number, object> = {
      900004: { service_status: 'cancelled' },
      900005: { service_status: 'terminated' },
      900006: { email: null },
      900010: { plan: 'flex-hourly' },
      900013: { plan: 'enterprise' },
      900014: { service_status: 'suspended' },
      900016: { service_status: 'pending' },
      900018: { plan: 'business' },
      900020: { service_status: 'pending' },
    };
    for (const { service_number: number, service_status, plan, client } of list.json.data) {
      t.strictSame(
        { service_status, plan: plan.slug, email: client.email },
        { service_status: 'active', plan: 'starter', email: `client-${number}@example.com`, ...special[number] },
        String(number),
      );
    }
  });

  t.test('every filter of the list works on the fleet', async (t) => {
    const counts: Record<string, number> = {
      'service_status=active': 14,
      'service_status=suspended': 1,
      'billing_type=hourly': 1,
      'plan=Enterprise': 1,
      'plan=pln_test_enterprise': 1,
      'plan=business': 1,
      'plan=nothing': 0,
      'client_email=CLIENT-900001@example.com': 1,
      'search=SANDBOX%20service%2090001': 9,
      'created_to=2026-01-01': 0,
      'created_from=2026-01-01': 19,
      'created_from=2026-01-01&created_to=2026-01-01T00:03:00Z': 2,
      'renewal_before=2100-01-01': 18,
      'renewal_before=2030-02-01': 4,
      'renewal_before=2030-02-01T00:00:00.001Z': 18,
    };
    for (const [query, total] of Object.entries(counts)) {
      t.equal((await get(`/services?${query}`)).json.pagination.total, total, query);
    }
    const { json } = await get('/services?page=4&perPage=5');
    t.strictSame([json.data.length, json.pagination.totalPages], [4, 4]);
  });

  t.test(
    'monthly services renew on the first of the next month, two every 20 seconds, what has ended no more',
    async (t) => {
      const renewals = async () =>
        new Map(
          (await get('/services?limit=100')).json.data.map((item: Record<string, unknown>) => [
            item.service_number,
            item.renewal_date,
          ]),
        );
      const monthly = FLEET.filter((number) => ![900004, 900005, 900010, 900013, 900018].includes(number));
      const hold = async (now: string, first: string, soon: string) => {
        clock.advance(Date.parse(now) - clock.now());
        const dates = await renewals();
        for (const number of monthly) t.equal(dates.get(number), first, `${number} at ${now}`);
        for (const number of [900013, 900018]) t.equal(dates.get(number), soon, `${number} at ${now}`);
        for (const number of [900004, 900005]) t.equal(dates.get(number), '2026-02-01T00:00:00.000Z');
        t.equal(dates.get(900010), null);
      };
      const first = '2030-02-01T00:00:00.000Z';
      await hold('2030-01-15T12:00:00Z', first, '2030-01-15T12:00:20.000Z');
      await hold('2030-01-15T12:00:19.999Z', first, '2030-01-15T12:00:20.000Z');
      await hold('2030-01-15T12:00:20Z', first, '2030-01-15T12:00:40.000Z');
      await hold('2030-01-31T23:59:59.999Z', first, first);
      await hold('2030-02-01T00:00:00Z', '2030-03-01T00:00:00.000Z', '2030-02-01T00:00:20.000Z');
      await hold('2030-12-31T23:59:41Z', '2031-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z');
    },
  );

  t.test('four plans are on sale', async (t) => {
    const { json } = await get('/plans');
    t.strictSame(
      json.data.map((plan: Record<string, unknown>) => [
        plan.id,
        plan.display_name,
        plan.upgrade_rank,
        plan.billing_type,
      ]),
      [
        ['pln_test_starter', 'Starter', 10, 'monthly'],
        ['pln_test_business', 'Business', 20, 'monthly'],
        ['pln_test_enterprise', 'Enterprise', 30, 'monthly'],
        ['pln_test_flex-hourly', 'Flex Hourly', 40, 'hourly'],
      ],
    );
    t.equal((await get('/plans?billing_type=hourly')).json.pagination.total, 1);
  });

  t.test('one sample request stands in each state, and each can be filtered for and looked up', async (t) => {
    const list = await get('/requests');
    t.strictSame(list.json.data.map((item: { request_status: string }) => item.request_status).sort(), [
      'accepted',
      'approved',
      'completed',
      'denied',
      'failed',
      'operator_review',
      'pending',
    ]);
    for (const item of list.json.data) {
      t.equal(item.request_id, `req_test_sample_${item.request_status}`);
      t.strictSame(keysOf(item), [...REQUEST_KEYS[item.type as 'cancellation'], ...keysOf(MARKS)].sort());
      const { history, ...single } = (await get(`/requests/${item.request_id}`)).json.data;
      t.strictSame(single, item);
      t.equal(history.at(-1).request_status, item.request_status, 'its history ends where it stands');
      t.equal(history.at(0).date, item.submitted_date, 'and begins with its submission');
      t.strictSame((await get(`/requests?request_status=${item.request_status}`)).json.data, [item]);
    }
    const counts: Record<string, number> = {
      'type=plan-upgrade': 3,
      'type=cancellation': 3,
      'service_number=900012': 1,
      'service_number=-9223372036854775808': 0,
      'operator_review=true': 1,
      'operator_review=false': 6,
      'submitted_from=2026-01-30': 2,
      'submitted_to=2026-01-09': 1,
      'updated_since=2026-01-29': 3,
    };
    for (const [query, total] of Object.entries(counts)) {
      t.equal((await get(`/requests?${query}`)).json.pagination.total, total, query);
    }
    t.match((await get('/services/900012')).json.data.open_request, { request_id: 'req_test_sample_pending' });
    t.match((await get('/services/900015')).json.data.cancellation, { request_id: 'req_test_sample_accepted' });
    t.match((await get('/services/900004')).json.data.cancellation, { request_id: 'req_test_sample_completed' });
  });
});

t.test('each service behaves like its row', async (t) => {
  const { get, post } = await createSandboxWorld(t);
  const upgrade = (number: number, new_plan = 'business') => post(`/services/${number}/upgrade`, { new_plan });
  const warn = (number: number) =>
    post(`/services/${number}/cancellation-warning`, { warningReason: ' An invoice is overdue. ' });

  t.test('900001: all succeeds', async (t) => {
    const warning = await warn(900001);
    t.equal(warning.status, 200);
    t.match(warning.json.data, {
      request_id: /^req_test_/,
      type: 'cancellation-warning',
      request_status: 'approved',
      service_number: 900001,
      warning_reason: 'An invoice is overdue.',
      submitted_date: MOMENT,
      processed_date: MOMENT,
    });
    const change = await upgrade(900001, 'BUSINESS');
    t.equal(change.status, 200);
    t.match(change.json.data, {
      request_status: 'accepted',
      operator_review: false,
      current_plan: { id: 'pln_test_starter' },
      new_plan: { id: 'pln_test_business' },
    });
    const cancellation = await post('/services/900001/cancel', { reason: 'The client moves.' });
    t.equal(cancellation.status, 200);
    t.match(cancellation.json.data, { type: 'cancellation', request_status: 'accepted', reason: 'The client moves.' });
    t.match((await get('/services/900001')).json.data, {
      plan: { slug: 'starter' },
      cancellation: null,
      open_request: null,
    });
    const options = (await get('/services/900001/upgrade-options')).json.data;
    t.strictSame(
      [options.available, options.unavailable.map((entry: { plan: object }) => entry.plan)].map((plans) =>
        plans.map((plan: { slug: string }) => plan.slug),
      ),
      [
        ['business', 'enterprise'],
        ['starter', 'flex-hourly'],
      ],
    );
  });

  t.test('900002 and 900003: a plan change goes to review', async (t) => {
    for (const number of [900002, 900003]) {
      const { status, json } = await upgrade(number);
      t.equal(status, 202);
      t.match(json, { message: /not submit/, data: { request_status: 'operator_review', operator_review: true } });
    }
  });

  t.test('900004 and 900005: nothing can be done with what has ended', async (t) => {
    for (const [number, reason] of [
      [900004, 'service_cancelled'],
      [900005, 'service_terminated'],
    ] as const) {
      refused(t, await warn(number), { status: 400, code: 'invalid_state', reason });
      refused(t, await post(`/services/${number}/cancel`), { status: 400, code: 'invalid_state', reason });
      refused(t, await upgrade(number), { status: 400, code: 'invalid_state', reason: 'service_not_active' });
    }
  });

  t.test('900006 to 900008: a warning fails for want of an address, a template, a provider', async (t) => {
    refused(t, await warn(900006), { status: 400, code: 'missing_customer_email' });
    refused(t, await warn(900007), { status: 400, code: 'template_not_found' });
    refused(t, await warn(900008), {
      status: 500,
      code: 'email_send_error',
      reason: 'rejected',
      details: { provider_code: '406', retryable: false },
    });
    refused(t, await warn(900017), {
      status: 500,
      code: 'email_send_error',
      reason: 'outcome_unknown',
      details: { provider_code: null, retryable: false },
    });
    t.equal((await upgrade(900007)).status, 200);
    t.equal((await warn(900001)).status, 200, 'the next call is free of all that');
  });

  t.test('900009: the warning is sent and cannot be entered into the history', async (t) => {
    const { status, json } = await warn(900009);
    t.equal(status, 200);
    t.match(json.data, { request_id: null, request_status: 'approved', service_number: 900009 });
    t.equal((await post('/services/900009/cancel')).status, 200, 'other requests are entered');
  });

  t.test('900010: an hourly service stays hourly and has no term', async (t) => {
    refused(t, await upgrade(900010), { status: 400, code: 'invalid_state', reason: 'billing_type_mismatch' });
    refused(t, await post('/services/900010/cancel'), {
      status: 400,
      code: 'invalid_parameter',
      reason: 'end_of_term_not_available',
    });
    t.equal((await post('/services/900010/cancel', { cancellation_type: 'immediate' })).status, 200);
    refused(t, await upgrade(900001, 'flex-hourly'), {
      status: 400,
      code: 'invalid_state',
      reason: 'billing_type_mismatch',
    });
  });

  t.test('900012: a plan change is open, which a cancellation may close', async (t) => {
    refused(t, await upgrade(900012), {
      status: 400,
      code: 'invalid_state',
      reason: 'plan_change_in_progress',
      details: { request_id: 'req_test_sample_pending' },
    });
    t.equal((await post('/services/900012/cancel')).status, 200);
    t.equal((await get('/requests/req_test_sample_pending')).json.data.request_status, 'pending');
  });

  t.test('900013: can be downgraded and not upgraded', async (t) => {
    const { status, json } = await post('/services/900013/downgrade', { new_plan: 'business' });
    t.equal(status, 200);
    t.match(json.data, { type: 'plan-downgrade', request_status: 'accepted', new_plan: { slug: 'business' } });
    refused(t, await upgrade(900013), { status: 400, code: 'invalid_parameter', reason: 'plan_rank_not_higher' });
  });

  t.test('900014 to 900016: suspended, scheduled to be cancelled, pending', async (t) => {
    for (const number of [900014, 900016]) {
      refused(t, await upgrade(number), { status: 400, code: 'invalid_state', reason: 'service_not_active' });
      t.equal((await warn(number)).status, 200);
      t.equal((await post(`/services/${number}/cancel`)).status, 200);
    }
    refused(t, await upgrade(900015), { status: 400, code: 'invalid_state', reason: 'cancellation_scheduled' });
    refused(t, await post('/services/900015/cancel'), {
      status: 400,
      code: 'invalid_state',
      reason: 'cancellation_scheduled',
      details: { request_id: 'req_test_sample_accepted' },
    });
    t.equal((await warn(900015)).status, 200);
  });

  t.test('900020: is what creating a service answers, every time', async (t) => {
    const body = { plan: 'Business', client: { name: 'Ada Example', email: 'ada@example.com' } };
    const first = await post('/services', body);
    const second = await post('/services', body);
    for (const { status, json } of [first, second]) {
      t.equal(status, 201);
      t.match(json.data, {
        type: 'service-creation',
        request_status: 'accepted',
        service_number: 900020,
        service_status: 'pending',
        new_plan: { id: 'pln_test_business' },
      });
    }
    t.not(first.json.data.request_id, second.json.data.request_id);
    refused(t, await post('/services', { ...body, plan: 'nothing' }), {
      status: 400,
      code: 'invalid_parameter',
      reason: 'plan_not_available',
    });
  });

  t.test('plan names and ranks are judged as in live', async (t) => {
    refused(t, await upgrade(900001, 'starter'), { status: 400, code: 'invalid_parameter', reason: 'plan_is_current' });
    refused(t, await upgrade(900001, 'nothing'), {
      status: 400,
      code: 'invalid_parameter',
      reason: 'plan_not_available',
    });
    refused(t, await post('/services/900001/downgrade', { new_plan: 'business' }), {
      status: 400,
      code: 'invalid_parameter',
      reason: 'plan_rank_not_lower',
    });
  });
});

t.test('900429 and 900500 refuse every operation that names them', async (t) => {
  const { call, key, post } = await createSandboxWorld(t);
  const limited = {
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Rate limit exceeded',
    details: { limit: 120, window_seconds: 60, retry_after_seconds: 1 },
  };
  for (const [method, url, body] of namingCalls(900429)) {
    const answer = await call(key, method, url, { body });
    refused(t, answer, limited, `${method} ${url}`);
    t.equal(answer.headers['retry-after'], '1');
  }
  for (const [method, url, body] of namingCalls(900500)) {
    refused(t, await call(key, method, url, { body }), { status: 500, code: 'server_error' }, `${method} ${url}`);
  }

  t.test('after validation', async (t) => {
    for (const number of [900429, 900500]) {
      refused(t, await post(`/services/${number}/upgrade`), {
        status: 400,
        code: 'missing_parameter',
        fields: ['body.new_plan required'],
      });
    }
  });

  t.test('after the idempotency key, under which nothing is kept', async (t) => {
    const header = { 'x-idempotency-key': 'a refused call' };
    refused(t, await post('/services/900429/cancel', {}, header), limited);
    refused(t, await post('/services/900500/cancel', {}, header), { status: 500, code: 'server_error' });
    const first = await post('/services/900001/cancel', {}, header);
    t.strictSame([first.status, first.headers['idempotent-replayed']], [200, undefined], 'the key is still free');
    for (const number of [900429, 900500]) {
      refused(t, await post(`/services/${number}/cancel`, {}, header), {
        status: 409,
        code: 'already_processed',
        reason: 'idempotency_key_reused',
      });
    }
  });
});

t.test('samples stay as they are, whatever is decided', async (t) => {
  const { get, post } = await createSandboxWorld(t);
  const pending = (await get('/requests/req_test_sample_pending')).json;

  for (const _ of [1, 2]) {
    const approved = await post('/requests/req_test_sample_pending/approve', { reason: 'Agreed.' });
    t.equal(approved.status, 200);
    t.match(approved.json.data, {
      request_id: 'req_test_sample_pending',
      request_status: 'accepted',
      decision: { action: 'approve', decided_by: 'broker', reason: 'Agreed.' },
    });
    const denied = await post('/requests/req_test_sample_pending/deny', { reason: 'Not now.' });
    t.equal(denied.status, 200);
    t.match(denied.json.data, { request_status: 'denied', is_final: true, decision: { action: 'deny' } });
    t.strictSame((await get('/requests/req_test_sample_pending')).json, pending);
  }

  for (const name of ['accepted', 'completed', 'failed', 'approved', 'denied']) {
    const { processed_date, decision } = (await get(`/requests/req_test_sample_${name}`)).json.data;
    for (const verb of ['approve', 'deny']) {
      refused(t, await post(`/requests/req_test_sample_${name}/${verb}`, { reason: 'Because.' }), {
        status: 409,
        code: 'already_processed',
        reason: 'request_already_processed',
        details: { request_status: name, processed_date, decision },
      });
    }
  }
  refused(t, await post('/requests/req_test_sample_operator_review/approve'), {
    status: 400,
    code: 'invalid_state',
    reason: 'awaiting_operator',
  });
});

t.test('samples can be withdrawn by the rules, and stay as they are', async (t) => {
  const { get, post } = await createSandboxWorld(t);
  const withdraw = (name: string) => post(`/requests/req_test_sample_${name}/withdraw`, { reason: 'A rehearsal.' });
  const before = (await get('/requests')).json;
  for (const _ of [1, 2]) {
    t.match((await withdraw('accepted')).json.data, { request_status: 'failed', failure: { reason: 'withdrawn' } });
    t.match((await withdraw('operator_review')).json.data, {
      request_status: 'denied',
      decision: { reason: 'withdrawn' },
    });
    t.strictSame((await get('/requests')).json, before);
  }
  refused(t, await withdraw('pending'), { status: 400, code: 'invalid_state', reason: 'awaiting_decision' });
  for (const name of ['completed', 'failed', 'approved', 'denied']) {
    const answer = await withdraw(name);
    t.match([answer.status, answer.json.error.code], [409, 'already_processed'], name);
  }
});

t.test('calls of one moment do not see one another', async (t) => {
  const world = await createSandboxWorld(t);
  const calls = [900001, 900007, 900008, 900009, 900429].flatMap(namingCalls);
  const answerTo = async ([method, url, body]: (typeof calls)[number]) => {
    const { status, json } = await world.call(world.key, method, url, { body });
    return [url, status, json.error?.code, json.data?.request_id === null];
  };
  const alone = [];
  for (const one of calls) alone.push(await answerTo(one));
  t.strictSame(await Promise.all(calls.map(answerTo)), alone);
  t.strictSame(await Promise.all(calls.toReversed().map(answerTo)), alone.toReversed());
});

t.test('live records are invisible, and simulated ones to live keys', async (t) => {
  const { call, liveKey, service, get, post } = await createSandboxWorld(t);
  refused(t, await get(`/services/${service.number}`), NO_SERVICE);
  refused(t, await post(`/services/${service.number}/cancel`), NO_SERVICE);
  refused(t, await get('/services/9007199254740993'), NO_SERVICE);
  refused(t, await call(liveKey, 'GET', '/services/900001'), NO_SERVICE);
  refused(t, await call(liveKey, 'GET', '/requests/req_test_sample_pending'), NO_REQUEST);
  t.equal((await get('/services?client_email=ada@example.com')).json.pagination.total, 0);
  refused(t, await post(`/services/900001/upgrade`, { new_plan: 'Live Starter' }), {
    status: 400,
    code: 'invalid_parameter',
    reason: 'plan_not_available',
  });
});

t.test('idempotency keys act as in live and never meet them', async (t) => {
  const world = await createSandboxWorld(t);
  const { post, liveKey, service, broker, clock } = world;
  const header = { 'x-idempotency-key': 'one intention' };
  const target = '/services/900001/upgrade';

  t.test('the first answer is repeated byte for byte, later and to equal calls at once', async (t) => {
    const first = await post(target, { new_plan: 'business' }, header);
    clock.advance(60_000);
    const again = await post(target, { new_plan: 'business' }, header);
    t.equal(again.raw, first.raw);
    t.strictSame([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true']);

    const many = await Promise.all(
      Array.from({ length: 20 }, () =>
        world.call(world.key, 'POST', '/requests/req_test_sample_pending/approve', {
          headers: { 'x-idempotency-key': 'many at once' },
        }),
      ),
    );
    t.equal(new Set(many.map(({ raw }) => raw)).size, 1);
    t.equal(many.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1);
  });

  t.test('other input under the same key is refused, and said to be ignored at creation', async (t) => {
    refused(t, await post(target, { new_plan: 'enterprise' }, header), {
      status: 409,
      code: 'already_processed',
      reason: 'idempotency_key_reused',
    });
    const body = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
    const first = await post('/services', body, header);
    const other = await post('/services', { ...body, plan: 'enterprise' }, header);
    t.equal(other.status, 201);
    t.match(other.json.message, /ignored/);
    t.strictSame(other.json.data, first.json.data);
    t.equal((await post('/services', body, header)).raw, first.raw);
  });

  t.test('a denial and a warning take no key', async (t) => {
    const denied = await post('/requests/req_test_sample_pending/deny', { reason: 'No.' }, header);
    const warned = await post('/services/900001/cancellation-warning', { warningReason: 'Overdue.' }, header);
    t.strictSame([denied.status, warned.status], [200, 200]);
  });

  t.test('a live key does its own work under the same idempotency key', async (t) => {
    const live = await world.app.inject({
      method: 'POST',
      url: `/api/v1/services/${service.number}/cancel`,
      headers: { authorization: `Bearer ${liveKey}`, ...header },
    });
    t.equal(live.statusCode, 200);
    t.equal(live.headers['idempotent-replayed'], undefined);
    t.equal((await requestsOf(world, broker)).length, 1);
  });
});

t.test('reports go to the real addresses of the broker, by name only', async (t) => {
  const { post, store, broker } = await createSandboxWorld(t);
  const email = 'books@example.com';
  await store.tx((tx) => tx.brokers.addRecipient({ brokerId: broker.id, email, emailFolded: email, createdAt: 0 }));
  const services = await post('/reports/services', { service_status: 'active' });
  t.equal(services.status, 200);
  t.match(services.json.data, { report_status: 'sent', recipient_email: 'office@example.com', row_count: 14 });
  const invoices = await post('/reports/invoices', { recipient_email: 'BOOKS@example.com', service_number: 900008 });
  t.equal(invoices.status, 200);
  t.match(invoices.json.data, { type: 'invoices-report', recipient_email: 'books@example.com', row_count: 0 });
  refused(t, await post('/reports/services', { recipient_email: 'contact@broker.example' }), {
    status: 400,
    code: 'invalid_parameter',
    reason: 'recipient_not_verified',
    fields: ['body.recipient_email enum'],
  });
});

t.test('both access checks are real', async (t) => {
  const { get, post, broker } = await createSandboxWorld(t);
  for (const { json } of [await get('/auth-check'), await post('/auth-check')]) {
    t.match(json.data, { authenticated: true, mode: 'test', broker: { broker_id: broker.id, name: broker.name } });
  }
});

t.test('firewall, rate limit and scopes act as in live', async (t) => {
  const { call, addKey, broker, addBroker } = await createSandboxWorld(t);
  const { key: reader } = await addKey(broker, ['services:read'], { mode: 'test', rateLimit: 3 });
  refused(t, await call(reader, 'POST', '/services/900001/cancel'), {
    status: 403,
    code: 'insufficient_permissions',
    message: 'Missing required scope',
    reason: 'missing_scope',
    details: { required_scopes: ['admin:full'], granted_scopes: ['services:read'] },
  });
  t.equal((await call(reader, 'GET', '/services/900001')).headers['x-ratelimit-remaining'], '1');
  t.equal((await call(reader, 'GET', '/services/900500')).status, 500);
  refused(t, await call(reader, 'GET', '/services/900001'), {
    status: 429,
    code: 'rate_limit_exceeded',
    details: { limit: 3, window_seconds: 60, retry_after_seconds: 60 },
  });

  const walled = await addBroker({ ipRestrictionEnabled: true });
  const { key: outside } = await addKey(walled, ['admin:full'], { mode: 'test' });
  refused(t, await call(outside, 'GET', '/services/900001'), {
    status: 403,
    code: 'insufficient_permissions',
    message: 'IP address not whitelisted',
    reason: 'ip_not_whitelisted',
    details: { client_ip: '127.0.0.1' },
  });
});

t.test('every error code can be met with sandbox keys', async (t) => {
  const { call, key, addKey, broker } = await createSandboxWorld(t);
  const { key: scopeless } = await addKey(broker, [], { mode: 'test' });
  const warning = (number: number | string) => `/services/${number}/cancellation-warning`;
  const body = { warningReason: 'An invoice is overdue.' };
  const json = { 'content-type': 'application/json' };
  const calls: [code: ErrorCode, status: number, by: string, method: 'GET' | 'POST', url: string, more?: object][] = [
    ['invalid_request', 400, key, 'POST', warning(900001), { body: '{', headers: json }],
    ['missing_parameter', 400, key, 'POST', warning(900001), { body: {} }],
    ['invalid_parameter', 400, key, 'POST', warning('abc'), { body }],
    ['invalid_state', 400, key, 'POST', warning(900004), { body }],
    ['missing_customer_email', 400, key, 'POST', warning(900006), { body }],
    ['template_not_found', 400, key, 'POST', warning(900007), { body }],
    ['authentication_failed', 401, `${key}x`, 'GET', '/auth-check'],
    ['insufficient_permissions', 403, scopeless, 'POST', '/auth-check'],
    ['not_found', 404, key, 'POST', warning(1), { body }],
    ['already_processed', 409, key, 'POST', '/requests/req_test_sample_denied/approve'],
    ['rate_limit_exceeded', 429, key, 'POST', warning(900429), { body }],
    ['email_send_error', 500, key, 'POST', warning(900008), { body }],
    ['server_error', 500, key, 'POST', warning(900500), { body }],
  ];
  for (const [code, status, by, method, url, more] of calls) {
    const answer = await call(by, method, url, more);
    t.strictSame([answer.json.error.code, answer.status], [code, status], `${method} ${url}`);
  }
  t.strictSame(
    calls.map(([code]) => code),
    ERROR_CODES,
  );
});

t.test('a database without the secret of the ids is refused at the start', async (t) => {
  const { store, clock, context } = await createSandboxWorld(t);
  const { settings } = store.read;
  const bare = { ...store, read: { ...store.read, settings: { ...settings, find: async () => null } } };
  await t.rejects(
    createSandbox({
      store: bare,
      live: {} as never,
      templates,
      clock,
      newId: context.newId,
    }),
    { message: /sandbox_secret/ },
  );
});
