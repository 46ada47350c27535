import type { OpenAPIV3_1 } from 'openapi-types';
import { DEMO_KEYS } from '../src/demo/keys.ts';

/** What a collection needs to know of one operation. */
export interface Operation {
  name: string;
  folder: string;
  method: 'GET' | 'POST';
  /** With `{parameters}`, below the base address. */
  path: string;
  description: string;
  pathParameters: Array<{ name: string; value: string }>;
  query: Array<{ name: string; description: string; value: string }>;
  takesIdempotencyKey: boolean;
  /** An example of the body, as JSON. */
  body: string | undefined;
}

/** What every collection starts from: the demo data's sandbox key, with which each request works as it stands. */
export const VARIABLES = {
  base_url: 'http://127.0.0.1:3000/api',
  api_key: DEMO_KEYS.test,
  service_number: '900001',
  request_id: 'req_test_sample_pending',
} as const;

/** What a path names where the collection's own variable would be refused. */
const VALUES: Readonly<Record<string, string>> = {
  // Nothing is below the plan of the usual service.
  '/v1/services/{service_number}/downgrade': '900013',
  // What waits for a decision is decided, not withdrawn.
  '/v1/requests/{request_id}/withdraw': 'req_test_sample_operator_review',
};

/** The operations of the document, in its order. */
export function operationsOf({ paths = {} }: OpenAPIV3_1.Document): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item?.[method];
      if (!operation || !path.startsWith('/v1')) return [];
      const parameters = (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[];
      const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
      return [
        {
          name: operation.summary ?? operation.operationId ?? path,
          folder: operation.tags?.[0] ?? 'API',
          method: method.toUpperCase() as Operation['method'],
          path,
          description: operation.description ?? '',
          pathParameters: named('path').map(({ name }) => ({ name, value: VALUES[path] ?? variable(name) })),
          query: named('query').map(({ name, description = '', example, schema }) => ({
            name,
            description,
            value: String(example ?? exampleOf(schema) ?? ''),
          })),
          takesIdempotencyKey: named('header').some(({ name }) => name === 'x-idempotency-key'),
          body: bodyOf(operation.requestBody),
        },
      ];
    }),
  );
}

/** A new parameter needs a value of its own in every collection. */
function variable(name: string): string {
  if (name in VARIABLES) return `{{${name}}}`;
  throw new Error(`tools/operations.ts has no value for the path parameter ${name}`);
}

const exampleOf = (schema: unknown): unknown => {
  const {
    examples,
    default: usual,
    enum: words,
  } = (schema ?? {}) as { examples?: unknown[]; default?: unknown; enum?: unknown[] };
  return examples?.[0] ?? usual ?? words?.[0];
};

function bodyOf(body: unknown): string | undefined {
  const media = (body as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json'];
  if (!media) return undefined;
  const first = Object.values(media.examples ?? {})[0] as { value?: unknown } | undefined;
  return JSON.stringify(media.example ?? first?.value ?? exampleOf(media.schema) ?? {}, null, 2);
}
