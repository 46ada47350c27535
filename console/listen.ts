import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { buildConsole, type ConsoleDeps } from './app.ts';

/**
 * Opens the console's own port. Where nobody asked for the port and somebody else has it, says so and goes on without;
 * returns null then.
 */
export async function listenConsole(
  parts: ConsoleDeps & { logger: FastifyBaseLogger },
): Promise<{ port: number; close(): Promise<void> } | null> {
  const { host, port, asked } = parts.config.console;
  const app = await buildConsole(parts);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    if (asked || (error as { code?: string }).code !== 'EADDRINUSE') throw error;
    parts.logger.info(`no console: port ${port} is taken; CONSOLE_PORT names another one, or "off"`);
    return null;
  }
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
}
