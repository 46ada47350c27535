import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { UpgradeOptions } from '../../../schemas/services.ts';
import { upgradeOptions } from '../../../src/broker/upgrade-options.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/services/:service_number/upgrade-options',
    {
      config: { scopes: ['services:read', 'admin:full'] },
      schema: {
        operationId: 'listUpgradeOptions',
        tags: ['Services'],
        summary: 'See which plans a service can be upgraded to',
        description:
          'Applies the rules of the upgrade to every active plan: `available` shows whether the operator would ' +
          'review the upgrade, `unavailable` the reason for which it would be refused.',
        params: ServiceParams,
        querystring: NoQuery,
        response: { 200: Envelope(UpgradeOptions), ...gateErrors(), ...errors(404) },
      },
    },
    async ({ perform, params }, reply) =>
      reply.answer(await perform(upgradeOptions, { serviceNumber: params.service_number })),
  );
};
