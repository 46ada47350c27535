import { gateErrors, ListEnvelope } from '../../../schemas/envelope.ts';
import { Plan, PlanListQuery } from '../../../schemas/plans.ts';
import { listPlans } from '../../../src/broker/list-plans.ts';
import { parseWindow } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/plans',
    {
      config: { scopes: ['plans:read', 'admin:full'] },
      schema: {
        operationId: 'listPlans',
        tags: ['Plans'],
        summary: 'List the active plans',
        description: 'By `upgrade_rank`, then `id`. Only active plans can be ordered or moved to.',
        querystring: PlanListQuery,
        response: { 200: ListEnvelope(Plan), ...gateErrors() },
      },
    },
    async ({ perform, query }, reply) =>
      reply.answer(await perform(listPlans, { billingType: query.billing_type, ...parseWindow(query) })),
  );
};
