import { errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { PlanChangeBody, planChangeResponses } from '../../../schemas/services.ts';
import { changePlan } from '../../../src/operations/change-plan.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/services/:service_number/upgrade',
    {
      config: { scopes: ['admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'upgradeService',
        tags: ['Services'],
        summary: 'Move a service to a higher plan',
        description:
          '200: accepted and queued; the plan changes when the work is done. 202: the operator reviews the change; ' +
          'do not submit it again. Follow the request by its id.',
        params: ServiceParams,
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: PlanChangeBody,
        response: {
          ...planChangeResponses('plan-upgrade'),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(changePlan, {
          serviceNumber: params.service_number,
          direction: 'upgrade',
          newPlan: body.new_plan,
        }),
      ),
  );
};
