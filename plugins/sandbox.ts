import fp from 'fastify-plugin';
import type { Listed } from '../src/context/outcome.ts';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/hooks.ts';
import type { Operations } from '../src/operations/operations.ts';
import type { ScenarioItem } from '../src/sandbox/seed-data.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether live keys get 404 on this route. */
    sandboxOnly?: boolean;
  }
  interface FastifyInstance {
    /** Lists one page of the sandbox's scenarios. */
    listScenarios: ListScenarios;
  }
}

type ListScenarios = (page: { limit: number; offset: number }) => Listed<ScenarioItem>;

export interface SandboxOptions {
  sandbox: Operations;
  listScenarios: ListScenarios;
}

/** Gives requests of sandbox keys another set of operations with the same rules (contract, section 8). */
export default fp<SandboxOptions>(
  async (app, { sandbox, listScenarios }) => {
    app.decorate('listScenarios', listScenarios);
    app.operationsOf.test = sandbox;
    app.addHook('onRoute', (route) => {
      if (!route.config?.sandboxOnly) return;
      route.preHandler = [
        (request, _reply, done) => done(request.access.mode === 'test' ? undefined : fail.routeNotFound()),
        ...hooksOf(route.preHandler),
      ];
    });
  },
  { name: 'sandbox', dependencies: ['operations'], decorators: { fastify: ['operationsOf'] }, fastify: '5.x' },
);
