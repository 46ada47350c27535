import { failureOf } from '../../schemas/failures.ts';
import { NAMED_SCHEMAS } from '../../schemas/named.ts';
import { ERROR_CODES, type ErrorCode, type Reason, statusOf } from '../errors.ts';
import { errorAdvice, reasonsOf } from './advice.ts';
import { exampleOf } from './examples.ts';
import { HEADERS, headersOf } from './headers.ts';
import { Components, type Json } from './schemas.ts';

/** The parts of a route that the document describes; its schemas are those that validate and serialize. */
export interface Described {
  method: string;
  /** The route's path, beginning with `/api`. */
  url: string;
  scopes: readonly string[];
  schema: {
    operationId: string;
    tags: readonly string[];
    summary: string;
    description: string;
    /** The reasons for which the operation itself refuses, in the order of its checks. */
    reasons?: readonly Reason[];
    params?: object;
    querystring?: object;
    headers?: object;
    body?: object;
    response: Record<number, object>;
  };
}

/**
 * Makes the interface description (contract, section 1): an OpenAPI 3.1 document of the routes. Their schemas are JSON
 * Schema of the same dialect and need no translation.
 *
 * @param baseUrl the base address of the server, ending in `/api`
 */
export function describeApi(routes: readonly Described[], baseUrl: string): Json {
  const components = new Components(NAMED_SCHEMAS);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.url.replace(/^\/api/, '').replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    (paths[path] as Json)[route.method.toLowerCase()] = operation(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Broker API',
      version: '1.0.0',
      description:
        "Manage clients' services, process requests, warn clients before a cancellation, move services to other " +
        'plans and send reports. Every record belongs to the broker whose key is calling.',
      contact: { name: 'The operator of this service', url: `${baseUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: baseUrl,
        description: 'This server: live keys and sandbox keys alike',
        'x-internal': false,
      },
    ],
    tags: [
      { name: 'Access', description: 'What a key may do, and what the gates make of a call' },
      { name: 'Services', description: "Clients' services and what is done with them" },
      { name: 'Plans', description: "The broker's catalog" },
      { name: 'Requests', description: 'Work that was asked for: its state, its history and its decisions' },
      { name: 'Reports', description: 'Lists by email' },
      { name: 'Sandbox', description: "The broker's sandbox, in which sandbox keys work" },
    ],
    security: [{ apiKey: [] }],
    'x-errors': errorAdvice(statusOf),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_live_... or sk_test_...',
          description: 'A key of the broker. Those that begin with sk_test_ work in the sandbox.',
        },
      },
      headers: HEADERS,
      examples: Object.fromEntries(ERROR_CODES.map((code) => [code, { value: failureExample(code, components) }])),
      schemas: sorted(components.schemas),
    },
  };
}

function operation({ scopes, schema }: Described, components: Components): Json {
  const { operationId, tags, summary, description, params, querystring, headers, body, response } = schema;
  const needed = scopes.map((scope) => `\`${scope}\``).join(' or ');
  return {
    operationId,
    tags,
    summary,
    description: `${description}\n\nScope: ${needed || 'none'}.`,
    'x-required-scopes': scopes,
    'x-reasons': reasonsByCode(scopes, schema),
    parameters: [
      ...parameters('path', params, components),
      ...parameters('query', querystring, components),
      ...parameters('header', headers, components),
    ],
    ...(body && { requestBody: requestBody(body, components) }),
    responses: Object.fromEntries(
      Object.entries(response).map(([status, shape]) => [
        status,
        {
          description: meaningOf(Number(status), shape as Json, schema),
          headers: headersOf(Number(status), {
            replays: headers !== undefined,
            inStep: 'updated_since' in ((querystring as { properties?: Json } | undefined)?.properties ?? {}),
          }),
          content: { 'application/json': answer(shape as Json, components, schema) },
        },
      ]),
    ),
  };
}

/** The parameters of a place. Only those of a path have an example: tools would send it in a query too. */
function parameters(place: string, schema: object | undefined, components: Components): Json[] {
  const { properties = {}, required = [], examples: [values] = [] } = (schema ?? {}) as Parameters;
  return Object.entries(properties).map(([name, property]) => {
    const { description: said, examples: [usual] = [], ...shape } = components.of(property as Json) as Parameters;
    const description = said ?? (property as Json).description;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: shape,
      ...(place === 'path' && { example: values?.[name] ?? usual }),
    };
  });
}

