import { execFileSync } from 'node:child_process';
import type { Test } from 'tap';
import { submitForClient } from '../../src/lifecycle/operator-requests.ts';
import type { WorkOutcome } from '../../src/ports.ts';
import {
  ACCESS,
  createPanelWorld,
  limited,
  NO_ROOM,
  OFFER,
  type PanelWorld,
  smartyHere,
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
    packageid: '1',
    server: '3',
    userid: '11',
    username: '',
    domain: '',
    dedicatedip: '',
    assignedips: '',
  };
  const state = { key };
  const params = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
    ...server(state.key),
    serviceid: '7',
    pid: '1',
    domain: 'shop.example',
    username: '',
    password: 'invented',
    configoption1: 'starter',
    configoptions: {},
    customfields: {},
    clientsdetails: { firstname: 'Ada', lastname: 'Example', email: 'ada@example.com' },
    ...more,
  });
  const database = (key: string, hostings: object[]) => ({
    tblservers: [
      {
        id: '3',
        type: 'brokerapi',
        hostname: '127.0.0.1',
        ipaddress: '',
        port: String(world.port),
        secure: '',
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

suite('while nothing answers, cron waits once for suspensions, and a minute for each payment', async (t) => {
  const { world, call } = await setup(t);
  await call('CreateAccount');
  await world.work();
  world.line.request = () => null;
  const waited = async (name: string) => (await call(name)).waits.reduce((sum, wait) => sum + wait, 0);
  t.ok((await waited('SuspendAccount')) >= 50);
  t.equal(await waited('SuspendAccount'), 0);
  t.ok((await waited('UnsuspendAccount')) >= 50);
  t.equal(await waited('TerminateAccount'), 0);
  t.ok((await waited('CreateAccount')) >= 50);
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
  const stop = { name: 'stop', display_name: 'Stop', description: null, options: [] };
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
  await says(/^Firewall: .*127\.0\.0\.1/, { serverpassword: (await world.addKey(fenced)).key });

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

/** Everything that WHMCS calls with a product, for staff or for a client. */
const WITH_A_PRODUCT: Array<[name: string, more?: Partial<Call>]> = [
  ...['CreateAccount', 'SuspendAccount', 'UnsuspendAccount', 'TerminateAccount', 'ChangePackage'].map(
    (name): [string] => [name],
  ),
  ...['refresh', 'AdminServicesTabFields', 'ClientArea', 'ServiceSingleSignOn', 'credentials'].map((name): [string] => [
    name,
  ]),
  ...['start', 'stop', 'reboot', 'reinstall', 'reset_password', 'console'].map((name): [string] => [name]),
  ['action', { query: { broker_action: 'reboot' } }],
  ['action', { post: { broker_action: 'reboot' } }],
];

/** What the module's PHP declares for WHMCS to call with a product. */
const WITHOUT_A_PRODUCT = [
  ...['MetaData', 'ConfigOptions', 'plans', 'TestConnection', 'Renew', 'UsageUpdate', 'ListAccounts'],
  ...['AdminCustomButtonArray', 'ClientAreaAllowedFunctions'],
];

for (const area of ['client', 'admin'] as const)
  suite(`no function touches another client's service, in the ${area} area`, async (t) => {
    const { world, call, night, send, hosting } = await setup(t, 'live', area);
    await call('CreateAccount');
    await world.work();
    await night();
    const { service_number: number } = await only(world);
    await send({ tables: { tblhosting: [hosting('7'), hosting('5', { userid: '12' })] } });
    const eve = {
      serviceid: '5',
      customfields: { 'Broker service number': String(number) },
      configoption1: 'business',
      clientsdetails: { firstname: 'Eve', lastname: 'Other', email: 'eve@example.com' },
    };
    const before = JSON.stringify(await world.service(number));
    world.changes.splice(0);
    for (const [name, more] of WITH_A_PRODUCT) {
      const { answer, tables } = await call(name, eve, more);
      const text = JSON.stringify(answer);
      t.notMatch(text, /^"success"$|"success":true/, name);
      t.notMatch(text, ACCESS.hostname, name);
      t.notMatch(text, 'panel.example.com', name);
      t.match(
        tables.mod_brokerapi?.find((row) => row.number === String(number)),
        { service: '7' },
        name,
      );
    }
    t.strictSame(world.changes, []);
    t.equal(JSON.stringify(await world.service(number)), before);
    const { answer } = await call('TerminateAccount', eve);
    t.match(answer, /ada@example\.com.*eve@example\.com/, 'both are named');
    const declared = execFileSync(
      'grep',
      ['-ohE', '^function brokerapi_[A-Za-z_]+\\(array \\$params', '-r', 'integrations/whmcs'],
      { encoding: 'utf8' },
    );
    const named = new Set([...WITH_A_PRODUCT.map(([name]) => name), ...WITHOUT_A_PRODUCT]);
    const capitals = [...declared.matchAll(/brokerapi_([A-Z]\w+)/g)].map(([, name = '']) => name);
    t.strictSame(
      capitals.filter((name) => !named.has(name)),
      [],
      'each that WHMCS knows by name is here',
    );
  });

suite('a restored panel that gives a product’s number again does not reach the service of the forgotten product', async (t) => {
  const { world, call, send, params } = await setup(t);
  await call('CreateAccount');
  await world.work();
  world.changes.splice(0);
  const eve = { clientsdetails: { firstname: 'Eve', email: 'eve@example.com' } };
  for (const name of ['CreateAccount', 'SuspendAccount', 'UnsuspendAccount', 'TerminateAccount', 'ChangePackage']) {
    const { answer } = await call(name, eve, { forget: true });
    t.match(answer, /is of "ada@example\.com": .*restored/, name);
  }
  t.match((await call('ServiceSingleSignOn', eve)).answer, { success: false });
  t.type((await call('credentials', eve)).answer, 'string');
  t.equal((await call('ClientArea', eve)).answer.templateVariables.broker, null);
  const link = await send({ call: 'action', params: params(eve), query: { broker_action: 'reboot' } });
  t.match(link.answer, /not possible at the moment/);
  t.match(await only(world), { service_status: 'active', open_requests: [] });
});

suite('with the key of another broker nothing is ordered a second time, and nothing seems to end', async (t) => {
  const { world, call, state } = await setup(t);
  await call('CreateAccount');
  await world.work();
  state.key = (await world.addKey(await world.addBroker(), ['admin:full'])).key;
  world.changes.splice(0);
  for (const name of [
    'CreateAccount',
    'SuspendAccount',
    'UnsuspendAccount',
    'TerminateAccount',
    'ChangePackage',
    'refresh',
  ])
    t.match((await call(name)).answer, /The key knows no service \d+/, name);
  t.strictSame(world.changes, []);
});

suite('a client does not choose with an action what WHMCS sells, even while he has none of it', async (t) => {
  const { world, call, press } = await setup(t);
  const plan = world.plans[0] as { id: string };
  const grow = { ...OFFER.actions[0], name: 'grow', options: OFFER.options.slice(3) } as (typeof OFFER.actions)[0];
  const offer = { ...OFFER, actions: [...OFFER.actions, grow] };
  await world.store.tx((tx) => tx.plans.putOffers(world.broker.id, new Map([[plan.id, offer]])));
  const sold = { configoptions: { Addresses: '0' } };
  await call('CreateAccount', sold);
  await world.work();
  await call('refresh', sold);
  for (const name of ['addresses', 'Addresses', 'ADDRESSES']) {
    t.equal((await press('grow', { broker_options: { [name]: '5' } }, sold)).answer, 'success', name);
    await world.work();
    t.notOk('addresses' in (await only(world)).configuration, name);
  }
});

suite('a number that the client no longer pays is not kept in silence', async (t) => {
  const { world, call } = await setup(t);
  await call('CreateAccount', { configoptions: { Addresses: '3' } });
  await world.work();
  const none = { configoptions: { Addresses: '0' } };
  t.match((await call('ChangePackage', none)).answer, /^Refused\. 400 .*addresses/);
  t.match((await call('ChangePackage', { ...none, configoption1: 'business' })).answer, /^Refused\. 400 .*addresses/);
});

suite('a number that has a default is that again once the client no longer pays for more', async (t) => {
  const { world, call } = await setup(t);
  const options = OFFER.options.map((one) => (one.name === 'addresses' ? { ...one, default: 1 } : one));
  const actions = OFFER.actions.map((one) =>
    one.name === 'reconfigure' ? { ...one, options: options.slice(2) } : one,
  );
  const plan = world.plans[0] as { id: string };
  const offer = { ...OFFER, options, actions } as typeof OFFER;
  await world.store.tx((tx) => tx.plans.putOffers(world.broker.id, new Map([[plan.id, offer]])));
  await call('CreateAccount', { configoptions: { Addresses: '3' } });
  await world.work();
  t.equal((await call('ChangePackage', { configoptions: { Addresses: '0' } })).answer, 'success');
  await world.work();
  t.match((await only(world)).configuration, { addresses: 1 });
});

suite('a number that another product of the client has is refused, and both products are named', async (t) => {
  const { world, call, send, hosting } = await setup(t);
  const body = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
  await world.call(world.key, 'POST', '/services', { body });
  await world.work();
  const { service_number: number } = await only(world);
  const connected = { customfields: { 'Broker service number': String(number) } };
  await send({ tables: { tblhosting: [hosting('7'), hosting('5')] } });
  t.equal((await call('refresh', connected)).answer, 'success');
  const second = { ...connected, serviceid: '5' };
  t.match((await call('TerminateAccount', second)).answer, /is that of product 7; product 5 cannot have it, too/);
  t.match((await call('AdminServicesTabFields', second)).answer['Broker API'], /product 7; product 5/);
  t.equal((await world.service(number)).service_status, 'active');
  await send({ tables: { tblhosting: [hosting('5')] } });
  t.equal((await call('refresh', second)).answer, 'success', 'once the first is deleted in WHMCS');
});

suite('what another system wrote brings no markup to staff', async (t) => {
  const { world, call } = await setup(t);
  const client = { name: 'Eve', email: 'eve@example.com' };
  const body = { plan: 'starter', client, external_reference: '<img src=x onerror=alert(1)>' };
  await world.call(world.key, 'POST', '/services', { body });
  const [{ service_number: number }] = await world.services();
  const connected = { customfields: { 'Broker service number': String(number) } };
  const { answer, log } = await call('TerminateAccount', connected);
  t.match(answer, /is another's: it has the reference "\[img/);
  t.notMatch(`${answer} ${log.join()}`, '<');
  t.match((await call('AdminServicesTabFields', connected)).answer['Broker API'], '&lt;img');
});

suite('a product that took another one’s service before 1.2 gives it back', async (t) => {
  const { world, call, send, hosting, night } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const { tables } = await night();
  const { service_number: number } = await only(world);
  const stolen = (tables.mod_brokerapi ?? []).map((row) => (row.number === '0' ? row : { ...row, service: '5' }));
  await send({ tables: { mod_brokerapi: stolen, tblhosting: [hosting('7'), hosting('5', { userid: '12' })] } });
  const eve = { serviceid: '5', clientsdetails: { email: 'eve@example.com' } };
  t.match((await call('SuspendAccount', eve)).answer, /is another's/);
  t.equal((await call('ClientArea', eve)).answer.templateVariables.broker, null);
  t.equal((await call('SuspendAccount')).answer, 'success');
  const { tables: after } = await send({});
  t.match(
    after.mod_brokerapi?.find((row) => row.number === String(number)),
    { service: '7' },
  );
});

suite('the nightly copy adopts products that are connected by number, each with its own client', async (t) => {
  const { world, night, send, hosting, page } = await setup(t);
  const order = async (email: string) => {
    const body = { plan: 'starter', client: { name: 'Somebody', email } };
    return (await world.call(world.key, 'POST', '/services', { body })).json.data.service_number as number;
  };
  const numbers = [await order('ada@example.com'), await order('eve@example.com')] as const;
  await world.work();
  await night();
  const value = (relid: string, value: number | string) => ({ fieldid: '9', relid, value: String(value) });
  const tblhosting = [hosting('7'), hosting('8'), hosting('9'), hosting('10', { server: '4' })];
  const values = [value('7', numbers[0]), value('8', numbers[1]), value('9', 4711), value('10', numbers[0])];
  await send({ tables: { tblhosting, tblcustomfieldsvalues: [...values, value('6', numbers[1])] } });
  world.sent.splice(0);
  const { log, tables, sent } = await night();
  t.strictSame(
    tables.mod_brokerapi?.filter(({ number }) => number !== '0').map(({ service, number }) => [service, number]),
    [['7', String(numbers[0])]],
  );
  t.match(
    log.join('\n'),
    /product 8: The service \d+ is another's.*eve@example\.com.*\n.*product 9: there is no service 4711/,
  );
  t.strictSame(sent, [], 'what existed before needs no welcome');
  t.match(tables.tblhosting?.[0], { dedicatedip: '192.0.2.10' });
  t.equal(world.sent.length, 3, 'services, requests, and the plans with their actions');
  world.sent.splice(0);
  t.match((await page({ customfields: {} })).broker, { actions: [{ name: 'reboot' }, { name: 'reinstall' }] });
  t.strictSame(world.sent, []);
  await send({ tables: { tblcustomfieldsvalues: [value('7', numbers[0])] } });
  await night();
  t.equal(world.sent.length, 2, 'a quiet night costs two');
});

suite('an adopted service whose plan is sold no more has its actions', async (t) => {
  const { world, send, night, page, hosting } = await setup(t);
  const body = { plan: 'starter', client: { name: 'Ada', email: 'ada@example.com' } };
  const { service_number: number } = (await world.call(world.key, 'POST', '/services', { body })).json.data;
  await world.work();
  await world.store.tx((tx) =>
    tx.plans.update(world.broker.id, (world.plans[0] as { id: string }).id, { active: false }),
  );
  const tblcustomfieldsvalues = [{ fieldid: '9', relid: '7', value: String(number) }];
  await send({ tables: { tblhosting: [hosting('7')], tblcustomfieldsvalues } });
  await night();
  t.match((await page()).broker.actions, [{ name: 'reboot' }, { name: 'reinstall' }]);
});

suite('options that nobody chose are no change, though WHMCS sends them all', async (t) => {
  const { world, call } = await setup(t);
  await call('CreateAccount');
  await world.work();
  const { service_number: number, configuration } = await only(world);
  t.notOk('addresses' in configuration);
  const unticked = { Backups: '0', Addresses: '0', 'Operating system': '' };
  world.changes.splice(0);
  t.equal((await call('ChangePackage', { configoptions: unticked })).answer, 'success');
  t.strictSame(world.changes, []);
  t.equal((await call('ChangePackage', { configoption1: 'business', configoptions: unticked })).answer, 'success');
  await world.work();
  t.match(await world.service(number), { plan: { slug: 'business' }, configuration });
});

suite('a downgrade that waits leaves the options to the larger plan until it is done', async (t) => {
  const { world, call } = await setup(t);
  await call('CreateAccount', { configoption1: 'business', configoptions: { Backups: '1' } });
  await world.work();
  const { service_number: number } = await only(world);
  const smaller = { configoption1: 'flat', configoptions: { Backups: '0' } };
  world.changes.splice(0);
  t.equal((await call('ChangePackage', smaller)).answer, 'success');
  t.equal(world.changes.length, 1, 'plan and options are one change');
  await world.work();
  t.match(await world.service(number), { plan: { slug: 'business' }, configuration: { backups: true } });
  await world.decide('deny');
  t.match(await world.service(number), { plan: { slug: 'business' }, configuration: { backups: true } });
  await call('ChangePackage', smaller);
  await world.decide('accept');
  world.clock.advance(40 * 86_400_000);
  await world.work();
  t.match(await world.service(number), { plan: { slug: 'flat' }, configuration: { backups: false } });
});

suite('what is withdrawn raises no alarm', async (t) => {
  const { world, call, night } = await setup(t);
  await call('CreateAccount', { configoption1: 'business' });
  await world.work();
  await call('ChangePackage', { configoption1: 'starter' });
  t.equal((await call('ChangePackage', { configoption1: 'business' })).answer, 'success');
  t.strictSame((await night()).log, []);
  t.notOk('Last refusal' in (await call('AdminServicesTabFields')).answer);
});

suite('a denial with a character of four bytes is reported, and the copy goes on', async (t) => {
  const { world, call, night } = await setup(t);
  await call('CreateAccount', { configoption1: 'business' });
  await world.work();
  await call('ChangePackage', { configoption1: 'starter' });
  await world.decide('deny', 'Sorry 😀 no');
  t.match((await night()).log, [/plan-downgrade denied: Sorry \? no/]);
  t.match((await call('AdminServicesTabFields')).answer['Last refusal'], /denied: Sorry 😀 no/);
  t.strictSame((await night()).log, [], 'once');
});

suite('a domain is sent as a host name where it is one', async (t) => {
  const { world, call } = await setup(t);
  const names = { 'münchen.example': 'xn--mnchen-3ya.example', my_shop: undefined, 'shop.example': 'shop.example' };
  for (const [index, [domain, hostname]] of Object.entries(names).entries()) {
    const serviceid = String(20 + index);
    t.equal((await call('CreateAccount', { serviceid, domain })).answer, 'success', domain);
    const made = (await world.services()).find(
      (service: { external_reference: string }) => service.external_reference === `panel-1-service-${serviceid}`,
    );
    t.equal(made.configuration.hostname, hostname);
    t.equal(made.label, domain);
  }
});

suite('the console opens by itself once its link is there', async (t) => {
  const { world, call, press } = await setup(t);
  const plan = world.plans[0] as (typeof world.plans)[number];
  const action = { name: 'console', display_name: 'Console', description: null, options: [] };
  const actions = [{ ...action, requires_operator_review: false, destroys_data: false }];
  await world.store.tx((tx) => tx.plans.putOffers(world.broker.id, new Map([[plan.id, { ...OFFER, actions }]])));
  await call('CreateAccount');
  await world.work();
  await call('refresh');
  const asked = await press('console');
  t.match(asked.answer, { templatefile: 'console', vars: { url: '' } });
  t.equal(
    asked.waits.reduce((sum, wait) => sum + wait),
    5,
    'it is followed for five seconds',
  );
  const link = 'https://panel.example.com/console';
  world.provisioner.answers.push({ outcome: 'done', access: { ...ACCESS, login_url: link } });
  await world.work();
  t.match((await call('console')).answer, { templatefile: 'console', vars: { url: link } });
  t.match((await call('console')).answer, { templatefile: 'confirm' }, 'once');

  await press('console');
  world.provisioner.answers.push({ ...NO_ROOM, serviceUsable: true } as WorkOutcome);
  await world.work();
  t.match((await call('console')).answer, /no console to open/);
});

suite('what is under way names the action', async (t) => {
  const { world, call, page, press } = await setup(t);
  await call('CreateAccount');
  await world.work();
  await call('refresh');
  await press('reboot');
  t.strictSame((await page()).broker.underway, ['reboot: under way']);
});

const TEXTS = (language: string) =>
  JSON.parse(
    execFileSync(
      'php',
      [
        '-r',
        'require $argv[1]; echo json_encode($_LANG);',
        `integrations/whmcs/modules/servers/brokerapi/lang/${language}.php`,
      ],
      { encoding: 'utf8' },
    ),
  ) as Record<string, string>;

suite('each text is there in English and German, and its placeholders in both', async (t) => {
  const [english, german] = [TEXTS('english'), TEXTS('german')];
  t.strictSame(Object.keys(german), Object.keys(english));
  for (const [key, text] of Object.entries(english))
    t.strictSame(german[key]?.match(/:[a-z]+/g) ?? [], text.match(/:[a-z]+/g) ?? [], key);
  const sources = ['integrations/panel.php', 'integrations/whmcs'].flatMap((path) =>
    execFileSync(
      'grep',
      [
        '-rhoE',
        "(\\$text\\.[a-z_]+|self::translate\\(\\$translate, '[^']+'|translator\\(\\$params\\)\\('[^']+')",
        path,
      ],
      {
        encoding: 'utf8',
      },
    )
      .trim()
      .split('\n'),
  );
  const words = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '');
  const keys = sources.map((found) => /\$text\.(\w+)/.exec(found)?.[1] ?? words(/'([^']+)'$/.exec(found)?.[1] ?? ''));
  t.ok(keys.length > 30);
  // WHMCS checks what its order form asks for.
  const ofOrderForms = (key: string) => key.startsWith('option_');
  t.strictSame(
    keys.filter((key) => !(`brokerapi_${key}` in english) && !ofOrderForms(key)),
    [],
  );
});

suite('a client reads his language, and what WHMCS overrides', async (t) => {
  const { world, call, send, params } = await setup(t);
  const german = { clientsdetails: { firstname: 'Ada', email: 'ada@example.com', language: 'german' } };
  await call('CreateAccount', german);
  const page = async (call: Call = {}) =>
    (await send({ ...call, call: 'ClientArea', params: params(german) })).answer.templateVariables;
  t.match((await page()).broker, { state: 'Wird eingerichtet', underway: ['Einrichtung: läuft'] });
  await world.work();
  await call('refresh', german);
  const overrides = { brokerapi_active: 'In Betrieb', headertext: 'Willkommen' };
  const { broker, text } = await page({ overrides });
  t.equal(broker.state, 'In Betrieb');
  t.match(text, { address: 'Adresse' });
  t.notOk('headertext' in text);
  const odd = { clientsdetails: { email: 'ada@example.com', language: '../../hooks' } };
  const answer = (await call('ClientArea', odd)).answer.templateVariables;
  t.equal(answer.broker.state, 'Active', 'a language that is not there is English');
});

/** The page as Smarty renders it, which is left out with a line where Smarty is missing. */
const rendered = (name: string, run: (t: Test) => Promise<void>) =>
  suite(name, async (t) => {
    if (smartyHere(t)) await run(t);
  });

rendered('the overview has address, login, state and what is under way first, each once and escaped', async (t) => {
  const { world, call, send, params, press } = await setup(t);
  const odd = `<b>"O'Neil" & Söhne</b>`;
  world.provisioner.fulfil = async () => ({ outcome: 'done', access: { ...ACCESS, notes: odd } });
  await call('CreateAccount');
  const overview = async () => (await send({ call: 'ClientArea', params: params(), render: true })).answer as string;
  const waiting = await overview();
  t.match(waiting, /Being set up<\/span>[\s\S]*Creation: under way[\s\S]*Its address appears here/);
  await world.work();
  await call('refresh');
  await press('reboot');
  const html = await overview();
  const first = html.slice(0, html.indexOf('brokerBilling'));
  for (const text of [
    '>Active<',
    'reboot: under way',
    ...ACCESS.ip_addresses,
    ACCESS.hostname,
    '>root<',
    ACCESS.login_url,
  ])
    t.equal(html.split(text).length - 1, 1, text);
  for (const text of [
    '>Active<',
    'reboot: under way',
    ...ACCESS.ip_addresses,
    '>root<',
    ACCESS.login_url,
    'Show credentials',
  ])
    t.ok(first.includes(text), text);
  t.notMatch(html, /203\.0\.113\.9|api\.upstream\.example/, 'nothing of the server record');
  t.notMatch(html, '<b>');
  t.match(html, '&lt;b&gt;&quot;O&#039;Neil&quot; &amp; Söhne&lt;/b&gt;');
  t.equal(html.match(/>\s*reboot\s*<\/button>/g)?.length, 1, 'each action once');
  t.notMatch(html, 'reconfigure');
  t.equal(html.match(/<form/g)?.length, html.match(/method="post"/g)?.length);
  t.equal(html.match(/<form/g)?.length, html.match(/name="token" value="whmcs-token"/g)?.length);
  const unknown = (await send({ call: 'ClientArea', params: params({ serviceid: '8' }), render: true })).answer;
  t.match(unknown, /being set up/);
});

rendered('the page that asks selects the value that the service has, and no other', async (t) => {
  const { world, call, send, params } = await setup(t);
  const plan = world.plans[0] as (typeof world.plans)[number];
  const choices = ['1.2', '1.20', '01.2'].map((value) => ({ value, display_name: `Version ${value}` }));
  const option = { required: false, default: null, description: null };
  const options = [
    { ...option, name: 'version', display_name: 'Version', type: 'choice', choices },
    { ...option, name: 'swap', display_name: 'Swap', type: 'boolean' },
    { ...option, name: 'size', display_name: 'Size', type: 'number', minimum: 1, maximum: 9 },
    { ...option, name: 'note', display_name: 'A <note>', type: 'text', max_length: 90 },
  ];
  const action = { name: 'reinstall', display_name: 'Install <anew>', description: 'All <new>' };
  const actions = [{ ...action, options, requires_operator_review: false, destroys_data: true }];
  const offer = { options, actions, hasCredentials: true, provisioning: {} } as never;
  await world.store.tx((tx) => tx.plans.putOffers(world.broker.id, new Map([[plan.id, offer]])));
  await call('CreateAccount', { customfields: { version: '1.20', swap: 'on', size: '3', note: '"><script>' } });
  await world.work();
  await call('refresh');
  const asked = { call: 'action', params: params(), query: { broker_action: 'reinstall' }, render: true };
  const html = (await send(asked)).answer as string;
  t.strictSame((await send({ ...asked, render: false })).answer.breadcrumb, {
    'clientarea.php?action=productdetails&id=7': 'Install &lt;anew&gt;',
  });
  t.strictSame(html.match(/<option value="[^"]+" selected>/g), [
    '<option value="1.20" selected>',
    '<option value="1" selected>',
  ]);
  t.match(html, /type="number"[^>]* value="3"/);
  t.match(html, '&quot;&gt;&lt;script&gt;');
  t.notMatch(html, /<script|<note>|<new>/);
  t.match(html, 'All data of this server will be lost.');
  t.match(html, /name="broker_proof" value="[0-9a-f]{64}"/);
});

rendered('credentials and the console are pages of the theme', async (t) => {
  const { world, call, send, params, press } = await setup(t, 'test');
  await call('CreateAccount');
  world.clock.advance(10_000);
  const shown = (await send({ call: 'credentials', params: params(), render: true })).answer;
  t.match(shown, /<h3 class="card-title">Credentials<\/h3>[\s\S]*>root</);
  await call('refresh');
  const waiting = await press('console', {}, {}, { render: true });
  t.match(
    waiting.answer,
    /http-equiv="refresh" content="1; url=clientarea\.php\?action=productdetails&amp;id=7&amp;modop=custom&amp;a=console"/,
  );
  world.clock.advance(30_000);
  const open = (await send({ call: 'console', params: params(), render: true })).answer;
  t.match(open, /http-equiv="refresh" content="0; url=https:[^"]+console"/);
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
