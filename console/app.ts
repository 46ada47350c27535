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
import visits from './plugins/sessions.ts';
import transport from './plugins/transport.ts';
import view from './plugins/view.tsx';

export interface ConsoleDeps {
  config: Pick<Config, 'production' | 'tls' | 'trustedProxies' | 'mail'> & { console: ConsoleConfig };
  context: OperatorContext;
  runImport: ImportRunner;
  /** What the process knows of itself. */
  processInfo: ProcessInfo;
  /** Stands beside the person's role: that these are demo data. */
  environmentLabel?: string | undefined;
  logger?: FastifyBaseLogger;
}

/** What is slower to arrive is cut off: a person's browser sends a click at once. */
const ARRIVAL = { requestTimeout: 20_000, headersTimeout: 20_000, connectionsCheckingInterval: 1000 };

/** Ids and tokens are below a hundred characters. */
const MAX_SEGMENT_LENGTH = 200;

/** The operator's console as one visible list: what every click passes, and then the pages. Nothing of it is API. */
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
      ? { https: { ...ARRIVAL, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) } }
      : { http: ARRIVAL }),
    genReqId: newCorrelationId,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    exposeHeadRoutes: false,
    requestTimeout: ARRIVAL.requestTimeout,
    bodyLimit: MAX_FORM_BYTES,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
  }) as unknown as FastifyInstance;

  await app.register(headers);
  await app.register(drain);
  await app.register(cookies);
  await app.register(view, { context, sections: SECTIONS, environmentLabel });
  await app.register(errors);
  await app.register(transport, { required: config.production && !config.console.loopback });
  await app.register(visits, { context });
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
