import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import type { CredentialsSource } from '../../../src/ports.ts';
import { composeCredentials } from '../../../src/worker/compose.ts';
import { createHttpCredentials } from '../../../src/worker/credentials-http.ts';
import { createHttpProvisioner } from '../../../src/worker/provisioner-http.ts';
import { createWorker } from '../../../src/worker/worker.ts';
import { type Received, serveEndpoint } from '../../support/provisioner.ts';
import { createSandboxWorld } from '../../support/sandbox.ts';
import { refused } from '../../support/v1.ts';
import { createTestClock, createWorld, type WorldOptions } from '../../support/world.ts';

/** The logins of services: asked for at the moment, passed on, kept nowhere (contract, section 12.3). */

const SECRET = 'secret-of-the-endpoint';
const PASSWORD = 'correct-horse-battery-staple';
const LOGIN = { display_name: 'Root login', username: 'root', password: PASSWORD, private_key: null, url: null };
const RESET = {
  name: 'reset_password',
  display_name: 'New password',
  description: null,
  options: [],
  requires_operator_review: false,
  destroys_data: false,
};
const OFFER = { options: [], actions: [RESET], hasCredentials: true, provisioning: { node: 'n1' } };

type Answer = Parameters<typeof serveEndpoint>[1];
const repeating = ({ body: { question_id, service_number } }: Received, more: object = {}) => ({
  outcome: 'done',
  question_id,
  service_number,
  credentials: [LOGIN],
  ...more,
});

async function setup(t: Test, answer: Answer = (one) => repeating(one), options: WorldOptions = {}) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const endpoint = await serveEndpoint(t, answer);
  const provisioner = { url: endpoint.url, secret: SECRET };
  world.context.credentials = composeCredentials({ provisioner }, world.context);
  const broker = await world.addBroker();
  const { key, row } = await world.addKey(broker, ['credentials:read']);
  const plan = await world.addPlan(broker, { slug: 'vps' });
  await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[plan.id, OFFER]])));
  return {
    world,
    broker,
    plan,
    keyId: row.id,
    endpoint,
    received: endpoint.received,
    addService: (fields = {}) => world.addService(broker, plan, fields),
    read: (number: number, as = key) => world.call(as, 'GET', `/services/${number}/credentials`),
    trail: async () => (await world.store.read.audit.page({}, { limit: 10, offset: 0 })).map(({ action }) => action),
  };
}

const NONE = { status: 400, code: 'invalid_state', reason: 'credentials_not_available' } as const;

t.test('they are asked of the provisioner at that moment, passed on, and noted by key and service alone', async (t) => {
  const { world, broker, keyId, received, addService, read } = await setup(t);
  const { number } = await addService({ reference: 'vm-17', configuration: '{"image":"debian-13"}' });
  const { status, json, headers } = await read(number);
  t.equal(status, 200);
  t.strictSame(json.data, {
    service_number: number,
    credentials: [LOGIN],
    read_date: new Date(world.clock.now()).toISOString(),
  });
  t.equal(headers['cache-control'], 'no-store');
  const [{ body, headers: sent }] = received as [Received];
  t.match(body, {
    type: 'credentials',
    broker_id: broker.id,
    service_number: number,
    service: { service_number: number, service_status: 'active' },
    reference: 'vm-17',
    configuration: { image: 'debian-13' },
    plan: { slug: 'vps', provisioning: { node: 'n1' } },
  });
  t.match(sent, { 'idempotency-key': body.question_id, 'x-broker-signature': /^t=\d+,v1=[0-9a-f]{64}$/ });
  await read(number);
  t.not(received[1]?.body.question_id, body.question_id, 'each question has an id of its own');

  const rows = await world.store.read.audit.page({}, { limit: 10, offset: 0 });
  t.match(rows, Array(2).fill({ action: 'service.read_credentials', subject: `service/${number}`, actor: keyId }));
  t.strictSame(
    rows.map(({ before, after }) => [before, after]),
    Array(2).fill([null, null]),
  );
});

t.test('they are refused in the order: another broker’s, ended, not built, none', async (t) => {
  const { world, broker, addService, read, received, plan, trail } = await setup(t);
  const other = await world.addBroker();
  const foreign = await world.addService(other, await world.addPlan(other));
  refused(t, await read(foreign.number), { status: 404, code: 'not_found' });
  const bare = await world.addPlan(broker);
  const states = [
    ['cancelled', 'service_cancelled'],
    ['terminated', 'service_terminated'],
    ['pending', 'service_not_active'],
  ] as const;
  for (const [status, reason] of states) {
    for (const { id: planId } of [plan, bare]) {
      refused(t, await read((await addService({ status, planId })).number), { ...NONE, reason });
    }
  }
  refused(t, await read((await addService({ planId: bare.id })).number), NONE);
  t.strictSame(received, [], 'nobody was asked');
  t.equal((await read((await addService({ status: 'suspended' })).number)).status, 200, 'a suspended one has them');
  const { number } = await addService();
  const { key } = await world.addKey(broker, ['services:read', 'services:write', 'services:operate']);
  refused(t, await read(number, key), {
    status: 403,
    code: 'insufficient_permissions',
    reason: 'missing_scope',
    details: {
      required_scopes: ['credentials:read', 'admin:full'],
      granted_scopes: ['services:operate', 'services:read', 'services:write'],
    },
  });
  t.equal((await read(number, (await world.addKey(broker)).key)).status, 200, 'admin:full implies it');
  world.context.credentials = undefined;
  refused(t, await read(number), NONE);
  t.strictSame(await trail(), Array(2).fill('service.read_credentials'), 'refusals leave no row');
});

