import t, { type Test } from 'tap';
import { reviewRequest } from '../../../src/lifecycle/operator-requests.ts';
import type { WorkOutcome } from '../../../src/ports.ts';
import type { Action } from '../../../src/rules/offers.ts';
import type { Option } from '../../../src/rules/options.ts';
import { keysOf, REQUEST_KEYS, refused } from '../../support/v1.ts';
import { createTestProvisioner, workerOf } from '../../support/work.ts';
import { createWorld } from '../../support/world.ts';

/** Choices, actions and access of a service (contract, sections 12.1, 12.2 and 12.4). */

const IMAGE: Option = {
  name: 'image',
  display_name: 'Operating system',
  description: null,
  type: 'choice',
  required: false,
  default: 'debian-13',
  choices: ['debian-13', 'alpine-4'].map((value) => ({ value, display_name: value })),
};
const plain = { description: null, required: false, default: null };
const OPTIONS: Option[] = [
  IMAGE,
  {
    ...plain,
    name: 'hostname',
    display_name: 'Host',
    type: 'text',
    format: 'hostname',
    max_length: 253,
    required: true,
  },
  { ...plain, name: 'note', display_name: 'Note', type: 'text', format: null, max_length: 20 },
  { ...plain, name: 'backups', display_name: 'Backups', type: 'boolean' },
  { ...plain, name: 'size', display_name: 'Size', type: 'number', minimum: 1, maximum: 3 },
];
const action = (name: string, fields: Partial<Action> = {}): Action => ({
  name,
  display_name: `Do ${name}`,
  description: null,
  options: [],
  requires_operator_review: false,
  destroys_data: false,
  ...fields,
});
const ACTIONS = [
  action('reboot'),
  action('reinstall', { options: [IMAGE], destroys_data: true }),
  action('console', { requires_operator_review: true }),
];

async function setup(t: Test, outcome: WorkOutcome = { outcome: 'done' }) {
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker, { slug: 'vps' });
  const offer = { options: OPTIONS, actions: ACTIONS, hasCredentials: true, provisioning: { template: 9000 } };
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[plan.id, offer]])));
  const provisioner = createTestProvisioner();
  provisioner.answers.push(async () => outcome);
  const call = (method: 'GET' | 'POST', url: string, body?: unknown, as = key) => world.call(as, method, url, { body });
  return {
    world,
    broker,
    provisioner,
    worker: workerOf(world, provisioner),
    addService: (fields = {}) => world.addService(broker, plan, { status: 'active', ...fields }),
    call,
    create: (configuration?: unknown) =>
      call('POST', '/services', { plan: 'vps', client: { name: 'Ada', email: 'ada@example.com' }, configuration }),
    act: (number: number, name: string, configuration?: unknown, as = key) =>
      call('POST', `/services/${number}/actions`, { action: name, configuration }, as),
    service: async (number: number) => (await call('GET', `/services/${number}`)).json.data,
    request: async (id: string) => (await call('GET', `/requests/${id}`)).json.data,
  };
}

t.test(
  'what is chosen for a service is checked by its plan, filled in, shown and given to the provisioner',
  async (t) => {
    const { create, service, provisioner, worker, call } = await setup(t);
    const { service_number: number } = (await create({ hostname: ' shop.example.com ', size: 2, note: null })).json
      .data;
    const configuration = { image: 'debian-13', hostname: 'shop.example.com', size: 2 };
    t.strictSame((await service(number)).configuration, configuration);
    t.match((await call('GET', '/plans')).json.data[0], { options: OPTIONS, actions: ACTIONS, has_credentials: true });
    await worker.runOnce();
    t.match(provisioner.given[0], {
      type: 'service-creation',
      configuration,
      action: null,
      reference: null,
      plan: { slug: 'vps', provisioning: { template: 9000 } },
      new_plan: { provisioning: { template: 9000 } },
    });
    t.notOk(
      JSON.stringify((await call('GET', '/plans')).json).includes('9000'),
      'no broker sees what is for the provisioner',
    );
  },
);

