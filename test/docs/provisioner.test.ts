import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { REQUEST_TYPES } from '../../src/kinds/index.ts';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { suspendService } from '../../src/operator/services/services.ts';
import type { CredentialsQuestion, ProvisionedPlan, Work } from '../../src/ports.ts';
import { planRecord, type ServiceRecord } from '../../src/records.ts';
import { ACCESS_FIELDS } from '../../src/rules/access.ts';
import type { Action, PlanOffer } from '../../src/rules/offers.ts';
import type { Option } from '../../src/rules/options.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createHttpCredentials } from '../../src/worker/credentials-http.ts';
import { createHttpProvisioner } from '../../src/worker/provisioner-http.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { file } from '../support/operator-context.ts';
import { serveEndpoint } from '../support/provisioner.ts';
import { createWorld } from '../support/world.ts';

const SECRET = 'secret-of-the-test';
const SILENT = { warn: () => undefined };

const PLAN = {
  slug: 'vps',
  specifications: { vcpu: 1 },
  options: [{ name: 'hostname' }],
} as unknown as ProvisionedPlan;

const work = (fields: Partial<Work>): Work => ({
  request_id: 'req_1',
  type: 'service-creation',
  attempt: 1,
  token: null,
  broker_id: 'brk_1',
  service_uid: 'req_1',
  broker: 'acme',
  history: 0,
  service_number: 5001,
  submitted_date: '2030-01-15T12:00:00.000Z',
  effective_date: null,
  service: { service_number: 5001, service_status: 'pending' } as ServiceRecord,
  reference: null,
  configuration: {},
  action: null,
  plan: PLAN,
  current_plan: null,
  new_plan: PLAN,
  cancellation_type: null,
  ...fields,
});

const question = (serviceNumber = 5001) =>
  ({ service_number: serviceNumber, service: {} }) as unknown as CredentialsQuestion;

