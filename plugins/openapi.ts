import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type StaticFile, serveStatic, staticFile } from '../src/http/static-files.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The document as it is served, a copy for each caller. */
    openapiDocument(): Promise<OpenAPIV3_1.Document>;
  }
}

/**
 * The interface description at /api/openapi.json, generated from the schemas that validate and serialize (contract,
 * section 1). It is made once, when it is asked for first: most processes of a deployment never are, and the generator
 * would take a fifth of their start.
 */
export default fp(
  async (app) => {
    const routes: RouteOptions[] = [];
    app.addHook('onRoute', (route) => void routes.push(route));
    let description: Promise<StaticFile> | undefined;
    const describeOnce = () => {
      description ??= describe(app, routes);
      return description;
    };
    app.decorate('openapiDocument', async () => JSON.parse(String((await describeOnce()).plain().body)));
    serveStatic(app, { '/api/openapi.json': describeOnce });
  },
  { name: 'openapi', dependencies: ['@fastify/sensible'], fastify: '5.x' },
);

/** Lets the generator see the routes on a server that answers nobody: it has to be there before them. */
async function describe(app: FastifyInstance, routes: readonly RouteOptions[]): Promise<StaticFile> {
  const { default: fastifySwagger } = await import('@fastify/swagger');
  const shown = Fastify({ exposeHeadRoutes: false });
  /* c8 ignore next 2 -- the inner ones are for calls, and nobody calls it */
  shown.setSerializerCompiler(() => () => '');
  shown.setValidatorCompiler(() => () => true);
  for (const schema of Object.values(app.getSchemas())) shown.addSchema(schema);
  await shown.register(fastifySwagger, OPTIONS);
  for (const { method, url, schema = {}, config = {} } of routes) {
    /* c8 ignore next -- nobody calls it */
    shown.route({ method, url, schema, config, handler: async () => '' });
  }
  await shown.ready();
  const text = JSON.stringify(shown.swagger());
  await shown.close();
  return staticFile('application/json; charset=utf-8', text);
}

const OPTIONS: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Broker API',
      version: '1.0.0',
      description:
        "Manage clients' services, process requests, warn clients before a cancellation, move services to other " +
        'plans and send reports. Every record belongs to the broker whose key is calling.',
    },
    servers: [{ url: '/api' }],
    tags: [
      { name: 'Access', description: 'What a key may do, and what the gates make of a call' },
      { name: 'Services', description: "Clients' services and what is done with them" },
      { name: 'Plans', description: "The broker's catalog" },
      { name: 'Requests', description: 'Work that was asked for: its state, its history and its decisions' },
      { name: 'Reports', description: 'Lists by email' },
      { name: 'Sandbox', description: 'The simulated fleet that sandbox keys work on' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key that begins with sk_live_ or sk_test_' },
      },
    },
    security: [{ apiKey: [] }],
  },
  refResolver: { buildLocalReference: (json) => String(json.$id) },
  transform: ({ schema, url, route }) => {
    if (schema.hide) return { schema, url };
    const documented = documentForm(schema) as typeof schema;
    const scopes = route.config?.scopes?.map((scope) => `\`${scope}\``).join(' or ');
    documented.description = `${schema.description}\n\nScope: ${scopes || 'none'}.`;
    return { schema: documented, url: url.replace(/^\/api/, '') };
  },
  transformObject: (document) => {
    const { openapiObject } = document as { openapiObject: OpenAPIV3_1.Document };
    for (const path of Object.values(openapiObject.paths as Record<string, object>)) {
      for (const operation of Object.values(path)) complete(operation as Operation);
    }
    return { ...openapiObject, components: { ...openapiObject.components, headers: HEADERS } };
  },
};

const whole = { type: 'integer' } as const;

/** The headers of answers, described once. */
const HEADERS: Record<string, OpenAPIV3_1.HeaderObject> = {
  'X-Request-Id': { description: 'The id of this answer; quote it when you ask for help', schema: { type: 'string' } },
  'Retry-After': { description: 'Whole seconds to wait before the next try', schema: { ...whole, minimum: 1 } },
  RateLimit: { description: 'What is left of the window (r) and its end in seconds (t)', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'The quota (q) and its window in seconds (w)', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests that the key may make in a window', schema: whole },
  'X-RateLimit-Remaining': { description: 'Requests that are left of them', schema: whole },
  'X-RateLimit-Reset': { description: 'Seconds until the window ends', schema: whole },
  'Idempotent-Replayed': { description: 'true: an earlier call did the work', schema: { type: 'string' } },
};

const RATE_LIMIT_HEADERS = Object.keys(HEADERS).filter((name) => /ratelimit/i.test(name));

/** An operation as the generator makes it from our schemas. */
interface Operation {
  requestBody?: { required?: boolean; content: { 'application/json': { schema: OpenAPIV3_1.SchemaObject } } };
  parameters?: OpenAPIV3_1.ParameterObject[];
  responses: Record<string, OpenAPIV3_1.ResponseObject>;
}

/** What the generator leaves out: which headers an answer carries, and that a body may be left out. */
function complete({ requestBody, parameters = [], responses }: Operation): void {
  if (requestBody && !requestBody.content['application/json'].schema.required) requestBody.required = false;

  const replays = parameters.some((parameter) => parameter.in === 'header');
  for (const [status, response] of Object.entries(responses)) {
    const names = ['X-Request-Id'];
    if (status !== '401') names.push(...RATE_LIMIT_HEADERS);
    if (status === '429' || status === '500') names.push('Retry-After');
    if (status.startsWith('2') && replays) names.push('Idempotent-Replayed');
    response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  }
}

/** A schema as callers should read it: where text stands for a number or a moment, the document says so. */
function documentForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(documentForm);
  if (typeof value !== 'object' || value === null) return value;
  const { document, digits, conflicts, alike, companions, atLeastOne, ordered, ...rest } = value as Record<
    string,
    unknown
  >;
  if (document !== undefined)
    return { ...(typeof rest.description === 'string' && { description: rest.description }), ...(document as object) };
  const result = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, documentForm(inner)]));
  if (atLeastOne) result.minProperties = 1;
  // Formats of our own mean nothing to others.
  if (result.format === 'mailbox') result.format = 'email';
  return result;
}
