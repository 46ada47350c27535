import { errorSchema } from '../../schemas/failures.ts';
import { ERROR_CODES, type ErrorCode, statusOf } from '../errors.ts';
import type { Api } from '../reference/api.ts';
import { omit } from '../rules/omit.ts';
import { VERSION } from '../runtime/version.ts';
import { errorAdvice, reasonsOf } from './advice.ts';
import { exampleOf } from './examples.ts';
import { HEADERS, headersOf } from './headers.ts';
import { type RefusingOperation, refusalOf, refusalsOf } from './refusals.ts';
import type { DescribedRoute } from './route.ts';
import { Components, constant, type DocumentSchema, type Json } from './schemas.ts';

/**
 * Makes the interface description (contract, sections 1 and 13.1): an OpenAPI 3.1 document of the routes. Their schemas are
 * JSON Schema of the same dialect and need no translation.
 */
export function describeApi(routes: readonly DescribedRoute[], api: Api): Json {
  const { title, description, baseUrl, tags, key } = api;
  const components = new Components(api.named);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.url.slice(api.prefix.length).replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components, api) };
  }
  const text = JSON.stringify(paths);
  const isUsed = (component: string) => text.includes(`"#/components/${component}"`);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: VERSION,
      description,
      contact: { name: 'The operator of this service', url: `${baseUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: baseUrl,
        description: api.server,
        'x-internal': false,
      },
    ],
    tags,
    security: [{ apiKey: [] }],
    'x-errors': errorAdvice(statusOf, api),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: key.format,
          description: key.description,
        },
      },
      headers: Object.fromEntries(Object.entries(HEADERS).filter(([name]) => isUsed(`headers/${name}`))),
      examples: Object.fromEntries(
        ERROR_CODES.filter((code) => isUsed(`examples/${code}`)).map((code) => [
          code,
          { value: refusalOf(code, {}, components, api) },
        ]),
      ),
      schemas: sorted(components.schemas),
    },
  };
}

function operation(route: DescribedRoute, components: Components, api: Api): Json {
  const { needs, schema } = route;
  const { operationId, tags, summary, description, params, querystring, headers, body, response } = schema;
  const { extension, word } = api.permission;
  const needed = needs.map((each) => `\`${each}\``).join(' or ');
  const reasons = reasonsByCode(needs, schema, api);
  return {
    operationId,
    tags,
    summary,
    description: `${description}\n\n${word}: ${needed || 'none'}.`,
    [extension]: needs,
    'x-reasons': reasons,
    parameters: [
      ...parameters('path', params, components, api),
      ...parameters('query', querystring, components, api),
      // One for each operation: a tool that sends the examples sends no other operation's key.
      ...parameters('header', headers, components, api).map((header) => ({
        ...header,
        example: `${operationId}-4711`,
      })),
    ],
    ...(body && { requestBody: requestBody(body, components, api) }),
    responses: Object.fromEntries(
      Object.entries(response).map(([status, shape]) => [
        status,
        {
          description: meaningOf(Number(status), shape, schema),
          headers: headersOf(Number(status), {
            replays: headers !== undefined,
            inStep: 'updated_since' in (querystring?.properties ?? {}),
          }),
          content: { 'application/json': answer(shape, { route, reasons }, components, api) },
        },
      ]),
    ),
  };
}

/** The parameters of a place, each with an example. */
function parameters(place: string, schema: DocumentSchema = {}, components: Components, api: Api): Json[] {
  const { properties = {}, required = [], examples = [] } = schema;
  const [values] = examples as readonly Json[];
  return Object.entries(properties).map(([name, property]) => {
    const converted = components.of(property);
    const { description = property.description, ...shape } = omit(converted, 'examples');
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: shape,
      example: values?.[name] ?? shape.default ?? exampleOf(converted, components.schemas) ?? api.parameters[name],
    };
  });
}

function requestBody(body: DocumentSchema, components: Components, { examples: byName }: Api): Json {
  const schema = components.of(body, true);
  return {
    required: mustBeThere(body),
    content: { 'application/json': { schema, example: exampleOf(schema, components.schemas, { byName }) ?? {} } },
  };
}

