import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { endUnreadable } from './one-at-a-time.ts';

/** Why there is no request to route: the status that fits best, and a message. */
export interface Unreadable {
  status: 400 | 404 | 408 | 431;
  message: string;
  /** What the request asks for, where it could be read. */
  target?: string | undefined;
}

/** Makes the raw answer of a port to input of which there is no request. */
export type AnswerUnreadable = (fault: Unreadable, overTls: boolean) => string;

/** The error of Node's HTTP parser. */
type ClientError = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number };

/** Answers what is not HTTP, or whose headers are too large or too slow, and CONNECT, to which Node closes the connection. */
export function answerClientErrors(server: Server, answer: AnswerUnreadable): void {
  server.on('connect', ({ url }, socket: Socket) => {
    endUnreadable(socket, answer({ status: 404, message: 'Not found', target: url }, 'encrypted' in socket));
  });
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy();
    else endUnreadable(socket, answer(faultOf(error), 'encrypted' in socket));
  });
}

function faultOf(error: ClientError): Unreadable {
  const target = targetOfUnknownMethod(error);
  if (target !== undefined) return { status: 404, message: 'Not found', target };
  if (error.code === 'HPE_HEADER_OVERFLOW') return { status: 431, message: 'The request headers are too large' };
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, message: 'The request took too long to arrive' };
  }
  return { status: 400, message: 'The request is not valid HTTP' };
}

/**
 * The target of a well-formed request with a method that Node does not know, which is answered like an unknown path. Only
 * where the packet begins with it: of a method further on, Node reports the end of what was parsed and not its beginning.
 */
function targetOfUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ClientError): string | undefined {
  if (code !== 'HPE_INVALID_METHOD') return undefined;
  const [, method = '', target] = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]\r\n/.exec(String(rawPacket)) ?? [];
  return bytesParsed <= method.length ? target : undefined;
}

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
