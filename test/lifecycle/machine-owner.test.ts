import t, { type Test } from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { noteReplaced } from '../../src/lifecycle/replaced.ts';
import { NOTICES } from '../../src/operator/notices/kinds.ts';
import { listServices, showService } from '../../src/operator/services/views.ts';
import { getStatus } from '../../src/operator/system/status.ts';
import { RecordsAreOld, type WorkOutcome } from '../../src/ports.ts';
import { aLoss } from '../support/rows.ts';
import { createTestProvisioner, requestIdOf, workerOf } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

/** Whose machine it is (contract, section 15.3). */

const CLIENT = { name: 'Ada Example', email: 'ada@example.com' };
const OLD: WorkOutcome = { outcome: 'retry', reason: 'records_are_old', message: 'Old', mayBeDone: false };

async function setUp(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker({ slug: 'acme' });
  const plan = await world.addPlan(broker, { slug: 'vps' });
  const { key } = await world.addKey(broker);
  const provisioner = createTestProvisioner();
  const worker = workerOf(world, provisioner);
  const order = async () => {
    const input = { plan: 'vps', client: CLIENT, label: null, externalReference: null };
    return requestIdOf(await createService(world.context, { brokerId: broker.id }, input));
  };
  return { world, broker, plan, key, provisioner, worker, order };
}

/** As a service that release 1.1 created. */
const forgetUid = (world: Awaited<ReturnType<typeof setUp>>['world'], brokerId: string, number: number) =>
  world.store.tx((tx) => tx.services.update(brokerId, number, { uid: null }));

t.test('each call carries the uid of its service, its broker and the number of history', async (t) => {
  const { world, broker, provisioner, worker, order } = await setUp(t);
  const id = await order();
  await worker.runOnce();
  t.match(provisioner.given[0], { service_uid: id, broker: 'acme', history: 0 });

  await world.store.tx((tx) => tx.history.insert(aLoss({ history: 1_900_000_000 })));
  const again = await order();
  await forgetUid(
    world,
    broker.id,
    (await world.store.read.requests.findView(broker.id, again))?.request.serviceNumber ?? 0,
  );
  await worker.runOnce();
  t.match(provisioner.given[1], { service_uid: `before_${again}`, broker: 'acme', history: 1_900_000_000 });
});

t.test('operators see the uid of a service, of 1.1 and of an import too; brokers do not', async (t) => {
  const { world, broker, plan, key, order } = await setUp(t);
  const first = await order();
  const second = await order();
  const numberOf = async (id: string) =>
    (await world.store.read.requests.findView(broker.id, id))?.request.serviceNumber ?? 0;
  await forgetUid(world, broker.id, await numberOf(second));
  const imported = await world.addService(broker, plan, { importId: 'aud_1' });
  const given = await world.addService(broker, plan, { importId: 'aud_1', uid: 'vm-7' });
  const older = await world.addService(broker, plan);
  const expected = new Map([
    [await numberOf(first), first],
    [await numberOf(second), `before_${second}`],
    [imported.number, `imported_${broker.id}_${imported.number}`],
    [given.number, 'vm-7'],
    [older.number, `imported_${broker.id}_${older.number}`],
  ]);
  for (const [number, uid] of expected) {
    t.equal((await showService.run(world.context, { service_number: number })).service_uid, uid);
    t.notMatch((await world.call(key, 'GET', `/services/${number}`)).raw, 'uid');
  }
  for (const narrowed of [{}, { updated_since: '2030-01-01' }]) {
    const { records } = await listServices.run(world.context, { broker: 'acme', ...narrowed });
    t.same(new Map(records.map((one) => [one.service_number, one.service_uid])), expected);
  }
  t.notMatch((await world.call(key, 'GET', '/services')).raw, 'uid');
});

t.test(
  'an installation that was replaced stops its work and is not ready, until its records are later ones',
  async (t) => {
    const { world, broker, provisioner, worker, order } = await setUp(t);
    const ready = async () => (await world.app.inject('/health/ready')).statusCode;
    await world.store.tx((tx) => tx.history.insert(aLoss({ history: 100 })));
    const id = await order();
    provisioner.answers.push(OLD);
    await worker.runOnce();
    t.equal(provisioner.given.length, 1);
    const { request } = (await world.store.read.requests.findView(broker.id, id)) ?? {};
    t.match(request, { status: 'accepted', attempts: 0, leaseOwner: null }, 'it waits, and no attempt is lost');
    t.equal(await ready(), 503);
    t.match(world.logged, [{ level: 'error', details: { request_id: id, history: 100 }, message: /was replaced/ }]);
    t.match(await NOTICES.installation_replaced.find(world.context), { since: world.clock.now() });
    t.equal((await getStatus(world.context)).records_are_old, new Date(world.clock.now()).toISOString());
    await worker.runOnce();
    t.equal(provisioner.given.length, 1, 'nothing more is asked');

    await world.store.tx((tx) => tx.history.insert(aLoss({ history: 101 })));
    t.equal(await ready(), 200);
    t.equal((await getStatus(world.context)).records_are_old, null);
    await worker.runOnce();
    t.match(provisioner.given[1], { request_id: id, history: 101, attempt: 1 });
  },
);

t.test('a refusal of history that is over stops nothing', async (t) => {
  const { world, provisioner, worker, order } = await setUp(t);
  await world.store.tx((tx) => tx.history.insert(aLoss({ history: 100 })));
  await world.store.tx((tx) => noteReplaced(tx, { history: 0, at: 1 }));
  await order();
  await worker.runOnce();
  t.equal(provisioner.given.length, 1);
});

t.test('a credentials question that is refused for old records stops the work too', async (t) => {
  const { world, broker, plan, key } = await setUp(t);
  const offer = { options: [], actions: [], hasCredentials: true, provisioning: null };
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[plan.id, offer]])));
  const { number } = await world.addService(broker, plan);
  world.context.credentials = {
    async read() {
      throw new RecordsAreOld('old');
    },
  };
  const { status, json } = await world.call(key, 'GET', `/services/${number}/credentials`);
  t.match({ status, json }, { status: 500, json: { error: { code: 'server_error' } } });
  t.equal((await world.app.inject('/health/ready')).statusCode, 503);
});

t.test('a clean-up whose machine is the one of another service ends the service; other work fails', async (t) => {
  const { world, broker, provisioner, worker, order } = await setUp(t);
  const foreign = {
    outcome: 'failed',
    reason: 'not_this_service',
    message: 'No',
    serviceUsable: false,
    retryable: false,
  } as const;
  const id = await order();
  world.context.hasProvisioner = true;
  provisioner.answers.push({ ...foreign, reason: 'outcome_unknown' }, foreign);
  await worker.runOnce();
  const { request } = (await world.store.read.requests.findView(broker.id, id)) ?? {};
  t.match(request, { status: 'failed', failureReason: 'outcome_unknown' });
  t.equal((await world.store.read.services.find(broker.id, request?.serviceNumber ?? 0))?.status, 'terminated');

  const other = await order();
  provisioner.answers.push(foreign);
  await worker.runOnce();
  const failed = (await world.store.read.requests.findView(broker.id, other))?.request;
  t.match(failed, { status: 'failed', failureReason: 'not_this_service', failureRetryable: false });
  t.match(world.logged.at(-1), { level: 'warn', details: { request_id: other }, message: /another service/ });
  t.match(await NOTICES.machines_of_others.find(world.context), { text: /^[12] requests? failed/ });
});
