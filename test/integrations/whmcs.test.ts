import { execFileSync } from 'node:child_process';
import type { Test } from 'tap';
import { submitForClient } from '../../src/lifecycle/for-operator.ts';
import {
  ACCESS,
  createPanelWorld,
  limited,
  NO_ROOM,
  type PanelWorld,
  startPanel,
  suite,
  unpack,
} from '../support/panels.ts';

/** The WHMCS module, called as the documentation of WHMCS says, against a server over a line that loses answers. */

interface Call {
  call?: string;
  hook?: string;
  params?: Record<string, unknown>;
  post?: Record<string, unknown>;
  query?: Record<string, string>;
  /** Texts of WHMCS's lang/overrides. */
  overrides?: Record<string, string>;
  /** The answer is a page, and what counts is how Smarty renders it. */
  render?: boolean;
  tables?: Record<string, object[]>;
  /** Nothing of what the module stored is left. */
  forget?: boolean;
  /** Custom fields cannot be stored. */
  fails?: boolean;
  /** A command of WHMCS that is refused. */
  refused?: string;
}

interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: what a function of the module answers
  answer: any;
  waits: number[];
  log: string[];
  sent: string[];
  tables: Record<string, Array<Record<string, string>>>;
  properties: Record<string, Record<string, string>>;
}

const SERVER = { serverid: '3', serverusername: 'panel-1', serverip: '', serversecure: '', serveraccesshash: '' };

async function setup(t: Test, mode: 'live' | 'test' = 'live', area: 'client' | 'admin' = 'client') {
  const world = await createPanelWorld(t);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode });
  const folder = `${await unpack(t, world, 'whmcs')}/modules/servers/brokerapi`;
  const words = area === 'admin' ? [folder, area] : [folder];
  const start = () => startPanel<Call, Outcome>(t, 'test/integrations/whmcs.php', ...words);
  const send = start();
  const server = (key: string) => ({
    ...SERVER,
    serverhostname: '127.0.0.1',
    serverport: String(world.port),
    serverpassword: key,
  });
  const row = {
    ...{ packageid: '1', server: '3', userid: '11', username: '', domain: '', dedicatedip: '', assignedips: '' },
  };
  const state = { key };
  const params = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
    ...server(state.key),
    ...{ serviceid: '7', pid: '1', domain: 'shop.example', username: '', password: 'invented' },
    ...{ configoption1: 'starter', configoptions: {}, customfields: {} },
    clientsdetails: { firstname: 'Ada', lastname: 'Example', email: 'ada@example.com' },
    ...more,
  });
  const database = (key: string, hostings: object[]) => ({
    tblservers: [
      {
        ...{ id: '3', type: 'brokerapi', hostname: '127.0.0.1', ipaddress: '', port: String(world.port), secure: '' },
        username: 'panel-1',
        password: [...key].reverse().join(''),
        accesshash: '',
      },
    ],
    tblproducts: [{ id: '1', configoption1: 'starter', configoption2: 'Your server' }],
    tblhosting: hostings,
    tblhostingaddons: [{ id: '40', hostingid: '7', server: '3', userid: '11', status: 'Pending' }],
    tblclients: [
      { id: '11', email: 'ada@example.com' },
      { id: '12', email: 'eve@example.com' },
    ],
    tblcustomfields: [{ id: '9', type: 'product', relid: '1', fieldname: 'Broker service number' }],
    tblcustomfieldsvalues: [],
  });
  await send({ tables: database(key, [{ id: '7', domainstatus: 'Pending', ...row }]) });
  return {
    world,
    key,
    start,
    send,
    state,
    params,
    call: (name: string, more = {}, call: Call = {}) => send({ ...call, call: name, params: params(more) }),
    night: () => send({ hook: 'DailyCronJob' }),
    cron: () => send({ hook: 'AfterCronJob' }),
    /** A product of WHMCS as its table has it. */
    hosting: (id: string, more: object = {}) => ({ id, domainstatus: 'Active', ...row, ...more }),
    /** The page of the product, for a client. */
    page: async (more = {}) => (await send({ call: 'ClientArea', params: params(more) })).answer.templateVariables,
    /** The client presses a button of the page, or answers the page that asks. */
    press: async (broker_action: string, post: object = {}, more = {}, call: Call = {}) => {
      const asking = await send({ call: 'action', params: params(more), query: { broker_action } });
      const proof = asking.answer?.vars?.proof;
      return send({
        ...call,
        call: 'action',
        params: params(more),
        post: { broker_action, broker_proof: proof, ...post },
      });
    },
    /** How WHMCS shows the product. */
    shown: async () =>
      ((await send({})).tables.tblhosting as Array<Record<string, string>>)[0] as Record<string, string>,
  };
}

