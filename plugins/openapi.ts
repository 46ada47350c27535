import type { RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type Described, describeApi } from '../src/document/document.ts';
import type { Reason } from '../src/errors.ts';
import { type StaticFile, serveStatic, staticFile } from '../src/http/static-files.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The served document; each call returns a new copy. */
    openapiDocument(): OpenAPIV3_1.Document;
  }
  /** The parts of the document that a route states besides its schemas. */
  interface FastifySchema {
    operationId?: string;
    tags?: readonly string[];
    summary?: string;
    description?: string;
    /** The reasons for which the operation itself refuses, in the order of its checks; the gates add theirs. */
    reasons?: readonly Reason[];
  }
}

export interface OpenapiOptions {
  /** The server's public address; undefined makes the document's addresses relative. */
  publicUrl: string | undefined;
}

/**
 * The interface description at /api/openapi.json, made from the schemas that validate and serialize (contract,
 * section 1). It is built on the first request for it and then kept: most processes of a deployment never serve it.
 */
export default fp<OpenapiOptions>(
  async (app, { publicUrl }) => {
    const routes: Described[] = [];
    app.addHook('onRoute', (route) => {
      if (route.schema?.operationId !== undefined) routes.push(described(route));
    });
    let description: StaticFile | undefined;
    const describeOnce = () => {
      description ??= staticFile('application/json; charset=utf-8', JSON.stringify(describeApi(routes, publicUrl)));
      return description;
    };
    app.decorate('openapiDocument', () => JSON.parse(String(describeOnce().plain.body)));
    serveStatic(app, { '/api/openapi.json': describeOnce });
  },
  { name: 'openapi', dependencies: ['@fastify/sensible'], fastify: '5.x' },
);

/** A route with an operation id also states the other fields; the tests in test/guards check that for all of v1. */
const described = ({ method, url, schema, config }: RouteOptions): Described => ({
  method: String(method),
  url,
  scopes: config?.scopes as Described['scopes'],
  schema: schema as Described['schema'],
});
