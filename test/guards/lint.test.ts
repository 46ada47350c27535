import { createConfig, lintFromString } from '@redocly/openapi-core';
import t from 'tap';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { served } from '../support/served.ts';

/** As it is published where everything is configured. */
async function published(t: Tap): Promise<string> {
  const { app } = await served(t, { config: { publicUrl: 'https://api.hosting.test' } });
  return (await app.inject('/api/openapi.json')).body;
}
type Tap = Parameters<typeof served>[0];

async function publishedForOperators(t: Tap): Promise<string> {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  return (await api.app.inject({ url: '/operator/openapi.json', headers: { host: 'console.hosting.test' } })).body;
}

for (const [name, source] of [
  ['the API of the brokers', published],
  ['the operator’s API', publishedForOperators],
] as const) {
  t.test(`Redocly finds nothing in the document of ${name}`, async (t) => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const found = await lintFromString({ source: await source(t), absoluteRef: 'openapi.json', config });
    t.strictSame(
      found.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`),
      [],
    );
  });
}

interface Node {
  type?: string | string[];
  [keyword: string]: unknown;
}

/** Every schema with a type in the document, with its path. */
function typed(value: unknown, path = ''): Array<[path: string, node: Node]> {
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as Node;
  const own: Array<[string, Node]> = typeof type === 'string' || Array.isArray(type) ? [[path, value as Node]] : [];
  const inner = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples');
  return [...own, ...inner.flatMap(([name, each]) => typed(each, `${path}/${name}`))];
}

/** One of these keywords bounds a value of the type. */
const BOUNDS: Record<string, readonly string[]> = {
  string: ['maxLength', 'enum', 'const', 'format'],
  array: ['maxItems'],
  integer: ['maximum', 'enum', 'const'],
  number: ['maximum', 'enum', 'const'],
};

const unbounded = (document: unknown): string[] =>
  typed(document).flatMap(([path, node]) =>
    [node.type]
      .flat()
      .filter((type) => type !== undefined && BOUNDS[type]?.every((keyword) => !(keyword in node)))
      .map((type) => `${path}: ${type}`),
  );

t.test('every text, list and number of the document has an upper bound', async (t) => {
  t.strictSame(unbounded({ a: { type: ['string', 'null'] }, b: { type: 'array', items: { type: 'integer' } } }), [
    '/a: string',
    '/b: array',
    '/b/items: integer',
  ]);
  t.strictSame(unbounded(JSON.parse(await published(t))), []);
});
