import t, { type Test } from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import {
  createPlan,
  findPlan,
  importPlans,
  listPlans,
  pagePlans,
  previewPlan,
  removePlan,
  setPlan,
  showPlan,
} from '../../../src/operator/plans/plans.ts';
import { submitClientRequest } from '../../../src/operator/requests/decisions.ts';
import { importServices } from '../../../src/operator/services/import.ts';
import { getStatus } from '../../../src/operator/system/status.ts';
import { BROKER, createOperatorContext, faultsOf, file, PLANS } from '../../support/operator-context.ts';

const broker = 'acme';
const SMALL = { broker, slug: 'small', display_name: 'Small', upgrade_rank: '5', billing_type: 'monthly' };

async function open(t: Test) {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  await createBroker.run(context, BROKER);
  return context;
}

const plansFrom = (context: Awaited<ReturnType<typeof open>>, records: object[]) =>
  importPlans(context, { broker, file: file('plans.json', records) });

t.test('every change of a plan says in the audit trail what it was and what it is', async (t) => {
  const context = await open(t);
  const created = await createPlan.run(context, {
    ...SMALL,
    'price.amount': '9.90',
    'price.currency': 'EUR',
    'specifications.vcpu': 2,
    'specifications.disk_gb': '40',
  });
  t.match(created, {
    slug: 'small',
    active: true,
    requires_operator_review: false,
    price: { amount: '9.90', currency: 'EUR' },
    specifications: { vcpu: 2, memory_mb: null, disk_gb: 40, transfer_gb: null },
  });
  const named = { broker, slug: 'SMALL' };
  await setPlan.run(context, { ...named, 'price.amount': '12.500000' });
  await setPlan.run(context, { ...named, 'price.amount': '12.500000', active: true });
  await setPlan.run(context, {
    ...named,
    'price.amount': null,
    'specifications.vcpu': null,
    'specifications.disk_gb': null,
    description: 'For one site',
  });
  const [own] = (await listPlans.run(context, { broker })).records;
  t.match(own, { price: null, specifications: null, description: 'For one site' });
  await plansFrom(context, [{ slug: 'small', display_name: 'Small', upgrade_rank: 7, billing_type: 'monthly' }]);
  await plansFrom(context, [{ slug: 'small', display_name: 'Small', upgrade_rank: 7, billing_type: 'monthly' }]);
  await removePlan.run(context, named);
  const trail = (await listAudit(context, { subject: 'plan/small' })).reverse();
  t.match(
    trail.map(({ action, before, after }) => [action, before, after]),
    [
      ['plan.create', null, { price: { amount: '9.90', currency: 'EUR' } }],
      ['plan.set', { price: { amount: '9.90', currency: 'EUR' } }, { price: { amount: '12.500000', currency: 'EUR' } }],
      ['plan.set', { description: null }, { price: null, specifications: null, description: 'For one site' }],
      ['plan.set', { upgrade_rank: 5 }, { upgrade_rank: 7, description: null }],
      ['plan.remove', { slug: 'small', upgrade_rank: 7 }, null],
    ],
  );
  t.equal(trail.length, 5, 'what changes nothing leaves no row');
  t.equal((await listAudit(context, { action: 'plan.import' })).length, 2);
});

const IMAGE = { name: 'image', display_name: 'Image', type: 'text' };
const FILLED_IMAGE = {
  ...IMAGE,
  description: null,
  required: false,
  default: null,
  max_length: 255,
  format: null,
};
const REBOOT = { name: 'reboot', display_name: 'Reboot' };

