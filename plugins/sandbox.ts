import fp from 'fastify-plugin';
import type { MailingCaller, Perform } from '../src/broker/operation.ts';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/http/hooks.ts';
import type { Context } from '../src/ports.ts';
import type { Sandboxes, SandboxMode } from '../src/sandbox/sandbox.ts';
import { storeForBroker } from '../src/store/store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether live keys get 404 on this route. */
    sandboxOnly?: boolean;
    /** What the route does for a sandbox key in place of working on the sandbox's records alone. */
    sandbox?: SandboxMode;
  }
  interface FastifyInstance {
    /** The brokers' sandboxes, for the routes that show one and move its clock. */
    sandboxes: Sandboxes;
  }
  interface FastifyRequest {
    /** Runs a use case of v1 for the caller: on the live records, or for a sandbox key on those of its broker's sandbox. */
    readonly perform: Perform;
    /** The caller in the form that use cases take. */
    readonly caller: MailingCaller;
  }
}

export interface SandboxOptions {
  /** Of the live records. */
  context: Context;
  sandboxes: Sandboxes;
}

/**
 * Decides by the mode of the key whose records a use case works on (contract, section 8), and hides the routes of the
 * sandbox from live keys, behind gate 3 and before the others. Both decorators are getters, because a hook would add a
 * step to every call.
 */
export default fp<SandboxOptions>(
  async (app, { context, sandboxes }) => {
    app.decorate('sandboxes', sandboxes);
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
        return (useCase, input) =>
          access.mode === 'test'
            ? sandboxes.perform(useCase, caller, input, idempotency, routeOptions.config.sandbox)
            : useCase(contextFor(caller), caller, input, idempotency);
      },
    });
    app.addHook('onRoute', (route) => {
      if (!route.config?.sandboxOnly) return;
      route.onRequest = [
        (request, _reply, done) => done(request.access.mode === 'test' ? undefined : fail.routeNotFound()),
        ...hooksOf(route.onRequest),
      ];
    });
  },
  { name: 'sandbox', dependencies: ['auth', 'scopes', 'idempotency'], fastify: '5.x' },
);
