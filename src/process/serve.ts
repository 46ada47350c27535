import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace, { type CloseWithGraceAsyncCallback } from 'close-with-grace';
import type { Logger } from 'pino';
import type { ConsoleDeps } from '../../console/app.ts';
import { createUnknownKeys } from '../access/authenticate.ts';
import { buildApp } from '../app.ts';
import { composeParts, openSandboxStore } from '../compose.ts';
import { apiUrlOf, type Config, ConfigError, exposedBy, ignoredVariables, loadServerConfig } from '../config.ts';
import { DEMO_KEYS, DEMO_OPERATOR, DEMO_PUBLIC_IDS, hasActiveDemoKey, hasDemo } from '../demo/keys.ts';
import { innermost } from '../errors.ts';
import type { RecordsKeeper } from '../history/keeper.ts';
import { listenAddress, listeningAt, renewTls } from '../http/server.ts';
import { keepNotices } from '../operator/notices/keeper.ts';
import { createConsoleLink } from '../operator/people/console-access.ts';
import { keepTrail } from '../operator/trail/keeper.ts';
import type { OperatorContext } from '../operator/use-case/dependencies.ts';
import type { Clock } from '../runtime/clock.ts';
import { handOverSignals, stopIfAsked } from '../runtime/early-stop.ts';
import { createSandboxes } from '../sandbox/sandbox.ts';
import type { Report } from '../store/drivers/outage.ts';
import { storeFor } from '../store/store.ts';
import { composeCredentials, composeMachines, composeWorker } from '../worker/compose.ts';
import { greetingOf } from './greeting.ts';
import { createLog, readableLines } from './log.ts';

/** Beyond the mail provider's own timeout: what work in flight may still need at the end (contract, section 10). */
const CLOSE_PATIENCE_MS = 5_000;
/** Before that, callers that neither send the rest of their request nor read their answer are let go. */
const CALLERS_PATIENCE_MS = 3_000;

/** So that no operator takes a connection from brokers' calls, nor the other way round. */
const CONSOLE = { share: 'console', name: 'console' } as const;

/** Served in rotation with usage, calls and the clock, so that requests which wait for a lock do not hold these up for long. */
const WORKER = { share: 'background', name: 'worker' } as const;

/** The process: reads the configuration, puts the parts together, listens, and ends gracefully. */
async function serve(config: Config, log: Logger): Promise<void> {
  // The stop may have been asked for while the program was loaded.
  await stopIfAsked();
  const reportOutage: Report = (message, error) => (error ? log.error({ err: error }, message) : log.info(message));
  // A wrong DATABASE_URL must not become an empty service.
  const parts = await composeParts(config, reportOutage, { migrating: config.production ? 'existing' : 'always' });
  const { clock, clockKeeper, recordsKeeper } = parts;
  clockKeeper.start();
  await recordsKeeper.open();
  recordsKeeper.start();
  const exposed = exposedBy(config);
  if (parts.created && config.database.kind === 'sqlite' && exposed === undefined) {
    const { createDemo } = await import('../demo/demo.ts');
    await createDemo(parts);
    log.info('added the demo data; "npm run -s broker -- demo --remove" takes it away');
  }
  const demoKeyIsActive = await hasActiveDemoKey(parts);
  if (exposed !== undefined && demoKeyIsActive) {
    throw new ConfigError(`${exposed}: the demo keys are known to everybody; run "broker demo --remove" first`);
  }

  // What a setting asks for is loaded where it is set.
  const measuring = config.metricsPort === undefined ? undefined : await import('./metrics.ts');
  const metrics = await measuring?.openMetrics(config, parts);
  const { store, mailer } = metrics ?? parts;
  const context = {
    ...parts,
    store,
    mailer,
    log,
    warningsPerService: config.warningsPerService,
    isHeld: () => recordsKeeper.info().holding !== null,
    machines: composeMachines(config, { clock, log }),
    credentials: composeCredentials(config, { clock, log }, recordsKeeper),
  };
  const sandboxes = createSandboxes({
    openStore: () => openSandboxStore(config, parts, reportOutage),
    live: context,
  });
  const limits = config.redisUrl === undefined ? undefined : await shareLimits(config.redisUrl, clock, log);
  const unknownKeys = createUnknownKeys();
  const app = await buildApp({
    config,
    context,
    sandboxes,
    limits,
    demoKey: demoKeyIsActive ? DEMO_KEYS.test : undefined,
    // Of demo data that is added while this process runs.
    refusedKeys: exposed === undefined ? [] : DEMO_PUBLIC_IDS,
    metrics: metrics?.registry,
    unknownKeys,
    logger: log,
  });
  const worker = config.inlineWorker
    ? composeWorker(
        config,
        { ...context, store: storeFor(store, WORKER) },
        { beside: true, due: parts.due, observe: metrics?.observeCall },
      )
    : undefined;

  const processInfo = {
    settings: config.settings,
    apiUrl: apiUrlOf(config),
    scopesOf: (operationId: string) => app.needsOf(operationId),
    away: (): Record<string, boolean> => (limits ? { redis: limits.away() } : {}),
    sandboxes,
  };
  const shared = { unknownKeys, countAuthFailure: app.countAuthFailure };
  // What `listen` would wait for.
  await app.ready();
  await stopIfAsked();
  const console = await openConsole(
    config,
    { ...context, store: storeFor(store, CONSOLE) },
    { processInfo, shared, limits, logger: log },
  );

  // Of a terminal, in development, SIGHUP is the end; a service reads its certificate again.
  const endsOnHangup = !config.production && config.tls === undefined;
  if (!endsOnHangup) process.on('SIGHUP', () => readTlsAgain(config, [app.server, console?.app.server], log));
  await stopIfAsked();
  await app.listen({
    host: listenAddress(config.host),
    port: config.port,
    listenTextResolver: listeningAt('Server', config.tls),
  });
  const notices = keepNotices({ ...context, ...config.notices, store: storeFor(store, WORKER) });
  // Whatever LOG_LEVEL says: what protected is done again from these lines.
  const trailLog = log.child({}, { level: 'info' });
  const trail = keepTrail({ ...context, store: storeFor(store, WORKER) }, (audit) => trailLog.info({ audit }, 'audit'));
  trail.start();
  const end: CloseWithGraceAsyncCallback = async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'closing after an unforeseen error');
    else log.info({ signal }, 'closing: work in flight is finished first');
    const drainMs = err ? 0 : config.drainMs;
    setTimeout(() => app.server.closeAllConnections(), drainMs + config.mail.timeoutMs + CALLERS_PATIENCE_MS).unref();
    for (const port of [app, console?.app]) if (port) port.draining = true;
    const stopped = worker?.stop();
    await sleep(drainMs);
    await Promise.all([app.close(), stopped, console?.close(), notices.stop(), trail.stop()]);
    metrics?.close();
    limits?.close();
    await sandboxes.close();
    await parts.close();
    log.info('closed');
  };
  const delay = config.drainMs + config.mail.timeoutMs + CLOSE_PATIENCE_MS;
  // Until here there was no work in flight, so that a stop ended the process at once.
  handOverSignals(() => {
    closeWithGrace({ delay, logger: false, ...(!endsOnHangup && { skip: ['SIGHUP'] }) }, end);
  });
  worker?.start();
  const link = await console?.signInLink();
  if (process.stdout.isTTY) {
    const demoKey = demoKeyIsActive ? DEMO_KEYS.live : undefined;
    process.stdout.write(greetingOf({ api: apiUrlOf(config), console: console?.url, demoKey, link }));
  } else if (link !== undefined) log.info(`the console, signed in (works once, for 15 minutes): ${link}`);
  if (config.mail.kind === 'outbox')
    log.info({ folder: config.mail.directory }, 'no mail provider: emails become files');
}

