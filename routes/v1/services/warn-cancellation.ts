import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { WarningBody, WarningResult } from '../../../schemas/warnings.ts';
import { warnCancellation } from '../../../src/operations/warn-cancellation.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/services/:service_number/cancellation-warning',
    {
      config: { scopes: ['admin:full'] },
      schema: {
        operationId: 'warnCancellation',
        tags: ['Services'],
        summary: "Warn a service's client of a cancellation",
        description:
          "Emails the client with the broker's active template. Cancels nothing and schedules nothing. " +
          'There is no idempotency key here: every successful call sends one email.',
        params: ServiceParams,
        querystring: NoQuery,
        body: WarningBody,
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
