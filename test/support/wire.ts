import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';

/** What came back over a socket, taken apart. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Lets the app listen on a free port of this machine. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** A connection on which a test writes bytes as it pleases. */
export function dial(port: number, secure = false): Socket {
  const socket = secure
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect({ port, host: '127.0.0.1' });
  // A server that ends a connection early is what some tests are about.
  socket.on('error', () => undefined);
  return socket.setEncoding('latin1') as Socket;
}

/**
 * A connection that was answered once, and on which the server has read a second request but for its last two bytes.
 * @returns what is received on it, from the first answer on, and `complete`, which sends the rest
 */
export async function halfSent(app: FastifyInstance, port: number, request: string) {
  const accepted: Socket[] = [];
  const accept = (socket: Socket) => accepted.push(socket);
  app.server.on('connection', accept);
  const socket = dial(port);
  const answers = answersOf(socket);
  socket.write(request);
  await once(socket, 'data');
  app.server.off('connection', accept);
  const served = accepted.find(({ remotePort }) => remotePort === socket.localPort) as Socket;
  socket.write(request.slice(0, -2));
  while (served.bytesRead < 2 * request.length - 2) await new Promise((resolve) => setImmediate(resolve));
  return { answers, complete: () => socket.write(request.slice(-2)) };
}

/** Everything that is received until the server closes the connection, as answers. */
export async function answersOf(socket: Socket): Promise<WireAnswer[]> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return parse(text);
}

/** Sends these bytes and returns the one answer; the request must make the server close, as most broken ones do. */
export async function exchange(port: number, bytes: string, secure = false): Promise<WireAnswer> {
  const socket = dial(port, secure);
  socket.write(bytes, 'latin1');
  const [answer] = await answersOf(socket);
  if (!answer) throw new Error('the connection was closed without an answer');
  return answer;
}

function parse(text: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const status = Number(statusLine.split(' ')[1]);
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

const OUR_ID = /^[\w-]{12}-[0-9a-z]+$/;

/** That an answer is the error envelope, whole: code, reason, our own request id, nothing cached. */
export function isRefusal(
  t: Test,
  answer: { status: number; headers: Record<string, unknown>; body: string },
  status: number,
  code: string,
  reason?: string,
  title = `${status} ${code} ${reason ?? ''}`,
): void {
  const { headers } = answer;
  const id = String(headers['x-request-id']);
  const { success, error = {}, ...rest } = JSON.parse(answer.body);
  t.strictSame(
    {
      status: answer.status,
      type: headers['content-type'],
      cached: headers['cache-control'],
      sniffed: headers['x-content-type-options'],
      challenge: headers['www-authenticate'],
      hasOurId: OUR_ID.test(id),
      success,
      code: error.code,
      reason: error.details?.reason,
      correlated: error.details === undefined || error.details.correlation_id === id,
      rest,
    },
    {
      status,
      type: 'application/json; charset=utf-8',
      cached: 'no-store',
      sniffed: 'nosniff',
      challenge: status === 401 ? 'Bearer' : undefined,
      hasOurId: true,
      success: false,
      code,
      reason,
      correlated: true,
      rest: {},
    },
    title,
  );
}
