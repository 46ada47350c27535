import type { Socket } from 'node:net';
import fp from 'fastify-plugin';

/** A browser opens a handful. */
const MAX_CONNECTIONS = 500;

/** Graceful shutdown: requests in progress are finished, idle connections are closed at once. */
export default fp(
  async (app) => {
    /** By peer: under TLS a request has another socket object than the accepted connection. */
    const busy = new Set<string>();
    const open = new Set<Socket>();
    let closing = false;
    app.server.maxConnections = MAX_CONNECTIONS;
    app.server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
      const peer = peerOf(socket);
      busy.add(peer);
      reply.raw.once('close', () => {
        busy.delete(peer);
        if (closing) socket.end();
      });
    });
    app.addHook('preClose', async () => {
      closing = true;
      for (const socket of open) if (!busy.has(peerOf(socket))) socket.destroy();
    });
  },
  { name: 'console-drain', fastify: '5.x' },
);

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
