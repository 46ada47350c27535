import { execFileSync } from 'node:child_process';
import type { Test } from 'tap';
import { ACCESS, createPanelWorld, limited, NO_ROOM, OFFER, startPanel, suite, unpack } from '../support/panels.ts';

/** Paymenter's server extension over classes of the real signatures, against a server over a line that loses answers. */

interface Call {
  call?: string;
  /** Of the service that the call is about. */
  id?: number;
  config?: object;
  services?: Record<number, object>;
  /** What a client enters, by fields of the order form. */
  entered?: Record<string, string[]>;
  texts?: Record<string, string>;
}

interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: what a function of the extension answers
  answer: any;
  waits: number[];
  reported: string[];
  notices: string[];
  numbers: Record<string, string>;
}

const ADA = { name: 'Ada Example', email: 'ada@example.com' };
const EVE = { name: 'Eve Other', email: 'eve@example.com' };

async function setup(t: Test) {
  const world = await createPanelWorld(t);
  const folder = `${await unpack(t, world, 'paymenter')}/extensions/Servers/Brokerapi`;
  const send = startPanel<Call, Outcome>(t, 'test/integrations/paymenter.php', folder);
  const config = { address: `http://127.0.0.1:${world.port}/api`, panel: 'pay-1', key: world.key };
  const service = (more: object = {}) => ({ status: 'active', user: ADA, settings: { plan: 'starter' }, ...more });
  const call = (name: string, id?: number, more: Call = {}) =>
    send({ config, call: name, ...(id !== undefined && { id }), ...more });
  await send({ config, services: { 12: service({ properties: { image: 'alpine-3', hostname: 'shop.example' } }) } });
  return {
    world,
    config,
    call,
    service,
    have: (services: Record<number, object>) => send({ config, services }),
    /** The order of service 12, which is built while its job waits. */
    async order() {
      world.line.answer = async (answer) => {
        if (world.sent.at(-1)?.startsWith('/api/v1/requests/')) await world.work();
        return answer;
      };
      const made = await call('createServer', 12);
      delete world.line.answer;
      return made;
    },
    only: async () => {
      const all = await world.services();
      if (all.length !== 1) throw new Error(`there are ${all.length} services`);
      return all[0];
    },
  };
}

