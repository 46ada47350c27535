import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { Request } from '../../../schemas/requests.ts';
import { SuspensionBody } from '../../../schemas/services.ts';
import { suspendService } from '../../../src/broker/submit-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services/:service_number/suspend',
    {
      config: { scopes: ['admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'suspendService',
        tags: ['Services'],
        summary: 'Suspend a service',
        description:
          'Accepted at once and never reviewed; the service is `suspended` when the work is done. It keeps its ' +
          'plan, its term and a scheduled cancellation. A plan change that was accepted before still completes; ' +
          'one that waits for a decision can be accepted only after the suspension.\n\nChecked in this order: the ' +
          'service has not ended, no other suspension is open, it is not suspended, it is not pending. While an ' +
          'unsuspension is open the last two are not checked: the suspension is accepted and waits until the ' +
          'unsuspension is final. Sent again while an unsuspension waits for it, an open suspension is the answer, ' +
          'and the unsuspension fails (`superseded`). If the operator suspends the service meanwhile, that ' +
          'suspension stays and this request completes. Use a new idempotency key for each suspension: with an ' +
          'earlier one nothing happens.',
        params: ServiceParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: SuspensionBody,
        reasons: [
          'service_cancelled',
          'service_terminated',
          'suspension_in_progress',
          'service_suspended',
          'service_not_active',
          'sandbox_full',
        ],
        response: {
          200: Envelope(Request, {
            narrow: { type: 'service-suspension', request_status: 'accepted', is_final: false },
            example: { reason: 'Two invoices are overdue.' },
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(suspendService, { serviceNumber: params.service_number, reason: body.reason ?? null }),
      ),
  );
};