t.test('a configuration is refused field by field', async (t) => {
  const { create } = await setup(t);
  const faults = async (configuration: unknown) => {
    const { status, json } = await create(configuration);
    t.equal(status, 400);
    return Object.fromEntries(
      (json.error.details.fields as Array<{ path: string; rule: string }>).map(({ path, rule }) => [
        path.replace('body.configuration.', ''),
        rule,
      ]),
    );
  };
  t.strictSame(await faults({}), { hostname: 'required' });
  t.strictSame(await faults({ hostname: null }), { hostname: 'required' });
  t.strictSame(await faults(null), { hostname: 'required' }, 'null counts as absent, for the whole too');
  t.strictSame(
    await faults({ hostname: 'a_b', image: 'windows', size: 4, backups: 'yes', note: 'x'.repeat(21), toString: 1 }),
    { hostname: 'format', image: 'enum', size: 'range', backups: 'type', note: 'too_long', toString: 'unknown' },
  );
  t.strictSame(await faults({ hostname: '192.0.2.1', size: 1.5, note: '  ', image: 7 }), {
    hostname: 'format',
    size: 'type',
    note: 'blank',
    image: 'type',
  });
  t.strictSame(await faults(JSON.parse('{"hostname": "a", "hasOwnProperty": 1, "size": 9007199254740993}')), {
    hasOwnProperty: 'unknown',
    size: 'range',
  });
  t.match((await create('none')).json.error.details.fields, [{ path: 'body.configuration', rule: 'type' }]);
});

t.test('what the provisioner settles is the service’s: access, configuration and its own id', async (t) => {
  const access = {
    hostname: 'vm1.example.com',
    ip_addresses: ['192.0.2.7', '2001:db8::7'],
    username: 'root',
    login_url: 'https://panel.example.com/1',
    notes: null,
  };
  const outcome = {
    outcome: 'done',
    access,
    configuration: { hostname: 'vm1.example.com', other: 1 },
    reference: 'vm-1',
  };
  const { create, service, worker, provisioner, act, call } = await setup(t, outcome as WorkOutcome);
  const { service_number: number } = (await create({ hostname: 'a' })).json.data;
  t.equal((await service(number)).access, null);
  await worker.runOnce();
  t.match(await service(number), {
    access,
    configuration: { image: 'debian-13', hostname: 'vm1.example.com', other: undefined },
  });
  for (const search of ['vm1.EXAMPLE', '192.0.2.7', '2001:db8::7']) {
    t.equal((await call('GET', `/services?search=${search}`)).json.pagination.total, 1, search);
  }
  t.equal((await act(number, 'reboot', null)).status, 200);
  await worker.runOnce();
  t.match(provisioner.given[1], { type: 'service-action', action: { name: 'reboot' }, reference: 'vm-1' });
  await call('POST', `/services/${number}/cancel`, { cancellation_type: 'immediate' });
  await worker.runOnce();
  t.match(await service(number), { service_status: 'cancelled', access: null }, 'it may be another client’s by now');
  t.equal((await call('GET', '/services?search=192.0.2.7')).json.pagination.total, 0);
});

t.test('an action is a request; what was chosen for it is the service’s when it is done', async (t) => {
  const { act, addService, service, request, worker, provisioner } = await setup(t);
  const { number } = await addService();
  t.match(await service(number), { actions: ACTIONS, has_credentials: true });
  const { status, json } = await act(number, 'reinstall', { image: 'alpine-4' });
  t.equal(status, 200);
  t.strictSame(keysOf(json.data), REQUEST_KEYS['service-action']);
  t.match(json.data, {
    type: 'service-action',
    request_status: 'accepted',
    action: { name: 'reinstall', display_name: 'Do reinstall' },
    configuration: { image: 'alpine-4' },
  });
  t.match(await service(number), { configuration: {}, open_request: { type: 'service-action' } });
  refused(t, await act(number, 'reboot'), {
    status: 400,
    code: 'invalid_state',
    reason: 'action_in_progress',
    details: { request_id: json.data.request_id },
  });
  await worker.runOnce();
  t.match(provisioner.given[0], { configuration: { image: 'alpine-4' }, action: { name: 'reinstall' } });
  t.match(await request(json.data.request_id), { request_status: 'completed' });
  t.strictSame((await service(number)).configuration, { image: 'alpine-4' });
  t.match(
    (await act(number, 'reinstall')).json.data,
    { configuration: { image: 'alpine-4' } },
    'what is not given stays as the service has it',
  );
});

