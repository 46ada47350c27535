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
  interface FastifyRequest {
    /** Whether it is being worked on. */
    unanswered: boolean;
  }
}

const RETRY_AFTER_SECONDS = 2;
const REAP_EVERY_MS = 20;

/**
 * A graceful end (contract, section 10): what is in the works is finished, whether or not its caller is still there,
 * connections without a request are closed at once (a single idle one would hold up the end), and what still arrives
 * is told to come back. `app.close()` resolves when nothing works for a request any more.
 */
export default fp(
  async (app) => {
    app.decorate('closing', false);
    // Connections that have not brought a request yet, which Node does not count as idle. By peer: under TLS a request
    // stands on another socket object than the connection that was opened.
    const silent = new Map<string, Socket>();
    app.server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      silent.set(peer, socket);
      socket.once('close', () => silent.delete(peer));
    });
    // From its arrival until there is an answer: a caller that leaves takes its connection along, not the work.
    app.decorateRequest('unanswered', false);
    let unanswered = 0;
    let workIsOver: (() => void) | undefined;
    app.addHook('onSend', (request, _reply, _payload, done) => {
      // An answer that fails while it is sent is followed by another one.
      if (request.unanswered) unanswered -= 1;
      request.unanswered = false;
      if (unanswered === 0) workIsOver?.();
      done();
    });
    app.addHook('onClose', () => {
      if (unanswered === 0) return Promise.resolve();
      return new Promise<void>((resolve) => {
        workIsOver = resolve;
      });
    });
    app.addHook('preClose', async () => {
      app.closing = true;
      // Without connections there is nothing to wait for, and nobody to say that the waiting is over.
      if (!app.server.listening) return;
      for (const socket of silent.values()) socket.destroy();
      // The others are closed as soon as their replies are out.
      const reaping = setInterval(() => app.server.closeIdleConnections(), REAP_EVERY_MS);
      app.server.once('close', () => clearInterval(reaping));
    });
    app.addHook('onRequest', (request, _reply, done) => {
      request.unanswered = true;
      unanswered += 1;
      if (silent.size > 0) silent.delete(peerOf(request.raw.socket));
      const refuse = app.closing && !request.routeOptions.config.whileClosing;
      done(refuse ? fail.unavailable(RETRY_AFTER_SECONDS) : undefined);
    });
  },
  { name: 'drain', dependencies: ['errors'], fastify: '5.x' },
);

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
