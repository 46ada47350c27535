import { errors, gateErrors, ListEnvelope } from '../../../schemas/envelope.ts';
import { Scenario, ScenarioListQuery } from '../../../schemas/sandbox.ts';
import { listScenarios } from '../../../src/sandbox/scenarios.ts';
import { parseWindow } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/sandbox/scenarios',
    {
      config: { scopes: [], sandboxOnly: true },
      schema: {
        operationId: 'listScenarios',
        tags: ['Sandbox'],
        summary: 'List what the sandbox can simulate',
        description:
          'Each service, sample request and plan of a new sandbox, what it does, and in `provokes` which answers calls to it get. ' +
          'Sandbox keys only.',
        querystring: ScenarioListQuery,
        response: { 200: ListEnvelope(Scenario), ...gateErrors(), ...errors(404) },
      },
    },
    async (request, reply) => reply.answer(listScenarios(parseWindow(request.query))),
  );
};
