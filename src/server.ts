import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { composeParts } from './compose.ts';
import { type Config, ConfigError, checkServerConfig, loadConfig } from './config.ts';
import { createDemo, hasActiveDemoKey } from './demo/demo.ts';
import { innermost } from './errors.ts';
import { createSharedWindows } from './limits/redis-window.ts';
import { createLog } from './log.ts';
import { createMetrics, serveMetrics } from './metrics.ts';
import { createContext } from './operations/context.ts';
import { createOperations } from './operations/operations.ts';
import { createSandbox } from './sandbox/simulate.ts';
import { composeWorker } from './worker/compose.ts';

/** Beyond the mail provider's own timeout: what a reply in flight may still need at the end. */
const CLOSE_PATIENCE_MS = 5_000;

/** The process: reads the configuration, puts the parts together, listens, and ends gracefully. */
async function serve(config: Config, log: Logger): Promise<void> {
  const parts = await composeParts(config, (error) => log.error({ err: error }, 'an idle database connection broke'));
  const { store, clock, templates, newId } = parts;
  if (parts.created && config.database.kind === 'sqlite' && config.loopback && !config.production) {
    await createDemo(parts);
    log.info('added the demo data; "npm run -s broker -- demo --remove" takes it away');
  }
  if ((!config.loopback || config.production) && (await hasActiveDemoKey(store))) {
    throw new ConfigError('HOST: the demo keys are known to everybody; run "broker demo --remove" first');
  }

  const context = createContext({ ...parts, log });
  const live = createOperations(context);
  const sandbox = await createSandbox({ store, live, templates, clock, newId });
  const limits = config.redisUrl
    ? createSharedWindows({
        url: config.redisUrl,
        clock,
        onChange: (reason) =>
          reason
            ? log.warn({ err: reason }, 'Redis is away: rate limits are counted by this process alone')
            : log.info('Redis is back: rate limits are counted by all instances together'),
      })
    : undefined;
  await limits?.started;
  const metrics = config.metricsPort === undefined ? undefined : createMetrics(store);
  const app = await buildApp({
    config,
    store,
    clock,
    live,
    sandbox: sandbox.operations,
    limits,
    metrics,
    logger: log,
  });
  const worker = config.inlineWorker ? composeWorker(config, context) : undefined;
  const metricsServer =
    metrics && config.metricsPort !== undefined
      ? await serveMetrics(metrics, config.host, config.metricsPort).catch((error: unknown) => {
          throw new ConfigError(`METRICS_PORT: ${innermost(error)}`);
        })
      : undefined;

  closeWithGrace({ delay: config.mail.timeoutMs + CLOSE_PATIENCE_MS, logger: false }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'closing after an unforeseen error');
    else log.info({ signal }, 'closing: replies in flight finish first');
    await Promise.all([app.close(), worker?.stop()]);
    metricsServer?.close();
    limits?.close();
    sandbox.close();
    await store.close();
    log.info('closed');
  });

  await app.listen({ host: config.host, port: config.port });
  worker?.start();
  if (!config.mail.postmark) log.info({ folder: config.mail.outboxDirectory }, 'no mail provider: emails become files');
}

/** One line for what an operator can mend; the whole error for what nobody foresaw. */
function explain(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof ConfigError) return `The server does not start. ${message}`;
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return `The server does not start. HOST, PORT: ${message}`;
  }
  return `The server does not start. ${error instanceof Error ? error.stack : String(error)}`;
}

try {
  const config = loadConfig();
  checkServerConfig(config);
  await serve(config, createLog(config.logLevel));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