/** The example as a reader starts it, and our own clients for it. */
async function startExample(
  t: Test,
  { machines = join(t.testdir({}), 'machines.json'), buildSeconds = 0, before = '' } = {},
) {
  const child = spawn(process.execPath, ['docs/examples/provisioner.mjs'], {
    env: {
      PROVISIONER_SECRET: SECRET,
      PROVISIONER_SECRET_BEFORE: before,
      PORT: '0',
      MACHINES: machines,
      BUILD_SECONDS: String(buildSeconds),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  // Its log is read on, so that it never waits for a reader.
  child.stdout.resume();
  const url = `http://localhost:${/\d+/.exec(line)?.[0]}/work`;
  const endpoint = { url, secret: SECRET, clock: systemClock, log: SILENT };
  return {
    url,
    machines,
    provisioner: createHttpProvisioner(endpoint),
    read: (number?: number) => createHttpCredentials(endpoint).read({ key: 'brk_1' }, question(number)),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const stored = (machines: string) => JSON.parse(readFileSync(machines, 'utf8'));

const BUILT = {
  outcome: 'done',
  access: {
    hostname: 'vps-5001.example.com',
    ip_addresses: ['192.0.2.1', '2001:db8::1'],
    username: 'root',
    login_url: 'https://panel.example.com/machines/5001',
    notes: null,
  },
  reference: 'machine-5001',
  configuration: { hostname: 'vps-5001.example.com' },
};

t.test('the example builds once, however often it is called, and over a restart', async (t) => {
  const first = await startExample(t);
  const calls = Array.from({ length: 5 }, (_, turn) => first.provisioner.fulfil(work({ attempt: turn + 1 })));
  t.strictSame(await Promise.all(calls), Array(5).fill(BUILT));
  t.match(await first.provisioner.fulfil(work({ request_id: 'req_2', service_number: 5002 })), {
    access: { ip_addresses: ['192.0.2.2', '2001:db8::2'] },
  });
  await first.kill();
  const second = await startExample(t, first);
  t.strictSame(await second.provisioner.fulfil(work({})), BUILT);
  t.strictSame(Object.keys(stored(first.machines)), ['5001', '5002']);
});

t.test('the example keeps machines apart by the uids of their services, over a restart too', async (t) => {
  const first = await startExample(t);
  await first.provisioner.fulfil(work({ history: 7 }));
  await first.kill();
  const { provisioner, machines } = await startExample(t, first);
  const other = { service_uid: 'req_2', request_id: 'req_2', history: 7 };
  const foreign = { outcome: 'failed', reason: 'not_this_service' };
  t.match(await provisioner.fulfil(work(other)), foreign);
  t.match(await provisioner.fulfil(work({ ...other, type: 'cancellation', new_plan: null })), foreign);
  t.match(stored(machines)[5001], { uid: 'req_1', broker: 'acme', plan: 'vps' });
  const old = work({ request_id: 'req_3', service_number: 5003, history: 6 });
  t.match(await provisioner.fulfil(old), { outcome: 'retry', reason: 'records_are_old' });
  t.match(await provisioner.fulfil(work({ history: 7 })), { outcome: 'done' });
});

t.test('the example does an action once, however often it is called', async (t) => {
  const { provisioner, machines, read } = await startExample(t);
  await provisioner.fulfil(work({}));
  const act = (id: string, name: string, configuration = {}) =>
    provisioner.fulfil(
      work({ request_id: id, type: 'service-action', action: { name }, configuration, new_plan: null }),
    );
  for (let calls = 0; calls < 3; calls += 1) t.match(await act('req_2', 'reboot'), { outcome: 'done' });
  t.match(stored(machines)[5001], { starts: 2 });
  const before = await read();
  for (let calls = 0; calls < 2; calls += 1) await act('req_3', 'reinstall', { image: 'alpine-4' });
  t.match(stored(machines)[5001], { starts: 3, image: 'alpine-4', passwords: 2 });
  const after = await read();
  t.not(after?.[0]?.password, before?.[0]?.password, 'another password');
  t.strictSame(await read(), after, 'and the same each time');
  t.match(await act('req_4', 'console'), { access: { login_url: /console$/ } });
  t.match(await act('req_5', 'toString'), { outcome: 'failed', reason: 'not_supported', serviceUsable: true });
  t.notOk(readFileSync(machines, 'utf8').includes(String(after?.[0]?.password)), 'no password lies in the file');
});

t.test('the example keeps its promise that nothing remains or comes of a cancelled service', async (t) => {
  const { provisioner, machines, read } = await startExample(t, { buildSeconds: 1.5 });
  const creation = work({});
  t.match(await provisioner.fulfil(creation), { outcome: 'in_progress' });
  const cancellation = work({ request_id: 'req_2', type: 'cancellation', new_plan: null });
  let answer = await provisioner.fulfil(cancellation);
  while (answer.outcome === 'in_progress') answer = await provisioner.fulfil(cancellation);
  t.strictSame(answer, { outcome: 'done', access: null }, 'behind the build that was under way');
  t.strictSame(stored(machines)[5001], { ended: 'req_1' });
  t.equal(await read(), null);
  t.match(await provisioner.fulfil(creation), { outcome: 'failed', reason: 'service_cancelled' });

  const unknown = { service_number: 5002 };
  t.match(await provisioner.fulfil({ ...cancellation, ...unknown }), { outcome: 'done' }, 'one that it never heard of');
  t.match(await provisioner.fulfil({ ...creation, ...unknown }), { outcome: 'failed', reason: 'service_cancelled' });
  const suspension = work({ ...unknown, request_id: 'req_3', type: 'service-suspension' });
  t.match(await provisioner.fulfil(suspension), { outcome: 'failed', reason: 'service_not_found' });
});

t.test('the example shows a failure in words, and the same ones to a repeat, and leaves nothing behind', async (t) => {
  const { provisioner, machines } = await startExample(t);
  const tooLarge = work({ new_plan: { ...PLAN, specifications: { vcpu: 65 } } as ProvisionedPlan });
  for (let calls = 0; calls < 2; calls += 1) {
    t.strictSame(await provisioner.fulfil(tooLarge), {
      outcome: 'failed',
      reason: 'no_capacity',
      message: 'No machine is that large',
      serviceUsable: false,
      retryable: false,
    });
  }
  t.strictSame(stored(machines), {});
});

t.test(
  'the example says of work that takes time that it is in progress, and answers questions meanwhile',
  async (t) => {
    const { provisioner, read } = await startExample(t, { buildSeconds: 3 });
    t.match(await provisioner.fulfil(work({})), { outcome: 'in_progress', token: 'req_1', checkAfterSeconds: Number });
    t.equal(await read(), null, 'there are none yet');
    let answer = await provisioner.fulfil(work({ token: 'req_1' }));
    while (answer.outcome === 'in_progress') answer = await provisioner.fulfil(work({ token: 'req_1' }));
    t.strictSame(answer, BUILT);
  },
);

t.test('the example works for no other than the broker, and not for an old call', async (t) => {
  const { url, machines } = await startExample(t, { before: 'the secret before' });
  const refused = { outcome: 'retry', reason: 'provisioner_refused', message: 'The provisioner answered 401' };
  const endpoint = { url, secret: SECRET, clock: systemClock, log: SILENT };
  t.match(await createHttpProvisioner({ ...endpoint, secret: 'a guess' }).fulfil(work({})), refused);
  const late = { now: () => systemClock.now() - 301_000 };
  t.match(await createHttpProvisioner({ ...endpoint, clock: late }).fulfil(work({})), refused);
  t.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401, 'unsigned');
  t.notOk(existsSync(machines), 'nothing was done');
  t.match(await createHttpProvisioner({ ...endpoint, secret: 'the secret before' }).fulfil(work({})), BUILT);
});

/** A line to the endpoint on which answers are lost that nobody got before: the work is done, and nobody learns of it. */
async function losingLine(t: Test, target: string) {
  let end = target;
  const lost = new Set<string>();
  const line = createServer(async (request, response) => {
    const body = await text(request);
    const { type, service_number } = JSON.parse(body);
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      name.startsWith('x-') || name === 'idempotency-key' ? [[name, String(value)]] : [],
    );
    const answer = await fetch(end, { method: 'POST', headers, body });
    const content = await answer.text();
    const { outcome } = JSON.parse(content);
    // Each question has a key of its own.
    const name =
      type === 'credentials' ? `${type} ${service_number}` : `${request.headers['idempotency-key']} ${outcome}`;
    if (!lost.has(name)) {
      lost.add(name);
      response.destroy();
      return;
    }
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, retryAfter === null ? {} : { 'retry-after': retryAfter }).end(content);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  t.teardown(() => {
    line.closeAllConnections();
    line.close();
  });
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}/work`,
    lost,
    leadTo: (other: string) => {
      end = other;
    },
  };
}

const option = (fields: Partial<Option>): Option => ({
  name: '',
  display_name: 'An option',
  description: null,
  type: 'text',
  required: false,
  default: null,
  ...fields,
});
const IMAGE = option({
  name: 'image',
  type: 'choice',
  default: 'debian-13',
  choices: ['debian-13', 'alpine-4'].map((value) => ({ value, display_name: value })),
});
const action = (name: string, fields: Partial<Action> = {}): Action => ({
  name,
  display_name: name,
  description: null,
  options: [],
  requires_operator_review: false,
  destroys_data: false,
  ...fields,
});
const OFFER: PlanOffer = {
  options: [IMAGE, option({ name: 'hostname', format: 'hostname', max_length: 253 })],
  actions: [action('reboot'), action('reinstall', { options: [IMAGE], destroys_data: true })],
  hasCredentials: true,
  provisioning: { template: 'vm-9000' },
};

/** An installation whose worker calls an endpoint, and a broker with two plans. */
async function install(t: Test, url: string) {
  const endpoint = { url, secret: SECRET, clock: systemClock, log: SILENT };
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  world.context.credentials = createHttpCredentials(endpoint);
  const worker = createWorker({
    context: world.context,
    provisioner: createHttpProvisioner(endpoint),
    keptDays: { emails: 90, calls: 14, audit: 730 },
  });
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plans = [
    await world.addPlan(broker, { slug: 'small' }),
    await world.addPlan(broker, { slug: 'large', vcpu: 4 }),
  ];
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map(plans.map(({ id }) => [id, OFFER]))));
  const get = async (path: string) => (await world.call(key, 'GET', path)).json.data;
  return {
    world,
    worker,
    broker,
    key,
    get,
    post: async (path: string, body: object = {}) => (await world.call(key, 'POST', path, { body })).json.data,
    /** Works until a request is final, a pause at a time. */
    async end(id: string) {
      for (let rounds = 0; rounds < 30; rounds += 1) {
        await worker.runOnce();
        const { request_status, is_final, failure = null } = await get(`/requests/${id}`);
        if (is_final) return { request_status, failure };
        world.clock.advance(10_000);
      }
      return undefined;
    },
  };
}

t.test('a day of a service with the example, on which each answer is lost once', async (t) => {
  const example = await startExample(t, { buildSeconds: 1.5 });
  const { url, lost } = await losingLine(t, example.url);
  const { world, worker, broker, key, get, post, end } = await install(t, url);
  await world.store.tx(async (tx) => {
    const subject = 'Welcome to {{ hostname }}';
    const body = '{{ ip_address }} {{ username }} {{ login_url }}';
    const mail = { brokerId: broker.id, kind: 'service-created', subject, html: body, text: body, active: true };
    await tx.templates.upsert({ ...mail, updatedAt: world.clock.now() });
  });

  const COMPLETED = { request_status: 'completed', failure: null };
  const machine = (number: number) => stored(example.machines)[number];

  const created = await post('/services', {
    plan: 'small',
    client: { name: 'Ada', email: 'ada@example.com' },
    configuration: { hostname: 'shop.example.com' },
  });
  const { service_number: number } = created;
  const path = `/services/${number}`;
  t.strictSame(await end(created.request_id), COMPLETED);
  const access = { hostname: 'shop.example.com', ip_addresses: ['192.0.2.1', '2001:db8::1'], username: 'root' };
  t.match(await get(path), {
    service_status: 'active',
    access,
    configuration: { image: 'debian-13', hostname: 'shop.example.com' },
  });
  t.match(world.mailer.sent, [
    {
      to: 'ada@example.com',
      subject: 'Welcome to shop.example.com',
      text: `192.0.2.1 root https://panel.example.com/machines/${number}`,
    },
  ]);

  t.match(await world.call(key, 'GET', `${path}/credentials`), { status: 500, headers: { 'retry-after': '5' } });
  const { credentials } = await get(`${path}/credentials`);
  t.match(credentials, [{ display_name: 'Root login', username: 'root' }]);

  t.strictSame(await end((await post(`${path}/actions`, { action: 'reboot' })).request_id), COMPLETED);
  t.match(machine(number), { starts: 2 }, 'restarted once, though two calls came');
  const reinstall = await post(`${path}/actions`, { action: 'reinstall', configuration: { image: 'alpine-4' } });
  t.strictSame(await end(reinstall.request_id), COMPLETED);
  t.match(machine(number), { starts: 3, image: 'alpine-4' });
  t.match(await get(path), { configuration: { image: 'alpine-4', hostname: 'shop.example.com' }, access });
  t.not((await get(`${path}/credentials`)).credentials[0].password, credentials[0].password);

  const suspension = await post(`${path}/suspend`);
  await worker.runOnce();
  const unsuspension = await post(`${path}/unsuspend`);
  t.match(await get(path), { expected: { service_status: 'active' } });
  t.strictSame(await end(suspension.request_id), COMPLETED);
  t.strictSame(await end(unsuspension.request_id), COMPLETED);
  t.match([await get(path), machine(number)], [{ service_status: 'active' }, { isRunning: true }]);

  t.strictSame(await end((await post(`${path}/upgrade`, { new_plan: 'large' })).request_id), COMPLETED);
  t.match([await get(path), machine(number)], [{ plan: { slug: 'large' } }, { size: { vcpu: 4 } }]);

  await suspendService.run(world.context, { service_number: number, reason: 'Abuse' });
  const [{ request_id: ofOperator }] = (await get(path)).open_requests;
  t.strictSame(await end(ofOperator), COMPLETED);
  t.match([await get(path), machine(number)], [{ suspension: { suspended_by: 'operator' } }, { isRunning: false }]);

  const cancellation = await post(`${path}/cancel`, { cancellation_type: 'immediate' });
  t.strictSame(await end(cancellation.request_id), COMPLETED);
  t.match(await get(path), { service_status: 'cancelled', access: null });
  t.match(machine(number), { ended: /^req_/ }, 'nothing remains');
  t.strictSame(
    (await get(`/requests?service_number=${number}&limit=100`)).map((one: { failure: unknown }) => one.failure ?? null),
    Array(8).fill(null),
  );
  t.equal([...lost].filter((name) => name.endsWith(' done')).length, 8, 'the answer to each work was lost once');
});

