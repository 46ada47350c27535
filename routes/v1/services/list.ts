import { gateErrors, ListEnvelope } from '../../../schemas/envelope.ts';
import { Service, ServiceListQuery } from '../../../schemas/services.ts';
import { listServices } from '../../../src/operations/list-services.ts';
import { timestampOf, windowOf } from '../parameters.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.get(
    '/services',
    {
      config: { scopes: ['services:read', 'admin:full'] },
      schema: {
        operationId: 'listServices',
        tags: ['Services'],
        summary: 'List services',
        description:
          'Newest first. Every filter takes one value and all that are given must hold. With `updated_since` those that ' +
          'changed first come first, so that a copy can be kept in step: go on with the `updated_date` and ' +
          '`service_number` of the last item as `updated_since` and `after_number` until a page is not full; begin the ' +
          'next round at the `X-Server-Date` of the first answer of this one, less a minute. `total` then stops at 10000.',
        querystring: ServiceListQuery,
        response: { 200: ListEnvelope(Service), ...gateErrors() },
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
          ...windowOf(query),
        }),
      ),
  );
};
