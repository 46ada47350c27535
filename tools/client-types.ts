import { mkdirSync, writeFileSync } from 'node:fs';
import type { OpenAPIV3_1 } from 'openapi-types';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { currentDocument, currentOperatorDocument } from '../src/api-document.ts';
import { packageFile } from '../src/paths.ts';

/* `npm run client`, and the build with a folder of its own: writes the client's types and what it has to know of the operations, from the OpenAPI document. */

type DescribedApi = OpenAPIV3_1.Document & {
  'x-errors': Array<{ code: string; status: number; reasons: Array<{ reason: string }> }>;
};

const NOTICE = '// Generated from the OpenAPI document by `npm run client`; do not edit.\n';
const folder = process.argv[2] ?? packageFile('client/src/generated');
const document = (await currentDocument()) as DescribedApi;
mkdirSync(folder, { recursive: true });
const types = astToString(await openapiTypescript(structuredClone(document) as never));
writeFileSync(`${folder}/schema.ts`, NOTICE + types);
const ofOperator = astToString(await openapiTypescript(structuredClone(await currentOperatorDocument()) as never));
writeFileSync(`${folder}/operator-schema.ts`, NOTICE + ofOperator);
writeFileSync(`${folder}/operations.ts`, NOTICE + operationsModule(document));

function operationsModule({ paths = {}, 'x-errors': errors }: DescribedApi): string {
  const keyed = Object.entries(paths).flatMap(([path, item]) =>
    item?.post?.parameters?.some((parameter) => 'in' in parameter && parameter.name === 'x-idempotency-key')
      ? [`  '${path}',`]
      : [],
  );
  const statuses = errors.map(({ code, status }) => [code, status]);
  const reasons = errors.flatMap(({ code, reasons: known }) =>
    known.length > 0 ? [[code, known.map(({ reason }) => reason)]] : [],
  );
  const constant = (entries: unknown[][]) => `${JSON.stringify(Object.fromEntries(entries), null, 2)} as const;`;
  return [
    '',
    '/** The actions that take an idempotency key. */',
    'export const TAKES_IDEMPOTENCY_KEY: ReadonlySet<string> = new Set([',
    ...keyed.sort(),
    ']);',
    '',
    '/** The status that each code is answered with. */',
    `export const STATUSES = ${constant(statuses)}`,
    '',
    '/** The words of `reason` by code; codes without an entry have none. */',
    `export const REASONS = ${constant(reasons)}`,
    '',
  ].join('\n');
}
