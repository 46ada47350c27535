import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';

declare module 'fastify' {
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
    const idle = new Set<Socket>();
    app.server.on('connection', (socket: Socket) => {
      idle.add(socket);
      socket.once('close', () => idle.delete(socket));
    });
    app.server.on('request', ({ socket }, response) => {
      idle.delete(socket);
      response.once('close', () => {
        if (app.closing) socket.end();
        else if (!socket.destroyed) idle.add(socket);
      });
    });
    app.addHook('preClose', async () => {
      app.closing = true;
      for (const socket of idle) socket.destroy();
    });
    app.addHook('onRequest', (request, _reply, done) => {
      const refuse = app.closing && !request.url.startsWith('/health/');
      done(refuse ? fail.unavailable(RETRY_AFTER_SECONDS) : undefined);
    });
  },
  { name: 'drain', dependencies: ['errors'], fastify: '5.x' },
);