t.test('a restart whose answer was lost leaves a machine off that was suspended since, also over a kill', async (t) => {
  for (const isKilled of [false, true]) {
    let example = await startExample(t, { machines: join(t.testdir({}), `${isKilled}.json`) });
    const line = await losingLine(t, example.url);
    const { world, worker, get, post, end } = await install(t, line.url);
    const client = { name: 'Ada', email: 'ada@example.com' };
    const { service_number: number, request_id: created } = await post('/services', { plan: 'small', client });
    await end(created);
    const { request_id: restarted } = await post(`/services/${number}/actions`, { action: 'reboot' });
    await worker.runOnce();
    t.match(stored(example.machines)[number], { starts: 2, isRunning: true }, 'done, and its answer is lost');
    world.clock.advance(1);
    await suspendService.run(world.context, { service_number: number, reason: 'Abuse' });
    if (isKilled) {
      await example.kill();
      example = await startExample(t, example);
      line.leadTo(example.url);
    }
    t.match(await end(restarted), { failure: { reason: 'service_not_active' } });
    for (let rounds = 0; rounds < 5; rounds += 1) {
      await worker.runOnce();
      world.clock.advance(60_000);
    }
    t.match(stored(example.machines)[number], { starts: 2, isRunning: false });
    t.match(await get(`/services/${number}`), { suspension: { suspended_by: 'operator' }, open_requests: [] });
  }
});

