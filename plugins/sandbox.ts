import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/hooks.ts';
import type { Sandboxes } from '../src/sandbox/sandbox.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether live keys get 404 on this route. */
    sandboxOnly?: boolean;
  }
  interface FastifyInstance {
    /** The brokers' sandboxes, for the routes that tell of one and move it. */
    sandboxes: Sandboxes;
  }
}

export interface SandboxOptions {
  sandboxes: Sandboxes;
}

/**
 * Gives requests of sandbox keys the operations on their broker's sandbox (contract, section 8), and hides the routes of
 * the sandbox from live keys, behind gate 3 and before the others.
 */
export default fp<SandboxOptions>(
  async (app, { sandboxes }) => {
    app.decorate('sandboxes', sandboxes);
    app.operationsOf.test = sandboxes.operations;
    app.addHook('onRoute', (route) => {
      if (!route.config?.sandboxOnly) return;
      route.onRequest = [
        (request, _reply, done) => done(request.access.mode === 'test' ? undefined : fail.routeNotFound()),
        ...hooksOf(route.onRequest),
      ];
    });
  },
  {
    name: 'sandbox',
    dependencies: ['operations', 'scopes'],
    decorators: { fastify: ['operationsOf'] },
    fastify: '5.x',
  },
);
