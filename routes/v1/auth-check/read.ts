import { AccessReport } from '../../../schemas/access.ts';
import { Envelope, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery } from '../../../schemas/params.ts';
import { describeAccess } from '../../../src/broker/describe-access.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/auth-check',
    {
      config: { scopes: [], sandbox: 'real' },
      schema: {
        operationId: 'checkAccess',
        tags: ['Access'],
        summary: 'Check that a key works',
        description:
          'Reports the broker, the key, its scopes, your address as the firewall sees it, and the rate limit with ' +
          'this call counted. Needs no scope and changes nothing. The answer is real for sandbox keys too: `mode` ' +
          'is `test`.',
        querystring: NoQuery,
        response: { 200: Envelope(AccessReport), ...gateErrors() },
      },
    },
    async (request, reply) => reply.answer(await request.perform(describeAccess, request)),
  );
};
