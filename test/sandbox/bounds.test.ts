import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { getRequest } from '../../src/broker/get-request.ts';
import { upgradeService } from '../../src/broker/submit-request.ts';
import { updateService } from '../../src/broker/update-service.ts';
import { openSandboxStore } from '../../src/compose.ts';
import { createSandboxes } from '../../src/sandbox/sandbox.ts';
import type { Store } from '../../src/store/store.ts';
import { createSandboxWorld } from '../support/sandbox.ts';
import { refused } from '../support/v1.ts';

const client = { name: 'Ada Example', email: 'ada@example.com' };
const DAY_MS = 86_400_000;

async function opened(t: Test) {
  const world = await createSandboxWorld(t);
  const database = { kind: 'sqlite' as const, file: `${world.directory}/broker.db` };
  const openStore = () => openSandboxStore({ database }, world, () => undefined);
  const store = await openStore();
  t.teardown(() => store.close());
  return { ...world, world, store, openStore };
}

t.test(
  'beyond its bounds a sandbox refuses what a call would add, behind every other check, until a reset',
  async (t) => {
    const { get, post, clock, broker, store } = await opened(t);
    await get('/sandbox');
    const creation = { plan: 'starter', client };
    const full = (limit: number) => ({
      status: 400,
      code: 'invalid_state',
      reason: 'sandbox_full',
      details: { limit },
    });
    await store.tx(async (tx) => {
      const model = await tx.services.find(broker.id, 900001);
      if (!model) throw new Error('the sandbox is seeded');
      const rows = Array.from({ length: 975 }, (_, index) => ({ ...model, number: 950001 + index }));
      await tx.services.insert(rows.slice(0, 500));
      await tx.services.insert(rows.slice(500));
      await tx.sandboxes.update(broker.id, { nextNumber: 950001 + rows.length });
    });
    const borrowing = { ...creation, external_reference: 'like-900022' };
    const last = await post('/services', borrowing, { 'x-idempotency-key': 'last' });
    t.equal(last.status, 201, 'the thousandth');
    refused(t, await post('/services', { ...creation, plan: 'none' }), {
      status: 400,
      code: 'invalid_parameter',
      reason: 'plan_not_available',
    });
    refused(t, await post('/services', creation), full(1000));

    const [view] = await store.read.requests.page(broker.id, { status: 'completed' }, { limit: 1, offset: 0 });
    if (!view) throw new Error('the sandbox begins with one');
    const count = async () => (await get('/sandbox')).json.data.requests.count as number;
    const missing = 10_000 - (await count());
    await store.tx(async (tx) => {
      for (let n = 0; n < missing; n += 1)
        await tx.requests.insert({ ...view.request, id: `req_a_${n}`, submittedAt: n });
    });
    refused(t, await post('/services/900004/cancel'), {
      status: 400,
      code: 'invalid_state',
      reason: 'service_cancelled',
    });
    refused(t, await post('/services/900001/cancel'), full(10_000));
    t.equal(
      (await post('/services', borrowing, { 'x-idempotency-key': 'last' })).raw,
      last.raw,
      'a replay adds nothing',
    );
    clock.advance(10_000);
    t.equal(await count(), 10_001, 'what the sandbox adds by itself is never refused');
    await post('/sandbox/reset');
    t.equal((await post('/services', creation)).status, 201);
  },
);

t.test('of the idempotency keys of a sandbox the last ten thousand are kept', async (t) => {
  const { post, get, broker, directory, store } = await opened(t);
  await get('/sandbox');
  const record = { brokerId: broker.id, mode: 'test' as const, namespace: 'action' as const, fingerprint: 'x' };
  await store.tx(async (tx) => {
    for (let n = 0; n < 10_200; n += 1) {
      const row = { ...record, key: `old ${n}`, createdAt: n + 1, expiresAt: null };
      await tx.idempotency.complete(row, { statusCode: 200, body: '{}' });
    }
  });
  // One of any hundred calls counts them.
  for (let n = 0; n < 100; n += 1) {
    const { status } = await post('/services', { plan: 'starter', client }, { 'x-idempotency-key': `new ${n}` });
    if (status !== 201) throw new Error(`the call was answered with ${status}`);
  }
  const database = new Sqlite(`${directory}/broker.sandbox.db`, { readonly: true });
  t.teardown(() => database.close());
  const total = (where: string) =>
    database.prepare(`select count(*) from idempotency_records where ${where}`).pluck().get() as number;
  t.ok(total('1') <= 10_100 && total('1') > 9_900, String(total('1')));
  t.equal(total("key = 'old 0'"), 0);
  t.equal(total("key like 'new %'"), 100);
});

