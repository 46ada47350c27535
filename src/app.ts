import fastifyRateLimit from '@fastify/rate-limit';
import fastifySensible from '@fastify/sensible';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import authFailures from '../plugins/auth-failures.ts';
import brokerKeys from '../plugins/broker-keys.ts';
import docsPage, { integratorGuides } from '../plugins/docs-page.ts';
import drain from '../plugins/drain.ts';
import envelope from '../plugins/envelope.ts';
import errors, { unreadableAnswers } from '../plugins/errors.ts';
import firewall from '../plugins/firewall.ts';
import idempotency from '../plugins/idempotency.ts';
import jsonBody from '../plugins/json-body.ts';
import metrics from '../plugins/metrics.ts';
import openapi from '../plugins/openapi.ts';
import overload, { type OverloadOptions } from '../plugins/overload.ts';
import perform from '../plugins/perform.ts';
import publicLimit from '../plugins/public-limit.ts';
import rateLimit from '../plugins/rate-limit.ts';
import requestId from '../plugins/request-id.ts';
import sandbox from '../plugins/sandbox.ts';
import scopes, { scopesOf } from '../plugins/scopes.ts';
import securityHeaders from '../plugins/security-headers.ts';
import serviceNumber from '../plugins/service-number.ts';
import traffic from '../plugins/traffic.ts';
import transport from '../plugins/transport.ts';
import validation from '../plugins/validation.ts';
import health from '../routes/health.ts';
import v1Routes from '../routes/v1/index.ts';
import { NAMED_SCHEMAS } from '../schemas/named.ts';
import { authenticateBrokers } from './access/broker-keys.ts';
import type { Config } from './config.ts';
import { MAX_URL_LENGTH, routeWithin } from './http/request-shape.ts';
import { createHttpServer } from './http/server.ts';
import { findReplaced } from './lifecycle/replaced.ts';
import { fixedWindowStore } from './limits/fixed-window.ts';
import type { SharedWindows } from './limits/redis-window.ts';
import type { SlotQueue } from './limits/slot-queue.ts';
import type { Context } from './ports.ts';
import { BROKER_API } from './reference/api.ts';
import { newCorrelationId } from './runtime/ids.ts';
import type { Sandboxes } from './sandbox/sandbox.ts';
import { createRecorder } from './traffic/recorder.ts';
import { isProvisionerAway } from './worker/provisioner-state.ts';

export interface AppParts {
  config: Pick<Config, 'publicUrl' | 'trustedProxies' | 'requireHttps' | 'tls' | 'rateLimit' | 'keepAliveMs'>;
  /** Of the live records. */
  context: Context;
  sandboxes: Sandboxes;
  /** When requests are refused because the process cannot keep up. */
  overload?: OverloadOptions;
  /** Where the rate limits are counted; by default in this process. */
  limits?: Pick<SharedWindows, 'store' | 'away'> | undefined;
  /** The public demo key of the sandbox, for trying calls on the reference page; none in production. */
  demoKey?: string | undefined;
  /** Public parts of keys that are refused, whether they exist or not. */
  refusedKeys?: readonly string[];
  /** Registry for the metrics of answers; undefined: none. */
  metrics?: Registry | undefined;
  /** Where look-ups of unknown keys wait; a queue of its own unless another port has keys too. */
  unknownKeys?: SlotQueue | undefined;
  /** pino's instance; nothing is logged without it. */
  logger?: FastifyBaseLogger;
}

/** In code points (contract, section 1). */
const MAX_SEGMENT_LENGTH = 1000;

/** Builds the whole pipeline as one list: every step of a request, in the order of the contract's section 2. */
export async function buildApp({
  config,
  context,
  sandboxes,
  overload: overloadLimits = {},
  limits,
  demoKey,
  refusedKeys = [],
  metrics: registry,
  unknownKeys,
  logger,
}: AppParts) {
  const { store, clock } = context;
  const app = Fastify({
    // A log line per request costs a third of the throughput, and with a logger Fastify listens for the end of each
    // answer even if request logging is disabled. The error handler logs failures; the factory's logger gets the rest.
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => logger ?? parent,
    serverFactory: (handle) =>
      createHttpServer(handle, {
        trustedProxies: config.trustedProxies,
        tls: config.tls,
        keepAliveMs: config.keepAliveMs,
        answerUnreadable: unreadableAnswers(config.publicUrl),
      }),
    genReqId: newCorrelationId,
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    rewriteUrl: routeWithin(MAX_SEGMENT_LENGTH),
    // The server answers them itself.
    clientErrorHandler: () => undefined,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
  });

  if (logger) app.log = logger;
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  await app.register(fastifySensible);
  await app.register(requestId);
  await app.register(securityHeaders, { overHttps: config.tls !== undefined || config.trustedProxies.length > 0 });
  await app.register(fastifyRateLimit, { global: false, store: limits?.store ?? fixedWindowStore(clock) });
  await app.register(publicLimit);
  await app.register(errors, { publicUrl: config.publicUrl });
  await app.register(drain);
  await app.register(metrics, { registry, redis: limits });
  await app.register(openapi, { api: BROKER_API, needsOf: scopesOf });
  await app.register(docsPage, {
    demoKey,
    publicUrl: config.publicUrl,
    api: BROKER_API,
    guides: integratorGuides,
    downloads: true,
  });
  await app.register(health, {
    checks: {
      database: () => store.ping(),
      replaced: async () => (await findReplaced(store.read)) !== null,
      degraded: async () => ({
        clock: clock.state() !== 'steady',
        ...(limits && { redis: limits.away() }),
        ...((await store.read.history.findHolding()) !== null && { records: true }),
        ...(context.hasProvisioner && { provisioner: await isProvisionerAway(store.read) }),
      }),
    },
  });

  const authenticate = authenticateBrokers({
    store,
    clock,
    rateLimit: config.rateLimit,
    refused: refusedKeys,
    unknownKeys,
  });
  const recorder = createRecorder({
    store,
    clock,
    onError: (error) =>
      app.log.warn(
        { err: error },
        'usage, calls and uses of keys could not be written; they are kept for the next time',
      ),
  });
  app.addHook('onClose', () => recorder.close());
  // Counted for all ports: the operator's API takes this one.
  await app.register(authFailures, { max: config.rateLimit.authFailureMax });

  await app.register(
    async (v1) => {
      await v1.register(overload, overloadLimits);
      await v1.register(envelope);
      // The gates, in the order of the contract's section 2.
      await v1.register(transport, { requireHttps: config.requireHttps }); // 0
      await v1.register(brokerKeys, { authenticate, recorder, clock }); // 1
      await v1.register(traffic, { recorder, clock, registry });
      await v1.register(firewall); // 2
      await v1.register(rateLimit, { windowSeconds: config.rateLimit.windowSeconds }); // 3
      await v1.register(scopes); // 4
      await v1.register(jsonBody); // 5: content type and JSON
      await v1.register(serviceNumber); // 5: the service number alone
      await v1.register(validation); // 5: path, query, headers and body together
      await v1.register(idempotency); // 6
      await v1.register(sandbox, { sandboxes });
      await v1.register(perform, { context, sandboxes });
      await v1.register(v1Routes); // 7 to 9: checked by the operations themselves
    },
    { prefix: '/api/v1' },
  );
  return app;
}
