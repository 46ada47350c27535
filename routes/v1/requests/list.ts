import { gateErrors, ListEnvelope } from '../../../schemas/envelope.ts';
import { Request, RequestListQuery, SAMPLE_REQUEST } from '../../../schemas/requests.ts';
import { listRequests } from '../../../src/operations/list-requests.ts';
import { parseServiceNumber } from '../../../src/rules/service-number.ts';
import { timestampOf, windowOf } from '../parameters.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.get(
    '/requests',
    {
      config: { scopes: ['requests:read', 'admin:full'] },
      schema: {
        operationId: 'listRequests',
        tags: ['Requests'],
        summary: 'List requests',
        description:
          'Newest first. Every filter takes one value and all that are given must hold. With `updated_since` those that ' +
          'changed first come first, so that one loop follows all requests: go on with the `updated_date` and ' +
          '`request_id` of the last item as `updated_since` and `after_request` until a page is not full; begin the next ' +
          'round at the `X-Server-Date` of the first answer of this one, less a minute. `total` then stops at 10000.',
        querystring: RequestListQuery,
        response: {
          200: ListEnvelope(Request, {
            example: {
              ...SAMPLE_REQUEST,
              updated_date: SAMPLE_REQUEST.submitted_date,
              effective_date: null,
              next_check_seconds: 60,
            },
          }),
          ...gateErrors(),
        },
      },
    },
    async ({ perform, query }, reply) =>
      reply.answer(
        await perform(listRequests, {
          type: query.type,
          requestStatus: query.request_status,
          serviceNumber: query.service_number === undefined ? undefined : parseServiceNumber(query.service_number),
          operatorReview: query.operator_review === undefined ? undefined : query.operator_review === 'true',
          submittedFrom: timestampOf(query.submitted_from),
          submittedTo: timestampOf(query.submitted_to),
          updatedSince: timestampOf(query.updated_since),
          afterRequest: query.after_request,
          ...windowOf(query),
        }),
      ),
  );
};
