import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';

/** The state of one HTTP exchange, independent of what the calling library reports. */
export interface Exchange {
  /** Whether the connection (TLS included) was established; if not, the server cannot have received the request. */
  connected: boolean;
  /** The answer; null until it has arrived in full, so also for a body that was cut short or is endless. */
  answer: { status: number; headers: http.IncomingHttpHeaders; body: Buffer } | null;
}

/** A hundred times the size of any real answer of a mail provider or provisioner. */
export const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Makes a `fetch` that sends once and records its progress in `exchange`. The global `fetch` would follow redirects with
 * the token, repeat a POST by itself after a 421, and send on a kept-alive connection that the other side is closing. It
 * also does not distinguish a connection that failed from one that was lost. This one opens a new connection for the
 * call, accepts any status as an answer, and stops when `signal` aborts, also while reading the body.
 */
export function singleExchange(exchange: Exchange, signal: AbortSignal) {
  return async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, {
      method: init.method,
      headers: Object.fromEntries(new Headers(init.headers)),
      agent: false,
      signal,
    });
    request.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        exchange.connected = true;
      });
    });
    // The request can emit an error while its answer is read; the answer's stream reports the same error.
    request.on('error', () => {});
    request.end(init.body);

    const [response] = (await once(request, 'response', { signal })) as [http.IncomingMessage & { statusCode: number }];
    const body = await readBody(response);
    exchange.answer = { status: response.statusCode, headers: response.headers, body };
    return new Response(new Uint8Array(body), { status: response.statusCode });
  };
}

async function readBody(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