const only = async ({ services }: PanelWorld) => {
  const all = await services();
  if (all.length !== 1) throw new Error(`there are ${all.length} services`);
  return all[0];
};

suite('a day of a product: ordered, built, suspended, paid, changed and ended', async (t) => {
  const { world, call, cron, night, shown, page } = await setup(t);
  t.equal((await call('TestConnection')).answer.success, true);
  t.strictSame((await call('plans')).answer, { starter: 'Starter', flat: 'Flat', business: 'Business' });

  const configoptions = { 'Operating system': 'Alpine 3', Addresses: '2', Backups: '' };
  const { answer, properties, log } = await call('CreateAccount', { configoptions, customfields: { Note: 'for us' } });
  t.equal(answer, 'success');
  const { service_number: number, ...created } = await only(world);
  t.match(created, {
    plan: { slug: 'starter' },
    client: { name: 'Ada Example', email: 'ada@example.com' },
    label: 'shop.example',
    configuration: { image: 'alpine-3', hostname: 'shop.example', addresses: 2, backups: false },
  });
  t.strictSame(properties, { '7/0': { 'Broker service number': String(number) } });
  t.notMatch(log.join(), world.key);
  t.match(await page(), {
    broker: { status: 'pending', state: 'Being set up', underway: ['Creation: under way'], access: null },
  });

  t.strictSame((await cron()).sent, [], 'no client is welcomed before there is an address');
  await world.work();
  t.strictSame((await cron()).sent, ['Your server for 7: 192.0.2.10, root, shop.example.com']);
  t.match(await shown(), { domainstatus: 'Active', dedicatedip: '192.0.2.10', assignedips: '2001:db8::10' });
  t.strictSame((await night()).sent, [], 'and once only');
  world.sent.splice(0);
  t.match((await page()).broker, { status: 'active', access: ACCESS, loginurl: ACCESS.login_url });
  t.strictSame(Object.keys((await call('AdminServicesTabFields')).answer), [
    'Broker service',
    'Addresses',
    'Login link',
  ]);
  await cron();
  t.strictSame(world.sent, [], 'views cost no calls, and neither does a cron run while nothing is under way');
  await night();
  t.equal(world.sent.length, 2, 'a quiet night costs two');

  t.equal((await call('SuspendAccount', { suspendreason: 'Overdue' })).answer, 'success');
  t.match((await page()).broker, { state: 'Active', underway: ['Suspension: under way'] });
  t.equal((await call('UnsuspendAccount')).answer, 'success', 'the client pays before the work has begun');
  await world.work();
  await world.work();
  t.equal((await world.service(number)).service_status, 'active');
  await call('SuspendAccount', { suspendreason: 'Overdue' });
  await world.work();
  t.match(await world.service(number), { service_status: 'suspended', suspension: { reason: 'Overdue' } });
  t.equal((await call('SuspendAccount')).answer, 'success', 'nothing is left to do');
  await cron();
  t.match(await shown(), { domainstatus: 'Suspended' });
  await call('UnsuspendAccount');
  await world.work();
  await cron();
  t.match(await shown(), { domainstatus: 'Active' });

  t.equal((await call('ChangePackage', { configoption1: 'business' })).answer, 'success');
  await world.work();
  t.equal((await world.service(number)).plan.slug, 'business');
  const options = { configoption1: 'business', configoptions: { Backups: '1', Addresses: '3' } };
  t.equal((await call('ChangePackage', options)).answer, 'success', 'options alone');
  t.equal((await call('ChangePackage', options)).answer, 'success', 'and once more while that is under way');
  await world.work();
  t.match((await world.service(number)).configuration, { backups: true, addresses: 3 });
  t.match(
    (await call('ChangePackage', { ...options, configoptions: { 'Operating system': 'debian-13', Backups: '' } }))
      .answer,
    /Cannot be changed for an existing service: image/,
  );

  t.match((await call('ListAccounts')).answer.accounts, [
    {
      uniqueIdentifier: String(number),
      product: 'business',
      primaryip: '192.0.2.10',
      status: 'Active',
      username: 'root',
    },
  ]);
  t.strictSame((await call('ServiceSingleSignOn')).answer, { success: true, redirectTo: ACCESS.login_url });
  t.equal((await call('Renew')).answer, 'success');

  t.equal((await call('TerminateAccount')).answer, 'success');
  t.equal((await call('TerminateAccount')).answer, 'success', 'while it ends');
  await world.work();
  t.equal((await call('TerminateAccount')).answer, 'success', 'and when it has');
  t.equal((await world.service(number)).service_status, 'cancelled');
  t.match((await call('ServiceSingleSignOn')).answer, { success: false });

  t.equal((await call('CreateAccount')).answer, 'success', 'ordered again');
  t.equal((await world.services()).length, 2);
});

