import type { OpenAPIV3_1 } from 'openapi-types';
import { omit } from '../rules/omit.ts';
import { type DocumentedField, documentedFields, fieldOf, type Schema, type Schemas } from './fields.ts';

/** One operation of the OpenAPI document, as pages and samples need it. */
export interface DocumentedOperation {
  id: string;
  name: string;
  folder: string;
  method: 'GET' | 'POST';
  /** The path below the base address, with `{parameters}`. */
  path: string;
  description: string;
  /** One of these scopes or roles is needed; empty: any key will do. */
  scopes: readonly string[];
  /** With values for which a call with a sandbox key succeeds. */
  pathParameters: Array<{ name: string; value: string }>;
  takesIdempotencyKey: boolean;
  /** An example of the body; undefined where the operation takes none. */
  body: unknown;
  /** What it takes, by place. */
  inputs: Record<'path' | 'query' | 'header' | 'body', DocumentedField[]>;
  bodyRequired: boolean;
  successes: Success[];
  /** Each code that it can answer, with the reasons in the order of the checks. */
  failures: Array<{ status: number; code: string; reasons: readonly string[] }>;
}

export interface Success {
  status: string;
  description: string;
  /** What the status fixes: `request_status` is `accepted`. */
  fixed: string[];
  fields: DocumentedField[];
  example: unknown;
}

/** An error code as the document describes it (`x-errors`). */
export interface CodeAdvice {
  code: string;
  status: number;
  advice: string;
  reasons: ReadonlyArray<{ reason: string; advice: string }>;
}

/** The parts of the OpenAPI document that are read here; below paths it holds no references. */
export interface DescribedApi {
  paths?: Readonly<Record<string, Partial<Record<'get' | 'post', DescribedOperation>>>>;
  components?: { schemas?: Schemas };
  'x-errors'?: readonly CodeAdvice[];
}

/**
 * The operations of the document, in its order.
 * @throws where a path parameter has no example
 */
export function operationsOf(
  { paths = {}, components, 'x-errors': errors = [] }: DescribedApi,
  permission: `x-required-${string}` = 'x-required-scopes',
): DocumentedOperation[] {
  const schemas = components?.schemas ?? {};
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method];
      return operation && path.startsWith('/v1')
        ? [operationOf(method, path, operation, schemas, errors, permission)]
        : [];
    }),
  );
}

interface DescribedOperation
  extends Pick<OpenAPIV3_1.OperationObject, 'operationId' | 'summary' | 'description' | 'tags'> {
  parameters?: Array<Omit<OpenAPIV3_1.ParameterObject, 'schema'> & { schema?: Schema }>;
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, Response>;
  [permission: `x-required-${string}`]: string[];
  'x-reasons'?: Record<string, readonly string[]>;
}

interface Response {
  description: string;
  content?: Content;
}

type Content = Readonly<Record<string, { schema?: Schema; example?: unknown } | undefined>>;

function operationOf(
  method: 'get' | 'post',
  path: string,
  operation: DescribedOperation,
  schemas: Schemas,
  errors: readonly CodeAdvice[],
  permission: `x-required-${string}`,
): DocumentedOperation {
  const { parameters = [], requestBody, responses = {} } = operation;
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const fields = (place: string) =>
    named(place).map(({ name, description, schema, required = false }) =>
      fieldOf(name, { ...schema, ...(description !== undefined && { description }) }, schemas, required),
    );
  const body = requestBody?.content['application/json'];
  return {
    id: operation.operationId ?? path,
    name: operation.summary ?? operation.operationId ?? path,
    folder: operation.tags?.[0] ?? 'API',
    method: method === 'get' ? 'GET' : 'POST',
    path,
    description: operation.description ?? '',
    scopes: operation[permission] ?? [],
    pathParameters: named('path').map(({ name, example }) => ({ name, value: pathValue(name, example) })),
    takesIdempotencyKey: named('header').some(({ name }) => name === 'x-idempotency-key'),
    body: body && (body.example ?? {}),
    inputs: {
      path: fields('path'),
      query: fields('query'),
      header: fields('header'),
      body: body?.schema ? documentedFields(body.schema, schemas) : [],
    },
    bodyRequired: requestBody?.required === true,
    successes: Object.entries(responses)
      .filter(([status]) => status < '400')
      .map(([status, response]) => successOf(status, response, schemas)),
    failures: Object.entries(operation['x-reasons'] ?? {}).map(([code, reasons]) => ({
      status: errors.find((error) => error.code === code)?.status ?? 0,
      code,
      reasons,
    })),
  };
}

function successOf(status: string, { description, content }: Response, schemas: Schemas): Success {
  const media = content?.['application/json'];
  const { properties = {}, required = [] } = media?.schema ?? {};
  // A second part of `data` fixes fields of the record in this answer alone.
  const [record, fixed] = properties.data?.allOf ?? [properties.data];
  return {
    status,
    description,
    fixed: Object.entries(fixed?.properties ?? {}).map(
      ([name, { const: only, enum: words = [only] }]) =>
        `\`${name}\` is ${words.map((word) => `\`${word}\``).join(' or ')}`,
    ),
    fields: documentedFields(
      { properties: { ...omit(properties, 'success'), ...(record && { data: record }) }, required },
      schemas,
    ),
    example: media?.example,
  };
}

function pathValue(name: string, example: unknown): string {
  if (example === undefined) throw new Error(`the document has no example of the path parameter ${name}`);
  return String(example);
}
