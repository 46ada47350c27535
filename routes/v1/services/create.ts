import { Envelope, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery } from '../../../schemas/params.ts';
import { STARTER_PLAN } from '../../../schemas/plans.ts';
import { CreationBody, CreationResult } from '../../../schemas/services.ts';
import { createService } from '../../../src/broker/create-service.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services',
    {
      config: { scopes: ['services:write', 'admin:full'], idempotency: 'replay' },
      schema: {
        operationId: 'createService',
        tags: ['Services'],
        summary: 'Create a service',
        description:
          'Answers the request (`service-creation`) with the new `service_number`. The service is `pending` until ' +
          'the work is done, then `active`; if the work fails, it is `terminated`. A creation is never reviewed. ' +
          '`plan` is the id, slug or display name of an active plan; `configuration` has values for the `options` of ' +
          'that plan, by their names, with the defaults filled in.\n\nUnder an idempotency key ' +
          'that was used before, the first answer comes again, whatever the body says; these keys are kept for ' +
          'good.',
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: CreationBody,
        reasons: ['plan_not_available', 'sandbox_full'],
        response: {
          201: Envelope(CreationResult, {
            narrow: { request_status: 'accepted', service_status: 'pending', is_final: false },
            example: { service_number: 950001, new_plan: STARTER_PLAN },
          }),
          ...gateErrors('invalid_state'),
        },
      },
    },
    async ({ perform, body }, reply) =>
      reply.answer(
        await perform(createService, {
          plan: body.plan,
          client: body.client,
          label: body.label ?? null,
          externalReference: body.external_reference ?? null,
          configuration: body.configuration ?? {},
        }),
      ),
  );
};
