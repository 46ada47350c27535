import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { importPlans } from '../../src/operator/plans/plans.ts';
import type { ProvisionedPlan } from '../../src/ports.ts';
import type { ServiceRecord } from '../../src/records.ts';
import { layOut, startConnector } from '../support/connector.ts';
import { file } from '../support/operator-context.ts';
import { Answer, DASHBOARD, LARGE, LOGIN, SERVICE_ID, SMALL, startServiceBroker } from '../support/service-broker.ts';
import { createTestProvisioner, workerOf } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

/** The connector for Service Brokers, against a stand-in made from the specification, with overview-broker's modes. */

const PLAN = {
  slug: 'postgres-small',
  has_credentials: true,
  provisioning: {
    service_id: SERVICE_ID,
    plan_id: SMALL,
    fixed: { region: 'eu' },
    parameters: { storage_gb: { name: 'storage-gb' }, replicas: { name: 'replicas', json: true } },
  },
} as unknown as ProvisionedPlan;
const LARGER = {
  slug: 'postgres-large',
  has_credentials: true,
  provisioning: { service_id: SERVICE_ID, plan_id: LARGE },
} as unknown as ProvisionedPlan;

const settings = (url: string) => ({
  OSB_URL: url,
  OSB_USERNAME: LOGIN.username,
  OSB_PASSWORD: LOGIN.password,
  INSTALLATION: 'test',
});

async function setup(t: Test) {
  const broker = await startServiceBroker(t);
  const connector = await startConnector(t, 'osb', PLAN, settings(broker.url));
  return {
    ...broker,
    ...connector,
    instance: () => [...broker.instances.values()][0],
    upgrade: (id: string) => connector.fulfil(id, 'plan-upgrade', { new_plan: LARGER }),
    cancel: (id: string, plan = PLAN) => connector.fulfil(id, 'cancellation', { plan }),
  };
}

const BUILT = {
  outcome: 'done',
  access: { login_url: DASHBOARD },
  reference: /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/,
};
const html = (status: number) => new Answer(status, '<html>', { 'content-type': 'text/html' });

t.test('an instance is made with the names and types of the broker, and its dashboard is the login link', async (t) => {
  const { create, instance, call, state } = await setup(t);
  const first = await call('req_1', 'service-creation', { new_plan: PLAN });
  t.match(first, { outcome: 'in_progress', token: /^step=PUT&operation=PUT-1-xx&login_url=https/ });
  t.match(await call('req_1', 'service-creation', { new_plan: PLAN, token: (first as { token: string }).token }), {
    outcome: 'in_progress',
    checkAfterSeconds: 3,
  });
  t.match(await create(), BUILT);
  t.strictSame(instance()?.parameters, { region: 'eu' });
  const other = await setup(t);
  other.state.isAsync = false;
  t.match(await other.create({ storage_gb: 20, replicas: '3', backups: true }), BUILT);
  t.strictSame(other.instance()?.parameters, { region: 'eu', 'storage-gb': 20, replicas: 3, backups: true });
  state.isAsync = false;
});

t.test('an answer that is lost, or is a gateway’s, makes no second instance and costs none', async (t) => {
  const { create, upgrade, cancel, created, instances, state, calls, instance } = await setup(t);
  state.isLossy = true;
  state.answer = [
    [/^PUT/, html(502), 'done'],
    [/^PUT/, html(503)],
    [/last_operation/, html(504)],
    [/last_operation/, new Answer(404, {})],
    [/last_operation/, new Answer(429, {}, { 'Retry-After': '7' })],
    [/^PATCH/, html(502), 'done'],
    [/^DELETE $/, html(502), 'done'],
  ];
  t.match(await create(), BUILT);
  t.match(await upgrade('req_2'), { outcome: 'done' });
  t.equal(instance()?.plan_id, LARGE);
  t.strictSame([created.length, instances.size], [1, 1]);
  t.match(await cancel('req_3', LARGER), { outcome: 'done', access: null });
  t.equal(instances.size, 0);
  t.strictSame(state.answer, []);
  t.ok(calls.length > 8, 'each change was made more than once');
});

