import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { STEPS, WALK } from '../../tools/collection-walk.ts';
import { collectionFiles } from '../../tools/collections.ts';
import { currentDocument } from '../../tools/document.ts';
import { operationsOf, VARIABLES } from '../../tools/operations.ts';
import { served } from '../support/served.ts';

t.test('the collections are those of the document; npm run collections makes them so', async (t) => {
  const files = collectionFiles(await currentDocument());
  const there = readdirSync('collections', { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join('collections', path))
    .filter((path) => /\.(json|bru)$/.test(path));
  t.strictSame(there.sort(), Object.keys(files).sort(), 'nothing is missing or left over');
  for (const [path, text] of Object.entries(files)) {
    t.ok(existsSync(path) && readFileSync(path, 'utf8') === text, path);
  }
});

t.test('every request of the collections succeeds in a sandbox as it is made', async (t) => {
  const world = await served(t);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode: 'test' });
  const document = await currentDocument();
  const { item: folders } = JSON.parse(
    collectionFiles(document)['collections/broker-api.postman_collection.json'] as string,
  );
  const email = 'accounts@demo-hosting.example.com';
  // The example names an address that the demo data has verified.
  await world.store.tx((tx) =>
    tx.brokers.addRecipient({ brokerId: world.broker.id, email, emailFolded: email, createdAt: 0 }),
  );
  const requests = folders
    .filter(({ name }: { name: string }) => name !== WALK)
    .flatMap(({ item }: { item: Array<{ name: string; request: PostmanRequest }> }) => item);
  t.equal(requests.length, operationsOf(document).length);
  for (const { name, request } of requests as Array<{ name: string; request: PostmanRequest }>) {
    const path = request.url.path.map((segment) => {
      const value = request.url.variable?.find(({ key }) => `:${key}` === segment)?.value;
      return value === undefined ? segment : (VARIABLES[value.slice(2, -2)] ?? value);
    });
    const url = `/${path.slice(1).join('/')}`;
    const body = request.body && JSON.parse(request.body.raw);
    const answer = await world.call(key, request.method, url, body === undefined ? {} : { body });
    t.ok(answer.status < 300, `${name}: ${answer.status} ${answer.raw.slice(0, 200)}`);
  }
});

t.test(
  'the walk runs from top to bottom: each call answers as it says, and hands on what the next one needs',
  async (t) => {
    const world = await served(t);
    const { key } = await world.addKey(world.broker, ['admin:full'], { mode: 'test' });
    const kept: Record<string, unknown> = {};
    const at = (answer: unknown, path: string) =>
      path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer);
    for (const [index, { name, method, path, body, idempotent, status, expect = {}, keep = {} }] of STEPS.entries()) {
      const url = path.replace('/v1', '').replaceAll(/\{\{(\w+)\}\}/g, (_, variable) => String(kept[variable]));
      const headers = idempotent ? { 'x-idempotency-key': `walk-${index}` } : {};
      const answer = await world.call(key, method, url, { headers, ...(body && { body }) });
      t.equal(answer.status, status, name);
      for (const [field, value] of Object.entries(expect)) t.equal(at(answer.json, field), value, `${name}: ${field}`);
      for (const [variable, field] of Object.entries(keep)) kept[variable] = at(answer.json, field);
    }
  },
);

t.test('the walk ends at its first call with a live key', async (t) => {
  const text = collectionFiles(await currentDocument())['collections/broker-api.postman_collection.json'] as string;
  const [
    {
      item: [first],
    },
  ] = JSON.parse(text).item;
  const next = (mode: string): unknown => {
    let named: unknown = 'the following one';
    const pm = {
      test: () => undefined,
      response: { json: () => ({ data: { mode } }) },
      execution: { setNextRequest: (request: unknown) => (named = request) },
    };
    runInNewContext(first.event[0].script.exec.join('\n'), { pm });
    return named;
  };
  t.strictSame([next('live'), next('test')], [null, 'the following one']);
});

t.test('an example is taken from wherever the document has one', async (t) => {
  const json = (media: object) => ({ post: { requestBody: { content: { 'application/json': media } } } });
  const parameters = [
    { name: 'size', in: 'query', schema: { default: 25 } },
    { name: 'all', in: 'query' },
  ];
  const paths = {
    '/v1/a': json({ example: { a: 1 } }),
    '/v1/b': json({ examples: { first: { value: { b: 1 } } } }),
    '/v1/c': json({ schema: { examples: [{ c: 1 }] } }),
    '/v1/d': json({}),
    '/v1/f': json({ schema: { $ref: '#/components/schemas/Thing' } }),
    '/v1/e': { get: { operationId: 'list', parameters } },
    '/elsewhere': { get: {} },
  };
  const operations = operationsOf({ paths, components: { schemas: { Thing: { examples: [{ f: 1 }] } } } } as never);
  t.strictSame(
    operations.map(({ body }) => body && JSON.parse(body)),
    [{ a: 1 }, { b: 1 }, { c: 1 }, {}, { f: 1 }, undefined],
  );
  t.match(operations.at(-1), { name: 'list', folder: 'API', query: [{ value: '25' }, { value: '' }] });
  t.match(operations[0], { name: '/v1/a' });
  t.strictSame(operationsOf({} as never), []);
});

t.test('a path parameter without a value in the collections is an error', async (t) => {
  const operation = { parameters: [{ name: 'colour', in: 'path' }] };
  const paths = { '/v1/things/{colour}': { get: operation } };
  t.throws(() => operationsOf({ paths } as never), { message: /no example of the path parameter colour/ });
});

interface PostmanRequest {
  method: 'GET' | 'POST';
  url: { path: string[]; variable?: Array<{ key: string; value: string }> };
  body?: { raw: string };
}