/** The operator's console on a port of its own; loaded only where it is on. Null where it is not. */
async function openConsole(
  config: Config,
  context: OperatorContext & { recordsKeeper: Pick<RecordsKeeper, 'info'> },
  rest: Required<Pick<ConsoleDeps, 'processInfo' | 'shared' | 'limits'>> & { logger: Logger },
) {
  const settings = config.console;
  if (!settings) return null;
  const { listenConsole } = await import('../../console/listen.ts');
  const { importInThread } = await import('../operator/imports/run.ts');
  const demo = !config.production && (await context.store.read.operators.findByEmail(DEMO_OPERATOR.email));
  const environmentLabel = async () => {
    if (context.recordsKeeper.info().holding === 'copy') return 'a copy for trying';
    return (await hasDemo(context)) ? 'demo data' : undefined;
  };
  const runImport = importInThread(config);
  const parts = {
    config: { ...config, console: settings },
    context,
    runImport,
    environmentLabel,
    ...rest,
  };
  const opened = await listenConsole(parts).catch((error: unknown) => {
    throw new ConfigError(`CONSOLE_HOST, CONSOLE_PORT: ${innermost(error)}`);
  });
  return (
    opened && {
      app: opened.app,
      close: () => opened.close(),
      url: settings.url,
      /** With demo data: one link that opens it, signed in. */
      async signInLink(): Promise<string | undefined> {
        if (!demo) return undefined;
        try {
          const { url } = await createConsoleLink.run({ ...context, consoleUrl: settings.url }, { email: demo.email });
          return url;
        } catch (error) {
          // Many restarts within minutes leave as many unused links: no reason not to run.
          rest.logger.warn({ err: error }, 'no link to the console was made');
          return undefined;
        }
      },
    }
  );
}

/** SIGHUP: renewed TLS files take effect; faulty ones change nothing. */
function readTlsAgain({ tls }: Config, servers: (object | undefined)[], log: Logger): void {
  if (!tls) {
    log.info('SIGHUP: there are no TLS files to read again');
    return;
  }
  try {
    for (const server of servers) if (server) renewTls(server, tls);
    log.info('SIGHUP: the TLS files are read again');
  } catch (error) {
    log.error(`SIGHUP: TLS_CERT_FILE, TLS_KEY_FILE: ${innermost(error)}; the old ones stay`);
  }
}

async function shareLimits(url: string, clock: Clock, log: Logger) {
  const { createSharedWindows } = await import('../limits/redis-window.ts');
  const limits = createSharedWindows({
    url,
    clock,
    onChange: (reason) =>
      reason
        ? log.warn({ err: reason }, 'Redis is away: rate limits are counted by this process alone')
        : log.info('Redis is back: rate limits are counted by all instances together'),
  });
  await limits.started;
  return limits;
}

/** A line for each thing that an operator can mend; the whole error for what is unexpected. */
function explain(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof ConfigError) return `The server does not start. ${error.message.replaceAll('\n', '\n  ')}`;
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return `The server does not start. HOST, PORT: ${message}`;
  }
  return `The server does not start. ${error instanceof Error ? error.stack : String(error)}`;
}

try {
  const config = loadServerConfig();
  const { stdout } = process;
  const log = createLog(config.logLevel, stdout.isTTY ? readableLines(stdout) : stdout);
  for (const line of ignoredVariables()) log.warn(line);
  await serve(config, log);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
