import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { WarningBody, WarningResult } from '../../../schemas/warnings.ts';
import { warnCancellation } from '../../../src/broker/warn-cancellation.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services/:service_number/cancellation-warning',
    {
      config: { scopes: ['admin:full'], sandbox: 'unrecorded' },
      schema: {
        operationId: 'warnCancellation',
        tags: ['Services'],
        summary: "Warn a service's client of a cancellation",
        description:
          "Emails the client with the broker's active template; cancels and schedules nothing. Checked in this " +
          'order: the service has not ended, the client has one valid address (`missing_customer_email`), there ' +
          'is an active template (`template_not_found`), the service had fewer warnings than allowed in the last ' +
          '24 hours (`warning_limit`; 20 unless your operator set another number).\n\nTakes no idempotency key: ' +
          'each successful call sends one email, and a repeat may send a second one. After `outcome_unknown` the ' +
          'email may have been sent: ask your operator first. `request_id` is null where the email was sent and ' +
          'its request could not be stored.',
        params: ServiceParams,
        querystring: NoQuery,
        body: WarningBody,
        reasons: [
          'service_cancelled',
          'service_terminated',
          'sandbox_full',
          'warning_limit',
          'rejected',
          'unreachable',
          'outcome_unknown',
        ],
        response: {
          200: Envelope(WarningResult),
          ...gateErrors('invalid_state', 'missing_customer_email', 'template_not_found', 'email_send_error'),
          ...errors(404),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(warnCancellation, {
          serviceNumber: params.service_number,
          warningReason: body.warningReason,
        }),
      ),
  );
};
