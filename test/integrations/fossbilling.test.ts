import { execFileSync } from 'node:child_process';
import type { Test } from 'tap';
import { ACCESS, createPanelWorld, limited, NO_ROOM, startPanel, suite, unpack } from '../support/panels.ts';

/** The FOSSBilling server manager, called as FOSSBilling calls it, against a server over a line that loses answers. */

interface Call {
  call: string;
  order: number;
  server: object;
  /** What the order has before the call. */
  fields?: object;
  argument?: unknown;
  /** Called over a page, not by cron. */
  isPage?: boolean;
}

interface Outcome {
  /** True, a link, or the message of the exception. */
  answer: true | string;
  waits: number[];
  order: Record<string, string>;
  /** What the manager wrote to the order's history. */
  history?: string[];
}

async function setup(t: Test, mode: 'live' | 'test' = 'live') {
  const world = await createPanelWorld(t);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode });
  const send = startPanel<Call, Outcome>(
    t,
    'test/integrations/fossbilling.php',
    `${await unpack(t, world, 'fossbilling')}/library`,
  );
  const server = { ip: '203.0.113.1', host: '127.0.0.1', port: String(world.port), secure: false, username: 'panel-1' };
  const order = {
    domain: 'shop.example',
    package: { plan: 'starter', configuration: 'image=alpine-3, Backups = yes' },
  };
  const state = { key };
  return {
    world,
    key,
    state,
    changes: world.changes,
    call: (name: string, more: Partial<Call> = {}, config: object = {}) =>
      send({
        call: name,
        order: 1,
        ...more,
        fields: { ...((more.order ?? 1) === 1 ? { domain: order.domain } : {}), ...more.fields },
        server: { ...server, accesshash: state.key, ...config },
      }),
    start: (more: Partial<Call> = {}) =>
      send({
        call: 'createAccount',
        order: 1,
        server: { ...server, accesshash: state.key },
        ...more,
        fields: { ...order, ...more.fields },
      }),
  };
}

suite('a day of an order: activated, synchronized, suspended, paid, changed, cancelled and taken up again', async (t) => {
  const { world, call, start } = await setup(t);
  t.equal((await call('testConnection')).answer, true);
  t.match(await start(), { answer: true, order: { status: 'active', username: 'shopexample' } });
  const [{ service_number: number, ...created }] = await world.services();
  t.match(created, {
    plan: { slug: 'starter' },
    client: { name: 'Ada Example', email: 'ada@example.com' },
    configuration: { image: 'alpine-3', hostname: 'shop.example', backups: true },
  });
  t.equal((await call('getLoginUrl')).answer, '', 'none yet');
  await world.work();
  t.equal((await call('getLoginUrl')).answer, ACCESS.login_url);
  world.sent.splice(0);
  t.equal((await call('getLoginUrl', { argument: false })).answer, '', 'what the mail asks for');
  t.strictSame(world.sent, [], 'costs no call');
  t.match(await call('synchronizeAccount'), { answer: true, order: { username: 'root', ip: '192.0.2.10' } });

  t.equal((await call('suspendAccount')).answer, true, 'though its user name is another one now');
  t.equal((await call('unsuspendAccount')).answer, true, 'the client pays before the work has begun');
  await world.work();
  await world.work();
  t.equal((await world.service(number)).service_status, 'active');

  const business = { plan: 'business', configuration: 'image=alpine-3, backups=no, addresses=2' };
  t.equal((await call('changeAccountPackage', { argument: business })).answer, true);
  await world.work();
  await world.work();
  t.match(await world.service(number), { plan: { slug: 'business' }, configuration: { backups: false, addresses: 2 } });

  for (const name of ['Password', 'Username', 'Domain', 'Ip'])
    t.match((await call(`changeAccount${name}`, { argument: 'x' })).answer, /^[A-Z]/, name);

  t.equal((await call('cancelAccount')).answer, true);
  t.equal((await call('cancelAccount')).answer, true, 'while it ends');
  t.match((await call('suspendAccount')).answer, /There is no service for shop\.example, or it has ended/);
  t.equal((await start()).answer, true, 'uncancelled');
  await world.work();
  const services: Array<{ service_status: string }> = await world.services();
  t.strictSame(services.map((service) => service.service_status).sort(), ['active', 'cancelled']);
});

