import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, RequestParams } from '../../../schemas/params.ts';
import { RequestWithHistory, SAMPLE_REQUEST } from '../../../schemas/requests.ts';
import { getRequest } from '../../../src/broker/get-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/requests/:request_id',
    {
      config: { scopes: ['requests:read', 'admin:full'] },
      schema: {
        operationId: 'getRequest',
        tags: ['Requests'],
        summary: 'Get a request',
        description:
          'The request with its `history`. Ask again after `next_check_seconds`: 1 while the work is due, the ' +
          'time to `effective_date` (at most 3600) before, 60 while a decision is awaited, null when final.',
        params: RequestParams,
        querystring: NoQuery,
        response: {
          200: Envelope(RequestWithHistory, {
            example: {
              ...SAMPLE_REQUEST,
              updated_date: SAMPLE_REQUEST.submitted_date,
              effective_date: null,
              next_check_seconds: 60,
              history: [
                { request_status: 'pending', date: SAMPLE_REQUEST.submitted_date, actor: 'client', note: null },
              ],
            },
          }),
          ...gateErrors(),
          ...errors(404),
        },
      },
    },
    async ({ perform, params }, reply) => reply.answer(await perform(getRequest, { requestId: params.request_id })),
  );
};
