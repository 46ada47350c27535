import t, { type Test } from 'tap';
import {
  declareLoss,
  declareNothingLost,
  goOn,
  keepAsCopy,
  letAllGo,
  letGo,
  showRestored,
} from '../../../src/operator/system/restored.ts';
import { createTestProvisioner, requestIdOf, storedRequest, workerOf } from '../../support/work.ts';
import { createWorld } from '../../support/world.ts';

/** An installation whose records went back is held until an operator says what it is (contract, section 15.5). */

const action = (name: string, destroys_data: boolean) => ({
  name,
  display_name: name,
  description: null,
  options: [],
  requires_operator_review: false,
  destroys_data,
});

async function setUp(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 1 });
  const large = await world.addPlan(broker, { slug: 'large', upgradeRank: 2 });
  const offer = {
    options: [],
    hasCredentials: false,
    provisioning: null,
    actions: [action('reboot', false), action('reinstall', true)],
  };
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([small, large].map(({ id }) => [id, offer]))));
  const provisioner = createTestProvisioner();
  const worker = workerOf(world, provisioner);
  const deps = {
    ...world.context,
    mailer: world.mailer,
    defaultRateLimit: 120,
    recordsPlace: { name: 'a machine', address: null },
  };
  return {
    ...world,
    broker,
    plans: { small, large },
    provisioner,
    worker,
    deps,
    aServiceOf: async (plan = small) => (await world.addService(broker, plan)).number,
    async ask(path: string, body?: object) {
      const answer = await world.call(key, 'POST', path, { body: body ?? {} });
      t.match(answer.status, /^20[01]$/, `${path}: ${answer.raw}`);
      return requestIdOf(answer.json);
    },
    key,
    statusOf: async (id: string) => (await storedRequest(world, broker.id, id)).status,
  };
}

t.test('orders are answered and no work begins while it is held, and the next check is in a minute', async (t) => {
  const { ask, worker, provisioner, deps, call, key, context } = await setUp(t);
  await declareLoss.run(deps, {});
  context.isHeld = () => true;
  const id = await ask('/services', { plan: 'small', client: { name: 'Ada', email: 'ada@example.com' } });
  t.equal(await worker.runOnce(), 0);
  t.strictSame(provisioner.given, []);
  t.match((await call(key, 'GET', `/requests/${id}`)).json, {
    data: { request_status: 'accepted', next_check_seconds: 60 },
  });
});

t.test('a call that has to send an email is refused for a minute and enters nothing', async (t) => {
  const { deps, addTemplate, broker, aServiceOf, call, key, mailer, store } = await setUp(t);
  await addTemplate(broker);
  const number = await aServiceOf();
  await declareLoss.run(deps, {});
  const answer = await call(key, 'POST', `/services/${number}/cancellation-warning`, {
    body: { warningReason: 'unpaid' },
  });
  t.equal(answer.status, 500, answer.raw);
  t.equal(answer.headers['retry-after'], '60');
  t.equal(answer.json.error.code, 'server_error');
  t.strictSame(mailer.sent, []);
  t.equal(await store.read.emails.countMatches({ now: deps.clock.now() }), 0);
});

t.test(
  'what was accepted before and destroys or stops waits for a person, other actions fail, the rest begins',
  async (t) => {
    const { ask, aServiceOf, plans, clock, deps, worker, provisioner, statusOf } = await setUp(t);
    const path = async (what: string, plan = plans.small) => `/services/${await aServiceOf(plan)}/${what}`;
    const withheld = {
      cancellation: await ask(await path('cancel'), { cancellation_type: 'immediate' }),
      'service-suspension': await ask(await path('suspend')),
      'service-action': await ask(await path('actions'), { action: 'reinstall' }),
    };
    const reboot = await ask(await path('actions'), { action: 'reboot' });
    const upgrade = await ask(await path('upgrade'), { new_plan: 'large' });
    clock.advance(60_000);
    await deps.store.tx((tx) => tx.settings.put({ name: 'heartbeat', value: String(clock.now()) }));
    clock.advance(60_000);
    await declareLoss.run(deps, {});
    const after = await goOn.run(deps, {});
    t.equal(after.holding, null);
    t.strictSame(after.withheld.map(({ type }) => type).sort(), Object.keys(withheld).sort());
    t.equal(await statusOf(reboot), 'failed');
    await worker.runOnce();
    t.strictSame(
      provisioner.given.map(({ request_id }) => request_id),
      [upgrade],
    );

    await letGo.run(deps, { request_id: withheld.cancellation });
    await worker.runOnce();
    t.equal(await statusOf(withheld.cancellation), 'completed');
    t.equal((await letAllGo.run(deps, {})).withheld_total, 0);
    await worker.runOnce();
    t.equal(provisioner.given.length, 4);
  },
);

