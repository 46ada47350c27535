import { SAMPLE_DATE } from '../../../schemas/atoms.ts';
import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { Service, UpdateBody } from '../../../schemas/services.ts';
import { updateService } from '../../../src/broker/update-service.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services/:service_number/update',
    {
      config: { scopes: ['services:write', 'admin:full'], idempotency: 'compare', sandbox: 'unrefused' },
      schema: {
        operationId: 'updateService',
        tags: ['Services'],
        summary: 'Update a service',
        description:
          "Changes the label, your reference, the client's name or address at once, without a request. Omitted " +
          'fields stay; null removes a value. A body without any of these fields is `missing_parameter`. Refused ' +
          'only for a cancelled or terminated service.',
        params: ServiceParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: UpdateBody,
        reasons: ['service_cancelled', 'service_terminated'],
        response: {
          200: Envelope(Service, { example: { updated_date: SAMPLE_DATE } }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(updateService, {
          serviceNumber: params.service_number,
          label: body.label,
          externalReference: body.external_reference,
          client: body.client,
        }),
      ),
  );
};
