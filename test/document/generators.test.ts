import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import t, { type Test } from 'tap';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { createSandboxWorld } from '../support/sandbox.ts';
import { listen } from '../support/wire.ts';

/* Clients that are made of both documents by generators that others use, and the calls of a day with each. */

const run = promisify(execFile);

interface Generator {
  /** As they are installed, in a folder of their own: some exclude each other's versions. */
  packages: readonly string[];
  /** The arguments of node; `NAME` is the document and the client's name, `ADDRESS` the server's. */
  command: readonly string[];
  files?: Readonly<Record<string, string>>;
  /** The same calls in the words of each client. */
  v1: string;
  operator: string;
}

const bin = (path: string) => join('node_modules', path);

const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    command: [bin('openapi-typescript/bin/cli.js'), 'NAME.json', '-o', 'NAME.ts'],
    v1: `
import createClient from 'openapi-fetch';
import type { paths } from './v1';
const client = createClient<paths>({ baseUrl, headers: { authorization } });
const ok = async <A extends { data: unknown }>(call: Promise<{ data?: A; response: Response }>): Promise<A['data']> => {
  const { data, response } = await call;
  if (!data) throw new Error(String(response.status));
  return data.data;
};
const of = (service_number: number) => ({ path: { service_number } });
const keyed = (key: string) => ({ header: { 'x-idempotency-key': key } });
export const calls: Calls = {
  access: () => ok(client.GET('/v1/auth-check')),
  plans: () => ok(client.GET('/v1/plans', { params: { query: { limit: 100 } } })),
  create: (body, key) => ok(client.POST('/v1/services', { body, params: keyed(key) })),
  pass: (advance_seconds) => ok(client.POST('/v1/sandbox/clock', { body: { advance_seconds } })),
  service: (number) => ok(client.GET('/v1/services/{service_number}', { params: of(number) })),
  services: (external_reference) => ok(client.GET('/v1/services', { params: { query: { external_reference } } })),
  upgrade: (number, new_plan) =>
    ok(client.POST('/v1/services/{service_number}/upgrade', { params: of(number), body: { new_plan } })),
  request: (request_id) => ok(client.GET('/v1/requests/{request_id}', { params: { path: { request_id } } })),
  update: (number, label) =>
    ok(client.POST('/v1/services/{service_number}/update', { params: of(number), body: { label } })),
  cancel: (number) => ok(client.POST('/v1/services/{service_number}/cancel', { params: of(number), body: { cancellation_type: 'end_of_term' } })),
  report: (key) => ok(client.POST('/v1/reports/services', { body: {}, params: keyed(key) })),
};
`,
    operator: `
import createClient from 'openapi-fetch';
import type { paths } from './operator';
const client = createClient<paths>({ baseUrl, headers: { authorization } });
const ok = async <A extends { data: unknown }>(call: Promise<{ data?: A; response: Response }>): Promise<A['data']> => {
  const { data, response } = await call;
  if (!data) throw new Error(String(response.status));
  return data.data;
};
export const calls: Calls = {
  create: (body) => ok(client.POST('/v1/brokers', { body })),
  brokers: () => ok(client.GET('/v1/brokers', { params: { query: { limit: 100 } } })),
  broker: (broker) => ok(client.GET('/v1/brokers/{broker}', { params: { path: { broker } } })),
  rename: (broker, name, seen) =>
    ok(client.POST('/v1/brokers/{broker}/update', { params: { path: { broker } }, body: { name, seen: { name: seen } } })),
  key: (broker, body) => ok(client.POST('/v1/brokers/{broker}/keys', { params: { path: { broker } }, body })),
  audit: () => ok(client.GET('/v1/audit', { params: { query: { since: '1d' } } })),
  status: () => ok(client.GET('/v1/status')),
};
`,
  },
  '@hey-api/openapi-ts': {
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    command: [bin('@hey-api/openapi-ts/bin/run.js'), '-i', 'NAME.json', '-o', 'NAME'],
    v1: `
import * as api from './v1/index';
import { client } from './v1/client.gen';
client.setConfig({ baseUrl, auth: () => authorization.slice('Bearer '.length), throwOnError: false });
const ok = async <A extends { data: unknown }>(call: Promise<{ data?: A; response?: Response }>): Promise<A['data']> => {
  const { data, response } = await call;
  if (!data) throw new Error(String(response?.status));
  return data.data;
};
const of = (service_number: number) => ({ path: { service_number } });
const keyed = (key: string) => ({ headers: { 'x-idempotency-key': key } });
export const calls: Calls = {
  access: () => ok(api.checkAccess()),
  plans: () => ok(api.listPlans({ query: { limit: 100 } })),
  create: (body, key) => ok(api.createService({ body, ...keyed(key) })),
  pass: (advance_seconds) => ok(api.moveSandboxClock({ body: { advance_seconds } })),
  service: (number) => ok(api.getService(of(number))),
  services: (external_reference) => ok(api.listServices({ query: { external_reference } })),
  upgrade: (number, new_plan) => ok(api.upgradeService({ ...of(number), body: { new_plan } })),
  request: (request_id) => ok(api.getRequest({ path: { request_id } })),
  update: (number, label) => ok(api.updateService({ ...of(number), body: { label } })),
  cancel: (number) => ok(api.cancelService({ ...of(number), body: {} })),
  report: (key) => ok(api.sendServicesReport({ body: {}, ...keyed(key) })),
};
`,
    operator: `
import * as api from './operator/index';
import { client } from './operator/client.gen';
client.setConfig({ baseUrl, auth: () => authorization.slice('Bearer '.length), throwOnError: false });
const ok = async <A extends { data: unknown }>(call: Promise<{ data?: A; response?: Response }>): Promise<A['data']> => {
  const { data, response } = await call;
  if (!data) throw new Error(String(response?.status));
  return data.data;
};
export const calls: Calls = {
  create: (body) => ok(api.createBroker({ body })),
  brokers: () => ok(api.listBrokers({ query: { limit: 100 } })),
  broker: (broker) => ok(api.showBroker({ path: { broker } })),
  rename: (broker, name, seen) => ok(api.updateBroker({ path: { broker }, body: { name, seen: { name: seen } } })),
  key: (broker, body) => ok(api.createKey({ path: { broker }, body })),
  audit: () => ok(api.listAuditEntries({ query: { since: '1d' } })),
  status: () => ok(api.showStatus()),
};
`,
  },
  orval: {
    packages: ['orval@8.38.0', 'typescript@5.9.3'],
    command: [bin('orval/dist/bin/orval.mjs'), '--config', 'NAME.config.mjs'],
    files: {
      'NAME.config.mjs':
        "export default { api: { input: 'NAME.json', output: { target: 'NAME.ts', client: 'fetch', baseUrl: 'ADDRESS' } } };",
    },
    v1: `
import * as api from './v1';
const options = { headers: { authorization } };
type Answer = { status: number; data: { success: true; data: unknown } | { success: false } };
type Shown<A extends Answer> = Extract<A['data'], { success: true }>['data'];
const ok = async <A extends Answer>(call: Promise<A>): Promise<Shown<A>> => {
  const { status, data } = await call;
  if (!data.success) throw new Error(String(status));
  return data.data as Shown<A>;
};
const keyed = (key: string) => ({ headers: { authorization, 'x-idempotency-key': key } });
export const calls: Calls = {
  access: () => ok(api.checkAccess(options)),
  plans: () => ok(api.listPlans({ limit: 100 }, options)),
  create: (body, key) => ok(api.createService(body, keyed(key))),
  pass: (advance_seconds) => ok(api.moveSandboxClock({ advance_seconds }, options)),
  service: (number) => ok(api.getService(number, options)),
  services: (external_reference) => ok(api.listServices({ external_reference }, options)),
  upgrade: (number, new_plan) => ok(api.upgradeService(number, { new_plan }, options)),
  request: (id) => ok(api.getRequest(id, options)),
  update: (number, label) => ok(api.updateService(number, { label }, options)),
  cancel: (number) => ok(api.cancelService(number, {}, options)),
  report: (key) => ok(api.sendServicesReport({}, keyed(key))),
};
`,
    operator: `
import * as api from './operator';
const options = { headers: { authorization } };
type Answer = { status: number; data: { success: true; data: unknown } | { success: false } };
type Shown<A extends Answer> = Extract<A['data'], { success: true }>['data'];
const ok = async <A extends Answer>(call: Promise<A>): Promise<Shown<A>> => {
  const { status, data } = await call;
  if (!data.success) throw new Error(String(status));
  return data.data as Shown<A>;
};
export const calls: Calls = {
  create: (body) => ok(api.createBroker(body, options)),
  brokers: () => ok(api.listBrokers({ limit: 100 }, options)),
  broker: (broker) => ok(api.showBroker(broker, options)),
  rename: (broker, name, seen) => ok(api.updateBroker(broker, { name, seen: { name: seen } }, options)),
  key: (broker, body) => ok(api.createKey(broker, body, options)),
  audit: () => ok(api.listAuditEntries({ since: '1d' }, options)),
  status: () => ok(api.showStatus(options)),
};
`,
  },
  'swagger-typescript-api': {
    packages: ['swagger-typescript-api@13.13.0', 'typescript@5.9.3'],
    command: [
      bin('swagger-typescript-api/dist/cli.mjs'),
      ...['generate', '-p', 'NAME.json', '-o', '.', '-n', 'NAME.ts', '--unwrap-response-data'],
    ],
    v1: `
import { Api } from './v1';
const { v1: api } = new Api({ baseUrl, baseApiParams: { headers: { authorization } } });
const ok = async <T>(call: Promise<{ data: T }>): Promise<T> => {
  try {
    return (await call).data;
  } catch (answer) {
    throw new Error(String((answer as Response).status));
  }
};
const keyed = (key: string) => ({ headers: { authorization, 'x-idempotency-key': key } });
export const calls: Calls = {
  access: () => ok(api.checkAccess()),
  plans: () => ok(api.listPlans({ limit: 100 })),
  create: (body, key) => ok(api.createService(body, keyed(key))),
  pass: (advance_seconds) => ok(api.moveSandboxClock({ advance_seconds })),
  service: (number) => ok(api.getService(number)),
  services: (external_reference) => ok(api.listServices({ external_reference })),
  upgrade: (number, new_plan) => ok(api.upgradeService(number, { new_plan })),
  request: (id) => ok(api.getRequest(id)),
  update: (number, label) => ok(api.updateService(number, { label })),
  cancel: (number) => ok(api.cancelService(number, {})),
  report: (key) => ok(api.sendServicesReport({}, keyed(key))),
};
`,
    operator: `
import { Api } from './operator';
const { v1: api } = new Api({ baseUrl, baseApiParams: { headers: { authorization } } });
const ok = async <T>(call: Promise<{ data: T }>): Promise<T> => {
  try {
    return (await call).data;
  } catch (answer) {
    throw new Error(String((answer as Response).status));
  }
};
export const calls: Calls = {
  create: (body) => ok(api.createBroker(body)),
  brokers: () => ok(api.listBrokers({ limit: 100 })),
  broker: (broker) => ok(api.showBroker(broker)),
  rename: (broker, name, seen) => ok(api.updateBroker(broker, { name, seen: { name: seen } })),
  key: (broker, body) => ok(api.createKey(broker, body)),
  audit: () => ok(api.listAuditEntries({ since: '1d' })),
  status: () => ok(api.showStatus()),
};
`,
  },
  oazapfts: {
    packages: ['oazapfts@7.5.0', '@oazapfts/runtime@1.2.0', 'typescript@5.9.3'],
    command: [bin('oazapfts/dist/cli.js'), 'NAME.json', 'NAME.ts'],
    v1: `
import * as api from './v1';
Object.assign(api.defaults, { baseUrl, headers: { authorization } });
type Answer = { status: number; data: { success: true; data: unknown } | { success: false } };
type Shown<A extends Answer> = Extract<A['data'], { success: true }>['data'];
const ok = async <A extends Answer>(call: Promise<A>): Promise<Shown<A>> => {
  const { status, data } = await call;
  if (!data.success) throw new Error(String(status));
  return data.data as Shown<A>;
};
export const calls: Calls = {
  access: () => ok(api.checkAccess()),
  plans: () => ok(api.listPlans({ limit: 100 })),
  create: (body, xIdempotencyKey) => ok(api.createService(body, { xIdempotencyKey })),
  pass: (advance_seconds) => ok(api.moveSandboxClock({ advance_seconds })),
  service: (number) => ok(api.getService(number)),
  services: (externalReference) => ok(api.listServices({ externalReference })),
  upgrade: (number, new_plan) => ok(api.upgradeService(number, { new_plan })),
  request: (id) => ok(api.getRequest(id)),
  update: (number, label) => ok(api.updateService(number, { label })),
  cancel: (number) => ok(api.cancelService(number, {})),
  report: (xIdempotencyKey) => ok(api.sendServicesReport({}, { xIdempotencyKey })),
};
`,
    operator: `
import * as api from './operator';
Object.assign(api.defaults, { baseUrl, headers: { authorization } });
type Answer = { status: number; data: { success: true; data: unknown } | { success: false } };
type Shown<A extends Answer> = Extract<A['data'], { success: true }>['data'];
const ok = async <A extends Answer>(call: Promise<A>): Promise<Shown<A>> => {
  const { status, data } = await call;
  if (!data.success) throw new Error(String(status));
  return data.data as Shown<A>;
};
export const calls: Calls = {
  create: (body) => ok(api.createBroker(body)),
  brokers: () => ok(api.listBrokers({ limit: 100 })),
  broker: (broker) => ok(api.showBroker(broker)),
  rename: (broker, name, seen) => ok(api.updateBroker(broker, { name, seen: { name: seen } })),
  key: (broker, body) => ok(api.createKey(broker, body)),
  audit: () => ok(api.listAuditEntries({ since: '1d' })),
  status: () => ok(api.showStatus()),
};
`,
  },
  'openapi-zod-client': {
    packages: ['openapi-zod-client@1.18.3', 'zod@3.25.76', '@zodios/core@10.9.6', 'axios@1.21.1', 'typescript@5.9.3'],
    command: [bin('openapi-zod-client/bin.js'), 'NAME.json', '-o', 'NAME.ts'],
    // It checks each answer by the schemas that it made.
    v1: `
import { createApiClient } from './v1';
const api = createApiClient(baseUrl, { axiosConfig: { headers: { authorization } } });
const ok = async <T>(call: Promise<{ data: T }>): Promise<T> => {
  try {
    return (await call).data;
  } catch (error) {
    const { response } = error as { response?: { status: number } };
    throw response ? new Error(String(response.status)) : error;
  }
};
const of = (service_number: number) => ({ params: { service_number } });
const keyed = (key: string) => ({ headers: { 'x-idempotency-key': key } });
export const calls: Calls = {
  access: () => ok(api.checkAccess()),
  plans: () => ok(api.listPlans({ queries: { limit: 100 } })),
  create: (body, key) => ok(api.createService(body, keyed(key))),
  pass: (advance_seconds) => ok(api.moveSandboxClock({ advance_seconds })),
  service: (number) => ok(api.getService(of(number))),
  services: (external_reference) => ok(api.listServices({ queries: { external_reference } })),
  upgrade: (number, new_plan) => ok(api.upgradeService({ new_plan }, of(number))),
  request: (request_id) => ok(api.getRequest({ params: { request_id } })),
  update: (number, label) => ok(api.updateService({ label }, of(number))),
  cancel: (number) => ok(api.cancelService({}, of(number))),
  report: (key) => ok(api.sendServicesReport({}, keyed(key))),
};
`,
    operator: `
import { createApiClient } from './operator';
const api = createApiClient(baseUrl, { axiosConfig: { headers: { authorization } } });
const ok = async <T>(call: Promise<{ data: T }>): Promise<T> => {
  try {
    return (await call).data;
  } catch (error) {
    const { response } = error as { response?: { status: number } };
    throw response ? new Error(String(response.status)) : error;
  }
};
export const calls: Calls = {
  create: (body) => ok(api.createBroker(body)),
  brokers: () => ok(api.listBrokers({ queries: { limit: 100 } })),
  broker: (broker) => ok(api.showBroker({ params: { broker } })),
  rename: (broker, name, seen) => ok(api.updateBroker({ name, seen: { name: seen } }, { params: { broker } })),
  key: (broker, body) => ok(api.createKey(body, { params: { broker } })),
  audit: () => ok(api.listAuditEntries({ queries: { since: '1d' } })),
  status: () => ok(api.showStatus(undefined)),
};
`,
  },
};

