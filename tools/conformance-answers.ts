import type { OpenAPIV3_1 } from 'openapi-types';

const NOTICE = '// Generated from the OpenAPI document by `npm run generate`; do not edit.\n';

/** What of a schema the kit looks at; texts for people and bounds are left out. */
const KEPT = ['$ref', 'allOf', 'anyOf', 'oneOf', 'type', 'const', 'enum', 'pattern', 'required', 'properties', 'items'];

/** conformance/src/generated/answers.ts: what the conformance checks compare each success with. */
export function answersModule({ paths = {}, components }: OpenAPIV3_1.Document): string {
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
  return `${NOTICE}import type { Schema } from '../shapes.ts';

/** What \`data\` of a success is, by method, path and status. */
export const ANSWERS: Readonly<Record<string, Schema>> = ${text(answers)};

/** What they refer to. */
export const SCHEMAS: Readonly<Record<string, Schema>> = ${text(schemas)};
`;
}
