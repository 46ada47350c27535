import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { Request } from '../../../schemas/requests.ts';
import { CancellationBody } from '../../../schemas/services.ts';
import { cancelService } from '../../../src/broker/submit-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services/:service_number/cancel',
    {
      config: { scopes: ['admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'cancelService',
        tags: ['Services'],
        summary: 'Cancel a service',
        description:
          'Cancels at the renewal date (`end_of_term`, the default) or at once (`immediate`). Accepted without ' +
          'review; the service is `cancelled` when the work is done.\n\nChecked in this order: the service has ' +
          'not ended, no cancellation is open, an hourly service is not cancelled at the end of its term. ' +
          'Acceptance fills `cancellation` of the service, refuses further plan changes, and closes an open plan ' +
          'change or creation with the reason `service_cancelled`: waiting ones are denied, accepted ones fail. A ' +
          'pending service can be cancelled.',
        params: ServiceParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: CancellationBody,
        reasons: [
          'service_cancelled',
          'service_terminated',
          'cancellation_scheduled',
          'end_of_term_not_available',
          'sandbox_full',
        ],
        response: {
          200: Envelope(Request, {
            narrow: { type: 'cancellation', request_status: 'accepted', is_final: false },
            example: { effective_date: '2026-04-01T00:00:00.000Z', next_check_seconds: 3600 },
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(cancelService, {
          serviceNumber: params.service_number,
          cancellationType: body.cancellation_type ?? 'end_of_term',
          reason: body.reason ?? null,
        }),
      ),
  );
};
