import { join } from 'node:path';
import type { OpenAPIV3_1 } from 'openapi-types';
import t from 'tap';
import { documentChecker } from '../../conformance/document.ts';
import { KINDS, REQUEST_TYPES } from '../../src/kinds/index.ts';
import { insertRequest, newRequest } from '../../src/lifecycle/submit.ts';
import { listPlans, pagePlans, setPlan } from '../../src/operator/plans/plans.ts';
import { isFinal } from '../../src/rules/words.ts';
import { createIds } from '../../src/runtime/ids.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { OperatorRole } from '../../src/store/queries/operators.ts';
import type { RequestRow } from '../../src/store/queries/requests.ts';
import type { Store } from '../../src/store/store.ts';
import { openDemo } from '../support/demo.ts';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { aService } from '../support/rows.ts';
import { createWorld, type World } from '../support/world.ts';

/*
 * A schema that asks for more than a record has answers 500, and only for that record. So every operation of both documents is
 * called for every record: those of the demo, of a sandbox, and a request of each type in each state.
 */

/** What names a record in a path, by the parameters of the document. */
type Names = Readonly<Record<string, string | number>>;

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

type Operation = OpenAPIV3_1.OperationObject & {
  requestBody?: { content: Record<string, { example?: unknown }> };
};

/** Every operation for every record that its path can name; a POST as the document shows it, and with an empty body. */
function callsOf({ paths = {} }: OpenAPIV3_1.Document, records: readonly Names[], method: Call['method']): Call[] {
  return Object.entries(paths).flatMap(([template, item]) => {
    const operation = item?.[method.toLowerCase() as 'get' | 'post'] as Operation | undefined;
    if (!operation) return [];
    const params = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    const named = params.length === 0 ? [{}] : records.filter((names) => params.every((name) => name in names));
    const urls = named.map((names: Names) => template.replaceAll(/\{(\w+)\}/g, (_, name) => `${names[name]}`));
    const bodies = method === 'GET' ? [undefined] : [{}, operation.requestBody?.content['application/json']?.example];
    return [...new Set(urls)].flatMap((path) => bodies.map((body) => ({ method, path, body })));
  });
}

type Send = (call: Call) => Promise<{ status: number; headers: object; json: unknown }>;

/** Makes the calls one after the other. @returns each answer that is a `server_error`, or that the document does not have, in words */
async function faultsOf(document: OpenAPIV3_1.Document, calls: readonly Call[], send: Send): Promise<string[]> {
  const check = documentChecker(document);
  const faults: string[] = [];
  for (const call of calls) {
    const { status, headers, json } = await send(call);
    const answer = { method: call.method, path: call.path, status, headers: headers as never, json };
    const { code } = (json as { error?: { code?: string } } | undefined)?.error ?? {};
    const found = code === 'server_error' ? [JSON.stringify(json)] : check(answer);
    faults.push(...found.map((fault) => `${call.method} ${call.path} ${JSON.stringify(call.body)}: ${fault}`));
  }
  return faults;
}

const demoOf = async ({ read }: Store) => (await read.brokers.findBySlug('demo')) as BrokerRow;

/** A request of each type in each of its states, each of a service of its own. */
async function addEveryState(store: Store, now: number): Promise<void> {
  const newId = createIds();
  const broker = await demoOf(store);
  const [from, to] = await store.read.plans.listActive(broker.id);
  if (!from || !to) throw new Error('the demo has plans');
  let number = 5_000_000;
  for (const type of REQUEST_TYPES) {
    for (const status of KINDS[type].statuses) {
      number += 1;
      const service = aService(broker, from, { number });
      const fields: readonly string[] = KINDS[type].fields;
      const request = newRequest(newId('req', now), service, now, {
        type,
        status,
        origin: status === 'pending' ? 'client' : 'broker',
        ...ending(status, now),
        ...(fields.includes('warning_reason') && { warningReason: 'Unpaid' }),
        ...(fields.includes('current_plan') && { currentPlanId: from.id }),
        ...(fields.includes('new_plan') && { newPlanId: to.id }),
        ...(fields.includes('cancellation_type') && { cancellationType: 'immediate' as const }),
        ...(fields.includes('action') && {
          actionName: 'reboot',
          actionDisplayName: 'Reboot',
          actionConfiguration: '{"force":true}',
        }),
      });
      await store.tx(async (tx) => {
        await tx.services.insert([service]);
        await insertRequest({ tx, newId }, request);
      });
    }
  }
}