t.test(
  'an operation whose name is too long for a token, and a dashboard that is shown once, are no matter',
  async (t) => {
    const { create, state, call } = await setup(t);
    state.operationLength = 200;
    const begun = await call('req_1', 'service-creation', { new_plan: PLAN });
    t.match(begun, { outcome: 'in_progress', token: /^step=PUT&operation=PUT-1-x{194}$/ }, 'without the link');
    t.match(await create(), BUILT, 'which is read from the instance');
    state.operationLength = 300;
    t.match(await call('req_2', 'plan-upgrade', { new_plan: LARGER }), { outcome: 'in_progress', token: 'step=PATCH' });
  },
);

t.test('what the broker could not create fails when nothing of it is left', async (t) => {
  const failures: Array<(state: Awaited<ReturnType<typeof setup>>['state']) => void> = [
    (state) => state.fail.push('PUT', 'DELETE', 'DELETE'),
    (state) => state.answer.push([/^PUT/, new Answer(500, { description: 'It broke' }), 'done']),
    (state) => state.answer.push([/^PUT/, new Answer(201, 'not JSON'), 'done']),
    (state) => state.answer.push([/^PUT/, new Answer(204, ''), 'done']),
    (state) => {
      state.fail.push('PUT');
      state.answer.push([/^DELETE/, html(500)], [/^DELETE/, new Answer(400, {})]);
      state.answer.push([/^DELETE/, new Answer(422, { error: 'ConcurrencyError' })]);
    },
  ];
  for (const fails of failures) {
    const { create, state, instances, created } = await setup(t);
    fails(state);
    t.match(await create(), { outcome: 'failed', reason: 'creation_failed', serviceUsable: false, retryable: true });
    t.strictSame([instances.size, created.length, state.answer.length, state.fail.length], [0, 1, 0, 0]);
  }
});

t.test('what is refused fails for good, in the words of the broker; what an operator can mend does not', async (t) => {
  const { create, call, state, instances, upgrade, log } = await setup(t);
  const { has_credentials: _, ...rest } = PLAN as unknown as Record<string, unknown>;
  const plan = { ...rest, provisioning: {} } as unknown as ProvisionedPlan;
  t.match(await call('req_0', 'service-creation', { plan, new_plan: plan }), { reason: 'plan_not_set_up' });
  t.match(await create({ logLevel: 'loud' }), { reason: 'values_refused', message: 'no such level' });
  state.answer = [[/^PUT/, new Answer(401, {})]];
  t.match(await call('req_5', 'service-creation', { new_plan: PLAN }), { outcome: 'retry' });
  t.match(log(), /PUT .*: 401 Unauthorized/);
  t.equal(instances.size, 0);
  await create({}, 'req_5');
  state.answer = [[/^PATCH/, new Answer(422, { error: 'AsyncRequired', description: 'Only later' })]];
  t.match(await upgrade('req_2'), { reason: 'not_supported', message: 'Only later', serviceUsable: true });
  const foreign = { ...LARGER, provisioning: { service_id: 'other', plan_id: LARGE } } as ProvisionedPlan;
  t.match(await call('req_3', 'plan-upgrade', { new_plan: foreign }), { reason: 'not_supported' });
  t.match(await call('req_4', 'service-creation', { new_plan: LARGER }), { reason: 'instance_conflict' });
  t.equal(instances.size, 1, 'and what is there is left alone');
});

t.test(
  'a change of the plan or of parameters waits for others, and one that fails leaves a usable service',
  async (t) => {
    const { create, upgrade, act, call, state, instance } = await setup(t);
    await create();
    state.answer = [[/^PATCH/, new Answer(422, { error: 'ConcurrencyError' }, { 'Retry-After': '9' })]];
    const parameters = { configuration: { logLevel: 'debug' } };
    const reconfigure = { ...parameters, action: { name: 'reconfigure' } };
    t.match(await call('req_2', 'service-action', reconfigure), { outcome: 'in_progress', checkAfterSeconds: 9 });
    t.match(await act('req_2', 'reconfigure', parameters), { outcome: 'done' });
    t.match(instance(), { plan_id: SMALL, parameters: { region: 'eu', logLevel: 'debug' } });
    state.fail = ['PATCH'];
    t.match(await upgrade('req_3'), {
      outcome: 'failed',
      reason: 'update_failed',
      message: 'No space is left',
      serviceUsable: true,
      retryable: true,
    });
    t.match(await act('req_4', 'reboot'), { outcome: 'failed', reason: 'not_supported', serviceUsable: true });
  },
);