t.test('what a plan offers is changed like its other fields, and its date with it', async (t) => {
  const context = await open(t);
  const named = { broker, slug: 'small' };
  const made = await createPlan.run(context, { ...SMALL, options: JSON.stringify([IMAGE]) });
  t.match(made, { options: [FILLED_IMAGE], actions: [], has_credentials: false, provisioning: null });
  context.clock.advance(1_000);
  const set = await setPlan.run(context, {
    ...named,
    actions: JSON.stringify([REBOOT]),
    has_credentials: 'true',
    provisioning: '{"template":9000}',
  });
  t.match(set, { options: [FILLED_IMAGE], actions: [REBOOT], has_credentials: true, provisioning: { template: 9000 } });
  t.not(set.updated_date, made.updated_date);
  t.match(await showPlan.run(context, named), set);
  const [listed] = (await listPlans.run(context, { broker })).records;
  t.match(listed, { options: [FILLED_IMAGE], actions: [REBOOT], has_credentials: true });
  t.notOk('provisioning' in (listed as object), 'no list has what is for the provisioner alone');
  const page = await pagePlans(context);
  t.notMatch(JSON.stringify(page), /reboot|template/);

  context.clock.advance(1_000);
  t.strictSame(await setPlan.run(context, { ...named, provisioning: '{"template": 9000}' }), set, 'nothing changes');
  await t.rejects(setPlan.run(context, { ...named, options: '[{"name":"a"}]', provisioning: '1' }), {
    message: 'options.0.display_name: is required; options.0.type: is required; provisioning: must be object',
  });
  const long = (length: number) =>
    JSON.stringify(
      Array.from({ length: 10 }, (_, at) => ({ ...REBOOT, name: `a${at}`, description: 'é'.repeat(length) })),
    );
  const options = JSON.stringify(
    Array.from({ length: 20 }, (_, at) => ({ ...IMAGE, name: `a${at}`, description: 'é'.repeat(490) })),
  );
  await setPlan.run(context, { ...named, options });
  await t.rejects(setPlan.run(context, { ...named, actions: long(490) }), {
    message: 'actions: options and actions must have at most 32768 bytes together',
  });
  t.match(await setPlan.run(context, { ...named, options: null, actions: null, provisioning: null }), {
    options: [],
    actions: [],
    provisioning: null,
  });
  const trail = await listAudit(context, { subject: 'plan/small' });
  t.notMatch(JSON.stringify(trail), /9000/, 'the trail does not hold what is for the provisioner alone');
  t.strictSame(
    trail.reverse().map(({ after }) => (after as { provisioning?: string }).provisioning),
    [undefined, 'changed', undefined, 'changed'],
  );
});

t.test('a plan that cannot be is refused by the name of its field, and changes nothing', async (t) => {
  const context = await open(t);
  await createPlan.run(context, { ...SMALL, 'price.amount': '1.00', 'price.currency': 'EUR' });
  const refused: Array<[() => Promise<unknown>, string | RegExp]> = [
    [() => createPlan.run(context, { ...SMALL, slug: 'Small' }), /^slug: is that of the plan "Small"/],
    [() => createPlan.run(context, { ...SMALL, slug: 'other' }), /^display_name: is that of "small"/],
    [
      () => createPlan.run(context, { ...SMALL, slug: 'o', display_name: 'O', 'price.amount': '1' }),
      'price.amount: a price needs an amount and a currency',
    ],
    [
      () => createPlan.run(context, { broker, slug: 'o', display_name: 'O', upgrade_rank: 1 }),
      'billing_type: is required',
    ],
    [
      () => setPlan.run(context, { broker, slug: 'small', 'price.amount': '1,5' }),
      /^price.amount: must be a decimal number/,
    ],
    [() => setPlan.run(context, { broker, slug: 'small', 'price.currency': null }), /^price.amount: a price needs/],
    [() => setPlan.run(context, { broker, slug: 'small' }), /^Nothing to change/],
    [() => previewPlan.run(context, { broker, slug: 'small' }), /^Nothing to change/],
    [
      () =>
        setPlan.run(context, { broker, slug: 'small', upgrade_rank: 6 }, { upgrade_rank: 4, display_name: 'Small' }),
      'It was changed in the meantime: upgrade_rank: was 4, is 5 now',
    ],
    [() => removePlan.run(context, { broker, slug: 'none' }), '"acme" has no plan "none"'],
    [() => findPlan(context, { planId: 'pln_none' }), 'There is no plan "pln_none"'],
  ];
  for (const [attempt, message] of refused) await t.rejects(attempt(), { message });
  t.equal((await listPlans.run(context, { broker })).records.length, 1);
  const seen = { upgrade_rank: 5 };
  t.match(await setPlan.run(context, { broker, slug: 'small', upgrade_rank: 6 }, seen), { upgrade_rank: 6 });
});