/** Whether the body has a required field. */
const mustBeThere = ({ required = [], atLeastOne }: DocumentSchema = {}): boolean =>
  required.length > 0 || atLeastOne !== undefined;

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
function codesOf({ codes = [] }: DocumentSchema, { body }: DescribedRoute['schema']): ErrorCode[] {
  return codes.filter((code) => code !== 'missing_parameter' || mustBeThere(body));
}

/** The reasons that the operation can answer, by error code: those of the gates, then its own in the order of its checks. */
function reasonsByCode(
  needs: readonly string[],
  schema: DescribedRoute['schema'],
  { prefix, permission, reasons: further }: Api,
): Record<string, readonly string[]> {
  const { params, body, headers, reasons = [], response } = schema;
  const namesOwnService = prefix === '/api' && 'service_number' in (params?.properties ?? {});
  const gates: Partial<Record<ErrorCode, readonly string[]>> = {
    invalid_request: body ? reasonsOf('invalid_request') : ['https_required', 'malformed_request'],
    authentication_failed: reasonsOf('authentication_failed'),
    insufficient_permissions: ['ip_not_whitelisted', ...(needs.length > 0 ? [permission.reason] : [])],
    not_found: namesOwnService ? reasonsOf('not_found') : [],
    already_processed: headers ? ['idempotency_key_reused'] : [],
  };
  const codes = Object.values(response).flatMap((shape) => codesOf(shape, schema));
  const own = (code: ErrorCode) => reasons.filter((reason) => reasonsOf(code).some((known) => known === reason));
  const more = (code: ErrorCode) =>
    Object.keys(further[code] ?? {}).filter(
      (reason) => reason !== permission.reason && (body || !OF_CHANGES.has(code)),
    );
  return Object.fromEntries(codes.map((code) => [code, [...(gates[code] ?? []), ...own(code), ...more(code)]]));
}

/** Codes whose further reasons only changes have. */
const OF_CHANGES = new Set<ErrorCode>(['invalid_state', 'already_processed']);

function meaningOf(status: number, shape: DocumentSchema, schema: DescribedRoute['schema']): unknown {
  const codes = codesOf(shape, schema).map((code) => `\`${code}\``);
  return codes.length > 0 ? `${MEANINGS[status]}. Codes: ${codes.join(', ')}.` : shape.description;
}

/** The schema of an answer with an example: of a failure, one for each code. */
function answer(shape: DocumentSchema, operation: RefusingOperation, components: Components, api: Api): Json {
  const codes = codesOf(shape, operation.route.schema);
  if (codes.length === 0) {
    const envelope = omit(components.of(shape), 'description');
    return { schema: envelope, example: successExample(shape, envelope, components, api) };
  }
  return {
    schema: failureSchema(codes, api.reasons, components),
    examples: refusalsOf(codes, operation, components, api),
  };
}

/** The example of the record, with what this answer shows otherwise (`example` beside `narrow`). */
function successExample(
  shape: DocumentSchema,
  envelope: DocumentSchema,
  { schemas }: Components,
  { examples: byName }: Api,
): Json {
  const data = shape.properties?.data;
  const { example = {} } = data?.items ?? data ?? {};
  const whole = exampleOf(envelope, schemas, { byName, type: example.type }) as { data: Json | Json[] };
  const changed = (record: Json) => ({ ...record, ...example });
  return { ...whole, data: Array.isArray(whole.data) ? whole.data.map(changed) : changed(whole.data) };
}

function failureSchema(codes: readonly ErrorCode[], further: Api['reasons'], components: Components): Json {
  const failures = codes.map((code) => components.of(errorSchema(code, further[code])));
  const mapping = Object.fromEntries(codes.map((code, index) => [code, failures[index]?.$ref]));
  return {
    type: 'object',
    properties: {
      success: constant(false),
      error:
        failures.length === 1 ? failures[0] : { oneOf: failures, discriminator: { propertyName: 'code', mapping } },
    },
    required: ['success', 'error'],
  };
}

const sorted = (values: Json): Json =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
