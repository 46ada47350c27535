import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import t, { type Test } from 'tap';
import { ERROR_CODES } from '../../src/errors.ts';
import { VERSION } from '../../src/runtime/version.ts';
import { served } from '../support/served.ts';
import { isRefusal } from '../support/wire.ts';
import { createWorld } from '../support/world.ts';

interface Endpoint {
  scopes: string[];
  /** Whether `X-Idempotency-Key` counts. */
  idempotent?: true;
  success: number[];
  /** Beside 400, 401, 403, 429 and 500, which the gates can answer everywhere. */
  errors?: number[];
}

/** Every endpoint of v1, from section 6 of the contract. */
const CONTRACT: Record<string, Endpoint> = {
  'GET /v1/auth-check': { scopes: [], success: [200] },
  'POST /v1/auth-check': { scopes: ['services:write', 'admin:full'], success: [200] },
  'GET /v1/services': { scopes: ['services:read', 'admin:full'], success: [200] },
  'GET /v1/services/{service_number}': { scopes: ['services:read', 'admin:full'], success: [200], errors: [404] },
  'POST /v1/services': { scopes: ['services:write', 'admin:full'], idempotent: true, success: [201] },
  'GET /v1/services/{service_number}/upgrade-options': {
    scopes: ['services:read', 'admin:full'],
    success: [200],
    errors: [404],
  },
  'POST /v1/services/{service_number}/upgrade': {
    scopes: ['admin:full'],
    idempotent: true,
    success: [200, 202],
    errors: [404, 409],
  },
  'POST /v1/services/{service_number}/downgrade': {
    scopes: ['admin:full'],
    idempotent: true,
    success: [200, 202],
    errors: [404, 409],
  },
  'POST /v1/services/{service_number}/cancel': {
    scopes: ['admin:full'],
    idempotent: true,
    success: [200],
    errors: [404, 409],
  },
  'POST /v1/services/{service_number}/update': {
    scopes: ['services:write', 'admin:full'],
    idempotent: true,
    success: [200],
    errors: [404, 409],
  },
  'POST /v1/services/{service_number}/cancellation-warning': { scopes: ['admin:full'], success: [200], errors: [404] },
  'POST /v1/services/{service_number}/actions': {
    scopes: ['services:operate', 'admin:full'],
    idempotent: true,
    success: [200, 202],
    errors: [404, 409],
  },
  'GET /v1/services/{service_number}/credentials': {
    scopes: ['credentials:read', 'admin:full'],
    success: [200],
    errors: [404],
  },
  'GET /v1/plans': { scopes: ['plans:read', 'admin:full'], success: [200] },
  'GET /v1/requests': { scopes: ['requests:read', 'admin:full'], success: [200] },
  'GET /v1/requests/{request_id}': { scopes: ['requests:read', 'admin:full'], success: [200], errors: [404] },
  'POST /v1/requests/{request_id}/approve': {
    scopes: ['requests:write', 'admin:full'],
    idempotent: true,
    success: [200],
    errors: [404, 409],
  },
  'POST /v1/requests/{request_id}/deny': {
    scopes: ['requests:write', 'admin:full'],
    success: [200],
    errors: [404, 409],
  },
  'POST /v1/requests/{request_id}/withdraw': {
    scopes: ['services:operate', 'admin:full'],
    idempotent: true,
    success: [200],
    errors: [404, 409],
  },
  'POST /v1/reports/services': {
    scopes: ['reports:send', 'admin:full'],
    idempotent: true,
    success: [200],
    errors: [409],
  },
  'POST /v1/reports/invoices': {
    scopes: ['reports:send', 'admin:full'],
    idempotent: true,
    success: [200],
    errors: [409],
  },
  'POST /v1/services/{service_number}/suspend': {
    scopes: ['admin:full'],
    idempotent: true,
    success: [200],
    errors: [404, 409],
  },
  'POST /v1/services/{service_number}/unsuspend': {
    scopes: ['admin:full'],
    idempotent: true,
    success: [200],
    errors: [404, 409],
  },
  'GET /v1/consumption': { scopes: ['services:read', 'admin:full'], success: [200] },
  'GET /v1/usage': { scopes: [], success: [200] },
  'GET /v1/sandbox': { scopes: [], success: [200], errors: [404] },
  'GET /v1/sandbox/scenarios': { scopes: [], success: [200], errors: [404] },
  'POST /v1/sandbox/clock': { scopes: ['admin:full'], success: [200], errors: [404] },
  'POST /v1/sandbox/reset': { scopes: ['admin:full'], success: [200], errors: [404] },
};

