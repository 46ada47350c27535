import { readFileSync } from 'node:fs';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config, ConsoleConfig } from '../src/config.ts';
import { newCorrelationId } from '../src/ids.ts';
import type { OperatorContext } from '../src/operator/dependencies.ts';
import type { ImportRunner } from '../src/operator/importing.ts';
import type { ProcessInfo } from '../src/operator/system.ts';
import { SECTIONS, UNLISTED } from './pages/index.ts';
import assets from './plugins/assets.ts';
import cookies from './plugins/cookies.ts';
import drain from './plugins/drain.ts';
import errors from './plugins/errors.ts';
import forms, { MAX_FORM_BYTES } from './plugins/forms.ts';
import headers from './plugins/headers.ts';
import sessions from './plugins/sessions.ts';
import transport from './plugins/transport.ts';
import view from './plugins/view.tsx';

export interface ConsoleDeps {
  config: Pick<Config, 'production' | 'tls' | 'trustedProxies' | 'mail'> & { console: ConsoleConfig };
  context: OperatorContext;
  runImport: ImportRunner;
  /** Version, settings and health of the process. */
  processInfo: ProcessInfo;
  /** Shown beside the operator's role, such as "demo data". */
  environmentLabel?: string | undefined;
  logger?: FastifyBaseLogger;
}

/** Time limits for receiving a request. */
const TIMEOUTS = { requestTimeout: 20_000, headersTimeout: 20_000, connectionsCheckingInterval: 1000 };

/** Ids and tokens are below a hundred characters. */
const MAX_SEGMENT_LENGTH = 200;

/** Builds the operator's console: plugins in their order, then the pages. */
export async function buildConsole({
  config,
  context,
  runImport,
  processInfo,
  environmentLabel,
  logger,
}: ConsoleDeps): Promise<FastifyInstance> {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    ...(config.tls
      ? { https: { ...TIMEOUTS, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) } }
      : { http: TIMEOUTS }),
    genReqId: newCorrelationId,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    exposeHeadRoutes: false,
    requestTimeout: TIMEOUTS.requestTimeout,
    bodyLimit: MAX_FORM_BYTES,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
  }) as unknown as FastifyInstance;

  await app.register(headers);
  await app.register(drain);
  await app.register(cookies);
  await app.register(view, { context, sections: SECTIONS, environmentLabel });
  await app.register(errors);
  await app.register(transport, { required: config.production && !config.console.loopback });
  await app.register(sessions, { context });
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
