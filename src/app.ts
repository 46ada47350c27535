import { readFileSync } from 'node:fs';
import fastifyRateLimit from '@fastify/rate-limit';
import fastifySensible from '@fastify/sensible';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import auth from '../plugins/auth.ts';
import authFailures from '../plugins/auth-failures.ts';
import drain from '../plugins/drain.ts';
import envelope from '../plugins/envelope.ts';
import errors, { clientErrorHandler, frameworkErrors } from '../plugins/errors.ts';
import firewall from '../plugins/firewall.ts';
import hsts from '../plugins/hsts.ts';
import idempotency from '../plugins/idempotency.ts';
import jsonBody from '../plugins/json-body.ts';
import metrics from '../plugins/metrics.ts';
import openapi from '../plugins/openapi.ts';
import overload, { type OverloadOptions } from '../plugins/overload.ts';
import rateLimit from '../plugins/rate-limit.ts';
import requestId from '../plugins/request-id.ts';
import sandbox from '../plugins/sandbox.ts';
import scopes from '../plugins/scopes.ts';
import transport from '../plugins/transport.ts';
import validation from '../plugins/validation.ts';
import health from '../routes/health.ts';
import v1Routes from '../routes/v1/index.ts';
import { NAMED_SCHEMAS } from '../schemas/named.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { newCorrelationId } from './ids.ts';
import { fixedWindowStore } from './limits/fixed-window.ts';
import type { SharedWindows } from './limits/redis-window.ts';
import { createAuthenticator } from './operations/authenticate.ts';
import { createLastUsed } from './operations/last-used.ts';
import type { Operations } from './operations/operations.ts';
import { listScenarios } from './sandbox/scenarios.ts';
import type { Store } from './store/store.ts';

export interface AppParts {
  config: Pick<Config, 'trustedProxies' | 'requireHttps' | 'tls' | 'rateLimit'>;
  store: Store;
  clock: Clock;
  live: Operations;
  sandbox: Operations;
  /** When requests are refused because the process cannot keep up. */
  overload?: OverloadOptions;
  /** Where the rate limits are counted; in this process unless told otherwise. */
  limits?: Pick<SharedWindows, 'store' | 'away'> | undefined;
  /** Where answers are counted and timed; nowhere without it. */
  metrics?: Registry | undefined;
  /** pino's instance; nothing is logged without it. */
  logger?: FastifyBaseLogger;
}

/** How long a request may take to arrive, headers and all: what is slower is refused as malformed. */
const ARRIVAL = { requestTimeout: 20_000, headersTimeout: 20_000, connectionsCheckingInterval: 1000 };

/** A path segment up to this reaches the service number's own check; a longer one cannot be routed. */
const MAX_SEGMENT_LENGTH = 1000;

/** The whole pipeline as one visible list: what every request passes, in the order of the contract's section 2. */
export async function buildApp({
  config,
  store,
  clock,
  live,
  sandbox: simulated,
  overload: overloadLimits = {},
  limits,
  metrics: registry,
  logger,
}: AppParts) {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    ...(config.tls
      ? { https: { ...ARRIVAL, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) } }
      : { http: ARRIVAL }),
    genReqId: newCorrelationId,
    requestIdHeader: false,
    // One line a request costs a third of the throughput; failures are logged by the error handler.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request is made even where nothing is logged: lines name the request themselves.
    childLoggerFactory: (parent) => parent,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    frameworkErrors,
    clientErrorHandler,
    requestTimeout: ARRIVAL.requestTimeout,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as FastifyInstance;

  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  await app.register(fastifySensible);
  await app.register(requestId);
  // Nobody comes over HTTPS where it is neither served nor forwarded.
  if (config.tls || config.trustedProxies.length > 0) await app.register(hsts);
  await app.register(errors);
  await app.register(drain);
  await app.register(metrics, { registry });
  await app.register(openapi);
  await app.register(health, {
    checks: { database: () => store.ping(), degraded: () => (limits ? { redis: limits.away() } : {}) },
  });

  const lastUsed = createLastUsed({
    store,
    clock,
    onError: (error) => app.log.warn({ err: error }, "a key's last use could not be written"),
  });
  app.addHook('onClose', () => lastUsed.flush());

  const Windows = limits?.store ?? fixedWindowStore(clock);
  await app.register(
    async (v1) => {
      await v1.register(overload, overloadLimits);
      await v1.register(fastifyRateLimit, { global: false, store: Windows });
      await v1.register(envelope);
      await v1.register(transport, { requireHttps: config.requireHttps }); //                    gate 0
      await v1.register(authFailures, { max: config.rateLimit.authFailureMax });
      await v1.register(auth, { authenticate: createAuthenticator({ store, clock }), lastUsed, clock }); // gate 1
      await v1.register(firewall); //                                                              gate 2
      await v1.register(rateLimit, { ...config.rateLimit, windows: new Windows({}) }); //                                           gate 3
      await v1.register(scopes); //                                                                gate 4
      await v1.register(sandbox, { live, sandbox: simulated, listScenarios });
      await v1.register(jsonBody); //                                                              gate 5: content type and JSON
      await v1.register(validation); //                                                            gate 5: fields
      await v1.register(idempotency); //                                                           gate 6
      await v1.register(v1Routes); //                                                              gates 7 to 9: the operations
    },
    { prefix: '/api/v1' },
  );
  return app;
}
