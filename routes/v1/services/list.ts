import { ChangesEnvelope, gateErrors } from '../../../schemas/envelope.ts';
import { Service, ServiceListQuery } from '../../../schemas/services.ts';
import { listServices } from '../../../src/broker/list-services.ts';
import { parseWindow, timestampOf } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/services',
    {
      config: { scopes: ['services:read', 'admin:full'] },
      schema: {
        operationId: 'listServices',
        tags: ['Services'],
        summary: 'List services',
        description:
          'Newest `created_date` first, then the higher number. All given filters must match; each takes one ' +
          'value. A `plan` that does not exist gives an empty list.\n\nWith `updated_since` the order is ' +
          "`updated_date`, then number, both ascending, to keep a copy: continue with the last item's " +
          '`updated_date` and `service_number` as `updated_since` and `after_number` until a page is not full. ' +
          "Begin the next round one minute before the `X-Server-Date` of this round's first answer: a change " +
          'becomes visible at most 30 seconds after its date.\n\nWith `updated_since` or `search`, `total` stops ' +
          'counting at 10000: read on until a page is not full.',
        querystring: ServiceListQuery,
        response: { 200: ChangesEnvelope(Service), ...gateErrors() },
      },
    },
    async ({ perform, query }, reply) =>
      reply.answer(
        await perform(listServices, {
          serviceStatus: query.service_status,
          billingType: query.billing_type,
          plan: query.plan,
          clientEmail: query.client_email,
          search: query.search,
          createdFrom: timestampOf(query.created_from),
          createdTo: timestampOf(query.created_to),
          renewalBefore: timestampOf(query.renewal_before),
          externalReference: query.external_reference,
          updatedSince: timestampOf(query.updated_since),
          afterNumber: query.after_number === undefined ? undefined : Number(query.after_number),
          ...parseWindow(query),
        }),
      ),
  );
};
