import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { endConnection } from './pipelining.ts';

/** Why there is no request to route: the status that fits best, and a message. */
export interface Unreadable {
  status: 400 | 404 | 408 | 431;
  message: string;
}

/** Makes the raw answer of a port to input of which there is no request. */
export type AnswerUnreadable = (fault: Unreadable, overTls: boolean) => string;

/** The error of Node's HTTP parser. */
type ClientError = Error & { code?: string; rawPacket?: unknown };

/** Answers what is not HTTP, or whose headers are too large or too slow, and CONNECT, to which Node closes the connection. */
export function answerClientErrors(server: Server, answer: AnswerUnreadable): void {
  server.on('connect', (_request, socket: Socket) => {
    endConnection(socket, answer({ status: 404, message: 'Not found' }, 'encrypted' in socket));
  });
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy();
    else endConnection(socket, answer(faultOf(error), 'encrypted' in socket));
  });
}

function faultOf(error: ClientError): Unreadable {
  if (namesUnknownMethod(error)) return { status: 404, message: 'Not found' };
  if (error.code === 'HPE_HEADER_OVERFLOW') return { status: 431, message: 'The request headers are too large' };
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, message: 'The request took too long to arrive' };
  }
  return { status: 400, message: 'The request is not valid HTTP' };
}

/** A well-formed request with a method that Node does not know: answered like an unknown path. */
const namesUnknownMethod = ({ code, rawPacket }: ClientError): boolean =>
  code === 'HPE_INVALID_METHOD' && /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/.test(String(rawPacket));

/** The bytes of an answer after which the connection is closed. */
export const rawAnswer = (status: number, headers: Readonly<Record<string, string>>, body: string): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