t.test('a sandbox that was not called for ninety days is removed when another one is called', async (t) => {
  const { get, clock, world, store } = await opened(t);
  const other = await world.addBroker();
  const { key } = await world.addKey(other, ['admin:full'], { mode: 'test' });
  await world.call(key, 'GET', '/sandbox');
  await get('/sandbox');
  clock.advance(89 * DAY_MS);
  await get('/sandbox');
  t.not(await store.read.sandboxes.find(other.id), null);
  clock.advance(2 * DAY_MS);
  await get('/sandbox');
  t.equal(await store.read.sandboxes.find(other.id), null);
});

t.test('what the rules no longer allow is denied by the operator of the sandbox, with that reason', async (t) => {
  const { get, post, clock } = await opened(t);
  const { request_id: id } = (await post('/services/900002/upgrade', { new_plan: 'enterprise' })).json.data;
  t.equal((await post('/services/900002/suspend')).status, 200);
  clock.advance(20_000);
  const { json } = await get(`/requests/${id}`);
  t.match(json.data, { request_status: 'denied', decision: { decided_by: 'operator', reason: 'service_not_active' } });
});

t.test('the client of an hourly service asks for its end at once', async (t) => {
  const { get, post, clock } = await opened(t);
  const reference = { external_reference: 'like-900023' };
  const { service_number: number } = (await post('/services', { plan: 'flex-hourly', client, ...reference })).json.data;
  clock.advance(10_000);
  const { open_request: open } = (await get(`/services/${number}`)).json.data;
  t.match((await get(`/requests/${open.request_id}`)).json.data, {
    type: 'cancellation',
    cancellation_type: 'immediate',
  });
});

/** Sandboxes whose store a test holds in its hands. */
async function held(t: Test) {
  const { world, broker, openStore, clock } = await opened(t);
  let fault: Error | undefined;
  let beforeChange: () => void = () => undefined;
  const sandboxes = createSandboxes({
    openStore: async () => {
      if (fault) throw fault;
      // The broker's own view of the store (`for`) would not be in the test's hands.
      const { for: _, ...store }: Store = await openStore();
      return {
        ...store,
        tx: (work) => {
          beforeChange();
          return store.tx(work);
        },
      };
    },
    live: world.context,
  });
  t.teardown(() => sandboxes.close());
  return {
    sandboxes,
    clock,
    caller: { brokerId: broker.id, broker },
    fail: (error: Error | undefined) => {
      fault = error;
    },
    before: (act: () => void) => {
      beforeChange = act;
    },
  };
}

t.test('a database of the sandboxes that cannot be opened refuses calls, and is opened at a later one', async (t) => {
  const { sandboxes, caller, fail } = await held(t);
  fail(new Error('no such disk'));
  await t.rejects(sandboxes.describe(caller), { code: 'server_error', retryAfterSeconds: 1, gate: 'work' });
  fail(undefined);
  t.match(await sandboxes.describe(caller), { statusCode: 200, data: { services: { count: 24 } } });
});

t.test('what comes due between a call’s look and its change is done first', async (t) => {
  const { sandboxes, caller, clock, before } = await held(t);
  const change = { serviceNumber: 900001, newPlan: 'business' };
  const upgraded = await sandboxes.perform(upgradeService, caller, change);
  const id = (upgraded as { data: { request_id: string } }).data.request_id;
  clock.advance(4_000);
  let transactions = 0;
  before(() => {
    transactions += 1;
    clock.advance(1_500);
  });
  const update = { serviceNumber: 900006, label: 'web' };
  t.match(await sandboxes.perform(updateService, caller, update), { data: { label: 'web' } });
  t.equal(transactions, 1, 'in the transaction of the change');
  before(() => undefined);
  t.match(await sandboxes.perform(getRequest, caller, { requestId: id }), { data: { request_status: 'accepted' } });

  // More than a transaction does, and then the patience of a call is over.
  const asked = { plan: 'starter', client, label: null, externalReference: null };
  for (let each = 0; each < 6; each += 1) await sandboxes.perform(createService, caller, asked);
  before(() => clock.advance(11_000));
  await t.rejects(sandboxes.perform(updateService, caller, update), {
    code: 'server_error',
    retryAfterSeconds: 1,
    gate: 'capacity',
    // It is logged.
    cause: { message: /the sandbox was outdated/ },
  });
});