t.test('the example starts no suspended machine, however late a restart comes', async (t) => {
  const { provisioner, machines } = await startExample(t);
  await provisioner.fulfil(work({}));
  await provisioner.fulfil(work({ request_id: 'req_2', type: 'service-suspension' }));
  const service = { service_number: 5001, service_status: 'suspended' } as ServiceRecord;
  const restart = work({ request_id: 'req_3', type: 'service-action', action: { name: 'reboot' }, service });
  t.match(await provisioner.fulfil(restart), { outcome: 'failed', reason: 'service_not_active' });
  t.match(stored(machines)[5001], { isRunning: false });
});

/** The document's schemas, so that values can be held to them. */
function documented() {
  const document = parse(readFileSync('docs/provisioner.yaml', 'utf8'));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  return {
    document,
    schemas: document.components.schemas,
    faults(name: string, value: unknown): string {
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` } as AnySchema);
      return validate(value) ? '' : ajv.errorsText(validate.errors);
    },
  };
}

t.test('the document names every field of the work and the questions that are sent, and no other', async (t) => {
  const { schemas, faults } = documented();
  const types = REQUEST_TYPES.filter((type) => type !== 'cancellation-warning');
  t.strictSame([...schemas.Work.properties.type.enum].sort(), types.sort(), 'every type that has work');
  const world = await createWorld();
  t.teardown(() => world.close());
  world.context.hasProvisioner = true;
  const { received, url } = await serveEndpoint(t, () => ({ outcome: 'done' }));
  const endpoint = { url, secret: SECRET, clock: world.clock, log: SILENT };
  const keptDays = { emails: 90, calls: 14, audit: 730 };
  const worker = createWorker({ context: world.context, provisioner: createHttpProvisioner(endpoint), keptDays });
  world.context.credentials = createHttpCredentials(endpoint);
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plans = [await world.addPlan(broker, { slug: 'small' }), await world.addPlan(broker, { slug: 'large' })];
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map(plans.map(({ id }) => [id, OFFER]))));
  const post = async (path: string, body: object) => {
    const { json } = await world.call(key, 'POST', path, { body });
    await worker.runOnce();
    return json.data;
  };
  const client = { name: 'Ada', email: 'ada@example.com' };
  const { service_number: number } = await post('/services', { plan: 'small', client });
  await post(`/services/${number}/actions`, { action: 'reinstall' });
  await post(`/services/${number}/upgrade`, { new_plan: 'large' });
  await world.call(key, 'GET', `/services/${number}/credentials`);

  const sent = received.map(({ body }) => body);
  t.match(sent, [
    {
      type: 'service-creation',
      new_plan: { ...planRecord(plans[0] as never, OFFER), provisioning: OFFER.provisioning },
    },
    { type: 'service-action', action: { name: 'reinstall' }, configuration: { image: 'debian-13' } },
    { type: 'plan-upgrade', plan: { slug: 'small' }, current_plan: { slug: 'small' }, new_plan: { slug: 'large' } },
    { type: 'credentials', plan: { slug: 'large' } },
  ]);
  for (const body of sent) {
    const name = body.type === 'credentials' ? 'CredentialsQuestion' : 'Work';
    t.equal(faults(name, body), '', body.type);
    t.strictSame(Object.keys(body).sort(), [...schemas[name].required].sort(), body.type);
    t.strictSame(Object.keys(schemas[name].properties).sort(), [...schemas[name].required].sort());
  }
});

t.test('the answers that the document shows are read in full', async (t) => {
  const { document, schemas, faults } = documented();
  const { examples } = document.paths['/'].post.responses['200'].content['application/json'];
  t.strictSame(Object.keys(schemas.Done.properties.access.properties), ACCESS_FIELDS);
  const { built, credentials } = examples;
  t.equal(faults('Done', built.value), '');
  const { url } = await serveEndpoint(t, ({ body }) =>
    body.type === 'credentials' ? { ...credentials.value, question_id: body.question_id } : built.value,
  );
  const endpoint = { url, secret: SECRET, clock: systemClock, log: SILENT };
  t.strictSame(await createHttpProvisioner(endpoint).fulfil(work({})), built.value);
  t.equal(faults('Credentials', credentials.value), '');
  const { service_number: number } = credentials.value;
  t.strictSame(
    await createHttpCredentials(endpoint).read({ key: 'brk_1' }, question(number)),
    credentials.value.credentials,
  );
});

t.test('the plan that the guide shows is imported as it stands', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { slug } = await world.addBroker();
  const [, json = ''] = /^```json\n([\s\S]*?)^```$/m.exec(readFileSync('docs/provisioner.md', 'utf8')) ?? [];
  t.match(await importPlans(world.context, { broker: slug, file: file('plans.json', json) }), { imported: 1 });
});