t.test('a plan change sends what was chosen anew, and resets nothing else', async (t) => {
  const before = { logLevel: 'debug', replicas: '3' };
  const service = { configuration: before, access: null } as unknown as ServiceRecord;
  for (const [configuration, logLevel] of [
    [before, 'debug'],
    [{ ...before, logLevel: 'info' }, 'info'],
  ] as const) {
    const { create, fulfil, instance } = await setup(t);
    await create(before);
    const change = { new_plan: LARGER, service, configuration };
    t.match(await fulfil('req_2', 'plan-upgrade', change), { outcome: 'done' });
    t.match(instance(), { plan_id: LARGE, parameters: { region: 'eu', logLevel, replicas: 3 } });
  }
});

t.test('credentials are those of one binding, which a new login and the end take away', async (t) => {
  const { create, read, act, upgrade, cancel, instance, state, log, calls } = await setup(t);
  await create();
  const first = await read();
  t.match(first, [
    { display_name: 'Login', username: 'app', password: 'pass-2', url: 'postgres://db.example.com:5432/app' },
    { display_name: 'port', password: '5432' },
    { display_name: 'ca', password: null, private_key: /^x{1500}$/ },
  ]);
  t.strictSame(await read(), first);
  t.notMatch(log(), 'pass-2');
  t.match(await act('req_2', 'reset_password'), { outcome: 'done' });
  t.match(await read(), [{ password: 'pass-3' }]);
  await upgrade('req_3');
  state.answer = [[/^GET .*ID/, new Answer(200, { credentials: { password: 'of the plan before' } })]];
  t.match(await read(LARGER), [{ display_name: 'Login', username: null, password: 'of the plan before' }]);
  t.equal(instance()?.bindings.size, 1);
  calls.splice(0);
  t.match(await cancel('req_4', LARGER), { outcome: 'done' });
  t.strictSame(calls, ['DELETE /service_bindings/ID', 'DELETE ']);
});

t.test('a binding that takes time is waited for, half of one goes, and what has none has none', async (t) => {
  const { create, read, state, instance } = await setup(t);
  await create();
  state.bindsAsync = true;
  t.match(await read(), [{ username: 'app' }]);
  instance()?.bindings.clear();
  state.answer = [[/^PUT .*ID/, new Answer(500, {}), 'done']];
  await t.rejects(read(), { code: 'server_error' });
  t.equal(instance()?.bindings.size, 0);
  state.answer = [
    [/^PUT .*ID/, new Answer(202, {}), 'done'],
    [/last_operation/, new Answer(200, { state: 'failed' })],
  ];
  await t.rejects(read(), { code: 'server_error' });
  t.equal(instance()?.bindings.size, 0);
  state.answer = [[/^PUT .*ID/, new Answer(422, { error: 'ConcurrencyError' })]];
  await t.rejects(read(), { code: 'server_error' }, 'comes again');
  state.answer = [[/^PUT .*ID/, new Answer(422, { error: 'RequiresApp' })]];
  t.equal(await read(), null);
});

t.test(
  'a day in each way in which overview-broker answers leaves what it should, and nothing in the end',
  async (t) => {
    for (const mode of ['sync', 'default', 'async']) {
      const { create, read, upgrade, act, cancel, state, instance, instances } = await setup(t);
      Object.assign(state, { isAsync: mode !== 'sync', bindsAsync: mode === 'async', isNamed: false });
      t.match(await create(), { outcome: 'done', access: { login_url: DASHBOARD } }, mode);
      t.match(await read(), [{ username: 'app' }]);
      t.match(await upgrade('req_2'), { outcome: 'done' });
      t.match(await act('req_3', 'reset_password', { plan: LARGER }), { outcome: 'done' });
      t.match(instance(), { plan_id: LARGE });
      t.match(await cancel('req_4', LARGER), { outcome: 'done' });
      t.equal(instances.size, 0);
    }
  },
);