t.test('an action is refused in the contract’s order', async (t) => {
  const { act, addService } = await setup(t);
  const state = (reason: string) => ({ status: 400, code: 'invalid_state', reason });
  for (const status of ['cancelled', 'terminated'] as const) {
    refused(t, await act((await addService({ status })).number, 'none'), state(`service_${status}`));
  }
  for (const status of ['pending', 'suspended'] as const) {
    refused(t, await act((await addService({ status })).number, 'none'), state('service_not_active'));
  }
  const { number } = await addService();
  await act(number, 'reboot');
  refused(t, await act(number, 'none', { x: 1 }), {
    status: 400,
    code: 'invalid_parameter',
    reason: 'action_not_available',
  });
  t.match((await act(number, 'reinstall', { image: 'x' })).json.error.details.fields, [
    { path: 'body.configuration.image', rule: 'enum' },
  ]);
  t.equal((await act(number, 'reinstall')).json.error.details.reason, 'action_in_progress');
});

t.test('an action that the operator reviews waits; without a provisioner every one does', async (t) => {
  const { act, addService, world, worker, request } = await setup(t);
  const [one, other] = [await addService(), await addService()];
  const { status, json } = await act(one.number, 'console');
  t.equal(status, 202);
  const operator = { ...world.context, actor: { kind: 'command' as const, name: 'ops', clientIp: null } };
  await reviewRequest(operator, { requestId: json.data.request_id, accept: true, reason: null });
  await worker.runOnce();
  t.match(await request(json.data.request_id), { request_status: 'completed', decision: { action: 'accept' } });
  world.context.hasProvisioner = false;
  t.match((await act(other.number, 'reboot')).json.data, { request_status: 'operator_review' });
});

t.test('an action goes on beside a plan change, fails on a suspended service and with the service’s end', async (t) => {
  const { act, addService, world, worker, request } = await setup(t);
  const { number, brokerId } = await addService();
  const { request_id: id } = (await act(number, 'reboot')).json.data;
  await world.store.tx((tx) => tx.services.update(brokerId, number, { status: 'suspended', suspendedBy: 'broker' }));
  await worker.runOnce();
  t.match(await request(id), { request_status: 'failed', failure: { reason: 'service_not_active' } });
});

t.test('a key that operates services submits and takes back actions, and nothing else', async (t) => {
  const { act, addService, world, broker, call } = await setup(t);
  const { key } = await world.addKey(broker, ['services:operate']);
  const { number } = await addService();
  const { request_id: id } = (await act(number, 'reboot', undefined, key)).json.data;
  t.equal((await call('GET', `/services/${number}`, undefined, key)).status, 200);
  t.match((await call('POST', `/requests/${id}/withdraw`, {}, key)).json.data, { request_status: 'failed' });
  const cancellation = (await call('POST', `/services/${number}/cancel`, {})).json.data;
  refused(t, await call('POST', `/requests/${cancellation.request_id}/withdraw`, {}, key), {
    status: 403,
    code: 'insufficient_permissions',
    reason: 'missing_scope',
    details: { required_scopes: ['admin:full'], granted_scopes: ['services:operate'] },
  });
  t.equal((await call('POST', `/services/${number}/cancel`, {}, key)).status, 403);
});