suite('the same day in the sandbox', async (t) => {
  const { world, key, call, start } = await setup(t, 'test');
  const later = (seconds: number) => world.clock.advance(seconds * 1000);
  const find = async () => (await world.call(key, 'GET', '/services/950001')).json.data;
  const change = (plan: string) => call('changeAccountPackage', { argument: { plan } });
  t.equal((await start({ fields: { package: { plan: 'starter', configuration: 'image=alpine-4' } } })).answer, true);
  later(10);
  t.match(await find(), { service_status: 'active', configuration: { image: 'alpine-4', hostname: 'shop.example' } });
  t.match(await call('synchronizeAccount'), { answer: true, order: { username: 'root', ip: '192.0.2.42' } });
  t.match((await call('getLoginUrl')).answer, /^https:/);
  t.equal((await call('suspendAccount')).answer, true);
  t.equal((await call('unsuspendAccount')).answer, true, 'paid a second later');
  later(30);
  t.equal((await change('business')).answer, true);
  later(10);
  t.match(await find(), { service_status: 'active', plan: { slug: 'business' } });
  t.equal((await change('starter')).answer, true);
  later(20);
  t.equal((await change('starter')).answer, true, 'accepted by now, and waiting');
  t.equal((await call('cancelAccount')).answer, true);
  later(10);
  t.equal((await find()).service_status, 'cancelled');
});

suite('while every answer is lost, a later repeat does nothing twice', async (t) => {
  const { world, call, start } = await setup(t);
  for (const what of ['answers', 'changes'] as const) {
    const lost = await world.losing(what, () => start());
    t.match(lost, { answer: /^Server: no answer/, order: { status: 'failed_setup' } });
  }
  t.equal((await start()).answer, true);
  await world.work();
  const steps: Array<[name: string, more?: Partial<Call>]> = [
    ['suspendAccount'],
    ['unsuspendAccount'],
    ['changeAccountPackage', { argument: { plan: 'business' } }],
    ['changeAccountPackage', { argument: { plan: 'business', configuration: 'addresses=2' } }],
    ['cancelAccount'],
  ];
  for (const [name, more] of steps) {
    for (const what of ['answers', 'changes'] as const)
      t.match((await world.losing(what, () => call(name, more))).answer, /^Server: no answer/, `${name}, ${what}`);
    t.equal((await call(name, more)).answer, true, name);
    t.equal((await call(name, more)).answer, true, name);
    await world.work();
  }
  t.strictSame((await world.requests()).map(({ type }: { type: string }) => type).reverse(), [
    'service-creation',
    'service-suspension',
    'service-unsuspension',
    'plan-upgrade',
    'service-action',
    'cancellation',
  ]);
});

suite('a lost 202 is found, and a waiting downgrade gives way to the next word', async (t) => {
  const { world, call, start } = await setup(t);
  await start({ fields: { package: { plan: 'business' } } });
  await world.work();
  const change = (plan: string) => call('changeAccountPackage', { argument: { plan } });
  await world.losing('changes', () => change('starter'));
  const [{ service_number: number }] = await world.services();
  const [first] = (await world.service(number)).open_requests;
  t.match(first, { request_status: 'operator_review', new_plan: { slug: 'starter' } });
  t.equal((await change('starter')).answer, true);
  t.strictSame((await world.service(number)).open_requests, [first], 'nothing is submitted twice');
  await world.decide('deny');
  t.equal((await change('starter')).answer, true, 'what was denied can be asked for again');
  await world.decide('accept');
  t.equal((await change('starter')).answer, true, 'it waits for the renewal');
  t.equal((await change('flat')).answer, true);
  t.match((await world.service(number)).open_requests, [{ new_plan: { slug: 'flat' } }]);
  t.match((await change('no-such-plan')).answer, /There is no plan "no-such-plan"/);
});