t.test('two operators who change a plan at once lose nothing', async (t) => {
  const context = await open(t);
  await createPlan.run(context, SMALL);
  await Promise.all([
    setPlan.run(context, { broker, slug: 'small', upgrade_rank: 8 }),
    setPlan.run(context, { broker, slug: 'small', description: 'Both' }),
    setPlan.run(context, { broker, slug: 'small', 'price.amount': '3.30', 'price.currency': 'EUR' }),
  ]);
  t.match(await showPlan.run(context, { broker, slug: 'small' }), {
    upgrade_rank: 8,
    description: 'Both',
    price: { amount: '3.30', currency: 'EUR' },
  });
});

t.test('a plan is created and changed without the broker’s other plans being read', async (t) => {
  const context = await open(t);
  await createPlan.run(context, SMALL);
  const notRead = () => Promise.reject(new Error('all plans are read'));
  const tx: typeof context.store.tx = (work) =>
    context.store.tx((tx) => work({ ...tx, plans: { ...tx.plans, list: notRead, listAllOffers: notRead } }));
  const narrow = { ...context, store: { ...context.store, tx } };
  await createPlan.run(narrow, { ...SMALL, slug: 'other', display_name: 'Other' });
  t.match(await setPlan.run(narrow, { broker, slug: 'small', upgrade_rank: 8 }), { upgrade_rank: 8 });
});

t.test('a plan shows what uses it, and is removed only where nothing ever did', async (t) => {
  const context = await open(t);
  await plansFrom(context, PLANS);
  await createPlan.run(context, SMALL);
  const service = { service_number: 7000, client: { name: 'Z', email: 'z@example.com' }, plan: 'start' };
  const ended = { ...service, service_number: 7001, service_status: 'cancelled' };
  await importServices(context, { broker, file: file('s.json', [service, ended]) });
  await submitClientRequest.run(
    { ...context, log: { error() {}, warn() {} } },
    { broker, service_number: '7000', type: 'plan-upgrade', new_plan: 'more' },
  );
  t.match(await showPlan.run(context, { broker, slug: 'start' }), { services: 1, ended_services: 1, open_requests: 0 });
  const more = await showPlan.run(context, { broker, slug: 'more' });
  t.match(more, { services: 0, ended_services: 0, open_requests: 1, broker: { slug: broker } });
  t.strictSame(await findPlan(context, { planId: more.id }), more);
  for (const slug of ['start', 'more']) {
    await t.rejects(
      removePlan.run(context, { broker, slug }),
      /was used by a service or request; stop selling it instead/,
    );
  }
  const { before, after } = await previewPlan.run(context, {
    broker,
    slug: 'start',
    'price.amount': '2.00',
    'price.currency': 'EUR',
  });
  t.match([before.price, after.price, before.services], [null, { amount: '2.00' }, 1]);
  t.equal((await listPlans.run(context, { broker })).records[1]?.price, null, 'a preview writes nothing');
  t.match(await removePlan.run(context, { broker, slug: 'small' }), { slug: 'small' });
});

