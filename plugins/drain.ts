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
    const connections = new Set<Socket>();
    app.server.on('connection', (socket: Socket) => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
    const unanswered = new Map<Socket, number>();
    app.server.on('request', ({ socket }, response) => {
      unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
      response.once('close', () => {
        const left = (unanswered.get(socket) as number) - 1;
        if (left > 0) {
          unanswered.set(socket, left);
        } else {
          unanswered.delete(socket);
          if (app.closing) socket.end();
        }
      });
    });
    app.addHook('preClose', async () => {
      app.closing = true;
      // By peer: under TLS a request stands on another socket object than the connection that was opened.
      const busy = new Set([...unanswered.keys()].map(peerOf));
      for (const socket of connections) if (!busy.has(peerOf(socket))) socket.destroy();
    });
    app.addHook('onRequest', (request, _reply, done) => {
      const refuse = app.closing && !request.routeOptions.config.whileClosing;
      done(refuse ? fail.unavailable(RETRY_AFTER_SECONDS) : undefined);
    });
  },
  { name: 'drain', dependencies: ['errors'], fastify: '5.x' },
);

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
