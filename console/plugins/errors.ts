import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type AnswerUnreadable, rawAnswer } from '../../src/http/client-errors.ts';
import { newCorrelationId } from '../../src/runtime/ids.ts';
import { problemPage } from '../components/problem-page.tsx';
import { describeFailure } from '../http/failures.ts';
import { pageHeaders } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes the answer to input of which Fastify has no request. */
    answerUnreadable: AnswerUnreadable;
  }
}

/** Turns errors into pages. Unexpected errors are logged, and the page shows no details. */
export default fp(
  async (app) => {
    app.decorate('answerUnreadable', ({ status, message }, overTls) => {
      const problem = status === 404 ? NOT_FOUND : unreadable(status, message);
      const requestId = newCorrelationId();
      const headers = { ...pageHeaders(requestId, overTls), 'content-type': 'text/html; charset=utf-8' };
      return rawAnswer(status, headers, app.pageWithoutRequest(problemPage({ problem, requestId })));
    });
    // Malformed requests are routed to `/` (src/http/request-shape.ts).
    app.addHook('onRequest', async ({ raw: { malformed } }) => {
      if (malformed !== undefined) throw unreadable(400, malformed);
    });
    app.setNotFoundHandler({ preHandler: [] }, (_request, reply) => show(reply, NOT_FOUND));
    app.setErrorHandler((error, request, reply) => show(reply, problemOf(error, request)));
  },
  { name: 'console-errors', dependencies: ['console-view'], fastify: '5.x' },
);

const NOT_FOUND = new Problem(404, 'Page not found', 'The address may be mistyped, or the record was removed.');

const unreadable = (status: number, fault: string) => new Problem(status, 'This cannot be read', `${fault}.`);

function show(reply: FastifyReply, problem: Problem) {
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  return reply.view(problemPage({ problem, requestId: reply.request.id }), problem.statusCode);
}

function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  const failure = describeFailure(error);
  if (failure)
    return new Problem(failure.status, failure.status === 404 ? 'Not found' : 'Not possible', failure.message);
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem(
      statusCode,
      'This cannot be read',
      'The request is too large, or not one of this console’s forms.',
    );
  }
  // The client left in the middle of its request.
  if (error && error === request.raw.errored) return unreadable(400, 'The request is not complete');
  request.log.error({ err: error, request_id: request.id }, 'a page of the console failed');
  return new Problem(
    500,
    'Something went wrong',
    'The server’s log has the details under the id below. Try again later.',
  );
}