suite('the same day in the sandbox', async (t) => {
  const { world, key, call, cron, night, shown, page, press } = await setup(t, 'test');
  const later = (seconds: number) => world.clock.advance(seconds * 1000);
  t.match((await call('TestConnection')).answer, { success: true });
  t.match((await call('plans')).answer, { starter: 'Starter', business: 'Business' });
  await call('CreateAccount', { configoptions: { 'Operating system': 'Alpine 4' } });
  const find = async () => (await world.call(key, 'GET', '/services/950001')).json.data;
  t.match(await find(), { service_status: 'pending', configuration: { image: 'alpine-4', hostname: 'shop.example' } });
  later(10);
  t.strictSame((await cron()).sent, ['Your server for 7: 192.0.2.42, root, shop.example']);
  const actions = ['start', 'stop', 'reboot', 'reinstall', 'reset_password', 'console'];
  t.match((await page()).broker, { status: 'active', hascredentials: true });
  t.strictSame(
    (await page()).broker.actions.map(({ name }: { name: string }) => name),
    actions,
  );
  t.equal((await call('SuspendAccount')).answer, 'success');
  t.equal((await call('UnsuspendAccount')).answer, 'success', 'paid a second later');
  later(30);
  t.equal((await find()).service_status, 'active');
  await call('ChangePackage', { configoption1: 'business' });
  later(10);
  t.equal((await find()).plan.slug, 'business');
  await call('ChangePackage', { configoption1: 'starter' });
  t.match((await page()).broker.underway, ['Plan downgrade to Starter: under review']);
  later(20);
  await night();
  t.match((await page()).broker.underway, [/Plan downgrade to Starter: on /]);
  t.match(
    (await call('ChangePackage', { configoption1: 'business', configoptions: { image: 'debian-13' } })).answer,
    /image/,
  );
  t.equal((await find()).open_requests.length, 1, 'what is wrong is found before anything is sent');
  t.equal((await call('ChangePackage', { configoption1: 'business' })).answer, 'success');
  t.strictSame((await find()).open_requests, [], 'the client keeps the larger plan');
  t.equal((await press('reinstall', { broker_options: { image: 'debian-13' } })).answer, 'success');
  later(10);
  t.equal((await find()).configuration.image, 'debian-13');
  t.match((await press('console')).answer, { templatefile: 'console', vars: { url: '' } });
  later(30);
  t.match((await call('console')).answer, { templatefile: 'console', vars: { url: /console$/ } });
  t.match((await call('ServiceSingleSignOn')).answer, { success: true, redirectTo: /console$/ });
  t.match((await call('credentials')).answer, {
    templatefile: 'credentials',
    vars: { credentials: [{ username: 'root' }] },
  });
  t.equal((await call('UsageUpdate')).answer, 'success');
  await call('TerminateAccount');
  later(10);
  await night();
  t.equal((await find()).service_status, 'cancelled');
  t.equal((await shown()).domainstatus, 'Terminated');
});

