import t from 'tap';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { findPlan, importPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { createTestConsole, formAgain, formOf } from '../support/console.ts';
import { BROKER, file } from '../support/operator-context.ts';

t.test('an admin adds, changes, switches off and removes a plan; others see it and what it was', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await createBroker.run({ ...context, actor: { kind: 'command', name: 'ada', clientIp: null } }, BROKER);
  const [admin, viewer] = [await console.signedIn('admin'), await console.signedIn('viewer')];
  t.match((await admin.get('/plans')).text, /There are no plans yet/);
  t.match((await admin.get('/plans?broker=acme')).text, /This broker has no plans yet/);
  const fields = {
    display_name: 'Small',
    upgrade_rank: '5',
    billing_type: 'monthly',
    'price.amount': '9.90',
    'price.currency': 'EUR',
    'specifications.vcpu': '2',
  };
  const made = await admin.edit('/plans', '/plans/create', { broker: 'acme', slug: 'small', ...fields });
  t.match(made, { status: 303, to: /^\/plans\/pln_/ });
  const path = made.to as string;
  t.match((await admin.get(path)).text, /9\.90 EUR/);
  const again = { broker: 'acme', slug: 'small', ...fields };
  t.match(await admin.edit('/plans', '/plans/create', again), { status: 303, to: path }, 'it stands so already');
  t.match(await admin.edit('/plans', '/plans/create', { ...again, 'price.amount': '9.91' }), {
    status: 422,
    text: /Slug: is that/,
    body: /href="\/plans\?order=rank"/,
  });

  await importServices(
    { ...context, actor: { kind: 'command', name: 'ada', clientIp: null } },
    { broker: 'acme', file: file('s.json', [{ service_number: 7000, client: { name: 'Z' }, plan: 'small' }]) },
  );
  const action = `${path}/preview`;
  const shown = formOf((await admin.get(path)).body, action);
  const changed = { ...shown, 'price.amount': '12.500000', 'specifications.vcpu': '' };
  t.match(await admin.post(action, { ...changed, billing_type: 'hourly' }), {
    status: 422,
    text: /Billed: cannot change: 1 service \(ended ones count\) and 0 open requests refer to the plan/,
  });
  const preview = await admin.post(`${path}/preview`, changed);
  t.match(preview, { status: 200, text: /Services on this plan: 1/ });
  t.match(preview.text, /9\.90 EUR[\s\S]*12\.500000 EUR/);
  t.match((await admin.get(path)).text, /9\.90 EUR/, 'a preview changes nothing');
  const free = await admin.post(`${path}/preview`, { ...shown, 'price.amount': '' });
  t.match(free.text, /Is this price right\? It costs 9\.90 EUR now, and would have no price\./);
  const unpriced = await admin.post(`${path}/preview`, { ...changed, 'price.amount': 'x' });
  t.match(unpriced, { status: 422, text: /Price: must be/ });
  t.match(unpriced.text, /See what changes Cancel/, 'the refused form shows what changes, as the first one does');
  t.match(await admin.post(`${path}/set`, formOf(preview.body, `${path}/set`)), { status: 303, to: path });
  t.match(await admin.post(`${path}/set`, { ...changed, 'price.amount': '9' }), {
    status: 409,
    text: /is &quot;12\.500000&quot; now/,
  });
  const seen = (await viewer.get(path)).text;
  t.match(seen, /9\.90 EUR → 12\.500000 EUR/);
  t.notMatch(seen, /Edit…|Stop selling…/);
  t.match((await viewer.get('/services')).body, new RegExp(`href="${path}"`));

  const switched = async () => formOf((await admin.get(path)).body, `${path}/set`);
  t.match(await switched(), { active: 'false', seen: '{"active":true}' });
  await admin.post(`${path}/set`, await switched());
  t.match((await admin.get('/plans?status=inactive&q=mal')).text, /Small/);
  t.match((await admin.get('/plans?status=active')).text, /No plan matches/);
  await admin.post(`${path}/set`, await switched());
  const asked = await admin.post(`${path}/remove`);
  t.match(await admin.post(`${path}/remove`, formAgain(asked.body, `${path}/remove`)), {
    status: 422,
    text: /was used by a service/,
  });
  const other = await admin.edit('/plans', '/plans/create', {
    broker: 'acme',
    slug: 'none',
    ...fields,
    display_name: 'None',
    'price.amount': '',
    'price.currency': '',
  });
  t.match((await admin.get(other.to as string)).text, /Remove…/);
  t.match(await admin.edit(other.to as string, `${other.to}/remove`), { status: 303, to: '/plans' });
  t.equal((await viewer.get(other.to as string)).status, 404);
  t.match((await admin.get('/audit?action=plan.remove')).text, /plan\/none/);
  t.equal((await viewer.post(`${path}/set`, changed)).status, 403);
  t.equal((await listAudit(context, { subject: 'plan/small' })).length, 4);
});

