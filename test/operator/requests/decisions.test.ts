import t, { type Test } from 'tap';
import { submitClientRequest } from '../../../src/operator/requests/decisions.ts';
import type { PlanOffer } from '../../../src/rules/offers.ts';
import { createTestOperatorApi } from '../../support/operator-api.ts';
import { BROKER } from '../../support/operator-context.ts';
import { createTestProvisioner, workerOf } from '../../support/work.ts';
import { AN_OPERATOR, createWorld } from '../../support/world.ts';

const OFFER: PlanOffer = {
  options: [
    { name: 'backups', display_name: 'Backups', description: null, type: 'boolean', required: false, default: null },
    { name: 'ram', display_name: 'Memory', description: null, type: 'number', required: false, default: 2 },
  ],
  actions: [],
  hasCredentials: false,
  provisioning: null,
};

async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const from = await world.addPlan(broker, { slug: 'small', upgradeRank: 10, billingType: 'monthly' });
  const to = await world.addPlan(broker, { slug: 'large', upgradeRank: 20, billingType: 'monthly' });
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[to.id, OFFER]])));
  const service = await world.addService(broker, from, { status: 'active' });
  const deps = { ...world.context, actor: AN_OPERATOR };
  const change = { service_number: service.number, type: 'plan-upgrade', new_plan: 'large' } as const;
  return { world, key, service, deps, change };
}

t.test(
  'what is chosen with a client’s plan change is ordered and stored once the broker has approved it',
  async (t) => {
    const { world, key, service, deps, change } = await setup(t);
    const provisioner = createTestProvisioner();
    const worker = workerOf(world, provisioner);
    const record = await submitClientRequest.run(deps, { ...change, configuration: { backups: true } });
    t.match(record, { request_status: 'pending', origin: 'client', configuration: { backups: true } });
    const shown = async () => (await world.call(key, 'GET', `/services/${service.number}`)).json.data;
    t.strictSame((await shown()).configuration ?? {}, {}, 'nothing is written before the work is done');
    await world.call(key, 'POST', `/requests/${record.request_id}/approve`, { body: {} });
    provisioner.answers.push(async () => ({ outcome: 'done' }));
    await worker.runOnce();
    t.match(provisioner.given[0], { type: 'plan-upgrade', configuration: { backups: true, ram: 2 } });
    t.match(await shown(), { plan: { slug: 'large' }, configuration: { backups: true, ram: 2 } });
  },
);

t.test('a command and a form give the configuration of a plan change as JSON, and null is none', async (t) => {
  const { deps, change } = await setup(t);
  for (const text of ['[1]', '"a"', 'backups=true', '5', 'null'])
    await t.rejects(submitClientRequest.run(deps, { ...change, configuration: text }), {
      kind: 'invalid',
      message: /^configuration: must be an object of .*, as JSON$/,
    });
  const none = await submitClientRequest.run(deps, { ...change, configuration: null });
  t.notOk('configuration' in none && none.configuration && Object.keys(none.configuration).length > 0);
});

t.test('the configuration of a plan change is refused by v1’s rules, behind those of the plan', async (t) => {
  const { deps, change } = await setup(t);
  const submit = (given: object) => submitClientRequest.run(deps, { ...change, ...given });
  const wrong = { backups: 'perhaps', colour: 'red' };
  await t.rejects(submit({ new_plan: 'small', configuration: wrong }), { message: /is on the plan "small" already/ });
  await t.rejects(submit({ configuration: JSON.stringify(wrong) }), {
    kind: 'invalid',
    message: 'configuration.colour: is no option here; configuration.backups: must be true or false',
  });
  const cancellation = { type: 'cancellation', new_plan: undefined, configuration: { backups: true } };
  await t.rejects(submit(cancellation), { kind: 'invalid', message: 'configuration: belongs to plan changes' });
});

t.test(
  'the operator’s API takes the configuration of a client’s plan change, and names faults by their places',
  async (t) => {
    const api = await createTestOperatorApi({ hasProvisioner: true });
    t.teardown(() => api.close());
    const { status: made } = await api.post('/brokers', BROKER);
    t.equal(made, 201);
    const plan = { billing_type: 'monthly', active: true };
    await api.post('/brokers/acme/plans', { ...plan, slug: 'small', display_name: 'Small', upgrade_rank: 1 });
    const options = [{ name: 'backups', display_name: 'Backups', type: 'boolean' }];
    await api.post('/brokers/acme/plans', { ...plan, slug: 'large', display_name: 'Large', upgrade_rank: 2, options });
    const records = [{ service_number: 7000, client: { name: 'Zoe' }, plan: 'small' }];
    await api.post('/brokers/acme/services/import', { records });
    const change = { service_number: 7000, type: 'plan-upgrade', new_plan: 'large' };
    const submit = (configuration: unknown) =>
      api.post('/brokers/acme/requests', { ...change, configuration }, api.keys.support);
    t.match(await submit({ backups: 'yes' }), {
      status: 400,
      error: { code: 'invalid_parameter', details: { fields: [{ path: 'body.configuration.backups', rule: 'type' }] } },
    });
    t.match(await submit('{"backups":true}'), {
      status: 400,
      error: { details: { fields: [{ path: 'body.configuration', rule: 'type' }] } },
    });
    const { status, data } = await submit({ backups: true });
    t.match([status, data], [201, { request_status: 'pending', configuration: { backups: true } }]);
    t.match((await api.get(`/requests/${data.request_id}`, api.keys.viewer)).data, {
      configuration: { backups: true },
    });
  },
);
