import type { Server, Socket } from 'node:net';

export interface ConnectionLimits {
  overAll: number;
  ofOneAddress: number;
}

/**
 * - overAll: an idle connection costs some 10 KB of memory and a file descriptor.
 * - ofOneAddress: a broker's systems keep a few dozen connections open. A tenth of all, so that one address cannot use
 *   up the connections of the others.
 */
export const CONNECTION_LIMITS: ConnectionLimits = { overAll: 10_000, ofOneAddress: 1_000 };

/**
 * Limits the number of open connections (contract, section 1). A connection above the limit is closed without an answer,
 * because reading its request would cost what the limit is to save.
 * @param countedAs the key under which an address is counted; undefined exempts it, as for a proxy of many clients
 */
export function boundConnections(
  server: Server,
  countedAs: (address: string | undefined) => string | undefined,
  { overAll, ofOneAddress }: ConnectionLimits = CONNECTION_LIMITS,
): void {
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
