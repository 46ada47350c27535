import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { boundConnections } from './connections.ts';
import { boundPipelining, isBusy } from './pipelining.ts';

/** How long a request may take to arrive in full, headers included; a slower one is refused as malformed. */
const ARRIVAL = { requestTimeout: 20_000, headersTimeout: 20_000, connectionsCheckingInterval: 1000 };

/** How long a connection may be idle between two requests: a little longer than common proxies keep theirs open. */
const KEEP_ALIVE_MS = 72_000;

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

/**
 * The HTTP server below Fastify, with every limit of a connection in one place (contract, section 1). Requests that Node
 * would answer by itself, without the envelope, are passed to `handle`.
 * @param countedAs see `boundConnections`
 */
export function createHttpServer(
  handle: RequestListener,
  countedAs: (address: string | undefined) => string | undefined,
  tls?: { certFile: string; keyFile: string },
): Server {
  const listener = boundPipelining(handle);
  const options = { ...ARRIVAL, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false };
  const server: Server = tls
    ? createTlsServer(
        { ...options, ...TLS, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) },
        listener,
      )
    : createServer(options, listener);
  boundConnections(server, countedAs);
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
