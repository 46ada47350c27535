import t from 'tap';
import { createOperations } from '../../src/operations/operations.ts';
import type { Scenario } from '../../src/sandbox/request-ids.ts';
import { createScenarioIds } from '../../src/sandbox/scenario-ids.ts';
import { createSandbox } from '../../src/sandbox/simulate.ts';
import { templates } from '../support/renderer.ts';
import { createSandboxWorld } from '../support/sandbox.ts';
import { iso, NO_REQUEST, refused } from '../support/v1.ts';

t.test('a simulated request comes along with the time', async (t) => {
  const { get, post, clock } = await createSandboxWorld(t);
  const submit = async (url: string, body: object) => (await post(url, body)).json.data.request_id as string;
  const stateOf = async (id: string) => (await get(`/requests/${id}`)).json.data;
  const statesOf = (record: { history: { request_status: string }[] }) =>
    record.history.map(({ request_status }) => request_status);

  t.test('what is accepted is completed after ten seconds and not before', async (t) => {
    const start = clock.now();
    const client = { name: 'Ada Example', email: 'ada@example.com' };
    const ids = {
      upgrade: await submit('/services/900001/upgrade', { new_plan: 'enterprise' }),
      atOnce: await submit('/services/900001/cancel', { cancellation_type: 'immediate' }),
      atOnceInShortTerms: await submit('/services/900013/cancel', { cancellation_type: 'immediate' }),
      creation: await submit('/services', { plan: 'flex-hourly', client }),
    };
    const expected: Record<keyof typeof ids, object> = {
      upgrade: { type: 'plan-upgrade', current_plan: { slug: 'starter' }, new_plan: { slug: 'enterprise' } },
      atOnce: { type: 'cancellation', cancellation_type: 'immediate', reason: null },
      atOnceInShortTerms: { type: 'cancellation', cancellation_type: 'immediate', service_number: 900013 },
      creation: { type: 'service-creation', service_number: 900020, new_plan: { slug: 'flex-hourly' } },
    };
    const names = Object.keys(ids) as (keyof typeof ids)[];
    for (const [elapsed, seconds] of [
      [0, 10],
      [8_500, 2],
      [1_499, 1],
    ] as const) {
      clock.advance(elapsed);
      for (const name of names) {
        const record = await stateOf(ids[name]);
        t.match(record, {
          ...expected[name],
          request_id: ids[name],
          request_status: 'accepted',
          submitted_date: iso(start),
          updated_date: iso(start),
          is_final: false,
          next_check_seconds: seconds,
        });
        t.strictSame(statesOf(record), ['accepted'], `${name} after ${elapsed} ms`);
      }
    }
    for (const elapsed of [1, 400 * 86_400_000]) {
      clock.advance(elapsed);
      for (const name of names) {
        const record = await stateOf(ids[name]);
        t.match(record, {
          ...expected[name],
          request_status: 'completed',
          processed_date: iso(start + 10_000),
          is_final: true,
          next_check_seconds: null,
          failure: null,
        });
        t.strictSame(statesOf(record), ['accepted', 'completed'], `${name} after ${elapsed} ms more`);
      }
    }
    refused(t, await post(`/requests/${ids.upgrade}/approve`), {
      status: 409,
      code: 'already_processed',
      reason: 'request_already_processed',
      details: { request_status: 'completed', processed_date: iso(start + 10_000), decision: null },
    });
  });

  t.test('900002: the operator accepts after twenty seconds, and the work takes ten more', async (t) => {
    const start = clock.now();
    const id = await submit('/services/900002/upgrade', { new_plan: 'business' });
    clock.advance(19_999);
    t.match(await stateOf(id), {
      request_status: 'operator_review',
      operator_review: true,
      effective_date: null,
      decision: null,
      next_check_seconds: 1,
    });
    refused(t, await post(`/requests/${id}/deny`, { reason: 'Too late.' }), {
      status: 400,
      code: 'invalid_state',
      reason: 'awaiting_operator',
    });
    clock.advance(1);
    const decision = { action: 'accept', decided_by: 'operator', reason: null, decided_date: iso(start + 20_000) };
    t.match(await stateOf(id), {
      request_status: 'accepted',
      operator_review: false,
      effective_date: iso(start + 20_000),
      processed_date: null,
      next_check_seconds: 10,
      decision,
    });
    clock.advance(9_999);
    t.equal((await stateOf(id)).request_status, 'accepted');
    clock.advance(1);
    const done = await stateOf(id);
    t.match(done, { request_status: 'completed', processed_date: iso(start + 30_000), decision });
    t.strictSame(statesOf(done), ['operator_review', 'accepted', 'completed']);
  });

  t.test('900003: the operator denies after twenty seconds', async (t) => {
    const start = clock.now();
    const id = await submit('/services/900003/upgrade', { new_plan: 'business' });
    clock.advance(19_999);
    t.equal((await stateOf(id)).request_status, 'operator_review');
    clock.advance(1);
    const denied = await stateOf(id);
    t.match(denied, {
      request_status: 'denied',
      processed_date: iso(start + 20_000),
      decision: { action: 'deny', decided_by: 'operator' },
    });
    clock.advance(10_000);
    t.strictSame(await stateOf(id), denied, 'and it stays that way');
  });

  t.test('900011: the work of a plan change fails, that of a cancellation does not', async (t) => {
    const start = clock.now();
    const id = await submit('/services/900011/upgrade', { new_plan: 'business' });
    const cancellation = await submit('/services/900011/cancel', { cancellation_type: 'immediate' });
    clock.advance(9_999);
    t.equal((await stateOf(id)).request_status, 'accepted');
    clock.advance(1);
    const failed = await stateOf(id);
    const sample = await stateOf('req_test_sample_failed');
    t.match(failed, { request_status: 'failed', processed_date: iso(start + 10_000), failure: sample.failure });
    t.strictSame(
      failed.history.map(({ date: _, ...line }: { date: string }) => line),
      sample.history.map(({ date: _, ...line }: { date: string }) => line),
      'the sample tells the same story',
    );
    t.equal((await stateOf(cancellation)).request_status, 'completed');
  });

  t.test('900002 and 900003 review plan changes alone', async (t) => {
    const id = await submit('/services/900003/cancel', { cancellation_type: 'immediate' });
    clock.advance(10_000);
    t.equal((await stateOf(id)).request_status, 'completed');
  });

  t.test('what waits for the end of a term is done when the month ends', async (t) => {
    const answer = await post('/services/900001/cancel');
    t.match(answer.json.data, { effective_date: '2031-03-01T00:00:00.000Z', next_check_seconds: 3600 });
    const id = answer.json.data.request_id;
    clock.advance(Date.parse('2031-03-01') - clock.now() - 1_500);
    t.match(await stateOf(id), { request_status: 'accepted', next_check_seconds: 2 });
    clock.advance(1_500);
    t.match(await stateOf(id), { request_status: 'completed', processed_date: '2031-03-01T00:00:00.000Z' });
    t.match((await get('/services/900001')).json.data, {
      renewal_date: '2031-04-01T00:00:00.000Z',
      cancellation: null,
    });
    clock.advance(40 * 86_400_000);
    t.match(await stateOf(id), { request_status: 'completed', effective_date: '2031-03-01T00:00:00.000Z' });
  });

  t.test('900013: the end of its term comes every 20 seconds', async (t) => {
    clock.advance(20_000 - (clock.now() % 20_000) + 12_000);
    const endsAt = clock.now() + 8_000;
    t.match((await get('/services/900013')).json.data, { renewal_date: iso(endsAt) });
    const ends = { effective_date: iso(endsAt), next_check_seconds: 8 };
    const cancellation = await post('/services/900013/cancel');
    t.match(cancellation.json.data, ends);
    const downgrade = await post('/services/900013/downgrade', { new_plan: 'starter' });
    t.match(downgrade.json.data, ends);
    const ids = [cancellation.json.data.request_id, downgrade.json.data.request_id];
    clock.advance(7_999);
    for (const id of ids) t.match(await stateOf(id), { request_status: 'accepted', next_check_seconds: 1 });
    clock.advance(1);
    for (const id of ids) {
      t.match(await stateOf(id), { request_status: 'completed', processed_date: iso(endsAt) });
    }
    t.match((await get('/services/900013')).json.data, { renewal_date: iso(endsAt + 20_000) });
  });

  t.test('900018: a downgrade is reviewed, accepted, and done when the term after that ends', async (t) => {
    clock.advance(20_000 - (clock.now() % 20_000) + 3_000);
    const start = clock.now();
    const answer = await post('/services/900018/downgrade', { new_plan: 'starter' });
    t.equal(answer.status, 202);
    t.match(answer.json.data, { request_status: 'operator_review', effective_date: null, next_check_seconds: 20 });
    const id = answer.json.data.request_id;
    clock.advance(20_000);
    t.match(await stateOf(id), {
      request_status: 'accepted',
      effective_date: iso(start + 37_000),
      next_check_seconds: 17,
    });
    clock.advance(16_999);
    t.equal((await stateOf(id)).request_status, 'accepted');
    clock.advance(1);
    t.match(await stateOf(id), { request_status: 'completed', processed_date: iso(start + 37_000) });
  });

  t.test('900018: an upgrade is reviewed too, and done ten seconds after its acceptance', async (t) => {
    const answer = await post('/services/900018/upgrade', { new_plan: 'enterprise' });
    t.equal(answer.status, 202);
    clock.advance(29_999);
    t.equal((await stateOf(answer.json.data.request_id)).request_status, 'accepted');
    clock.advance(1);
    t.equal((await stateOf(answer.json.data.request_id)).request_status, 'completed');
  });

  t.test(
    'what was asked for can be withdrawn until five seconds before its work ends, and its story goes on',
    async (t) => {
      clock.advance(20_000 - (clock.now() % 20_000));
      const begun = { status: 400, code: 'invalid_state', reason: 'work_has_begun' };
      const client = { name: 'Ada Example', email: 'ada@example.com' };
      const ids = {
        upgrade: await submit('/services/900001/upgrade', { new_plan: 'business' }),
        creation: await submit('/services', { plan: 'starter', client }),
        endOfTerm: await submit('/services/900013/cancel', {}),
        reviewed: await submit('/services/900002/upgrade', { new_plan: 'business' }),
      };
      const withdraw = (id: string, body: object = {}, headers = {}) => post(`/requests/${id}/withdraw`, body, headers);
      clock.advance(4_999);
      for (const id of Object.values(ids)) {
        const { status, json } = await withdraw(id, { reason: 'The client has paid.' });
        t.equal(status, 200);
        t.match(json.data, { request_id: id, is_final: true, next_check_seconds: null });
        t.match(await stateOf(id), { is_final: false }, 'no later GET knows of it');
      }
      t.match((await withdraw(ids.creation)).json.data, { failure: { reason: 'withdrawn', service_usable: false } });
      t.match((await withdraw(ids.reviewed)).json.data, {
        request_status: 'denied',
        decision: { reason: 'withdrawn', decided_by: 'broker' },
      });
      const header = { 'x-idempotency-key': 'second thoughts' };
      const first = await withdraw(ids.upgrade, {}, header);

      clock.advance(1);
      for (const id of [ids.upgrade, ids.creation]) refused(t, await withdraw(id), begun);
      t.equal((await withdraw(ids.upgrade, {}, header)).raw, first.raw, 'an answer that was given is given again');
      clock.advance(5_000);
      refused(t, await withdraw(ids.upgrade), {
        status: 409,
        code: 'already_processed',
        reason: 'request_already_processed',
        details: { request_status: 'completed', processed_date: iso(clock.now()), decision: null },
      });
      clock.advance(4_999);
      t.equal((await withdraw(ids.endOfTerm)).status, 200);
      t.equal((await withdraw(ids.reviewed)).status, 200);
      clock.advance(1);
      refused(t, await withdraw(ids.endOfTerm), begun);
      clock.advance(10_000);
      refused(t, await withdraw(ids.reviewed), begun, 'accepted by the operator, and under way');
    },
  );

  t.test('a warning is final at once', async (t) => {
    const id = await submit('/services/900016/cancellation-warning', { warningReason: 'Overdue.' });
    t.match(await stateOf(id), { type: 'cancellation-warning', request_status: 'approved', is_final: true });
  });
});