t.test('an action that fails for it can be made again, and the client may go on', async (t) => {
  const { ask, aServiceOf, clock, deps, call, key } = await setUp(t);
  const id = await ask(`/services/${await aServiceOf()}/actions`, { action: 'reboot' });
  clock.advance(1000);
  await declareLoss.run(deps, {});
  await goOn.run(deps, {});
  const { json } = await call(key, 'GET', `/requests/${id}`);
  t.match(json.data.failure, { reason: 'records_lost', retryable: true, service_usable: true });
});

t.test('a broker can withdraw what is withheld', async (t) => {
  const { ask, aServiceOf, clock, deps, statusOf } = await setUp(t);
  const id = await ask(`/services/${await aServiceOf()}/suspend`);
  clock.advance(1000);
  await declareLoss.run(deps, {});
  await goOn.run(deps, {});
  await ask(`/requests/${id}/withdraw`);
  t.equal(await statusOf(id), 'failed');
  t.equal((await showRestored.run(deps, {})).withheld_total, 0);
  await t.rejects(letGo.run(deps, { request_id: id }), { message: 'Nothing withholds the request' });
});

t.test('work that may have been done in what was lost completes without its email', async (t) => {
  const { ask, addTemplate, broker, aServiceOf, clock, deps, worker, mailer, statusOf } = await setUp(t);
  await addTemplate(broker, 'plan-change-completed');
  const before = await ask(`/services/${await aServiceOf()}/upgrade`, { new_plan: 'large' });
  clock.advance(1000);
  await declareLoss.run(deps, {});
  clock.advance(1000);
  const after = await ask(`/services/${await aServiceOf()}/upgrade`, { new_plan: 'large' });
  await goOn.run(deps, {});
  await worker.runOnce();
  t.equal(await statusOf(before), 'completed');
  t.equal(await statusOf(after), 'completed');
  t.equal(mailer.sent.length, 1);
});

t.test('numbers are passed over once more when it goes on, for the time since', async (t) => {
  const { deps, store, clock } = await setUp(t);
  await declareLoss.run(deps, {});
  const number = await store.tx((tx) => tx.sequences.nextServiceNumber());
  clock.advance(10_000);
  await goOn.run(deps, {});
  t.equal(await store.tx((tx) => tx.sequences.nextServiceNumber()), number + 1_000_101);
  const loss = await store.read.history.findLatest();
  t.match(loss, { state: 'over', endedAt: clock.now(), lastNumber: number + 1_000_100 });
});

t.test('a copy stays held until somebody insists', async (t) => {
  const { deps, worker, ask, provisioner } = await setUp(t);
  await ask('/services', { plan: 'small', client: { name: 'Ada', email: 'ada@example.com' } });
  const kept = await keepAsCopy.run(deps, {});
  t.match(kept, { holding: 'copy', losses: [{ state: 'copy' }] });
  await worker.runOnce();
  t.strictSame(provisioner.given, []);
  t.match(await goOn.ask(deps, {}), /copy for trying/);
  t.equal((await goOn.run(deps, {})).holding, null);
});

t.test('nothing is asked before an installation that is held goes on', async (t) => {
  const { deps } = await setUp(t);
  await declareLoss.run(deps, {});
  t.equal(await goOn.ask(deps, {}), null);
});

t.test('where nothing is held there is nothing to go on with', async (t) => {
  const { deps } = await setUp(t);
  await t.rejects(goOn.run(deps, {}), { message: 'Nothing is held back' });
});

t.test('that nothing was lost ends what is held without a further step', async (t) => {
  const { deps, ask, aServiceOf, clock, worker, statusOf } = await setUp(t);
  const id = await ask(`/services/${await aServiceOf()}/suspend`);
  clock.advance(1000);
  await declareLoss.run(deps, {});
  t.match(await declareNothingLost.run(deps, {}), { holding: null, withheld_total: 0 });
  await worker.runOnce();
  t.equal(await statusOf(id), 'completed');
});