suite('while every answer is lost, a later repeat does nothing twice', async (t) => {
  const { world, call } = await setup(t);
  const steps: Array<[name: string, more?: object]> = [
    ['CreateAccount'],
    ['SuspendAccount'],
    ['UnsuspendAccount'],
    ['ChangePackage', { configoption1: 'business' }],
    ['ChangePackage', { configoption1: 'business', configoptions: { Addresses: '2' } }],
    ['TerminateAccount'],
  ];
  for (const [name, more] of steps) {
    for (const what of ['answers', 'changes'] as const) {
      const lost = await world.losing(what, () => call(name, more));
      t.match(lost.answer, /^Server: no answer/, `${name}, ${what}`);
    }
    t.equal((await call(name, more)).answer, 'success', name);
    t.equal((await call(name, more)).answer, 'success', name);
    await world.work();
  }
  const types = (await world.requests()).map(({ type }: { type: string }) => type);
  t.strictSame(types.reverse(), [
    'service-creation',
    'service-suspension',
    'service-unsuspension',
    'plan-upgrade',
    'service-action',
    'cancellation',
  ]);
  t.equal((await only(world)).service_status, 'cancelled');
});

suite('an answer that is lost once is no matter', async (t) => {
  const { world, call } = await setup(t);
  let count = 0;
  world.line.answer = (answer) => (count++ % 2 === 0 ? undefined : answer);
  for (const name of ['CreateAccount', 'SuspendAccount', 'UnsuspendAccount', 'TerminateAccount']) {
    t.equal((await call(name)).answer, 'success', name);
    await world.work();
  }
  t.equal((await world.requests()).length, 4);
});

suite('a service is found again where nothing was stored', async (t) => {
  const { world, call } = await setup(t);
  t.equal((await call('CreateAccount', {}, { fails: true })).answer, 'success', 'its number cannot be stored');
  await call('start', {}, { forget: true });
  t.equal((await call('CreateAccount')).answer, 'success');
  await world.work();
  const { service_number: number } = await only(world);
  for (const name of ['SuspendAccount', 'UnsuspendAccount', 'TerminateAccount']) {
    t.equal((await call(name, {}, { forget: true })).answer, 'success', name);
    await world.work();
  }
  t.equal((await world.service(number)).service_status, 'cancelled');
  t.equal((await call('TerminateAccount', {}, { forget: true })).answer, 'success');
  t.match((await call('SuspendAccount', { serviceid: '8' })).answer, /There is no service of this product/);
});

suite('a product and its add-on are two services, and each panel has its own', async (t) => {
  const { world, call, night, send } = await setup(t);
  await call('CreateAccount');
  await call('CreateAccount', { addonId: '40' });
  await call('CreateAccount', { serverusername: 'panel-2' }, { forget: true });
  t.equal((await world.services()).length, 3);
  t.match(
    (await call('CreateAccount', { serviceid: '9', serverusername: '' })).answer,
    /user name of the server record/,
  );
  await call('CreateAccount', { addonId: '40' });
  await world.work();
  await call('SuspendAccount', { addonId: '40' });
  await world.work();
  await night();
  t.match((await send({})).tables, {
    tblhosting: [{ domainstatus: 'Active' }],
    tblhostingaddons: [{ status: 'Suspended' }],
  });
});

suite('a service that is cancelled while it is built ends, and its client is not welcomed', async (t) => {
  const { world, call, night } = await setup(t);
  await call('CreateAccount');
  t.match((await call('SuspendAccount')).answer, /^Refused\. 400 invalid_state/, 'what is not there yet');
  t.equal((await call('TerminateAccount')).answer, 'success');
  await world.work();
  const { sent, tables } = await night();
  t.strictSame(sent, []);
  t.match(tables.tblhosting, [{ domainstatus: 'Terminated', dedicatedip: '' }]);
  t.match(await only(world), { service_status: 'cancelled' });
});

