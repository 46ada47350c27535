import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is served to the end, by its own judgement of a server that closes. */
    whileClosing?: boolean;
  }
  interface FastifyInstance {
    /** True from the moment the server begins to close. */
    closing: boolean;
  }
}

const RETRY_AFTER_SECONDS = 2;

/**
 * A graceful end (contract, section 10): replies in flight finish, connections without a request are closed at
 * once (a single idle one would hold up the end), and what still arrives is told to come back.
 */
export default fp(
  async (app) => {
    app.decorate('closing', false);
    // By peer: under TLS a request stands on another socket object than the connection that was opened.
    const connections = new Map<string, { socket: Socket; unanswered: number }>();
    app.server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      connections.set(peer, { socket, unanswered: 0 });
      socket.once('close', () => connections.delete(peer));
    });
    app.server.on('request', ({ socket }, response) => {
      const connection = connections.get(peerOf(socket));
      if (!connection) return;
      connection.unanswered += 1;
      response.once('close', () => {
        connection.unanswered -= 1;
        if (app.closing && connection.unanswered === 0) socket.end();
      });
    });
    app.addHook('preClose', async () => {
      app.closing = true;
      for (const { socket, unanswered } of connections.values()) if (unanswered === 0) socket.destroy();
    });
    app.addHook('onRequest', (request, _reply, done) => {
      const refuse = app.closing && !request.routeOptions.config.whileClosing;
      done(refuse ? fail.unavailable(RETRY_AFTER_SECONDS) : undefined);
    });
  },
  { name: 'drain', dependencies: ['errors'], fastify: '5.x' },
);

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
