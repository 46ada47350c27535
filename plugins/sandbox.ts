import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/http/hooks.ts';
import type { Sandboxes } from '../src/sandbox/sandbox.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether live keys get 404 on this route. */
    sandboxOnly?: boolean;
  }
  interface FastifyInstance {
    /** The brokers' sandboxes, for the routes that show one and move its clock. */
    sandboxes: Sandboxes;
  }
}

/** Hides the routes of the sandbox from live keys, behind gate 3 and before the others (contract, section 8). */
export default fp<{ sandboxes: Sandboxes }>(
  async (app, { sandboxes }) => {
    app.decorate('sandboxes', sandboxes);
    app.addHook('onRoute', (route) => {
      if (!route.config?.sandboxOnly) return;
      route.onRequest = [
        (request, _reply, done) => done(request.access.mode === 'test' ? undefined : fail.routeNotFound()),
        ...hooksOf(route.onRequest),
      ];
    });
  },
  { name: 'sandbox', dependencies: ['auth', 'scopes', 'idempotency'], fastify: '5.x' },
);