/** What both documents' programs begin with. */
const SETTINGS = `
const baseUrl = process.env.API_URL as string;
const authorization = \`Bearer \${process.env.API_KEY}\`;
const refusal = (call: Promise<unknown>) => call.then(() => 'none', (error: Error) => error.message);
`;

const DAYS = {
  v1: `
type Status = 'pending' | 'active' | 'suspended' | 'cancelled' | 'terminated';
type Creation = { plan: string; client: { name: string; email: string }; external_reference: string };
interface Calls {
  access(): Promise<{ mode: 'live' | 'test' }>;
  plans(): Promise<Array<{ slug: string; billing_type: 'hourly' | 'monthly' }>>;
  create(body: Creation, key: string): Promise<{ service_number: number; request_id: string }>;
  pass(seconds: number): Promise<unknown>;
  service(number: number): Promise<{
    service_status: Status;
    label: string | null;
    plan: { slug: string };
    cancellation: { cancellation_type: 'immediate' | 'end_of_term' } | null;
  }>;
  services(reference: string): Promise<Array<{ service_number: number }>>;
  upgrade(number: number, plan: string): Promise<{ request_id: string | null }>;
  request(id: string): Promise<{ is_final: boolean; processed_date: string | null }>;
  update(number: number, label: string): Promise<{ label: string | null }>;
  cancel(number: number): Promise<{ request_status: string }>;
  report(key: string): Promise<{ report_status: 'sent'; row_count: number }>;
}
export async function day() {
  const { mode } = await calls.access();
  const plans = await calls.plans();
  const order = { plan: 'starter', client: { name: 'Ada', email: 'ada@example.com' }, external_reference: 'order-1' };
  const first = await calls.create(order, 'order-1');
  const again = await calls.create(order, 'order-1');
  await calls.pass(60);
  const built = await calls.service(first.service_number);
  const { request_id } = await calls.upgrade(first.service_number, 'business');
  await calls.pass(60);
  const { is_final, processed_date } = await calls.request(request_id as string);
  const { label } = await calls.update(first.service_number, 'Shop');
  const upgraded = await calls.service(first.service_number);
  const { request_status } = await calls.cancel(first.service_number);
  const ending = await calls.service(first.service_number);
  const found = await calls.services('order-1');
  const { report_status } = await calls.report('night-1');
  return [
    mode, plans.some(({ slug, billing_type }) => slug === 'starter' && billing_type === 'monthly'),
    again.request_id === first.request_id, built.service_status, built.label, built.cancellation, is_final, typeof processed_date,
    label, upgraded.plan.slug, request_status, ending.cancellation?.cancellation_type, found.length, report_status,
    await refusal(calls.service(1)), await refusal(calls.upgrade(900004, 'business')),
  ];
}
`,
  operator: `
type Creation = { slug: string; name: string; contact_email: string; sender_email: string };
type Key = { name: string; mode: 'live' | 'test'; scopes: Array<'admin:full' | 'services:read'> };
interface Calls {
  create(body: Creation): Promise<{ slug: string }>;
  brokers(): Promise<Array<{ slug: string }>>;
  broker(slug: string): Promise<{ name: string; rate_limit: number | null }>;
  rename(slug: string, name: string, seen: string): Promise<{ name: string }>;
  key(slug: string, body: Key): Promise<{ key: string; expires_date: string | null }>;
  audit(): Promise<Array<{ action: string }>>;
  status(): Promise<object>;
}
export async function day() {
  const body = { slug: 'new', name: 'New', contact_email: 'office@example.com', sender_email: 'office@example.com' };
  const created = await calls.create(body);
  const brokers = await calls.brokers();
  const shown = await calls.broker('new');
  const { name } = await calls.rename('new', 'Newer', 'New');
  const made = await calls.key('new', { name: 'Shop', mode: 'live', scopes: ['services:read'] });
  const audit = await calls.audit();
  return [
    created.slug, brokers.some(({ slug }) => slug === 'new'), shown.rate_limit, name, made.key.startsWith('sk_live_'),
    made.expires_date, audit.some(({ action }) => action === 'key.create'), typeof (await calls.status()),
    await refusal(calls.broker('none')), await refusal(calls.rename('new', 'Newest', 'New')),
  ];
}
`,
} as const;

