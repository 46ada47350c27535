import type { OpenAPIV3_1 } from 'openapi-types';
import openapiTypescript, { astToString } from 'openapi-typescript';

const NOTICE = '// Generated from the OpenAPI document by `npm run generate`; do not edit.\n';

/** The generated part of the client, by path in this tree: the types of all operations, and what it must know of them. */
export async function clientFiles(document: OpenAPIV3_1.Document): Promise<Record<string, string>> {
  const types = astToString(await openapiTypescript(structuredClone(document) as never));
  return {
    'client/src/generated/schema.ts': NOTICE + types,
    'client/src/generated/operations.ts': NOTICE + operationsModule(document),
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
