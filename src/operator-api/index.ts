import type { FastifyInstance } from 'fastify';
import auth, { type AuthOptions } from '../../plugins/auth.ts';
import authFailures from '../../plugins/auth-failures.ts';
import docsPage, { operatorGuide } from '../../plugins/docs-page.ts';
import envelope from '../../plugins/envelope.ts';
import errors, { unreadableAnswers } from '../../plugins/errors.ts';
import firewall from '../../plugins/firewall.ts';
import jsonBody from '../../plugins/json-body.ts';
import openapi from '../../plugins/openapi.ts';
import publicLimit from '../../plugins/public-limit.ts';
import rateLimit from '../../plugins/rate-limit.ts';
import requestId from '../../plugins/request-id.ts';
import securityHeaders from '../../plugins/security-headers.ts';
import serviceNumber from '../../plugins/service-number.ts';
import transport from '../../plugins/transport.ts';
import validation from '../../plugins/validation.ts';
import { FailureEnvelope, Pagination, PaginationOfChanges } from '../../schemas/envelope.ts';
import { authenticateOperators, type OperatorAccess } from '../access/operator-keys.ts';
import { fail } from '../errors.ts';
import type { SlotQueue } from '../limits/slot-queue.ts';
import { touchOperatorKey } from '../operator/people/operator-keys.ts';
import type { UseCaseDeps } from '../operator/use-case/use-case.ts';
import { OPERATOR_DOCUMENT } from './document.ts';
import roles from './roles.ts';
import routes from './routes.ts';
import slots from './slots.ts';

export { unreadableAnswers };

/** Where it stands on the console's port. */
export const OPERATOR_API = '/operator';

/** What the API's port counts too: failed keys, and look-ups of keys that were not seen before. */
export interface SharedGates {
  unknownKeys: SlotQueue;
  countAuthFailure: FastifyInstance['countAuthFailure'];
}

export interface OperatorApiOptions {
  context: UseCaseDeps;
  /** Where it is off, every address below it is unknown. */
  enabled: boolean;
  requireHttps: boolean;
  /** Whether requests can arrive over HTTPS. */
  overHttps: boolean;
  /** By default the counts are this port's alone. */
  shared?: SharedGates | undefined;
}

/** The longest body but for imports: templates are the longest, as in the console's forms. Bytes. */
export const OPERATOR_BODY_LIMIT_BYTES = 1_000_000;

/** Failed authentications of an address in a minute, where no other port counts them. */
const AUTH_FAILURES = 100;

export const WINDOW_SECONDS = 60;

/** The operator's API (contract, section 13): its gates in the order of v1's, then a route for each use case. */
export default async function operatorApi(app: FastifyInstance, options: OperatorApiOptions): Promise<void> {
  const { context, enabled, requireHttps, overHttps, shared } = options;
  const { store, clock } = context;
  for (const schema of [FailureEnvelope, Pagination, PaginationOfChanges]) app.addSchema(schema);
  await app.register(requestId);
  await app.register(securityHeaders, { overHttps });
  await app.register(publicLimit);
  if (!enabled) app.addHook('onRequest', (_request, _reply, done) => done(fail.routeNotFound(undefined)));
  await app.register(errors, { api: OPERATOR_API, largestBody: '1 MB, or 64 MB of an import' });
  if (!enabled) return;
  await app.register(openapi, { api: OPERATOR_DOCUMENT, needsOf: ({ config }) => [config?.role ?? 'admin'] });
  await app.register(docsPage, {
    publicUrl: undefined,
    api: OPERATOR_DOCUMENT,
    guides: operatorGuide,
    downloads: false,
  });

  const authenticate = authenticateOperators({ store, clock, unknownKeys: shared?.unknownKeys });
  const admission: AuthOptions<OperatorAccess> = {
    authenticate,
    clock,
    admit(request, access) {
      request.operator = access;
      const { key } = access;
      // In the background, and once for all calls until the key is read again.
      touchOperatorKey(context, key, request.clientIp).catch((error: unknown) =>
        context.log.warn({ err: error, key_id: key.id }, 'the use of a key of the operator could not be written'),
      );
      key.lastUsedAt = Math.max(key.lastUsedAt ?? 0, clock.machine());
    },
  };
  await app.register(
    async (v1) => {
      v1.decorateRequest('operator');
      await v1.register(envelope);
      await v1.register(transport, { requireHttps }); // 0
      await v1.register(authFailures, { max: AUTH_FAILURES, shared: shared?.countAuthFailure });
      await v1.register(auth, admission as AuthOptions); // 1
      await v1.register(firewall); // 2
      await v1.register(rateLimit, { windowSeconds: WINDOW_SECONDS }); // 3
      await v1.register(roles); // 4
      await v1.register(slots);
      await v1.register(jsonBody, { bodyLimit: OPERATOR_BODY_LIMIT_BYTES }); // 5
      await v1.register(serviceNumber);
      await v1.register(validation);
      await v1.register(routes, { context });
    },
    { prefix: '/v1' },
  );
}
