import type { OpenAPIV3_1 } from 'openapi-types';
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
    item: foldersOf(operations).map(([name, own]) => ({ name, item: own.map(postmanItem) })),
  };
}

function postmanItem({ name, method, path, description, pathParameters, query, takesIdempotencyKey, body }: Operation) {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(.+)\}$/, ':$1'));
  return {
    name,
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
  for (const [index, [folder, own]] of foldersOf(operations).entries()) {
    files[`${folder}/folder.bru`] = blocks([['meta', [`name: ${folder}`, `seq: ${index + 1}`]]]);
    for (const [position, operation] of own.entries()) {
      // What no file system minds.
      files[`${folder}/${operation.name.replace(/[^\w ().,-]/g, '')}.bru`] = brunoRequest(operation, position + 1);
    }
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`collections/bruno/${path}`, text]));
}

function brunoRequest(
  { name, method, path, description, pathParameters, query, takesIdempotencyKey, body }: Operation,
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
    ['docs', description.split('\n')],
  ]);
}

/** Blocks of Bruno's own notation; those without a line are left out. */
const blocks = (list: Array<[name: string, lines: string[]]>): string =>
  list
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}\n`)
    .join('\n');
