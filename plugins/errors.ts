import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ApiError, fail } from '../src/errors.ts';
import { newCorrelationId } from '../src/ids.ts';

/** A path or query that cannot be decoded has no meaning to route by; longer than this it is not looked at. */
const MAX_URL_LENGTH = 8192;

/** How long a refused connection may take to close its half. */
const LINGER_MS = 1000;

/**
 * The one place where failures become answers (contract, section 3): the error envelope for everything that
 * is thrown, for unknown paths, and, through the two functions below, for what never reaches a route.
 */
export default fp(
  async (app) => {
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
    app.setNotFoundHandler((request, reply) => sendError(fail.routeNotFound(), request, reply));

    // Node would answer an expectation other than 100-continue by itself, outside of the envelope.
    app.server.on('checkExpectation', (request, response) => app.routing(request, response));

    // So it would do with a request that names no host, and CONNECT it would drop without a word.
    Object.assign(app.server, {
      requireHostHeader: false,
      // Their size is what is limited; by their number Node would drop the rest, a key among them, without a word.
      maxHeadersCount: 0,
    });
    app.server.on('connect', (_request, socket: Socket) => endWith(socket, fail.routeNotFound()));

    // Runs before the body is looked at: an unknown path is 404 whatever is sent to it.
    app.addHook('onRequest', (request, _reply, done) => {
      if (!isDecodable(request.url)) done(fail.malformedRequest('The URL cannot be decoded'));
      else if (!namesHost(request)) done(fail.malformedRequest('The request names no host'));
      else if (request.is404 || hasEmptySegment(request.raw.url as string)) done(fail.routeNotFound());
      else done();
    });
  },
  { name: 'errors', dependencies: ['request-id'], fastify: '5.x' },
);

/** Fastify's `frameworkErrors`: what fails before any hook ran, such as bad percent-encoding. */
export function frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  sendError(error, request, reply);
}

/** Fastify's `clientErrorHandler`: what is no HTTP, too large, or too slow to become a request at all. */
export function clientErrorHandler(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  endWith(
    socket,
    namesUnknownMethod(error) ? fail.routeNotFound() : fail.malformedRequest(textOfClientError(error.code)),
  );
}

/** What Node's HTTP parser says of bytes that are no request. */
type ClientError = Error & { code?: string; rawPacket?: unknown };

/** Writes an answer to a socket that Fastify has no request for, and ends it. */
function endWith(socket: Socket, failure: ApiError): void {
  const id = newCorrelationId();
  const body = JSON.stringify(envelope(failure, id));
  // A caller that never closes its own half must not keep the socket.
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${failure.statusCode} ${STATUS_CODES[failure.statusCode]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // A caller that goes away while it sends is nothing that failed here.
  const failure = isCutOff(request) ? fail.malformedRequest('The request was cut off') : toApiError(error);
  // Without a cause it was asked for, and a mail that was not sent is logged where it happened.
  if (failure.statusCode >= 500 && failure.cause !== undefined && failure.code !== 'email_send_error')
    request.log.error({ err: error, code: failure.code, request_id: request.id }, 'request failed');
  reply.header('cache-control', 'no-store');
  if (failure.statusCode === 401) reply.header('www-authenticate', 'Bearer');
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
  reply.code(failure.statusCode).send(envelope(failure, request.id));
}

const isCutOff = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** What was thrown, as a failure of the catalogue; anything foreign becomes one without a word about its inside. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fail.invalidRequest('body_too_large', 'The body is larger than 64 KiB');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fail.invalidRequest('content_type', 'The body must be sent as application/json');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return fail.malformedRequest('The URL cannot be decoded or has a segment that is too long');
  }
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return fail.malformedRequest('The request cannot be read');
  }
  return fail.internal(error);
}

function envelope(failure: ApiError, requestId: string) {
  return {
    success: false,
    error: {
      code: failure.code,
      message: failure.message,
      ...(failure.details && { details: { ...failure.details, correlation_id: requestId } }),
    },
  };
}

/** The router would take nothing for a parameter's value; here a path is exact, and nothing names nothing. */
function hasEmptySegment(url: string): boolean {
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  const doubled = url.indexOf('//');
  return (end > 1 && url[end - 1] === '/') || (doubled >= 0 && doubled < end && url.startsWith('/'));
}

/** HTTP/1.0 knows no Host header; later versions must have one. */
const namesHost = ({ raw }: FastifyRequest): boolean => raw.httpVersion === '1.0' || raw.headers.host !== undefined;

function isDecodable(url: string): boolean {
  if (url.length > MAX_URL_LENGTH) return false;
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** A request that is in order but for a method nobody knows: as unknown here as an unknown path. */
const namesUnknownMethod = ({ code, rawPacket }: ClientError): boolean =>
  code === 'HPE_INVALID_METHOD' && /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/.test(String(rawPacket));

function textOfClientError(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request headers are too large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive';
  return 'The request is not valid HTTP';
}
