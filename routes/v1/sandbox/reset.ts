import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery } from '../../../schemas/params.ts';
import { ResetBody, Sandbox } from '../../../schemas/sandbox.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/sandbox/reset',
    {
      config: { scopes: ['admin:full'], sandboxOnly: true },
      schema: {
        operationId: 'resetSandbox',
        tags: ['Sandbox'],
        summary: 'Reset the sandbox',
        description:
          'Replaces the sandbox by a new one: the records of the scenarios, the real date, no idempotency records. ' +
          'Sandbox keys only.',
        querystring: NoQuery,
        body: ResetBody,
        response: { 200: Envelope(Sandbox), ...gateErrors(), ...errors(404) },
      },
    },
    async ({ caller }, reply) => reply.answer(await app.sandboxes.reset(caller)),
  );
};
