import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** True as soon as the server begins to close. */
    closing: boolean;
    /** True from SIGTERM on: calls are still served, on connections that end with their answer. */
    draining: boolean;
  }
  interface FastifyRequest {
    /** Whether the request has no answer yet. */
    unanswered: boolean;
  }
}

const REAP_EVERY_MS = 20;

/**
 * The graceful end of a server. Requests in progress are finished, whether or not their caller is still connected.
 * Connections without a request are closed at once, because a single idle one would delay the end. `app.close()` resolves
 * when no request is in progress any more.
 * @param refuse the error for a request that arrives while the server closes; undefined where it is served
 */
export function drainAtEnd(app: FastifyInstance, refuse: (request: FastifyRequest) => Error | undefined): void {
  app.decorate('closing', false);
  app.decorate('draining', false);
  // Connections that have not sent a request yet; Node does not count them as idle. Keyed by peer: under TLS a
  // request has another socket object than the 'connection' event.
  const silent = new Map<string, Socket>();
  app.server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    silent.set(peer, socket);
    socket.once('close', () => silent.delete(peer));
  });
  // Counted from arrival until the answer is ready: when a caller disconnects, its request goes on.
  app.decorateRequest('unanswered', false);
  let unanswered = 0;
  let workIsOver: (() => void) | undefined;
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (app.draining) reply.header('connection', 'close');
    // Runs twice where serializing the answer failed and an error is sent instead; each request is counted once.
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
    // A server that does not listen has no connections, and never emits 'close'.
    if (!app.server.listening) return;
    for (const socket of silent.values()) socket.destroy();
    // The other connections are closed as soon as they are idle.
    const reaping = setInterval(() => app.server.closeIdleConnections(), REAP_EVERY_MS);
    app.server.once('close', () => clearInterval(reaping));
  });
  app.addHook('onRequest', (request, _reply, done) => {
    request.unanswered = true;
    unanswered += 1;
    if (silent.size > 0) silent.delete(peerOf(request.raw.socket));
    done(app.closing ? refuse(request) : undefined);
  });
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