const GATES = [400, 401, 403, 429, 500];

type Json = Record<string, unknown>;
interface Operation extends Json {
  operationId: string;
  parameters?: Array<{
    name: string;
    in: string;
    required?: boolean;
    schema: Json;
    description?: string;
    example?: unknown;
  }>;
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
interface Media {
  schema: Json;
  /** Of a body and a success. */
  example?: unknown;
  /** Of failures, by code. */
  examples?: Record<string, Example>;
}
interface Example {
  value: { error?: { code: string } };
}

async function described(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const answer = await world.app.inject('/api/openapi.json');
  const document = answer.json();
  const operations: Record<string, Operation> = {};
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations[`${method.toUpperCase()} ${path}`] = operation;
    }
  }
  return { ...world, answer, document, operations };
}

t.test('the routes are those of the contract and no other, each documented', async (t) => {
  const { app, operations } = await described(t);
  t.strictSame(Object.keys(operations).sort(), Object.keys(CONTRACT).sort());
  const pages = ['', '/llms.txt', '/changelog.md', '/reference', '/errors', '/search'].map(
    (page) => `/api/docs${page}`,
  );
  const outside = ['/health/live', '/health/ready', '/api/openapi.json', ...pages];
  for (const url of outside) t.equal((await app.inject(url)).statusCode, 200, url);
  const known = new Set([
    ...Object.keys(CONTRACT).map((name) => name.replace(' ', ' /api')),
    ...outside.map((url) => `GET ${url}`),
    'GET /api/docs/reference/{operation}',
    ...outside.filter((url) => url.startsWith('/health/')).map((url) => `HEAD ${url}`),
  ]);
  const routes = routesOf(app.printRoutes({ commonPrefix: false }));
  t.strictSame(
    [...known].filter((name) => !routes.includes(name)),
    [],
  );
  // The page's files.
  t.strictSame(
    routes.filter(
      (name) => !known.has(name) && !/^GET \/api\/docs\/(static\/|examples\/|integrations\/|\w+\.tgz$)/.test(name),
    ),
    [],
  );
});

t.test('each is refused without a key, and with one that lacks its scopes', async (t) => {
  const { app, addBroker, addKey, call } = await described(t);
  const broker = await addBroker();
  const all = [...new Set(Object.values(CONTRACT).flatMap(({ scopes }) => scopes))];
  const keysOf = async (mode: 'live' | 'test') => ({
    none: await addKey(broker, [], { mode }),
    enough: await Promise.all(
      all.map(async (scope) => ({ scope, ...(await addKey(broker, [scope as 'admin:full'], { mode })) })),
    ),
  });
  const [live, test] = [await keysOf('live'), await keysOf('test')];
  for (const [name, { scopes }] of Object.entries(CONTRACT)) {
    const [method = '', path = ''] = name.split(' ');
    const url = path.replace('/v1', '').replace(/\{\w+\}/, '1');
    // To a live key the sandbox's paths are unknown.
    const { none, enough } = path.startsWith('/v1/sandbox') ? test : live;
    const refused = await app.inject({ method: method as 'GET', url: `/api/v1${url}` });
    isRefusal(
      t,
      { ...refused, status: refused.statusCode, body: refused.body },
      401,
      'authentication_failed',
      'missing',
      name,
    );
    const { status, json } = await call(none.key, method as 'GET', url);
    if (scopes.length === 0) t.not(status, 403, name);
    else t.strictSame([status, json.error.details.required_scopes], [403, scopes], name);
    for (const { scope, key } of enough.filter(({ scope }) => scopes.includes(scope))) {
      t.not((await call(key, method as 'GET', url)).status, 403, `${name} with ${scope}`);
    }
  }
});

