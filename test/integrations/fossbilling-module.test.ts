import { spawnSync } from 'node:child_process';
import type { Test } from 'tap';
import { ACCESS, createPanelWorld, startPanel, suite, unpack } from '../support/panels.ts';

/** The FOSSBilling module, called as FOSSBilling calls a product type that is not its own. */

interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the function answers, or the message of the exception.
  answer: any;
  waits: number[];
  mails: unknown[];
  history: string[];
}

const ASKED = { image: '1', hostname: '1' };
const PRODUCT = { plan: 'starter', ask: ASKED, fixed: { backups: 'no' } };

async function setup(t: Test, language = 'en') {
  const world = await createPanelWorld(t);
  const { key } = await world.addKey(world.broker, ['admin:full']);
  const root = await unpack(t, world, 'fossbilling');
  const send = startPanel<object, Outcome>(t, 'test/integrations/fossbilling-module.php', root, language);
  const settings = { name: 'panel-1', key, address: `http://127.0.0.1:${world.port}/api` };
  const call = (name: string, more: object = {}) => send({ call: name, settings, ...more });
  const { answer: product } = await call('product', { config: PRODUCT });
  /** Another FOSSBilling of the same name, such as one that was restored from a backup of before its first order. */
  const restored = async (client: number) => {
    const other = startPanel<object, Outcome>(t, 'test/integrations/fossbilling-module.php', root, language);
    const { answer } = await other({ call: 'product', settings, config: PRODUCT });
    const data = { brokerapi: { image: 'alpine-3' } };
    await other({ call: 'order', settings, product: answer, client, data });
    return (name: string) => other({ call: name, settings, order: 1 });
  };
  const order = async (brokerapi: object = { image: 'alpine-3', hostname: 'shop.example' }, client = 1) =>
    (await call('order', { product, client, data: { brokerapi } })).answer;
  return { world, key, call, product, order, restored };
}

suite('a day of an order: chosen, built, mailed, suspended, paid, acted on, cancelled and taken up again', async (t) => {
  const { world, call, order } = await setup(t);
  const number = await order();
  t.equal((await call('activate', { order: number })).answer, true);
  const [{ service_number: service, ...created }] = await world.services();
  t.match(created, {
    plan: { slug: 'starter' },
    client: { name: 'Ada Example', email: 'ada@example.com' },
    external_reference: 'panel-1/order-1',
    label: 'shop.example',
    configuration: { image: 'alpine-3', hostname: 'shop.example', backups: false },
  });
  await call('round');
  t.match((await call('view', { order: number })).answer, {
    state: 'Being set up',
    under_way: ['Creation: under way'],
  });
  await world.work();
  const ready = ['mod_servicebrokerapi_ready', 1, ACCESS.ip_addresses];
  t.strictSame((await call('round')).mails, [ready], 'the email knows the address');
  t.strictSame((await call('round')).mails, [ready], 'once');
  const { answer: view } = await call('view', { order: number });
  t.match(view, { state: 'Active', hostname: ACCESS.hostname, addresses: ACCESS.ip_addresses, username: 'root' });
  t.equal(view.service_number, undefined, 'clients do not read the number');

  t.equal((await call('suspend', { order: number })).answer, true);
  await world.work();
  t.equal((await call('unsuspend', { order: number })).answer, true);
  await world.work();
  const data = { order_id: number, action: 'reinstall', brokerapi: { image: 'debian-13' } };
  t.match((await call('client', { function: 'act', data })).answer, /Confirm that the data may be lost/);
  t.equal((await call('client', { function: 'act', data: { ...data, sure: '1' } })).answer, true);
  t.strictSame((await call('view', { order: number })).answer.under_way, ['reinstall: under way'], 'by its name');
  await world.work();
  t.equal((await world.service(service)).configuration.image, 'debian-13');

  t.equal((await call('cancel', { order: number })).answer, true);
  await world.work();
  t.equal((await call('uncancel', { order: number })).answer, true);
  await world.work();
  const states = (await world.services()).map((one: { service_status: string }) => one.service_status);
  t.strictSame(states, ['active', 'cancelled']);
  t.equal((await call('delete', { order: number })).answer, true);
  await world.work();
  const after = (await world.services()).map((one: { service_status: string }) => one.service_status);
  t.strictSame(after, ['cancelled', 'cancelled']);
});

