import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { Service } from '../../../schemas/services.ts';
import { getService } from '../../../src/operations/get-service.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.get(
    '/services/:service_number',
    {
      config: { scopes: ['services:read', 'admin:full'] },
      schema: {
        operationId: 'getService',
        tags: ['Services'],
        summary: 'Get a service',
        description: 'The service as it stands, with its plan and the request about it that is open.',
        params: ServiceParams,
        querystring: NoQuery,
        response: { 200: Envelope(Service), ...gateErrors(), ...errors(404) },
      },
    },
    async ({ perform, params }, reply) =>
      reply.answer(await perform(getService, { serviceNumber: params.service_number })),
  );
};