suite('a creation that fails is reported, and can be ordered anew', async (t) => {
  const { world, call, night, shown } = await setup(t);
  world.provisioner.answers.push(NO_ROOM);
  await call('CreateAccount');
  await world.work();
  t.match((await night()).log.join(), /service \d+ \(product 7\): .* service-creation failed: No room/);
  t.match(await shown(), { domainstatus: 'Pending' });
  t.notMatch((await night()).log.join(), /No room/, 'once');
  t.equal((await call('CreateAccount')).answer, 'success');
  t.equal((await call('CreateAccount')).answer, 'success');
  await world.work();
  t.strictSame((await world.services()).map((service: { service_status: string }) => service.service_status).sort(), [
    'active',
    'terminated',
  ]);
});

suite('a downgrade that waits, and one that is under review, show what they will be', async (t) => {
  const { world, call, night, page } = await setup(t);
  await call('CreateAccount', { configoption1: 'business' });
  await world.work();
  const { service_number: number } = await only(world);
  const lost = await world.losing('changes', () => call('ChangePackage', { configoption1: 'starter' }));
  t.match(lost.answer, /^Server: no answer/);
  const { open_requests: open } = await world.service(number);
  t.match(open, [{ request_status: 'operator_review', new_plan: { slug: 'starter' } }], 'a smaller disk is reviewed');
  t.equal((await call('ChangePackage', { configoption1: 'starter' })).answer, 'success', 'though the 202 was lost');
  t.strictSame((await world.service(number)).open_requests, open, 'nothing is submitted twice');
  t.match((await page()).broker.underway, ['Plan downgrade to Starter: under review']);
  await world.decide('deny');
  t.match((await night()).log.join(), /plan-downgrade denied: The operator decided/);
  t.match((await call('AdminServicesTabFields')).answer['Last refusal'], /denied: The operator decided/);

  await call('ChangePackage', { configoption1: 'starter' });
  await world.decide('accept');
  await night();
  t.match((await page()).broker.underway[0], /^Plan downgrade to Starter: on \d{4}-\d\d-\d\d$/);
  t.equal((await call('ChangePackage', { configoption1: 'flat' })).answer, 'success', 'the client wants another one');
  t.match((await world.service(number)).open_requests, [{ new_plan: { slug: 'flat' } }]);
  t.equal((await call('ChangePackage', { configoption1: 'business' })).answer, 'success', 'or none at all');
  t.strictSame((await world.service(number)).open_requests, []);
});

suite('what the client has asked for is decided by what the panel does', async (t) => {
  const { world, call } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const { service_number: number } = await only(world);
  const ask = (type: 'plan-upgrade' | 'cancellation', more: object) =>
    submitForClient(world.context, { brokerId: world.broker.id, serviceNumber: number, type, reason: null, ...more });
  /** The states of the client's requests, which are made one after the other. */
  const decided = async () =>
    (await world.requests())
      .filter(({ origin }: { origin: string }) => origin === 'client')
      .map(({ request_status }: { request_status: string }) => request_status)
      .sort();
  await ask('plan-upgrade', { newPlan: 'business' });
  t.equal((await call('ChangePackage', { configoption1: 'flat' })).answer, 'success');
  t.strictSame(await decided(), ['denied'], 'another plan is wanted');
  await world.work();
  await ask('plan-upgrade', { newPlan: 'business' });
  t.equal((await call('ChangePackage', { configoption1: 'business' })).answer, 'success');
  t.strictSame(await decided(), ['accepted', 'denied'], 'the plan that was asked for');
  await world.work();
  await ask('cancellation', { cancellationType: 'end_of_term' });
  t.equal((await call('TerminateAccount')).answer, 'success');
  await world.work();
  t.match(await world.service(number), {
    service_status: 'cancelled',
    cancellation: { cancellation_type: 'immediate' },
  });
});

