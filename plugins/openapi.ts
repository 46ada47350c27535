import type { RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { OpenAPIV3_1 } from 'openapi-types';
import { describeApi } from '../src/document/document.ts';
import type { DescribedRoute } from '../src/document/route.ts';
import type { Reason } from '../src/errors.ts';
import type { Api } from '../src/reference/api.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The document, made anew at each call, with the base address of the samples. */
    openapiDocument(): OpenAPIV3_1.Document;
    /** What a key needs for an operation: one of these. */
    needsOf(operationId: string): readonly string[];
  }
  /** The parts of the document that a route states beyond its schemas. */
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
  api: Api;
  /** What a key needs for a route: one of these. */
  needsOf(route: RouteOptions): readonly string[];
}

/**
 * Collects the routes of the OpenAPI document, which is made from the schemas that validate and serialize (contract,
 * section 1), on the first request for it: most processes of a deployment never serve it. docs-page serves it.
 */
export default fp<OpenapiOptions>(
  async (app, { api, needsOf }) => {
    const routes: DescribedRoute[] = [];
    app.addHook('onRoute', (route) => {
      if (route.schema?.operationId !== undefined) routes.push(described(route, needsOf(route)));
    });
    app.decorate(
      'needsOf',
      (operationId: string) => routes.find(({ schema }) => schema.operationId === operationId)?.needs ?? [],
    );
    app.decorate('openapiDocument', () => describeApi(routes, api) as unknown as OpenAPIV3_1.Document);
  },
  { name: 'openapi', fastify: '5.x' },
);

/** A route with an operation id also states the other fields; the tests in test/guards check that for all of v1. */
const described = ({ method, url, schema }: RouteOptions, needs: readonly string[]): DescribedRoute => ({
  method: String(method),
  url,
  needs,
  schema: schema as DescribedRoute['schema'],
});
