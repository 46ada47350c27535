import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ApiError, fail } from '../src/errors.ts';
import { type AnswerUnreadable, rawAnswer } from '../src/http/client-errors.ts';
import { STRICT_TRANSPORT } from '../src/http/headers.ts';
import { isCutOff } from '../src/http/request-shape.ts';
import { newCorrelationId } from '../src/runtime/ids.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Why the call failed; undefined where it did not. */
    failure: ApiError | undefined;
  }
}

export interface ErrorsOptions {
  /** The server's public address, without a path; undefined makes the address of the documentation relative. */
  publicUrl?: string | undefined;
  /** The address below which this API stands: its documentation is `docs`, its calls are below `v1`. */
  api?: '/api' | '/operator';
  /** The largest body, in words. */
  largestBody?: string;
}

/**
 * The one place where failures become answers (contract, section 3): the error envelope for everything that
 * is thrown, for unknown paths, and, through `unreadableAnswers`, for input that is not an HTTP request.
 */
export default fp<ErrorsOptions>(
  async (app, { publicUrl, api = '/api', largestBody = '64 KiB' }) => {
    app.decorateReply('failure', undefined);
    const send = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendError(error, request, reply, largestBody);
    app.setErrorHandler(send);
    app.setNotFoundHandler((request, reply) => send(notFound(request.url, publicUrl, api), request, reply));

    // Runs before the body is read: an unknown path is 404 whatever is sent to it.
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.raw.malformed !== undefined) done(fail.malformedRequest(request.raw.malformed));
      else if (request.is404 || hasEmptySegment(request.url)) done(notFound(request.url, publicUrl, api));
      else done();
    });
  },
  { name: 'errors', dependencies: ['request-id'], fastify: '5.x' },
);

/** Makes the answers to input of which Fastify has no request. */
export const unreadableAnswers =
  (publicUrl: string | undefined, api: '/api' | '/operator' = '/api'): AnswerUnreadable =>
  ({ status, message, target = '' }, overTls) => {
    const failure = status === 404 ? notFound(target, publicUrl, api) : fail.malformedRequest(message);
    const id = newCorrelationId();
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': id,
      'x-content-type-options': 'nosniff',
      ...(overTls && { 'strict-transport-security': STRICT_TRANSPORT }),
      'cache-control': 'no-store',
    };
    return rawAnswer(failure.statusCode, headers, JSON.stringify(envelope(failure, id)));
  };

/** An unknown path or method; outside of v1 the answer leads to the documentation (contract, section 1). */
const notFound = (target: string, publicUrl = '', api: '/api' | '/operator' = '/api'): ApiError =>
  fail.routeNotFound(WITHIN_V1[api].test(target) ? undefined : `${publicUrl}${api}/docs`);

const WITHIN_V1 = {
  '/api': /^(?:https?:\/\/[^/?]*)?\/api\/v1(?:[/?]|$)/,
  '/operator': /^(?:https?:\/\/[^/?]*)?\/operator\/v1(?:[/?]|$)/,
};

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, largestBody: string): void {
  // A caller that disconnects while it sends its body is not a failure of the server.
  const failure = isCutOff(request.raw)
    ? fail.malformedRequest('The request was cut off')
    : toApiError(error, largestBody);
  // Without a cause the failure was thrown on purpose; a failed mail is logged where it is sent.
  if (failure.statusCode >= 500 && failure.cause !== undefined && failure.code !== 'email_send_error')
    request.log.error({ err: error, code: failure.code, request_id: request.id }, 'request failed');
  reply.failure = failure;
  reply.header('cache-control', 'no-store');
  if (failure.statusCode === 401) reply.header('www-authenticate', 'Bearer');
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
  reply.code(failure.statusCode).send(envelope(failure, request.id));
}

/** Maps what was thrown to an error of the catalogue; an unknown error becomes `server_error`, without its message. */
function toApiError(error: unknown, largestBody: string): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fail.invalidRequest('body_too_large', `The body is larger than ${largestBody}`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fail.invalidRequest('content_type', 'The body must be sent as application/json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return fail.invalidRequest('malformed_json', 'The body is not as long as its Content-Length says');
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
      ...(failure.details && { details: Object.assign({}, failure.details, { correlation_id: requestId }) }),
    },
  };
}

/** Whether a path segment is empty. The router would accept an empty text as a parameter's value. */
function hasEmptySegment(url: string): boolean {
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  const doubled = url.indexOf('//');
  return (end > 1 && url[end - 1] === '/') || (doubled >= 0 && doubled < end);
}
