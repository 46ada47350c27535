import type { OpenAPIV3_1 } from 'openapi-types';
import t, { type Test } from 'tap';
import { documentChecker } from '../../conformance/document.ts';
import { ROLES } from '../../src/operator/people/operators.ts';
import { USE_CASES } from '../../src/operator/registry.ts';
import { operationIdOf, SERVED } from '../../src/operator-api/routes.ts';
import { isList, placeOf } from '../../src/operator-api/schemas.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { anEmail } from '../support/rows.ts';

/** What the contract leaves out of the operator's API (section 13.2). */
const NOT_SERVED = [
  'console link',
  'numbers skip',
  'operators add',
  'operators list',
  'operators remove',
  'operators set',
  'operators show',
  'operators sessions',
  'operators sign-out',
  'ops-keys create',
  'ops-keys list',
  'ops-keys revoke',
  'restored',
  'restored as-copy',
  'restored declare',
  'restored go-on',
  'restored nothing-lost',
];

const ZOE = 'zoe@example.com';
const PLAN = { upgrade_rank: 10, billing_type: 'monthly' };
const INVOICE = { invoice_number: 'A-1', service_number: 7000, amount: '1', currency: 'EUR' };

/** A value of the answers before it, by their names. */
type Found = Record<string, string>;

interface Example {
  name: string;
  body?: (found: Found) => object;
  query?: string;
  /** What stands in the path, beside the usual names. */
  params?: (found: Found) => Record<string, string | number>;
  /** Rows of the audit trail; none of a read. */
  actions?: string[];
  /** Keeps something of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the record of this use case
  keep?: (data: any) => Found;
  before?: (api: Api, found: Found) => Promise<void>;
}

type Api = Awaited<ReturnType<typeof createTestOperatorApi>>;

const brokerOf = async ({ store }: Api) => (await store.read.brokers.findBySlug('acme')) as BrokerRow;

/** One call of each, in an order in which each finds what it needs. */
const EXAMPLES: Example[] = [
  {
    name: 'brokers create',
    body: () => ({ slug: 'acme', name: 'Acme', contact_email: 'a@example.com', sender_email: 'b@example.com' }),
    actions: ['broker.create'],
  },
  { name: 'brokers list' },
  { name: 'brokers show' },
  { name: 'brokers set', body: () => ({ rate_limit: 50, seen: { rate_limit: null } }), actions: ['broker.set'] },
  { name: 'brokers suspend', body: () => ({ confirm: true }), actions: ['broker.suspend'] },
  { name: 'brokers resume', actions: ['broker.resume'] },
  { name: 'brokers recipients add', body: () => ({ email: ZOE }), actions: ['recipient.add'] },
  { name: 'brokers recipients remove', body: () => ({ email: ZOE }), actions: ['recipient.remove'] },
  { name: 'firewall allow', body: () => ({ rule: '192.0.2.1', note: 'office' }), actions: ['firewall.allow'] },
  { name: 'firewall enable', actions: ['firewall.enable'] },
  { name: 'firewall check', body: () => ({ address: '192.0.2.1' }) },
  { name: 'firewall list' },
  { name: 'firewall remove', body: () => ({ rule: '192.0.2.1', confirm: true }), actions: ['firewall.remove'] },
  { name: 'firewall disable', actions: ['firewall.disable'] },
  {
    name: 'keys create',
    body: () => ({ name: 'Shop', mode: 'live', scopes: ['plans:read'] }),
    actions: ['key.create'],
    keep: ({ key_id }) => ({ key_id }),
  },
  { name: 'keys list' },
  { name: 'keys show' },
  { name: 'keys set', body: () => ({ rate_limit: 5, seen: { rate_limit: null } }), actions: ['key.set'] },
  {
    name: 'keys rotate',
    body: () => ({ overlap: '1h' }),
    actions: ['key.rotate', 'key.rotate'],
    keep: ({ key_id }) => ({ key_id }),
  },
  { name: 'keys revoke', body: () => ({ confirm: true }), actions: ['key.revoke'] },
  {
    name: 'plans create',
    body: () => ({ ...PLAN, slug: 'start', display_name: 'Start', price: { amount: '9.90', currency: 'EUR' } }),
    actions: ['plan.create'],
  },
  {
    name: 'plans import',
    body: () => ({ records: [{ ...PLAN, slug: 'more', display_name: 'More', upgrade_rank: 20 }] }),
    actions: ['plan.import', 'plan.create'],
  },
  { name: 'plans list' },
  { name: 'plans show' },
  { name: 'plans preview', body: () => ({ display_name: 'Starter' }) },
  { name: 'plans set', body: () => ({ display_name: 'Starter', price: { amount: '12.50' } }), actions: ['plan.set'] },
  { name: 'plans remove', params: () => ({ slug: 'more' }), body: () => ({ confirm: true }), actions: ['plan.remove'] },
  {
    name: 'services import',
    body: () => ({
      records: [7000, 7001, 7002].map((service_number) => ({
        service_number,
        client: { name: 'Zoe', email: ZOE },
        plan: 'start',
      })),
    }),
    actions: ['service.import'],
  },
  {
    name: 'services create',
    body: () => ({
      plan: 'start',
      client: { name: 'Eve', email: 'eve@example.com' },
      label: 'Shop',
      configuration: null,
    }),
    actions: ['service.create'],
  },
  { name: 'services list', query: 'broker=acme&status=active'.replace('status', 'service_status') },
  { name: 'services show' },
  { name: 'services set', body: () => ({ client: { name: 'Zoe Z' } }), actions: ['service.set'] },
  {
    name: 'services action',
    async before(api) {
      const { id } = await brokerOf(api);
      const [plan] = await api.store.read.plans.list(id);
      const reboot = {
        name: 'reboot',
        display_name: 'Reboot',
        description: null,
        options: [],
        requires_operator_review: false,
        destroys_data: false,
      };
      const offer = { options: [], actions: [reboot], hasCredentials: false, provisioning: null };
      await api.store.tx((tx) => tx.plans.putOffers(id, new Map([[String(plan?.id), offer]])));
    },
    body: () => ({ action: 'reboot', configuration: {} }),
    actions: ['service.action'],
  },
  { name: 'services suspend', body: () => ({ reason: 'unpaid' }), actions: ['service.set'] },
  { name: 'services resume', actions: ['service.set'] },
  {
    name: 'services cancel',
    params: () => ({ service_number: 7002 }),
    body: () => ({ cancellation_type: 'immediate', confirm: true }),
    actions: ['service.cancel'],
  },
  {
    name: 'services compare',
    actions: ['services.compare'],
  },
  {
    name: 'services remove',
    body: () => ({ service_numbers: [7001], confirm: true }),
    actions: ['service.remove'],
  },
  {
    name: 'invoices import',
    body: () => ({ records: [{ ...INVOICE, invoice_status: 'open', issued_date: '2030-01-01' }] }),
    actions: ['invoice.import'],
  },
  {
    name: 'consumption import',
    body: () => ({ records: [{ service_number: 7000, measured_date: '2029-01-01', disk_gb_used: '12.5' }] }),
    actions: ['consumption.import'],
  },
  { name: 'consumption list' },
  { name: 'consumption remove', actions: ['consumption.remove'] },
  { name: 'invoices list' },
  { name: 'invoices show' },
  { name: 'imports list' },
  {
    name: 'requests submit',
    body: () => ({ service_number: 7000, type: 'cancellation' }),
    actions: ['request.submit'],
    keep: ({ request_id }) => ({ request_id }),
  },
  { name: 'requests list' },
  { name: 'requests show' },
  {
    name: 'requests review',
    async before(api, { request_id }) {
      const { id } = await brokerOf(api);
      const [from, to] = [{ status: 'pending' }, { status: 'operator_review' }] as const;
      await api.store.tx((tx) => tx.requests.move(id, String(request_id), from, to));
    },
    body: () => ({ accept: true }),
    actions: ['request.accept'],
  },
  {
    name: 'requests go-on',
    async before(api, { request_id }) {
      const { id } = await brokerOf(api);
      const withheld = { withheldBy: 1, dueAt: null };
      await api.store.tx((tx) => tx.requests.move(id, String(request_id), { status: 'accepted' }, withheld));
    },
    actions: ['request.go-on'],
  },
  { name: 'requests go-on-all', body: () => ({ confirm: true }), actions: [] },
  { name: 'requests withdraw', actions: ['request.withdraw'] },
  { name: 'requests reasons' },
  { name: 'requests retry', actions: ['service.cancel'] },
  { name: 'requests retry-all', body: () => ({ reason: 'no_capacity', confirm: true }), actions: [] },
  {
    name: 'templates set',
    body: () => ({ subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' }),
    actions: ['template.set'],
  },
  { name: 'templates list' },
  { name: 'templates show' },
  { name: 'templates preview', body: () => ({ service_number: 7000 }) },
  { name: 'templates versions' },
  { name: 'templates restore', body: () => ({ version: 1, seen: { newest_version: 1 } }), actions: [] },
  { name: 'templates send-test', body: () => ({ to: ZOE }), actions: ['template.send_test'] },
  {
    name: 'emails settle',
    async before(api, found) {
      const sent = anEmail(await brokerOf(api), { status: 'unknown' });
      await api.store.tx((tx) => tx.emails.insert(sent));
      found.email_id = sent.id;
    },
    body: () => ({ arrived: true, note: 'They called' }),
    actions: ['email.settle'],
  },
  {
    name: 'emails settle-unknown',
    async before(api) {
      const sent = anEmail(await brokerOf(api), { id: 'eml_01J9ZQ8V3M4N5P6Q7R8S9TABCE', status: 'unknown' });
      await api.store.tx((tx) => tx.emails.insert(sent));
    },
    body: () => ({ broker: 'acme', arrived: false, note: 'The provider was away', confirm: true }),
    actions: ['email.settle'],
  },
  { name: 'emails list' },
  { name: 'emails show' },
  { name: 'clients export', body: () => ({ email: ZOE }), actions: ['client.export'] },
  {
    name: 'clients erase',
    async before(api) {
      for (const number of [7000, 7002]) {
        await api.post(`/services/${number}/update`, { service_status: 'terminated', confirm: true });
      }
    },
    body: () => ({ email: ZOE, confirm: true }),
    actions: ['client.erase'],
  },
  {
    name: 'calls show',
    async before(api, found) {
      const key = await api.store.read.keys.find(String(found.key_id));
      const call = {
        requestId: 'aCallThatWas-1',
        at: api.clock.now(),
        brokerId: String(key?.brokerId),
        keyId: String(key?.id),
        clientIp: '192.0.2.1',
        method: 'POST',
        operation: 'upgradeService',
        serviceNumber: 7000,
        status: 200,
        code: null,
        reason: null,
        durationUs: 1_500,
      };
      await api.store.tx((tx) => tx.calls.insert([call as never]));
    },
    params: () => ({ request_id: 'aCallThatWas-1' }),
  },
  { name: 'calls list' },
  { name: 'notices add', body: () => ({ email: ZOE }), actions: ['notice.add'] },
  { name: 'notices list' },
  { name: 'notices test', actions: ['notice.test'] },
  { name: 'notices remove', body: () => ({ email: ZOE }), actions: ['notice.remove'] },
  { name: 'audit list', query: 'limit=100' },
  { name: 'usage' },
  { name: 'bill' },
  { name: 'status' },
  {
    name: 'brokers remove',
    async before(api) {
      await api.post('/brokers/acme/suspend', { confirm: true });
      api.clock.advance(86_400_000);
    },
    body: () => ({ confirm: true }),
    actions: ['broker.remove'],
  },
];

const USUAL = { broker: 'acme', slug: 'start', kind: 'service-created', service_number: 7000, invoice_number: 'A-1' };

function urlOf(name: string, { params = () => ({}), query }: Partial<Example>, found: Found): string {
  const useCase = SERVED.find((each) => each.name === name);
  if (!useCase) throw new Error(`"${name}" has no address`);
  const named: Record<string, unknown> = { ...USUAL, ...found, ...params(found) };
  const path = placeOf(useCase).path.replaceAll(/:(\w+)/g, (_, param) => encodeURIComponent(String(named[param])));
  return query === undefined ? path : `${path}?${query}`;
}

const documentOf = async ({ app }: Api) => (await app.inject('/operator/openapi.json')).json() as OpenAPIV3_1.Document;

t.test('every use case has an address, or is one of those that the contract leaves out', async (t) => {
  const without = USE_CASES.filter(({ path }) => path === undefined).map(({ name }) => name);
  t.strictSame(without.sort(), [...NOT_SERVED].sort());
  const addresses = SERVED.map((useCase) => `${placeOf(useCase).method} ${placeOf(useCase).path}`);
  t.equal(new Set(addresses).size, addresses.length, 'no two have the same one');
  t.equal(new Set(SERVED.map(operationIdOf)).size, SERVED.length, 'nor the same operation id');
  t.strictSame(EXAMPLES.map(({ name }) => name).sort(), SERVED.map(({ name }) => name).sort(), 'each is called below');
  for (const useCase of SERVED) t.ok(useCase.answer, `${useCase.name} declares the record of its answer`);
});

t.test(
  'every use case answers over HTTP: with its record in the envelope, and a change with its rows of the audit trail',
  async (t) => {
    const api = await createTestOperatorApi();
    t.teardown(() => api.close());
    const check = documentChecker(await documentOf(api));
    const found: Found = {};
    const secrets: string[] = [];
    const trail = async () =>
      (await api.store.read.audit.list({}, 1_000)).map(({ action, actorKind, actor }) => ({
        action,
        actorKind,
        actor,
      }));
    for (const example of EXAMPLES) {
      const useCase = SERVED.find(({ name }) => name === example.name) as (typeof SERVED)[number];
      const { method, status } = placeOf(useCase);
      await example.before?.(api, found);
      const before = (await trail()).length;
      const url = urlOf(example.name, example, found);
      const body = method === 'POST' ? (example.body?.(found) ?? {}) : undefined;
      const answer = await api.send(method, url, body);
      t.equal(answer.status, status, `${example.name}: ${answer.text.slice(0, 400)}`);
      const path = url.replace(/\?.*/, '');
      const faults = check({
        method,
        path: `/v1${path}`,
        status: answer.status,
        headers: answer.headers,
        json: answer.json,
      });
      t.strictSame(faults, [], `${example.name} is as the document has it`);
      const rows = (await trail()).slice(0, (await trail()).length - before);
      t.strictSame(
        rows.map(({ action }) => action),
        example.actions ?? [],
        `${example.name}: the audit trail`,
      );
      for (const { action, actorKind, actor } of rows) {
        t.ok(useCase.actions.includes(action), `${example.name} declares ${action}`);
        t.equal(actorKind, 'operator');
        t.match(actor, /^The admin \(sk_ops_\w{8}\)$/);
      }
      if (isList(useCase)) t.ok(answer.data.length <= 100 && answer.pagination.perPage > 0, `${example.name} is paged`);
      for (const secret of secrets)
        t.notOk(answer.text.includes(secret), `${example.name} has no secret of another answer`);
      if (useCase.secret) secrets.push(answer.data[useCase.secret]);
      Object.assign(found, example.keep?.(answer.data));
    }
    t.equal(secrets.length, 2);
  },
);

t.test(
  'every use case needs a key, and a role that the document names; nothing is done for a lesser one',
  async (t) => {
    const api = await createTestOperatorApi();
    t.teardown(() => api.close());
    const { paths = {} } = await documentOf(api);
    const before = (await api.store.read.audit.list({}, 1_000)).length;
    for (const useCase of SERVED) {
      const { method, path } = placeOf(useCase);
      const url = urlOf(useCase.name, {}, { key_id: 'key_none', request_id: 'req_none', email_id: 'eml_none' });
      const needed = useCase.role ?? 'viewer';
      const documented = `/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`;
      const operation = paths[documented]?.[method.toLowerCase() as 'get'] as Record<string, unknown> | undefined;
      t.strictSame(operation?.['x-required-role'], [needed], `${useCase.name}: the document`);
      const none = await api.app.inject({
        method,
        url: `/operator/v1${url}`,
        payload: method === 'POST' ? '{' : undefined,
      } as never);
      t.match(none.json(), { error: { code: 'authentication_failed', details: { reason: 'missing' } } }, useCase.name);
      for (const role of ROLES.slice(0, ROLES.indexOf(needed))) {
        const refused = await api.send(method, url, method === 'POST' ? '{' : undefined, api.keys[role]);
        const details = { reason: 'missing_role', required_role: needed };
        t.match(
          refused,
          { status: 403, error: { code: 'insufficient_permissions', details } },
          `${useCase.name}: ${role}`,
        );
      }
    }
    t.equal((await api.store.read.audit.list({}, 1_000)).length, before);
  },
);

t.test(
  'the document has what every tool reads: null among the values of what may be null, no Unicode classes',
  async (t) => {
    const api = await createTestOperatorApi();
    t.teardown(() => api.close());
    const faults: string[] = [];
    const check = (schema: unknown, place: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, enum: values, pattern } = schema as { type?: unknown; enum?: unknown; pattern?: unknown };
      if (Array.isArray(type) && type.includes('null') && Array.isArray(values) && !values.includes(null))
        faults.push(place);
      if (typeof pattern === 'string' && pattern.includes('\\p')) faults.push(place);
      for (const [name, inner] of Object.entries(schema)) check(inner, `${place}/${name}`);
    };
    check(await documentOf(api), '');
    t.strictSame(faults, []);
  },
);

t.test('the reference speaks of operations in words of their own, and never of commands', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const { paths = {} } = await documentOf(api);
  const operations = Object.values(paths).flatMap((path) =>
    [path?.get, path?.post].filter((each) => each !== undefined),
  );
  const titles = operations.map(({ summary }) => summary);
  t.equal(new Set(titles).size, titles.length, 'each has one of its own');
  for (const title of titles) t.match(title, /^[A-Z]\w+ \w/, 'a verb and what it is done to');
  for (const operation of operations) t.notMatch(operation.description, /"\w+ \w+"|--\w/);
});

/** A value of another JSON type than the schema's. */
const wrong = ({ type }: { type?: string | string[] }): unknown => ([type].flat().includes('string') ? 5 : 'five');

t.test('no value of a body is converted, and no unknown field is taken', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  const bodies = EXAMPLES.filter(({ name }) => name !== 'brokers create').flatMap(({ name, body }) => {
    const useCase = SERVED.find((each) => each.name === name) as (typeof SERVED)[number];
    return body && !useCase.takesFile && placeOf(useCase).method === 'POST' ? [{ name, body: body({}) }] : [];
  });
  const refuses = async (t: Test, name: string, body: object, fields: object[]) => {
    const url = urlOf(name, {}, { key_id: 'key_none', request_id: 'req_none', email_id: 'eml_none' });
    const answer = await api.post(url, body);
    t.match(answer, { status: 400, error: { code: /_parameter$/, details: { fields } } }, `${name}: ${answer.text}`);
  };
  for (const { name, body } of bodies) {
    await refuses(t, name, { ...body, nonsense: 1 }, [{ path: 'body.nonsense', rule: 'unknown' }]);
    for (const [field, value] of Object.entries(body)) {
      if (typeof value === 'object' && value !== null) continue;
      const other = wrong({ type: typeof value });
      await refuses(t, name, { ...body, [field]: other }, [{ path: `body.${field}`, rule: 'type' }]);
    }
  }
});

t.test('every list is bounded: by limit and offset in the words of v1, and refused beyond', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.post('/brokers', EXAMPLES[0]?.body?.({}));
  await api.post('/brokers/acme/templates/service-created/update', { subject: 'S', html: 'H', text: 'T' });
  for (const useCase of SERVED.filter(isList)) {
    const url = urlOf(useCase.name, {}, {});
    t.match(
      await api.get(`${url}?limit=1&offset=0`),
      { status: 200, pagination: { perPage: 1, page: 1 } },
      useCase.name,
    );
    for (const query of ['limit=101', 'limit=0', 'offset=10001', 'limit=1e1', 'nonsense=1', 'limit=1&limit=2']) {
      t.match(
        await api.get(`${url}?${query}`),
        { status: 400, error: { code: 'invalid_parameter' } },
        `${url}?${query}`,
      );
    }
  }
});