suite('what a client chooses is checked before it can be paid', async (t) => {
  const { world, call, product } = await setup(t);
  const refusal = async (brokerapi: object) => (await call('order', { product, data: { brokerapi } })).answer;
  t.match(await refusal({ image: 'windows' }), /Operating system: choose one of Debian 13, Alpine 3/);
  t.match(await refusal({ image: 'alpine-3', hostname: 'my_shop.example' }), /Host name has to be a host name/);
  t.type(await refusal({ image: 'alpine-3', hostname: 'bücher.example', backups: '1', addresses: '8' }), 'number');
  await call('activate', { order: 1 });
  const [{ configuration }] = await world.services();
  t.strictSame(configuration, { image: 'alpine-3', hostname: 'xn--bcher-kva.example', backups: false }, 'not more');
});

suite('a client acts on the service of an order of their own alone, and only as the page does', async (t) => {
  const { world, call, order } = await setup(t);
  const number = await order();
  await call('activate', { order: number });
  await world.work();
  await call('round');
  world.changes.splice(0);
  const data = { order_id: number, action: 'reboot' };
  for (const name of ['act', 'credentials'])
    t.match((await call('client', { function: name, client: 2, data })).answer, /Order not found/, name);
  t.match((await call('client', { function: 'act', method: 'GET', data })).answer, /by POST/);
  const free = { order_id: number, action: 'reconfigure', brokerapi: { backups: '1' } };
  t.match(
    (await call('client', { function: 'act', data: free })).answer,
    /not offered/,
    'paid options are the panel’s',
  );
  t.strictSame(world.changes, []);
  t.notOk(
    (await call('view', { order: number })).answer.actions.some(({ name }: { name: string }) => name === 'reconfigure'),
  );
  t.equal((await call('client', { function: 'act', data })).answer, true);
});