function ending(status: RequestRow['status'], now: number): Partial<RequestRow> {
  if (status === 'failed') {
    return {
      failureReason: 'no_capacity',
      failureMessage: 'No room',
      failureServiceUsable: true,
      failureRetryable: false,
    };
  }
  if (!isFinal(status) || status === 'completed') return {};
  const action = status === 'approved' ? 'approve' : 'deny';
  return { decisionAction: action, decidedBy: 'broker', decisionReason: null, decidedAt: now };
}

const names = <T extends object>(rows: readonly T[], name: string, field: keyof T, more: Names = {}): Names[] =>
  rows.map((row) => ({ ...more, [name]: row[field] as string | number }));

type OperatorApi = Awaited<ReturnType<typeof createTestOperatorApi>>;

const operatorsDocument = async ({ app }: OperatorApi) =>
  (await app.inject('/operator/openapi.json')).json() as OpenAPIV3_1.Document;

async function operatorsRecords(api: OperatorApi): Promise<Names[]> {
  const all = async (path: string) => {
    const { data, text } = await api.get(`${path}?limit=100`);
    if (!data) throw new Error(text);
    return data as Array<Record<string, string>>;
  };
  const records: Names[] = [
    ...names(await all('/services'), 'service_number', 'service_number'),
    ...names(await all('/requests'), 'request_id', 'request_id'),
    ...names(await all('/emails'), 'email_id', 'email_id'),
    ...names(await all('/calls'), 'request_id', 'request_id'),
  ];
  for (const { slug = '' } of await all('/brokers')) {
    const of = { broker: slug };
    records.push(
      of,
      ...names(await all(`/brokers/${slug}/keys`), 'key_id', 'key_id'),
      ...names(await all(`/brokers/${slug}/plans`), 'slug', 'slug', of),
      ...names(await all(`/brokers/${slug}/templates`), 'kind', 'kind', of),
      ...names(await all(`/brokers/${slug}/invoices`), 'invoice_number', 'invoice_number', of),
    );
  }
  return records;
}

/** Calls with a key of the role; the limit of a key is a minute’s. */
const sendAs =
  (api: OperatorApi, role: OperatorRole): Send =>
  ({ method, path, body }) => {
    api.clock.advance(200);
    return api.send(method, path.replace('/v1', ''), body, api.keys[role]);
  };

t.test('every operation of the operator’s API answers as documented for every record', async (t) => {
  const api = await createTestOperatorApi({ demo: true, hasProvisioner: true });
  t.teardown(() => api.close());
  await addEveryState(api.store, api.clock.now());
  const document = await operatorsDocument(api);
  const records = await operatorsRecords(api);
  const send = sendAs(api, 'admin');
  t.strictSame(await faultsOf(document, callsOf(document, records, 'GET'), send), []);
  t.strictSame(await faultsOf(document, callsOf(document, records, 'POST'), send), []);
});

/** Gives every plan of the demo something for the provisioner. */
async function setProvisioning({ context }: Pick<OperatorApi, 'context'>): Promise<void> {
  for (const broker of ['demo', 'demo-other'])
    for (const { slug } of (await listPlans.run(context, { broker })).records)
      await setPlan.run(context, { broker, slug, provisioning: '{"template": "for-the-machine"}' });
}