suite('a day of a service: ordered, built, suspended, paid, changed and ended', async (t) => {
  const { world, call, order, only, have, service } = await setup(t);
  t.equal((await call('testConfig')).answer, true);
  t.match((await call('getProductConfig')).answer, [
    { name: 'plan', options: [{ value: 'starter', label: 'Starter' }, { value: 'flat' }, { value: 'business' }] },
  ]);
  const made = await order();
  const { service_number: number, ...record } = await only();
  t.strictSame(made.answer, {
    number,
    address: '192.0.2.10',
    addresses: ACCESS.ip_addresses,
    hostname: ACCESS.hostname,
    username: 'root',
    login_url: ACCESS.login_url,
  });
  t.match(record, {
    external_reference: 'pay-1/service-12',
    client: ADA,
    configuration: { image: 'alpine-3', hostname: 'shop.example' },
  });
  t.strictSame(made.numbers, { 12: String(number) });
  t.match((await call('createServer', 12)).answer, { number }, 'once');
  await only();
  for (const [name, status] of [
    ['suspendServer', 'suspended'],
    ['unsuspendServer', 'active'],
  ] as const) {
    t.equal((await call(name, 12)).answer, true);
    await world.work();
    t.equal((await only()).service_status, status);
    t.equal((await call(name, 12)).answer, true, 'nothing is left to do');
  }
  await have({ 12: service({ settings: { plan: 'business' } }) });
  t.equal((await call('upgradeServer', 12)).answer, true);
  await world.work();
  t.match(await only(), { plan: { slug: 'business' }, configuration: { image: 'alpine-3' } });
  t.equal((await call('terminateServer', 12)).answer, true);
  await world.work();
  t.equal((await only()).service_status, 'cancelled');
  t.equal((await call('terminateServer', 12)).answer, true);
  t.match((await call('suspendServer', 12)).answer.error, /There is no service of Paymenter's service 12/);
});

suite('a job waits for the build, and ends before the queue gives it to another worker', async (t) => {
  const { call, world } = await setup(t);
  const { answer, waits } = await call('createServer', 12);
  t.match(answer, { number: Number, address: null });
  const seconds = waits.reduce((sum, wait) => sum + wait, 0);
  t.ok(seconds > 60 && seconds <= 80, `${seconds} seconds`);
  world.provisioner.answers.push(NO_ROOM);
  await world.work();
  t.match((await call('createServer', 12)).answer, { number: Number }, 'what failed is ordered anew');
  t.equal((await world.services()).length, 2);
});

suite('a build that fails is the job’s failure, and no email goes out', async (t) => {
  const { world, order } = await setup(t);
  world.provisioner.answers.push(NO_ROOM);
  t.match((await order()).answer, { error: /^Broker API: The service \d+ could not be built: No room/ });
});

suite('while each answer is lost once, nothing is done twice', async (t) => {
  const { world, call } = await setup(t);
  let count = 0;
  world.line.answer = (answer) => (count++ % 2 === 0 ? undefined : answer);
  t.match((await call('createServer', 12)).answer, { number: Number });
  await world.work();
  for (const name of ['suspendServer', 'unsuspendServer', 'terminateServer']) {
    t.equal((await call(name, 12)).answer, true, name);
    await world.work();
  }
  t.equal((await world.requests()).length, 4);
});

suite('a rate limit is waited for inside of the job, and so is a server that does not answer', async (t) => {
  const { world, call, order } = await setup(t);
  await order();
  let count = 0;
  world.line.request = () => (count++ === 0 ? limited({ 'retry-after': '50' }) : undefined);
  t.match(await call('suspendServer', 12), { answer: true, waits: [50] });
  world.line.request = () => null;
  for (const name of ['suspendServer', 'unsuspendServer']) {
    const { answer, waits } = await call(name, 12);
    t.match(answer.error, /nothing is done twice/);
    t.ok(waits.reduce((sum, wait) => sum + wait, 0) >= 50, 'each job of a worker');
  }
});

suite('no function touches another client’s service', async (t) => {
  const { world, call, order, only, have, service } = await setup(t);
  await order();
  const { service_number: number } = await only();
  await have({ 13: service({ user: EVE, properties: { broker_service_number: String(number) } }) });
  const before = JSON.stringify(await only());
  world.changes.splice(0);
  const folder = 'integrations/paymenter/extensions/Servers/Brokerapi/Brokerapi.php';
  const declared = execFileSync('grep', ['-oE', 'public function [A-Za-z_]+\\(Service', folder], { encoding: 'utf8' });
  const names = [...declared.matchAll(/function (\w+)/g)].map(([, name = '']) => name);
  t.ok(names.length >= 13);
  for (const name of names) {
    const { answer, reported } = await call(name, 13);
    t.match(`${answer.error} ${reported.join()}`, /is another's: .*ada@example\.com.*eve@example\.com/, name);
  }
  await have({ 13: service({ user: EVE, status: 'cancelled' }) });
  t.match((await call('daily')).reported, [/service 13: .*is another's/]);
  t.strictSame(world.changes, []);
  t.equal(JSON.stringify(await only()), before);
});

suite('a restored panel that gives a service’s number again does not reach that of the forgotten one', async (t) => {
  const { world, call, order, have, service, only } = await setup(t);
  await order();
  await have({ 12: service({ user: EVE, properties: { broker_service_number: '' }, status: 'active' }) });
  world.changes.splice(0);
  for (const name of ['suspendServer', 'unsuspendServer', 'terminateServer', 'upgradeServer', 'showServer', 'reboot']) {
    const { answer, reported } = await call(name, 12);
    t.match(`${answer.error} ${reported.join()}`, /is of "ada@example\.com": .*restored/, name);
  }
  for (const status of ['active', 'suspended', 'cancelled']) {
    await have({ 12: service({ user: EVE, properties: { broker_service_number: '' }, status }) });
    t.match((await call('daily')).reported, [/service 12: .*is of "ada@example\.com"/], status);
  }
  t.strictSame(world.changes, []);
  t.match(await only(), { service_status: 'active' });
});

suite('a number that another service of the client has is refused, and both are named', async (t) => {
  const { world, call, have, service } = await setup(t);
  await world.call(world.key, 'POST', '/services', { body: { plan: 'starter', client: ADA } });
  await world.work();
  const [{ service_number: number }] = await world.services();
  const properties = { broker_service_number: String(number) };
  await have({ 20: service({ properties }) });
  t.equal((await call('suspendServer', 20)).answer, true, 'staff connected it');
  await have({ 21: service({ properties }) });
  t.match((await call('terminateServer', 21)).answer.error, /is that of service 20; service 21 cannot have it, too/);
});

suite('once a day the API is brought to what Paymenter shows, but for the operator’s word', async (t) => {
  const { world, call, only, have, service } = await setup(t);
  await have({ 12: service({ properties: { image: 'alpine-3' } }) });
  world.line.request = () => null;
  await call('createServer', 12);
  delete world.line.request;
  t.strictSame(await world.services(), [], 'its job came to nothing');
  t.strictSame((await call('daily')).reported, []);
  await world.work();
  t.match(await only(), { service_status: 'active', configuration: { image: 'alpine-3' } });
  const shows = async (status: string, more: object = {}) => {
    await have({ 12: service({ status, ...more }) });
    const { reported } = await call('daily');
    await world.work();
    return [(await only()).service_status, reported];
  };
  t.strictSame(await shows('suspended'), ['suspended', []]);
  t.strictSame(await shows('active'), ['active', []]);
  const count = world.changes.length;
  t.strictSame(await shows('active'), ['active', []]);
  t.strictSame(await shows('cancelled', { updated_at: '-20 days' }), ['active', []], 'what ended long ago stays');
  t.equal(world.changes.length, count);
  t.strictSame(await shows('cancelled'), ['cancelled', []]);
  t.match(await shows('active'), ['cancelled', [/has ended, and Paymenter shows it as active/]]);
});

suite('what the operator has suspended stays so, though Paymenter shows it as active', async (t) => {
  const { world, call, order, only } = await setup(t);
  await order();
  const { service_number: number } = await only();
  await world.store.tx((tx) =>
    tx.services.update(world.broker.id, number, { status: 'suspended', suspendedBy: 'operator', suspendedAt: 1 }),
  );
  world.changes.splice(0);
  t.strictSame((await call('daily')).reported, []);
  t.strictSame(world.changes, []);
});

suite('the order form asks for the plan’s options, but for those that Paymenter sells', async (t) => {
  const { call, have, service } = await setup(t);
  const { answer } = await call('getCheckoutConfig', 12, {
    entered: { hostname: ['my_shop', 'shop.example', ''], addresses: ['9', '2', 'two', ''] },
  });
  t.match(answer, [
    {
      name: 'image',
      type: 'select',
      options: { 'debian-13': 'Debian 13', 'alpine-3': 'Alpine 3' },
      default: 'debian-13',
    },
    { name: 'hostname', type: 'text', default: '', validation: ['nullable'], faults: { length: 1 } },
    { name: 'backups', type: 'select', label: 'Backups', options: ['No', 'Yes'], default: '0' },
    { name: 'addresses', type: 'number', faults: { length: 2 } },
  ]);
  const configOptions = [
    { name: 'Backups', env_variable: '', type: 'checkbox' },
    { name: 'More', env_variable: 'addresses', type: 'select' },
  ];
  await have({ 12: service({ configOptions }) });
  t.match((await call('getCheckoutConfig', 12)).answer, [{ name: 'image' }, { name: 'hostname' }]);
});

suite('an upgrade brings what is sold, and a box that is no longer ticked', async (t) => {
  const { world, call, order, only, have, service } = await setup(t);
  const configOptions = [
    { name: 'Nightly backups', env_variable: 'backups', type: 'checkbox' },
    { name: 'Addresses', env_variable: '', type: 'select' },
  ];
  const backups = { option: configOptions[0], value: { name: 'Nightly backups' } };
  const addresses = { option: configOptions[1], value: { name: '2' } };
  await have({ 12: service({ configOptions, configs: [backups] }) });
  await order();
  t.match((await only()).configuration, { image: 'alpine-3', backups: true });
  await have({ 12: service({ configOptions, configs: [addresses], settings: { plan: 'business' } }) });
  world.changes.splice(0);
  t.equal((await call('upgradeServer', 12)).answer, true);
  t.equal(world.changes.length, 1, 'plan and options are one change');
  await world.work();
  t.match(await only(), {
    plan: { slug: 'business' },
    configuration: { image: 'alpine-3', backups: false, addresses: 2 },
  });
});

suite('the client’s page shows address, login and state, and has a button for what needs no question', async (t) => {
  const { world, call, order, only } = await setup(t);
  const plan = world.plans[0] as (typeof world.plans)[number];
  const plain = { description: null, options: [], requires_operator_review: false, destroys_data: false };
  const actions = [...OFFER.actions, { ...plain, name: 'console', display_name: 'Console' }];
  await world.store.tx((tx) => tx.plans.putOffers(world.broker.id, new Map([[plan.id, { ...OFFER, actions }]])));
  world.provisioner.answers.push({ outcome: 'done', access: { ...ACCESS, notes: `<b>"hi"</b>` } });
  await order();
  t.strictSame(
    (await call('getActions', 12)).answer.map(({ type, label }: { type: string; label: string }) => `${type} ${label}`),
    ['view Server', 'view Credentials', 'button Sign in', 'button reboot', 'button Console'],
  );
  const pressed = await call('reboot', 12);
  t.match(pressed, { answer: '/services.show/12', notices: ['It is being done.'] });
  const texts = { Active: 'Aktiv', State: 'Zustand', 'under way': 'läuft' };
  const { answer: html } = await call('showServer', 12, { texts });
  for (const text of ['Zustand', '>Aktiv<', 'reboot: läuft', '192.0.2.10, 2001:db8::10', ACCESS.hostname, '>root<'])
    t.ok(html.includes(text), text);
  t.match(html, '&lt;b&gt;&quot;hi&quot;&lt;/b&gt;');
  t.match((await call('reboot', 12)).answer, { error: /Something else is being done/, for_client: true });
  await world.work();
  const count = world.changes.length;
  t.match((await call('stop', 12)).answer, { error: /not possible at the moment/, for_client: true });
  t.equal(world.changes.length, count);
  t.match((await call('console', 12)).answer, { error: /press again in a moment/, for_client: true });
  await world.work();
  const login = { display_name: 'Login', username: 'root', password: 'Open-<Sesame>', private_key: null, url: null };
  world.context.credentials = { read: async () => [login] };
  const shown = await call('showCredentials', 12);
  t.match(shown.answer, 'Open-&lt;Sesame&gt;');
  t.strictSame(shown.reported, []);
  await call('suspendServer', 12);
  await world.work();
  t.equal((await only()).service_status, 'suspended');
  t.match((await call('getActions', 12)).answer, [{ type: 'view', name: 'server' }]);
  t.equal((await call('getActions', 12)).answer.length, 1);
});

suite('a fault of the set-up is named', async (t) => {
  const { world, call, config } = await setup(t);
  const says = async (name: RegExp, more: object) =>
    t.match((await call('testConfig', undefined, { config: { ...config, ...more } })).answer, name);
  await says(/^Set "Name of this Paymenter" to a name/, { panel: '' });
  await says(/^Key: /, { key: 'sk_live_unknown' });
  await says(/^Address: /, { address: 'http://127.0.0.1:2/api' });
  const { key: reading } = await world.addKey(world.broker, ['services:read']);
  await says(/^Scope: the key lacks admin:full/, { key: reading });
  t.match((await call('getConfig')).answer, [{ name: 'address' }, { name: 'panel' }, { name: 'key', encrypted: true }]);
});

suite('the archive unpacks into the folder of Paymenter', async (t) => {
  const { world } = await setup(t);
  const folder = await unpack(t, world, 'paymenter');
  const files = execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  t.strictSame(
    files.map((file) => file.slice(folder.length)).sort(),
    ['Brokerapi.php', 'README.md', 'broker.php', 'panel.php'].map((name) => `/extensions/Servers/Brokerapi/${name}`),
  );
});