suite('a product that is created twice at once is one service', async (t) => {
  const { world, call, params, start } = await setup(t);
  const other = start();
  const second = { call: 'CreateAccount', params: params(), tables: { tblhosting: [] } };
  const answers = await Promise.all([call('CreateAccount'), other(second)]);
  t.strictSame(
    answers.map(({ answer }) => answer),
    ['success', 'success'],
  );
  await only(world);
  t.pass('there is one');
});

suite('an end that was to come later comes at once', async (t) => {
  const { world, call } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const { service_number: number } = await only(world);
  await world.call(world.key, 'POST', `/services/${number}/cancel`, { body: { cancellation_type: 'end_of_term' } });
  t.equal((await call('TerminateAccount')).answer, 'success');
  await world.work();
  t.equal((await world.service(number)).service_status, 'cancelled');
});

suite('a client’s action is done for a form of his session alone, and any other call leads to the page that asks', async (t) => {
  const { world, call, page, send, params } = await setup(t);
  await call('CreateAccount');
  await world.work();
  await call('refresh');
  const link = (broker_action: string) => send({ call: 'action', params: params(), query: { broker_action } });
  const count = world.changes.length;
  t.match((await link('reboot')).answer, { templatefile: 'confirm', vars: { action: { name: 'reboot' } } });
  const form = async (more: object) =>
    (await call('action', {}, { post: { broker_action: 'reboot', ...more } })).answer;
  t.match(await form({}), { templatefile: 'confirm' });
  t.match(await form({ broker_proof: 'made up' }), { templatefile: 'confirm' });
  t.match(await form({ broker_proof: ['made up'] }), { templatefile: 'confirm' });
  const { actions } = (await page()).broker;
  t.match(actions, [{ name: 'reboot' }, { name: 'reinstall', proof: '' }], 'what destroys data always asks');
  t.match(await form({ broker_action: 'reinstall', broker_proof: actions[0].proof }), { templatefile: 'confirm' });
  t.match(
    (
      await send({
        call: 'action',
        params: params(),
        query: { broker_action: 'reboot', broker_proof: actions[0].proof },
      })
    ).answer,
    {
      templatefile: 'confirm',
    },
  );
  t.equal(world.changes.length, count, 'nothing is done');
  t.equal(await form({ broker_proof: actions[0].proof }), 'success');
});

suite('a client changes nothing that WHMCS bills', async (t) => {
  const { world, call, page, press } = await setup(t);
  const sold = { configoptions: { 'Operating system': 'Debian 13', Backups: '0' } };
  await call('CreateAccount', sold);
  await world.work();
  await call('refresh', sold);
  const names = (await page(sold)).broker.actions.map(({ name }: { name: string }) => name);
  t.strictSame(names, ['reboot', 'reinstall']);
  const count = world.changes.length;
  t.match(
    (await press('reconfigure', { broker_options: { backups: '1' } }, sold)).answer,
    /not possible at the moment/,
  );
  t.equal(world.changes.length, count);
  t.match((await press('reinstall', { broker_options: { image: 'alpine-3' } }, sold)).answer, 'success');
  await world.work();
  t.match((await only(world)).configuration, { image: 'debian-13', backups: false });
});

suite('an action that destroys data asks first', async (t) => {
  const { world, call, press } = await setup(t);
  await call('CreateAccount');
  await world.work();
  await call('refresh');
  const { service_number: number } = await only(world);
  t.equal((await press('reboot')).answer, 'success');
  await world.work();
  const { answer } = await call('action', {}, { query: { broker_action: 'reinstall' } });
  t.match(answer, {
    templatefile: 'confirm',
    vars: { action: { name: 'reinstall' }, current: { image: 'debian-13' } },
  });
  t.equal((await press('reinstall', { broker_options: { image: 'alpine-3' } })).answer, 'success');
  t.match((await press('reboot')).answer, /Something else is being done/);
  await world.work();
  t.equal((await world.service(number)).configuration.image, 'alpine-3');
  t.match((await press('start')).answer, /not possible at the moment/, 'the plan has no such action');
  t.match((await call('TestConnection')).answer, { success: true });
});

