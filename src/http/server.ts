import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, type Server as TlsServer } from 'node:tls';
import { type AnswerUnreadable, answerClientErrors } from './client-errors.ts';
import { boundConnections } from './connections.ts';
import { normaliseForwarded } from './forwarded.ts';
import { isBusy, oneAtATime, readOnAfterLastAnswer } from './one-at-a-time.ts';

/** How long a request may take to arrive in full, headers included; a slower one is refused as malformed. */
const ARRIVAL = { requestTimeout: 20_000, headersTimeout: 20_000, connectionsCheckingInterval: 1000 };

/** After so long without a byte read, the client of an answer counts as gone. */
const UNREAD_MS = 30_000;

/** TLS 1.3, and the cipher suites of TLS 1.2 with forward secrecy and a full-tag AEAD: no static RSA, no CBC, no CCM. */
const TLS = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  handshakeTimeout: ARRIVAL.headersTimeout,
} as const;

export interface PortOptions {
  trustedProxies: readonly string[];
  tls?: { certFile: string; keyFile: string } | undefined;
  /** How long a connection may be idle between two requests. */
  keepAliveMs: number;
  answerUnreadable: AnswerUnreadable;
}

/**
 * The HTTP server of every port, with every limit of a connection in one place (contract, section 1). Requests that Node
 * would answer by itself are passed to `handle`, or answered as the port does; `handle` looks for malformed ones with
 * `routeWithin`.
 */
export function createHttpServer(
  handle: RequestListener,
  { trustedProxies, tls, keepAliveMs, answerUnreadable }: PortOptions,
): Server {
  const listener = oneAtATime((request, response) => {
    if (trustedProxies.length > 0) normaliseForwarded(request.headers);
    handle(request, response);
  });
  const options = { ...ARRIVAL, keepAliveTimeout: keepAliveMs, requireHostHeader: false, allowHalfOpen: true };
  const server: Server = tls
    ? createTlsServer(
        { ...options, ...TLS, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) },
        listener,
      )
    : createServer(options, listener);
  boundConnections(server, trustedProxies);
  answerClientErrors(server, answerUnreadable);
  readOnAfterLastAnswer(server);
  // A client that closes its half of the connection after a request gets the answer; over TLS this needs `allowHalfOpen` too.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Headers are limited by size only: above a limit on their number Node silently drops the rest, perhaps the key.
  server.maxHeadersCount = 0;
  // An `Expect` header other than 100-continue is ignored.
  server.on('checkExpectation', listener);
  // Called after so long without a byte in either direction; a client that reads slowly still moves bytes. A connection
  // stays open while its request is running; it is closed if it is idle or if its answer is not read.
  server.setTimeout(UNREAD_MS, (socket: Socket) => {
    if (socket.writableLength > 0 || !isBusy(socket)) socket.destroy();
  });
  return server;
}

/**
 * Reads the files of a certificate again, for connections from now on. Throws where they are faulty, and then the old
 * ones stay.
 */
export function renewTls(server: object, { certFile, keyFile }: { certFile: string; keyFile: string }): void {
  const files = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  // Faulty files would leave the server with half of them.
  createSecureContext(files);
  (server as TlsServer).setSecureContext({ ...TLS, ...files });
}

/** What the log says of each address of a port. Fastify does not know that a server of our own speaks TLS. */
export const listeningAt =
  (name: string, tls: PortOptions['tls']) =>
  (address: string): string =>
    `${name} listening at ${tls ? address.replace(/^http:/, 'https:') : address}`;

/** A server listens on one address; `localhost` can have two and means 127.0.0.1. */
export const listenAddress = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);