interface Parameters extends Json {
  properties?: Json;
  required?: string[];
  examples?: Json[];
}

function requestBody(body: object, components: Components): Json {
  const schema = components.of(body, true);
  return {
    required: mustBeThere(body),
    content: { 'application/json': { schema, example: exampleOf(schema, components.schemas) ?? {} } },
  };
}

/** Whether the body has a required field. */
function mustBeThere(body: object | undefined): boolean {
  const { required, atLeastOne } = (body ?? {}) as { required?: string[]; atLeastOne?: true };
  return (required ?? []).length > 0 || atLeastOne === true;
}

const MEANINGS: Record<number, string> = {
  400: 'The request, a parameter or the state of what it names is not valid',
  401: 'The key is missing, malformed, unknown, inactive or expired',
  403: 'The key lacks the scope, or the address is not on the IP firewall',
  404: 'The broker has no such record',
  409: 'Processed before, or an idempotency key was reused for another request',
  429: 'The key, or an address that failed to authenticate, made too many requests; see Retry-After',
  500: 'An internal operation failed',
};

/** The error codes that an answer can carry; an empty list for a success. */
function codesOf(shape: Json, { body }: Described['schema']): ErrorCode[] {
  const codes = (shape.codes ?? []) as ErrorCode[];
  return codes.filter((code) => code !== 'missing_parameter' || mustBeThere(body));
}

/** The reasons that the operation can answer, by error code: those of the gates, then its own in the order of its checks. */
function reasonsByCode(scopes: readonly string[], schema: Described['schema']): Record<string, readonly Reason[]> {
  const { body, headers, reasons = [], response } = schema;
  const gates: Partial<Record<ErrorCode, readonly Reason[]>> = {
    invalid_request: body ? reasonsOf('invalid_request') : ['https_required', 'malformed_request'],
    authentication_failed: reasonsOf('authentication_failed'),
    insufficient_permissions: scopes.length > 0 ? ['ip_not_whitelisted', 'missing_scope'] : ['ip_not_whitelisted'],
    already_processed: headers ? ['idempotency_key_reused'] : [],
  };
  const codes = Object.values(response).flatMap((shape) => codesOf(shape as Json, schema));
  const own = (code: ErrorCode) => reasons.filter((reason) => reasonsOf(code).some((known) => known === reason));
  return Object.fromEntries(codes.map((code) => [code, [...(gates[code] ?? []), ...own(code)]]));
}

function meaningOf(status: number, shape: Json, schema: Described['schema']): unknown {
  const codes = codesOf(shape, schema).map((code) => `\`${code}\``);
  return codes.length > 0 ? `${MEANINGS[status]}. Codes: ${codes.join(', ')}.` : shape.description;
}

/** The schema of an answer with an example: of a failure, one for each code. */
function answer(shape: Json, components: Components, schema: Described['schema']): Json {
  const codes = codesOf(shape, schema);
  if (codes.length === 0) {
    const { description: _, ...envelope } = components.of(shape);
    return { schema: envelope, example: successExample(shape, envelope, components) };
  }
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return { schema: failureSchema(codes, components), examples: Object.fromEntries(examples) };
}

/** The example of the record, with what this answer shows otherwise (`example` beside `narrow`). */
function successExample(shape: Json, envelope: Json, { schemas }: Components): Json {
  const { data } = shape.properties as { data: { items?: Json; example?: Json } };
  const { example = {} } = (data.items ?? data) as { example?: Json };
  const whole = exampleOf(envelope, schemas, example.type) as { data: Json | Json[] };
  const changed = (record: Json) => ({ ...record, ...example });
  return { ...whole, data: Array.isArray(whole.data) ? whole.data.map(changed) : changed(whole.data) };
}

const failureExample = (code: ErrorCode, components: Components): Json => ({
  success: false,
  error: exampleOf(components.of(failureOf(code)), components.schemas),
});

function failureSchema(codes: readonly ErrorCode[], components: Components): Json {
  const failures = codes.map((code) => components.of(failureOf(code)));
  const mapping = Object.fromEntries(codes.map((code, index) => [code, failures[index]?.$ref]));
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: false },
      error:
        failures.length === 1 ? failures[0] : { oneOf: failures, discriminator: { propertyName: 'code', mapping } },
    },
    required: ['success', 'error'],
  };
}

const sorted = (values: Json): Json =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
