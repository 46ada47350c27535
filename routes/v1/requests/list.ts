import { ChangesEnvelope, gateErrors } from '../../../schemas/envelope.ts';
import { Request, RequestListQuery, SAMPLE_REQUEST } from '../../../schemas/requests.ts';
import { listRequests } from '../../../src/broker/list-requests.ts';
import { parseServiceNumber } from '../../../src/rules/service-number.ts';
import { parseWindow, timestampOf } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/requests',
    {
      config: { scopes: ['requests:read', 'admin:full'] },
      schema: {
        operationId: 'listRequests',
        tags: ['Requests'],
        summary: 'List requests',
        description:
          'Newest `submitted_date` first, then `request_id`. All given filters must match; each takes one ' +
          'value.\n\nWith `updated_since` the order is `updated_date`, then `request_id`, both ascending, to ' +
          "follow all requests: continue with the last item's `updated_date` and `request_id` as `updated_since` " +
          'and `after_request` until a page is not full. Begin the next round one minute before the ' +
          "`X-Server-Date` of this round's first answer: a change becomes visible at most 30 seconds after its " +
          'date. `total` stops counting at 10000.',
        querystring: RequestListQuery,
        response: {
          200: ChangesEnvelope(Request, {
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
          ...parseWindow(query),
        }),
      ),
  );
};
