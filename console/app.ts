import fastifyRateLimit from '@fastify/rate-limit';
import fastifySensible from '@fastify/sensible';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config, ConsoleConfig } from '../src/config.ts';
import type { AnswerUnreadable } from '../src/http/client-errors.ts';
import { MAX_URL_LENGTH, routeWithin } from '../src/http/request-shape.ts';
import { createHttpServer } from '../src/http/server.ts';
import { fixedWindowStore } from '../src/limits/fixed-window.ts';
import type { SharedWindows } from '../src/limits/redis-window.ts';
import type { ProcessInfo } from '../src/operator/system/system.ts';
import type { OperatorContext } from '../src/operator/use-case/dependencies.ts';
import type { ImportRunner } from '../src/operator/use-case/import-task.ts';
import operatorApi, { OPERATOR_API, type SharedGates, unreadableAnswers } from '../src/operator-api/index.ts';
import { newCorrelationId } from '../src/runtime/ids.ts';
import assets from './http/assets.ts';
import cookies from './http/cookies.ts';
import headers from './http/headers.ts';
import { NAVIGATION, SECTIONS, UNLISTED } from './pages/index.ts';
import documents from './plugins/documents.tsx';
import drain from './plugins/drain.ts';
import errors from './plugins/errors.ts';
import exports from './plugins/exports.ts';
import forms, { MAX_FORM_BYTES } from './plugins/forms.ts';
import sessions from './plugins/sessions.ts';
import transport from './plugins/transport.ts';
import view, { type EnvironmentLabel } from './plugins/view.tsx';

declare module 'fastify' {
  interface FastifyInstance {
    /** The scope of the console's pages, which the operator's API stands beside. */
    readonly pages: FastifyInstance;
  }
}

export interface ConsoleDeps {
  config: Pick<Config, 'production' | 'tls' | 'trustedProxies' | 'keepAliveMs' | 'mail' | 'operatorApi'> & {
    console: ConsoleConfig;
  };
  context: OperatorContext;
  runImport: ImportRunner;
  /** Version, settings and health of the process. */
  processInfo: ProcessInfo;
  environmentLabel?: EnvironmentLabel | undefined;
  /** What the operator's API counts together with the API of the brokers. */
  shared?: SharedGates | undefined;
  /** Where the rate limits are counted; by default in this process. */
  limits?: Pick<SharedWindows, 'store'> | undefined;
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
  shared,
  limits,
  logger,
}: ConsoleDeps): Promise<FastifyInstance> {
  const context = {
    ...operations,
    removeSandbox: processInfo.sandboxes.remove,
    countSandboxes: processInfo.sandboxes.count,
    consoleUrl: config.console.url,
    noticeSender: config.console.sender,
    runImport,
  };
  let unreadablePage: AnswerUnreadable;
  const unreadableCall = unreadableAnswers(undefined, OPERATOR_API);
  const route = routeWithin(MAX_SEGMENT_LENGTH);
  const app: FastifyInstance = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    serverFactory: (handle) =>
      createHttpServer(handle, {
        trustedProxies: config.trustedProxies,
        tls: config.tls,
        keepAliveMs: config.keepAliveMs,
        answerUnreadable: (fault, overTls) =>
          (isOfApi(fault.target ?? '') ? unreadableCall : unreadablePage)(fault, overTls),
      }),
    genReqId: newCorrelationId,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    rewriteUrl(request) {
      const url = route(request);
      // What cannot be routed is answered in the form of what was called.
      return request.malformed !== undefined && isOfApi(request.url ?? '') ? `${OPERATOR_API}/` : url;
    },
    // The server answers them itself.
    clientErrorHandler: () => undefined,
    bodyLimit: MAX_FORM_BYTES,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
  });

  const requireHttps = config.production && !config.console.loopback;
  await app.register(fastifySensible);
  await app.register(fastifyRateLimit, { global: false, store: limits?.store ?? fixedWindowStore(context.clock) });
  await app.register(drain);
  app.decorate('routePolicies', []);
  await app.register(operatorApi, {
    prefix: OPERATOR_API,
    context,
    enabled: config.operatorApi,
    requireHttps,
    overHttps: config.tls !== undefined || config.trustedProxies.length > 0,
    shared,
  });
  await app.register(async (pages) => {
    app.decorate('pages', pages);
    await pages.register(headers);
    await pages.register(cookies);
    await pages.register(view, { context, navigation: NAVIGATION, environmentLabel });
    await pages.register(errors);
    unreadablePage = pages.answerUnreadable;
    await pages.register(transport, { required: requireHttps });
    await pages.register(sessions, { context });
    await pages.register(exports);
    await pages.register(forms);
    await pages.register(assets);
    await pages.register(documents);

    const options = {
      context,
      runImport,
      processInfo,
      consoleUrl: config.console.url,
      sender: config.console.sender,
      operatorApi: config.operatorApi,
      mails: config.mail.kind !== 'outbox',
    };
    for (const { routes } of SECTIONS) await pages.register(routes, options);
    for (const routes of UNLISTED) await pages.register(routes, options);
  });
  return app;
}

const isOfApi = (target: string): boolean => /^(?:https?:\/\/[^/?]*)?\/operator(?:[/?]|$)/.test(target);