t.test('each declares its success and every error that it can answer, one by one', async (t) => {
  const { operations, document } = await described(t);
  const resolve = resolver(document);
  const faults: string[] = [];
  for (const [name, { success, errors = [], scopes }] of Object.entries(CONTRACT)) {
    const { responses, description } = operations[name] as Operation;
    t.strictSame(
      Object.keys(responses).map(Number).sort(),
      [...success, ...GATES, ...errors].sort((a, b) => a - b),
      name,
    );
    for (const [status, response] of Object.entries(responses)) {
      const answer = resolve(response) as Operation['responses'][string];
      if (answer.description.length === 0) faults.push(`${name} ${status}: no description`);
      const schema = resolve(answer.content?.['application/json']?.schema) as { properties: Json; required: string[] };
      for (const field of ['success', Number(status) < 400 ? 'data' : 'error'])
        if (!schema.required.includes(field)) faults.push(`${name} ${status}: ${field} is not required`);
    }
    for (const scope of scopes) if (!String(description).includes(scope)) faults.push(`${name}: ${scope}`);
  }
  const codes = JSON.stringify(document);
  for (const code of ERROR_CODES) if (!codes.includes(`"${code}"`)) faults.push(code);
  t.strictSame(faults, []);
});

t.test('each has an id of its own, a summary, its parameters and, where it counts, the idempotency key', async (t) => {
  const { operations, document } = await described(t);
  const resolve = resolver(document);
  const ids = Object.values(operations).map(({ operationId }) => operationId);
  t.equal(new Set(ids).size, Object.keys(CONTRACT).length);
  const incomplete: string[] = [];
  for (const [name, { idempotent }] of Object.entries(CONTRACT)) {
    const { operationId, summary, tags, parameters = [], requestBody } = operations[name] as Operation;
    t.match(operationId, /^[a-z][A-Za-z]+$/, name);
    t.type(summary, 'string', name);
    t.equal((tags as string[]).length, 1, name);
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    t.strictSame(
      inPath.map((parameter) => `{${parameter.name}}`),
      name.match(/\{\w+\}/g) ?? [],
      name,
    );
    for (const parameter of parameters) {
      if (!(resolve(parameter.schema) as Json).type || !parameter.description)
        incomplete.push(`${name} ${parameter.name}`);
    }
    const number = parameters.find((parameter) => parameter.name === 'service_number');
    if (number) t.match(number.schema, { type: 'integer', format: 'int64' }, name);
    t.strictSame(
      parameters.filter((parameter) => parameter.in === 'header').map((parameter) => parameter.name),
      idempotent ? ['x-idempotency-key', 'idempotency-key'] : [],
      name,
    );
    t.equal(requestBody !== undefined, name.startsWith('POST'), name);
  }
  t.strictSame(incomplete, []);
});

