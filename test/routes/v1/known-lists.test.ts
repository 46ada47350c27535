import { renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { openSqlite } from '../../../src/store/sqlite.ts';
import { type Guard, wrapCalls } from '../../../src/store/store.ts';
import { addRequest, iso, refused } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

const LISTS = [
  '/services',
  '/services?limit=100',
  '/services?search=ada',
  '/services?service_status=active&plan=basic',
  '/requests',
  '/requests?type=plan-upgrade',
  '/plans',
  '/plans?billing_type=monthly',
];

/** A broker with one of everything on SQLite, where it is counted how often anything that lists show is read. */
async function setUp(t: Test) {
  let reads = 0;
  const counting: Guard =
    (call) =>
    (...args) => {
      reads += 1;
      return call(...args);
    };
  const file = join(t.testdir(), 'broker.db');
  const world = await createWorld({
    openStore: async ({ monotonic }) => {
      const store = await openSqlite({ file, monotonic });
      const { services, requests, plans } = store.read;
      const counted = wrapCalls({ services, requests, plans }, counting);
      return {
        ...store,
        read: { ...store.read, ...counted },
        slow: (owner, work) => counting(() => store.slow(owner, work))() as ReturnType<typeof work>,
      };
    },
  });
  t.teardown(() => world.close());
  const { clock } = world;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker, { slug: 'basic' });
  const service = await world.addService(broker, plan, { renewalAt: clock.now() + DAY });
  const get = (path: string, of = key) => world.call(of, 'GET', path);
  /** The answer that is sent without a read; a second call gets it, unless the key's last use was being written. */
  async function known(path: string, of = key) {
    for (let times = 0; times < 10; times += 1) {
      const before = reads;
      const answer = await get(path, of);
      if (reads === before) return answer;
    }
    throw new Error(`${path} is read every time`);
  }
  return { world, clock, broker, key, plan, service, get, known, file, reads: () => reads };
}

t.test('a list that nothing has touched is sent again without a read, byte for byte', async (t) => {
  const { world, service, plan, get, known } = await setUp(t);
  await addRequest(world, service, { type: 'plan-upgrade', currentPlanId: plan.id, newPlanId: plan.id });
  for (const path of LISTS) {
    const read = await get(path);
    const again = await known(path);
    t.equal(again.raw, read.raw, path);
    t.equal(again.status, 200);
    t.ok(again.json.data.length > 0);
    for (const header of ['content-type', 'content-length', 'cache-control', 'x-content-type-options']) {
      t.equal(again.headers[header], read.headers[header], header);
    }
    t.not(again.headers['x-request-id'], read.headers['x-request-id']);
  }
});

t.test('whatever a text holds, a list is the same bytes as the records by themselves', async (t) => {
  const { world, service, get, known } = await setUp(t);
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((odd) => odd.replaceAll('\u0000', '').toWellFormed());
  await fc.assert(
    fc.asyncProperty(text, text, text, async (label, externalReference, clientName) => {
      const changes = { label: `"\\\u001f\u2028${label}`, externalReference, clientName };
      await world.store.tx((tx) => tx.services.update(service.brokerId, service.number, changes));
      const read = await get('/services');
      const alone = await get(`/services/${service.number}`);
      const record = alone.raw.slice('{"success":true,"data":'.length, -'}'.length);
      const page = '{"page":1,"perPage":25,"total":1,"totalPages":1}';
      t.equal(read.raw, `{"success":true,"data":[${record}],"pagination":${page}}`);
      t.equal((await known('/services')).raw, read.raw);
    }),
    { numRuns: 60 },
  );
});

t.test('a change is seen at once, whoever makes it: a call, another process, and one that counts alone', async (t) => {
  const { world, clock, broker, plan, service, file, known, get } = await setUp(t);
  const other = await openSqlite({ file, monotonic: clock.monotonic });
  t.teardown(() => other.close());
  for (const path of LISTS) await known(path);

  await world.call((await world.addKey(broker)).key, 'POST', `/services/${service.number}/update`, {
    body: { label: 'by a call' },
  });
  t.equal((await get('/services')).json.data[0].label, 'by a call');

  await known('/services');
  await other.tx((tx) => tx.services.update(broker.id, service.number, { label: 'by another process' }));
  t.equal((await get('/services')).json.data[0].label, 'by another process');

  await known('/services');
  await known('/plans');
  await other.tx((tx) => tx.plans.update(broker.id, plan.id, { displayName: 'Anew' }));
  t.equal((await get('/services')).json.data[0].plan.display_name, 'Anew');
  t.equal((await get('/plans')).json.data[0].display_name, 'Anew');

  await known('/services?offset=5');
  await world.addService(broker, plan);
  t.equal((await get('/services?offset=5')).json.pagination.total, 2);

  await known('/requests');
  await addRequest(world, service, { type: 'cancellation' });
  t.equal((await get('/requests')).json.pagination.total, 1);
  t.equal((await get('/services?service_status=active&plan=basic')).json.data[1].open_request.type, 'cancellation');
});

