import type { Server, Socket } from 'node:net';
import { createConnectionCounter } from '../rules/ip-rules.ts';

/**
 * Open connections of a port. An idle one costs some 10 KB of memory and a file descriptor. A broker's systems keep a few
 * dozen open; an address has a tenth of all, so that it cannot use up those of the others.
 */
export const MAX_CONNECTIONS = { overAll: 10_000, ofOneAddress: 1_000 };

/**
 * Limits the number of open connections (contract, section 1). A connection above the limit is closed without an answer,
 * because reading its request would cost what the limit is to save.
 * @param trustedProxies addresses and networks that are not counted, because each one has many clients
 */
export function boundConnections(
  server: Server,
  trustedProxies: readonly string[],
  { overAll, ofOneAddress } = MAX_CONNECTIONS,
): void {
  const countedAs = createConnectionCounter(trustedProxies);
  server.maxConnections = overAll;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const name = countedAs(socket.remoteAddress);
    if (name === undefined) return;
    const count = (open.get(name) ?? 0) + 1;
    open.set(name, count);
    socket.once('close', () => {
      const left = (open.get(name) as number) - 1;
      if (left > 0) open.set(name, left);
      else open.delete(name);
    });
    if (count > ofOneAddress) socket.destroy();
  });
}
