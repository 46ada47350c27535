import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Outcome, StoredAnswer } from '../src/operations/outcome.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Sends what an operation returned: its outcome in the success envelope, or a stored answer as it is. */
    answer(result: Outcome<unknown> | StoredAnswer): FastifyReply;
    /** The bytes that `answer` would send for this outcome. */
    encode(outcome: Outcome<unknown>): string;
  }
}

/** The one way to succeed (contract, sections 1 and 7); the route's response schema decides what leaves. */
export default fp(
  async (app) => {
    app.decorateReply('answer', answer);
    app.decorateReply('encode', encode);
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      done();
    });
  },
  { name: 'envelope', fastify: '5.x' },
);

function answer(this: FastifyReply, result: Outcome<unknown> | StoredAnswer): FastifyReply {
  if (!('body' in result)) return this.code(result.statusCode).send(envelope(result));
  if (result.replayed) this.header('idempotent-replayed', 'true');
  return this.code(result.statusCode).type('application/json; charset=utf-8').send(result.body);
}

function encode(this: FastifyReply, outcome: Outcome<unknown>): string {
  const serialize = this.getSerializationFunction(String(outcome.statusCode)) ?? JSON.stringify;
  return serialize(envelope(outcome) as unknown as Record<string, unknown>);
}

function envelope({ data, message, pagination }: Outcome<unknown>) {
  const parts: { success: true; data: unknown; message?: string; pagination?: object } = { success: true, data };
  if (message !== undefined) parts.message = message;
  if (pagination !== undefined) parts.pagination = pagination;
  return parts;
}