t.test(
  'what is for the provisioner alone is shown to the role admin alone, by the API and by the console',
  async (t) => {
    const api = await createTestOperatorApi({ demo: true, hasProvisioner: true });
    t.teardown(() => api.close());
    await setProvisioning(api);
    const document = await operatorsDocument(api);
    const reads = callsOf(document, await operatorsRecords(api), 'GET');
    const shows = async (role: OperatorRole) => {
      const showing: string[] = [];
      for (const call of reads) {
        const { json } = await sendAs(api, role)(call);
        if (/for-the-machine|"provisioning":(?!"changed")/.test(JSON.stringify(json))) showing.push(call.path);
      }
      return showing;
    };
    const shown = await shows('admin');
    t.ok(shown.length > 0 && shown.every((path) => /\/plans\/[\w-]+$/.test(path)), 'no list has it');
    for (const role of ['support', 'viewer'] as const) {
      t.strictSame(await shows(role), [], role);
      const records = [{ slug: 'starter', description: 'Another' }];
      for (const [path, body] of [
        ['/brokers/demo/plans/import', { records, dry_run: true }],
        ['/brokers/demo/plans/starter/preview', { description: 'Another' }],
      ] as const)
        t.match(await api.post(path, body, api.keys[role]), {
          status: 403,
          error: { details: { reason: 'missing_role' } },
        });
    }
    const { items } = await pagePlans(api.context, { broker: 'demo' });
    const isShown = async (role: string) => {
      const { get } = await api.signedIn(role);
      const bodies = await Promise.all(items.map(async ({ id }) => (await get(`/plans/${id}`)).body));
      return [...bodies, (await get('/plans.csv')).body].filter((body) => body.includes('for-the-machine')).length;
    };
    t.strictSame([await isShown('admin'), await isShown('support'), await isShown('viewer')], [items.length, 0, 0]);
  },
);

/** Services whose every call is refused as overload or a limit would be (contract, section 8). */
const REFUSING = [900_429, 900_500];

async function brokersRecords(world: World, key: string): Promise<Names[]> {
  const all = async (path: string) => {
    const { json, raw } = await world.call(key, 'GET', `${path}?limit=100`);
    if (!json.data) throw new Error(raw);
    return json.data as Array<Record<string, string | number>>;
  };
  return [
    ...names(await all('/services'), 'service_number', 'service_number'),
    ...names(await all('/requests'), 'request_id', 'request_id'),
  ];
}

for (const mode of ['live', 'test'] as const) {
  t.test(`every operation of v1 answers as documented for every record: ${mode}`, async (t) => {
    const file = join(t.testdir(), 'demo.db');
    const world = await createWorld({ openStore: (clock) => openDemo(file, clock) });
    t.teardown(() => world.close());
    await addEveryState(world.store, world.clock.now());
    const { key } = await world.addKey(await demoOf(world.store), ['admin:full'], { mode, rateLimit: 1_000_000 });
    const document = (await world.app.inject('/api/openapi.json')).json() as OpenAPIV3_1.Document;
    const records = (await brokersRecords(world, key)).filter(
      ({ service_number: number }) => !REFUSING.includes(Number(number)),
    );
    const send: Send = ({ method, path, body }) =>
      world.call(key, method, path.replace('/v1', ''), body === undefined ? {} : { body: body as object });
    t.strictSame(await faultsOf(document, callsOf(document, records, 'GET'), send), []);
    t.strictSame(await faultsOf(document, callsOf(document, records, 'POST'), send), []);
  });
}

t.test(
  'the console has a page of every request in each state and of its service, and lists of them as CSV',
  async (t) => {
    const console = await createTestOperatorApi({ demo: true });
    t.teardown(() => console.close());
    await addEveryState(console.store, console.clock.now());
    const admin = await console.signedIn('admin');
    const { data } = await console.get('/requests?limit=100');
    const pages = (data as Array<Record<string, string>>).flatMap(({ request_id, service_number }) => [
      `/requests/${request_id}`,
      `/services/${service_number}`,
    ]);
    for (const path of new Set([...pages, '/requests.csv', '/services.csv']))
      t.equal((await admin.get(path)).status, 200, path);
  },
);
