import { AuthorizationReport } from '../../../schemas/access.ts';
import { Envelope, gateErrors } from '../../../schemas/envelope.ts';
import { IgnoredBody, NoQuery } from '../../../schemas/params.ts';
import { describeAuthorization } from '../../../src/broker/describe-access.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/auth-check',
    {
      config: { unlogged: true, scopes: ['services:write', 'admin:full'], sandbox: 'real' },
      schema: {
        operationId: 'checkAuthorization',
        tags: ['Access'],
        summary: 'Check that a key may create services',
        description:
          'Succeeds for a key that may create services; creates nothing. The body may be any JSON object, or ' +
          'absent, and is ignored. A key that passes `GET /v1/auth-check` can be refused here. `matched_scope` is ' +
          'the first of `required_scopes` that the key has, or else the scope that implies one.',
        querystring: NoQuery,
        body: IgnoredBody,
        response: { 200: Envelope(AuthorizationReport), ...gateErrors() },
      },
    },
    async (request, reply) => reply.answer(await request.perform(describeAuthorization, request)),
  );
};
