import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { listenAddress, listeningAt } from '../src/http/server.ts';
import { buildConsole, type ConsoleDeps } from './app.ts';

/**
 * Opens the console's port.
 * @returns null where the default port is taken by another program; a configured port throws
 */
export async function listenConsole(
  parts: ConsoleDeps & { logger: FastifyBaseLogger },
): Promise<{ port: number; app: FastifyInstance; close(): Promise<void> } | null> {
  const { host, port, isExplicit } = parts.config.console;
  const app = await buildConsole(parts);
  try {
    await app.listen({
      host: listenAddress(host),
      port,
      listenTextResolver: listeningAt('Console', parts.config.tls),
    });
  } catch (error) {
    await app.close();
    if (isExplicit || (error as { code?: string }).code !== 'EADDRINUSE') throw error;
    parts.logger.info(`no console: port ${port} is taken; set CONSOLE_PORT to another port or "off"`);
    return null;
  }
  return {
    app: app as unknown as FastifyInstance,
    port: (app.server.address() as AddressInfo).port,
    close: () => app.close(),
  };
}