suite('no function of the module touches a service whose reference is another order’s', async (t) => {
  const { world, key, call, order } = await setup(t);
  const number = await order();
  await call('activate', { order: number });
  await world.work();
  const [{ service_number: service }] = await world.services();
  const body = { external_reference: 'panel-1/order-2' };
  await world.call(key, 'POST', `/services/${service}/update`, { body });
  world.changes.splice(0);
  for (const name of ['suspend', 'unsuspend', 'cancel', 'delete'])
    t.match((await call(name, { order: number })).answer, /is another's: .*order-2/, name);
  const data = { order_id: number, plan: 'business' };
  t.match((await call('admin', { function: 'change_plan', data })).answer, /is another's/);
  t.match(
    (await call('client', { function: 'act', data: { order_id: number, action: 'reboot' } })).answer,
    /cannot be done/,
  );
  t.match((await call('client', { function: 'credentials', data })).answer, /cannot be done/);
  t.strictSame(world.changes, []);
});

suite('a restored panel that gives an order’s number again does not reach the service of the forgotten order', async (t) => {
  const { world, call, order, restored } = await setup(t);
  await call('activate', { order: await order() });
  await world.work();
  const again = await restored(2);
  for (const name of ['activate', 'suspend', 'unsuspend', 'cancel', 'delete'])
    t.match((await again(name)).answer, /is of "ada@example\.com": .*restored/, name);
  t.match(await world.services(), [{ service_status: 'active', open_requests: [] }]);
});

suite('what the product does not let clients choose, they do not choose with an action', async (t) => {
  const { world, call } = await setup(t);
  const products = [
    { plan: 'starter', ask: { image: '0' }, fixed: { image: 'alpine-3' } },
    { plan: 'starter', ask: { image: '0' }, fixed: { image: '' } },
  ];
  for (const config of products) {
    const { answer: product } = await call('product', { config });
    const { answer: number } = await call('order', { product, data: {} });
    await call('activate', { order: number });
    await world.work();
    await call('round');
    const [{ service_number: service, configuration }] = await world.services();
    t.match((await call('view', { order: number })).answer.actions, [
      { name: 'reboot' },
      { name: 'reinstall', options: [] },
    ]);
    for (const name of ['image', 'IMAGE', 'Operating system']) {
      const data = { order_id: number, action: 'reinstall', sure: '1', brokerapi: { [name]: 'debian-13' } };
      const other = { ...data, brokerapi: { [name]: 'alpine-3' } };
      const answer = configuration.image === 'debian-13' ? other : data;
      t.equal((await call('client', { function: 'act', data: answer })).answer, true);
      await world.work();
      t.strictSame((await world.service(service)).configuration, configuration, name);
    }
  }
});

suite('an order form does not wait at each view while nothing answers', async (t) => {
  const { world, call, product } = await setup(t);
  await call('form', { product });
  await call('age', {});
  world.line.request = () => null;
  const [first, second] = [await call('form', { product }), await call('form', { product })];
  t.match(second.answer, [{ name: 'image' }, { name: 'hostname' }]);
  t.strictSame([first.waits.length > 0, second.waits], [true, []]);
});

suite('a plan that staff change while the order is suspended comes with the end of the suspension', async (t) => {
  const { world, call, order } = await setup(t);
  const number = await order();
  await call('activate', { order: number });
  await world.work();
  await call('suspend', { order: number });
  await world.work();
  const change = await call('admin', { function: 'change_plan', data: { order_id: number, plan: 'business' } });
  t.equal(change.answer, true);
  let isResumed = false;
  world.line.answer = async (answer) => {
    isResumed ||= world.changes.at(-1)?.endsWith('/unsuspend') ?? false;
    if (isResumed) await world.work();
    return answer;
  };
  t.match(await call('unsuspend', { order: number }), { answer: true, history: [] });
  await world.work();
  t.match(await world.services(), [{ service_status: 'active', plan: { slug: 'business' } }]);
});

suite('an order that is paid runs again though its plan cannot change, and its history says so', async (t) => {
  const { world, call, order } = await setup(t);
  const number = await order();
  await call('activate', { order: number });
  await world.work();
  await call('suspend', { order: number });
  await world.work();
  await call('admin', { function: 'change_plan', data: { order_id: number, plan: 'business' } });
  // Nothing builds meanwhile, so that the service is not active yet when the plan is to change.
  const { answer, history } = await call('unsuspend', { order: number });
  t.match([answer, history], [true, [/^The plan is still Starter\. The service is not resumed yet/]]);
});

suite('a lost activation is found again, and staff read of a service that has ended', async (t) => {
  const { world, call, order } = await setup(t);
  const number = await order();
  t.match((await world.losing('changes', () => call('activate', { order: number }))).answer, /^Server: no answer/);
  t.equal((await call('activate', { order: number })).answer, true);
  const [{ service_number: service }, ...others] = await world.services();
  t.strictSame(others, []);
  await world.work();
  const body = { cancellation_type: 'immediate' };
  await world.call((await world.addKey(world.broker, ['admin:full'])).key, 'POST', `/services/${service}/cancel`, {
    body,
  });
  await world.work();
  t.strictSame((await call('round')).history, [`The service ${service} has ended, but the order has not`]);
});

suite('the pages come up while nothing answers, from what was read last', async (t) => {
  const { world, call, order, product } = await setup(t);
  const number = await order();
  await call('activate', { order: number });
  await world.work();
  await call('round');
  world.line.request = () => null;
  t.match(await call('view', { order: number }), {
    answer: { state: 'Active', addresses: ACCESS.ip_addresses },
    waits: [],
  });
  t.match((await call('form', { product })).answer, [{ name: 'image', value: 'debian-13' }, { name: 'hostname' }]);
  t.match(
    (await call('client', { function: 'credentials', data: { order_id: number } })).answer,
    /Try again in a minute/,
  );
});

suite('the templates show what there is, in English and German, and escape it', async (t) => {
  if (spawnSync('php', ['-r', 'require "Twig/autoload.php";'], { stdio: 'ignore' }).status !== 0) {
    if (process.env.REQUIRE_SERVICES) t.fail('php-twig is not here');
    return void process.stderr.write('\n*** php-twig IS NOT HERE, so FOSSBilling templates are NOT TESTED\n');
  }
  const { world, call, order } = await setup(t, 'de');
  world.provisioner.answers.push({ outcome: 'done', access: { ...ACCESS, username: '<b>root</b>' } });
  const number = await order();
  await call('activate', { order: number });
  await world.work();
  await call('round');
  const page = async (area: string, template: string) => (await call('page', { order: number, area, template })).answer;
  const manage = await page('client', 'manage');
  for (const text of [
    'Ihr Server',
    'Aktiv',
    ACCESS.hostname,
    '192.0.2.10',
    '&lt;b&gt;root&lt;/b&gt;',
    'Kennwort',
    'name="sure"',
  ])
    t.ok(manage.includes(text), text);
  t.notMatch(manage, /reconfigure/);
  const form = await page('client', 'order_form');
  t.match(form, /name="brokerapi\[image\]"[\s\S]*<option value="debian-13" selected>/);
  t.notMatch(form, /brokerapi\[backups\]/);
  t.match(await page('admin', 'manage'), /panel|Service<\/td><td>\d+/);
  t.match(await page('admin', 'config'), /name="config\[ask\]\[image\]" value="1" checked/);
});
