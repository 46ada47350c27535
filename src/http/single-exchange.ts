import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';

/** What is known of one HTTP exchange, whatever the client above made of it. */
export interface Exchange {
  /** Whether the connection stood: before that (TLS included) no byte of the request can have been taken. */
  connected: boolean;
  /** The answer, once it arrived in full; a body that was cut short, or that does not end, is none. */
  answer: { status: number; headers: http.IncomingHttpHeaders; body: string } | null;
}

/** A hundred times what either side has to say: whoever sends more is no mail provider and no provisioner. */
const MOST_ANSWER_BYTES = 1_048_576;

/**
 * A `fetch` that posts once and writes down how far it came. The global one would follow redirects with the token in
 * hand, repeat a POST by itself after a 421, send on a kept connection that the other side is just closing, and not
 * tell a connection that never stood from one that was lost. This one opens a fresh connection for the call, takes
 * any status as an answer, and gives up when `signal` says so, in the middle of a body too.
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
    // A request can fail again while its answer is read; that failure reaches us through the answer's stream.
    request.on('error', () => {});
    request.end(init.body);

    const [response] = (await once(request, 'response', { signal })) as [http.IncomingMessage & { statusCode: number }];
    const body = await readText(response);
    exchange.answer = { status: response.statusCode, headers: response.headers, body };
    return new Response(body, { status: response.statusCode });
  };
}

async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MOST_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
