import type { onRequestHookHandler, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { ApiError } from '../src/errors.ts';
import { hooksOf } from '../src/http/hooks.ts';
import { grants, type Scope } from '../src/rules/scopes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A key needs one of these scopes; empty where every key may call. Required on each route of v1. */
    scopes?: readonly Scope[];
  }
}

/** The scopes that a route states. */
export const scopesOf = ({ config }: Pick<RouteOptions, 'config'>): readonly Scope[] => config?.scopes ?? [];

/** Gate 4: checks the key's scopes against those in the route's config (contract, sections 5 and 6). */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const required = route.config?.scopes;
      if (required === undefined) throw new Error(`${route.url} does not state its scopes`);
      if (required.length === 0) return;
      const check: onRequestHookHandler = (request, _reply, done) =>
        done(grants(request.access.scopes, required) ? undefined : refusal(required, request.access.scopes));
      route.onRequest = [check, ...hooksOf(route.onRequest)];
    });
  },
  { name: 'scopes', dependencies: ['rate-limit'], fastify: '5.x' },
);

const refusal = (required: readonly Scope[], granted: readonly Scope[]) =>
  new ApiError('insufficient_permissions', 'Missing required scope', {
    gate: 'scope',
    details: { reason: 'missing_scope', required_scopes: required, granted_scopes: granted },
  });