t.test('in each error mode of overview-broker an order ends as it should, and leaves nothing', async (t) => {
  const named = (error: string) => new Answer(422, { error, description: `Error mode enabled (${error})` });
  const modes: Array<[string, Answer, object]> = [
    ['servererror', new Answer(500, { error: 'ErrorMode', description: 'It broke' }), { outcome: 'in_progress' }],
    ['badrequest', new Answer(400), { outcome: 'failed', reason: 'values_refused' }],
    ['notfound', new Answer(404), { outcome: 'retry' }],
    ['gone', new Answer(410), { outcome: 'retry' }],
    ['unprocessable', named('ErrorMode'), { outcome: 'failed', reason: 'not_supported' }],
    ['concurrencyerror', named('ConcurrencyError'), { outcome: 'in_progress' }],
    [
      'maintenanceinfoconflict',
      named('MaintenanceInfoConflict'),
      { outcome: 'failed', reason: 'plan_not_set_up', message: /import it again/, retryable: true },
    ],
    ['200invalidjson', new Answer(200, '{ "200 invalidjson" }'), { outcome: 'retry' }],
    ['201invalidjson', new Answer(201, '{ "201 invalid json" }'), { outcome: 'in_progress' }],
    ['invalidsuccesscode', new Answer(204, ''), { outcome: 'in_progress' }],
  ];
  for (const [mode, answer, expected] of modes) {
    const { call, cancel, state, instances } = await setup(t);
    state.isNamed = false;
    state.mode = answer;
    t.match(await call('req_1', 'service-creation', { new_plan: PLAN }), expected, mode);
    state.mode = undefined;
    t.match(await cancel('req_2'), { outcome: 'done' }, mode);
    t.equal(instances.size, 0, mode);
  }
});

t.test('what overview-broker lets fail after it has begun fails, and what it never ends goes on', async (t) => {
  const { create, call, state, instances } = await setup(t);
  state.isNamed = false;
  state.fail = ['PUT'];
  t.match(await create(), { outcome: 'failed', reason: 'creation_failed' }, 'failasync');
  t.equal(instances.size, 0);
  const begun = await call('req_2', 'service-creation', { new_plan: PLAN });
  state.mode = new Answer(200, { state: 'in progress' });
  for (let turn = 0; turn < 5; turn += 1) {
    const { token } = begun as { token: string };
    t.match(
      await call('req_2', 'service-creation', { new_plan: PLAN, token }),
      { outcome: 'in_progress' },
      'neverfinishasync',
    );
  }
});

t.test('a suspension fails, because brokers have none; its end is true already', async (t) => {
  const { create, fulfil, calls } = await setup(t);
  await create();
  calls.splice(0);
  t.match(await fulfil('req_2', 'service-suspension'), {
    outcome: 'failed',
    reason: 'not_supported',
    serviceUsable: true,
  });
  t.match(await fulfil('req_3', 'service-unsuspension'), { outcome: 'done' });
  t.strictSame(calls, []);
});

t.test('nothing remains of what is cancelled while it is made, and a removal that fails is made again', async (t) => {
  const { call, cancel, state, instances, create, log } = await setup(t);
  await call('req_1', 'service-creation', { new_plan: PLAN });
  state.fail = ['DELETE', 'DELETE'];
  t.match(await call('req_2', 'cancellation'), { outcome: 'in_progress' }, 'the creation goes on');
  t.equal(instances.size, 1);
  t.match(await cancel('req_2'), { outcome: 'done', access: null });
  t.equal(instances.size, 0);
  t.match(log(), /cancellation of \d+: No space is left/);
  t.match(await create(), { outcome: 'failed', reason: 'service_cancelled' });
  t.equal(instances.size, 0);
  t.match(await cancel('req_3'), { outcome: 'done' }, 'and of what never was');
});

const run = promisify(execFile);

t.test('the catalogue becomes a plan file that is imported as it is', async (t) => {
  const broker = await startServiceBroker(t);
  const { stdout, stderr } = await run(process.execPath, [join(layOut(t, 'osb'), 'plans.mjs')], {
    env: settings(broker.url),
  });
  t.match(stderr, 'postgres small: left out: network');
  const plans = JSON.parse(stdout);
  t.match(plans, [
    {
      slug: 'postgres-small',
      display_name: 'postgres small',
      upgrade_rank: 10,
      has_credentials: true,
      options: [
        {
          name: 'storage_gb',
          display_name: 'Storage in GB',
          type: 'number',
          minimum: 10,
          maximum: 100,
          required: true,
        },
        { name: 'log_level', type: 'choice', choices: [{ value: 'info' }, { value: 'debug' }], default: 'info' },
        { name: 'replicas', type: 'choice', choices: [{ value: '1' }, { value: '3' }], default: '1' },
        { name: 'backups', type: 'boolean', required: false },
        { name: 'host', type: 'text', format: 'hostname' },
      ],
      actions: [{ name: 'reconfigure', options: [{ name: 'log_level' }] }, { name: 'reset_password' }],
      provisioning: {
        service_id: SERVICE_ID,
        plan_id: SMALL,
        parameters: {
          storage_gb: { name: 'storage-gb', json: false },
          log_level: { name: 'logLevel' },
          replicas: { name: 'replicas', json: true },
        },
      },
    },
    { slug: 'postgres-large', upgrade_rank: 20, options: [], actions: [{ name: 'reset_password' }] },
  ]);
});

