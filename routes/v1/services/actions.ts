import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { Request } from '../../../schemas/requests.ts';
import { ActionBody } from '../../../schemas/services.ts';
import { actOnService } from '../../../src/broker/submit-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services/:service_number/actions',
    {
      config: { scopes: ['services:operate', 'admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'actOnService',
        tags: ['Services'],
        summary: 'Restart, reinstall or otherwise operate a service',
        description:
          "Submits one of the actions that the service's plan has: `GET /v1/services/{service_number}` lists them, with " +
          'their options. Accepted at once (200), or reviewed by the operator first (202). It is tried five times at ' +
          'most. Ask your client first where `destroys_data` is true.\n\nChecked in this order: the service has not ' +
          'ended, it is active, its plan has the action, the configuration fits its options, no other action of this ' +
          'service is open. When the action is done, values whose names are options of the plan become part of the ' +
          "service's `configuration`: a reinstallation with another `image`. An action runs alongside a scheduled " +
          'cancellation and a plan change; it fails where its turn comes on a suspended service.\n\nNames that panels ' +
          'know: `start`, `stop`, `reboot`, `reinstall` (option `image`), `reset_password` (the new one is read with ' +
          '`GET .../credentials`), `console` (its `login_url` is in `access`), `reconfigure`.',
        params: ServiceParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: ActionBody,
        reasons: [
          'service_cancelled',
          'service_terminated',
          'service_not_active',
          'action_not_available',
          'action_in_progress',
          'sandbox_full',
        ],
        response: {
          200: Envelope(Request, {
            description: 'Accepted and queued',
            narrow: { type: 'service-action', request_status: 'accepted', operator_review: false, is_final: false },
          }),
          202: Envelope(Request, {
            description: 'Under review by the operator; do not submit it again',
            narrow: {
              type: 'service-action',
              request_status: 'operator_review',
              operator_review: true,
              is_final: false,
            },
            example: { next_check_seconds: 20 },
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(actOnService, {
          serviceNumber: params.service_number,
          action: body.action,
          configuration: body.configuration ?? {},
        }),
      ),
  );
};
