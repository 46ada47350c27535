import fastifySensible from '@fastify/sensible';
import Fastify from 'fastify';
import openapi from '../../plugins/openapi.ts';
import { scopesOf } from '../../plugins/scopes.ts';
import v1Routes from '../../routes/v1/index.ts';
import { NAMED_SCHEMAS } from '../../schemas/named.ts';
import { OPERATOR_DOCUMENT } from '../operator-api/document.ts';
import operatorRoutes from '../operator-api/routes.ts';
import { BROKER_API } from '../reference/api.ts';

/** The interface description as the server publishes it: the routes alone, without gates and database. */
export async function currentDocument() {
  const app = Fastify({ exposeHeadRoutes: false });
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => String);
  await app.register(fastifySensible);
  await app.register(openapi, { api: BROKER_API, needsOf: scopesOf });
  await app.register(v1Routes, { prefix: '/api/v1' });
  return app.openapiDocument();
}

/** The same of the operator's API. */
export async function currentOperatorDocument() {
  const app = Fastify({ exposeHeadRoutes: false });
  for (const schema of OPERATOR_DOCUMENT.named) app.addSchema(schema);
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => String);
  await app.register(openapi, { api: OPERATOR_DOCUMENT, needsOf: ({ config }) => [config?.role ?? 'admin'] });
  // No route is called here, so that none needs what use cases need.
  await app.register(operatorRoutes, { prefix: `${OPERATOR_DOCUMENT.prefix}/v1`, context: {} as never });
  return app.openapiDocument();
}
