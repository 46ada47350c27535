import { gateErrors, ListEnvelope } from '../../../schemas/envelope.ts';
import { UsageItem, UsageQuery } from '../../../schemas/usage.ts';
import { listUsage } from '../../../src/broker/list-usage.ts';
import { parseWindow, timestampOf } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/usage',
    {
      config: { scopes: [], sandbox: 'real' },
      schema: {
        operationId: 'listUsage',
        tags: ['Access'],
        summary: 'Show the use of your key',
        description:
          'Counts API calls, not what services consume: the calls of this key and of those that it was rotated ' +
          'from, by hour or day (UTC), operation and outcome, newest first. The last seconds may be missing. ' +
          '`from` and `to` are rounded down to the hour or day. Hours go back 90 days, days two years. Needs no ' +
          'scope.',
        querystring: UsageQuery,
        response: { 200: ListEnvelope(UsageItem), ...gateErrors() },
      },
    },
    async ({ perform, access, query }, reply) =>
      reply.answer(
        await perform(listUsage, {
          keyId: access.key.id,
          span: query.span ?? 'day',
          from: timestampOf(query.from),
          to: timestampOf(query.to),
          operation: query.operation,
          outcome: query.outcome,
          ...parseWindow(query),
        }),
      ),
  );
};
