import type { OpenAPIV3_1 } from 'openapi-types';

/** One operation of the OpenAPI document, as samples and collections need it. */
export interface Operation {
  name: string;
  folder: string;
  method: 'GET' | 'POST';
  /** The path below the base address, with `{parameters}`. */
  path: string;
  description: string;
  /** With values for which a call with a sandbox key succeeds. */
  pathParameters: Array<{ name: string; value: string }>;
  query: Array<{ name: string; description: string; value: string }>;
  takesIdempotencyKey: boolean;
  /** An example of the body; undefined where the operation takes none. */
  body: unknown;
}

type Described = Pick<OpenAPIV3_1.Document, 'paths' | 'components'>;

/** The values of path parameters in the document's examples, unless an operation would refuse them. */
export const USUAL_VALUES: Readonly<Record<string, string>> = {
  service_number: '900001',
  request_id: 'req_test_sample_pending',
};

/**
 * The operations of the document, in its order.
 * @throws where a path parameter has no example
 */
export function operationsOf({ paths = {}, components }: Described): Operation[] {
  const schemas = components?.schemas ?? {};
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
          pathParameters: named('path').map(({ name, example }) => ({ name, value: pathValue(name, example) })),
          query: named('query').map(({ name, description = '', example, schema }) => ({
            name,
            description,
            value: String(example ?? exampleOf(schema, schemas) ?? ''),
          })),
          takesIdempotencyKey: named('header').some(({ name }) => name === 'x-idempotency-key'),
          body: bodyOf(operation.requestBody, schemas),
        },
      ];
    }),
  );
}

function pathValue(name: string, example: unknown): string {
  if (example === undefined) throw new Error(`the document has no example of the path parameter ${name}`);
  return String(example);
}

type Schemas = Readonly<Record<string, unknown>>;

/** The first example of a schema or of the one it refers to; else its default, or the first value of its enum. */
function exampleOf(given: unknown, schemas: Schemas): unknown {
  const { $ref = '', ...here } = (given ?? {}) as { $ref?: string };
  const named = schemas[$ref.replace('#/components/schemas/', '')] as object | undefined;
  const {
    examples,
    default: usual,
    enum: words,
    pattern,
  } = { ...named, ...here } as { examples?: unknown[]; default?: unknown; enum?: unknown[]; pattern?: string };
  // The document has no examples of timestamps in queries, so that tools do not send them as filters by default.
  return examples?.[0] ?? usual ?? words?.[0] ?? (pattern?.startsWith('^\\d{4}-') ? '2026-01-01' : undefined);
}

function bodyOf(body: unknown, schemas: Schemas): unknown {
  const media = (body as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json'];
  if (!media) return undefined;
  const first = Object.values(media.examples ?? {})[0] as { value?: unknown } | undefined;
  return media.example ?? first?.value ?? exampleOf(media.schema, schemas) ?? {};
}
