import type { Server, Socket } from 'node:net';

export interface ConnectionLimits {
  overAll: number;
  ofOneAddress: number;
}

/**
 * Limits the number of open connections (contract, section 1). A connection above the limit is closed without an answer,
 * because reading its request would cost what the limit is to save.
 * @param countedAs the key under which an address is counted; undefined exempts it, as for a proxy of many clients
 */
export function boundConnections(
  server: Server,
  countedAs: (address: string | undefined) => string | undefined,
  { overAll, ofOneAddress }: ConnectionLimits,
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
