import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { boundConnections } from './connections.ts';
import { boundPipelining, isBusy } from './pipelining.ts';

/** How long a request may take to arrive, headers and all: what is slower is refused as malformed. */
const ARRIVAL = { requestTimeout: 20_000, headersTimeout: 20_000, connectionsCheckingInterval: 1000 };

/** How long a connection may stay open between two requests: a little longer than the proxies before it keep theirs. */
const KEEP_ALIVE_MS = 72_000;

/** An answer of which nothing was taken for so long has lost its reader. */
const UNREAD_MS = 30_000;

/** TLS 1.3, and of TLS 1.2 what has forward secrecy and an AEAD with its full tag: no static RSA, no CBC, no CCM. */
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
 * The server below Fastify, with every limit of a connection in one place (contract, section 1). What Node would
 * answer by itself, outside of the envelope, is left to `handle`.
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
  // Headers are limited by their size; by their number Node would drop the rest, a key among them, without a word.
  server.maxHeadersCount = 0;
  // An expectation other than 100-continue is nothing that an answer of ours depends on.
  server.on('checkExpectation', listener);
  // Called after so long without a byte in either direction; reading an answer slowly moves bytes. A request whose
  // answer takes long keeps its connection, one that nobody reads does not, and neither does an idle one.
  server.setTimeout(UNREAD_MS, (socket: Socket) => {
    if (socket.writableLength > 0 || !isBusy(socket)) socket.destroy();
  });
  return server;
}
