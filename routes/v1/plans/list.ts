import { gateErrors, ListEnvelope } from '../../../schemas/envelope.ts';
import { Plan, PlanListQuery } from '../../../schemas/plans.ts';
import { windowOf } from '../parameters.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.get(
    '/plans',
    {
      config: { scopes: ['plans:read', 'admin:full'] },
      schema: {
        operationId: 'listPlans',
        tags: ['Plans'],
        summary: 'List the active plans',
        description: 'In catalog order: by rank, then id.',
        querystring: PlanListQuery,
        response: { 200: ListEnvelope(Plan), ...gateErrors() },
      },
    },
    async ({ operations, caller, query }, reply) =>
      reply.answer(await operations.listPlans(caller, { billingType: query.billing_type, ...windowOf(query) })),
  );
};
