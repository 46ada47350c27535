import type { Server, Socket } from 'node:net';

export interface ConnectionLimits {
  overAll: number;
  ofOneAddress: number;
}

/**
 * - overAll: an idle connection costs some 10 KB here and a descriptor of the system.
 * - ofOneAddress: a broker's systems keep some dozens open. A tenth of all, so that no address takes the rest's.
 */
export const CONNECTION_LIMITS: ConnectionLimits = { overAll: 10_000, ofOneAddress: 1_000 };

/**
 * Bounds how many connections there are (contract, section 1); one too many is closed without an answer, because to
 * read what it asks is what it would cost.
 * @param countedAs the name under which an address is counted; undefined where it speaks for many others, as proxies do
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