t.test('plans of all brokers are found by broker, name, id and state, in each order', async (t) => {
  const context = await open(t);
  await createBroker.run(context, { ...BROKER, slug: 'other', name: 'Other' });
  await plansFrom(context, PLANS);
  await createPlan.run(context, { ...SMALL, broker: 'other', billing_type: 'hourly' });
  await setPlan.run(context, { broker, slug: 'more', active: false });
  const slugs = async (input: object) => (await pagePlans(context, input)).items.map(({ slug }) => slug);
  t.strictSame(await slugs({}), ['start', 'more', 'small']);
  t.strictSame(await slugs({ order: 'rank' }), ['small', 'start', 'more']);
  t.strictSame(await slugs({ order: 'name' }), ['more', 'small', 'start']);
  t.equal((await slugs({ order: 'changed' }))[0], 'more');
  t.strictSame(await slugs({ broker: 'other' }), ['small']);
  t.strictSame(await slugs({ broker: 'none' }), []);
  t.strictSame(await slugs({ active: 'false' }), ['more']);
  t.strictSame(await slugs({ billing: 'hourly' }), ['small']);
  t.strictSame(await slugs({ search: 'TAR' }), ['start']);
  t.strictSame(await slugs({ search: '%' }), []);
  const { items } = await pagePlans(context, { search: 'small' });
  t.strictSame(await slugs({ search: items[0]?.id as string }), ['small']);
  await t.rejects(pagePlans(context, { order: 'none' }), /order/);
});

t.test('no display name of an active plan is the slug of another active plan', async (t) => {
  const context = await open(t);
  const plan = (slug: string, display_name: string, more = {}) => ({ ...PLANS[0], slug, display_name, ...more });
  const from = (...plans: object[]) => importPlans(context, { broker, file: file('p.json', plans) });
  await from(plan('gro\u0308\u00dfe', 'Big'), plan('b', 'Bee'), plan('old', 'Gone', { active: false }));

  const lines = await faultsOf(
    from(plan('c', 'GR\u00d6\u00dfE'), plan('big', 'Large'), plan('d', 'Old'), plan('e', 'E')),
  );
  t.strictSame(lines, [
    'record 1: display_name: is the slug of "gro\u0308\u00dfe" (case does not count)',
    'record 2: slug: is the display name of "gro\u0308\u00dfe" (case does not count)',
    'p.json: 2 of 4 records are faulty; nothing was imported',
  ]);
  const created = { broker, upgrade_rank: 1, billing_type: 'monthly' };
  await t.rejects(createPlan.run(context, { ...created, slug: 'c', display_name: 'b' }), {
    message: 'display_name: is the slug of "b" (case does not count)',
  });
  await t.rejects(createPlan.run(context, { ...created, slug: 'big', display_name: 'C' }), {
    message: /^slug: is the display name of /,
  });
  await t.rejects(setPlan.run(context, { broker, slug: 'gro\u0308\u00dfe', display_name: 'B ' }), {
    message: /^display_name: /,
  });
  await setPlan.run(context, { broker, slug: 'b', display_name: 'Old' });
  await t.rejects(setPlan.run(context, { broker, slug: 'old', active: true }), {
    message: 'active: cannot be: the slug is the display name of "b" (case does not count)',
  });
  t.strictSame((await getStatus(context)).shared_plan_names, [], 'a plan that is not sold has no name to a caller');

  // A release before took it.
  const brokerId = (await context.store.read.brokers.findBySlug(broker))?.id ?? '';
  const [old] = await context.store.read.plans.listBySlug(brokerId, ['old']);
  await context.store.tx((tx) => tx.plans.update(brokerId, old?.id ?? '', { active: true }));
  t.strictSame((await getStatus(context)).shared_plan_names, [
    { broker, plan: 'b', display_name: 'Old', is_slug_of: 'old' },
  ]);
  for (const [slug, other] of [
    ['b', 'old'],
    ['old', 'b'],
  ] as const)
    t.strictSame((await showPlan.run(context, { broker, slug })).shares_name_with, [other]);
  await setPlan.run(context, { broker, slug: 'old', description: 'Something else can be changed' });
  await setPlan.run(context, { broker, slug: 'b', display_name: 'New' });
  t.strictSame((await showPlan.run(context, { broker, slug: 'b' })).shares_name_with, []);
});