t.test('they are asked for only where nobody can listen on the way', async (t) => {
  const { context } = await createWorld().then((world) => {
    t.teardown(() => world.close());
    return world;
  });
  const isAsked = (url: string) => composeCredentials({ provisioner: { url, secret: SECRET } }, context) !== undefined;
  for (const url of [
    'https://work.example.com/',
    'http://localhost:4000/',
    'http://127.0.0.1/',
    'http://[::1]:4000/',
  ]) {
    t.ok(isAsked(url), url);
  }
  for (const url of ['http://work.example.com/', 'http://10.0.0.7:4000/', 'http://127.example.com/', 'http://[::2]/']) {
    t.notOk(isAsked(url), url);
  }
  t.equal(composeCredentials({ provisioner: undefined }, context), undefined);
});

t.test('an answer that does not repeat its question, or holds none, counts as none', async (t) => {
  const answers: Answer[] = [
    (one) => ({ ...repeating(one), question_id: 'another' }),
    (one) => ({ ...repeating(one), service_number: 1 }),
    (one) => ({ ...repeating(one), service_number: String(one.body.service_number) }),
    (one) => ({ ...repeating(one), credentials: [] }),
    (one) => ({ ...repeating(one), credentials: [{ password: PASSWORD }] }),
    () => ({ outcome: 'done' }),
    () => ({}),
    () => ({ outcome: 'failed', reason: 'service_not_found' }),
    (one, response) => {
      response.statusCode = 422;
      return repeating(one);
    },
  ];
  let answer = answers[0] as Answer;
  const { addService, read, trail, world } = await setup(t, (...of) => answer(...of));
  const { number } = await addService();
  for (answer of answers) refused(t, await read(number), NONE);
  t.strictSame(await trail(), []);
  t.notOk(JSON.stringify(world.logged).includes(PASSWORD));
});

t.test('where no answer can be understood the caller may come again', async (t) => {
  const answers: Answer[] = [
    (_one, response) => {
      response.statusCode = 503;
      return {};
    },
    (_one, response) => {
      response.statusCode = 401;
      return {};
    },
    () => ({ outcome: 'in_progress' }),
    (one) => [repeating(one)],
    (one) => ({ ...repeating(one), outcome: undefined }),
    (_one, response) => void response.destroy(),
    (one, response) => void response.end(JSON.stringify(repeating(one)).slice(0, -40)),
    (one, response) => void response.end(gzipSync(JSON.stringify(repeating(one)))),
    (one, response) => void response.end(Buffer.from(JSON.stringify(repeating(one)), 'utf16le')),
  ];
  let answer = answers[0] as Answer;
  const { addService, read, trail, world } = await setup(t, (...of) => answer(...of));
  const { number } = await addService();
  for (answer of answers) {
    const refusal = await read(number);
    t.match(refusal, { status: 500, json: { error: { code: 'server_error' } }, headers: { 'retry-after': '5' } });
  }
  t.strictSame(await trail(), []);
  t.match(world.logged.at(-1), { level: 'warn', message: /counts as none/, details: { service_number: number } });
  t.notMatch(JSON.stringify(world.logged), PASSWORD);
});

t.test('credentials behind a byte order mark are read', async (t) => {
  const { addService, read } = await setup(
    t,
    (one, response) => void response.end(`\ufeff${JSON.stringify(repeating(one))}`),
  );
  t.equal((await read((await addService()).number)).status, 200);
});

t.test(
  'the provisioner has a bounded time for it; the log distinguishes silence from a refused connection',
  async (t) => {
    const { url } = await serveEndpoint(t, () => undefined);
    const question = { service_number: 1, service: {} } as Parameters<CredentialsSource['read']>[1];
    const refusal = (url: string, timeoutMs: number, message: RegExp) => {
      const source = createHttpCredentials({ url, secret: SECRET, clock: createTestClock(), log: NO_LOG, timeoutMs });
      const expected = { code: 'server_error', retryAfterSeconds: 5, cause: { message } };
      return t.rejects(source.read({ key: 'brk_1' }, question), expected);
    };
    await refusal(url, 50, /No answer .* in time/);
    await refusal('http://127.0.0.1:1/', 5_000, /could not be reached/);
  },
);

const NO_LOG = { warn: () => undefined };

