import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

/**
 * The interface description at /api/openapi.json, generated from the schemas that validate and serialize, and a
 * reference page at /api/docs that needs nothing from outside (contract, section 1).
 */
export default fp(
  async (app) => {
    await app.register(fastifySwagger, {
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
      refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
      transform: ({ schema, url, route }) => {
        const scopes = route.config?.scopes;
        const documented = documentForm(schema) as typeof schema;
        if (scopes && documented) {
          const list = scopes.map((scope) => `\`${scope}\``).join(' or ');
          documented.description = `${schema.description ?? ''}\n\nScope: ${list || 'none'}.`;
        }
        return { schema: documented, url: url.replace(/^\/api/, '') };
      },
    });
    await app.register(async (docs) => {
      // The page's plugin also serves HEAD and a trailing slash, which are unknown here as everywhere.
      docs.addHook('onRequest', (request, _reply, done) => {
        const known = request.method === 'GET' && !request.url.split('?', 1)[0]?.endsWith('/');
        done(known ? undefined : fail.routeNotFound());
      });
      await docs.register(fastifySwaggerUi, {
        routePrefix: '/api/docs',
        staticCSP: true,
        uiConfig: { deepLinking: true, tryItOutEnabled: true },
        theme: { title: 'Broker API' },
      });
    });
    app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
  },
  { name: 'openapi', fastify: '5.x' },
);

/** A schema as callers should read it: where text stands for a number or a moment, the document says so. */
function documentForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(documentForm);
  if (typeof value !== 'object' || value === null) return value;
  const { document, digits, conflicts, ordered, ...rest } = value as Record<string, unknown>;
  if (document !== undefined)
    return { ...(typeof rest.description === 'string' && { description: rest.description }), ...(document as object) };
  const result = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, documentForm(inner)]));
  // Formats of our own mean nothing to others.
  if (result.format === 'mailbox') result.format = 'email';
  return result;
}
