import fp from 'fastify-plugin';
import type { MailingCaller, Perform } from '../src/broker/operation.ts';
import type { Context } from '../src/ports.ts';
import type { SandboxMode } from '../src/sandbox/call.ts';
import type { Sandboxes } from '../src/sandbox/sandbox.ts';
import { storeForBroker } from '../src/store/store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route does for a sandbox key in place of working on the sandbox's records alone. */
    sandbox?: SandboxMode;
  }
  interface FastifyRequest {
    /** The caller in the form that operations take. */
    readonly caller: MailingCaller;
    /** Runs an operation of v1 for the caller: on the live records, or for a sandbox key on those of its broker's sandbox. */
    readonly perform: Perform;
  }
}

export interface PerformOptions {
  /** Of the live records. */
  context: Context;
  sandboxes: Sandboxes;
}

/**
 * What every call passes: runs its operation in the name of the caller, on the records that the mode of the key decides
 * (contract, section 8). Both decorators are getters, because a hook would add a step to every call.
 */
export default fp<PerformOptions>(
  async (app, { context, sandboxes }) => {
    /** Its connections are taken from those of the caller's broker. */
    const contextFor = ({ brokerId }: MailingCaller): Context => ({
      ...context,
      store: storeForBroker(context.store, brokerId),
    });
    app.decorateRequest('caller', {
      getter() {
        const { broker, key, scopes } = this.access;
        const actor = { kind: 'api_key' as const, name: key.id, clientIp: this.clientIp };
        const isDisconnected = () => this.raw.socket.destroyed;
        return { brokerId: broker.id, broker, actor, scopes, isDisconnected };
      },
    });
    app.decorateRequest('perform', {
      getter() {
        const { access, caller, idempotency, routeOptions } = this;
        return (operation, input) =>
          access.mode === 'test'
            ? sandboxes.perform(operation, caller, input, idempotency, routeOptions.config.sandbox)
            : operation(contextFor(caller), caller, input, idempotency);
      },
    });
  },
  { name: 'perform', dependencies: ['auth', 'scopes', 'idempotency'], fastify: '5.x' },
);
