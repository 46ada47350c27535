import type { OpenAPIV3_1 } from 'openapi-types';
import openapiTypescript, { astToString } from 'openapi-typescript';

const NOTICE = '// Generated from the OpenAPI document by `npm run generate`; do not edit.\n';

/**
 * The generated parts of the client and the conformance kit, by path in this tree: the types of all operations, what
 * the client must know of them, and what the kit holds each success against.
 */
export async function clientFiles(document: OpenAPIV3_1.Document): Promise<Record<string, string>> {
  const types = astToString(await openapiTypescript(structuredClone(document) as never));
  return {
    'client/src/generated/schema.ts': NOTICE + types,
    'client/src/generated/operations.ts': NOTICE + operationsModule(document),
    'conformance/src/generated/answers.ts': NOTICE + answersModule(document),
  };
}

function operationsModule({ paths = {} }: OpenAPIV3_1.Document): string {
  const keyed = Object.entries(paths).flatMap(([path, item]) =>
    item?.post?.parameters?.some((parameter) => 'in' in parameter && parameter.name === 'x-idempotency-key')
      ? [`  '${path}',`]
      : [],
  );
  return [
    '',
    '/** The actions that take an idempotency key. */',
    'export const TAKES_IDEMPOTENCY_KEY: ReadonlySet<string> = new Set([',
    ...keyed.sort(),
    ']);',
    '',
  ].join('\n');
}

/** What of a schema the kit looks at; texts for people and bounds are left out. */
const KEPT = ['$ref', 'allOf', 'anyOf', 'oneOf', 'type', 'const', 'enum', 'pattern', 'required', 'properties', 'items'];

function answersModule({ paths = {}, components }: OpenAPIV3_1.Document): string {
  const answers: Record<string, unknown> = {};
  const used = new Set<string>();
  const kept = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(kept);
    if (typeof schema !== 'object' || schema === null) return schema;
    const entries = Object.entries(schema).filter(([name]) => KEPT.includes(name));
    return Object.fromEntries(
      entries.map(([name, value]) => {
        if (name === '$ref') used.add(value.split('/').at(-1));
        const named = name === 'properties' && Object.entries(value).map(([field, inner]) => [field, kept(inner)]);
        return [name, named ? Object.fromEntries(named) : kept(value)];
      }),
    );
  };
  for (const [path, item] of Object.entries(paths)) {
    for (const method of ['get', 'post'] as const) {
      for (const [status, response] of Object.entries(item?.[method]?.responses ?? {})) {
        const schema = 'content' in response && response.content?.['application/json']?.schema;
        const data = status.startsWith('2') && schema && 'properties' in schema && schema.properties?.data;
        if (data && path.startsWith('/v1')) answers[`${method.toUpperCase()} ${path} ${status}`] = kept(data);
      }
    }
  }
  const schemas: Record<string, unknown> = {};
  // A set goes on to what is added to it meanwhile.
  for (const name of used) schemas[name] = kept(components?.schemas?.[name]);
  const text = (value: unknown) => JSON.stringify(value, null, 2);
  return `import type { Schema } from '../shapes.ts';

/** What \`data\` of a success is, by method, path and status. */
export const ANSWERS: Readonly<Record<string, Schema>> = ${text(answers)};

/** What they refer to. */
export const SCHEMAS: Readonly<Record<string, Schema>> = ${text(schemas)};
`;
}