t.test(
  'a broker has five open at once and all together twenty; meanwhile the database is free for others',
  async (t) => {
    const waiting: Array<() => void> = [];
    let arrived = (): void => undefined;
    const { world, broker, addService, read } = await setup(t, (one, response) => {
      waiting.push(() => response.end(JSON.stringify(repeating(one))));
      arrived();
      return undefined;
    });
    const open = (count: number) =>
      new Promise<void>((resolve) => {
        arrived = () => void (waiting.length === count && resolve());
        arrived();
      });
    const { number } = await addService();
    const reads = Array.from({ length: 5 }, () => read(number));
    await open(5);
    const beyond = { status: 500, json: { error: { code: 'server_error' } }, headers: { 'retry-after': '5' } };
    t.match(await read(number), beyond, 'the sixth of a broker');
    for (let others = 0; others < 3; others += 1) {
      const other = await world.addBroker();
      const { key } = await world.addKey(other);
      const plan = await world.addPlan(other);
      await world.store.tx((tx) => tx.plans.putOffers(other.id, new Map([[plan.id, OFFER]])));
      const service = await world.addService(other, plan);
      reads.push(...Array.from({ length: 5 }, () => read(service.number, key)));
      await open(10 + others * 5);
    }
    const last = await world.addBroker();
    const plan = await world.addPlan(last);
    await world.store.tx((tx) => tx.plans.putOffers(last.id, new Map([[plan.id, OFFER]])));
    const service = await world.addService(last, plan);
    t.match(await read(service.number, (await world.addKey(last)).key), beyond, 'the twenty-first of all');
    const { key } = await world.addKey(broker);
    const change = await world.call(key, 'POST', `/services/${number}/update`, { body: { label: 'Shop' } });
    t.equal(change.status, 200, 'a change of the same service, while twenty wait');
    for (const answer of waiting) answer();
    t.strictSame(
      (await Promise.all(reads)).map(({ status }) => status),
      Array(20).fill(200),
    );
  },
);

const KEPT = { emails: 90, calls: 14, audit: 730 };

t.test(
  'no credential, and no new password of an action, is in the database, its files, the logs, the audit trail, calls, or emails',
  async (t) => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    let isValid = true;
    // What a provisioner answers to the action that sets a new password, with the password where it does not belong.
    const reset = {
      outcome: 'done',
      message: PASSWORD,
      password: PASSWORD,
      credentials: [LOGIN],
      access: { hostname: 'vm1.example.com', password: PASSWORD },
      configuration: { password: PASSWORD },
    };
    const { world, broker, addService, read, received, endpoint } = await setup(
      t,
      (one) => {
        if (one.body.type === 'service-action') return reset;
        return repeating(one, isValid ? {} : { question_id: PASSWORD, outcome: 'done', message: PASSWORD });
      },
      { onFile: true, logger },
    );
    await world.addTemplate(broker);
    const { number } = await addService();
    const headers = { 'x-idempotency-key': 'key-of-the-caller' };
    const { key } = await world.addKey(broker);
    t.match((await world.call(key, 'GET', `/services/${number}/credentials`, { headers })).raw, PASSWORD);
    await world.call(key, 'POST', `/services/${number}/cancellation-warning`, { body: {} });
    world.context.hasProvisioner = true;
    const asked = { headers: { 'x-idempotency-key': 'reset-1' }, body: { action: 'reset_password' } };
    const { request_id: id } = (await world.call(key, 'POST', `/services/${number}/actions`, asked)).json.data;
    const { log, clock } = world.context;
    const provisioner = createHttpProvisioner({ url: endpoint.url, secret: SECRET, clock, log });
    await createWorker({ context: world.context, provisioner, keptDays: KEPT }).runOnce();
    const done = await world.call(key, 'GET', `/requests/${id}`);
    t.match(done.json.data, { request_status: 'completed' });
    t.notMatch(done.raw, PASSWORD);
    t.notMatch((await world.call(key, 'GET', `/services/${number}`)).raw, PASSWORD);
    isValid = false;
    refused(t, await read(number), NONE);
    t.equal(received.length, 3);
    // Closing writes what is kept in memory: calls, usage and uses of keys.
    await world.app.close();
    const files = readdirSync(world.directory, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter(
      (one) => one.isFile(),
    );
    t.ok(files.length > 0);
    for (const { name, parentPath } of files) {
      t.notOk(readFileSync(join(parentPath, name)).includes(PASSWORD), name);
    }
    const trail = await world.store.read.audit.page({}, { limit: 10, offset: 0 });
    for (const kept of [lines, world.logged, world.mailer.sent, trail]) {
      t.notOk(JSON.stringify(kept).includes(PASSWORD));
    }
  },
);

t.test('in the sandbox they are made up and always the same, and leave no trace', async (t) => {
  const { get } = await createSandboxWorld(t);
  const first = (await get('/services/900001/credentials')).json.data;
  t.match(first, {
    service_number: 900001,
    credentials: [{ display_name: 'Root login', username: 'root', password: 'a-made-up-password' }],
    mode: 'test',
    simulated: true,
  });
  const second = (await get('/services/900001/credentials')).json.data;
  t.strictSame(second.credentials, first.credentials);
  const none = (await get('/sandbox/scenarios?limit=100')).json.data.find(
    (one: { provokes: { operation: string }[] }) =>
      one.provokes.some(({ operation }) => operation === 'readCredentials'),
  );
  refused(t, await get(`/services/${none.service_number}/credentials`), NONE);
});
