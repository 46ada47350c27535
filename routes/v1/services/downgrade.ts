import { errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { ENTERPRISE_PLAN } from '../../../schemas/plans.ts';
import { PlanChangeBody, planChangeResponses } from '../../../schemas/services.ts';
import { downgradeService } from '../../../src/broker/submit-request.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/services/:service_number/downgrade',
    {
      config: { scopes: ['admin:full'], idempotency: 'compare' },
      schema: {
        operationId: 'downgradeService',
        tags: ['Services'],
        summary: 'Move a service to a lower plan',
        description:
          '200: accepted and queued. 202: the operator reviews the downgrade; do not submit it again. It takes ' +
          'effect at the renewal date of a monthly service, at once for an hourly one.\n\nChecked in this order: ' +
          '`new_plan` names an active plan, the service is active, no cancellation is scheduled, no plan change ' +
          'is open, the plan is another one, both plans have the same `billing_type`, the new `upgrade_rank` is ' +
          'lower, `configuration` fits the options of the new plan. `new_plan` is compared with ids exactly, then with ' +
          'slugs and display names without regard to case. The operator reviews where the plan or the service requires ' +
          'it, or where the disk would shrink.\n\n`configuration` is written together with the plan, when the work is ' +
          'done; what it does not name stays as the service has it.',
        params: { ...ServiceParams, examples: [{ service_number: 900013 }] },
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: PlanChangeBody,
        reasons: [
          'plan_not_available',
          'service_not_active',
          'cancellation_scheduled',
          'plan_change_in_progress',
          'plan_is_current',
          'billing_type_mismatch',
          'plan_rank_not_lower',
          'sandbox_full',
        ],
        response: {
          ...planChangeResponses('plan-downgrade', {
            service_number: 900013,
            current_plan: ENTERPRISE_PLAN,
            effective_date: '2026-04-01T00:00:00.000Z',
            next_check_seconds: 3600,
          }),
          ...gateErrors('invalid_state'),
          ...errors(404, 409),
        },
      },
    },
    async ({ perform, params, body }, reply) =>
      reply.answer(
        await perform(downgradeService, {
          serviceNumber: params.service_number,
          newPlan: body.new_plan,
          configuration: body.configuration ?? {},
        }),
      ),
  );
};
