import fp from 'fastify-plugin';
import type { MailingCaller } from '../src/context/outcome.ts';
import type { Operations } from '../src/operations/operations.ts';
import type { Mode } from '../src/rules/words.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What keys of a mode work with; the sandbox's set is added by its own plugin. */
    operationsOf: Partial<Record<Mode, Operations>>;
  }
  interface FastifyRequest {
    /** Every use case of v1, on what the caller's key may work on. */
    readonly operations: Operations;
    /** Who is calling, as operations need to know it. */
    readonly caller: MailingCaller;
  }
}

export interface OperationsOptions {
  live: Operations;
}

/**
 * Gives each request that has passed the gates the operations, and its caller to call them with. Both are found when a
 * handler asks: a hook would be one more step of every call.
 */
export default fp<OperationsOptions>(
  async (app, { live }) => {
    const operationsOf: Partial<Record<Mode, Operations>> = { live };
    app.decorate('operationsOf', operationsOf);
    app.decorateRequest('operations', {
      // A mode without operations fails the call; it is never answered by another's.
      getter() {
        return operationsOf[this.access.mode] as Operations;
      },
    });
    app.decorateRequest('caller', {
      getter() {
        const { broker, key } = this.access;
        const actor = { kind: 'api_key' as const, name: key.id, clientIp: this.clientIp };
        return { brokerId: broker.id, broker, actor, hasLeft: () => this.raw.socket.destroyed };
      },
    });
  },
  { name: 'operations', dependencies: ['auth'], fastify: '5.x' },
);