suite('an order that is cancelled while it is built ends; one that failed can be activated again', async (t) => {
  const { world, call, start } = await setup(t);
  await start();
  t.equal((await call('cancelAccount')).answer, true);
  await world.work();
  world.provisioner.answers.push(NO_ROOM);
  await start({ order: 2, fields: { domain: 'other.example' } });
  await world.work();
  t.equal((await start({ order: 2, fields: { domain: 'other.example' } })).answer, true);
  await world.work();
  const services: Array<{ service_status: string }> = await world.services();
  t.strictSame(services.map((service) => service.service_status).sort(), ['active', 'cancelled', 'terminated']);
});

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** What another client's order of the same domain may try. */
const ALL: Array<[call: string, argument?: unknown]> = [
  ['getLoginUrl'],
  ['getResellerLoginUrl'],
  ['synchronizeAccount'],
  ['suspendAccount'],
  ['unsuspendAccount'],
  ['cancelAccount'],
  ['delete'],
  ['changeAccountPackage', { plan: 'business' }],
  ['changeAccountPassword', 'x'],
  ['changeAccountUsername', 'x'],
  ['changeAccountDomain', 'shop.example'],
  ['changeAccountIp', '192.0.2.1'],
];

suite('no function of the manager touches the service of another order', async (t) => {
  const { world, call, start, changes } = await setup(t);
  await start();
  await world.work();
  changes.splice(0);
  const [victim] = await world.services();
  for (const email of ['eve@example.com', 'ada@example.com']) {
    for (const status of ['failed_setup', 'pending_setup', 'active', 'suspended', 'canceled']) {
      for (const [name, argument] of ALL) {
        const fields = { domain: 'shop.example', email, status };
        const { answer } = await call(name, { order: 2, argument, fields });
        t.match(
          String(answer),
          /^$|^true$|no service for shop\.example|does not change|is set on|come from/,
          `${name} ${status}`,
        );
      }
    }
  }
  t.strictSame(changes, [], 'nothing that changes something was sent');
  t.strictSame(await world.services(), [victim]);
});

