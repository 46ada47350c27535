import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, RequestParams } from '../../../schemas/params.ts';
import { Request, SAMPLE_DECISION, SAMPLE_END, WithdrawalBody } from '../../../schemas/requests.ts';
import { withdrawRequest } from '../../../src/broker/decide-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/requests/:request_id/withdraw',
    {
      config: { scopes: ['services:operate', 'admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'withdrawRequest',
        tags: ['Requests'],
        summary: 'Take back a request before its work begins',
        description:
          'Takes back a request whose work has not begun. An accepted request becomes `failed` with the reason ' +
          '`withdrawn`, one under review becomes `denied`. A withdrawn cancellation leaves its service as it was; ' +
          'the service of a withdrawn creation is terminated.\n\nChecked in this order: the request is not final, ' +
          'it does not wait for your own decision (deny it instead), it was not submitted by the operator, no work has ' +
          'begun, and it is not a cancellation that closed the creation of its service. A key with `services:operate` alone takes back ' +
          'actions only. `reason` becomes the note in the history.',
        params: { ...RequestParams, examples: [{ request_id: 'req_test_sample_operator_review' }] },
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: WithdrawalBody,
        reasons: [
          'request_already_processed',
          'awaiting_decision',
          'asked_by_operator',
          'work_has_begun',
          'creation_closed',
        ],
        response: {
          200: Envelope(Request, {
            narrow: { request_status: ['failed', 'denied'], is_final: true },
            example: {
              ...SAMPLE_END,
              type: 'plan-upgrade',
              request_id: 'req_test_sample_operator_review',
              request_status: 'denied',
              service_number: 900012,
              submitted_date: '2026-02-27T09:30:00.000Z',
              decision: { ...SAMPLE_DECISION, action: 'deny', reason: 'withdrawn' },
            },
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(await perform(withdrawRequest, { requestId: params.request_id, reason: body.reason ?? null })),
  );
};
