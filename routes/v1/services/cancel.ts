import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { Request } from '../../../schemas/requests.ts';
import { CancellationBody } from '../../../schemas/services.ts';
import { cancelService } from '../../../src/operations/cancel-service.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/services/:service_number/cancel',
    {
      config: { scopes: ['admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'cancelService',
        tags: ['Services'],
        summary: 'Cancel a service',
        description:
          'At the end of its term or at once. An open plan change or creation of the service is closed with it. ' +
          'The service becomes cancelled when the work is done.',
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