t.test('a renewal that passes is never shown, nor does it keep its place among those before a date', async (t) => {
  const { clock, service, known, get } = await setUp(t);
  const shown = async () => (await get('/services')).json.data[0].renewal_date;
  const renewsAt = service.renewalAt as number;
  const before = `/services?renewal_before=${iso(renewsAt + 1)}`;
  t.equal(await shown(), iso(renewsAt));
  t.equal((await get(before)).json.data.length, 1);
  clock.advance(DAY - 1);
  t.equal(await shown(), iso(renewsAt));
  t.equal((await known('/services')).json.data[0].renewal_date, iso(renewsAt));
  t.equal((await get(before)).json.data.length, 1);
  clock.advance(1);
  t.equal(await shown(), iso(Date.UTC(2030, 1, 16, 12)));
  t.equal((await get(before)).json.data.length, 0);
  t.equal((await known('/services')).json.data[0].renewal_date, iso(Date.UTC(2030, 1, 16, 12)));
});

t.test('a service that has ended keeps its date, and its list is known for good', async (t) => {
  const { world, clock, service, known } = await setUp(t);
  await world.store.tx((tx) => tx.services.update(service.brokerId, service.number, { status: 'terminated' }));
  clock.advance(2 * DAY);
  t.equal((await known('/services')).json.data[0].renewal_date, iso(service.renewalAt as number));
});

t.test('the time to the next check counts down while a request waits for its date', async (t) => {
  const { world, clock, service, plan, known, get } = await setUp(t);
  const plans = { currentPlanId: plan.id, newPlanId: plan.id };
  const effectiveAt = clock.now() + 62 * MINUTE;
  await addRequest(world, service, {
    type: 'plan-downgrade',
    status: 'accepted',
    effectiveAt,
    dueAt: effectiveAt,
    ...plans,
  });
  const told = async () => (await get('/requests')).json.data[0].next_check_seconds;
  t.equal(await told(), 3600);
  t.equal((await known('/requests')).json.data[0].next_check_seconds, 3600);
  clock.advance(2 * MINUTE);
  t.equal(await told(), 3600);
  for (const seconds of [3599, 3598]) {
    clock.advance(1000);
    t.equal(await told(), seconds);
  }
  clock.advance(3598 * 1000);
  t.equal(await told(), 1);
  clock.advance(5 * MINUTE);
  t.equal((await known('/requests')).json.data[0].next_check_seconds, 1);
});

t.test(
  'brokers, and the simulated fleet of each, have answers of their own; the gates stand before them',
  async (t) => {
    const { world, broker, key, known, get } = await setUp(t);
    const { key: test } = await world.addKey(broker, ['admin:full'], { mode: 'test' });
    const { key: none } = await world.addKey(broker, ['plans:read']);
    const { key: stranger } = await world.addKey(await world.addBroker());
    const live = await known('/services?limit=100');
    const simulated = await get('/services?limit=100', test);
    t.ok(simulated.json.data.every(({ mode }: { mode: string }) => mode === 'test'));
    t.equal((await get('/services?limit=100')).raw, live.raw);
    t.strictSame((await get('/services?limit=100', stranger)).json.data, []);
    refused(t, await get('/services?limit=100', none), {
      status: 403,
      code: 'insufficient_permissions',
      reason: 'missing_scope',
      details: { required_scopes: ['services:read', 'admin:full'], granted_scopes: ['plans:read'] },
    });
    t.equal((await known('/services?limit=100', key)).raw, live.raw);
  },
);

t.test('nothing known is sent of a file that is gone', async (t) => {
  const { clock, known, get, file } = await setUp(t);
  await known('/services');
  renameSync(file, `${file}.away`);
  clock.advance(1000);
  const answer = await get('/services');
  t.equal(answer.status, 500);
  t.ok(Number(answer.headers['retry-after']) >= 1);
  renameSync(`${file}.away`, file);
  clock.advance(1000);
  t.equal((await get('/services')).status, 200);
});
