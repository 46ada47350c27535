import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { SingleService } from '../../../schemas/services.ts';
import { getService } from '../../../src/broker/get-service.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/services/:service_number',
    {
      config: { scopes: ['services:read', 'admin:full'] },
      schema: {
        operationId: 'getService',
        tags: ['Services'],
        summary: 'Get a service',
        description:
          'Of several open requests `open_request` shows one: a cancellation before a plan change, a plan change ' +
          'before a suspension or its end, these before a creation, and that before an action; `open_requests` lists ' +
          'all. `expected` is the service once every accepted request that waits for no date is done. `access` says ' +
          'how the client reaches the service; it is null until something is known, and once the service has ended. ' +
          '`actions` are what can be submitted for it; its plan may be withdrawn from sale and is then in no ' +
          'list. A monthly service renews by ' +
          'itself while it is pending, active or suspended: `renewal_date` moves by whole months from the date ' +
          'first given (31 January, 28 February, 31 March), within minutes after it has passed, also while a ' +
          'cancellation is scheduled.',
        params: ServiceParams,
        querystring: NoQuery,
        response: { 200: Envelope(SingleService), ...gateErrors(), ...errors(404) },
      },
    },
    async ({ perform, params }, reply) =>
      reply.answer(await perform(getService, { serviceNumber: params.service_number })),
  );
};
