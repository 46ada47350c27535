import type { RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type Described, describeApi } from '../src/document/document.ts';
import { type StaticFile, serveStatic, staticFile } from '../src/http/static-files.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The document as it is served, a copy for each caller. */
    openapiDocument(): Promise<OpenAPIV3_1.Document>;
  }
  /** What the document tells of a route beside its shapes. */
  interface FastifySchema {
    operationId?: string;
    tags?: readonly string[];
    summary?: string;
    description?: string;
  }
}

export interface OpenapiOptions {
  /** Where callers reach this server; the document's addresses are relative where undefined. */
  publicUrl: string | undefined;
}

/**
 * The interface description at /api/openapi.json, made from the schemas that validate and serialize (contract,
 * section 1). It is made once, when it is asked for first: most processes of a deployment never are.
 */
export default fp<OpenapiOptions>(
  async (app, { publicUrl }) => {
    const routes: Described[] = [];
    app.addHook('onRoute', (route) => {
      if (route.schema?.operationId !== undefined) routes.push(described(route));
    });
    let description: Promise<StaticFile> | undefined;
    const describeOnce = () => {
      description ??= describe(routes, publicUrl);
      return description;
    };
    app.decorate('openapiDocument', async () => JSON.parse(String((await describeOnce()).plain().body)));
    serveStatic(app, { '/api/openapi.json': describeOnce });
  },
  { name: 'openapi', dependencies: ['@fastify/sensible'], fastify: '5.x' },
);

async function describe(routes: readonly Described[], publicUrl: string | undefined): Promise<StaticFile> {
  // A hundred kilobytes that most processes never send.
  const { EXAMPLES } = await import('../src/document/examples.ts');
  const document = describeApi(routes, { publicUrl, examples: EXAMPLES });
  return staticFile('application/json; charset=utf-8', JSON.stringify(document));
}

/** A route that has an id states everything else too; the guards hold each of v1 to it. */
const described = ({ method, url, schema, config }: RouteOptions): Described => ({
  method: String(method),
  url,
  scopes: config?.scopes as Described['scopes'],
  schema: schema as Described['schema'],
});
