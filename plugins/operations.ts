import fp from 'fastify-plugin';
import type { MailingCaller } from '../src/context/outcome.ts';
import type { Operations } from '../src/operations/operations.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Every use case of v1, on what the caller's key may work on. */
    operations: Operations;
    /** Who is calling, as operations need to know it. */
    caller: MailingCaller;
  }
}

export interface OperationsOptions {
  live: Operations;
}

/** Gives each request that has come so far the operations, and its caller to call them with. */
export default fp<OperationsOptions>(
  async (app, { live }) => {
    app.decorateRequest('operations');
    app.decorateRequest('caller');
    app.addHook('preHandler', (request, _reply, done) => {
      const { broker, key } = request.access;
      const actor = { kind: 'api_key' as const, name: key.id, clientIp: request.clientIp };
      request.caller = { brokerId: broker.id, broker, actor, hasLeft: () => request.raw.socket.destroyed };
      request.operations = live;
      done();
    });
  },
  { name: 'operations', dependencies: ['auth'], fastify: '5.x' },
);