t.test('ids of simulated requests', async (t) => {
  const world = await createSandboxWorld(t);
  const { get, post, call, addBroker, addKey, store, clock, context, broker } = world;
  const submit = async (number = 900001) =>
    (await post(`/services/${number}/upgrade`, { new_plan: 'business' })).json.data.request_id as string;

  t.test('differ for equal calls of one moment', async (t) => {
    const many = await Promise.all(Array.from({ length: 50 }, () => submit()));
    t.equal(new Set(many).size, 50);
  });

  t.test('are believed only as they were given, and only from whom they were given to', async (t) => {
    const id = await submit();
    t.match(id, /^req_test_u-900001-business-[0-9a-z]+-[0-9A-Z]{6}-[0-9a-f]{24}$/);
    const signature = id.slice(-24);
    const forged = [
      id.slice(0, -1),
      `${id}0`,
      id.slice(0, -24),
      id.slice(0, -25),
      `${id.slice(0, -24)}${'0'.repeat(24)}`,
      `${id.slice(0, -24)}${signature.toUpperCase()}`,
      id.toUpperCase(),
      id.replace('req_test_', 'req_'),
      id.replace('-u-', '-d-').replace('_u-', '_d-'),
      id.replace('900001', '900002'),
      id.replace('900001', '0900001'),
      id.replace('900001', '99999999999999999999999'),
      id.replace('business', 'enterprise'),
      id.replace('business', ''),
      id.replace('business', '..%2Fbusiness'),
      `${id}%0a`,
      `%20${id}`,
      `req_test_${'a-'.repeat(450)}${signature}`,
      'req_test_sample_nothing',
      'req_test_',
      'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'toString',
      '__proto__',
    ];
    // Each character of the id counts.
    for (let index = 'req_test_'.length; index < id.length; index += 1) {
      const other = id[index] === '0' ? '1' : '0';
      forged.push(`${id.slice(0, index)}${other}${id.slice(index + 1)}`);
    }
    for (const text of forged) refused(t, await world.call(world.key, 'GET', `/requests/${text}`), NO_REQUEST, text);
    for (const text of forged.slice(0, 6)) {
      refused(t, await post(`/requests/${text}/approve`), NO_REQUEST);
      refused(t, await post(`/requests/${text}/deny`, { reason: 'No.' }), NO_REQUEST);
    }

    const stranger = await addKey(await addBroker(), ['admin:full'], { mode: 'test' });
    refused(t, await call(stranger.key, 'GET', `/requests/${id}`), NO_REQUEST);
    refused(t, await call(world.liveKey, 'GET', `/requests/${id}`), NO_REQUEST);
    const colleague = await addKey(broker, ['requests:read'], { mode: 'test' });
    t.equal((await call(colleague.key, 'GET', `/requests/${id}`)).raw, (await get(`/requests/${id}`)).raw);
  });

  t.test('are understood alike by every instance on the same database', async (t) => {
    const other = await createSandbox({
      store,
      live: createOperations(context),
      templates,
      clock,
      newId: context.newId,
    });
    t.teardown(() => other.close());
    for (const number of [900001, 900002, 900003, 900011]) {
      const id = await submit(number);
      for (const elapsed of [0, 10_000, 10_000, 10_000]) {
        clock.advance(elapsed);
        const here = (await get(`/requests/${id}`)).json.data;
        const there = await other.operations.getRequest({ brokerId: broker.id }, { requestId: id });
        t.strictSame(there, { statusCode: 200, data: here });
      }
    }
  });

  t.test('tell every scenario in full, under a secret', (t) => {
    const scenario: Scenario = {
      type: 'plan-upgrade',
      serviceNumber: 900001,
      variant: 'flex-hourly',
      submittedAt: Date.UTC(2030, 0, 1),
      nonce: '0A1B2C',
    };
    const ids = createScenarioIds('secret');
    for (const type of [
      'plan-upgrade',
      'plan-downgrade',
      'cancellation',
      'service-creation',
      'cancellation-warning',
    ] as const) {
      for (const variant of ['flex-hourly', 'end_of_term', '']) {
        const told = { ...scenario, type, variant };
        t.strictSame(ids.decode('brk_a', ids.encode('brk_a', told)), told);
      }
    }
    const id = ids.encode('brk_a', scenario);
    t.equal(ids.decode('brk_b', id), undefined, 'another broker');
    t.equal(createScenarioIds('other').decode('brk_a', id), undefined, 'another secret');
    t.ok(id.length <= 100);
    t.end();
  });
});
