import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/hooks.ts';
import type { Operations } from '../src/operations/operations.ts';
import type { Caller, Outcome } from '../src/operations/outcome.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that live keys do not see. */
    sandboxOnly?: boolean;
  }
  interface FastifyInstance {
    /** One page of what the sandbox can simulate. */
    listScenarios(page: { limit: number; offset: number }): Outcome<object[]>;
  }
  interface FastifyRequest {
    /** What the caller's key may work on: the broker's records, or the simulated fleet. */
    operations: Operations;
    /** Who is calling, as operations need to know it. */
    caller: Caller;
  }
}

export interface SandboxOptions {
  live: Operations;
  sandbox: Operations;
  listScenarios(page: { limit: number; offset: number }): Outcome<object[]>;
}

/** Hands requests of sandbox keys another set of operations with the same rules (contract, section 8). */
export default fp<SandboxOptions>(
  async (app, { live, sandbox, listScenarios }) => {
    app.decorate('listScenarios', listScenarios);
    app.decorateRequest('operations');
    app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, done) => {
      const { broker, mode } = request.access;
      request.caller = { brokerId: broker.id };
      request.operations = mode === 'test' ? sandbox : live;
      done();
    });
    app.addHook('onRoute', (route) => {
      if (!route.config?.sandboxOnly) return;
      route.preHandler = [
        (request, _reply, done) => done(request.access.mode === 'test' ? undefined : fail.routeNotFound()),
        ...hooksOf(route.preHandler),
      ];
    });
  },
  { name: 'sandbox', dependencies: ['auth'], fastify: '5.x' },
);
