import { ServiceCredentials } from '../../../schemas/credentials.ts';
import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery, ServiceParams } from '../../../schemas/params.ts';
import { readCredentials } from '../../../src/broker/read-credentials.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.get(
    '/services/:service_number/credentials',
    {
      config: { scopes: ['credentials:read', 'admin:full'] },
      schema: {
        operationId: 'readCredentials',
        tags: ['Services'],
        summary: "Read a service's logins",
        description:
          "Reads them from the operator's systems and passes them on: they are stored nowhere. Call this when the client " +
          'wants to see them, and keep nothing of the answer. Each answer is recorded in the audit trail of the ' +
          'operator, by the key and the service alone. `has_credentials` of the service says whether its plan has ' +
          'any.\n\nChecked in this order: the service has not ended, it is not pending, there are credentials for it. ' +
          'Where no answer comes within 5 seconds, or five such calls of yours are open already, it is 500 ' +
          '`server_error` with `Retry-After`. Beside an open `reset_password` the password is the old or the new one.',
        params: ServiceParams,
        querystring: NoQuery,
        reasons: ['service_cancelled', 'service_terminated', 'service_not_active', 'credentials_not_available'],
        response: { 200: Envelope(ServiceCredentials), ...gateErrors('invalid_state'), ...errors(404) },
      },
    },
    async ({ perform, params }, reply) =>
      reply.answer(await perform(readCredentials, { serviceNumber: params.service_number })),
  );
};