t.test('what a plan offers is written as JSON, with faults by their paths, and shown readably', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await createBroker.run(context, BROKER);
  const [admin, viewer] = [await console.signedIn('admin'), await console.signedIn('viewer')];
  const fields = { display_name: 'Small', upgrade_rank: '5', billing_type: 'monthly' };
  const made = await admin.edit('/plans', '/plans/create', { broker: 'acme', slug: 'small', ...fields });
  const path = made.to as string;
  const action = `${path}/preview`;
  const shown = formOf((await admin.get(path)).body, action);
  t.match(shown, { options: '', actions: '', provisioning: '', has_credentials: 'false' });
  const options = JSON.stringify([
    { name: 'image', display_name: 'Image', type: 'choice', choices: [{ value: 'debian', display_name: 'Debian' }] },
  ]);
  const actions = JSON.stringify([{ name: 'reinstall', display_name: 'Install anew', destroys_data: true }]);
  const refused = await admin.post(action, { ...shown, options: '[{"name":"a"}]', actions });
  t.equal(refused.status, 422);
  t.match(refused.text, /options\.0\.display_name: is required/);
  t.match(formAgain(refused.body, action), { options: '[{"name":"a"}]', actions }, 'what was typed stays');
  const changed = { ...shown, options, actions, provisioning: '{"template":9000}', has_credentials: 'true' };
  const preview = await admin.post(action, changed);
  t.match(preview.text, /options: none → image[\s\S]*actions: none → reinstall/i);
  t.match(await admin.post(`${path}/set`, formOf(preview.body, `${path}/set`)), { status: 303, to: path });
  const seen = (await viewer.get(path)).text;
  t.match(seen, /Image image Debian/);
  t.match(seen, /Install anew reinstall destroys data/);
  t.notMatch(seen, /9000/, 'what is for the provisioner is for admins');
  t.match((await admin.get(path)).text, /Provisioning \{ &quot;template&quot;: 9000 \}/);
  t.match(seen, /provisioning: changed/i, 'its history says no more');
  const again = formOf((await admin.get(path)).body, action);
  t.match(await admin.post(action, again), { status: 303 }, 'the form as it is shown changes nothing');
  t.equal((await admin.post(action, { ...again, options: '' })).status, 200);
});

t.test('the page of a plan names the other one that shares its name', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await createBroker.run(context, BROKER);
  const plans = [
    { slug: 'one', display_name: 'Big', upgrade_rank: 1, billing_type: 'monthly' },
    { slug: 'big', display_name: 'Two', upgrade_rank: 2, billing_type: 'monthly', active: false },
  ];
  await importPlans(context, { broker: 'acme', file: file('p.json', plans) });
  const brokerId = String((await context.store.read.brokers.findBySlug('acme'))?.id);
  const [one, big] = (await context.store.read.plans.list(brokerId)).map(({ id }) => id);
  const admin = await console.signedIn('admin');
  const refused = await admin.edit(`/plans/${big}`, `/plans/${big}/set`, { active: 'true' });
  t.match(refused, { status: 422, text: /the slug is the display name of &quot;one&quot;/ });
  t.notMatch((await admin.get(`/plans/${big}`)).text, /is also one of/);
  await context.store.tx((tx) => tx.plans.update(brokerId, String(big), { active: true }));
  t.match((await admin.get(`/plans/${one}`)).text, /display name of this plan is also one of big:/);
  t.match((await admin.get(`/plans/${big}`)).text, /display name of this plan is also one of one:/);
});

t.test('options and actions of a plan are added and taken away on its page, without JSON', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await createBroker.run(context, BROKER);
  const offer = {
    options: [{ name: 'image', display_name: 'Image', type: 'text' }],
    actions: [{ name: 'snapshot', display_name: 'Take a snapshot' }],
  };
  const plan = { slug: 'one', display_name: 'One', upgrade_rank: 1, billing_type: 'monthly', ...offer };
  await importPlans(context, { broker: 'acme', file: file('p.json', [plan]) });
  const brokerId = String((await context.store.read.brokers.findBySlug('acme'))?.id);
  const [planId] = (await context.store.read.plans.list(brokerId)).map(({ id }) => id);
  const path = `/plans/${planId}`;
  const now = async () => findPlan(context, { planId: String(planId) });
  const [admin, viewer] = [await console.signedIn('admin'), await console.signedIn('viewer')];
  t.notMatch((await viewer.get(path)).text, /Add an option|Take away|Choose actions/);

  const page = await admin.get(path);
  const link = /href="(\/plans\/option\?[^"]+)"/.exec(page.body)?.[1] as string;
  const form = await admin.get(link.replaceAll('&amp;', '&'));
  t.match(form.text, /Add an option to One/);
  const option = { ...formOf(form.body, '/plans/option/add'), display_name: 'Backups', type: 'boolean' };
  const taken = await admin.post('/plans/option/add', { ...option, name: 'image' });
  t.match(taken, { status: 422, body: /name="name"[^>]*aria-invalid="true"/ });
  t.match(await admin.post('/plans/option/add', { ...option, name: 'backups' }), { status: 303, to: path });
  t.match((await admin.get(path)).text, /Backups was added to One/);
  t.match((await now()).options, [{ name: 'image' }, { name: 'backups', type: 'boolean' }]);

  const chosen = { shown: ['snapshot'], action: ['snapshot', 'reboot', 'reinstall'] };
  t.match(await admin.post(`${path}/actions`, chosen), { status: 303, to: path });
  t.match((await now()).actions, [
    { name: 'snapshot', display_name: 'Take a snapshot' },
    { name: 'reboot', display_name: 'Restart', destroys_data: false },
    { name: 'reinstall', destroys_data: true, options: [{ name: 'image' }] },
  ]);
  await admin.post(`${path}/actions`, { shown: ['snapshot', 'reboot'], action: ['reboot'] });
  t.strictSame(
    (await now()).actions.map(({ name }) => name),
    ['reboot', 'reinstall'],
    'what another person added meanwhile stays',
  );

  t.match(await admin.post(`${path}/option/remove`, { name: 'image' }), { status: 303, to: path });
  t.match((await admin.get(path)).text, /image is no option any more/);
  t.strictSame(
    (await now()).options.map(({ name }) => name),
    ['backups'],
  );
  await admin.post(`${path}/option/remove`, { name: 'image' });
  t.match((await admin.get(path)).text, /one has no option image any more/, 'a second click says so');
  t.match((await admin.get(path)).text, /Actions: snapshot, reboot, reinstall → reboot, reinstall/);
});