suite('staff press a button that destroys data twice', async (t) => {
  const { world, call } = await setup(t, 'live', 'admin');
  await call('CreateAccount', { configoptions: { image: 'alpine-3' } });
  await world.work();
  const [{ service_number: number }] = await world.services();
  t.match((await call('reinstall')).answer, /reinstall destroys the data of this service\. Press again/);
  t.equal((await call('reboot')).answer, 'success');
  await world.work();
  t.equal((await call('reinstall')).answer, 'success');
  t.match((await world.requests())[0], { action: { name: 'reinstall' }, configuration: { image: 'alpine-3' } });
  t.match((await call('reinstall')).answer, /Press again/, 'each time');
  t.match((await call('reinstall')).answer, /^Refused\. 400 invalid_state: Another action/, 'staff read why');
  await world.work();
  t.equal((await world.service(number)).configuration.image, 'alpine-3', 'it stays as it is');
});

suite('what the operator adds to a plan is a button within a week', async (t) => {
  const { world, send, call, night, page } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const { tables } = await night();
  const plan = world.plans[0] as (typeof world.plans)[number];
  const stop = { ...{ name: 'stop', display_name: 'Stop', description: null, options: [] } };
  const actions = [{ ...stop, requires_operator_review: false, destroys_data: false }];
  const offer = { options: [], actions, hasCredentials: false, provisioning: {} };
  await world.store.tx((tx) => tx.plans.putOffers(world.broker.id, new Map([[plan.id, offer]])));
  const rows = tables.mod_brokerapi as Array<{ number: string; record: string }>;
  const old = rows.map((row) => ({ ...row, record: row.record.replace(/"plans":"[^"]*"/, '"plans":"2020-01-01"') }));
  await send({ tables: { mod_brokerapi: old } });
  await night();
  t.match((await page()).broker, { actions: [{ name: 'stop' }], hascredentials: false });
  t.strictSame((await call('AdminCustomButtonArray')).answer, { Stop: 'stop', 'Read again': 'refresh' });
});

suite('credentials are shown when the client asks, and are in no log and no table', async (t) => {
  const { world, call, press } = await setup(t);
  await call('CreateAccount');
  t.match((await call('credentials')).answer, /active server only/);
  await world.work();
  t.match((await call('credentials')).answer, /There are no credentials/);
  const login = { display_name: 'Login', username: 'root', password: 'Open-Sesame', private_key: null, url: null };
  world.context.credentials = { read: async () => [login] };
  const { key: pageKey } = await world.addKey(world.broker, ['services:read', 'services:operate', 'credentials:read']);
  const shown = await call('credentials', { serveraccesshash: pageKey });
  t.match(shown.answer, { templatefile: 'credentials', vars: { credentials: [login] } });
  const { answer: _, ...rest } = shown;
  t.notMatch(JSON.stringify(rest), 'Open-Sesame');
  const pressed = await press('reboot', {}, { serveraccesshash: pageKey });
  t.equal(pressed.answer, 'success', 'the key of pages suffices');
  const { key: poor } = await world.addKey(world.broker, ['services:read']);
  const refused = await call('credentials', { serveraccesshash: poor });
  t.match(refused.answer, /not possible at the moment/, 'a client reads no codes');
  t.match(refused.log.join(), /Scope: the key may not do this/);
});

suite('usage is what the operator measured, in megabytes', async (t) => {
  const { world, call, shown } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const [{ service_number: serviceNumber }] = await world.services();
  const measured = { brokerId: world.broker.id, measuredAt: Date.UTC(2030, 0, 2, 3, 4, 5), periodFrom: null };
  const foreign = await world.addService(world.broker, world.plans[0] as never);
  await world.store.tx((tx) =>
    tx.consumption.upsert([
      { ...measured, serviceNumber, diskGbUsed: '12.5', transferGbUsed: null },
      { ...measured, serviceNumber: foreign.number, diskGbUsed: '1', transferGbUsed: '1' },
    ]),
  );
  t.equal((await call('UsageUpdate')).answer, 'success');
  t.match(await shown(), { diskusage: '12800', disklimit: '20480', lastupdate: '2030-01-02 03:04:05' });
  t.notOk('bwusage' in (await shown()), 'what was not measured stays as it is');
});

suite('what WHMCS refuses waits for the night, and holds nothing else up', async (t) => {
  const { world, call, cron, night, send, shown } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const refused = await send({ hook: 'AfterCronJob', refused: 'SendEmail' });
  t.match(refused.log.join(), /WHMCS refused SendEmail: Not now/);
  t.match(await shown(), { dedicatedip: '192.0.2.10' });
  t.strictSame((await cron()).log, [], 'which is the next night');
  t.equal((await night()).sent.length, 1);
});

suite('a fault is named for what has to be looked at', async (t) => {
  const { world, key, call, state, night, page } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const says = async (name: RegExp, more: object) => {
    const { answer } = await call('TestConnection', more);
    t.equal(answer.success, false);
    t.match(answer.error, name);
  };
  await says(/^Address: /, { serverport: '2' });
  await says(/^Address: /, { serverhostname: 'no-such-host.invalid' });
  await says(/^Certificate: /, { serverhostname: 'localhost', serversecure: 'on' });
  await says(/^Key: .*401/, { serverpassword: 'sk_live_unknown' });
  await says(/^Key: /, { serverpassword: '' });
  const { key: reading } = await world.addKey(world.broker, ['services:read']);
  await says(/^Scope: the key lacks admin:full/, { serverpassword: reading });
  await says(/^Scope: the key lacks services:operate, credentials:read/, { serveraccesshash: reading });
  const fenced = await world.addBroker({ ipRestrictionEnabled: true });
  await says(/^Firewall: /, { serverpassword: (await world.addKey(fenced)).key });

  world.line.request = () => limited({ 'retry-after': '3600' });
  t.match((await call('SuspendAccount')).answer, /^Limit: too many calls; repeat in 3600 seconds/);
  let count = 0;
  world.line.request = () => (count++ === 0 ? limited({ 'retry-after': '50' }) : undefined);
  const waited = await call('SuspendAccount');
  t.match(waited, { answer: 'success', waits: [50] }, 'a cron job waits for the next window');
  delete world.line.request;

  await world.revoke(key);
  t.match((await call('UnsuspendAccount')).answer, /^Key: it is refused/);
  t.match((await night()).log.join(), /the copy of server 3 waits for the next round\. Key: it is refused/);
  state.key = (await world.addKey(world.broker, ['admin:full'])).key;
  t.equal((await call('UnsuspendAccount')).answer, 'success', 'after a rotation the services are the same');
  const away = { serverport: '2' };
  t.ok((await page(away)).broker, 'pages come up meanwhile');
  t.match(await call('ServiceSingleSignOn', away), {
    answer: { success: false, errorMsg: /try again later/ },
    waits: [2],
  });
  t.equal((await page({ ...away, serviceid: '8' })).broker, null);
  const byHand = { ...away, serviceid: '8', customfields: { 'Broker service number': '5001' } };
  t.equal((await page(byHand)).broker, null, 'nor is what cannot be read now');
});

suite('the archive unpacks into the folder of WHMCS', async (t) => {
  const { world } = await setup(t);
  const folder = await unpack(t, world, 'whmcs');
  const files = execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  t.strictSame(
    files.map((file) => file.slice(folder.length)).sort(),
    [
      ...['README.md', 'broker.php', 'brokerapi.php', 'clientarea.tpl', 'confirm.tpl', 'console.tpl', 'copy.php'],
      ...['credentials.tpl', 'hooks.php', 'lang/english.php', 'lang/german.php', 'pages.php', 'panel.php', 'texts.php'],
    ].map((name) => `/modules/servers/brokerapi/${name}`),
  );
});