suite('every function of the shared file that takes a service refuses that of another', async (t) => {
  const { world, call, start, changes } = await setup(t);
  await start();
  await world.work();
  changes.splice(0);
  const [victim] = await world.services();
  const { answer } = await call('panel', { argument: await world.service(victim.service_number) });
  const answers: Record<string, string> = answer as never;
  t.match(Object.keys(answers).sort(), [
    ...['act', 'actionsUnderWay', 'changePlan', 'changePlanAfterSuspension', 'credentials', 'own', 'read', 'suspend'],
    ...['terminate', 'unsuspend'],
  ]);
  for (const [name, says] of Object.entries(answers)) t.match(says, /is another's: .*order-1.*ada@example\.com/, name);
  t.strictSame(changes, []);
});

suite('two orders of one domain are two services, and each order is its own', async (t) => {
  const { world, call, start } = await setup(t);
  await start();
  await world.work();
  const mine = { order: 2, fields: { domain: 'shop.example', package: { plan: 'business' } } };
  t.equal((await start(mine)).answer, true);
  await world.work();
  t.equal((await call('cancelAccount', mine)).answer, true);
  await world.work();
  const states = (await world.services()).map((one: Record<string, unknown>) => [
    ...[one.external_reference, one.service_status],
    (one.plan as { slug: string }).slug,
  ]);
  t.strictSame(states, [
    ['panel-1/order-2', 'cancelled', 'business'],
    ['panel-1/order-1', 'active', 'starter'],
  ]);
});

suite('staff delete the order whose activation was lost, and the order that followed keeps its service', async (t) => {
  const { world, call, start } = await setup(t);
  t.match(await world.losing('changes', () => start()), { order: { status: 'failed_setup' } });
  await start({ order: 2, fields: { domain: 'shop.example' } });
  await world.work();
  t.equal((await call('delete')).answer, true);
  await world.work();
  const states = (await world.services()).map((one: Record<string, unknown>) => one.service_status);
  t.strictSame(states, ['active', 'cancelled'], 'the lost one ends, the other one stays');
});

suite('an order whose service was given to another one gets a service of its own', async (t) => {
  const { world, key, call, start } = await setup(t);
  await start();
  await world.work();
  const [{ service_number: number }] = await world.services();
  const body = { external_reference: 'panel-1/order-9' };
  await world.call(key, 'POST', `/services/${number}/update`, { body });
  t.equal((await start({ fields: { status: 'failed_setup' } })).answer, true);
  t.equal((await start({ fields: { status: 'failed_setup' } })).answer, true, 'once');
  await world.work();
  t.equal((await call('cancelAccount')).answer, true);
  await world.work();
  const states = (await world.services()).map((one: Record<string, unknown>) => [
    ...[one.external_reference, one.service_status],
  ]);
  t.strictSame(states, [
    ['panel-1/order-1', 'cancelled'],
    ['panel-1/order-9', 'active'],
  ]);
});

suite('a reference that an earlier panel of the same name gave another client is refused', async (t) => {
  const { world, start } = await setup(t);
  await start();
  t.match(
    (await start({ fields: { email: 'eve@example.com', status: 'pending_setup' } })).answer,
    /is of "ada@example\.com": another panel had this name/,
  );
  t.equal((await world.services()).length, 1);
});

suite('a restored panel that gives an order’s number again does not reach the service of the forgotten order', async (t) => {
  const { world, call, start, changes } = await setup(t);
  await start();
  await world.work();
  changes.splice(0);
  for (const status of ['pending_setup', 'failed_setup', 'canceled']) {
    const fields = { email: 'eve@example.com', status };
    for (const name of ['createAccount', 'suspendAccount', 'unsuspendAccount', 'cancelAccount', 'synchronizeAccount'])
      t.match((await call(name, { fields })).answer, /is of "ada@example\.com": .*restored/, `${name} ${status}`);
    t.equal((await call('getLoginUrl', { fields })).answer, '', status);
  }
  t.match(await world.services(), [{ service_status: 'active', open_requests: [] }]);
  const moved = { fields: { email: 'ada@new.example', status: 'active' } };
  t.equal((await call('suspendAccount', moved)).answer, true, 'a client whose address is another one by now');
});

suite('nothing is done for an order whose number FOSSBilling does not say', async (t) => {
  const { world, call, start } = await setup(t);
  const fields = { domain: 'shop.example', status: 'active' };
  const says = /does not say which order/;
  t.match((await start({ order: 0, fields: { domain: 'shop.example' } })).answer, says);
  for (const [name, argument] of ALL.slice(2, 8))
    t.match((await call(name, { order: 0, argument, fields })).answer, says);
  t.equal((await call('getLoginUrl', { order: 0, fields })).answer, '');
  t.strictSame(world.sent, []);
});

suite('a service that an earlier release named by its domain is taken over once, by its own client’s order', async (t) => {
  const { world, key, call } = await setup(t);
  const body = {
    plan: 'starter',
    client: { name: 'Ada Example', email: 'Ada@example.com' },
    external_reference: 'panel-1/shop.example',
    configuration: { image: 'alpine-3' },
  };
  const { service_number: number } = (await world.call(key, 'POST', '/services', { body })).json.data;
  await world.work();
  const of = (order: number, email: string, status: string) => ({
    order,
    fields: { domain: 'Shop.example', email, status, package: { plan: 'starter' } },
  });
  const reference = async () => (await world.service(number)).external_reference;

  t.match((await call('suspendAccount', of(2, 'eve@example.com', 'active'))).answer, /no service/);
  t.equal((await call('getLoginUrl', of(2, 'eve@example.com', 'active'))).answer, '');
  t.equal((await call('delete', of(3, 'ada@example.com', 'failed_setup'))).answer, true);
  t.equal(await reference(), 'panel-1/shop.example', 'neither a stranger nor a failed order takes it');

  const own = of(1, 'ada@example.com', 'active');
  t.equal((await call('getLoginUrl', own)).answer, ACCESS.login_url);
  t.equal(await reference(), 'panel-1/shop.example', 'a page changes nothing');
  t.equal((await call('synchronizeAccount', own)).answer, true);
  t.equal(await reference(), 'panel-1/order-1');
  t.match((await call('suspendAccount', of(4, 'ada@example.com', 'active'))).answer, /no service/, 'once');
  t.equal((await call('suspendAccount', own)).answer, true);
});

suite('a suspended order, whose domain its client can change, takes over a service only when staff press Synchronize', async (t) => {
  const { world, key, call, changes } = await setup(t);
  const body = {
    plan: 'starter',
    client: { name: 'Ada Example', email: 'ada@example.com' },
    external_reference: 'panel-1/shop.example',
  };
  await world.call(key, 'POST', '/services', { body });
  await world.work();
  // Ada has another address in the panel by now; Eve took the old one, and Ada's domain.
  const eve = {
    order: 2,
    fields: { domain: 'shop.example', email: 'ada@example.com', status: 'suspended', package: { plan: 'starter' } },
  };
  t.equal((await call('getLoginUrl', eve)).answer, '');
  for (const name of ['suspendAccount', 'unsuspendAccount', 'cancelAccount'])
    t.match((await call(name, eve)).answer, /of a release before 1\.2: .* press Synchronize/, name);
  t.strictSame(changes, []);
  t.equal((await call('synchronizeAccount', eve)).answer, true);
  t.match(await world.services(), [{ external_reference: 'panel-1/order-2' }]);
});

suite('a plan that was changed while the order was suspended is the service’s when it is resumed', async (t) => {
  const { world, call, start } = await setup(t);
  await start();
  await world.work();
  await call('suspendAccount');
  await world.work();
  let isResumed = false;
  world.line.answer = async (answer) => {
    isResumed ||= world.changes.at(-1)?.endsWith('/unsuspend') ?? false;
    // The work is done while the manager waits.
    if (isResumed) await world.work();
    return answer;
  };
  const changed = { fields: { package: { plan: 'business', configuration: 'addresses=3' } } };
  t.match(await call('unsuspendAccount', changed), { answer: true, history: [] });
  await world.work();
  const [service] = await world.services();
  t.match(service, { service_status: 'active', plan: { slug: 'business' }, configuration: { addresses: 3 } });
});

suite('a plan that cannot change when the order is resumed changes with the next synchronization', async (t) => {
  const { world, call, start } = await setup(t);
  await start();
  await world.work();
  await call('suspendAccount');
  await world.work();
  const changed = { fields: { package: { plan: 'business' } } };
  const resumed = await call('unsuspendAccount', changed);
  t.match(resumed, { answer: true, history: [/^warn: The plan is still Starter, not business; press Synchronize/] });
  await world.work();
  t.equal((await call('synchronizeAccount', changed)).answer, true);
  await world.work();
  t.match(await world.services(), [{ service_status: 'active', plan: { slug: 'business' } }]);
});

suite('a typing error in the hosting plan’s configuration is named, and nothing is ordered or changed', async (t) => {
  const { world, call, start, changes } = await setup(t);
  const faults: Array<[configuration: string, says: RegExp]> = [
    ['imge=debian-13', /"imge" is no option of the plan; its options: image, hostname, backups, addresses/],
    ['backups=flase', /"backups" is yes or no, not "flase"/],
    ['image debian-13', /"image debian-13" in place of NAME=VALUE/],
  ];
  for (const [configuration, says] of faults)
    t.match((await start({ fields: { package: { plan: 'starter', configuration } } })).answer, says);
  t.strictSame(changes, []);
  await start();
  await world.work();
  changes.splice(0);
  for (const [configuration, says] of faults) {
    const argument = { plan: 'business', configuration };
    t.match((await call('changeAccountPackage', { argument })).answer, says);
  }
  t.strictSame(changes, []);
});

suite('a domain is sent as a host name in ASCII, or not at all', async (t) => {
  const { world, start } = await setup(t);
  const domains = { 'bücher.example': 'xn--bcher-kva.example', 'my_shop.example': undefined, '192.0.2.1': undefined };
  let order = 0;
  for (const [domain, sent] of Object.entries(domains)) {
    t.equal((await start({ order: ++order, fields: { domain } })).answer, true, domain);
    const [{ configuration, label }] = await world.services();
    t.strictSame([configuration.hostname, label], [sent, domain]);
  }
});

suite('a plan change takes its options along, and they wait for the renewal with it', async (t) => {
  const { world, call, start } = await setup(t);
  await start({ fields: { package: { plan: 'business', configuration: 'image=alpine-3, backups=yes' } } });
  await world.work();
  const argument = { plan: 'starter', configuration: 'backups=no' };
  t.equal((await call('changeAccountPackage', { argument })).answer, true);
  t.equal((await call('changeAccountPackage', { argument })).answer, true, 'a repeat');
  await world.decide('accept');
  await world.work();
  const [service] = await world.services();
  t.match(service, { plan: { slug: 'business' }, configuration: { backups: true } });
  t.equal(service.open_requests.length, 1);
  t.match(await world.requests(), [{ type: 'plan-downgrade', configuration: { backups: false } }, {}]);
});

suite('sixty activations in a row need two calls each', async (t) => {
  const { world, start } = await setup(t);
  for (let order = 1; order <= 60; order++) {
    const { answer, waits } = await start({ order, isPage: true });
    if (answer !== true || waits.length > 0) t.fail(`${order}: ${answer}, ${waits}`);
  }
  t.equal(world.sent.length, 120);
  t.equal((await world.services()).length, 60);
});

suite('what a payment sets off is tried for a minute over a page, too; what staff do, for some seconds', async (t) => {
  const { world, call, start } = await setup(t);
  const isPage = true;
  const down = (times: number) => {
    let left = times;
    world.line.request = () => (left-- > 0 ? null : undefined);
  };
  down(4);
  t.match(await start({ isPage }), { answer: true, waits: [2, 4, 8, 16] });
  await world.work();
  await call('suspendAccount');
  await world.work();
  down(5);
  const resumed = await call('unsuspendAccount', { isPage });
  t.match(resumed, { answer: true, waits: [2, 4, 8, 16, Number] });
  t.ok(sum(resumed.waits) > 50 && sum(resumed.waits) <= 60, 'about a minute');
  await world.work();
  down(3);
  t.match(await call('suspendAccount', { isPage }), { answer: /^Server: no answer/, waits: [2, 4] });
  let count = 0;
  world.line.request = () => (count++ === 0 ? limited({ 'retry-after': '58' }) : undefined);
  t.match(await call('suspendAccount', { isPage }), { answer: true, waits: [58] }, 'a limit is waited for as it says');
});

suite('two hundred overdue orders do not wait for a server that is down: all but the first try once', async (t) => {
  const { world, start, call } = await setup(t);
  await start();
  await world.work();
  world.sent.splice(0);
  world.line.request = () => null;
  const waits: number[] = [];
  for (let order = 1; order <= 200; order++) {
    const fields = { domain: 'shop.example', status: 'active' };
    const outcome = await call('suspendAccount', { order, fields });
    waits.push(...outcome.waits);
    if (outcome.answer === true) t.fail(`${order} was suspended`);
  }
  t.equal(world.sent.length, 6 + 199);
  t.equal(waits.length, 5);
  t.ok(sum(waits) <= 60);
  delete world.line.request;
  const after = await call('suspendAccount', { fields: { status: 'active' } });
  t.strictSame([after.answer, after.waits], [true, []], 'once it answers, all is as before');
});

suite('a day on which each answer is lost once is a day as any other', async (t) => {
  const { world, call, start } = await setup(t);
  const lost = new Set<string>();
  world.line.answer = (answer) => {
    const asked = world.sent.at(-1) as string;
    if (lost.has(asked)) return answer;
    lost.add(asked);
    return undefined;
  };
  const business = { plan: 'business', configuration: 'addresses=2' };
  const day: Array<[call: string, argument?: unknown]> = [
    ['suspendAccount'],
    ['unsuspendAccount'],
    ['changeAccountPackage', business],
    ['synchronizeAccount'],
    ['cancelAccount'],
  ];
  t.match(await start(), { answer: true, waits: [2, 2] });
  for (const [name, argument] of day) {
    lost.clear();
    await world.work();
    const outcome = await call(name, { argument });
    t.equal(outcome.answer, true, name);
    t.ok(outcome.waits.length > 0 && outcome.waits.every((wait) => wait === 2), 'each call was repeated once');
  }
  await world.work();
  t.strictSame((await world.requests()).map(({ type }: { type: string }) => type).reverse(), [
    ...['service-creation', 'service-suspension', 'service-unsuspension', 'plan-upgrade', 'cancellation'],
  ]);
});

suite('a fault is named for what has to be looked at, and the client’s page comes up', async (t) => {
  const { world, key, call, start, state } = await setup(t);
  await start();
  await world.work();
  const says = async (name: RegExp, config: object) => t.match((await call('testConnection', {}, config)).answer, name);
  await says(/^Address: /, { port: '2' });
  await says(/^Certificate: /, { host: 'localhost', secure: true });
  await says(/^Key: /, { accesshash: 'sk_live_unknown' });
  await says(/^Scope: /, { accesshash: (await world.addKey(world.broker, ['services:read'])).key });
  await says(/^Set "Name of this panel" of the hosting server/, { username: '' });
  const fenced = await world.addBroker({ ipRestrictionEnabled: true });
  await says(/^Firewall: .* this panel, 127\.0\.0\.1/, { accesshash: (await world.addKey(fenced)).key });
  t.equal((await call('getLoginUrl', {}, { port: '2' })).answer, '');

  world.line.request = () => limited({ 'retry-after': '3600' });
  t.match((await call('suspendAccount')).answer, /^Limit: too many calls; repeat in 3600 seconds/);
  let count = 0;
  world.line.request = () => (count++ === 0 ? limited({ 'retry-after': '50' }) : undefined);
  t.match(await call('suspendAccount'), { answer: true, waits: [50] });
  await world.revoke(key);
  t.match((await call('unsuspendAccount')).answer, /^Key: it is refused/);
  state.key = (await world.addKey(world.broker, ['admin:full'])).key;
  t.equal((await call('unsuspendAccount')).answer, true, 'after a rotation the services are the same');
});

suite('the archive unpacks into the folder of FOSSBilling, and names no manager but one', async (t) => {
  const { world } = await setup(t);
  const folder = await unpack(t, world, 'fossbilling');
  const files = execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
  const names = files.map((file) => file.slice(folder.length)).sort();
  const [module, manager] = [true, false].map((isModule) =>
    names.filter((name) => name.startsWith('/modules/Servicebrokerapi/') === isModule),
  ) as [string[], string[]];
  t.strictSame(manager, [
    ...['README.md', 'broker.php', 'panel.php'].map((name) => `/library/Brokerapi/${name}`),
    '/library/Server/Manager/Brokerapi.php',
  ]);
  const below = (path: string) => module.filter((name) => name.includes(path)).map((name) => name.split('/').at(-1));
  for (const area of ['client', 'admin', 'email'])
    t.strictSame(below(`/templates/${area}/`), below(`/html_${area}/`), `0.8 finds what 0.7 finds: ${area}`);
});
