import fp from 'fastify-plugin';
import type { MailingCaller } from '../src/context/outcome.ts';
import type { Operations } from '../src/operations/operations.ts';
import type { Mode } from '../src/rules/words.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The operations for each mode of a key; the sandbox plugin adds those of `test`. */
    operationsOf: Partial<Record<Mode, Operations>>;
  }
  interface FastifyRequest {
    /** Every use case of v1, for the mode of the caller's key. */
    readonly operations: Operations;
    /** The caller in the form that operations take. */
    readonly caller: MailingCaller;
  }
}

export interface OperationsOptions {
  live: Operations;
}

/**
 * Gives handlers `request.operations` and `request.caller`. Both are getters, because a hook would add a step to every
 * call.
 */
export default fp<OperationsOptions>(
  async (app, { live }) => {
    const operationsOf: Partial<Record<Mode, Operations>> = { live };
    app.decorate('operationsOf', operationsOf);
    app.decorateRequest('operations', {
      // A mode without operations fails the call; there is no fallback to the other mode.
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
