import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery } from '../../../schemas/params.ts';
import { Sandbox } from '../../../schemas/sandbox.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/sandbox',
    {
      config: { scopes: [], sandboxOnly: true },
      schema: {
        operationId: 'getSandbox',
        tags: ['Sandbox'],
        summary: 'Get the sandbox',
        description:
          'Its date, what is due next, and how full it is. The first call of any sandbox key makes the sandbox; ' +
          'after 90 days without a call it is removed. Sandbox keys only.',
        querystring: NoQuery,
        response: { 200: Envelope(Sandbox), ...gateErrors(), ...errors(404) },
      },
    },
    async ({ caller }, reply) => reply.answer(await app.sandboxes.describe(caller)),
  );
};