/** Catalogues that the specification allows, one for each thing that an import has a rule for. */
function catalogues(): Record<string, object> {
  const long = (length: number) => 'x'.repeat(length);
  const plan = (fields: object = {}) => ({ id: 'p-1', name: 'small', description: 'A small one', ...fields });
  const service = (plans: object[], fields: object = {}) => ({
    id: 's-1',
    name: 'postgres',
    description: 'A database',
    bindable: true,
    plans,
    ...fields,
  });
  const of = (...plans: object[]) => ({ services: [service(plans)] });
  const schemas = (create: unknown, update?: unknown) => ({
    schemas: {
      service_instance: {
        create: { parameters: create },
        ...(update !== undefined && { update: { parameters: update } }),
      },
    },
  });
  const $schema = 'http://json-schema.org/draft-04/schema#';
  const object = (properties: object, more: object = {}) => ({ $schema, type: 'object', properties, ...more });
  const having = (property: unknown, more: object = {}) => of(plan(schemas(object({ size: property }, more))));
  const many = (count: number, schema: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`option-${at}`, schema]));
  return {
    'no services': { services: [] },
    'names of other cases': of(plan({ name: 'Small' }), plan({ id: 'p-2', name: 'small' })),
    'names that differ in blanks': {
      services: [
        service([plan({ name: 'a b' })]),
        service([plan({ id: 'p-2', name: 'a-b' })], { id: 's-2', name: 'Postgres' }),
      ],
    },
    'names that cannot be a slug': of(
      plan({ name: '🚀' }),
      plan({ id: 'p-2', name: '-' }),
      plan({ id: 'p-3', name: '___' }),
    ),
    'a service whose name is a sign': { services: [service([plan({ name: '*' })], { name: '$' })] },
    'long names': of(plan({ name: long(300) }), plan({ id: 'p-2', name: `${long(300)}y` })),
    'names of astral letters': of(plan({ name: '𝔸'.repeat(200) })),
    'blank names': { services: [service([plan({ name: ' ' })], { name: '\u200b' })] },
    'a long description': of(plan({ description: `${long(1999)}😀${long(100)}` })),
    'a description of control characters': of(plan({ description: 'one\u0000\ud800\u001b[31mtwo' })),
    'no schemas': of(plan({ schemas: {} })),
    'empty schemas': of(plan({ schemas: { service_instance: {}, service_binding: {} } })),
    'a schema that is true': of(plan(schemas(true, true))),
    'a schema that is false': of(plan(schemas(false, {}))),
    'a property that is true': having(true),
    'a property that is false': having(false, { required: [] }),
    'a property without a type': having({ description: 'Anything' }),
    'an enumeration of numbers': having({ type: 'integer', enum: [1, 2, 3], default: 2 }),
    'an enumeration of all types': having({ enum: [1, '1', true, 'true', null, [1], { a: 1 }], default: '1' }),
    'an enumeration with blanks': having({ enum: ['', ' ', 'a', ' a', 'a\nb'], default: '' }),
    'an enumeration that repeats': having({ enum: ['a', 'a', 'b'] }),
    'a long enumeration': having({ enum: Array.from({ length: 300 }, (_, at) => `v${at}`) }),
    'an enumeration of long values': having({ enum: [long(101), 'b'] }),
    'an enumeration of null': having({ enum: [null] }),
    'a constant': having({ const: 'only' }),
    'alternatives of constants': having({
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    }),
    'bounds between whole numbers': having({ type: 'number', minimum: 0.5, maximum: 0.9 }),
    'exclusive bounds of draft 4': having({
      type: 'integer',
      minimum: 1,
      exclusiveMinimum: true,
      maximum: 2,
      default: 1,
    }),
    'exclusive bounds of draft 7': having({ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 9, default: 9 }),
    'bounds beyond what is counted': having({ type: 'integer', minimum: -1e30, maximum: 1e30, default: 1e20 }),
    'a default out of bounds': having({ type: 'integer', minimum: 5, default: 1 }),
    'a default of another type': having({ type: 'string', default: 7 }),
    'a default that is too long': having({ type: 'string', maxLength: 3, default: 'abcdef' }),
    'a default that is no host name': having({ type: 'string', format: 'hostname', default: 'not a name' }),
    'a default with blanks around': having({ type: 'string', default: ' x ' }),
    'a text without length': having({ type: 'string', maxLength: 0 }),
    'a text of any length': having({ type: 'string', maxLength: 1e9, minLength: 0 }),
    'a host name of any length': having({ type: 'string', format: 'hostname', maxLength: 1000 }),
    'a text that is too long for an option': having({ type: 'string', minLength: 5000, maxLength: 9000 }),
    'types in a list': having({ type: ['null', 'string'] }),
    'titles and descriptions of any length': having({
      type: 'string',
      title: `\n${long(300)}`,
      description: '😀'.repeat(600),
    }),
    'a blank title': having({ type: 'string', title: ' ', description: '' }),
    'names that are one option': of(
      plan(
        schemas(
          object({ logLevel: { type: 'string' }, 'log-level': { type: 'string' }, log_level: { type: 'integer' } }),
        ),
      ),
    ),
    'names that are no option': of(
      plan(
        schemas(
          object({
            '1': { type: 'string' },
            Größe: { type: 'string' },
            ключ: { type: 'string' },
            '': { type: 'string' },
          }),
        ),
      ),
    ),
    'a parameter that is one thing at first and another later': of(
      plan(schemas(object({ size: { enum: [1, 2] } }), object({ size: { type: 'string' } }))),
    ),
    'a requirement that nothing declares': of(plan(schemas(object({}, { required: ['size'] })))),
    references: of(
      plan(
        schemas({
          $schema,
          $ref: '#/definitions/all',
          definitions: { all: object({ size: { $ref: '#/definitions/size' } }), size: { type: 'integer', minimum: 1 } },
        }),
      ),
    ),
    'references that go round': of(
      plan(
        schemas({
          definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } },
          ...object({ size: { $ref: '#/definitions/a' } }),
        }),
      ),
    ),
    'parts of a schema': of(
      plan(
        schemas({
          $schema,
          allOf: [object({ size: { type: 'integer' } }, { required: ['size'] }), object({ name: { type: 'string' } })],
        }),
      ),
    ),
    'many options': of(
      plan(
        schemas(object(many(60, { type: 'string', description: long(700) })), object(many(60, { type: 'boolean' }))),
      ),
    ),
    'many large options': of(
      plan(schemas(object(many(20, { enum: Array.from({ length: 200 }, (_, at) => `${at}${long(90)}`) })))),
    ),
    'many long names': of(
      plan(
        schemas(
          object(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}${long(900)}`, { type: 'string' }]))),
        ),
      ),
    ),
    'long ids': of(plan({ id: long(9000) }), plan({ id: 'p-2', name: 'other' })),
    'more plans than are sold': of(
      ...Array.from({ length: 1001 }, (_, at) => plan({ id: `p-${at}`, name: `plan-${at}` })),
    ),
    'whatever may stand beside': of(
      plan({
        free: false,
        metadata: { costs: [{ amount: { usd: 99 }, unit: 'MONTHLY' }] },
        bindable: false,
        maintenance_info: { version: '2.1.1+abcdef' },
        maximum_polling_duration: 60,
      }),
    ),
  };
}

t.test('whatever catalogue the specification allows becomes a plan file that is imported as it is', async (t) => {
  const folder = layOut(t, 'osb');
  let catalogue: object = {};
  const server = createServer((_request, response) => response.end(JSON.stringify(catalogue))).listen(0, 'localhost');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const world = await createWorld();
  t.teardown(() => world.close());
  for (const [name, one] of Object.entries(catalogues())) {
    catalogue = one;
    const { stdout } = await run(process.execPath, [join(folder, 'plans.mjs')], { env: settings(url), maxBuffer: 1e8 });
    const { slug } = await world.addBroker();
    const plans = (one as { services: { plans: unknown[] }[] }).services.flatMap((service) => service.plans);
    const imported = name === 'long ids' ? 1 : plans.length;
    const report = importPlans(world.context, { broker: slug, file: file('plans.json', stdout) });
    t.match(await report.catch((error) => error), { imported }, name);
  }
});

t.test(
  'a day through the server: ordered, reached, read, changed, ended, while every other answer is lost',
  async (t) => {
    const broker = await startServiceBroker(t);
    const { folder, provisioner, credentials } = await startConnector(t, 'osb', PLAN, settings(broker.url));
    const { stdout } = await run(process.execPath, [join(folder, 'plans.mjs')], {
      env: settings(broker.url),
    });
    const world = await createWorld();
    t.teardown(() => world.close());
    Object.assign(world.context, { hasProvisioner: true, credentials });
    const owner = await world.addBroker();
    const { key } = await world.addKey(owner);
    await importPlans(world.context, { broker: owner.slug, file: file('plans.json', stdout) });
    const worker = workerOf(world, Object.assign(createTestProvisioner(), provisioner));
    broker.state.isLossy = true;
    const post = async (path: string, body: object = {}) => (await world.call(key, 'POST', path, { body })).json.data;
    const get = async (path: string) => (await world.call(key, 'GET', path)).json.data;
    /** Works until a request is final, a pause at a time. */
    async function end({ request_id: id }: { request_id: string }) {
      for (let rounds = 0; rounds < 40; rounds += 1) {
        await worker.runOnce();
        const { request_status, is_final, failure = null } = await get(`/requests/${id}`);
        if (is_final) return { request_status, failure };
        world.clock.advance(60_000);
      }
      return undefined;
    }
    const COMPLETED = { request_status: 'completed', failure: null };
    const client = { name: 'Ada', email: 'ada@example.com' };
    const order = await post('/services', { plan: 'postgres-small', client, configuration: { storage_gb: 20 } });
    t.strictSame(await end(order), COMPLETED);
    const path = `/services/${order.service_number}`;
    t.match(await get(path), { service_status: 'active', access: { login_url: DASHBOARD } });
    broker.state.lose = [/^PUT .*ID/];
    t.match(await world.call(key, 'GET', `${path}/credentials`), { status: 500, headers: { 'retry-after': '5' } });
    broker.state.isLossy = false;
    t.match(await get(`${path}/credentials`), { credentials: [{ display_name: 'Login', username: 'app' }, {}, {}] });
    broker.state.isLossy = true;
    const reconfigured = await post(`${path}/actions`, {
      action: 'reconfigure',
      configuration: { log_level: 'debug' },
    });
    t.strictSame(await end(reconfigured), COMPLETED);
    t.strictSame(await end(await post(`${path}/upgrade`, { new_plan: 'postgres-large' })), COMPLETED);
    t.match(await get(path), { plan: { slug: 'postgres-large' }, access: { login_url: DASHBOARD } });
    t.match(
      [...broker.instances.values()],
      [{ plan_id: LARGE, parameters: { 'storage-gb': 20, logLevel: 'debug', replicas: 1 } }],
    );
    const suspension = await end(await post(`${path}/suspend`));
    t.match(suspension, { request_status: 'failed', failure: { reason: 'not_supported', service_usable: true } });
    t.equal((await get(path)).service_status, 'active');
    t.strictSame(await end(await post(`${path}/cancel`, { cancellation_type: 'immediate' })), COMPLETED);
    t.match(await get(path), { service_status: 'cancelled', access: null });
    t.strictSame([broker.created.length, broker.instances.size], [1, 0]);
  },
);

t.test('what is asked for while the broker is away comes to be once it is back, under the same id', async (t) => {
  const { call, create, created, state } = await setup(t);
  state.lose = [/^PUT/, /^PUT/, /^PUT/];
  for (let turn = 0; turn < 3; turn += 1) {
    t.match(await call('req_1', 'service-creation', { new_plan: PLAN }), { outcome: 'retry', mayBeDone: true });
  }
  t.match(await create(), BUILT);
  t.equal(created.length, 1);
});

t.test('an instance is named by the uid, of release 1.1 and of an import by the number as before', async (t) => {
  const { create, fulfil, list, instances, state } = await setup(t);
  state.isAsync = false;
  await create();
  const build = async (id: string, uid: string | undefined) => {
    await fulfil(id, 'service-creation', { new_plan: PLAN, service_uid: uid } as object);
    return instances.size;
  };
  t.equal(await build('req_2', 'req_2'), 2, 'another service of the same number');
  t.equal(await build('req_3', 'before_req_3'), 3);
  t.equal(await build('req_4', 'imported_brk_1_1000017'), 3);
  t.equal(await build('req_5', undefined), 3);
  t.equal(await list(), 'not_known');
});
