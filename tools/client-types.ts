import { mkdirSync, writeFileSync } from 'node:fs';
import type { OpenAPIV3_1 } from 'openapi-types';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { TIMESTAMP_PATTERN } from '../schemas/atoms.ts';
import { PAST_TIME_PATTERN } from '../src/operator-api/schemas.ts';
import { currentDocument, currentOperatorDocument } from '../src/process/api-document.ts';
import { packageFile } from '../src/runtime/paths.ts';

/* `npm run client`, and the build with a folder of its own: writes the client's types and what it has to know of the operations, from the OpenAPI document. */

type DescribedApi = OpenAPIV3_1.Document & {
  'x-errors': Array<{ code: string; status: number; reasons: Array<{ reason: string }> }>;
};

const NOTICE = '// Generated from the OpenAPI document by `npm run client`; do not edit.\n';
/** The patterns of dates that a call takes. */
const DATES = new Set<unknown>([TIMESTAMP_PATTERN, PAST_TIME_PATTERN]);
const folder = process.argv[2] ?? packageFile('client/src/generated');
const document = (await currentDocument()) as DescribedApi;
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/schema.ts`, await typesOf(document));
writeFileSync(`${folder}/operator-schema.ts`, await typesOf(await currentOperatorDocument()));
writeFileSync(`${folder}/operations.ts`, NOTICE + operationsModule(document));

/** Where the API takes a date as text, the client takes a `Date` too. */
async function typesOf(described: OpenAPIV3_1.Document): Promise<string> {
  const dateOrText = [
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeReferenceNode('Date'),
  ];
  const tree = await openapiTypescript(structuredClone(described) as never, {
    // A field that the server fills in may be left out.
    defaultNonNullable: false,
    transform: (schema) =>
      'pattern' in schema && DATES.has(schema.pattern) ? ts.factory.createUnionTypeNode(dateOrText) : undefined,
  });
  return NOTICE + astToString(tree);
}

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