const OUTCOMES = {
  v1: [
    ...[
      'test',
      true,
      true,
      'active',
      null,
      null,
      true,
      'string',
      'Shop',
      'business',
      'accepted',
      'end_of_term',
      1,
      'sent',
    ],
    ...['404', '400'],
  ],
  operator: ['new', true, null, 'Newer', true, null, true, 'object', '404', '409'],
};

const NPM = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];
const STRICT = [
  ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--target', 'es2022', '--module', 'esnext'],
  ...['--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', '--skipLibCheck', '--pretty', 'false'],
  ...['--types', 'node', '--typeRoots', resolve('node_modules/@types')],
];

/** A folder with the packages; undefined, with a line that says so, where npm does not bring them. */
async function installed(t: Test, packages: readonly string[]): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'broker-generators-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  try {
    await run('npm', [...NPM, ...packages], { cwd: folder, timeout: 300_000 });
    return folder;
  } catch (error) {
    const line = `npm does not bring ${packages[0]} here, which is NOT TRIED: ${String(error).split('\n')[0]}`;
    process.stderr.write(`\n*** ${line}\n`);
    t.pass(line, { skip: line });
    return undefined;
  }
}

/** A server with one of the APIs, and a key for it. */
const SERVERS = {
  async v1(t: Test) {
    const { app, key } = await createSandboxWorld(t);
    return { base: `http://127.0.0.1:${await listen(app)}/api`, key };
  },
  async operator(t: Test) {
    const { app, keys, close } = await createTestOperatorApi();
    t.teardown(() => close());
    return { base: `http://127.0.0.1:${await listen(app)}/operator`, key: keys.admin };
  },
};

