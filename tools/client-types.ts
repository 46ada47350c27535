import { mkdirSync, writeFileSync } from 'node:fs';
import type { OpenAPIV3_1 } from 'openapi-types';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { currentDocument } from '../src/api-document.ts';
import { packageFile } from '../src/paths.ts';

/* `npm run client`: writes the client's types and what it has to know of the operations, from the OpenAPI document. */

const NOTICE = '// Generated from the OpenAPI document by `npm run client`; do not edit.\n';
const folder = packageFile('client/src/generated');
const document = await currentDocument();
mkdirSync(folder, { recursive: true });
const types = astToString(await openapiTypescript(structuredClone(document) as never));
writeFileSync(`${folder}/schema.ts`, NOTICE + types);
writeFileSync(`${folder}/operations.ts`, NOTICE + operationsModule(document));

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
