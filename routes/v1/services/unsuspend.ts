import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { Request } from '../../../schemas/requests.ts';
import { UnsuspensionBody } from '../../../schemas/services.ts';
import { unsuspendService } from '../../../src/broker/submit-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services/:service_number/unsuspend',
    {
      config: { scopes: ['admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'unsuspendService',
        tags: ['Services'],
        summary: 'Lift the suspension of a service',
        description:
          'Accepted at once; the service is `active` when the work is done. Checked in this order: the service ' +
          'has not ended, it is not suspended by the operator, no other unsuspension is open, it is suspended. While ' +
          'a suspension is open the last is not checked: the unsuspension is accepted and waits until the suspension ' +
          'is final. Sent again while a suspension waits for it, an open unsuspension is the answer, and the ' +
          'suspension fails (`superseded`). If the operator suspends the service before the work is done, the ' +
          'request fails with `suspended_by_operator`.',
        params: { ...ServiceParams, examples: [{ service_number: 900014 }] },
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: UnsuspensionBody,
        reasons: [
          'service_cancelled',
          'service_terminated',
          'suspended_by_operator',
          'suspension_in_progress',
          'service_not_suspended',
          'sandbox_full',
        ],
        response: {
          200: Envelope(Request, {
            narrow: { type: 'service-unsuspension', request_status: 'accepted', is_final: false },
            example: { service_number: 900014 },
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params }, reply) =>
      reply.answer(await perform(unsuspendService, { serviceNumber: params.service_number })),
  );
};
