import { AuthorizationReport } from '../../../schemas/access.ts';
import { Envelope, gateErrors } from '../../../schemas/envelope.ts';
import { IgnoredBody, NoQuery } from '../../../schemas/params.ts';
import { describeAuthorization } from '../../../src/operations/describe-access.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/auth-check',
    {
      config: { unlogged: true, scopes: ['services:write', 'admin:full'] },
      schema: {
        operationId: 'checkAuthorization',
        tags: ['Access'],
        summary: 'Check that a key may create services',
        description:
          'Succeeds for keys with one of the scopes and creates nothing. A body, if any, is ignored. ' +
          'That the GET succeeds does not mean that this does.',
        querystring: NoQuery,
        body: IgnoredBody,
        response: { 200: Envelope(AuthorizationReport), ...gateErrors() },
      },
    },
    async (request, reply) => reply.answer(await request.perform(describeAuthorization, request)),
  );
};
