import { Consumption, ConsumptionListQuery } from '../../../schemas/consumption.ts';
import { gateErrors, ListEnvelope } from '../../../schemas/envelope.ts';
import { listConsumption } from '../../../src/broker/list-consumption.ts';
import { parseServiceNumber } from '../../../src/rules/service-number.ts';
import { parseWindow } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/consumption',
    {
      config: { scopes: ['services:read', 'admin:full'] },
      schema: {
        operationId: 'listConsumption',
        tags: ['Services'],
        summary: 'List what services consumed',
        description:
          'The latest measurement of each service that has one, by service number. The operator supplies them. They do ' +
          'not change `updated_date`.',
        querystring: ConsumptionListQuery,
        response: { 200: ListEnvelope(Consumption), ...gateErrors() },
      },
    },
    async ({ perform, query }, reply) =>
      reply.answer(
        await perform(listConsumption, {
          serviceNumber: query.service_number === undefined ? undefined : parseServiceNumber(query.service_number),
          ...parseWindow(query),
        }),
      ),
  );
};
