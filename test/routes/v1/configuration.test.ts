import t, { type Test } from 'tap';
import { reviewRequest } from '../../../src/lifecycle/operator-requests.ts';
import type { WorkOutcome } from '../../../src/ports.ts';
import type { PlanOffer } from '../../../src/rules/offers.ts';
import type { Option } from '../../../src/rules/options.ts';
import { OLDEST_RELEASE_SETTING } from '../../../src/store/queries/update-state.ts';
import { createTestProvisioner, workerOf } from '../../support/work.ts';
import { createWorld } from '../../support/world.ts';

/** What a change does to the configuration of a service (contract, section 14.1). */

const plain = { description: null, required: false, default: null };
const number = (name: string, value: number | null, maximum = 64): Option => ({
  ...plain,
  name,
  display_name: name,
  type: 'number',
  default: value,
  minimum: 1,
  maximum,
});
const choice = (name: string, ...values: string[]): Option => ({
  ...plain,
  name,
  display_name: name,
  type: 'choice',
  default: values[0] as string,
  choices: values.map((value) => ({ value, display_name: value })),
});
const BACKUPS: Option = { ...plain, name: 'backups', display_name: 'Backups', type: 'boolean', default: false };
const IMAGE = choice('image', 'debian-13', 'ubuntu-26');
const RAM = number('ram', 2);
const KEY: Option = { ...plain, name: 'zone', display_name: 'Zone', type: 'text', max_length: 20, required: true };

const action = (name: string, options: Option[]) => ({
  name,
  display_name: name,
  description: null,
  options,
  requires_operator_review: false,
  destroys_data: false,
});
const offerOf = (options: Option[], actions = [action('reconfigure', options), action('reinstall', [IMAGE])]) =>
  ({ options, actions, hasCredentials: false, provisioning: null }) satisfies PlanOffer;

/** A service with 16 GB and Ubuntu on a small plan, beside a large plan with further options. */
async function setup(
  t: Test,
  { small = [RAM, BACKUPS, IMAGE], large = [RAM, IMAGE, choice('tier', 'gold', 'iron')] } = {},
) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plans = {
    small: await world.addPlan(broker, { slug: 'small', upgradeRank: 10, billingType: 'monthly' }),
    large: await world.addPlan(broker, { slug: 'large', upgradeRank: 20, billingType: 'monthly' }),
  };
  const offer = (slug: keyof typeof plans, value: PlanOffer) =>
    world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[plans[slug].id, value]])));
  await offer('small', offerOf(small));
  await offer('large', offerOf(large));
  const configuration = { ram: 16, backups: false, image: 'ubuntu-26' };
  const service = await world.addService(broker, plans.small, {
    status: 'active',
    configuration: JSON.stringify(configuration),
  });
  const provisioner = createTestProvisioner();
  const call = async (method: 'GET' | 'POST', url: string, body?: unknown) => {
    const { status, json } = await world.call(key, method, url, { body });
    return { status, data: json.data, error: json.error };
  };
  const post = (word: string, body: object) => call('POST', `/services/${service.number}/${word}`, body);
  return {
    world,
    service,
    configuration,
    provisioner,
    offer,
    call,
    act: (name: string, chosen?: unknown) => post('actions', { action: name, configuration: chosen }),
    change: (word: 'upgrade' | 'downgrade', plan: string, chosen?: unknown) =>
      post(word, { new_plan: plan, ...(chosen !== undefined && { configuration: chosen }) }),
    post,
    work: (outcome: WorkOutcome = { outcome: 'done' }) => {
      provisioner.answers.push(outcome);
      return workerOf(world, provisioner).runOnce();
    },
    shown: async () => (await call('GET', `/services/${service.number}`)).data.configuration,
  };
}

t.test(
  'an action leaves what it does not name as the service has it: in its record, its order and the service',
  async (t) => {
    const { act, work, provisioner, shown } = await setup(t);
    const changed = { ram: 16, backups: true, image: 'ubuntu-26' };
    t.strictSame((await act('reconfigure', { backups: true, ram: null })).data.configuration, changed);
    await work();
    t.strictSame(provisioner.given[0]?.configuration, changed);
    t.strictSame(await shown(), changed);
  },
);

t.test('a reinstallation without an image installs the one that the service has', async (t) => {
  const { act } = await setup(t);
  t.strictSame((await act('reinstall')).data.configuration, { image: 'ubuntu-26' });
});

t.test('an action takes its default where the stored value is no longer valid', async (t) => {
  const { act, offer } = await setup(t);
  await offer(
    'small',
    offerOf([RAM, choice('image', 'debian-14', 'alpine-4')], [action('reinstall', [choice('image', 'debian-14')])]),
  );
  t.strictSame((await act('reinstall')).data.configuration, { image: 'debian-14' });
});