for (const [generator, { packages, command, files = {}, ...programs }] of Object.entries(GENERATORS)) {
  t.test(`clients that ${packages[0]} makes of both documents compile strictly and do a day's work`, async (t) => {
    const folder = await installed(t, packages);
    if (folder === undefined) return;
    for (const name of ['v1', 'operator'] as const) {
      const { base, key } = await SERVERS[name](t);
      const named = (text: string) => text.replaceAll('NAME', name).replaceAll('ADDRESS', base);
      const document = await (await fetch(`${base}/openapi.json`)).text();
      writeFileSync(join(folder, `${name}.json`), document);
      for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, named(file)), named(content));
      await run(process.execPath, command.map(named), { cwd: folder, timeout: 120_000 });

      const program = join(folder, `${name}-day.ts`);
      writeFileSync(program, `${SETTINGS}${programs[name]}${DAYS[name]}console.log(JSON.stringify(await day()));\n`);
      const compiled = await run(
        process.execPath,
        [resolve('node_modules/typescript/lib/tsc.js'), ...STRICT, program],
        {
          cwd: folder,
        },
      ).catch(({ stdout }: { stdout: string }) => ({ stdout }));
      t.equal(compiled.stdout, '', `${generator} ${name}: strictly`);

      const outfile = join(folder, `${name}-day.mjs`);
      await build({
        entryPoints: [program],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        packages: 'external',
      });
      const env = { PATH: process.env.PATH, API_URL: base, API_KEY: key };
      const { stdout } = await run(process.execPath, [outfile], { cwd: folder, env, timeout: 60_000 });
      t.strictSame(JSON.parse(stdout), OUTCOMES[name], `${generator} ${name}: the day`);
    }
  });
}
