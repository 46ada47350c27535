import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, RequestParams } from '../../../schemas/params.ts';
import { DenialBody, Request, SAMPLE_DECISION, SAMPLE_END, SAMPLE_REQUEST } from '../../../schemas/requests.ts';
import { denyRequest } from '../../../src/broker/decide-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/requests/:request_id/deny',
    {
      config: { scopes: ['requests:write', 'admin:full'] },
      schema: {
        operationId: 'denyRequest',
        tags: ['Requests'],
        summary: "Deny a client's request",
        description:
          "Denies a client's request; `reason` is required. Takes no idempotency key: a second denial is " +
          'refused with `request_already_processed`.',
        params: RequestParams,
        querystring: NoQuery,
        body: DenialBody,
        reasons: ['request_already_processed', 'awaiting_operator'],
        response: {
          200: Envelope(Request, {
            narrow: { request_status: 'denied', is_final: true },
            example: {
              ...SAMPLE_REQUEST,
              ...SAMPLE_END,
              request_status: 'denied',
              decision: { ...SAMPLE_DECISION, action: 'deny', reason: 'An invoice is still open.' },
            },
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(await perform(denyRequest, { requestId: params.request_id, reason: body.reason })),
  );
};
