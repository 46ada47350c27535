import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, RequestParams } from '../../../schemas/params.ts';
import { ApprovalBody, Request, SAMPLE_DECISION, SAMPLE_REQUEST } from '../../../schemas/requests.ts';
import { approveRequest } from '../../../src/broker/decide-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/requests/:request_id/approve',
    {
      config: { scopes: ['requests:write', 'admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'approveRequest',
        tags: ['Requests'],
        summary: "Approve a client's request",
        description:
          "Accepts a client's request, or passes it to the operator where a review is required (200, " +
          '`operator_review` true). Checked in this order: the request is neither accepted nor final, it is not ' +
          'under review, then the rules of the upgrade, downgrade or cancellation as for a new one. A refusal ' +
          'leaves the request pending. Of two decisions at the same time one wins; the other is ' +
          '`request_already_processed`.',
        params: RequestParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: ApprovalBody,
        reasons: [
          'request_already_processed',
          'awaiting_operator',
          'plan_not_available',
          'service_cancelled',
          'service_terminated',
          'service_not_active',
          'cancellation_scheduled',
          'plan_change_in_progress',
          'plan_is_current',
          'billing_type_mismatch',
          'plan_rank_not_higher',
          'plan_rank_not_lower',
          'end_of_term_not_available',
        ],
        response: {
          200: Envelope(Request, {
            narrow: { request_status: ['accepted', 'operator_review'], is_final: false },
            example: {
              ...SAMPLE_REQUEST,
              request_status: 'accepted',
              decision: { ...SAMPLE_DECISION, action: 'approve', reason: 'Agreed with the client by phone.' },
            },
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(await perform(approveRequest, { requestId: params.request_id, reason: body.reason ?? null })),
  );
};
