import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, RequestParams } from '../../../schemas/params.ts';
import { RequestWithHistory } from '../../../schemas/requests.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.get(
    '/requests/:request_id',
    {
      config: { scopes: ['requests:read', 'admin:full'] },
      schema: {
        operationId: 'getRequest',
        tags: ['Requests'],
        summary: 'Get a request',
        description: 'Where the request stands, and how it got there.',
        params: RequestParams,
        querystring: NoQuery,
        response: { 200: Envelope(RequestWithHistory), ...gateErrors(), ...errors(404) },
      },
    },
    async ({ operations, caller, params }, reply) =>
      reply.answer(await operations.getRequest(caller, { requestId: params.request_id })),
  );
};
