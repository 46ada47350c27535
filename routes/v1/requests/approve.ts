import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, RequestParams } from '../../../schemas/params.ts';
import { ApprovalBody, Request } from '../../../schemas/requests.ts';
import { approveRequest } from '../../../src/operations/decide-request.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/requests/:request_id/approve',
    {
      config: { scopes: ['requests:write', 'admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'approveRequest',
        tags: ['Requests'],
        summary: 'Approve what a client asked for',
        description:
          'The rules of the operation apply again; when one refuses, the request stays pending. Where the operator ' +
          'must review it, the answer says so with operator_review true.',
        params: RequestParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: ApprovalBody,
        response: {
          200: Envelope(Request, { narrow: { request_status: ['accepted', 'operator_review'], is_final: false } }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(await perform(approveRequest, { requestId: params.request_id, reason: body.reason ?? null })),
  );
};
