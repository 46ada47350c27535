import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Encode, Outcome, StoredAnswer } from '../src/broker/operation.ts';
import { isoTimestamp } from '../src/rules/timestamps.ts';

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Turns an operation's result into the value that a handler returns: an outcome in the success envelope, or a
     * stored answer unchanged. The compiler checks it against the route's response schema.
     */
    answer<O extends Outcome<unknown>>(result: O | StoredAnswer): Success<O>;
    /** Returns the function that turns an outcome of this route into the bytes that `answer` would send. */
    encoder(): Encode;
  }
}

type Success<O> = { success: true } & Omit<O, 'statusCode' | 'serverDate'>;

/** The one way to succeed (contract, sections 1 and 7); the route's response schema decides which fields are sent. */
export default fp(
  async (app) => {
    app.decorateReply('answer', answer);
    app.decorateReply('encoder', encoder);
    app.addHook('onRequest', (_request, reply, done) => {
      reply.cacheControl('no-store');
      done();
    });
  },
  { name: 'envelope', dependencies: ['@fastify/sensible'], fastify: '5.x' },
);

function answer<O extends Outcome<unknown>>(this: FastifyReply, result: O | StoredAnswer): Success<O> {
  this.code(result.statusCode);
  if (!('body' in result)) {
    if ('serverDate' in result) this.header('x-server-date', isoTimestamp(result.serverDate as number));
    return envelope(result);
  }
  if (result.replayed) this.header('idempotent-replayed', 'true');
  this.type('application/json; charset=utf-8');
  // The text was an answer of this route before: it is sent without being serialized again.
  return result.body as unknown as Success<O>;
}

function encoder(this: FastifyReply): Encode {
  const serializers = new Map(STATUSES.map((status) => [status, this.getSerializationFunction(String(status))]));
  return (outcome) => (serializers.get(outcome.statusCode) ?? JSON.stringify)(envelope(outcome));
}

const STATUSES: Array<Outcome<unknown>['statusCode']> = [200, 201, 202];

/** Names each field, because a rest spread takes ten times as long. Undefined fields are not sent. */
function envelope<O extends Outcome<unknown>>({ data, message, pagination }: O): Success<O> {
  return { success: true, data, message, pagination } as Success<O>;
}
