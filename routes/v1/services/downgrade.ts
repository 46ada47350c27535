import { errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { PlanChangeBody, planChangeResponses } from '../../../schemas/services.ts';
import { changePlan } from '../../../src/operations/change-plan.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/services/:service_number/downgrade',
    {
      config: { scopes: ['admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'downgradeService',
        tags: ['Services'],
        summary: 'Move a service to a lower plan',
        description:
          'Takes effect at the renewal date of a monthly service, at once for an hourly one. 200: accepted and queued. ' +
          '202: the operator reviews the change, as one that would shrink the disk; do not submit it again.',
        params: ServiceParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: PlanChangeBody,
        response: {
          ...planChangeResponses('plan-downgrade'),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(changePlan, {
          serviceNumber: params.service_number,
          direction: 'downgrade',
          newPlan: body.new_plan,
        }),
      ),
  );
};