t.test(
  'the document is OpenAPI 3.1 of the fixed title and of this release, and all that it refers to is there',
  async (t) => {
    const { answer, document, operations } = await described(t);
    t.match(answer.headers['content-type'], /^application\/json/);
    t.match(document.openapi, /^3\.1\./);
    t.match(document.info, { title: 'Broker API', version: VERSION });
    t.match(document.servers, [{ url: 'http://localhost:80/api' }], 'the address that the caller uses');
    const { app: elsewhere } = await served(t, { config: { publicUrl: 'https://api.example.com' } });
    const absolute = (await elsewhere.inject('/api/openapi.json')).json();
    t.match(absolute.servers, [{ url: 'https://api.example.com/api' }], 'absolute where the configuration says so');
    t.match(document.info, { contact: { name: String }, license: { name: String, identifier: String } });
    t.notOk(Object.keys(document.components.schemas).includes('Error'), 'a name that languages have a meaning for');
    t.match(document.components.securitySchemes, { apiKey: { type: 'http', scheme: 'bearer' } });
    t.strictSame(document.security, [{ apiKey: [] }]);

    const tags = document.tags.map(({ name }: { name: string }) => name);
    const resolve = resolver(document);
    let references = 0;
    const lost: unknown[] = [];
    walk(document, (node) => {
      if (typeof node.$ref !== 'string') return;
      references += 1;
      if (!resolve(node)) lost.push(node.$ref);
    });
    t.strictSame(lost, []);
    t.ok(references > 0);
    const ours: string[] = [];
    walk([document.paths, document.components], (node) => {
      const words = [
        'document',
        'component',
        'narrow',
        'codes',
        'digits',
        'conflicts',
        'companions',
        'alike',
        'ordered',
      ];
      ours.push(...words.filter((word) => Object.hasOwn(node, word)));
      if (['service-number', 'timestamp', 'mailbox'].includes(String(node.format))) ours.push(String(node.format));
    });
    t.strictSame(ours, [], 'no keyword or format that is ours alone');
    for (const { tags: own } of Object.values(operations)) t.ok(tags.includes((own as string[])[0]));
  },
);

t.test('every example fits the schema that it stands in', async (t) => {
  const { document } = await described(t);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  let examples = 0;
  const faults: string[] = [];
  walk(document, (node) => {
    if (!Array.isArray(node.examples) || !('type' in node)) return;
    const rebased = JSON.parse(JSON.stringify(node).replaceAll('"#/', '"document#/'));
    const validate = ajv.compile(rebased as AnySchema);
    for (const example of node.examples) {
      examples += 1;
      if (!validate(example)) faults.push(`${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`);
    }
  });
  t.strictSame(faults, []);
  t.ok(examples > 10, 'there are examples');
});

t.test('each operation shows a call that succeeds, and an answer for every status and code', async (t) => {
  const { document, operations } = await described(t);
  const resolve = resolver(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  const faults: string[] = [];
  const fits = (schema: unknown, value: unknown, title: string) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as AnySchema);
    if (!validate(value)) faults.push(`${title}: ${ajv.errorsText(validate.errors)}`);
  };
  for (const [name, { parameters = [], requestBody, responses }] of Object.entries(operations)) {
    for (const { schema, example, name: field } of parameters) fits(schema, example, `${name} ${field}`);
    const body = requestBody?.content['application/json'];
    if (body) {
      fits(body.schema, body.example, `${name} body`);
    }
    for (const [status, { content, description }] of Object.entries(responses)) {
      const { schema, example, examples = {} } = content?.['application/json'] ?? {};
      if (status < '400') {
        fits(schema, example, `${name} ${status}`);
        continue;
      }
      const answers = Object.values(examples).map((answer) => (resolve(answer) as Example).value);
      for (const answer of answers) fits(schema, answer, `${name} ${status}`);
      const listed = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code);
      const shown = answers.map((answer) => answer.error?.code);
      t.strictSame(shown.sort(), listed.sort(), `${name} ${status}`);
    }
  }
  t.strictSame(faults, []);
});

/** `METHOD /path/{parameter}` of each route, from Fastify's drawing of its tree. */
function routesOf(drawing: string): string[] {
  const above: string[] = [];
  return drawing.split('\n').flatMap((line) => {
    const [, indent = '', part, methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (part === undefined) return [];
    above.length = indent.length / 4;
    above.push(part);
    const path = above.join('').replaceAll(/:(\w+)/g, '{$1}');
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path}`);
  });
}

/** Follows a `$ref` inside of the document. */
const resolver = (document: Json) => (node: unknown) => {
  const reference = (node as { $ref?: string } | undefined)?.$ref;
  if (reference === undefined) return node;
  return reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[name.replaceAll('~1', '/')], document);
};

/** Visits every object of a tree. */
function walk(node: unknown, visit: (node: Json) => void): void {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) visit(node as Json);
  for (const inner of Object.values(node)) walk(inner, visit);
}
