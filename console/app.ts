import fastifyRateLimit from '@fastify/rate-limit';
import fastifySensible from '@fastify/sensible';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config, ConsoleConfig } from '../src/config.ts';
import { MAX_URL_LENGTH, routeWithin } from '../src/http/request-shape.ts';
import { createHttpServer } from '../src/http/server.ts';
import { newCorrelationId } from '../src/ids.ts';
import { fixedWindowStore } from '../src/limits/fixed-window.ts';
import type { OperatorContext } from '../src/operator/dependencies.ts';
import type { ImportRunner } from '../src/operator/importing.ts';
import type { ProcessInfo } from '../src/operator/system.ts';
import { SECTIONS, UNLISTED } from './pages/index.ts';
import assets from './plugins/assets.ts';
import cookies from './plugins/cookies.ts';
import drain from './plugins/drain.ts';
import errors from './plugins/errors.ts';
import exports from './plugins/exports.ts';
import forms, { MAX_FORM_BYTES } from './plugins/forms.ts';
import headers from './plugins/headers.ts';
import sessions from './plugins/sessions.ts';
import transport from './plugins/transport.ts';
import view from './plugins/view.tsx';

export interface ConsoleDeps {
  config: Pick<Config, 'production' | 'tls' | 'trustedProxies' | 'keepAliveMs' | 'mail'> & { console: ConsoleConfig };
  context: OperatorContext;
  runImport: ImportRunner;
  /** Version, settings and health of the process. */
  processInfo: ProcessInfo;
  /** Shown beside the operator's role, such as "demo data". */
  environmentLabel?: string | undefined;
  logger?: FastifyBaseLogger;
}

/** Ids and tokens are below a hundred characters. A longer segment is refused before routing. */
const MAX_SEGMENT_LENGTH = 200;

/** Builds the operator's console: plugins in their order, then the pages. */
export async function buildConsole({
  config,
  context: operations,
  runImport,
  processInfo,
  environmentLabel,
  logger,
}: ConsoleDeps): Promise<FastifyInstance> {
  const context = {
    ...operations,
    removeSandbox: processInfo.sandboxes.remove,
    countSandboxes: processInfo.sandboxes.count,
    consoleUrl: config.console.url,
    runImport,
  };
  const app: FastifyInstance = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    serverFactory: (handle) =>
      createHttpServer(handle, {
        trustedProxies: config.trustedProxies,
        tls: config.tls,
        keepAliveMs: config.keepAliveMs,
        answerUnreadable: (fault, overTls) => app.answerUnreadable(fault, overTls),
      }),
    genReqId: newCorrelationId,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    rewriteUrl: routeWithin(MAX_SEGMENT_LENGTH),
    // The server answers them itself.
    clientErrorHandler: () => undefined,
    bodyLimit: MAX_FORM_BYTES,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
  });

  await app.register(fastifySensible);
  await app.register(fastifyRateLimit, { global: false, store: fixedWindowStore(context.clock) });
  await app.register(headers);
  await app.register(cookies);
  await app.register(drain);
  await app.register(view, { context, sections: SECTIONS, environmentLabel });
  await app.register(errors);
  await app.register(transport, { required: config.production && !config.console.loopback });
  await app.register(sessions, { context });
  await app.register(exports);
  await app.register(forms);
  await app.register(assets);

  const options = {
    context,
    runImport,
    processInfo,
    consoleUrl: config.console.url,
    sender: config.console.sender,
    mails: config.mail.kind !== 'outbox',
  };
  for (const { routes } of SECTIONS) await app.register(routes, options);
  for (const routes of UNLISTED) await app.register(routes, options);
  return app;
}
