import type { OpenAPIV3_1 } from 'openapi-types';
import { STEPS, type Step, WALK, WALK_DOCS } from './collection-walk.ts';
import { type Operation, operationsOf, VARIABLES } from './operations.ts';

const NAME = 'Broker API';

/** The Postman (v2.1) and Bruno collections of the document, by path in this tree. */
export function collectionFiles(document: OpenAPIV3_1.Document): Record<string, string> {
  const operations = operationsOf(document);
  return {
    'collections/broker-api.postman_collection.json': `${JSON.stringify(postman(operations), null, 2)}\n`,
    ...bruno(operations),
  };
}

const foldersOf = (operations: Operation[]): Array<[folder: string, operations: Operation[]]> =>
  [...new Set(operations.map(({ folder }) => folder))].map((folder) => [
    folder,
    operations.filter((operation) => operation.folder === folder),
  ]);

function postman(operations: Operation[]) {
  return {
    info: {
      name: NAME,
      description:
        "Generated from the OpenAPI document. Set base_url and api_key; the key given is the demo data's sandbox key.",
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    event: [scripted(ENVELOPE)],
    item: [
      { name: WALK, description: WALK_DOCS, item: STEPS.map(postmanStep) },
      ...foldersOf(operations).map(([name, own]) => ({ name, item: own.map(postmanItem) })),
    ],
  };
}

function postmanItem({
  name,
  method,
  path,
  description,
  pathParameters,
  query,
  takesIdempotencyKey,
  body,
  statuses,
}: Operation) {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(.+)\}$/, ':$1'));
  return {
    name,
    event: [scripted([`pm.test('success', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(', ')}]));`])],
    request: {
      method,
      description,
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        // A new one each time it is sent: repeat a call with the same one instead.
        ...(takesIdempotencyKey ? [{ key: 'X-Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      ...(body !== undefined && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
      url: {
        raw: `{{base_url}}/${segments.join('/')}`,
        host: ['{{base_url}}'],
        path: segments,
        ...(query.length > 0 && {
          query: query.map(({ name: key, value, description }) => ({ key, value, description, disabled: true })),
        }),
        ...(pathParameters.length > 0 && {
          variable: pathParameters.map(({ name: key, value }) => ({ key, value })),
        }),
      },
    },
    response: [],
  };
}

/** What holds for every answer. */
const ENVELOPE = [
  "pm.test('an answer of the API', () => {",
  "  pm.expect(pm.response.headers.get('X-Request-Id')).to.be.a('string');",
  "  pm.expect(pm.response.json().success).to.be.a('boolean');",
  '});',
];

const scripted = (exec: string[]) => ({ listen: 'test', script: { type: 'text/javascript', exec } });

const entriesOf = (object: object = {}): Array<[string, unknown]> => Object.entries(object);

function postmanStep({ name, method, path, body, idempotent, sandboxOnly, status, expect, keep }: Step) {
  const [segments = '', query] = path.slice(1).split('?');
  return {
    name,
    event: [
      scripted([
        `pm.test('${status}', () => pm.response.to.have.status(${status}));`,
        'const answer = pm.response.json();',
        ...entriesOf(expect).map(
          ([field, value]) => `pm.test('${field}', () => pm.expect(answer.${field}).to.eql(${JSON.stringify(value)}));`,
        ),
        ...entriesOf(keep).map(([variable, field]) => `pm.collectionVariables.set('${variable}', answer.${field});`),
        ...(sandboxOnly ? ["if (answer.data?.mode !== 'test') pm.execution.setNextRequest(null);"] : []),
      ]),
    ],
    request: {
      method,
      header: [
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...(idempotent ? [{ key: 'X-Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      ...(body && { body: { mode: 'raw', raw: JSON.stringify(body), options: { raw: { language: 'json' } } } }),
      url: {
        raw: `{{base_url}}${path}`,
        host: ['{{base_url}}'],
        path: segments.split('/'),
        ...(query && { query: [query.split('=')].map(([key, value]) => ({ key, value })) }),
      },
    },
    response: [],
  };
}

function bruno(operations: Operation[]): Record<string, string> {
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name: NAME, type: 'collection' }, null, 2)}\n`,
    'collection.bru': blocks([
      ['auth', ['mode: bearer']],
      ['auth:bearer', ['token: {{api_key}}']],
      [
        'docs',
        ['Generated from the OpenAPI document. Choose the environment "local", or make one of your own like it.'],
      ],
    ]),
    'environments/local.bru': blocks([['vars', Object.entries(VARIABLES).map(([name, value]) => `${name}: ${value}`)]]),
  };
  files[`${WALK}/folder.bru`] = blocks([
    ['meta', [`name: ${WALK}`, 'seq: 1']],
    ['docs', [WALK_DOCS]],
  ]);
  for (const [position, step] of STEPS.entries()) {
    const number = String(position + 1).padStart(2, '0');
    files[`${WALK}/${number} ${step.name}.bru`] = brunoStep(step, position + 1);
  }
  for (const [index, [folder, own]] of foldersOf(operations).entries()) {
    files[`${folder}/folder.bru`] = blocks([['meta', [`name: ${folder}`, `seq: ${index + 2}`]]]);
    for (const [position, operation] of own.entries()) {
      // What no file system minds.
      files[`${folder}/${operation.name.replace(/[^\w ().,-]/g, '')}.bru`] = brunoRequest(operation, position + 1);
    }
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`collections/bruno/${path}`, text]));
}

function brunoRequest(
  { name, method, path, description, pathParameters, query, takesIdempotencyKey, body, statuses }: Operation,
  seq: number,
): string {
  const url = path.replace(/\{(\w+)\}/g, ':$1');
  return blocks([
    ['meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]],
    [
      method.toLowerCase(),
      [`url: {{base_url}}${url}`, `body: ${body === undefined ? 'none' : 'json'}`, 'auth: inherit'],
    ],
    // A tilde turns a line off.
    ['params:query', query.map((parameter) => `~${parameter.name}: ${parameter.value}`)],
    ['params:path', pathParameters.map((parameter) => `${parameter.name}: ${parameter.value}`)],
    ['headers', takesIdempotencyKey ? ['X-Idempotency-Key: {{$guid}}'] : []],
    ['body:json', body?.split('\n') ?? []],
    ['assert', [`res.status: in ${statuses.join(', ')}`, 'res.body.success: eq true']],
    ['docs', description.split('\n')],
  ]);
}

function brunoStep(
  { name, method, path, body, idempotent, sandboxOnly, status, expect, keep }: Step,
  seq: number,
): string {
  return blocks([
    ['meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]],
    [method.toLowerCase(), [`url: {{base_url}}${path}`, `body: ${body ? 'json' : 'none'}`, 'auth: inherit']],
    ['params:query', path.includes('?') ? [String(path.split('?')[1]).replace('=', ': ')] : []],
    ['headers', idempotent ? ['X-Idempotency-Key: {{$guid}}'] : []],
    ['body:json', body ? JSON.stringify(body, null, 2).split('\n') : []],
    ['vars:post-response', entriesOf(keep).map(([variable, field]) => `${variable}: res.body.${field}`)],
    [
      'assert',
      [
        `res.status: eq ${status}`,
        'res.body.success: eq true',
        ...entriesOf(expect).map(([field, value]) => `res.body.${field}: eq ${value}`),
      ],
    ],
    ['script:post-response', sandboxOnly ? ["if (res.body.data?.mode !== 'test') bru.runner.stopExecution();"] : []],
  ]);
}

/** Blocks of Bruno's own notation; those without a line are left out. */
const blocks = (list: Array<[name: string, lines: string[]]>): string =>
  list
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}\n`)
    .join('\n');