t.test('a value that equals the stored one passes though the plan has lost it, and another one does not', async (t) => {
  const { act, offer } = await setup(t);
  await offer('small', offerOf([RAM], [action('reinstall', [choice('image', 'debian-14')])]));
  t.strictSame((await act('reinstall', { image: 'ubuntu-26', backups: false })).data.configuration, {
    image: 'ubuntu-26',
  });
  t.match((await act('reinstall', { image: 'debian-13', backups: true })).error.details.fields, [
    { path: 'body.configuration.backups', rule: 'unknown' },
    { path: 'body.configuration.image', rule: 'enum' },
  ]);
});

t.test('a plan change takes a configuration, which is written with the plan when the work is done', async (t) => {
  const { change, work, provisioner, shown, configuration, call } = await setup(t);
  const { status, data } = await change('upgrade', 'large', { ram: 32, tier: 'iron' });
  t.match({ status, data }, { status: 200, data: { configuration: { ram: 32, tier: 'iron' } } });
  t.strictSame(await shown(), configuration, 'not before');
  await work();
  const moved = { ram: 32, image: 'ubuntu-26', tier: 'iron' };
  t.strictSame(provisioner.given[0]?.configuration, moved, 'the provisioner gets what the service will have');
  t.strictSame(await shown(), moved);
  t.strictSame((await call('GET', `/requests/${data.request_id}`)).data.configuration, { ram: 32, tier: 'iron' });
});

t.test(
  'a plan change without a configuration takes only the defaults of what the service has no value for',
  async (t) => {
    const { change, work, shown } = await setup(t, { large: [number('ram', 4), KEY, choice('tier', 'gold', 'iron')] });
    t.strictSame((await change('upgrade', 'large')).data.configuration, {});
    await work();
    t.strictSame(await shown(), { ram: 16, tier: 'gold' }, 'a required one without a value stays unset');
  },
);

t.test('what the new plan does not have is kept, and shown again on a plan that has it', async (t) => {
  const { change, work, shown, configuration, world } = await setup(t, { large: [RAM] });
  await change('upgrade', 'large');
  await work();
  t.strictSame(await shown(), { ram: 16 });
  await change('downgrade', 'small', { ram: 8 });
  world.clock.advance(40 * 86_400_000);
  await work();
  t.strictSame(await shown(), { ...configuration, ram: 8 });
});

t.test('what a plan change chose is not written where it fails', async (t) => {
  const { change, work, shown, configuration } = await setup(t);
  await change('upgrade', 'large', { ram: 32 });
  await work({ outcome: 'failed', reason: 'no_capacity', message: 'No room', serviceUsable: true, retryable: false });
  t.strictSame(await shown(), configuration);
});

t.test('the configuration of a plan change that is reviewed is written after the review', async (t) => {
  const { change, work, shown, world, service } = await setup(t);
  await world.store.tx((tx) => tx.services.update(service.brokerId, service.number, { requiresOperatorReview: true }));
  const denied = await change('upgrade', 'large', { ram: 24 });
  t.match(denied, { status: 202, data: { configuration: { ram: 24 } } });
  await reviewRequest(world.context, { requestId: denied.data.request_id, accept: false, reason: null });
  t.equal((await shown()).ram, 16);
  const accepted = await change('upgrade', 'large', { ram: 32 });
  await reviewRequest(world.context, { requestId: accepted.data.request_id, accept: true, reason: null });
  await work();
  t.equal((await shown()).ram, 32);
});

t.test('the configuration of a plan change is checked behind the refusals of the plan', async (t) => {
  const { change } = await setup(t);
  t.match((await change('upgrade', 'none', { ram: 'x' })).error.details, { reason: 'plan_not_available' });
  t.match((await change('downgrade', 'large', { ram: 'x' })).error.details, { reason: 'plan_rank_not_lower' });
  const { error } = await change('upgrade', 'large', { ram: 99, disk: 1, tier: 5, backups: false });
  t.strictSame(
    error.details.fields.map(({ path, rule }: { path: string; rule: string }) => [path, rule]),
    [
      ['body.configuration.disk', 'unknown'],
      ['body.configuration.ram', 'range'],
      ['body.configuration.tier', 'type'],
    ],
  );
});

t.test('while a release before 1.2 may use the database, a plan change takes no configuration', async (t) => {
  const { change, world } = await setup(t);
  await world.store.tx((tx) => tx.settings.put({ name: OLDEST_RELEASE_SETTING, value: '1.1.0' }));
  t.match((await change('upgrade', 'large', { ram: 32 })).error.details.fields, [
    { path: 'body.configuration', rule: 'unknown' },
  ]);
  t.equal((await change('upgrade', 'large')).status, 200);
});

t.test('while a release before 1.2 may use the database, a plan change keeps no value apart', async (t) => {
  const { change, work, shown, configuration, world, service } = await setup(t, { large: [RAM] });
  await world.store.tx((tx) => tx.settings.put({ name: OLDEST_RELEASE_SETTING, value: '1.1.0' }));
  await change('upgrade', 'large');
  await work();
  t.strictSame(await shown(), configuration);
  t.equal((await world.store.read.services.find(service.brokerId, service.number))?.keptConfiguration, null);
});
